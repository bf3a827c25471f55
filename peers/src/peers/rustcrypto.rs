//! RustCrypto's crates, compiled here from crates.io.

mod cipher;
mod curve;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sm3::{Digest as _, Sm3};

use crate::peer::{Digest, Hash, Mac, Missing, Peer};

pub(super) fn open() -> Result<Peer, Missing> {
    Ok(Peer {
        name: "RustCrypto",
        version: "sm3 0.5, hmac 0.13, sm4 0.6, sm2 0.14".to_owned(),
        hash: Some(Box::new(Crate)),
        mac: Some(Box::new(CrateMac(keyed(&[])))),
        ciphers: cipher::all(),
        curve: Some(Box::new(curve::Crate::new())),
    })
}

struct Crate;

impl Hash for Crate {
    fn code_path(&self) -> String {
        "portable Rust".to_owned()
    }

    fn digest(&mut self, message: &[u8]) -> Digest {
        Sm3::digest(message).into()
    }
}

struct CrateMac(Hmac<Sm3>);

fn keyed(key: &[u8]) -> Hmac<Sm3> {
    Hmac::new_from_slice(key).expect("HMAC takes keys of any length")
}

impl Mac for CrateMac {
    fn code_path(&self) -> String {
        Crate.code_path()
    }

    fn set_key(&mut self, key: &[u8]) {
        self.0 = keyed(key);
    }

    fn tag(&mut self, message: &[u8]) -> Digest {
        self.0
            .clone()
            .chain_update(message)
            .finalize()
            .into_bytes()
            .into()
    }
}
