//! The examples of GB/T 32918.5-2017 and failures that were reported in public.

use serde::Deserialize;
use shangmi::sm2::exchange::{Initiator, Responder};
use shangmi::sm2::{
    self, Ciphertext, PrivateKey, PublicKey, Signature, Signer, Verifier, hazmat, za,
};
use shangmi::{Error, Result};

use crate::data::{Hex, cases};

macro_rules! testdata {
    ($name:literal) => {
        cases(include_str!(concat!(
            "../../../../testdata/",
            $name,
            ".json"
        )))
    };
}

fn private(hex: &Hex) -> PrivateKey {
    PrivateKey::from_slice(&hex.0).expect("a good private key")
}

fn public(hex: &Hex) -> PublicKey {
    PublicKey::from_sec1(&hex.0).expect("a good public key")
}

fn verifier(key: &PublicKey, id: &[u8]) -> Verifier {
    let verifier = if id.is_empty() {
        Verifier::with_empty_id(key)
    } else {
        Verifier::new(key, id)
    };
    verifier.expect("an ID of good length")
}

#[derive(Deserialize)]
struct Signing {
    id: Hex,
    private_key: Hex,
    public_key: Hex,
    message: Hex,
    za: Hex,
    e: Hex,
    k: Hex,
    r: Hex,
    s: Hex,
}

#[test]
fn signature_example_of_the_standard() {
    for case in testdata!("gbt/sm2_sign") {
        let case: Signing = case;
        let key = private(&case.private_key);
        assert_eq!(key.public_key().to_uncompressed(), *case.public_key.0);
        assert_eq!(za(&case.id.0, key.public_key()), Ok(case.za.array()));
        let signer = Signer::new(&key, &case.id.0).expect("a good ID");
        let mut hasher = signer.hasher();
        hasher.update(&case.message.0);
        let e = hasher.finalize();
        assert_eq!(e, *case.e.0);
        let signature = hazmat::sign_with_nonce(&key, &e, &case.k.array()).expect("a good nonce");
        assert_eq!(
            (signature.r(), signature.s()),
            (&case.r.array(), &case.s.array())
        );
        let verifier = verifier(key.public_key(), &case.id.0);
        assert_eq!(verifier.verify(&case.message.0, &signature), Ok(()));
    }
}

#[derive(Deserialize)]
struct Encryption {
    private_key: Hex,
    public_key: Hex,
    message: Hex,
    k: Hex,
    c1: Hex,
    c3: Hex,
    c2: Hex,
}

#[test]
fn encryption_example_of_the_standard() {
    for case in testdata!("gbt/sm2_encrypt") {
        let case: Encryption = case;
        let mut c2 = vec![0; case.message.0.len()];
        let key = public(&case.public_key);
        let ciphertext =
            hazmat::encrypt_with_nonce(&key, &case.message.0, &mut c2, &case.k.array())
                .expect("a good nonce");
        let expected = Ciphertext {
            c1: public(&case.c1),
            c3: case.c3.array(),
            c2: case.c2.0.as_slice(),
        };
        assert_eq!(ciphertext, expected);
        let mut plaintext = vec![0; case.message.0.len()];
        assert_eq!(
            sm2::decrypt(&private(&case.private_key), &expected, &mut plaintext),
            Ok(())
        );
        assert_eq!(plaintext, case.message.0);
    }
}

#[derive(Deserialize)]
struct Exchange {
    id_a: Hex,
    private_key_a: Hex,
    ephemeral_private_a: Hex,
    ephemeral_public_a: Hex,
    id_b: Hex,
    private_key_b: Hex,
    ephemeral_private_b: Hex,
    ephemeral_public_b: Hex,
    key: Hex,
    s_a: Hex,
    s_b: Hex,
}

/// The two sides of a case, ready to finish.
fn sides<'a>(
    case: &Exchange,
    a: &'a PrivateKey,
    b: &'a PrivateKey,
) -> (Initiator<'a>, Responder<'a>) {
    let (r_a, r_b) = (
        private(&case.ephemeral_private_a),
        private(&case.ephemeral_private_b),
    );
    let initiator = hazmat::initiator_with_ephemeral(a, &case.id_a.0, r_a).expect("a good ID");
    let responder = hazmat::responder_with_ephemeral(b, &case.id_b.0, r_b).expect("a good ID");
    (initiator, responder)
}

#[test]
fn exchange_example_of_the_standard() {
    for case in testdata!("gbt/sm2_exchange") {
        let case: Exchange = case;
        let (a, b) = (private(&case.private_key_a), private(&case.private_key_b));
        let (initiator, responder) = sides(&case, &a, &b);
        let (r_a, r_b) = (*initiator.ephemeral(), *responder.ephemeral());
        assert_eq!(r_a, public(&case.ephemeral_public_a));
        assert_eq!(r_b, public(&case.ephemeral_public_b));

        let mut key_b = vec![0; case.key.0.len()];
        let (s_b, confirmation) = responder
            .finish(a.public_key(), &case.id_a.0, &r_a, &mut key_b)
            .expect("agreement");
        assert_eq!((&key_b, &s_b[..]), (&case.key.0, &case.s_b.0[..]));

        let mut key_a = vec![0; case.key.0.len()];
        let s_a = initiator
            .finish_confirmed(b.public_key(), &case.id_b.0, &r_b, &s_b, &mut key_a)
            .expect("agreement");
        assert_eq!((&key_a, &s_a[..]), (&case.key.0, &case.s_a.0[..]));
        assert_eq!(confirmation.check(&s_a), Ok(()));

        let (initiator, _) = sides(&case, &a, &b);
        assert_eq!(
            initiator.finish(b.public_key(), &case.id_b.0, &r_b, &mut key_a),
            Ok(())
        );
        assert_eq!(key_a, case.key.0);
    }
}

#[test]
fn a_wrong_confirmation_leaves_no_key() {
    for case in testdata!("gbt/sm2_exchange") {
        let case: Exchange = case;
        let (a, b) = (private(&case.private_key_a), private(&case.private_key_b));
        for bit in [0, 7, 128, 255] {
            let (initiator, responder) = sides(&case, &a, &b);
            let mut s_b: [u8; 32] = case.s_b.array();
            s_b[bit / 8] ^= 1 << (bit % 8);
            let mut shared = [0xaa; 16];
            let r_b = responder.ephemeral();
            let result =
                initiator.finish_confirmed(b.public_key(), &case.id_b.0, r_b, &s_b, &mut shared);
            let expected = (Err(Error::BadMac), [0; 16]);
            assert_eq!(
                (result, shared),
                expected,
                "bit {bit} of S_B, {}",
                a.backend()
            );
        }
    }
}

/// The other side's, and what a peer might send back: the responder's own.
#[test]
fn a_wrong_confirmation_is_refused_by_the_responder() {
    for case in testdata!("gbt/sm2_exchange") {
        let case: Exchange = case;
        let (a, b) = (private(&case.private_key_a), private(&case.private_key_b));
        let (initiator, responder) = sides(&case, &a, &b);
        let (_, confirmation) = responder
            .finish(
                a.public_key(),
                &case.id_a.0,
                initiator.ephemeral(),
                &mut [0; 16],
            )
            .expect("good points");
        let s_a: [u8; 32] = case.s_a.array();
        assert_eq!(confirmation.check(&s_a), Ok(()), "{}", b.backend());
        for bit in 0..256 {
            let mut bad = s_a;
            bad[bit / 8] ^= 1 << (bit % 8);
            let found = confirmation.check(&bad);
            assert_eq!(
                found,
                Err(Error::BadMac),
                "bit {bit} of S_A, {}",
                b.backend()
            );
        }
        let own = confirmation.check(&case.s_b.array());
        assert_eq!(own, Err(Error::BadMac), "S_B for S_A, {}", b.backend());
    }
}

#[derive(Deserialize)]
struct KeyPair {
    private_key: Hex,
    public_key: Hex,
}

#[derive(Deserialize)]
struct BadKey {
    why: String,
    private_key: Hex,
}

#[test]
fn published_private_keys() {
    for case in testdata!("interop/sm2_public_key") {
        let case: KeyPair = case;
        assert_eq!(
            *private(&case.private_key).public_key(),
            public(&case.public_key)
        );
    }
    for case in testdata!("interop/sm2_private_key_refused") {
        let case: BadKey = case;
        let result = PrivateKey::from_slice(&case.private_key.0).err();
        assert_eq!(result, Some(Error::InvalidPrivateKey), "{}", case.why);
    }
}

#[derive(Deserialize)]
struct Verification {
    #[serde(default)]
    why: String,
    public_key: Hex,
    #[serde(default)]
    id: Option<Hex>,
    #[serde(default)]
    message: Option<Hex>,
    #[serde(default)]
    e: Option<Hex>,
    r: Hex,
    s: Hex,
}

impl Verification {
    fn run(&self) -> Result<()> {
        let bytes = [&self.r.0[..], &self.s.0].concat();
        let signature = Signature::from_slice(&bytes)?;
        let id = self.id.as_ref().map_or(sm2::DEFAULT_ID, |id| &id.0);
        let verifier = verifier(&public(&self.public_key), id);
        match (&self.message, &self.e) {
            (Some(message), None) => verifier.verify(&message.0, &signature),
            (None, Some(e)) => verifier.verify_digest(&e.array(), &signature),
            _ => panic!("a case has a message or a digest"),
        }
    }
}

#[test]
fn published_signatures() {
    for case in testdata!("interop/sm2_verify") {
        let case: Verification = case;
        assert_eq!(case.run(), Ok(()));
    }
    for case in testdata!("interop/sm2_verify_digest") {
        let case: Verification = case;
        assert_eq!(case.run(), Ok(()));
    }
    for case in testdata!("interop/sm2_verify_refused") {
        let case: Verification = case;
        assert!(case.run().is_err(), "{}", case.why);
    }
    for case in testdata!("interop/sm2_verify_digest_refused") {
        let case: Verification = case;
        assert!(case.run().is_err(), "{}", case.why);
    }
}

#[derive(Deserialize)]
struct Decryption {
    #[serde(default)]
    why: String,
    private_key: Hex,
    c1: Hex,
    c3: Hex,
    c2: Hex,
    #[serde(default)]
    plaintext: Option<Hex>,
}

impl Decryption {
    fn run(&self) -> Result<Vec<u8>> {
        let c1 = PublicKey::from_sec1(&self.c1.0)?;
        let ciphertext = Ciphertext {
            c1,
            c3: self.c3.array(),
            c2: &self.c2.0,
        };
        let mut out = vec![0xaa; self.c2.0.len()];
        let result = sm2::decrypt(&private(&self.private_key), &ciphertext, &mut out);
        if result == Err(Error::DecryptFailed) {
            assert!(
                out.iter().all(|&byte| byte == 0),
                "a failed decryption leaves zeros"
            );
        }
        result.map(|()| out)
    }
}

#[test]
fn published_ciphertexts() {
    for case in testdata!("interop/sm2_decrypt") {
        let case: Decryption = case;
        assert_eq!(case.run().ok(), case.plaintext.map(|plaintext| plaintext.0));
    }
    for case in testdata!("interop/sm2_decrypt_refused") {
        let case: Decryption = case;
        assert!(case.run().is_err(), "{}", case.why);
    }
}

#[derive(Deserialize)]
struct BadNonce {
    public_key: Hex,
    message: Hex,
    k: Hex,
}

#[test]
fn nonces_with_a_key_stream_of_zeros_are_refused() {
    for case in testdata!("interop/sm2_encrypt_refused") {
        let case: BadNonce = case;
        let mut c2 = vec![0; case.message.0.len()];
        let key = public(&case.public_key);
        let result = hazmat::encrypt_with_nonce(&key, &case.message.0, &mut c2, &case.k.array());
        assert!(matches!(result, Err(Error::OutOfRange { .. })));
    }
}

#[derive(Deserialize)]
struct Identity {
    id: Hex,
    public_key: Hex,
    za: Hex,
}

#[test]
fn published_identities() {
    for case in testdata!("interop/sm2_za") {
        let case: Identity = case;
        assert_eq!(
            za(&case.id.0, &public(&case.public_key)),
            Ok(case.za.array())
        );
    }
}
