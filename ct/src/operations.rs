//! The operations: everything that touches a secret, with every secret marked.

use std::hint::black_box;

use shangmi::modes::{cbc, ccm, cfb, cmac::CmacKey, ctr, ecb, gcm, gmac::GmacKey, ofb, xts};
use shangmi::padding::Padding;
use shangmi::sm2::exchange::{Initiator, Responder};
use shangmi::sm2::{self, DEFAULT_ID, PrivateKey, PublicKey, Signer};
use shangmi::sm3::{self, hkdf, hmac::HmacKey, pbkdf2};
use shangmi::sm4::{self, Sm4};

use crate::marks::{SecretRng, published, secret};

/// Bytes of a message: more than the widest batch of blocks, and not whole ones.
const LENGTH: usize = 2088;

pub(crate) struct Operation {
    pub(crate) name: &'static str,
    /// Runs it; the name of the code path.
    pub(crate) run: fn() -> &'static str,
}

macro_rules! operations {
    ($($(#[$cfg:meta])* $label:literal: $run:expr),+ $(,)?) => {
        pub(crate) const ALL: &[Operation] = &[
            $(Operation { name: $label, run: $run }),+
        ];
    };
}

operations! {
    "sm2 key generation": generate,
    "sm2 sign": sign,
    "sm2 sign_deterministic": sign_deterministic,
    "sm2 encrypt": encrypt,
    "sm2 decrypt": decrypt,
    "sm2 key exchange": exchange,
    "sm2 diffie-hellman": diffie_hellman,
    "sm2 generate_many": generate_many,
    "sm2 sign_many": sign_many,
    "sm2 decrypt_many": decrypt_many,
    "sm3 digest": digest,
    "sm3 digest_many": digest_many,
    "hmac": hmac,
    "hmac mac_many": hmac_many,
    "hkdf": hkdf_derive,
    "pbkdf2": pbkdf2_derive,
    "sm4 key and blocks": sm4_blocks,
    "sm4 ecb": || unauthenticated(|cipher, data| {
        ecb::encrypt_in_place(cipher, data)?;
        ecb::decrypt_in_place(cipher, data)
    }),
    "sm4 cbc": || unauthenticated(|cipher, data| {
        cbc::CbcEncryptor::new(cipher, &IV).encrypt_in_place(data)?;
        cbc::CbcDecryptor::new(cipher, &IV).decrypt_in_place(data)
    }),
    "sm4 cbc padding": cbc_padding,
    "sm4 cfb": || unauthenticated(|cipher, data| {
        cfb::CfbEncryptor::new(cipher, &IV).encrypt_in_place(data)?;
        cfb::CfbDecryptor::new(cipher, &IV).decrypt_in_place(data)
    }),
    "sm4 ofb": || unauthenticated(|cipher, data| ofb::Ofb::new(cipher, &IV).apply_in_place(data)),
    "sm4 ctr": || unauthenticated(|cipher, data| ctr::Ctr::new(cipher, &IV).apply_in_place(data)),
    "sm4 gcm": gcm_both_ways,
    "sm4 ccm": ccm_both_ways,
    "sm4 xts": xts_both_ways,
    "sm4 cbc encrypt_many": cbc_many,
    "sm4 cmac": cmac,
    "sm4 gmac": gmac,
}

/// A public value.
const IV: sm4::Block = [0x5a; 16];

/// The operations that can have a planted fault.
#[cfg(feature = "leaks")]
pub(crate) const WITH_FAULTS: [&str; 3] = ["sm2 sign", "sm2 decrypt", "hmac"];

fn key(seed: u8) -> PrivateKey {
    PrivateKey::from_bytes(&secret(seed)).expect("a number in [1, n-2]")
}

fn public_key(key: &PrivateKey) -> PublicKey {
    published(*key.public_key())
}

fn generate() -> &'static str {
    let key = PrivateKey::generate(&mut SecretRng(1)).expect("a source that delivers");
    black_box(public_key(&key));
    key.backend()
}

fn sign() -> &'static str {
    let signer = Signer::new(&key(3), DEFAULT_ID).expect("a good ID");
    let signature = signer.sign(b"message", &mut SecretRng(2));
    black_box(published(signature).expect("a source that delivers"));
    signer.backend()
}

fn sign_deterministic() -> &'static str {
    let key = key(83);
    let signature = sm2::sign_deterministic(&key, DEFAULT_ID, b"message");
    black_box(published(signature).expect("a good ID"));
    key.backend()
}

fn encrypt() -> &'static str {
    let key = key(5);
    let mut c2 = [0; LENGTH];
    let to = public_key(&key);
    let ciphertext = sm2::encrypt(&to, &secret::<LENGTH>(9), &mut c2, &mut SecretRng(3));
    black_box(ciphertext.expect("a source that delivers").c1);
    key.backend()
}

fn decrypt() -> &'static str {
    let key = key(7);
    let mut c2 = [0; LENGTH];
    let to = public_key(&key);
    let ciphertext = sm2::encrypt(&to, &secret::<LENGTH>(9), &mut c2, &mut SecretRng(4))
        .expect("a source that delivers");
    let (c1, c3) = (published(ciphertext.c1), published(ciphertext.c3));
    let c2 = published(c2);
    let mut plaintext = [0; LENGTH];
    let ciphertext = sm2::Ciphertext { c1, c3, c2: &c2 };
    sm2::decrypt(&key, &ciphertext, &mut plaintext).expect("the right key");
    black_box(plaintext);
    key.backend()
}

fn exchange() -> &'static str {
    let (a, b) = (key(9), key(11));
    let initiator = Initiator::new(&a, b"Alice", &mut SecretRng(5)).expect("a good ID");
    let responder = Responder::new(&b, b"Bob", &mut SecretRng(6)).expect("a good ID");
    let (r_a, r_b) = (
        published(*initiator.ephemeral()),
        published(*responder.ephemeral()),
    );
    let (mut key_a, mut key_b) = ([0; 48], [0; 48]);
    let (s_b, confirmation) = responder
        .finish(&public_key(&a), b"Alice", &r_a, &mut key_b)
        .expect("good points");
    let s_a = initiator
        .finish_confirmed(&public_key(&b), b"Bob", &r_b, &published(s_b), &mut key_a)
        .expect("the right confirmation");
    confirmation
        .check(&published(s_a))
        .expect("the right confirmation");
    black_box((key_a, key_b));
    a.backend()
}

fn diffie_hellman() -> &'static str {
    let (a, b) = (key(13), key(15));
    black_box(a.diffie_hellman(&public_key(&b)));
    a.backend()
}

fn generate_many() -> &'static str {
    let keys = sm2::generate_many(9, &mut SecretRng(7)).expect("a source that delivers");
    black_box(keys.iter().map(public_key).count());
    sm2::many_backend()
}

fn sign_many() -> &'static str {
    let signer = Signer::new(&key(63), DEFAULT_ID).expect("a good ID");
    let digests: [_; 9] = std::array::from_fn(|i| [i as u8; 32]);
    let mut signatures = [Err(shangmi::Error::RandomSource); 9];
    sm2::sign_many(&signer, &digests, &mut signatures, &mut SecretRng(8))
        .expect("a source that delivers");
    assert!(published(signatures).iter().all(Result::is_ok));
    sm2::many_backend()
}

fn decrypt_many() -> &'static str {
    let key = key(65);
    let to = public_key(&key);
    let mut parts = [[0; 40]; 9];
    let ciphertexts = parts.each_mut().map(|c2| {
        let made = sm2::encrypt(&to, &secret::<40>(67), c2, &mut SecretRng(9))
            .expect("a source that delivers");
        let (c1, c3) = (published(made.c1), published(made.c3));
        (c1, c3, c2)
    });
    let ciphertexts = ciphertexts.map(|(c1, c3, c2)| {
        *c2 = published(*c2);
        sm2::Ciphertext { c1, c3, c2 }
    });
    let mut plaintexts = [[0; 40]; 9];
    let mut outputs = plaintexts.each_mut().map(<[u8; 40]>::as_mut_slice);
    let mut results = [Ok(()); 9];
    sm2::decrypt_many(&key, &ciphertexts, &mut outputs, &mut results).expect("equal numbers");
    assert!(results.iter().all(Result::is_ok));
    sm2::many_backend()
}

fn digest() -> &'static str {
    let mut hasher = sm3::Sm3::new();
    hasher.update(&secret::<LENGTH>(17));
    let backend = hasher.backend();
    black_box(hasher.finalize());
    backend
}

fn digest_many() -> &'static str {
    let message = secret::<LENGTH>(19);
    let messages: Vec<&[u8]> = (0..64).map(|i| &message[..LENGTH - 31 * i]).collect();
    let mut digests = [[0; 32]; 64];
    sm3::digest_many(&messages, &mut digests).expect("as many digests as messages");
    black_box(digests);
    sm3::many_backend()
}

fn hmac() -> &'static str {
    let key = HmacKey::new(&secret::<32>(21));
    let tag = published(key.mac(&secret::<LENGTH>(23)));
    assert!(key.verify(&secret::<LENGTH>(23), &tag).is_ok());
    sm3::Sm3::new().backend()
}

fn hmac_many() -> &'static str {
    let message = secret::<LENGTH>(25);
    let messages: Vec<&[u8]> = (0..64).map(|i| &message[..31 * i]).collect();
    let mut tags = [[0; 32]; 64];
    let key = HmacKey::new(&secret::<32>(27));
    key.mac_many(&messages, &mut tags)
        .expect("as many tags as messages");
    black_box(tags);
    sm3::many_backend()
}

fn hkdf_derive() -> &'static str {
    let mut out = [0; 80];
    hkdf::derive(b"salt", &secret::<32>(29), b"info", &mut out).expect("short enough");
    black_box(out);
    sm3::Sm3::new().backend()
}

fn pbkdf2_derive() -> &'static str {
    let mut out = [0; 40 * 32];
    pbkdf2::derive(&secret::<16>(31), b"salt", 3, &mut out).expect("iterations and a length");
    black_box(out);
    sm3::many_backend()
}

fn sm4_blocks() -> &'static str {
    let cipher = Sm4::new(&secret(33));
    // Every short path, and the wide one.
    for count in (1..=20).chain([64, 100]) {
        let mut blocks: Vec<sm4::Block> = (0..count).map(|_| secret(35)).collect();
        cipher.encrypt_blocks(&mut blocks);
        cipher.decrypt_blocks(&mut blocks);
        cipher.encrypt_block(&mut blocks[0]);
        cipher.decrypt_block(&mut blocks[0]);
        black_box(blocks);
    }
    cipher.backend()
}

/// Runs a mode over whole blocks.
fn unauthenticated(run: fn(&Sm4, &mut [u8]) -> shangmi::Result<()>) -> &'static str {
    let cipher = Sm4::new(&secret(37));
    let mut data = secret::<{ LENGTH / 16 * 16 }>(39);
    run(&cipher, &mut data).expect("whole blocks");
    black_box(data);
    cipher.backend()
}

fn cbc_padding() -> &'static str {
    let cipher = Sm4::new(&secret(41));
    let mut ciphertext =
        cbc::encrypt_padded(&cipher, &IV, Padding::Pkcs7, &secret::<21>(43)).expect("a padding");
    crate::marks::hide(&mut ciphertext);
    // The length of the plaintext is public, and so is whether the padding was right.
    black_box(cbc::decrypt_padded(&cipher, &IV, Padding::Pkcs7, &ciphertext).is_ok());
    cipher.backend()
}

/// Seals and opens short and long data.
macro_rules! both_ways {
    ($aead:expr, $key:literal) => {{
        let aead = $aead;
        for length in [0, 1, 15, 16, 17, 64, 300, 1024, LENGTH] {
            let mut data = secret::<LENGTH>($key);
            let data = &mut data[..length];
            let tag = aead.seal_in_place(b"unique nonce", &secret::<20>($key + 2), data);
            let tag = published(tag.expect("a good nonce"));
            aead.open_in_place(b"unique nonce", &secret::<20>($key + 2), data, &tag)
                .expect("the right tag");
            black_box(data);
        }
        aead
    }};
}

fn gcm_both_ways() -> &'static str {
    both_ways!(gcm::Sm4Gcm::new(&secret(45)), 47).hash_backend()
}

fn ccm_both_ways() -> &'static str {
    let _ = both_ways!(ccm::Sm4Ccm::new(&secret(51)), 53);
    Sm4::new(&[0; 16]).backend()
}

fn xts_both_ways() -> &'static str {
    let mut data = secret::<LENGTH>(57);
    let gb = xts::XtsGb::new(&secret(59)).expect("two keys");
    let ieee = xts::XtsIeee::new(&secret(61)).expect("two keys");
    gb.encrypt_in_place(&IV, &mut data)
        .expect("a block or more");
    gb.decrypt_in_place(&IV, &mut data)
        .expect("a block or more");
    ieee.encrypt_in_place(&IV, &mut data)
        .expect("a block or more");
    ieee.decrypt_in_place(&IV, &mut data)
        .expect("a block or more");
    black_box(data);
    Sm4::new(&[0; 16]).backend()
}

fn cbc_many() -> &'static str {
    let cipher = Sm4::new(&secret(69));
    let mut data = [secret::<320>(71); 40];
    let mut messages: Vec<&mut [u8]> = (0..)
        .zip(&mut data)
        .map(|(i, message)| &mut message[..16 * (i % 21)])
        .collect();
    cbc::encrypt_many(&cipher, &[IV; 40], &mut messages).expect("whole blocks");
    black_box(data);
    cipher.backend()
}

fn cmac() -> &'static str {
    let key = CmacKey::new(&secret(73));
    for length in [0, 1, 16, 17, LENGTH] {
        let tag = published(key.mac(&secret::<LENGTH>(75)[..length]));
        key.verify(&secret::<LENGTH>(75)[..length], &tag)
            .expect("the right tag");
    }
    let message = secret::<LENGTH>(77);
    let messages: Vec<&[u8]> = (0..40).map(|i| &message[..31 * i]).collect();
    let mut tags = [[0; 16]; 40];
    key.mac_many(&messages, &mut tags)
        .expect("as many tags as messages");
    black_box(tags);
    Sm4::new(&[0; 16]).backend()
}

fn gmac() -> &'static str {
    let key = GmacKey::new(&secret(79));
    let tag = key
        .mac(b"unique nonce", &secret::<LENGTH>(81))
        .expect("a good nonce");
    key.verify(b"unique nonce", &secret::<LENGTH>(81), &published(tag))
        .expect("the right tag");
    key.backend()
}
