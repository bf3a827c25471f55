//! Every word of the report, in English and Chinese.
//!
//! `text/phrases.rs` holds the sentences, `text/terms.rs` the words for what the data names, `text/labels.rs` those for
//! the values of its enumerations.

pub(crate) mod labels;
pub(crate) mod phrases;
pub(crate) mod terms;

use std::borrow::Cow;

/// A language of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Simplified Chinese.
    Chinese,
}

impl Language {
    /// Both, in the order in which they are written.
    pub const ALL: [Self; 2] = [Self::English, Self::Chinese];

    /// The language of a locale name such as `zh_CN.UTF-8` or `zh-Hans`; English for all that is not Chinese.
    #[must_use]
    pub fn of_locale(locale: &str) -> Self {
        let language = locale.split(['_', '-', '.', '@']).next().unwrap_or("");
        if language.eq_ignore_ascii_case("zh") {
            Self::Chinese
        } else {
            Self::English
        }
    }
}

/// The same words in both languages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    english: Cow<'static, str>,
    chinese: Cow<'static, str>,
}

impl Text {
    /// A pair of fixed strings.
    pub(crate) const fn pair(english: &'static str, chinese: &'static str) -> Self {
        Self {
            english: Cow::Borrowed(english),
            chinese: Cow::Borrowed(chinese),
        }
    }

    /// A pair of strings made at run time.
    pub(crate) fn owned(english: String, chinese: String) -> Self {
        Self {
            english: Cow::Owned(english),
            chinese: Cow::Owned(chinese),
        }
    }

    /// The words in one language.
    pub(crate) fn get(&self, language: Language) -> &str {
        match language {
            Language::English => &self.english,
            Language::Chinese => &self.chinese,
        }
    }

    /// Whether both languages read the same (numbers, names).
    pub(crate) fn is_same(&self) -> bool {
        self.english == self.chinese
    }

    /// Puts `value` in the place of `{name}` in both languages.
    pub(crate) fn with(self, name: &str, value: impl Into<Self>) -> Self {
        let place = format!("{{{name}}}");
        let value = value.into();
        Self::owned(
            self.english.replace(&place, &value.english),
            self.chinese.replace(&place, &value.chinese),
        )
    }

    /// One after the other, with `separator` between them.
    pub(crate) fn join(parts: &[Self], separator: &Self) -> Self {
        let all = |language| {
            let words: Vec<&str> = parts.iter().map(|part| part.get(language)).collect();
            words.join(separator.get(language))
        };
        Self::owned(all(Language::English), all(Language::Chinese))
    }
}

impl From<&str> for Text {
    fn from(same: &str) -> Self {
        Self::from(same.to_owned())
    }
}

impl From<String> for Text {
    fn from(same: String) -> Self {
        Self::owned(same.clone(), same)
    }
}

impl From<&String> for Text {
    fn from(same: &String) -> Self {
        Self::from(same.as_str())
    }
}

/// Columns that `text` takes, a Chinese character taking two.
pub(crate) fn columns(text: &str) -> usize {
    text.chars()
        .map(|character| if character.is_ascii() { 1 } else { 2 })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_in_both_languages() {
        let text = Text::pair("{n} times, {n}", "{n} 倍").with("n", "2");
        assert_eq!(text.get(Language::English), "2 times, 2");
        assert_eq!(text.get(Language::Chinese), "2 倍");
    }

    #[test]
    fn locales() {
        assert_eq!(Language::of_locale("zh_CN.UTF-8"), Language::Chinese);
        assert_eq!(Language::of_locale("zh"), Language::Chinese);
        assert_eq!(Language::of_locale("en_GB.UTF-8"), Language::English);
        assert_eq!(Language::of_locale("C"), Language::English);
        assert_eq!(Language::of_locale(""), Language::English);
    }
}
