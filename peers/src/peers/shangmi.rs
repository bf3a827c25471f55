//! Ours.

mod cipher;
mod curve;

use shangmi::sm3::{self, Sm3, hmac::HmacKey};

use crate::peer::{Digest, Hash, Mac, Missing, Peer};

pub(super) fn open() -> Result<Peer, Missing> {
    Ok(Peer {
        name: "shangmi",
        version: "this checkout".to_owned(),
        hash: Some(Box::new(Ours)),
        mac: Some(Box::new(OurMac(HmacKey::new(&[])))),
        ciphers: cipher::all(),
        curve: Some(Box::new(curve::Ours::new())),
    })
}

struct Ours;

impl Hash for Ours {
    fn code_path(&self) -> String {
        Sm3::new().backend().to_owned()
    }

    fn digest(&mut self, message: &[u8]) -> Digest {
        sm3::digest(message)
    }

    fn digest_many(&mut self, messages: &[&[u8]], out: &mut [Digest]) {
        sm3::digest_many(messages, out).expect("as many digests as messages");
    }

    fn many_code_path(&self) -> String {
        "sm3::digest_many".to_owned()
    }
}

struct OurMac(HmacKey);

impl Mac for OurMac {
    fn code_path(&self) -> String {
        Ours.code_path()
    }

    fn set_key(&mut self, key: &[u8]) {
        self.0 = HmacKey::new(key);
    }

    fn tag(&mut self, message: &[u8]) -> Digest {
        self.0.mac(message)
    }
}
