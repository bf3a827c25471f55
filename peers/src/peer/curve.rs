//! Signatures and encryption over an elliptic curve.

use super::Digest;
use crate::measure::Spent;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Operation {
    Generate,
    Sign,
    Verify,
    VerifyNewKey,
    Encrypt,
    Decrypt,
    Exchange,
}

impl Operation {
    pub(crate) const ALL: [Self; 7] = [
        Self::Generate,
        Self::Sign,
        Self::Verify,
        Self::VerifyNewKey,
        Self::Encrypt,
        Self::Decrypt,
        Self::Exchange,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Generate => "generate a key",
            Self::Sign => "sign a digest",
            Self::Verify => "verify, key prepared",
            Self::VerifyNewKey => "verify, new key",
            Self::Encrypt => "encrypt 32 bytes",
            Self::Decrypt => "decrypt 32 bytes",
            Self::Exchange => "agree on a key, one side",
        }
    }
}

/// A private key, and its public key as 4 ‖ x ‖ y.
#[derive(Clone)]
pub(crate) struct KeyPair {
    pub(crate) private: [u8; 32],
    pub(crate) public: [u8; 65],
}

/// How an implementation writes signatures and ciphertexts.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Form {
    /// r ‖ s; C1 ‖ C3 ‖ C2 with C1 as a public key.
    Plain,
    /// As GB/T 35276 and X9.62 write them.
    Der,
}

/// A digest with a signature, a plaintext with a ciphertext, or r_B with R_B.
pub(crate) type Item = (Digest, Vec<u8>);

/// SM2, or ECDSA over P-256 for comparison.
///
/// Failures are empty results, which no known answer is.
pub(crate) trait Curve {
    /// `SM2` or `P-256`.
    fn algorithm(&self) -> &'static str {
        "SM2"
    }

    fn code_path(&self, operation: Operation) -> String;

    fn has(&self, operation: Operation) -> bool {
        operation != Operation::Exchange
    }

    fn form(&self) -> Form;

    /// Prepares a key for all that the implementation can prepare.
    fn set_key(&mut self, key: &KeyPair);

    /// Signs a digest, Z_A included where it is SM2's.
    fn sign(&mut self, e: &Digest) -> Vec<u8>;

    /// Verifies with the key that was prepared.
    fn verify(&mut self, e: &Digest, signature: &[u8]) -> bool;

    /// Verifies with a public key of which nothing is prepared.
    fn verify_new_key(&mut self, public: &[u8; 65], e: &Digest, signature: &[u8]) -> bool;

    /// A new key pair; its public key, as 4 ‖ x ‖ y.
    fn generate(&mut self) -> Vec<u8>;

    fn encrypt(&mut self, plaintext: &[u8]) -> Vec<u8>;

    fn decrypt(&mut self, ciphertext: &[u8]) -> Vec<u8>;

    /// The initiator's side of a key exchange without confirmation, from the responder's P_B and R_B as bytes, with
    /// the default ID for both: R_A ‖ 32 bytes of key.
    fn exchange(&mut self, _public: &[u8; 65], _r_b: &[u8]) -> Vec<u8> {
        Vec::new()
    }

    /// What [`one`](Self::one) gives for all of `pool`, each with its public key, in the best way that the implementation has.
    fn many(&mut self, operation: Operation, keys: &[[u8; 65]], pool: &[Item]) -> Vec<Vec<u8>> {
        let each = pool.iter().zip(keys);
        each.map(|(item, public)| self.one(operation, public, item))
            .collect()
    }

    /// The code behind [`many`](Self::many).
    fn many_code_path(&self, operation: Operation) -> String {
        format!("{}, one after the other", self.code_path(operation))
    }

    /// The output of the operation on one of a pool; of a verification a byte if it accepts.
    fn one(&mut self, operation: Operation, public: &[u8; 65], (e, made): &Item) -> Vec<u8> {
        match operation {
            Operation::Generate => self.generate(),
            Operation::Sign => self.sign(e),
            Operation::Verify => vec![1; self.verify(e, made).into()],
            Operation::VerifyNewKey => vec![1; self.verify_new_key(public, e, made).into()],
            Operation::Encrypt => self.encrypt(e),
            Operation::Decrypt => self.decrypt(made),
            Operation::Exchange => self.exchange(public, made),
        }
    }

    /// For what runs in another process: does the operation that often there, and gives the time that was
    /// measured there. `pool` is taken in turn: digests with signatures, or plaintexts with ciphertexts.
    fn elsewhere(
        &mut self,
        _operation: Operation,
        _pool: &[Item],
        _iterations: u64,
    ) -> Option<Spent> {
        None
    }
}
