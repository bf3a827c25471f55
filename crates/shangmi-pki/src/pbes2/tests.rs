use der::asn1::{Null, ObjectIdentifier};
use shangmi::rng::OsRng;

use super::*;

const PLAIN: &[u8] = b"any bytes: the structure inside does not matter here";
const PASSPHRASE: &[u8] = b"secret";
const SALT: [u8; 8] = *b"8 bytes!";
const IV: [u8; 16] = *b"an IV, 16 bytes!";

/// The parts in which writers differ.
struct Dialect {
    prf: Option<(ObjectIdentifier, bool)>,
    key_length: Option<u64>,
    iterations: u64,
    cipher: ObjectIdentifier,
}

const OURS: Dialect = Dialect {
    prf: Some((oid::HMAC_SM3, false)),
    key_length: Some(16),
    iterations: 3,
    cipher: oid::SM4_CBC,
};

/// The structure that such a writer makes.
fn written(dialect: &Dialect) -> Vec<u8> {
    let is_sha256 = dialect.prf.is_some_and(|(oid, _)| oid == oid::HMAC_SHA256);
    let prf = if is_sha256 {
        Prf::HmacSha256
    } else {
        Prf::HmacSm3
    };
    let derivation = Derivation {
        prf,
        salt: &SALT,
        iterations: 3,
    };
    let key = derive(derivation, PASSPHRASE).unwrap();
    let data = encrypt_cbc(&key, &IV, PLAIN).unwrap();
    let algorithm = |oid, parameters| AlgorithmIdentifierRef { oid, parameters };
    let derivation = Pbkdf2Params {
        salt: OctetStringRef::new(&SALT).unwrap().into(),
        iterations: dialect.iterations,
        key_length: dialect.key_length,
        prf: dialect
            .prf
            .map(|(oid, null)| algorithm(oid, null.then_some(Null.into()))),
    }
    .to_der()
    .unwrap();
    let params = Pbes2Params {
        derivation: algorithm(oid::PBKDF2, Some(AnyRef::from_der(&derivation).unwrap())),
        encryption: algorithm(
            dialect.cipher,
            Some(OctetStringRef::new(&IV).unwrap().into()),
        ),
    }
    .to_der()
    .unwrap();
    EncryptedPrivateKeyInfo {
        algorithm: algorithm(oid::PBES2, Some(AnyRef::from_der(&params).unwrap())),
        encrypted_data: OctetStringRef::new(&data).unwrap(),
    }
    .to_der()
    .unwrap()
}

fn answer(dialect: &Dialect) -> String {
    decrypt(&written(dialect), PASSPHRASE)
        .unwrap_err()
        .to_string()
}

#[test]
fn all_dialects_are_read() {
    for oid in [oid::HMAC_SM3, oid::HMAC_SM3_OPENSSL, oid::HMAC_SHA256] {
        for null in [true, false] {
            for key_length in [None, Some(16)] {
                let dialect = Dialect {
                    prf: Some((oid, null)),
                    key_length,
                    ..OURS
                };
                let plain = decrypt(&written(&dialect), PASSPHRASE).unwrap();
                assert_eq!(&plain[..], PLAIN, "{oid} {null} {key_length:?}");
            }
        }
    }
}

#[test]
fn other_algorithms_are_named() {
    let sha512 = ObjectIdentifier::new_unwrap("1.2.840.113549.2.11");
    assert_eq!(
        answer(&Dialect {
            prf: Some((sha512, true)),
            ..OURS
        }),
        "unsupported PRF of PBKDF2: HMAC-SHA-512 (1.2.840.113549.2.11)"
    );
    assert_eq!(
        answer(&Dialect { prf: None, ..OURS }),
        "unsupported PRF of PBKDF2: HMAC-SHA-1 (1.2.840.113549.2.7)"
    );
    let des = ObjectIdentifier::new_unwrap("1.2.840.113549.3.7");
    assert_eq!(
        answer(&Dialect {
            cipher: des,
            ..OURS
        }),
        "unsupported encryption of the private key: DES-EDE3-CBC (1.2.840.113549.3.7)"
    );
}

#[test]
fn work_and_lengths_are_limited() {
    assert_eq!(
        answer(&Dialect {
            iterations: 10_000_001,
            ..OURS
        }),
        "the file asks for 10000001 PBKDF2 iterations, the limit is 10000000"
    );
    assert!(
        answer(&Dialect {
            iterations: u64::MAX,
            ..OURS
        })
        .contains("18446744073709551615")
    );
    assert!(
        answer(&Dialect {
            iterations: 0,
            ..OURS
        })
        .contains("without iterations")
    );
    assert!(
        answer(&Dialect {
            key_length: Some(32),
            ..OURS
        })
        .contains("key length")
    );
}

#[test]
fn what_is_written_is_the_standard_form() {
    let der = encrypt(PLAIN, PASSPHRASE, &mut OsRng).unwrap();
    let info = EncryptedPrivateKeyInfo::from_der(&der).unwrap();
    let params: Pbes2Params<'_> = parameters(&info.algorithm, oid::PBES2, "").unwrap();
    let kdf: Pbkdf2Params<'_> = parameters(&params.derivation, oid::PBKDF2, "").unwrap();
    assert_eq!(
        (kdf.iterations, kdf.key_length, kdf.salt.value().len()),
        (65_536, Some(16), 16)
    );
    assert_eq!(
        kdf.prf,
        Some(AlgorithmIdentifierRef {
            oid: oid::HMAC_SM3,
            parameters: None
        })
    );
    assert_eq!(decrypt(&der, PASSPHRASE).unwrap()[..], *PLAIN);
    assert_ne!(
        encrypt(PLAIN, PASSPHRASE, &mut OsRng).unwrap(),
        der,
        "salt and IV are fresh"
    );
}

#[test]
fn plaintexts_of_every_length_come_back() {
    let key = SecretKey::default();
    for len in 0..50 {
        let data = encrypt_cbc(&key, &IV, &PLAIN[..len]).unwrap();
        assert_eq!(data.len(), (len / 16 + 1) * 16);
    }
}
