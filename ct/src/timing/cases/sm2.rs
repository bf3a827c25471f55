//! SM2.

use std::hint::black_box;
use std::sync::LazyLock;

use shangmi::rng::Rng;
use shangmi::sm2::{self, Ciphertext, DEFAULT_ID, PrivateKey, PublicKey, Signer, hazmat};
use shangmi::sm3::Digest;
use shangmi::{Error, Result};

use super::{Case, case};
use crate::secrets::Contrast::{Fixed, LeadingZeros, LowWeight};
use crate::secrets::{Contrast, Secrets};

/// Items of an operation over many: two vectors of lanes.
const MANY: usize = 16;
/// Bytes of a plaintext.
const LENGTH: usize = 40;
/// A public digest.
const E: Digest = [0x5a; 32];

/// The classes for scalars.
const SCALARS: &[Contrast] = &[Fixed, LowWeight, LeadingZeros];

pub(super) fn cases() -> Vec<Case> {
    vec![
        case("sm2 key generation", one, SCALARS, scalar, |d| {
            black_box(PrivateKey::generate(&mut Given(d)).expect("in range"));
        }),
        case("sm2 sign", one, SCALARS, signer, |(signer, random)| {
            let signature = signer.sign_digest(&E, &mut Given(&random[..32]));
            black_box(signature.expect("random bytes"));
        }),
        case("sm2 sign with nonce", one, SCALARS, pair, |(d, k)| {
            black_box(hazmat::sign_with_nonce(d, &E, &k.to_bytes()).expect("a good nonce"));
        }),
        case("sm2 encrypt", one, SCALARS, nonce_and_text, |(k, text)| {
            let mut c2 = [0; LENGTH];
            let made = hazmat::encrypt_with_nonce(&PEER, text, &mut c2, k);
            black_box(made.expect("a good nonce"));
        }),
        case("sm2 decrypt", one, SCALARS, for_decryption, |input| {
            let mut text = [0; LENGTH];
            sm2::decrypt(&input.key, &input.parts.ciphertext(), &mut text).expect("the right key");
            black_box(text);
        }),
        case("sm2 diffie-hellman", one, SCALARS, key, |d| {
            black_box(d.diffie_hellman(&PEER));
        }),
        case("sm2 key exchange", one, SCALARS, pair, |(d, r)| {
            let mut shared = [0; 48];
            hazmat::initiator_with_ephemeral(d, DEFAULT_ID, r.clone())
                .and_then(|side| side.finish(&PEER, DEFAULT_ID, &OTHER, &mut shared))
                .expect("good points");
            black_box(shared);
        }),
        case("sm2 generate_many", many, SCALARS, scalars, |d| {
            let keys = sm2::generate_many(MANY, &mut Given(d.as_flattened()));
            black_box(keys.expect("in range"));
        }),
        case(
            "sm2 sign_many",
            many,
            SCALARS,
            signer,
            |(signer, random)| {
                let mut out = [Err(Error::RandomSource); MANY];
                sm2::sign_many(signer, &[E; MANY], &mut out, &mut Given(random))
                    .expect("random bytes");
                assert!(black_box(out).iter().all(Result::is_ok), "random bytes");
            },
        ),
        case("sm2 decrypt_many", many, SCALARS, for_decryption, |input| {
            let ciphertexts = [input.parts.ciphertext(); MANY];
            let mut texts = [[0; LENGTH]; MANY];
            let mut out = texts.each_mut().map(<[u8; LENGTH]>::as_mut_slice);
            let mut results = [Ok(()); MANY];
            sm2::decrypt_many(&input.key, &ciphertexts, &mut out, &mut results).expect("as many");
            assert!(results.iter().all(Result::is_ok), "the right key");
            black_box(texts);
        }),
    ]
}

/// Public keys of somebody else.
static PEER: LazyLock<PublicKey> = LazyLock::new(|| public_key(7));
static OTHER: LazyLock<PublicKey> = LazyLock::new(|| public_key(9));

fn public_key(seed: u8) -> PublicKey {
    *private_key(&[seed; 32]).public_key()
}

fn private_key(d: &[u8; 32]) -> PrivateKey {
    PrivateKey::from_bytes(d).expect("a number in [1, n-2]")
}

fn one() -> String {
    private_key(&E).backend().to_owned()
}

fn many() -> String {
    sm2::many_backend().to_owned()
}

fn scalar(secrets: &mut Secrets<'_>) -> [u8; 32] {
    secrets.scalar()
}

fn key(secrets: &mut Secrets<'_>) -> PrivateKey {
    private_key(&secrets.scalar())
}

fn pair(secrets: &mut Secrets<'_>) -> (PrivateKey, PrivateKey) {
    (key(secrets), key(secrets))
}

fn scalars(secrets: &mut Secrets<'_>) -> [[u8; 32]; MANY] {
    std::array::from_fn(|_| secrets.scalar())
}

fn nonce_and_text(secrets: &mut Secrets<'_>) -> ([u8; 32], [u8; LENGTH]) {
    (secrets.scalar(), secrets.bytes())
}

/// A signer, and random bytes for many signatures.
fn signer(secrets: &mut Secrets<'_>) -> (Signer, [u8; 32 * MANY]) {
    let signer = Signer::new(&key(secrets), DEFAULT_ID).expect("a good ID");
    (signer, secrets.bytes())
}

/// A key, and a ciphertext for it with the same C1 for all keys.
struct ForDecryption {
    key: PrivateKey,
    parts: Parts,
}

struct Parts {
    c1: PublicKey,
    c3: Digest,
    c2: [u8; LENGTH],
}

impl Parts {
    fn ciphertext(&self) -> Ciphertext<'_> {
        Ciphertext {
            c1: self.c1,
            c3: self.c3,
            c2: &self.c2,
        }
    }
}

fn for_decryption(secrets: &mut Secrets<'_>) -> ForDecryption {
    let key = key(secrets);
    let mut c2 = [0; LENGTH];
    let text = secrets.bytes::<LENGTH>();
    let made = hazmat::encrypt_with_nonce(key.public_key(), &text, &mut c2, &[0x2b; 32]);
    let Ciphertext { c1, c3, .. } = made.expect("a good nonce");
    let parts = Parts { c1, c3, c2 };
    ForDecryption { key, parts }
}

/// A generator that gives these bytes.
struct Given<'a>(&'a [u8]);

impl Rng for Given<'_> {
    fn fill(&mut self, out: &mut [u8]) -> Result<()> {
        let (next, rest) = self
            .0
            .split_at_checked(out.len())
            .ok_or(Error::RandomSource)?;
        out.copy_from_slice(next);
        self.0 = rest;
        Ok(())
    }
}
