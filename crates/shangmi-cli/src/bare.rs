//! The forms of a bare SM2 ciphertext, as `--raw` names them.

use clap::ValueEnum;
use shangmi_pki::CiphertextFormat;

/// A form that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// SEQUENCE { x, y, C3, C2 }: OpenSSL, GmSSL
    Der,
    /// 04, x, y, C3, C2: today's standard order
    #[value(name = "c1c3c2")]
    C1C3C2,
    /// 04, x, y, C2, C3: the old order
    #[value(name = "c1c2c3")]
    C1C2C3,
    /// x, y, C3, C2: without the 04, as JavaScript libraries write it
    #[value(name = "bare-c1c3c2")]
    BareC1C3C2,
    /// x, y, C2, C3: without the 04
    #[value(name = "bare-c1c2c3")]
    BareC1C2C3,
}

impl Form {
    /// The library's name of the form.
    pub(crate) fn format(self) -> CiphertextFormat {
        match self {
            Self::Der => CiphertextFormat::Der,
            Self::C1C3C2 => CiphertextFormat::C1C3C2,
            Self::C1C2C3 => CiphertextFormat::C1C2C3,
            Self::BareC1C3C2 => CiphertextFormat::BareC1C3C2,
            Self::BareC1C2C3 => CiphertextFormat::BareC1C2C3,
        }
    }

    /// The value of `--raw` that names a form of the library.
    pub(crate) fn name(format: CiphertextFormat) -> String {
        let mut forms = Self::value_variants().iter();
        forms
            .find(|form| form.format() == format)
            .and_then(Self::to_possible_value)
            .map_or_else(|| "auto".to_owned(), |value| value.get_name().to_owned())
    }
}
