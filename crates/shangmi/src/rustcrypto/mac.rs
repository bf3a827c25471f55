//! HMAC-SM3 and SM4-CMAC for the crate `digest`.
use crate::{modes::cmac::Cmac, sm3::hmac::HmacSm3};
use core::fmt;
use digest::{
    FixedOutput, InvalidLength, Key, KeyInit, MacMarker, Output, OutputSizeUser, Update,
    block_api::AlgorithmName,
    common::KeySizeUser,
    consts::{U16, U32, U64},
};

/// A MAC that has `update` and `finalize`.
macro_rules! mac {
    ($name:ident, $key_len:ty, $tag_len:ty, $text:literal) => {
        impl MacMarker for $name {}

        impl KeySizeUser for $name {
            type KeySize = $key_len;
        }

        impl OutputSizeUser for $name {
            type OutputSize = $tag_len;
        }

        impl Update for $name {
            fn update(&mut self, data: &[u8]) {
                Self::update(self, data);
            }
        }

        impl FixedOutput for $name {
            fn finalize_into(self, out: &mut Output<Self>) {
                out.0 = self.finalize();
            }
        }

        impl AlgorithmName for $name {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($text)
            }
        }
    };
}
mac!(HmacSm3, U64, U32, "HmacSm3");
mac!(Cmac, U16, U16, "Sm4Cmac");

/// A key has a block, or with `new_from_slice` any length.
impl KeyInit for HmacSm3 {
    fn new(key: &Key<Self>) -> Self {
        Self::new(&key.0)
    }

    fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
        Ok(Self::new(key))
    }
}

impl KeyInit for Cmac {
    fn new(key: &Key<Self>) -> Self {
        Self::new(&key.0)
    }
}
