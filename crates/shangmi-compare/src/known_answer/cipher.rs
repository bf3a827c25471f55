//! Known answers of the modes of SM4 and AES-128.

use super::{expect, expect_true, hex, pattern, unhex, unknown};
use crate::subjects::{Cipher, CipherOperation, Subject};

/// ECB, CBC, CTR and XTS of the 64-byte pattern.
const CIPHER_ANSWERS: [(&str, [&str; 4]); 2] = [
    (
        "SM4",
        [
            "8f78763ee06013e0b7622c428fd0528da73851aa4341e968c71dd8a3a0c8497c\
             07d2bcd4b059dc764cf8da28e17de9e8ebbe39df6e2afa7a2803dda937b7d6e3",
            "8fb9ee17ca7647452763db7bdfc4f9609d7d18c4224b9d269a0da2d3d699794e\
             95456a232e4efef55e55f7066fa0dbe29c50ee1a96ab4b078d21c1ed6d194679",
            "a73953a94744ef6fcf14d2a8acc547731a39b9384e211676fb552fc14f151880\
             a47bafa7d979ca7309af87c196de822600ff519ad7c895fb79cd211d718b1085",
            "5ec46126f729e821b3efa5369fd4a24f882cd74613dc04f65f3dbbf826b7c89d\
             20410738c447f254701a37ff5ab8378705c0a0ea1fff3ec6226846469664c615",
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
            "d000596b51ce428b30d9e94c404373328c39d9829eba61c0f746559e3ba7fab1\
             3383f310ca9bcaba047262b2fe1ca2a62e2eea1e4b80aa81d306800768b6850e",
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
    let (_, [ecb, cbc, ctr, xts]) = answers.ok_or_else(|| unknown(subject))?;
    let plain = pattern(64);
    for operation in CipherOperation::ALL {
        let (input, expected): (Vec<u8>, &str) = match operation {
            CipherOperation::EcbEncrypt => (plain.clone(), ecb),
            CipherOperation::EcbDecrypt => (unhex::<64>(ecb).to_vec(), &hex(&plain)),
            CipherOperation::CbcEncrypt => (plain.clone(), cbc),
            CipherOperation::CbcDecrypt => (unhex::<64>(cbc).to_vec(), &hex(&plain)),
            CipherOperation::Ctr => (plain.clone(), ctr),
            CipherOperation::XtsEncrypt => (plain.clone(), xts),
            CipherOperation::XtsDecrypt => (unhex::<64>(xts).to_vec(), &hex(&plain)),
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

/// Blocks of a long text: enough for the widest code, and a rest.
const LONG_BLOCKS: usize = 200 + 3;

/// SHA-256 of what ECB, CBC, CTR, XTS and GCM (its tag behind it) make of a long text, computed from ECB block by block.
const LONG_ANSWERS: [(&str, [&str; 5]); 2] = [
    (
        "SM4",
        [
            "705b234b5a8397007e3eeb7a7f71ac68846dbc823f396bc3d51d28896d65ebed",
            "e1704865fb83d8188e8e4278d4536a7e5bf771ac1d66d5ac8c64fc9e47415209",
            "63c7254fbaa4bbc48f71d07f00f2e027c3bfa223b0c0f83dcd747ba1af022fd5",
            "7704b6c3b9e15c6f99ce49ba32ea0322fcf85a7fbe345890abd78d4d4e1e041b",
            "4e8f0bf03b058cf18f4386ba10b03304995c60beefd2fe74dfcf7ee430b950ce",
        ],
    ),
    (
        "AES-128",
        [
            "4fe7c3599b71de31380eacdf9e958d50792dfabb42b0201e838625af56addc4d",
            "1dc02747c694c3698d958921cc6f2b2c92d68b8761553a3b13bf9da57de314c4",
            "0a61b0c5190cb4dbac26124e197b6c503ee28ac4d4ecd95a510f97e2cc6e7e24",
            "73a92ac6c61ea30eb1d797c4639074ee73f818fe92c51f861e9bcef78ff52c7b",
            "4d2bc5b9f05beb1e45a94a7eb0510941a3860d9e6747c0c3da8d143269bab7bf",
        ],
    ),
];

/// Every mode over a text for which the widest code is taken, and back.
fn long_texts(subject: &Subject, object: &dyn Cipher) -> Result<(), String> {
    use CipherOperation::{
        CbcDecrypt, CbcEncrypt, Ctr, EcbDecrypt, EcbEncrypt, XtsDecrypt, XtsEncrypt,
    };
    let answers = LONG_ANSWERS
        .iter()
        .find(|(algorithm, _)| *algorithm == subject.algorithm);
    let (_, answers) = answers.ok_or_else(|| unknown(subject))?;
    let plain = pattern(16 * LONG_BLOCKS);
    let (key, iv) = (unhex(CIPHER_KEY), unhex(CIPHER_IV));
    let pairs = [
        (EcbEncrypt, EcbDecrypt),
        (CbcEncrypt, CbcDecrypt),
        (Ctr, Ctr),
        (XtsEncrypt, XtsDecrypt),
    ];
    for ((forth, back), answer) in pairs.into_iter().zip(answers) {
        let modes = [forth, back].map(|operation| object.transform(operation, &key, &iv));
        let [Some(mut encrypt), Some(mut decrypt)] = modes else {
            continue;
        };
        let mut text = plain.clone();
        let name = |operation: CipherOperation| format!("{} of a long text", operation.name());
        expect_true(&name(forth), encrypt.apply(&mut text))?;
        expect(&name(forth), answer, &reference::sha256::digest(&text))?;
        expect_true(&name(back), decrypt.apply(&mut text))?;
        expect_true(&name(back), text == plain)?;
    }
    let nonce = std::array::from_fn(|i| iv[i]);
    let Some(mut gcm) = object.aead(&key, &nonce) else {
        return Ok(());
    };
    let mut text = plain.clone();
    let tag = gcm.seal(&[], &mut text).ok_or("gcm-encrypt: failed")?;
    let sealed = [&text[..], &tag].concat();
    expect(
        "gcm-encrypt of a long text",
        answers[4],
        &reference::sha256::digest(&sealed),
    )?;
    let opened = gcm.open(&[], &mut text, &tag) && text == plain;
    expect_true("gcm-decrypt of a long text", opened)
}

/// CBC of many messages, short and long in turn, gives what CBC of each gives.
fn many_messages(object: &dyn Cipher) -> Result<(), String> {
    const NAME: &str = "cbc-encrypt of many messages";
    let (key, iv) = (unhex(CIPHER_KEY), unhex(CIPHER_IV));
    let Some(mut many) = object.cbc_encrypt_many(&key, &iv) else {
        return Ok(());
    };
    let mut one = object
        .transform(CipherOperation::CbcEncrypt, &key, &iv)
        .ok_or("cbc-encrypt: there is none of one message")?;
    let message = |place: usize| {
        let length = if place.is_multiple_of(2) { 64 } else { 16 * 33 };
        pattern(length + place)[place..].to_vec()
    };
    let mut together: Vec<Vec<u8>> = (0..66).map(message).collect();
    let mut slices: Vec<&mut [u8]> = together.iter_mut().map(Vec::as_mut_slice).collect();
    expect_true(NAME, many.apply(&mut slices))?;
    for (place, found) in together.iter().enumerate() {
        let mut expected = message(place);
        expect_true(NAME, one.apply(&mut expected))?;
        expect(NAME, &hex(&expected), found)?;
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
    long_texts(subject, object)?;
    many_messages(object)?;
    gcm(subject, object)
}
