//! What an implementation is put behind.

mod cipher;
mod curve;

pub(crate) use cipher::{Block, Cipher, Mode, NONCE_LEN};
pub(crate) use curve::{Curve, Form, Item, KeyPair, Operation};

/// 32 bytes: a digest or a tag.
pub(crate) type Digest = [u8; 32];

/// An implementation, with what it offers.
#[derive(Default)]
pub(crate) struct Peer {
    pub(crate) name: &'static str,
    pub(crate) version: String,
    pub(crate) hash: Option<Box<dyn Hash>>,
    pub(crate) mac: Option<Box<dyn Mac>>,
    /// At most one of a mode and an algorithm.
    pub(crate) ciphers: Vec<Box<dyn Cipher>>,
    pub(crate) curve: Option<Box<dyn Curve>>,
}

/// A peer that is not on this machine.
pub(crate) struct Missing {
    pub(crate) peer: &'static str,
    pub(crate) reason: String,
    pub(crate) install: &'static str,
}

/// A hash function.
pub(crate) trait Hash {
    /// `SM3` or `SHA-256`.
    fn algorithm(&self) -> &'static str {
        "SM3"
    }

    /// The code that hashes one message.
    fn code_path(&self) -> String;

    fn digest(&mut self, message: &[u8]) -> Digest;

    /// Digests of independent messages, in the best way that the implementation has.
    fn digest_many(&mut self, messages: &[&[u8]], out: &mut [Digest]) {
        for (out, message) in out.iter_mut().zip(messages) {
            *out = self.digest(message);
        }
    }

    /// The code behind [`digest_many`](Self::digest_many).
    fn many_code_path(&self) -> String {
        format!("{}, one after the other", self.code_path())
    }
}

/// HMAC-SM3.
pub(crate) trait Mac {
    fn code_path(&self) -> String;

    /// Prepares a key.
    fn set_key(&mut self, key: &[u8]);

    /// The tag under the key that was prepared last.
    fn tag(&mut self, message: &[u8]) -> Digest;
}
