//! SM2 against the standard's example and `reference`, both ways; P-256 against RFC 6979's example.

use num_bigint::BigUint;
use reference::sm2;

use super::der::{self, Ciphertext};
use super::unhex;
use crate::peer::{Curve, Digest, Form, Item, KeyPair, Operation};

/// An example: key, digest, signature.
struct Example {
    private: &'static str,
    public: &'static str,
    e: &'static str,
    signature: &'static str,
}

/// GB/T 32918.5-2017, A.2.
const SM2: Example = Example {
    private: "3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8",
    public: "0409f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020\
        ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13",
    e: "f0b43e94ba45accaace692ed534382eb17e6ab5a19ce7b31f4486fdfc0d28640",
    signature: "f5a03b0648d2c4630eeac513e1bb81a15944da3827d5b74143ac7eaceee720b3\
        b1b6aa29df212fd8763182bc0d421ca1bb9038fd1f7f42d4840b69c485bbc1aa",
};

/// RFC 6979, A.2.5: SHA-256 of "sample".
const P256: Example = Example {
    private: "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721",
    public: "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6\
        7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299",
    e: "af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf",
    signature: "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716\
        f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8",
};

fn example(algorithm: &str) -> &'static Example {
    match algorithm {
        "SM2" => &SM2,
        _ => &P256,
    }
}

fn array<const N: usize>(digits: &str) -> [u8; N] {
    let bytes = unhex(digits).try_into();
    bytes.expect("a constant of that length")
}

/// The example's key, which is also that of the rows.
pub(crate) fn key_pair(algorithm: &str) -> KeyPair {
    let example = example(algorithm);
    KeyPair {
        private: array(example.private),
        public: array(example.public),
    }
}

/// d_B, of the other side of a key exchange.
fn partner() -> BigUint {
    BigUint::from_bytes_be(&[0x33; 32])
}

/// The public key that an operation is given: the other side's in an exchange, else the example's.
pub(crate) fn public_for(algorithm: &str, operation: Operation) -> [u8; 65] {
    match operation {
        Operation::Exchange => public_key(&partner()),
        _ => key_pair(algorithm).public,
    }
}

fn public_key(d: &BigUint) -> [u8; 65] {
    let (x, y) = sm2::public_key(d)
        .and_then(|point| point.coordinates())
        .expect("a private key in range");
    let encoded = [&[4][..], &x, &y].concat();
    encoded.try_into().expect("65 bytes")
}

pub(super) fn check(curve: &mut dyn Curve) -> Result<(), String> {
    let algorithm = curve.algorithm();
    let key = key_pair(algorithm);
    curve.set_key(&key);
    let mut offered = Operation::ALL.to_vec();
    offered.retain(|&operation| curve.has(operation));
    for operation in offered {
        let right = match (operation, algorithm) {
            (Operation::Generate, "SM2") => generates(curve),
            (Operation::Generate, _) => curve.generate().len() == 65,
            (Operation::Sign, _) => signs(curve, &key),
            (Operation::Verify, _) => verifies(curve, |curve, e, s| curve.verify(e, s)),
            (Operation::VerifyNewKey, _) => {
                verifies(curve, |curve, e, s| curve.verify_new_key(&key.public, e, s))
            }
            (Operation::Encrypt, _) => encrypts(curve, &key),
            (Operation::Decrypt, _) => decrypts(curve, &key),
            (Operation::Exchange, _) => agrees(curve, &key),
        };
        if !right {
            let name = operation.name();
            return Err(format!("{algorithm}, {name}: not the known answer"));
        }
    }
    if many_are_right(curve) {
        Ok(())
    } else {
        Err(format!(
            "{algorithm}, many at once: not what single ones give"
        ))
    }
}

/// As many as give full lanes and a rest.
const MANY: usize = 13;

/// Digests that are SM3 of numbers, also as plaintexts, and what the implementation makes of them.
pub(crate) fn pool(curve: &mut dyn Curve, operation: Operation, count: usize) -> Vec<Item> {
    let item = |number: usize| {
        let e = reference::sm3::digest(&number.to_le_bytes());
        let made = match operation {
            Operation::Verify | Operation::VerifyNewKey => curve.sign(&e),
            Operation::Decrypt => curve.encrypt(&e),
            Operation::Exchange => public_key(&BigUint::from_bytes_be(&e)).into(),
            _ => Vec::new(),
        };
        (e, made)
    };
    (0..count).map(item).collect()
}

/// Digests with signatures under a key each, and the public keys. The key that is prepared is the last of them.
pub(crate) fn pool_of_keys(curve: &mut dyn Curve, count: usize) -> (Vec<[u8; 65]>, Vec<Item>) {
    let item = |number: usize| {
        let private = reference::sm3::digest(&[number as u8]);
        let public = public_key(&BigUint::from_bytes_be(&private));
        curve.set_key(&KeyPair { private, public });
        let e = reference::sm3::digest(&number.to_le_bytes());
        (public, (e, curve.sign(&e)))
    };
    (0..count).map(item).unzip()
}

/// Signatures that verify one by one, one bad signature among good ones, plaintexts.
fn many_are_right(curve: &mut dyn Curve) -> bool {
    let public = [key_pair(curve.algorithm()).public; MANY];
    let mut pool = pool(curve, Operation::Verify, MANY);
    let signatures = curve.many(Operation::Sign, &public, &pool);
    let mut signed = pool.iter().zip(&signatures);
    let right = signatures.len() == MANY && signed.all(|((e, _), made)| curve.verify(e, made));
    pool[MANY - 2].0[0] ^= 1;
    let accepted = curve.many(Operation::Verify, &public, &pool);
    let mut accepted = accepted.iter().enumerate();
    let keys = curve.many(Operation::Generate, &public, &pool);
    right
        && accepted.all(|(i, found)| found.is_empty() == (i == MANY - 2))
        && keys.iter().all(|key| key.len() == 65)
        && (!curve.has(Operation::Decrypt) || opens_many(curve, &public))
        && (curve.algorithm() != "SM2" || keys_are_told_apart(curve))
}

/// Signatures under a key each, of which two have changed places.
fn keys_are_told_apart(curve: &mut dyn Curve) -> bool {
    let (keys, mut pool) = pool_of_keys(curve, MANY);
    pool.swap(3, 4);
    let accepted = curve.many(Operation::VerifyNewKey, &keys, &pool);
    let mut accepted = accepted.iter().enumerate();
    accepted.all(|(i, found)| found.is_empty() == (i == 3 || i == 4))
}

fn opens_many(curve: &mut dyn Curve, public: &[[u8; 65]]) -> bool {
    let pool = pool(curve, Operation::Decrypt, MANY);
    let opened = curve.many(Operation::Decrypt, public, &pool);
    opened.len() == MANY
        && pool
            .iter()
            .zip(&opened)
            .all(|((text, _), found)| text[..] == found[..])
}

/// Accepts the example's signature, and neither another nor one over another digest.
fn verifies(
    curve: &mut dyn Curve,
    verify: impl Fn(&mut dyn Curve, &Digest, &[u8]) -> bool,
) -> bool {
    let example = example(curve.algorithm());
    let mut e: Digest = array(example.e);
    let mut signature = unhex(example.signature);
    let form = curve.form();
    let native = |plain: &[u8]| match form {
        Form::Plain => plain.to_vec(),
        Form::Der => der::signature(plain),
    };
    let accepts = verify(curve, &e, &native(&signature));
    signature[63] ^= 1;
    let accepts_another = verify(curve, &e, &native(&signature));
    signature[63] ^= 1;
    e[0] ^= 1;
    accepts && !accepts_another && !verify(curve, &e, &native(&signature))
}

fn signs(curve: &mut dyn Curve, key: &KeyPair) -> bool {
    let e: Digest = array(example(curve.algorithm()).e);
    let native = curve.sign(&e);
    if curve.algorithm() != "SM2" {
        // `reference` has no P-256: its own verification, which rejects what is wrong, decides.
        return curve.verify(&e, &native) && native != curve.sign(&e);
    }
    let plain = match curve.form() {
        Form::Plain => Some(native),
        Form::Der => der::plain_signature(&native),
    };
    plain.is_some_and(|plain| {
        let (r, s) = plain.split_at(plain.len() / 2);
        let (r, s) = (BigUint::from_bytes_be(r), BigUint::from_bytes_be(s));
        sm2::verify(&point(&key.public), &e, &r, &s)
    })
}

fn point(public: &[u8]) -> sm2::Point {
    sm2::Point::Affine {
        x: BigUint::from_bytes_be(&public[1..33]),
        y: BigUint::from_bytes_be(&public[33..]),
    }
}

/// Two points on the curve, not one twice.
fn generates(curve: &mut dyn Curve) -> bool {
    let [one, two] = [(); 2].map(|()| curve.generate());
    let mut both = [&one, &two].into_iter();
    one != two && both.all(|key| key.len() == 65 && sm2::check_public_key(&point(key)).is_ok())
}

/// The responder, which is `reference`, gets the same key from R_A.
fn agrees(curve: &mut dyn Curve, key: &KeyPair) -> bool {
    let public = public_for(curve.algorithm(), Operation::Exchange);
    let (e, r_b) = pool(curve, Operation::Exchange, 1).remove(0);
    let made = curve.exchange(&public, &r_b);
    let Some((r_a, found)) = made.split_at_checked(65) else {
        return false;
    };
    let id = b"1234567812345678";
    let own = sm2::Own {
        private: &partner(),
        ephemeral: &BigUint::from_bytes_be(&e),
        id,
    };
    let peer = sm2::Peer {
        public: &point(&key.public),
        ephemeral: &point(r_a),
        id,
    };
    sm2::exchange_responder(&own, &peer, 32).is_ok_and(|shared| shared.key == found)
}

const TEXT: [u8; 32] = *b"thirty-two bytes make one secret";

fn encrypts(curve: &mut dyn Curve, key: &KeyPair) -> bool {
    let native = curve.encrypt(&TEXT);
    let parts = match curve.form() {
        Form::Plain => Ciphertext::from_plain(&native),
        Form::Der => Ciphertext::from_der(&native),
    };
    parts.is_some_and(|parts| {
        let d = BigUint::from_bytes_be(&key.private);
        let ciphertext = sm2::Ciphertext {
            c1: point(&parts.c1),
            c3: parts.c3,
            c2: parts.c2,
        };
        sm2::decrypt(&d, &ciphertext).is_ok_and(|found| found == TEXT)
    })
}

fn decrypts(curve: &mut dyn Curve, key: &KeyPair) -> bool {
    let k = BigUint::from_bytes_be(&[0x5a; 32]);
    let made = sm2::encrypt(&point(&key.public), &TEXT, &k);
    let made = made.expect("the nonce is in range");
    let (x, y) = made.c1.coordinates().expect("k·G is no infinity");
    let mut parts = Ciphertext {
        c1: [&[4][..], &x, &y].concat(),
        c3: made.c3,
        c2: made.c2,
    };
    let form = curve.form();
    let native = |parts: &Ciphertext| match form {
        Form::Plain => parts.to_plain(),
        Form::Der => parts.to_der(),
    };
    let right = curve.decrypt(&native(&parts)) == TEXT;
    parts.c3[0] ^= 1;
    right && curve.decrypt(&native(&parts)).is_empty()
}
