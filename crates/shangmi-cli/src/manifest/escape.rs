//! Names as text: any bytes in, one line of UTF-8 out, and back again.

use serde_json::{Map, Value};

/// Escapes a name: `\\`, `\n`, `\r`, `\t`, and `\xHH` for each byte of other control characters and
/// for each byte that is no UTF-8.
pub(crate) fn escape(name: &[u8]) -> String {
    let mut text = String::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => text.push_str(r"\\"),
                '\n' => text.push_str(r"\n"),
                '\r' => text.push_str(r"\r"),
                '\t' => text.push_str(r"\t"),
                c if c.is_control() => hex(&mut text, c.encode_utf8(&mut [0; 4]).as_bytes()),
                c => text.push(c),
            }
        }
        hex(&mut text, chunk.invalid());
    }
    text
}

fn hex(text: &mut String, bytes: &[u8]) {
    for &byte in bytes {
        text.push_str(r"\x");
        text.push_str(&crate::hex::encode(&[byte]));
    }
}

/// The name behind escaped text; `None` for an escape that does not exist.
pub(crate) fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut name = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            name.push(byte);
            continue;
        }
        let (&escape, after) = rest.split_first()?;
        rest = after;
        match escape {
            b'\\' => name.push(b'\\'),
            b'n' => name.push(b'\n'),
            b'r' => name.push(b'\r'),
            b't' => name.push(b'\t'),
            b'x' => {
                let (digits, after) = rest.split_at_checked(2)?;
                rest = after;
                name.push(digit(digits[0])? << 4 | digit(digits[1])?);
            }
            _ => return None,
        }
    }
    Some(name)
}

fn digit(digit: u8) -> Option<u8> {
    char::from(digit)
        .to_digit(16)
        .and_then(|value| u8::try_from(value).ok())
}

/// Puts a name into a JSON object: as `key` where it is UTF-8, escaped as `key_escaped` otherwise.
pub(crate) fn put(object: &mut Map<String, Value>, key: &str, name: &[u8]) {
    match std::str::from_utf8(name) {
        Ok(text) => object.insert(key.to_owned(), text.into()),
        Err(_) => object.insert(format!("{key}_escaped"), escape(name).into()),
    };
}

/// The name that [`put`] put into a JSON object.
pub(crate) fn take(object: &Map<String, Value>, key: &str) -> Option<Vec<u8>> {
    match object.get(key) {
        Some(text) => Some(text.as_str()?.as_bytes().to_vec()),
        None => unescape(object.get(&format!("{key}_escaped"))?.as_str()?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_comes_back() {
        let mut names: Vec<Vec<u8>> = (0..=255u8).map(|byte| vec![b'a', byte, b'x']).collect();
        names.extend([
            b"a\\nb\nc\r\t\\".to_vec(),
            "国密 \u{85}\u{2028}".as_bytes().to_vec(),
            b"\xe5\x9b\xff\xfe\\xff".to_vec(),
        ]);
        for name in names {
            let text = escape(&name);
            assert!(!text.chars().any(char::is_control), "{text:?}");
            assert_eq!(unescape(&text).as_deref(), Some(&name[..]), "{text}");
            let mut object = Map::new();
            put(&mut object, "path", &name);
            assert_eq!(take(&object, "path"), Some(name));
        }
    }

    #[test]
    fn the_form_is_as_documented() {
        assert_eq!(escape(b"a b\\\n\x01\xff"), r"a b\\\n\x01\xff");
        assert_eq!(escape("\u{85}".as_bytes()), r"\xc2\x85");
        assert_eq!(escape("国密".as_bytes()), "国密");
    }

    #[test]
    fn unknown_escapes_are_refused() {
        for text in ["\\", "\\a", "\\x", "\\x1", "\\xg0", "\\x+1", "a\\x国"] {
            assert_eq!(unescape(text), None, "{text}");
        }
        assert_eq!(unescape(r"\xAb").as_deref(), Some(&b"\xab"[..]));
    }
}
