//! Our SM2.

use shangmi::rng::OsRng;
use shangmi::sm2::{
    self, Ciphertext, DEFAULT_ID, PrivateKey, PublicKey, Signature, Signer, Verifier,
};

use crate::known_answer::key_pair;
use crate::peer::{Curve, Digest, Form, KeyPair, Operation};

pub(super) struct Ours {
    key: PrivateKey,
    signer: Signer,
    verifier: Verifier,
}

impl Ours {
    pub(super) fn new() -> Self {
        Self::with(&key_pair("SM2"))
    }

    fn with(key: &KeyPair) -> Self {
        let valid = "an example's key is valid";
        let key = PrivateKey::from_bytes(&key.private).expect(valid);
        let signer = Signer::new(&key, DEFAULT_ID).expect(valid);
        let verifier = Verifier::new(key.public_key(), DEFAULT_ID).expect(valid);
        Self {
            key,
            signer,
            verifier,
        }
    }
}

impl Curve for Ours {
    fn code_path(&self, operation: Operation) -> String {
        match operation {
            Operation::Sign => self.signer.backend().to_owned(),
            Operation::Verify => self.verifier.backend().to_owned(),
            Operation::VerifyNewKey => format!("{}, Z_A included", self.verifier.backend()),
            _ => self.key.backend().to_owned(),
        }
    }

    fn form(&self) -> Form {
        Form::Plain
    }

    fn set_key(&mut self, key: &KeyPair) {
        *self = Self::with(key);
    }

    fn sign(&mut self, e: &Digest) -> Vec<u8> {
        let signature = self.signer.sign_digest(e, &mut OsRng);
        signature.map_or_else(|_| Vec::new(), |signature| signature.to_bytes().into())
    }

    fn verify(&mut self, e: &Digest, signature: &[u8]) -> bool {
        let signature = Signature::from_slice(signature);
        signature.is_ok_and(|signature| self.verifier.verify_digest(e, &signature).is_ok())
    }

    fn verify_new_key(&mut self, public: &[u8; 65], e: &Digest, signature: &[u8]) -> bool {
        let verify = || {
            let verifier = Verifier::new(&PublicKey::from_sec1(public)?, DEFAULT_ID)?;
            verifier.verify_digest(e, &Signature::from_slice(signature)?)
        };
        verify().is_ok()
    }

    fn generate(&mut self) -> Vec<u8> {
        let key = PrivateKey::generate(&mut OsRng);
        key.map_or_else(
            |_| Vec::new(),
            |key| key.public_key().to_uncompressed().into(),
        )
    }

    fn encrypt(&mut self, plaintext: &[u8]) -> Vec<u8> {
        let mut c2 = vec![0; plaintext.len()];
        match sm2::encrypt(self.key.public_key(), plaintext, &mut c2, &mut OsRng) {
            Ok(made) => [&made.c1.to_uncompressed()[..], &made.c3, made.c2].concat(),
            Err(_) => Vec::new(),
        }
    }

    fn decrypt(&mut self, ciphertext: &[u8]) -> Vec<u8> {
        let (c1, rest) = ciphertext.split_at(65);
        let (c3, c2) = rest.split_at(32);
        let mut plaintext = vec![0; c2.len()];
        let decrypted = PublicKey::from_sec1(c1).and_then(|c1| {
            let c3 = c3.try_into().expect("split off at 32 bytes");
            sm2::decrypt(&self.key, &Ciphertext { c1, c3, c2 }, &mut plaintext)
        });
        decrypted.map_or_else(|_| Vec::new(), |()| plaintext)
    }
}
