//! SM3 against the standard's examples and OpenSSL's values, whole and in pieces.
use std::io::Write as _;

use proptest::prelude::*;
use serde::Deserialize;
use shangmi::Error;
use shangmi::sm3::{DIGEST_LEN, MultiSm3, Sm3, digest, digest_compact, digest_many, many_backend};

#[derive(Deserialize)]
struct Row {
    length: usize,
    digest: String,
}

fn rows() -> Vec<Row> {
    let json = include_str!("../../../testdata/openssl/sm3_digest.json");
    serde_json::from_str(json).expect("rows of length and digest")
}

/// Bytes with period 251: no block looks like its neighbour.
fn painted(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i % 251) as u8).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn examples_of_the_standard() {
    assert_eq!(
        hex(&digest(b"abc")),
        "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"
    );
    assert_eq!(
        hex(&digest(&b"abcd".repeat(16))),
        "debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732"
    );
}

#[test]
fn the_compact_digest_is_the_same() {
    for length in [0, 1, 55, 56, 63, 64, 65, 1000] {
        let message = painted(length);
        assert_eq!(digest_compact(&message), digest(&message), "{length} bytes");
    }
}

#[test]
fn lengths_around_every_boundary() {
    let rows = rows();
    assert!((0..=300).all(|length| rows.iter().any(|row| row.length == length)));
    for row in rows {
        assert_eq!(
            hex(&digest(&painted(row.length))),
            row.digest,
            "{} bytes",
            row.length
        );
    }
}

#[test]
fn pieces_of_every_size() {
    for length in 0..=300 {
        let message = painted(length);
        let whole = digest(&message);
        for size in 1..=length {
            let mut hash = Sm3::new();
            message.chunks(size).for_each(|piece| hash.update(piece));
            assert_eq!(hash.finalize(), whole, "{length} bytes in pieces of {size}");
        }
    }
}

#[test]
fn any_offset_in_memory() {
    let memory = painted(64 + 1000);
    let whole = digest(&memory[..1000]);
    for offset in 1..64 {
        let mut copy = vec![0xff; offset];
        copy.extend_from_slice(&memory[..1000]);
        assert_eq!(digest(&copy[offset..]), whole, "offset {offset}");
    }
}

#[test]
fn length_beyond_32_bits() {
    // `head -c 536870913 /dev/zero | openssl dgst -sm3`: 2^32 + 8 bits.
    let zeros = vec![0; 1 << 20];
    let mut hash = Sm3::new();
    (0..512).for_each(|_| hash.update(&zeros));
    hash.update(&[0]);
    assert_eq!(
        hex(&hash.finalize()),
        "1860c1d3654409dd1bbc7aea48889ae732d3aa767f282add9cea59a059fc6d1f"
    );
}

#[test]
fn three_hundred_mebibytes_of_zeros() {
    // `head -c 314572800 /dev/zero | openssl dgst -sm3`
    let zeros = vec![0; 1 << 20];
    let mut hash = Sm3::new();
    (0..300).for_each(|_| hash.update(&zeros));
    assert_eq!(
        hex(&hash.finalize()),
        "1e41330fd8938bb94817c9680006a3accc22e856f9bf5a3396bff3bc4b1806fa"
    );
}

#[test]
fn reset_begins_anew() {
    let mut hash = Sm3::default();
    hash.update(&painted(100));
    assert_eq!(hash.finalize_reset(), digest(&painted(100)));
    hash.update(b"abc");
    assert_eq!(hash.clone().finalize(), digest(b"abc"));
    hash.reset();
    assert_eq!(hash.finalize(), digest(b""));
}

#[test]
fn a_clone_is_independent() {
    let mut hash = Sm3::new();
    hash.update(&painted(70));
    let mut other = hash.clone();
    other.update(b"more");
    assert_eq!(hash.finalize(), digest(&painted(70)));
    assert_ne!(other.finalize(), digest(&painted(70)));
}

#[test]
fn write_is_update() {
    let mut hash = Sm3::new();
    std::io::copy(&mut painted(1000).as_slice(), &mut hash).unwrap();
    hash.flush().unwrap();
    assert_eq!(hash.finalize(), digest(&painted(1000)));
}

#[test]
fn many_messages() {
    let messages: Vec<_> = (0..200).map(|i| painted(i * 7 % 300)).collect();
    let slices: Vec<_> = messages.iter().map(Vec::as_slice).collect();
    let mut digests = vec![[0; DIGEST_LEN]; slices.len()];
    digest_many(&slices, &mut digests).unwrap();
    for (message, found) in slices.iter().zip(&digests) {
        assert_eq!(*found, digest(message), "{} bytes", message.len());
    }
}

#[test]
fn many_messages_need_as_many_digests() {
    let mut digests = [[7; DIGEST_LEN]; 3];
    assert!(matches!(
        digest_many(&[b"a", b"b"], &mut digests),
        Err(Error::InvalidLength {
            expected: 64,
            found: 96,
            ..
        })
    ));
    assert!(digest_many(&[b"a"], &mut []).is_err());
    assert_eq!(digests, [[7; DIGEST_LEN]; 3]);
    digest_many(&[], &mut []).unwrap();
}

#[test]
fn debug_hides_the_state() {
    let mut hash = Sm3::new();
    hash.update(b"secret");
    let text = format!("{hash:?}");
    assert_eq!(text, format!("Sm3 {{ backend: {:?}, .. }}", hash.backend()));
    let mut many = MultiSm3::<2>::new();
    many.update(&[b"secret", b"another"]);
    let expected = format!(
        "MultiSm3 {{ streams: 2, backend: {:?}, .. }}",
        many_backend()
    );
    assert_eq!(format!("{many:?}"), expected);
}

#[test]
fn hasher_is_small() {
    // 32 of state, 64 of block, 8 of length, and the backend.
    assert!(size_of::<Sm3>() <= 112, "{} bytes", size_of::<Sm3>());
    // As its documentation says, 104 a stream; and the code paths.
    assert!(size_of::<MultiSm3<32>>() <= 32 * 104 + 8);
}

#[test]
fn hasher_crosses_threads() {
    fn check<T: Send + Sync + Unpin>() {}
    check::<Sm3>();
    check::<MultiSm3<4>>();
}

proptest! {
    #[test]
    fn any_split(message in proptest::collection::vec(any::<u8>(), 0..2000),
                 cuts in proptest::collection::vec(0_usize..400, 0..12)) {
        let mut hash = Sm3::new();
        let mut rest = message.as_slice();
        for cut in cuts {
            let (piece, later) = rest.split_at(cut.min(rest.len()));
            hash.update(piece);
            rest = later;
        }
        hash.update(rest);
        prop_assert_eq!(hash.finalize(), digest(&message));
    }
}
