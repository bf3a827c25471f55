//! Reading the files under `testdata`.

use num_bigint::BigUint;
use reference::sm2::Point;
use serde::{Deserialize, Deserializer};

/// Bytes, in a file as hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hex(pub(crate) Vec<u8>);

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let digits = String::deserialize(deserializer)?;
        let byte = |i| u8::from_str_radix(&digits[i..i + 2], 16).map_err(serde::de::Error::custom);
        (0..digits.len())
            .step_by(2)
            .map(byte)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

impl Hex {
    /// The bytes as an array.
    pub(crate) fn array<const N: usize>(&self) -> [u8; N] {
        self.0
            .as_slice()
            .try_into()
            .expect("as many bytes as the field has")
    }

    /// The bytes as a big-endian integer.
    pub(crate) fn number(&self) -> BigUint {
        BigUint::from_bytes_be(&self.0)
    }

    /// The bytes as 04 || x || y.
    pub(crate) fn point(&self) -> Point {
        assert_eq!((self.0.len(), self.0[0]), (65, 4));
        Point::new(
            BigUint::from_bytes_be(&self.0[1..33]),
            BigUint::from_bytes_be(&self.0[33..]),
        )
    }
}

#[derive(Deserialize)]
struct File<T> {
    cases: Vec<T>,
}

/// The cases of a file; there is at least one.
pub(crate) fn cases<T: for<'de> Deserialize<'de>>(json: &str) -> Vec<T> {
    let file: File<T> = serde_json::from_str(json).expect("a file with cases of this shape");
    assert!(!file.cases.is_empty());
    file.cases
}
