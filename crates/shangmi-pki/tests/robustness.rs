//! Random bytes and damaged files into every parser: an answer, never a panic.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use std::{
    io::{Cursor, Write},
    sync::LazyLock,
};

use common::{TestRng, hex, standard_key};
use proptest::{collection::vec, prelude::*, sample::Index};
use shangmi::sm2::PrivateKey;
use shangmi_pki::{
    CiphertextFormat, KeyFormat, SignatureFormat, ciphertext,
    container::{self, Header, Identity, Passphrase, RangeReader, Recipient, armor},
    key, pem, pkcs8, sec1, signature, spki,
};

/// Everything that reads bytes; what it answers does not matter here.
fn read_everything(bytes: &[u8], key: &PrivateKey) {
    let _ = key::read_key(bytes).map(|_| ());
    let _ = key::read_private_key_with(bytes, b"x").map(|_| ());
    let _ = key::read_public_key(bytes);
    let _ = pem::blocks(bytes).map(|_| ());
    let _ = pkcs8::read(bytes).map(|_| ());
    let _ = sec1::read(bytes).map(|_| ());
    let _ = spki::read(bytes);
    let _ = signature::read(bytes);
    let _ = signature::read_der(bytes);
    let _ = signature::read_raw(bytes);
    let _ = ciphertext::decrypt_auto(bytes, key);
    let _ = ciphertext::read(bytes, CiphertextFormat::C1C2C3);
    let _ = container::open(bytes, &mut Vec::new(), key);
    let _ = container::open(bytes, &mut Vec::new(), Identity::Passphrase(b"x"));
    let _ = part(bytes, key);
}

fn part(bytes: &[u8], key: &PrivateKey) -> shangmi_pki::Result<u64> {
    let header = Header::read(bytes)?;
    let payload = header.unlock(key)?;
    RangeReader::new(Cursor::new(bytes), &header, payload)?.copy(1..3, &mut Vec::new())
}

static VALID_FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(valid_files);

/// One valid file of every kind. The encrypted key is one of few iterations.
fn valid_files() -> Vec<Vec<u8>> {
    let (key, mut rng) = (standard_key(), TestRng::default());
    let public = key.public_key();
    let mut files = vec![hex(FEW_ITERATIONS)];
    for form in [
        KeyFormat::Pkcs8Pem,
        KeyFormat::Pkcs8Der,
        KeyFormat::Sec1Pem,
        KeyFormat::Sec1Der,
    ] {
        files.push(key::write_private_key(&key, form).unwrap().to_vec());
    }
    for form in [
        KeyFormat::SpkiPem,
        KeyFormat::SpkiDer,
        KeyFormat::Hex,
        KeyFormat::RawCompressed,
    ] {
        files.push(key::write_public_key(public, form).unwrap());
    }
    let (signature, _) = signature::read(&[0x81; 64]).unwrap();
    files.push(signature::write(&signature, SignatureFormat::Der));
    for form in [
        CiphertextFormat::Der,
        CiphertextFormat::C1C3C2,
        CiphertextFormat::BareC1C2C3,
    ] {
        files.push(ciphertext::encrypt(public, b"some plaintext", form, &mut rng).unwrap());
    }
    let passphrase = Passphrase::new(b"x").and_then(|p| p.with_iterations(1000));
    let to = [
        Recipient::Sm2(*public),
        Recipient::Sm2Hidden(*public),
        Recipient::Passphrase(passphrase.unwrap()),
    ];
    let mut sealed = Vec::new();
    container::seal(&b"some content"[..], &mut sealed, &to, &mut rng).unwrap();
    let mut text = armor::Writer::new(Vec::new()).unwrap();
    text.write_all(&sealed).unwrap();
    files.extend([sealed, text.finish().unwrap()]);
    files
}

/// `EncryptedPrivateKeyInfo`: HMAC-SM3, 1 iteration, SM4-CBC; salt, IV and data are 16 digits each.
const FEW_ITERATIONS: &str = "3070305c06092a864886f70d01050d304f302f06092a864886f70d01050c3022041030313233343536373839\
    616263646566020101300b06092a811ccf5501831102301c06082a811ccf5501680204103031323334353637\
    3839616263646566041030313233343536373839616263646566";

/// Sets a byte, removes bytes, doubles bytes, or appends some.
fn damage(file: &mut Vec<u8>, at: Index, how: u8, byte: u8, more: &[u8]) {
    let at = at.index(file.len());
    match how % 4 {
        0 => file[at] = byte,
        1 => drop(file.drain(at..file.len().min(at + 1 + usize::from(byte) / 16))),
        2 => file.extend_from_slice(more),
        _ => {
            let tail = file.split_off(at);
            file.extend_from_slice(more);
            file.extend(tail);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn random_bytes(bytes in vec(any::<u8>(), 0..400)) {
        read_everything(&bytes, &standard_key());
    }

    #[test]
    fn random_tlv(tags in vec((prop::sample::select(vec![2_u8, 3, 4, 5, 6, 0x30, 0xa0, 0xa1]),
                               vec(any::<u8>(), 0..40)), 0..8)) {
        let mut inner = Vec::new();
        for (tag, value) in tags {
            inner.extend([tag, u8::try_from(value.len()).unwrap()]);
            inner.extend(value);
        }
        let mut outer = vec![0x30, 0x82];
        outer.extend(u16::try_from(inner.len()).unwrap().to_be_bytes());
        read_everything(&[&outer[..], &inner].concat(), &standard_key());
        read_everything(&inner, &standard_key());
    }

    #[test]
    fn damaged_files(which in any::<Index>(), at in any::<Index>(), how in any::<u8>(),
                     byte in any::<u8>(), more in vec(any::<u8>(), 1..5)) {
        let mut file = which.get(&VALID_FILES).clone();
        damage(&mut file, at, how, byte, &more);
        read_everything(&file, &standard_key());
    }
}

#[test]
fn the_files_to_be_damaged_are_valid() {
    let key = standard_key();
    assert!(matches!(
        key::read_private_key(&VALID_FILES[0]),
        Err(shangmi_pki::Error::PassphraseNeeded)
    ));
    for file in &VALID_FILES[1..] {
        let fits = key::read_key(file).is_ok()
            || signature::read(file).is_ok()
            || ciphertext::decrypt_auto(file, &key).is_ok()
            || container::open(&file[..], &mut Vec::new(), &key).is_ok();
        assert!(fits);
    }
}
