//! Our SM2.

use std::hint::black_box;

use shangmi::rng::OsRng;
use shangmi::sm2::{
    self, Ciphertext, DEFAULT_ID, PreparedVerifier, PrivateKey, PublicKey, Signature, Signer,
    Verification, Verifier, exchange::Initiator,
};
use shangmi::{Error, Result};

use crate::known_answer::key_pair;
use crate::peer::{Curve, Digest, Form, Item, KeyPair, Operation};

pub(super) struct Ours {
    key: PrivateKey,
    signer: Signer,
    verifier: PreparedVerifier,
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
        let verifier = PreparedVerifier::new(&verifier);
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
            Operation::Verify => format!("{}, a table of 16 KiB", self.verifier.backend()),
            Operation::VerifyNewKey => format!("{}, Z_A included", self.verifier.backend()),
            _ => self.key.backend().to_owned(),
        }
    }

    fn has(&self, _operation: Operation) -> bool {
        true
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
        let decrypted = parse(ciphertext).and_then(|ciphertext| {
            let mut plaintext = vec![0; ciphertext.c2.len()];
            sm2::decrypt(&self.key, &ciphertext, &mut plaintext)?;
            Ok(plaintext)
        });
        decrypted.unwrap_or_default()
    }

    fn exchange(&mut self, public: &[u8; 65], r_b: &[u8]) -> Vec<u8> {
        let agree = || {
            let peer = PublicKey::from_sec1(public)?;
            let r_b = PublicKey::from_sec1(r_b)?;
            let initiator = Initiator::new(&self.key, DEFAULT_ID, &mut OsRng)?;
            let mut made = initiator.ephemeral().to_uncompressed().to_vec();
            let mut key = [0; 32];
            initiator.finish(&peer, DEFAULT_ID, &r_b, &mut key)?;
            made.extend(key);
            Result::Ok(made)
        };
        agree().unwrap_or_default()
    }

    fn many_code_path(&self, operation: Operation) -> String {
        let backend = sm2::many_backend();
        match operation {
            Operation::Verify => format!("{backend}, a table of 16 KiB"),
            Operation::VerifyNewKey => format!("{backend}, Z_A included"),
            _ => backend.to_owned(),
        }
    }

    fn many(&mut self, operation: Operation, keys: &[[u8; 65]], pool: &[Item]) -> Vec<Vec<u8>> {
        let done = match operation {
            Operation::Generate => generate_many(pool.len()),
            Operation::Sign => self.sign_many(pool),
            Operation::Verify => self.verify_many(pool),
            Operation::VerifyNewKey => verify_many_keys(keys, pool),
            Operation::Decrypt => self.decrypt_many(pool),
            _ => Ok(pool
                .iter()
                .zip(keys)
                .map(|(item, public)| self.one(operation, public, item))
                .collect()),
        };
        done.unwrap_or_default()
    }
}

/// Under the key of each, with its Z_A.
fn verify_many_keys(keys: &[[u8; 65]], pool: &[Item]) -> Result<Vec<Vec<u8>>> {
    let keys = keys.iter().map(|key| PublicKey::from_sec1(key));
    let keys = keys.collect::<Result<Vec<_>>>()?;
    let item = |(key, (e, signature)): (_, &Item)| {
        black_box(sm2::za(DEFAULT_ID, key)?);
        Ok(Verification {
            key,
            digest: *e,
            signature: Signature::from_slice(signature)?,
        })
    };
    let items = keys.iter().zip(pool).map(item);
    let items = items.collect::<Result<Vec<_>>>()?;
    let mut results = vec![Err(Error::BadSignature); pool.len()];
    sm2::verify_many(&items, &mut results)?;
    Ok(accepted(&results))
}

/// A byte for each that was accepted.
fn accepted(results: &[Result<()>]) -> Vec<Vec<u8>> {
    let each = results.iter().map(|one| vec![1; one.is_ok().into()]);
    each.collect()
}

fn parse(ciphertext: &[u8]) -> Result<Ciphertext<'_>> {
    let (c1, rest) = ciphertext.split_at(65);
    let (c3, c2) = rest.split_first_chunk().expect("32 bytes come after C1");
    let c1 = PublicKey::from_sec1(c1)?;
    Ok(Ciphertext { c1, c3: *c3, c2 })
}

fn generate_many(count: usize) -> Result<Vec<Vec<u8>>> {
    let keys = sm2::generate_many(count, &mut OsRng)?;
    let public = |key: &PrivateKey| key.public_key().to_uncompressed().into();
    Ok(keys.iter().map(public).collect())
}

impl Ours {
    fn sign_many(&self, pool: &[Item]) -> Result<Vec<Vec<u8>>> {
        let digests: Vec<Digest> = pool.iter().map(|(e, _)| *e).collect();
        let mut signatures = vec![Err(Error::RandomSource); pool.len()];
        sm2::sign_many(&self.signer, &digests, &mut signatures, &mut OsRng)?;
        let each = signatures.into_iter();
        each.map(|one| one.map(|signature| signature.to_bytes().into()))
            .collect()
    }

    fn verify_many(&self, pool: &[Item]) -> Result<Vec<Vec<u8>>> {
        let digests: Vec<Digest> = pool.iter().map(|(e, _)| *e).collect();
        let signatures = pool.iter().map(|(_, made)| Signature::from_slice(made));
        let signatures = signatures.collect::<Result<Vec<_>>>()?;
        let mut results = vec![Err(Error::BadSignature); pool.len()];
        self.verifier
            .verify_many(&digests, &signatures, &mut results)?;
        Ok(accepted(&results))
    }

    fn decrypt_many(&self, pool: &[Item]) -> Result<Vec<Vec<u8>>> {
        let parsed = pool.iter().map(|(_, made)| parse(made));
        let ciphertexts = parsed.collect::<Result<Vec<_>>>()?;
        let mut out: Vec<Vec<u8>> = ciphertexts
            .iter()
            .map(|one| vec![0; one.c2.len()])
            .collect();
        let mut buffers: Vec<&mut [u8]> = out.iter_mut().map(Vec::as_mut_slice).collect();
        let mut results = vec![Err(Error::DecryptFailed); pool.len()];
        sm2::decrypt_many(&self.key, &ciphertexts, &mut buffers, &mut results)?;
        results.into_iter().collect::<Result<()>>()?;
        Ok(out)
    }
}
