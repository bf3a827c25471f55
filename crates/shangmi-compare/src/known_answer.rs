//! The door to the clock: a subject that does not compute its algorithm is refused, with the reason.

use std::fmt::Write as _;

use crate::result::{Group, RefusedSubject};
use crate::subjects::{
    Agreement, Candidate, Cipher, CipherOperation, Encryption, Hash, Mac, Signatures, Subject,
};

/// Keeps the candidates that pass `check`; the others are put on the list of the refused.
pub(crate) fn admit<T>(
    group: Group,
    candidates: Vec<Candidate<T>>,
    refused: &mut Vec<RefusedSubject>,
    check: impl Fn(&Candidate<T>) -> Result<(), String>,
) -> Vec<Candidate<T>> {
    let mut admitted = Vec::new();
    for candidate in candidates {
        match check(&candidate) {
            Ok(()) => admitted.push(candidate),
            Err(reason) => refused.push(refusal(group, &candidate.subject, reason)),
        }
    }
    admitted
}

fn refusal(group: Group, subject: &Subject, reason: String) -> RefusedSubject {
    let variant = subject
        .variant
        .as_deref()
        .map(|variant| format!(" ({variant})"))
        .unwrap_or_default();
    RefusedSubject {
        group,
        subject: subject.library.clone(),
        operation: format!("{}{variant}", subject.algorithm),
        reason,
    }
}

/// Bytes that repeat with the prime period 251: no block equals another.
pub(crate) fn pattern(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i % 251) as u8).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn unhex<const N: usize>(text: &str) -> [u8; N] {
    std::array::from_fn(|i| {
        text.get(2 * i..2 * i + 2)
            .and_then(|pair| u8::from_str_radix(pair, 16).ok())
            .unwrap_or(0)
    })
}

fn expect(what: &str, expected: &str, found: &[u8]) -> Result<(), String> {
    let found = hex(found);
    if found == expected {
        Ok(())
    } else {
        Err(format!("{what}: expected {expected}, got {found}"))
    }
}

fn expect_true(what: &str, holds: bool) -> Result<(), String> {
    if holds {
        Ok(())
    } else {
        Err(format!("{what}: failed"))
    }
}

fn unknown(subject: &Subject) -> String {
    format!("no known answer for {}", subject.algorithm)
}

/// Digests of `abc` and of three times the 64-byte pattern.
const HASH_ANSWERS: [(&str, &str, &str); 2] = [
    (
        "SM3",
        "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0",
        "6ef4a9641093bbd99f79ca14801b4aed392ec2a3023497821f0ece3453e885ef",
    ),
    (
        "SHA-256",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "4bdaf0c2d351114b2ba055d7c3941383c20f5aa4c6b62fc47e0472d4c2f5eb0d",
    ),
];

/// GB/T 32905's and FIPS 180's first example, three blocks, and both again in parts.
pub(crate) fn hash(subject: &Subject, object: &dyn Hash) -> Result<(), String> {
    let answers = HASH_ANSWERS
        .iter()
        .find(|(algorithm, ..)| *algorithm == subject.algorithm);
    let (_, short, long) = answers.ok_or_else(|| unknown(subject))?;
    let message = pattern(64).repeat(3);
    expect("digest of abc", short, &object.digest(b"abc"))?;
    expect("digest of 192 bytes", long, &object.digest(&message))?;
    let Some(mut stream) = object.stream() else {
        return Ok(());
    };
    for _ in 0..2 {
        for part in message.chunks(37) {
            stream.update(part);
        }
        expect("digest of 192 bytes in parts", long, &stream.finish())?;
    }
    Ok(())
}

/// Key and message of RFC 4231's second case.
pub(crate) const MAC_KEY: &[u8] = b"Jefe";
const MAC_MESSAGE: &[u8] = b"what do ya want for nothing?";

/// RFC 4231's second case for both functions; `object` holds [`MAC_KEY`].
pub(crate) fn mac(subject: &Subject, object: &mut dyn Mac) -> Result<(), String> {
    let expected = match subject.algorithm.as_str() {
        "HMAC-SM3" => "2e87f1d16862e6d964b50a5200bf2b10b764faa9680a296a2405f24bec39f882",
        "HMAC-SHA256" => "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        _ => return Err(unknown(subject)),
    };
    for _ in 0..2 {
        expect("tag", expected, &object.mac(MAC_MESSAGE))?;
    }
    expect(
        "tag with a new key",
        expected,
        &object.mac_with_key(MAC_KEY, MAC_MESSAGE),
    )?;
    expect_true(
        "the tag depends on the key",
        hex(&object.mac_with_key(b"other", MAC_MESSAGE)) != expected,
    )
}

/// ECB, CBC and CTR of the 64-byte pattern.
const CIPHER_ANSWERS: [(&str, [&str; 3]); 2] = [
    (
        "SM4",
        [
            "8f78763ee06013e0b7622c428fd0528da73851aa4341e968c71dd8a3a0c8497c\
             07d2bcd4b059dc764cf8da28e17de9e8ebbe39df6e2afa7a2803dda937b7d6e3",
            "8fb9ee17ca7647452763db7bdfc4f9609d7d18c4224b9d269a0da2d3d699794e\
             95456a232e4efef55e55f7066fa0dbe29c50ee1a96ab4b078d21c1ed6d194679",
            "a73953a94744ef6fcf14d2a8acc547731a39b9384e211676fb552fc14f151880\
             a47bafa7d979ca7309af87c196de822600ff519ad7c895fb79cd211d718b1085",
        ],
    ),
    (
        "AES-128",
        [
            "0a940bb5416ef045f1c39458c653ea5a07feef74e1d5036e900eee118e949293\
             5be87e2e5b447c944b21c9af7756c0d803f2c3bdca826bf082d7cfb035cdb8c1",
            "954f64f2e4e86e9eee82d20216684899a93b9ddb22e8ab104c61e728831d6d5a\
             1f51afc19343249ef3b4495be12dc4f3e0b296f5c91be273a66c1216a66da5fd",
            "07ffed77e5d005699807e41a82999c9c82d3d717cc1994155e60677997e4c017\
             ea001a4411c0de8c4dbfa0078df8135560c354876f778b4214aa0f39f231ef37",
        ],
    ),
];

const CIPHER_KEY: &str = "000102030405060708090a0b0c0d0e0f";
const CIPHER_IV: &str = "101112131415161718191a1b1c1d1e1f";

/// Every unauthenticated mode that the cipher has, both ways.
fn transforms(subject: &Subject, object: &dyn Cipher) -> Result<(), String> {
    let answers = CIPHER_ANSWERS
        .iter()
        .find(|(algorithm, _)| *algorithm == subject.algorithm);
    let (_, [ecb, cbc, ctr]) = answers.ok_or_else(|| unknown(subject))?;
    let plain = pattern(64);
    for operation in CipherOperation::ALL {
        let (input, expected): (Vec<u8>, &str) = match operation {
            CipherOperation::EcbEncrypt => (plain.clone(), ecb),
            CipherOperation::EcbDecrypt => (unhex::<64>(ecb).to_vec(), &hex(&plain)),
            CipherOperation::CbcEncrypt => (plain.clone(), cbc),
            CipherOperation::CbcDecrypt => (unhex::<64>(cbc).to_vec(), &hex(&plain)),
            CipherOperation::Ctr => (plain.clone(), ctr),
            CipherOperation::GcmEncrypt | CipherOperation::GcmDecrypt => continue,
        };
        let Some(mut mode) = object.transform(operation, &unhex(CIPHER_KEY), &unhex(CIPHER_IV))
        else {
            continue;
        };
        // Twice: an object must start from its IV at each call.
        for _ in 0..2 {
            let mut data = input.clone();
            expect_true(operation.name(), mode.apply(&mut data))?;
            expect(operation.name(), expected, &data)?;
        }
    }
    Ok(())
}

struct GcmAnswer {
    key: &'static str,
    nonce: &'static str,
    aad: &'static str,
    plaintext: &'static str,
    ciphertext: &'static str,
    tag: &'static str,
}

/// RFC 8998, A.1.
const SM4_GCM: GcmAnswer = GcmAnswer {
    key: "0123456789abcdeffedcba9876543210",
    nonce: "00001234567800000000abcd",
    aad: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
    plaintext: "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccdddddddddddddddd\
                eeeeeeeeeeeeeeeeffffffffffffffffeeeeeeeeeeeeeeeeaaaaaaaaaaaaaaaa",
    ciphertext: "17f399f08c67d5ee19d0dc9969c4bb7d5fd46fd3756489069157b282bb200735\
                 d82710ca5c22f0ccfa7cbf93d496ac15a56834cbcf98c397b4024a2691233b8d",
    tag: "83de3541e4c2b58177e065a9bf7b62ec",
};

/// The fourth test case of the GCM specification, 60 bytes.
const AES_GCM: GcmAnswer = GcmAnswer {
    key: "feffe9928665731c6d6a8f9467308308",
    nonce: "cafebabefacedbaddecaf888",
    aad: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
    plaintext: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72\
                1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
    ciphertext: "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e\
                 21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091",
    tag: "5bc94fbc3221a5db94fae95ae7121a47",
};

fn gcm(subject: &Subject, object: &dyn Cipher) -> Result<(), String> {
    let answer = if subject.algorithm == "SM4" {
        SM4_GCM
    } else {
        AES_GCM
    };
    let Some(mut mode) = object.aead(&unhex(answer.key), &unhex(answer.nonce)) else {
        return Ok(());
    };
    let length = answer.plaintext.len() / 2;
    let aad = unhex::<20>(answer.aad);
    let mut data = unhex::<64>(answer.plaintext)[..length].to_vec();
    let tag = mode.seal(&aad, &mut data).ok_or("gcm-encrypt: failed")?;
    expect("gcm-encrypt", answer.ciphertext, &data)?;
    expect("gcm tag", answer.tag, &tag)?;
    let sealed = data.clone();
    expect_true("gcm-decrypt", mode.open(&aad, &mut data, &tag))?;
    expect("gcm-decrypt", answer.plaintext, &data)?;
    let mut wrong = tag;
    wrong[15] ^= 1;
    expect_true(
        "gcm-decrypt refuses a wrong tag",
        !mode.open(&aad, &mut sealed.clone(), &wrong),
    )
}

/// All modes of a cipher.
pub(crate) fn cipher(subject: &Subject, object: &dyn Cipher) -> Result<(), String> {
    transforms(subject, object)?;
    gcm(subject, object)
}

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
        include_bytes!(concat!("../known_answers/", $file))
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
