//! Ciphertexts in their parts, right or wrong, and how they are written.

use num_bigint::BigUint;
use reference::sm2::{self, Point, kdf, multiply};
use reference::sm3;

use crate::sm2_vectors::der;
use crate::sm2_vectors::keys::{KeyPair, bytes32, concatenated, scalar, xy};

/// The receiver of all ciphertexts. d is 1 modulo 6, so that d*C1 = C1 for points of order 2 and 3.
pub(super) fn recipient() -> KeyPair {
    let d = (0u32..)
        .map(|i| scalar(&format!("recipient {i}")))
        .find(|d| d % 6u32 == BigUint::from(1u32))
        .expect("one number of six is 1 modulo 6");
    KeyPair::new(d)
}

/// A ciphertext; the point may be none, and C3 of any length.
#[derive(Clone)]
pub(super) struct Sealed {
    pub(super) x: BigUint,
    pub(super) y: BigUint,
    pub(super) c3: Vec<u8>,
    pub(super) c2: Vec<u8>,
    pub(super) message: Vec<u8>,
}

/// The key stream for x2 || y2.
pub(super) fn stream(shared: &[u8], length: usize) -> Vec<u8> {
    kdf(shared, length)
}

/// C3 = SM3(x2 || M || y2).
pub(super) fn c3(shared: &[u8], message: &[u8]) -> Vec<u8> {
    let (x2, y2) = shared.split_at(32);
    sm3::digest(&[x2, message, y2].concat()).to_vec()
}

impl Sealed {
    /// The message under the shared point x2 || y2, whatever C1 is.
    pub(super) fn with_shared((x, y): (BigUint, BigUint), shared: &[u8], message: &[u8]) -> Self {
        let c2 = stream(shared, message.len())
            .iter()
            .zip(message)
            .map(|(t, m)| t ^ m)
            .collect();
        Self {
            x,
            y,
            c3: c3(shared, message),
            c2,
            message: message.to_vec(),
        }
    }

    /// What the holder of d sees as a right ciphertext with this C1, on whichever curve it lies.
    pub(super) fn to(key: &KeyPair, c1: &Point, message: &[u8]) -> Self {
        let shared = concatenated(&multiply(&key.d, c1));
        Self::with_shared(xy(c1), &shared, message)
    }

    /// As the sender computes it, with a nonce that the label names.
    pub(super) fn new(key: &KeyPair, message: &[u8], nonce: &str) -> Self {
        let ciphertext =
            sm2::encrypt(&key.public, message, &scalar(nonce)).expect("a nonce that can be used");
        let (x, y) = xy(&ciphertext.c1);
        Self {
            x,
            y,
            c3: ciphertext.c3.to_vec(),
            c2: ciphertext.c2,
            message: message.to_vec(),
        }
    }

    pub(super) fn der(&self) -> Vec<u8> {
        der::sequence(&[
            &self.coordinates(),
            &der::octets(&self.c3),
            &der::octets(&self.c2),
        ])
    }

    /// The two INTEGERs.
    pub(super) fn coordinates(&self) -> Vec<u8> {
        [der::unsigned(&self.x), der::unsigned(&self.y)].concat()
    }

    /// x || y.
    pub(super) fn xy(&self) -> Vec<u8> {
        [bytes32(&self.x), bytes32(&self.y)].concat()
    }

    pub(super) fn c1c3c2(&self) -> Vec<u8> {
        [&[4], &self.xy()[..], &self.c3, &self.c2].concat()
    }

    pub(super) fn c1c2c3(&self) -> Vec<u8> {
        [&[4], &self.xy()[..], &self.c2, &self.c3].concat()
    }
}
