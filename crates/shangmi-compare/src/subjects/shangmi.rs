//! Our own library: the SM side.

mod cipher;
mod public_key;
mod public_key_many;

use std::rc::Rc;

use shangmi::modes::cmac::CmacKey;
use shangmi::sm3::hmac::HmacKey;
use shangmi::sm3::{self, Sm3};
use shangmi::sm4::Sm4;

use super::{
    Candidate, Digest, Hash, HashMany, HashStream, Hashes, Mac, Macs, MakeMac, ManyHashes, Subject,
};
use crate::result::{Execution, Library, LibraryStatus, Side};
use crate::workloads::many::MANY_LANES;

pub(crate) use cipher::{cipher_choice, cipher_stages, ciphers};
pub(crate) use public_key::{
    agreements, encryption_schemes, prepared_signature_schemes, signature_schemes,
};
pub(crate) use public_key_many::many_public_keys;

/// The name in [`Row::subject`](crate::result::Row::subject).
pub(crate) const NAME: &str = "shangmi";

/// How the report introduces it.
pub(crate) fn library() -> Library {
    Library {
        name: NAME.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        note: "this project's own code: SM2, SM3 and SM4, constant-time".to_owned(),
        status: LibraryStatus::Used,
    }
}

fn subject(algorithm: &str, variant: Option<&str>, backend: &str) -> Subject {
    Subject {
        algorithm: algorithm.to_owned(),
        variant: variant.map(str::to_owned),
        library: NAME.to_owned(),
        backend: backend.to_owned(),
        side: Side::Sm,
        execution: execution(backend),
        constant_time: Some(true),
        security_bits: 128,
    }
}

/// A code path on instructions made for the algorithm bears the name of the algorithm.
pub(crate) fn execution(backend: &str) -> Execution {
    match backend {
        "sm3" | "sm4" => Execution::Hardware,
        _ => Execution::Software,
    }
}

/// SM3.
pub(crate) fn hashes() -> Hashes {
    let subject = subject("SM3", None, Sm3::new().backend());
    vec![Candidate {
        subject,
        object: Rc::new(OwnSm3),
    }]
}

struct OwnSm3;

impl Hash for OwnSm3 {
    fn digest(&self, message: &[u8]) -> Digest {
        sm3::digest(message)
    }

    fn stream(&self) -> Option<Box<dyn HashStream>> {
        Some(Box::new(Sm3::new()))
    }
}

impl HashStream for Sm3 {
    fn update(&mut self, part: &[u8]) {
        Self::update(self, part);
    }

    fn finish(&mut self) -> Digest {
        self.finalize_reset()
    }
}

/// SM3 over many messages.
pub(crate) fn many_hashes() -> ManyHashes {
    vec![Candidate {
        subject: subject("SM3", Some(MANY_LANES), sm3::many_backend()),
        object: Rc::new(OwnManySm3),
    }]
}

struct OwnManySm3;

impl HashMany for OwnManySm3 {
    fn digest_many(&self, messages: &[&[u8]], out: &mut [Digest]) -> bool {
        sm3::digest_many(messages, out).is_ok()
    }
}

/// HMAC-SM3.
pub(crate) fn macs() -> Macs {
    let mut subject = subject("HMAC-SM3", None, Sm3::new().backend());
    subject.security_bits = 256;
    let make = |key: &[u8]| -> Option<Box<dyn Mac>> { Some(Box::new(HmacKey::new(key))) };
    let hmac = Candidate {
        subject,
        object: Rc::new(make) as MakeMac,
    };
    let make = |key: &[u8]| -> Option<Box<dyn Mac>> {
        let key = CmacKey::from_cipher(&Sm4::from_slice(key).ok()?);
        Some(Box::new(OwnCmac {
            key,
            tags: Vec::new(),
        }))
    };
    let cmac = Candidate {
        subject: self::subject("CMAC-SM4", None, cipher_choice()),
        object: Rc::new(make) as MakeMac,
    };
    vec![hmac, cmac]
}

struct OwnCmac {
    key: CmacKey,
    /// Room for many tags.
    tags: Vec<[u8; 16]>,
}

fn long(tag: [u8; 16]) -> Digest {
    let mut digest = [0; 32];
    digest[..16].copy_from_slice(&tag);
    digest
}

impl Mac for OwnCmac {
    fn mac(&mut self, message: &[u8]) -> Digest {
        long(self.key.mac(message))
    }

    fn mac_with_key(&mut self, key: &[u8], message: &[u8]) -> Digest {
        Sm4::from_slice(key).map_or([0; 32], |cipher| {
            long(CmacKey::from_cipher(&cipher).mac(message))
        })
    }

    fn mac_many(&mut self, messages: &[&[u8]], out: &mut [Digest]) -> bool {
        self.tags.resize(messages.len(), [0; 16]);
        let done = self.key.mac_many(messages, &mut self.tags).is_ok();
        for (tag, out) in self.tags.iter().zip(out) {
            *out = long(*tag);
        }
        done
    }

    fn many_backend(&self) -> Option<&'static str> {
        Some(cipher_choice())
    }
}

impl Mac for HmacKey {
    fn mac(&mut self, message: &[u8]) -> Digest {
        Self::mac(self, message)
    }

    fn mac_with_key(&mut self, key: &[u8], message: &[u8]) -> Digest {
        Self::new(key).mac(message)
    }

    fn mac_many(&mut self, messages: &[&[u8]], out: &mut [Digest]) -> bool {
        Self::mac_many(self, messages, out).is_ok()
    }

    fn many_backend(&self) -> Option<&'static str> {
        Some(sm3::many_backend())
    }
}
