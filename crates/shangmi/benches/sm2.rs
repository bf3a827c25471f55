//! SM2: key generation, signing, verification, encryption and agreement, one at a time; and many at once.
//!
//! `cargo bench -p shangmi --bench sm2`; with `--features rayon` on all cores too
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use shangmi::Error;
use shangmi::rng::OsRng;
use shangmi::sm2::{
    self, DEFAULT_ID, PreparedVerifier, PrivateKey, Signer, Verification, Verifier,
    exchange::Initiator,
};
use std::{hint::black_box, iter};

fn key() -> PrivateKey {
    PrivateKey::from_bytes(&[0x39; 32]).expect("in [1, n-2]")
}

fn signatures(c: &mut Criterion) {
    let key = key();
    let mut group = c.benchmark_group("sm2");
    group.bench_function("key generation", |b| {
        b.iter(|| PrivateKey::generate(&mut OsRng));
    });
    let signer = Signer::new(&key, DEFAULT_ID).expect("a good ID");
    let e = [0x55; 32];
    group.bench_function("sign, digest in", |b| {
        b.iter(|| signer.sign_digest(black_box(&e), &mut OsRng));
    });
    let signature = signer.sign_digest(&e, &mut OsRng).expect("random bytes");
    let verifier = Verifier::new(key.public_key(), DEFAULT_ID).expect("a good ID");
    group.bench_function("verify, key prepared", |b| {
        b.iter(|| verifier.verify_digest(black_box(&e), &signature));
    });
    let prepared = PreparedVerifier::new(&verifier);
    group.bench_function("verify, key prepared with 16 KiB", |b| {
        b.iter(|| prepared.verify_digest(black_box(&e), &signature));
    });
    group.bench_function("prepare a key with 16 KiB", |b| {
        b.iter(|| PreparedVerifier::new(black_box(&verifier)));
    });
    group.bench_function("verify, new key", |b| {
        b.iter(|| Verifier::new(key.public_key(), DEFAULT_ID)?.verify_digest(&e, &signature));
    });
    group.finish();
}

fn encryption(c: &mut Criterion) {
    let key = key();
    let mut group = c.benchmark_group("sm2");
    let mut c2 = [0; 32];
    group.bench_function("encrypt 32 B", |b| {
        b.iter(|| sm2::encrypt(key.public_key(), &[7; 32], &mut c2, &mut OsRng).is_ok());
    });
    let ciphertext =
        sm2::encrypt(key.public_key(), &[7; 32], &mut c2, &mut OsRng).expect("random bytes");
    let mut plaintext = [0; 32];
    group.bench_function("decrypt 32 B", |b| {
        b.iter(|| sm2::decrypt(&key, black_box(&ciphertext), &mut plaintext));
    });
    group.bench_function("Diffie-Hellman", |b| {
        b.iter(|| key.diffie_hellman(black_box(key.public_key())));
    });
    group.finish();
}

/// One side of a key exchange: its ephemeral key, both Z, 32 bytes of key.
fn exchange(c: &mut Criterion) {
    let own = key();
    let [peer, r_b] = [[0x33; 32], [0x55; 32]].map(|d| {
        *PrivateKey::from_bytes(&d)
            .expect("in [1, n-2]")
            .public_key()
    });
    let mut group = c.benchmark_group("sm2");
    let mut shared = [0; 32];
    group.bench_function("key exchange, one side", |b| {
        b.iter(|| {
            let initiator = Initiator::new(&own, DEFAULT_ID, &mut OsRng)?;
            initiator.finish(black_box(&peer), DEFAULT_ID, &r_b, &mut shared)
        });
    });
    group.finish();
}

/// Operations of one call: four chunks of 64.
const MANY: usize = 256;

fn many(c: &mut Criterion) {
    let key = key();
    let mut group = c.benchmark_group(format!("sm2 many, {}", sm2::many_backend()));
    group.throughput(Throughput::Elements(MANY as u64));
    group.bench_function("key generation", |b| {
        b.iter(|| sm2::generate_many(MANY, &mut OsRng));
    });
    let signer = Signer::new(&key, DEFAULT_ID).expect("a good ID");
    let digests: Vec<_> = (0..MANY).map(|i| [i as u8; 32]).collect();
    let mut signatures = vec![Err(Error::BadSignature); MANY];
    group.bench_function("sign, digest in", |b| {
        b.iter(|| sm2::sign_many(&signer, black_box(&digests), &mut signatures, &mut OsRng));
    });
    let mut results = vec![Ok(()); MANY];
    let mut c2 = [0; 32];
    let ciphertext =
        sm2::encrypt(key.public_key(), &[7; 32], &mut c2, &mut OsRng).expect("random bytes");
    let ciphertexts = vec![ciphertext; MANY];
    let mut plaintexts = vec![[0; 32]; MANY];
    group.bench_function("decrypt 32 B", |b| {
        b.iter(|| {
            let mut out: Vec<_> = plaintexts.iter_mut().map(|out| &mut out[..]).collect();
            sm2::decrypt_many(&key, black_box(&ciphertexts), &mut out, &mut results)
        });
    });
    group.finish();
}

fn item<'a>((key, digest): (&'a PrivateKey, &[u8; 32])) -> Verification<'a> {
    let signer = Signer::new(key, DEFAULT_ID).expect("a good ID");
    let signature = signer.sign_digest(digest, &mut OsRng);
    Verification {
        key: key.public_key(),
        digest: *digest,
        signature: signature.expect("random bytes"),
    }
}

fn many_verifications(c: &mut Criterion) {
    let keys = sm2::generate_many(MANY, &mut OsRng).expect("random bytes");
    let digests: Vec<_> = (0..MANY).map(|i| [i as u8; 32]).collect();
    let of_many: Vec<_> = keys.iter().zip(&digests).map(item).collect();
    let of_one: Vec<_> = iter::repeat(&keys[0]).zip(&digests).map(item).collect();

    let mut group = c.benchmark_group(format!("sm2 many, {}", sm2::many_backend()));
    group.throughput(Throughput::Elements(MANY as u64));
    let mut results = vec![Ok(()); MANY];
    for (items, keys) in [(&of_many, "new keys"), (&of_one, "one new key")] {
        group.bench_function(format!("verify, {keys}"), |b| {
            b.iter(|| sm2::verify_many(black_box(items), &mut results));
        });
        #[cfg(feature = "rayon")]
        group.bench_function(format!("verify, {keys}, all cores"), |b| {
            b.iter(|| sm2::parallel::verify_many(black_box(items), &mut results));
        });
    }
    let verifier = Verifier::new(keys[0].public_key(), DEFAULT_ID).expect("a good ID");
    let prepared = PreparedVerifier::new(&verifier);
    let signatures: Vec<_> = of_one.iter().map(|item| item.signature).collect();
    group.bench_function("verify, key prepared with 16 KiB", |b| {
        b.iter(|| prepared.verify_many(black_box(&digests), &signatures, &mut results));
    });
    group.finish();
}

criterion_group!(
    benches,
    signatures,
    encryption,
    exchange,
    many,
    many_verifications
);
criterion_main!(benches);
