//! AWS-LC's ECDSA over P-256, for comparison with SM2.

use aws_lc_rs::digest::{self, SHA256};
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _,
    ParsedPublicKey, UnparsedPublicKey,
};

use crate::known_answer::key_pair;
use crate::peer::{Curve, Digest, Form, KeyPair, Operation};

pub(super) struct P256 {
    signing: EcdsaKeyPair,
    verifying: ParsedPublicKey,
}

impl P256 {
    pub(super) fn open() -> Option<Box<dyn Curve>> {
        Some(Box::new(Self::with(&key_pair("P-256"))?))
    }

    fn with(key: &KeyPair) -> Option<Self> {
        let signing = EcdsaKeyPair::from_private_key_and_public_key(
            &ECDSA_P256_SHA256_FIXED_SIGNING,
            &key.private,
            &key.public,
        );
        Some(Self {
            signing: signing.ok()?,
            verifying: ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, key.public).ok()?,
        })
    }
}

fn imported(e: &Digest) -> digest::Digest {
    let digest = digest::Digest::import_less_safe(e, &SHA256);
    digest.expect("SHA-256 has 32 bytes")
}

impl Curve for P256 {
    fn algorithm(&self) -> &'static str {
        "P-256"
    }

    fn code_path(&self, _operation: Operation) -> String {
        "AWS-LC, the fastest that it detects".to_owned()
    }

    fn has(&self, operation: Operation) -> bool {
        use Operation::{Decrypt, Encrypt, Exchange};
        !matches!(operation, Encrypt | Decrypt | Exchange)
    }

    fn form(&self) -> Form {
        Form::Plain
    }

    fn set_key(&mut self, key: &KeyPair) {
        *self = Self::with(key).expect("the key was accepted when this was opened");
    }

    fn sign(&mut self, e: &Digest) -> Vec<u8> {
        let signature = self.signing.sign_digest(&imported(e));
        signature.map_or_else(|_| Vec::new(), |signature| signature.as_ref().to_vec())
    }

    fn verify(&mut self, e: &Digest, signature: &[u8]) -> bool {
        self.verifying
            .verify_digest_sig(&imported(e), signature)
            .is_ok()
    }

    fn verify_new_key(&mut self, public: &[u8; 65], e: &Digest, signature: &[u8]) -> bool {
        let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, public);
        key.verify_digest(&imported(e), signature).is_ok()
    }

    fn generate(&mut self) -> Vec<u8> {
        let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING);
        key.map_or_else(|_| Vec::new(), |key| key.public_key().as_ref().to_vec())
    }

    fn encrypt(&mut self, _plaintext: &[u8]) -> Vec<u8> {
        Vec::new()
    }

    fn decrypt(&mut self, _ciphertext: &[u8]) -> Vec<u8> {
        Vec::new()
    }
}
