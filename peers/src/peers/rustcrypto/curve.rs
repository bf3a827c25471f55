//! RustCrypto's crate `sm2`.

use getrandom::SysRng;
use sm2::SecretKey;
use sm2::dsa::signature::hazmat::{PrehashSigner as _, PrehashVerifier as _};
use sm2::dsa::{Signature, SigningKey, VerifyingKey};
use sm2::elliptic_curve::Generate as _;
use sm2::elliptic_curve::sec1::ToSec1Point as _;
use sm2::pke::{DecryptingKey, EncryptingKey};

use crate::known_answer::key_pair;
use crate::peer::{Curve, Digest, Form, KeyPair, Operation};

/// That of GM/T 0009.
const ID: &str = "1234567812345678";

pub(super) struct Crate {
    signing: SigningKey,
    decrypting: DecryptingKey,
}

impl Crate {
    pub(super) fn new() -> Self {
        Self::with(&key_pair("SM2"))
    }

    fn with(key: &KeyPair) -> Self {
        let valid = "an example's key is valid";
        Self {
            signing: SigningKey::from_slice(ID, &key.private).expect(valid),
            decrypting: DecryptingKey::from_slice(&key.private).expect(valid),
        }
    }

    fn encrypting(&self) -> &EncryptingKey {
        self.decrypting.encrypting_key()
    }
}

fn verify(key: &VerifyingKey, e: &Digest, signature: &[u8]) -> bool {
    let signature = Signature::from_slice(signature);
    signature.is_ok_and(|signature| key.verify_prehash(e, &signature).is_ok())
}

impl Curve for Crate {
    fn code_path(&self, operation: Operation) -> String {
        match operation {
            Operation::Sign => "portable Rust, nonce of RFC 6979",
            Operation::VerifyNewKey => "portable Rust, Z_A included",
            _ => "portable Rust",
        }
        .to_owned()
    }

    fn form(&self) -> Form {
        Form::Plain
    }

    fn set_key(&mut self, key: &KeyPair) {
        *self = Self::with(key);
    }

    fn sign(&mut self, e: &Digest) -> Vec<u8> {
        let signature: Result<Signature, _> = self.signing.sign_prehash(e);
        signature.map_or_else(|_| Vec::new(), |signature| signature.to_vec())
    }

    fn verify(&mut self, e: &Digest, signature: &[u8]) -> bool {
        verify(self.signing.verifying_key(), e, signature)
    }

    fn verify_new_key(&mut self, public: &[u8; 65], e: &Digest, signature: &[u8]) -> bool {
        let key = VerifyingKey::from_sec1_bytes(ID, public);
        key.is_ok_and(|key| verify(&key, e, signature))
    }

    fn generate(&mut self) -> Vec<u8> {
        let key = SecretKey::try_generate_from_rng(&mut SysRng);
        key.map_or_else(
            |_| Vec::new(),
            |key| key.public_key().to_sec1_point(false).as_bytes().to_vec(),
        )
    }

    fn encrypt(&mut self, plaintext: &[u8]) -> Vec<u8> {
        let made = self.encrypting().encrypt(&mut SysRng, plaintext);
        made.unwrap_or_default()
    }

    fn decrypt(&mut self, ciphertext: &[u8]) -> Vec<u8> {
        self.decrypting.decrypt(ciphertext).unwrap_or_default()
    }
}
