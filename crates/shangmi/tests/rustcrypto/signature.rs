//! SM2 through the traits of `signature`.
use std::convert::Infallible;
use std::fmt;

use ::signature::{
    DigestSigner, DigestVerifier, Error, Keypair, MultipartSigner, MultipartVerifier,
    RandomizedDigestSigner, RandomizedMultipartSigner, RandomizedSigner, SignatureEncoding, Signer,
    Verifier,
    hazmat::{PrehashSigner, PrehashVerifier, RandomizedPrehashSigner},
    rand_core::{TryCryptoRng, TryRng},
};
use shangmi::{
    rng::OsRng,
    rustcrypto::RandCore,
    sm2::{self, DEFAULT_ID, PreparedVerifier, PrivateKey, Signature},
    sm3::{Digest, Sm3},
};

/// A generator that is stuck.
#[derive(Clone)]
struct Stuck(u8);

impl TryRng for Stuck {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.into())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.into())
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        out.fill(self.0);
        Ok(())
    }
}

impl TryCryptoRng for Stuck {}

/// A generator that fails.
struct Broken;

#[derive(Debug)]
struct Failure;

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no random bytes")
    }
}

impl std::error::Error for Failure {}

impl TryRng for Broken {
    type Error = Failure;

    fn try_next_u32(&mut self) -> Result<u32, Failure> {
        Err(Failure)
    }

    fn try_next_u64(&mut self) -> Result<u64, Failure> {
        Err(Failure)
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Failure> {
        Err(Failure)
    }
}

impl TryCryptoRng for Broken {}

fn signer(d: u8, id: &[u8]) -> sm2::Signer {
    sm2::Signer::new(&PrivateKey::from_bytes(&[d; 32]).unwrap(), id).unwrap()
}

fn digest(signer: &sm2::Signer, message: &[u8]) -> Digest {
    let mut hasher = signer.hasher();
    hasher.update(message);
    hasher.finalize()
}

/// The message by way of a hasher.
fn absorb(message: &[u8]) -> impl Fn(&mut Sm3) -> Result<(), Error> + '_ {
    |hasher| {
        hasher.update(message);
        Ok(())
    }
}

/// All that signs and is passed a generator.
fn with_generator(
    signer: &sm2::Signer,
    rng: &mut (impl TryCryptoRng + ?Sized),
    message: &[u8],
) -> [Result<Signature, Error>; 4] {
    let (one, other) = message.split_at(message.len() / 3);
    [
        signer.try_sign_with_rng(rng, message),
        signer.try_multipart_sign_with_rng(rng, &[one, b"", other]),
        signer.try_sign_digest_with_rng(rng, absorb(message)),
        signer.sign_prehash_with_rng(rng, &digest(signer, message)),
    ]
}

/// All that signs and is passed none.
fn without_generator(signer: &sm2::Signer, message: &[u8]) -> [Result<Signature, Error>; 4] {
    let (one, other) = message.split_at(message.len() / 3);
    [
        signer.try_sign(message),
        signer.try_multipart_sign(&[one, other]),
        signer.try_sign_digest(absorb(message)),
        signer.sign_prehash(&digest(signer, message)),
    ]
}

/// What each trait of `verifier` says.
fn answers<V>(verifier: &V, e: &Digest, message: &[u8], signature: &Signature) -> [bool; 4]
where
    V: Verifier<Signature>
        + MultipartVerifier<Signature>
        + DigestVerifier<Sm3, Signature>
        + PrehashVerifier<Signature>,
{
    let (one, other) = message.split_at(message.len() / 2);
    [
        verifier.verify(message, signature),
        verifier.multipart_verify(&[one, other], signature),
        verifier.verify_digest(absorb(message), signature),
        verifier.verify_prehash(e, signature),
    ]
    .map(|answer| answer.is_ok())
}

fn check(signer: &sm2::Signer, message: &[u8], signature: &Signature, valid: bool) {
    let e = digest(signer, message);
    let verifier = signer.verifying_key();
    assert_eq!(
        answers(&verifier, &e, message, signature),
        [valid; 4],
        "Verifier, {} bytes",
        message.len()
    );
    assert_eq!(
        answers(&PreparedVerifier::new(&verifier), &e, message, signature),
        [valid; 4],
        "PreparedVerifier, {} bytes",
        message.len()
    );
}

#[test]
fn every_trait_signs_and_every_trait_verifies() {
    for id in [DEFAULT_ID, b"ALICE123@YAHOO.COM"] {
        let signer = signer(0x39, id);
        for message in [&b""[..], b"abc", &[7; 300]] {
            let all = with_generator(&signer, &mut OsRng, message)
                .into_iter()
                .chain(without_generator(&signer, message));
            for signature in all {
                check(&signer, message, &signature.unwrap(), true);
            }
        }
    }
}

#[test]
fn a_changed_bit_is_refused() {
    let signer = signer(0x39, DEFAULT_ID);
    let message = b"message digest";
    let signature = Signer::<Signature>::try_sign(&signer, message).unwrap();
    check(&signer, b"message digesu", &signature, false);
    check(&signer, &message[1..], &signature, false);
    for bit in (0..512).step_by(37) {
        let mut bytes = SignatureEncoding::to_bytes(&signature);
        bytes[bit / 8] ^= 1 << (bit % 8);
        let changed = Signature::try_from(&bytes[..]).unwrap();
        check(&signer, message, &changed, false);
    }
    let (other_id, other_key) = (self::signer(0x39, b"B"), self::signer(0x3a, DEFAULT_ID));
    check(&other_id, message, &signature, false);
    check(&other_key, message, &signature, false);
}

#[test]
fn a_prehash_has_32_bytes() {
    let signer = signer(0x39, DEFAULT_ID);
    let signature = signer.sign_prehash(&[7; 32]).unwrap();
    let verifier = signer.verifying_key();
    let prepared = PreparedVerifier::new(&verifier);
    for length in [0, 20, 31, 33, 64] {
        let prehash = vec![7; length];
        assert!(signer.sign_prehash(&prehash).is_err(), "{length} bytes");
        let signed = signer.sign_prehash_with_rng(&mut Stuck(1), &prehash);
        assert!(signed.is_err(), "{length} bytes");
        verifier.verify_prehash(&prehash, &signature).unwrap_err();
        prepared.verify_prehash(&prehash, &signature).unwrap_err();
    }
}

/// The random bytes reach the nonce as they do without the traits.
#[test]
fn a_generator_of_rand_core_is_ours() {
    let signer = signer(0x39, DEFAULT_ID);
    for byte in [0, 1, 255] {
        let ours = signer.sign(b"message", &mut RandCore(Stuck(byte))).unwrap();
        for theirs in with_generator(&signer, &mut Stuck(byte), b"message") {
            assert_eq!(theirs.unwrap(), ours, "bytes {byte}");
        }
        assert_ne!(
            signer.sign_with_rng(&mut Stuck(byte ^ 2), b"message"),
            ours,
            "fresh bytes change the nonce"
        );
    }
}

#[test]
fn a_failing_generator_gives_no_signature() {
    let signer = signer(0x39, DEFAULT_ID);
    for signed in with_generator(&signer, &mut Broken, b"message") {
        assert_eq!(signed.unwrap_err().to_string(), "signature error");
    }
    let key = PrivateKey::generate(&mut RandCore(Broken));
    assert_eq!(key.err(), Some(shangmi::Error::RandomSource));
}

#[test]
fn without_a_generator_the_system_gives_fresh_bytes() {
    let signer = signer(0x39, DEFAULT_ID);
    let once = without_generator(&signer, b"message").map(Result::unwrap);
    let again = without_generator(&signer, b"message").map(Result::unwrap);
    for (i, signature) in once.iter().enumerate() {
        assert!(!again.contains(signature), "way {i}");
        assert!(!once[..i].contains(signature), "way {i}");
    }
}

#[test]
fn the_systems_generator_serves_rand_core() {
    let mut out = [[0; 40]; 2];
    for out in &mut out {
        OsRng.try_fill_bytes(out).unwrap();
        assert!(out[32..].iter().any(|byte| *byte != 0));
    }
    assert_ne!(out[0], out[1]);
    assert_ne!(OsRng.try_next_u64().unwrap(), OsRng.try_next_u64().unwrap());
    let words: Vec<u32> = (0..4).map(|_| OsRng.try_next_u32().unwrap()).collect();
    assert!(words.iter().any(|word| *word != words[0]));
}

#[test]
fn an_adapted_generator_is_as_mobile_as_its_own() {
    fn crosses<T: Send + Sync>(_: &T) {}
    crosses(&RandCore(Stuck(1)));
}

/// What the caller's own hashing says stands.
#[test]
fn an_error_in_hashing_is_handed_on() {
    let signer = signer(0x39, DEFAULT_ID);
    let fails = |_: &mut Sm3| Err(Error::new());
    assert!(DigestSigner::<Sm3, Signature>::try_sign_digest(&signer, fails).is_err());
    assert!(
        signer
            .try_sign_digest_with_rng(&mut Stuck(1), fails)
            .is_err()
    );
    let signature = Signer::<Signature>::try_sign(&signer, b"").unwrap();
    let verifier = signer.verifying_key();
    assert!(DigestVerifier::verify_digest(&verifier, fails, &signature).is_err());
}

#[test]
fn a_signature_is_64_bytes() {
    let signature = signer(0x39, DEFAULT_ID).sign_with_rng(&mut Stuck(7), b"message");
    let bytes = SignatureEncoding::to_vec(&signature);
    assert_eq!(bytes, [&signature.r()[..], signature.s()].concat());
    assert_eq!(SignatureEncoding::encoded_len(&signature), 64);
    assert_eq!(Signature::try_from(&bytes[..]), Ok(signature));
    for length in [0, 63, 65, 71] {
        let wrong: Vec<u8> = bytes.iter().cycle().take(length).copied().collect();
        assert_eq!(
            Signature::try_from(&wrong[..]),
            Err(shangmi::Error::InvalidLength {
                what: "signature",
                expected: 64,
                found: length
            })
        );
    }
    for wrong in [[0; 32], [0xff; 32]] {
        for wrong in [
            [&wrong[..], signature.s()].concat(),
            [signature.r(), &wrong[..]].concat(),
        ] {
            let read = Signature::try_from(&wrong[..]);
            assert_eq!(read, Err(shangmi::Error::SignatureOutOfRange));
        }
    }
}

/// What RustCrypto's crate `sm2` 0.14 gives: d, ID, message, the signature of its `Signer` (RFC 6979) and the one of its
/// `RandomizedSigner` with a generator of sevens.
const OF_THE_CRATE_SM2: [(&str, &str, &[u8], &str, &str); 5] = [
    (
        "3939393939393939393939393939393939393939393939393939393939393939",
        "1234567812345678",
        b"",
        "408d530920ca4cd288d64b088e6cedd13d8a66c011e6fd315f84df0857db5500\
         95f18188258450285ddf4351b80e5fc1312dd5701b3eed4ff084c336e97a32d6",
        "41866068fdae8bc570d3be272e9e9dbab7853e5f82720aebaeb0d8362dfd2ba7\
         31aaa82192934c746525dd8433ed68dcc94ba365165be50c5efbf1f0cef65f6a",
    ),
    (
        "3939393939393939393939393939393939393939393939393939393939393939",
        "1234567812345678",
        b"message digest",
        "2232efc4f98ff7024fde48c322fc28f8093e6d01b70554f314552aebbaa614c8\
         229955218aa8db3be01260f55f5e47d7dc126352db89bcf6f6beb193cea24a9f",
        "b0abee9d211e3b330147073ce4c5fb2b8a16877be975faefaf90313f027af1bc\
         73119d8122bfdf394c409512d3695a3ca5f91c88ed61d585955f325a9762d773",
    ),
    (
        "3939393939393939393939393939393939393939393939393939393939393939",
        "ALICE123@YAHOO.COM",
        b"message digest",
        "cf79529910c1eba7e527ec44c00e6c4360c4b1decf0844fc87a61ef200f7ba55\
         64163e05d2343771f0c8564becadc3442d1fa12ff9fb4fd7ddf9ffac28b16799",
        "cdbe48013ff8fe31513222fd8be2fe6e16c8b4c0d3156c523da9ca54d1f9b2a7\
         3824736b287de16e18fcf3aea3b711d066997715e3ddc26ed5e7d13a4fb9e961",
    ),
    (
        "0000000000000000000000000000000000000000000000000000000000000001",
        "1234567812345678",
        &[7; 300],
        "a812b160de3983d4d37c068a4c6a60ba925ae557785d9db21e039d1b30f3b460\
         7fb85c957389e951a2173b521589be2973ed9c1f7169a4b44459f54581db509c",
        "74676d03fce9718ca1b87b109fab99b5457e3f8506c53691737ad22d547f3d8c\
         b41137df4714fa9ab0f9bcab6bb286db4acf445272a9beb2833ee487c9602fd9",
    ),
    (
        "0000000000000000fefefefefefefefefefefefefefefefefefefefefefefefe",
        "\u{4e2d}\u{56fd}",
        b"abc",
        "fe9f43c1b68da2c11bd7283060e060cbba15d9e628c65d6839f8d3350e90bc96\
         14fb6b54f8df0e1705e0ae6ebb51cbf2d48d9c90867b1a5588ff194d0d19466d",
        "d2fc740663002a877e8dd74e683aa55c8bb5dfea727a6aa1faac65b86fd44bd1\
         a9f2f6cb6734dedfd99a0a26919bf7de690ada3366c46d5b21ca8e27af9ee2d5",
    ),
];

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap())
        .collect()
}

#[test]
fn signatures_of_the_crate_sm2() {
    for (d, id, message, by_rfc_6979, by_sevens) in OF_THE_CRATE_SM2 {
        let key = PrivateKey::from_slice(&bytes(d)).unwrap();
        let signer = sm2::Signer::new(&key, id.as_bytes()).unwrap();
        let [by_rfc_6979, by_sevens] =
            [by_rfc_6979, by_sevens].map(|hex| Signature::try_from(&bytes(hex)[..]).unwrap());
        check(&signer, message, &by_sevens, true);
        check(&signer, message, &by_rfc_6979, true);
        let ours = sm2::sign_deterministic(&key, id.as_bytes(), message);
        assert_eq!(ours, Ok(by_rfc_6979), "d {d}, ID {id}");
    }
}
