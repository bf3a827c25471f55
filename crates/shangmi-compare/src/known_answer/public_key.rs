//! Known answers of signatures, encryption and key agreement.

use super::{expect_true, unknown};
use crate::subjects::{Agreement, Encryption, PublicKeyMany, Signatures, Subject};

/// What a public-key subject must accept.
struct PublicKeyAnswer {
    algorithm: &'static str,
    library: Option<&'static str>,
    public_key: &'static [u8],
    signature: &'static [u8],
    private_key: &'static [u8],
    ciphertext: &'static [u8],
}

macro_rules! answer {
    ($file:literal) => {
        include_bytes!(concat!("../../known_answers/", $file))
    };
}

/// The first that fits counts: our own SM2 takes the standard's raw encodings.
const PUBLIC_KEY_ANSWERS: [PublicKeyAnswer; 5] = [
    PublicKeyAnswer {
        algorithm: "SM2",
        library: Some(crate::subjects::shangmi::NAME),
        public_key: answer!("sm2_public.der"),
        signature: answer!("sm2_signature.raw"),
        private_key: answer!("sm2_private.raw"),
        ciphertext: answer!("sm2_ciphertext.raw"),
    },
    PublicKeyAnswer {
        algorithm: "SM2",
        library: None,
        public_key: answer!("sm2_public.der"),
        signature: answer!("sm2_signature.der"),
        private_key: answer!("sm2_private.der"),
        ciphertext: answer!("sm2_ciphertext.der"),
    },
    PublicKeyAnswer {
        algorithm: "RSA-2048",
        library: None,
        public_key: answer!("rsa2048_public.der"),
        signature: answer!("rsa2048_pss.sig"),
        private_key: answer!("rsa2048_private.der"),
        ciphertext: answer!("rsa2048_oaep.bin"),
    },
    PublicKeyAnswer {
        algorithm: "RSA-3072",
        library: None,
        public_key: answer!("rsa3072_public.der"),
        signature: answer!("rsa3072_pss.sig"),
        private_key: answer!("rsa3072_private.der"),
        ciphertext: answer!("rsa3072_oaep.bin"),
    },
    PublicKeyAnswer {
        algorithm: "P-256",
        library: None,
        public_key: answer!("p256_public.der"),
        signature: answer!("p256_ecdsa.der"),
        private_key: &[],
        ciphertext: &[],
    },
];

const SIGNED_MESSAGE: &[u8] = b"message digest";
const ENCRYPTED_MESSAGE: &[u8] = b"encryption standard";

fn public_key_answer(subject: &Subject) -> Result<&'static PublicKeyAnswer, String> {
    let fits = |answer: &&PublicKeyAnswer| {
        answer.algorithm == subject.algorithm
            && answer
                .library
                .is_none_or(|library| library == subject.library)
    };
    PUBLIC_KEY_ANSWERS
        .iter()
        .find(fits)
        .ok_or_else(|| unknown(subject))
}

/// The stored keys of an algorithm in DER: public (SPKI) and private (PKCS#8).
pub(crate) fn encoded_keys(algorithm: &str) -> Option<(&'static [u8], &'static [u8])> {
    let answer = PUBLIC_KEY_ANSWERS
        .iter()
        .find(|answer| answer.algorithm == algorithm && answer.library.is_none())?;
    Some((answer.public_key, answer.private_key))
}

/// A signature from elsewhere, the same with another message, and one of its own.
pub(crate) fn signatures(subject: &Subject, object: &dyn Signatures) -> Result<(), String> {
    let answer = public_key_answer(subject)?;
    let accepts = |message: &[u8]| object.verify_with(answer.public_key, message, answer.signature);
    expect_true("verify a known signature", accepts(SIGNED_MESSAGE))?;
    expect_true("refuse it for another message", !accepts(b"message digesT"))?;
    let mut signature = [0; 512];
    let length = object
        .sign(SIGNED_MESSAGE, &mut signature)
        .ok_or("sign: failed")?;
    let signature = signature.get(..length).ok_or("sign: too long")?;
    expect_true(
        "verify its own signature",
        object.verify(SIGNED_MESSAGE, signature),
    )?;
    expect_true(
        "refuse its own for another message",
        !object.verify(b"message digesT", signature),
    )
}

/// A ciphertext from elsewhere, where the scheme has one, and one of its own, also damaged.
pub(crate) fn encryption(subject: &Subject, object: &dyn Encryption) -> Result<(), String> {
    let answer = public_key_answer(subject)?;
    if !answer.ciphertext.is_empty() {
        let plaintext = object.decrypt_with(answer.private_key, answer.ciphertext);
        expect_true(
            "decrypt a known ciphertext",
            plaintext.as_deref() == Some(ENCRYPTED_MESSAGE),
        )?;
    }
    let (mut ciphertext, mut plaintext) = ([0; 512], [0; 512]);
    let length = object
        .encrypt(ENCRYPTED_MESSAGE, &mut ciphertext)
        .ok_or("encrypt: failed")?;
    let ciphertext = ciphertext.get_mut(..length).ok_or("encrypt: too long")?;
    let length = object
        .decrypt(ciphertext, &mut plaintext)
        .ok_or("decrypt: failed")?;
    expect_true(
        "decrypt its own ciphertext",
        plaintext.get(..length) == Some(ENCRYPTED_MESSAGE),
    )?;
    ciphertext[ciphertext.len() - 1] ^= 1;
    // OpenSSL 3.2 and later answer a wrong OAEP padding with failure too; only PKCS#1 v1.5 is rejected implicitly.
    expect_true(
        "refuse a damaged ciphertext",
        object.decrypt(ciphertext, &mut plaintext).is_none(),
    )
}

/// Both sides come to the same secret, and it is not all zeros.
pub(crate) fn agreement(object: &dyn Agreement) -> Result<(), String> {
    let (own, peer) = (
        object.agree().ok_or("agree: failed")?,
        object.agree_as_peer().ok_or("agree: failed")?,
    );
    expect_true("both sides agree", own == peer && own != [0; 32])
}

/// How many items are checked together: two rounds of eight lanes, and one that is left over.
const MANY: usize = 17;

/// A signature and a ciphertext from elsewhere among damaged ones, then its own; only the damaged items are refused.
pub(crate) fn many(subject: &Subject, object: &dyn PublicKeyMany) -> Result<(), String> {
    let answer = public_key_answer(subject)?;
    let known = object
        .with_key(answer.private_key)
        .ok_or("take a known key: failed")?;
    let signature = answer.signature.try_into().map_err(|_| unknown(subject))?;
    many_verifications(known.as_ref(), [signature; MANY])?;
    let mut signatures = [[0; 64]; MANY];
    let signed = object.sign(&[SIGNED_MESSAGE; MANY], &mut signatures);
    expect_true("sign many", signed)?;
    many_verifications(object, signatures)?;
    expect_true(
        "sign many, each with its key",
        object.sign_each(&[SIGNED_MESSAGE; MANY], &mut signatures),
    )?;
    verifications(signatures, |messages, signatures, valid| {
        object.verify_each(messages, signatures, valid)
    })?;
    many_decryptions(known.as_ref(), answer.ciphertext)?;
    let own = object.encrypt(ENCRYPTED_MESSAGE).ok_or("encrypt: failed")?;
    many_decryptions(object, &own)?;
    expect_true("generate many keys", object.generate_keys(MANY))
}

fn many_verifications(
    object: &dyn PublicKeyMany,
    signatures: [[u8; 64]; MANY],
) -> Result<(), String> {
    verifications(signatures, |messages, signatures, valid| {
        object.verify(messages, signatures, valid)
    })
}

/// Every third message is another one, so that its signature does not fit; the last, which is left over, fits.
fn verifications(
    signatures: [[u8; 64]; MANY],
    verify: impl Fn(&[&[u8]], &[[u8; 64]], &mut [bool]) -> bool,
) -> Result<(), String> {
    let fits: [bool; MANY] = std::array::from_fn(|i| i % 3 != 0);
    let messages = fits.map(|fits| match fits {
        true => SIGNED_MESSAGE,
        false => b"message digesT",
    });
    let mut valid = fits.map(|fits| !fits);
    let done = verify(&messages, &signatures, &mut valid);
    expect_true("verify many, some damaged", done && valid == fits)
}

/// Every third ciphertext is damaged.
fn many_decryptions(object: &dyn PublicKeyMany, ciphertext: &[u8]) -> Result<(), String> {
    let fits: [bool; MANY] = std::array::from_fn(|i| i % 3 != 0);
    let mut damaged = ciphertext.to_vec();
    if let Some(last) = damaged.last_mut() {
        *last ^= 1;
    }
    let ciphertexts = fits.map(|fits| if fits { ciphertext } else { &damaged });
    let mut plaintexts = [[0; ENCRYPTED_MESSAGE.len()]; MANY];
    let mut buffers = plaintexts
        .each_mut()
        .map(|plaintext| plaintext.as_mut_slice());
    let mut valid = fits.map(|fits| !fits);
    let done = object.decrypt(&ciphertexts, &mut buffers, &mut valid);
    let right = plaintexts
        .iter()
        .zip(fits)
        .all(|(plaintext, fits)| (plaintext == ENCRYPTED_MESSAGE) == fits);
    expect_true("decrypt many, some damaged", done && valid == fits && right)
}
