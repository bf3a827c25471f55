//! Random cases against the executable specification, each way.

use num_bigint::BigUint;
use proptest::prelude::*;
use reference::sm2 as specification;
use shangmi::sm2::exchange::{Initiator, Responder};
use shangmi::sm2::{
    self, Ciphertext, DEFAULT_ID, MAX_ID_LEN, PrivateKey, PublicKey, Signature, Signer, Verifier,
    hazmat,
};
use shangmi::{Error, rng::random};

use crate::data::Hex;
use crate::{Failing, Seeded, Stuck};

fn number(bytes: &[u8]) -> BigUint {
    Hex(bytes.to_vec()).number()
}

fn point(key: &PublicKey) -> specification::Point {
    Hex(key.to_uncompressed().to_vec()).point()
}

fn key(point: &specification::Point) -> PublicKey {
    let (x, y) = point.coordinates().expect("not infinity");
    PublicKey::from_coordinates(&x, &y).expect("on the curve")
}

/// 32 bytes whose first `zeros` are zero, since leading zeros are where encoders slip.
fn scalar_bytes() -> impl Strategy<Value = [u8; 32]> {
    (
        any::<[u8; 32]>(),
        prop_oneof![4 => Just(0), 1 => 1..31_usize],
    )
        .prop_map(|(mut bytes, zeros)| {
            bytes[0] &= 0x7f;
            bytes[..zeros].fill(0);
            bytes[31] |= 1;
            bytes
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn signatures_agree(d in scalar_bytes(), k in scalar_bytes(), e in any::<[u8; 32]>()) {
        let private = PrivateKey::from_bytes(&d).expect("in range");
        let ours = hazmat::sign_with_nonce(&private, &e, &k).expect("a usable nonce");
        let theirs = specification::sign(&number(&d), &e, &number(&k)).expect("a usable nonce");
        prop_assert_eq!((number(ours.r()), number(ours.s())), theirs);

        let public = private.public_key();
        prop_assert!(specification::verify(&point(public), &e, &number(ours.r()), &number(ours.s())));
        let verifier = Verifier::new(public, DEFAULT_ID).expect("a good ID");
        prop_assert_eq!(verifier.verify_digest(&e, &ours), Ok(()));
    }

    #[test]
    fn ciphertexts_agree(
        d in scalar_bytes(),
        k in scalar_bytes(),
        message in prop::collection::vec(any::<u8>(), 4..200),
    ) {
        let private = PrivateKey::from_bytes(&d).expect("in range");
        let mut c2 = vec![0; message.len()];
        let ours = hazmat::encrypt_with_nonce(private.public_key(), &message, &mut c2, &k)
            .expect("a usable nonce");
        let theirs = specification::encrypt(&point(private.public_key()), &message, &number(&k))
            .expect("a usable nonce");
        prop_assert_eq!(ours.c1, key(&theirs.c1));
        prop_assert_eq!((ours.c3, ours.c2), (theirs.c3, &theirs.c2[..]));
        let mut plaintext = vec![0; message.len()];
        prop_assert_eq!(sm2::decrypt(&private, &ours, &mut plaintext), Ok(()));
        prop_assert_eq!(&plaintext, &message);
    }

    #[test]
    fn agreements_agree(
        d in [scalar_bytes(), scalar_bytes()],
        r in [scalar_bytes(), scalar_bytes()],
        ids in [prop::collection::vec(any::<u8>(), 1..40), prop::collection::vec(any::<u8>(), 1..40)],
        length in 1..100_usize,
    ) {
        let [a, b, r_a, r_b] =
            [d[0], d[1], r[0], r[1]].map(|x| PrivateKey::from_bytes(&x).expect("in range"));
        let own = specification::Own {
            private: &number(&d[0]), ephemeral: &number(&r[0]), id: &ids[0],
        };
        let peer = specification::Peer {
            public: &point(b.public_key()), ephemeral: &point(r_b.public_key()), id: &ids[1],
        };
        let theirs = specification::exchange_initiator(&own, &peer, length).expect("agreement");

        let (big_a, big_b) = (*r_a.public_key(), *r_b.public_key());
        let initiator = hazmat::initiator_with_ephemeral(&a, &ids[0], r_a).expect("a good ID");
        let responder = hazmat::responder_with_ephemeral(&b, &ids[1], r_b).expect("a good ID");
        let mut key_b = vec![0; length];
        let (s_b, confirmation) = responder
            .finish(a.public_key(), &ids[0], &big_a, &mut key_b).expect("agreement");
        let mut key_a = vec![0; length];
        let s_a = initiator
            .finish_confirmed(b.public_key(), &ids[1], &big_b, &s_b, &mut key_a)
            .expect("agreement");
        prop_assert_eq!(confirmation.check(&s_a), Ok(()));
        prop_assert_eq!((&key_a, &key_b), (&theirs.key, &theirs.key));
        prop_assert_eq!((s_a, s_b), (theirs.s_a, theirs.s_b));
    }

    #[test]
    fn diffie_hellman_agrees(a in scalar_bytes(), b in scalar_bytes()) {
        let [a, b] = [a, b].map(|x| PrivateKey::from_bytes(&x).expect("in range"));
        let shared = specification::multiply(&number(&*a.to_bytes()), &point(b.public_key()));
        let (x, _) = shared.coordinates().expect("not infinity");
        prop_assert_eq!(*a.diffie_hellman(b.public_key()), x);
        prop_assert_eq!(*b.diffie_hellman(a.public_key()), x);
    }

    #[test]
    fn points_survive_both_forms(d in scalar_bytes()) {
        let public = *PrivateKey::from_bytes(&d).expect("in range").public_key();
        prop_assert_eq!(public, key(&specification::public_key(&number(&d)).expect("in range")));
        prop_assert_eq!(PublicKey::from_sec1(&public.to_uncompressed()), Ok(public));
        prop_assert_eq!(PublicKey::from_sec1(&public.to_compressed()), Ok(public));
    }

    #[test]
    fn random_bytes_are_no_signature_and_no_point(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let public = *PrivateKey::from_bytes(&[7; 32]).expect("in range").public_key();
        let verifier = Verifier::new(&public, DEFAULT_ID).expect("a good ID");
        if let Ok(signature) = Signature::from_slice(&bytes) {
            prop_assert_eq!(verifier.verify(b"message", &signature), Err(Error::BadSignature));
        }
        if let Ok(point) = PublicKey::from_sec1(&bytes) {
            prop_assert_eq!(bytes.len(), 33);
            prop_assert_eq!(&point.to_compressed()[..], &bytes[..]);
        }
    }
}

#[test]
fn every_flipped_bit_breaks_a_signature() {
    let mut rng = Seeded::new(1);
    let private = PrivateKey::generate(&mut rng).expect("random bytes");
    let signature =
        Signer::new(&private, b"Alice").and_then(|signer| signer.sign(b"message", &mut rng));
    let bytes = signature.expect("random bytes").to_bytes();
    let verifier = Verifier::new(private.public_key(), b"Alice").expect("a good ID");
    assert_eq!(
        verifier.verify(b"message", &Signature::from_slice(&bytes).expect("good")),
        Ok(())
    );
    for bit in 0..bytes.len() * 8 {
        let mut bad = bytes;
        bad[bit / 8] ^= 1 << (bit % 8);
        let result = Signature::from_slice(&bad).and_then(|s| verifier.verify(b"message", &s));
        assert!(result.is_err(), "bit {bit}");
    }
    let signature = Signature::from_slice(&bytes).expect("good");
    assert_eq!(
        verifier.verify(b"messagf", &signature),
        Err(Error::BadSignature)
    );
    let other_id = Verifier::new(private.public_key(), b"alice").expect("a good ID");
    assert_eq!(
        other_id.verify(b"message", &signature),
        Err(Error::BadSignature)
    );
}

#[test]
fn every_flipped_bit_breaks_a_ciphertext() {
    let mut rng = Seeded::new(2);
    let private = PrivateKey::generate(&mut rng).expect("random bytes");
    let mut c2 = [0; 5];
    let good = sm2::encrypt(private.public_key(), b"hello", &mut c2, &mut rng).expect("encrypted");
    let refused = |bad: &Ciphertext<'_>, what: &str| {
        let mut out = [0xaa; 5];
        let result = sm2::decrypt(&private, bad, &mut out);
        let backend = private.backend();
        let expected = (Err(Error::DecryptFailed), [0; 5]);
        assert_eq!((result, out), expected, "{what}, {backend}");
    };
    for bit in 0..32 * 8 {
        let mut bad = good;
        bad.c3[bit / 8] ^= 1 << (bit % 8);
        refused(&bad, &format!("bit {bit} of C3"));
    }
    for bit in 0..5 * 8 {
        let mut c2 = [0; 5];
        c2.copy_from_slice(good.c2);
        c2[bit / 8] ^= 1 << (bit % 8);
        refused(&Ciphertext { c2: &c2, ..good }, &format!("bit {bit} of C2"));
    }
    let mut bytes = good.c1.to_compressed();
    bytes[0] ^= 1;
    let c1 = PublicKey::from_sec1(&bytes).expect("the mirrored point");
    refused(&Ciphertext { c1, ..good }, "the sign of C1");
}

/// The key stream is as long as the message, and its blocks differ: lengths around its 32 bytes.
#[test]
fn ciphertexts_of_every_length_open() {
    let mut rng = Seeded::new(3);
    let private = PrivateKey::generate(&mut rng).expect("random bytes");
    for length in (1..=130).chain([4096, 65536]) {
        let message: Vec<u8> = (0..length).map(|i| (i % 251) as u8).collect();
        let mut c2 = vec![0; length];
        let ciphertext =
            sm2::encrypt(private.public_key(), &message, &mut c2, &mut rng).expect("encrypted");
        let mut plaintext = vec![0; length];
        assert_eq!(sm2::decrypt(&private, &ciphertext, &mut plaintext), Ok(()));
        assert_eq!(plaintext, message);
    }
}

#[test]
fn lengths_and_ids_are_checked() {
    let mut rng = Seeded::new(4);
    let private = PrivateKey::generate(&mut rng).expect("random bytes");
    let public = *private.public_key();
    assert_eq!(Signer::new(&private, b"").err(), Some(Error::EmptyId));
    assert_eq!(Verifier::new(&public, b"").err(), Some(Error::EmptyId));
    assert_eq!(
        Initiator::new(&private, b"", &mut rng).err(),
        Some(Error::EmptyId)
    );
    assert_eq!(
        Responder::new(&private, b"", &mut rng).err(),
        Some(Error::EmptyId)
    );
    let longest = vec![b'x'; MAX_ID_LEN];
    assert!(Verifier::new(&public, &longest).is_ok());
    let too_long = vec![b'x'; MAX_ID_LEN + 1];
    assert!(matches!(
        Signer::new(&private, &too_long),
        Err(Error::LengthOutOfRange { .. })
    ));

    let empty = sm2::encrypt(&public, b"", &mut [], &mut rng);
    assert!(matches!(empty, Err(Error::LengthOutOfRange { min: 1, .. })));
    let mut four = [0; 4];
    let short = sm2::encrypt(&public, b"hello", &mut four, &mut rng);
    assert!(matches!(
        short,
        Err(Error::InvalidLength {
            expected: 5,
            found: 4,
            ..
        })
    ));
    for length in [0, 31, 33] {
        assert!(PrivateKey::from_slice(&vec![1; length]).is_err());
    }
    for length in [0, 63, 65, 128] {
        assert!(matches!(
            Signature::from_slice(&vec![1; length]),
            Err(Error::InvalidLength { expected: 64, .. })
        ));
    }
}

#[test]
fn a_broken_generator_is_an_error_everywhere() {
    let private = PrivateKey::from_bytes(&[7; 32]).expect("in range");
    let public = private.public_key();
    let signer = Signer::new(&private, DEFAULT_ID).expect("a good ID");
    assert_eq!(
        PrivateKey::generate(&mut Failing).err(),
        Some(Error::RandomSource)
    );
    assert_eq!(
        signer.sign(b"message", &mut Failing),
        Err(Error::RandomSource)
    );
    assert_eq!(
        sm2::encrypt(public, b"m", &mut [0], &mut Failing),
        Err(Error::RandomSource)
    );
    assert_eq!(
        Initiator::new(&private, b"A", &mut Failing).err(),
        Some(Error::RandomSource)
    );
    assert_eq!(random::<16>(&mut Failing), Err(Error::RandomSource));
    // Stuck values that no scalar has: the draws are bounded.
    for byte in [0x00, 0xff] {
        assert_eq!(
            PrivateKey::generate(&mut Stuck(byte)).err(),
            Some(Error::RandomSource)
        );
        assert_eq!(
            sm2::encrypt(public, b"m", &mut [0], &mut Stuck(byte)),
            Err(Error::RandomSource)
        );
    }
}

#[test]
fn types_may_cross_threads() {
    fn crosses<T: Send + Sync>() {}
    crosses::<PrivateKey>();
    crosses::<PublicKey>();
    crosses::<Signature>();
    crosses::<Signer>();
    crosses::<Verifier>();
    crosses::<sm2::PreparedVerifier>();
    crosses::<sm2::Verification<'_>>();
    crosses::<Ciphertext<'_>>();
    crosses::<Initiator<'_>>();
    crosses::<Responder<'_>>();
    crosses::<sm2::exchange::Confirmation>();
}
