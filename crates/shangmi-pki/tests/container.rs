//! Sealed files: round trips, and every way to change one.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use std::io::{self, Read};

use common::{TestRng, private_key, standard_key};
use shangmi::sm2::PrivateKey;
use shangmi_pki::{
    Error,
    container::{
        CHUNK_LEN, Header, MAGIC, MAX_RECIPIENTS, Place, Recipient, TAG_LEN, key_id, open, seal,
    },
};

const SEALED_CHUNK: usize = CHUNK_LEN + TAG_LEN;

fn other_key() -> PrivateKey {
    private_key(&format!("{:064x}", 7))
}

fn content(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

fn sealed(content: &[u8], recipients: &[Recipient], rng: &mut TestRng) -> Vec<u8> {
    let mut out = Vec::new();
    assert_eq!(
        seal(content, &mut out, recipients, rng).unwrap(),
        content.len() as u64
    );
    out
}

fn sealed_for(key: &PrivateKey, content: &[u8]) -> Vec<u8> {
    sealed(
        content,
        &[Recipient::Sm2(*key.public_key())],
        &mut TestRng::default(),
    )
}

/// What came out, and how it ended.
fn opened(file: &[u8], key: &PrivateKey) -> (Vec<u8>, Result<u64, Error>) {
    let mut out = Vec::new();
    let result = open(file, &mut out, key);
    (out, result)
}

fn header_len(file: &[u8]) -> usize {
    Header::read(file).unwrap().len()
}

/// The header, and the chunks with their tags.
fn parts(file: &[u8]) -> (&[u8], Vec<&[u8]>) {
    let (header, payload) = file.split_at(header_len(file));
    (header, payload.chunks(SEALED_CHUNK).collect())
}

fn joined(header: &[u8], chunks: &[&[u8]]) -> Vec<u8> {
    [&[header], chunks].concat().concat()
}

#[test]
fn content_of_every_length_around_the_chunks_comes_back() {
    let key = standard_key();
    let c = CHUNK_LEN;
    for len in [
        0,
        1,
        15,
        16,
        17,
        c - 1,
        c,
        c + 1,
        2 * c - 1,
        2 * c,
        2 * c + 1,
        3 * c + 7,
    ] {
        let content = content(len);
        let file = sealed_for(&key, &content);
        let chunks = len.div_ceil(c).max(1);
        assert_eq!(file.len(), header_len(&file) + len + chunks * TAG_LEN);
        let (out, result) = opened(&file, &key);
        assert_eq!(result.unwrap(), len as u64);
        assert!(out == content, "{len}");
    }
}

#[test]
fn the_size_of_reads_does_not_matter() {
    /// Gives up to `step` bytes at a time, and is interrupted now and then.
    struct Slow<'a>(&'a [u8], usize, bool);
    impl Read for Slow<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            self.2 = !self.2;
            if self.2 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let len = self.1.min(out.len());
            self.0.read(&mut out[..len])
        }
    }
    let (key, content) = (standard_key(), content(2 * CHUNK_LEN));
    let expected = sealed_for(&key, &content);
    for step in [997, CHUNK_LEN - 1, CHUNK_LEN, CHUNK_LEN + 1] {
        let mut file = Vec::new();
        let to = [Recipient::Sm2(*key.public_key())];
        seal(
            Slow(&content, step, false),
            &mut file,
            &to,
            &mut TestRng::default(),
        )
        .unwrap();
        assert!(file == expected, "{step}");
        let mut out = Vec::new();
        open(Slow(&file, step, false), &mut out, &key).unwrap();
        assert!(out == content, "{step}");
    }
}

#[test]
fn a_file_cut_anywhere_is_noticed() {
    let key = standard_key();
    for content in [&b"small content"[..], b""] {
        let file = sealed_for(&key, content);
        let header = header_len(&file);
        for len in 0..file.len() {
            let (out, result) = opened(&file[..len], &key);
            let error = result.unwrap_err();
            assert!(out.is_empty());
            match error {
                Error::NotSealed => assert_eq!(len, 0),
                Error::HeaderTruncated => assert!((1..header).contains(&len)),
                Error::Truncated => assert!((header..header + TAG_LEN).contains(&len)),
                Error::Tampered { index: 0 } => assert!(len >= header + TAG_LEN),
                error => panic!("cut at {len}: {error}"),
            }
        }
    }
}

#[test]
fn a_file_cut_between_chunks_is_called_cut() {
    let key = standard_key();
    let content = content(3 * CHUNK_LEN);
    let file = sealed_for(&key, &content);
    for chunks in 0..3 {
        let (out, result) = opened(&file[..header_len(&file) + chunks * SEALED_CHUNK], &key);
        assert!(matches!(result, Err(Error::Truncated)), "{chunks}");
        assert!(out == content[..chunks.saturating_sub(1) * CHUNK_LEN]);
    }
}

#[test]
fn every_flipped_bit_is_noticed() {
    let key = standard_key();
    let file = sealed_for(&key, b"small content");
    let header = header_len(&file);
    for at in 0..file.len() {
        for bit in 0..8 {
            let mut changed = file.clone();
            changed[at] ^= 1 << bit;
            let (out, result) = opened(&changed, &key);
            assert!(out.is_empty(), "byte {at}");
            match result.unwrap_err() {
                Error::NotSealed => assert!(at < MAGIC.len()),
                Error::UnsupportedVersion { .. } => assert_eq!(at, MAGIC.len()),
                // The number of stanzas, a length, a type, an ID.
                Error::Malformed { .. } | Error::HeaderTruncated => assert!((9..14).contains(&at)),
                Error::NotForThisKey => assert!((10..22).contains(&at), "byte {at}"),
                Error::HeaderTampered => assert!((14..header).contains(&at), "byte {at}"),
                Error::Tampered { index: 0 } => assert!(at >= header, "byte {at}"),
                error => panic!("byte {at}: {error}"),
            }
        }
    }
}

#[test]
fn moved_doubled_missing_and_appended_chunks_are_noticed() {
    let key = standard_key();
    let file = sealed_for(&key, &content(3 * CHUNK_LEN + 100));
    let (header, c) = parts(&file);
    let first_bad = [
        (vec![c[1], c[0], c[2], c[3]], 0),
        (vec![c[0], c[2], c[1], c[3]], 1),
        (vec![c[0], c[0], c[1], c[2], c[3]], 1),
        (vec![c[0], c[1], c[3]], 2),
        (vec![c[1], c[2], c[3]], 0),
        (vec![c[3]], 0),
        (vec![c[0], c[1], c[2], c[3], &[0]], 3),
        (vec![c[0], c[1], c[2], c[3], c[3]], 3),
        (vec![c[0], c[1], c[2], &c[3][..50]], 3),
    ];
    for (chunks, bad) in first_bad {
        let (out, result) = opened(&joined(header, &chunks), &key);
        let error = result.unwrap_err();
        assert!(
            matches!(error, Error::Tampered { index } if index == bad),
            "{bad}: {error}"
        );
        assert_eq!(out.len() as u64, bad * CHUNK_LEN as u64);
        assert!(error.is_negative());
    }
    let full = sealed_for(&key, &content(CHUNK_LEN));
    for more in [&[0; 1][..], &[0; TAG_LEN], &[0; SEALED_CHUNK]] {
        let (out, result) = opened(&[&full, more].concat(), &key);
        assert!(matches!(result, Err(Error::Tampered { index: 0 })) && out.is_empty());
    }
}

#[test]
fn headers_and_chunks_of_two_files_do_not_mix() {
    let (key, mut rng) = (standard_key(), TestRng::default());
    let to = [Recipient::Sm2(*key.public_key())];
    let content = content(2 * CHUNK_LEN);
    let (one, two) = (
        sealed(&content, &to, &mut rng),
        sealed(&content, &to, &mut rng),
    );
    let ((h1, c1), (h2, c2)) = (parts(&one), parts(&two));
    assert!(c1[0] != c2[0], "the same content must not look the same");
    for file in [joined(h2, &c1), joined(h1, &[c2[0], c1[1]])] {
        assert!(matches!(
            opened(&file, &key).1,
            Err(Error::Tampered { index: 0 })
        ));
    }
    assert!(matches!(
        opened(&joined(h1, &[c1[0], c2[1]]), &key).1,
        Err(Error::Tampered { index: 1 })
    ));
    // A stanza of one file in the other: the right key opens it, the MAC does not match.
    let mut mixed = h1.to_vec();
    mixed[10..10 + 4 + 137].copy_from_slice(&h2[10..10 + 4 + 137]);
    assert!(matches!(
        opened(&joined(&mixed, &c1), &key).1,
        Err(Error::HeaderTampered)
    ));
}

#[test]
fn each_of_several_recipients_can_open() {
    let keys: Vec<_> = (2..12).map(|d| private_key(&format!("{d:064x}"))).collect();
    let recipients: Vec<_> = keys
        .iter()
        .enumerate()
        .map(|(i, key)| match i % 2 {
            0 => Recipient::Sm2(*key.public_key()),
            _ => Recipient::Sm2Hidden(*key.public_key()),
        })
        .collect();
    let file = sealed(b"for all", &recipients, &mut TestRng::default());
    for key in &keys {
        assert_eq!(opened(&file, key).0, b"for all");
    }
    let error = opened(&file, &standard_key()).1.unwrap_err();
    assert!(matches!(error, Error::NotForThisKey) && error.is_negative());
}

#[test]
fn a_hidden_recipient_leaves_no_id() {
    let key = standard_key();
    let id = key_id(key.public_key());
    let has_id = |file: &[u8]| file.windows(id.len()).any(|window| window == id);
    assert!(has_id(&sealed_for(&key, b"x")));
    let hidden = [Recipient::Sm2Hidden(*key.public_key())];
    let file = sealed(b"x", &hidden, &mut TestRng::default());
    assert!(!has_id(&file));
    assert!(matches!(
        opened(&file, &other_key()).1,
        Err(Error::NotForThisKey)
    ));
}

#[test]
fn the_number_of_recipients_is_limited() {
    let recipient = Recipient::Sm2(*standard_key().public_key());
    for count in [0, MAX_RECIPIENTS + 1] {
        let mut out = Vec::new();
        let to = vec![recipient.clone(); count];
        let error = seal(&b""[..], &mut out, &to, &mut TestRng::default()).unwrap_err();
        assert!(matches!(error, Error::Limit { .. }));
        assert!(out.is_empty());
    }
    let file = sealed(
        b"x",
        &vec![recipient; MAX_RECIPIENTS],
        &mut TestRng::default(),
    );
    assert_eq!(opened(&file, &standard_key()).0, b"x");
}

#[test]
fn what_is_not_a_sealed_file_is_said_to_be_none() {
    let key = standard_key();
    for file in [
        &b""[..],
        b"text",
        b"\x30\x82\x01\x00",
        &[0; 500],
        b"\x8fSMSEAL\r\n",
    ] {
        let error = opened(file, &key).1.unwrap_err();
        assert!(
            matches!(error, Error::NotSealed) && !error.is_negative(),
            "{file:?}: {error}"
        );
    }
    for found in [0, 2, 255] {
        let file = [&MAGIC[..], &[found], &[1; 300]].concat();
        let error = opened(&file, &key).1.unwrap_err();
        assert!(matches!(error, Error::UnsupportedVersion { found: f } if f == found));
    }
}

#[test]
fn chunks_can_be_opened_alone_and_in_any_order() {
    let key = standard_key();
    let content = content(2 * CHUNK_LEN + 10);
    let file = sealed_for(&key, &content);
    let header = Header::read(&file[..]).unwrap();
    let payload = header.unlock(&key).unwrap();
    for (index, place) in [(2, Place::Last), (0, Place::Middle), (1, Place::Middle)] {
        let start = header.len() + index * SEALED_CHUNK;
        let mut chunk = file[start..file.len().min(start + SEALED_CHUNK)].to_vec();
        let plain = payload.open_chunk(index as u64, place, &mut chunk).unwrap();
        assert!(plain == &content[index * CHUNK_LEN..][..plain.len()]);
    }
    let mut chunk = file[header.len()..][..SEALED_CHUNK].to_vec();
    assert!(payload.open_chunk(0, Place::Last, &mut chunk).is_err());
    assert!(
        chunk[..CHUNK_LEN].iter().all(|&b| b == 0),
        "what fails is wiped"
    );
}

#[test]
fn chunks_that_the_format_does_not_allow_are_neither_made_nor_read() {
    let key = standard_key();
    let to = [Recipient::Sm2(*key.public_key())];
    let (_, payload) = Header::create(&to, &mut TestRng::default()).unwrap();
    let bad = |index, place, len| {
        payload
            .seal_chunk(index, place, &mut vec![0; len])
            .unwrap_err()
    };
    assert!(matches!(
        bad(0, Place::Middle, CHUNK_LEN - 1),
        Error::Malformed { .. }
    ));
    assert!(matches!(
        bad(0, Place::Last, CHUNK_LEN + 1),
        Error::Malformed { .. }
    ));
    assert!(matches!(bad(1, Place::Last, 0), Error::Malformed { .. }));
    assert!(matches!(bad(1 << 32, Place::Last, 1), Error::Limit { .. }));
    let mut last = vec![1; 5];
    let tag = payload
        .seal_chunk((1 << 32) - 1, Place::Last, &mut last)
        .unwrap();
    last.extend(tag);
    assert_eq!(
        payload
            .open_chunk((1 << 32) - 1, Place::Last, &mut last)
            .unwrap(),
        [1; 5]
    );
}
