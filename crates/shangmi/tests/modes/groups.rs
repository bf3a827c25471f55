//! GCM and CTR where many blocks are taken together: around the groups' sizes, at any address, and where the
//! counter wraps.
use crate::common::{hex, painted};
use reference::sm4::{Sm4 as Book, Stage, modes as book};
use shangmi::{
    Error,
    modes::{
        ctr::{Ctr, Ctr32},
        gcm::Sm4Gcm,
    },
    sm4::{Block, Sm4},
};

const KEY: [u8; 16] = *b"\x01\x23\x45\x67\x89\xab\xcd\xef\xfe\xdc\xba\x98\x76\x54\x32\x10";

/// Around every number of blocks at which another path begins, with every rest of a block at one of them.
fn lengths() -> impl Iterator<Item = usize> {
    let around = [4, 8, 16, 32, 48, 64, 80, 96, 128, 192, 320]
        .into_iter()
        .flat_map(|blocks| [-16, -1, 0, 1, 16].map(|step| (16 * blocks as isize + step) as usize));
    around.chain(16 * 64..16 * 65)
}

#[test]
fn gcm_around_the_groups() {
    let (gcm, book) = (Sm4Gcm::new(&KEY), Book::new(&KEY, Stage::TTable));
    for (i, length) in lengths().enumerate() {
        let (nonce, aad) = (painted(i, 12), painted(i, i * 7 % 300));
        let plain = painted(i, length);
        let (sealed, expected) = book::gcm::encrypt(&book, &nonce, &aad, &plain).unwrap();
        let mut data = plain.clone();
        let tag = gcm.seal_in_place(&nonce, &aad, &mut data).unwrap();
        let name = (gcm.backend(), gcm.hash_backend());
        assert_eq!(hex(&data), hex(&sealed), "{name:?}: {length} bytes");
        assert_eq!(hex(&tag), hex(&expected), "{name:?}: {length} bytes");
        gcm.open_in_place(&nonce, &aad, &mut data, &tag).unwrap();
        assert_eq!(hex(&data), hex(&plain), "{name:?}: {length} bytes back");
    }
}

/// Values of OpenSSL 4.0.3: bytes of nonce, associated data and plaintext, tag, end of the ciphertext.
const OPENSSL: [(usize, usize, usize, &str, &str); 4] = [
    (
        12,
        0,
        1024,
        "d75adc81be1350b67e6a1967dcb9e01c",
        "2a55ac85751c6bac",
    ),
    (
        12,
        20,
        2064,
        "bb7f37b9f26c0c666a07e445889bdea7",
        "7e9189f433820e4b",
    ),
    (
        12,
        20,
        8199,
        "253530da5804416529ff71fe691293e3",
        "f136de85b71f1c72",
    ),
    (
        60,
        300,
        100_000,
        "09f2ebc958bc0296f3002fedf8821095",
        "391bf783c173835c",
    ),
];

#[test]
fn long_gcm_of_openssl() {
    let gcm = Sm4Gcm::new(&KEY);
    for (nonce, aad, length, expected, end) in OPENSSL {
        // Nonce, associated data and plaintext begin at different places.
        let nonce = painted(if nonce == 60 { 5 } else { 0 }, nonce);
        let aad = painted(if aad == 300 { 2 } else { 1 }, aad);
        let mut data = painted(7, length);
        let tag = gcm.seal_in_place(&nonce, &aad, &mut data).unwrap();
        assert_eq!(hex(&data[length - 8..]), end, "{length} bytes");
        assert_eq!(hex(&tag), expected, "{length} bytes");
    }
}

#[test]
fn gcm_at_any_offset() {
    let gcm = Sm4Gcm::new(&KEY);
    let plain = painted(3, 16 * 130 + 5);
    let mut sealed = plain.clone();
    let tag = gcm.seal_in_place(b"nonce", b"", &mut sealed).unwrap();
    let mut memory = vec![0xee; 64 + plain.len() + 1];
    for offset in 0..64 {
        let part = &mut memory[offset..offset + plain.len()];
        part.copy_from_slice(&plain);
        assert_eq!(gcm.seal_in_place(b"nonce", b"", part).unwrap(), tag);
        assert!(part == sealed, "sealed at offset {offset}");
        gcm.open_in_place(b"nonce", b"", part, &tag).unwrap();
        assert!(part == plain, "opened at offset {offset}");
        memory[offset] = 0xee;
        memory[offset + 1..][..plain.len()].fill(0xee);
        assert!(memory.iter().all(|&byte| byte == 0xee), "wrote elsewhere");
    }
}

/// The nonce of 16 bytes that makes `counter` the initial counter block: ((nonce H) + 128) H = counter.
fn nonce_for(counter: &Block) -> Block {
    let mut h = Block::default();
    Sm4::new(&KEY).encrypt_block(&mut h);
    // H^(2^128 - 2), the product of H^2, H^4, ..., is its inverse.
    let mut square = book::gcm::multiply(&h, &h);
    let mut inverse = square;
    for _ in 2..128 {
        square = book::gcm::multiply(&square, &square);
        inverse = book::gcm::multiply(&inverse, &square);
    }
    let mut sum = book::gcm::multiply(counter, &inverse);
    sum[15] ^= 128;
    book::gcm::multiply(&sum, &inverse)
}

#[test]
fn gcm_where_the_counter_wraps() {
    let (gcm, book) = (Sm4Gcm::new(&KEY), Book::new(&KEY, Stage::TTable));
    for before in [
        0, 1, 2, 3, 62, 63, 64, 65, 66, 67, 127, 128, 129, 130, 193, 257,
    ] {
        let mut counter = [0xff; 16];
        counter[12..].copy_from_slice(&0_u32.wrapping_sub(before).to_be_bytes());
        let nonce = nonce_for(&counter);
        let plain = painted(before as usize, 16 * 260 + 7);
        let (sealed, expected) = book::gcm::encrypt(&book, &nonce, b"aad", &plain).unwrap();
        let mut data = plain.clone();
        let tag = gcm.seal_in_place(&nonce, b"aad", &mut data).unwrap();
        assert_eq!(hex(&data), hex(&sealed), "{before} blocks before the wrap");
        assert_eq!(tag, expected, "{before} blocks before the wrap");
        gcm.open_in_place(&nonce, b"aad", &mut data, &tag).unwrap();
        assert_eq!(hex(&data), hex(&plain), "{before} blocks before the wrap");
    }
}

/// Every carry into the second byte of the counter, and some into the others.
#[test]
fn ctr_from_any_counter() {
    let cipher = Sm4::new(&KEY);
    let numbers = (0..=256).chain([
        0xffc0,
        0xffff,
        0xff_ffc1,
        0xffff_ffa0,
        0xffff_ffc0,
        u32::MAX,
    ]);
    for number in numbers {
        let front = u128::from_be_bytes([0xff; 16]) << 32;
        let first = front | u128::from(number);
        let stream = |next: &dyn Fn(u128) -> u128| {
            let mut blocks: Vec<_> = (0..130).map(|i| next(i).to_be_bytes()).collect();
            cipher.encrypt_blocks(&mut blocks);
            hex(blocks.as_flattened())
        };
        let mut data = vec![0; 16 * 130];
        let mut ctr = Ctr::new(&cipher, &first.to_be_bytes());
        ctr.apply_in_place(&mut data).unwrap();
        let expected = stream(&|i| first.wrapping_add(i));
        assert_eq!(hex(&data), expected, "128 bits from {number:08x}");

        data.fill(0);
        let mut ctr = Ctr32::new(&cipher, &first.to_be_bytes());
        ctr.apply_in_place(&mut data).unwrap();
        let expected = stream(&|i| front | u128::from(number.wrapping_add(i as u32)));
        assert_eq!(hex(&data), expected, "32 bits from {number:08x}");
    }
}

/// A change in any block is seen, and nothing of the plaintext is left.
#[test]
fn gcm_hashes_every_block() {
    let gcm = Sm4Gcm::new(&KEY);
    let mut sealed = painted(0, 16 * 200 + 3);
    let tag = gcm.seal_in_place(b"nonce", b"", &mut sealed).unwrap();
    for at in (0..sealed.len()).step_by(16) {
        let mut data = sealed.clone();
        data[at] ^= 0x10;
        let opened = gcm.open_in_place(b"nonce", b"", &mut data, &tag);
        assert_eq!(opened, Err(Error::DecryptFailed), "byte {at}");
        assert!(data.iter().all(|&byte| byte == 0), "byte {at}");
    }
}
