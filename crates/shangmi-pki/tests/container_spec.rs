//! A second reader of sealed files, written from `docs/container.md` and not from the first one;
//! and the test vector, which keeps the format from changing unnoticed.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use common::{TestRng, cases, hex, private_key, standard_key};
use serde::Deserialize;
use shangmi::{
    modes::gcm::Sm4Gcm,
    sm2::{self, Ciphertext, PrivateKey, PublicKey},
    sm3::{self, hkdf, hmac},
};
use shangmi_pki::container::{Recipient, open, seal};

/// The file key from a stanza of type 1.
fn file_key(body: &[u8], key: &PrivateKey) -> Option<[u8; 32]> {
    let id = &sm3::digest(&key.public_key().to_uncompressed())[..8];
    assert_eq!(body.len(), 137);
    if &body[..8] != id && body[..8] != [0; 8] {
        return None;
    }
    let c1 = PublicKey::from_sec1(&body[8..73]).ok()?;
    let ciphertext = Ciphertext {
        c1,
        c3: body[73..105].try_into().unwrap(),
        c2: &body[105..],
    };
    let mut file_key = [0; 32];
    sm2::decrypt(key, &ciphertext, &mut file_key).ok()?;
    Some(file_key)
}

fn read_by_the_page(file: &[u8], key: &PrivateKey) -> Vec<u8> {
    assert_eq!(file[..9], *b"\x8FSMSEAL\x0a\x01");
    let mut at = 10;
    let mut found = None;
    for _ in 0..file[9] {
        let number = |at: usize| usize::from(file[at]) << 8 | usize::from(file[at + 1]);
        let (kind, len) = (number(at), number(at + 2));
        let body = &file[at + 4..at + 4 + len];
        at += 4 + len;
        if kind == 1 {
            found = found.or_else(|| file_key(body, key));
        }
    }
    let (salt, mac) = (&file[at..at + 32], &file[at + 32..at + 64]);
    let prk = hkdf::extract(salt, &found.expect("a stanza for this key"));
    let (mut header_key, mut okm) = ([0; 32], [0; 28]);
    hkdf::expand(&prk, b"shangmi sealed file 1 header", &mut header_key).unwrap();
    hkdf::expand(&prk, b"shangmi sealed file 1 payload", &mut okm).unwrap();
    assert_eq!(hmac::hmac(&header_key, &file[..at + 32])[..], *mac);

    let cipher = Sm4Gcm::new(okm[..16].try_into().unwrap());
    let mut content = Vec::new();
    let chunks: Vec<_> = file[at + 64..].chunks(65_552).collect();
    for (i, chunk) in chunks.iter().enumerate() {
        let mut nonce = [0; 12];
        nonce[7..11].copy_from_slice(&u32::try_from(i).unwrap().to_be_bytes());
        nonce[11] = u8::from(i + 1 == chunks.len());
        nonce
            .iter_mut()
            .zip(&okm[16..])
            .for_each(|(n, iv)| *n ^= iv);
        let (data, tag) = chunk.split_last_chunk().unwrap();
        let mut data = data.to_vec();
        cipher.open_in_place(&nonce, &[], &mut data, tag).unwrap();
        content.extend(data);
    }
    content
}

#[test]
fn a_reader_written_from_the_page_reads_our_files() {
    let (key, other) = (standard_key(), private_key(&format!("{:064x}", 7)));
    let to = [
        Recipient::Sm2(*other.public_key()),
        Recipient::Sm2Hidden(*key.public_key()),
    ];
    for len in [0, 1, 65_536, 65_537, 200_000] {
        let content: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
        let mut file = Vec::new();
        seal(&content[..], &mut file, &to, &mut TestRng::default()).unwrap();
        assert!(read_by_the_page(&file, &key) == content, "{len}");
        assert!(read_by_the_page(&file, &other) == content, "{len}");
    }
}

#[derive(Deserialize)]
struct Vector {
    private_keys: Vec<String>,
    content: String,
    sealed: String,
}

#[test]
fn files_of_version_1_stay_readable() {
    for vector in cases::<Vector>(include_str!("../../../testdata/container/v1.json")) {
        let sealed = hex(&vector.sealed);
        for key in vector.private_keys.iter().map(|digits| private_key(digits)) {
            let mut content = Vec::new();
            open(&sealed[..], &mut content, &key).unwrap();
            assert_eq!(content, hex(&vector.content));
            assert_eq!(read_by_the_page(&sealed, &key), content);
        }
    }
}
