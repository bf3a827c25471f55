//! Each mode against `reference`, at all boundary lengths, in place, from buffer to buffer, in pieces
//! and at odd addresses.
use crate::common::{array, hex, lengths, painted};
use reference::sm4::{Sm4 as Book, Stage, modes as book};
use shangmi::{
    Error, Result,
    modes::{cbc, cfb, ctr, ecb, ofb, xts},
    sm4::Sm4,
};

const KEY: [u8; 16] = *b"\x01\x23\x45\x67\x89\xab\xcd\xef\xfe\xdc\xba\x98\x76\x54\x32\x10";
/// So close to the end that every longer message wraps.
const IV: [u8; 16] = [
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfa,
];

fn ciphers() -> (Sm4, Book) {
    (Sm4::new(&KEY), Book::new(&KEY, Stage::TTable))
}

/// Runs `in_place` at an odd address and returns what it made of `input`.
fn at_odd_address(input: &[u8], in_place: impl FnOnce(&mut [u8])) -> Vec<u8> {
    let mut buffer = vec![0xee; input.len() + 2];
    let data = &mut buffer[1..=input.len()];
    data.copy_from_slice(input);
    in_place(data);
    assert_eq!(
        (buffer[0], buffer[input.len() + 1]),
        (0xee, 0xee),
        "wrote past the data"
    );
    buffer[1..=input.len()].to_vec()
}

/// The pieces of a stream: cut after 1, 2, 3 ... units.
fn pieces(data: &mut [u8], unit: usize) -> impl Iterator<Item = &mut [u8]> {
    let (mut rest, mut n) = (data, 0);
    std::iter::from_fn(move || {
        n += 1;
        let (now, later) = std::mem::take(&mut rest).split_at_mut_checked(n * unit)?;
        rest = later;
        Some(now)
    })
}

/// Checks one direction of a streaming mode, whose three closures make the object and call it.
fn check_stream<T>(
    (input, expected): (&[u8], &[u8]),
    unit: usize,
    new: impl Fn() -> T,
    in_place: impl Fn(&mut T, &mut [u8]) -> Result<()>,
    to_buffer: impl Fn(&mut T, &[u8], &mut [u8]) -> Result<()>,
) {
    let length = input.len();
    let odd = at_odd_address(input, |data| in_place(&mut new(), data).unwrap());
    assert_eq!(hex(&odd), hex(expected), "{length} bytes in place");

    let mut output = vec![0xee; length];
    to_buffer(&mut new(), input, &mut output).unwrap();
    assert_eq!(hex(&output), hex(expected), "{length} bytes to a buffer");

    let (mut streamed, mut object) = (input.to_vec(), new());
    let mut done = 0;
    for piece in pieces(&mut streamed, unit) {
        done += piece.len();
        in_place(&mut object, piece).unwrap();
    }
    in_place(&mut object, &mut streamed[done..]).unwrap();
    assert_eq!(hex(&streamed), hex(expected), "{length} bytes in pieces");

    let mut short = vec![0; length + 1];
    let error = to_buffer(&mut new(), input, &mut short).unwrap_err();
    assert_eq!(
        error,
        Error::InvalidLength {
            what: "output",
            expected: length,
            found: length + 1
        }
    );
}

fn whole_blocks() -> impl Iterator<Item = usize> {
    lengths().filter(|length| length % 16 == 0)
}

#[test]
fn ecb_is_the_references() {
    let (sm4, book) = ciphers();
    for length in whole_blocks() {
        let plain = painted(3, length);
        let sealed = book::ecb_encrypt(&book, &plain).unwrap();
        let both = (plain.as_slice(), sealed.as_slice());
        let (in_place, to_buffer) = (ecb::encrypt_in_place, ecb::encrypt);
        check_stream(
            both,
            16,
            || &sm4,
            |c, d| in_place(c, d),
            |c, i, o| to_buffer(c, i, o),
        );
        let both = (both.1, both.0);
        let (in_place, to_buffer) = (ecb::decrypt_in_place, ecb::decrypt);
        check_stream(
            both,
            16,
            || &sm4,
            |c, d| in_place(c, d),
            |c, i, o| to_buffer(c, i, o),
        );
    }
}

#[test]
fn cbc_is_the_references() {
    let (sm4, book) = ciphers();
    for length in whole_blocks() {
        let plain = painted(5, length);
        let sealed = book::cbc_encrypt(&book, &IV, &plain).unwrap();
        let (new, both) = (
            || cbc::CbcEncryptor::new(&sm4, &IV),
            (&plain[..], &sealed[..]),
        );
        check_stream(
            both,
            16,
            new,
            cbc::CbcEncryptor::encrypt_in_place,
            cbc::CbcEncryptor::encrypt,
        );
        let (new, both) = (
            || cbc::CbcDecryptor::new(&sm4, &IV),
            (&sealed[..], &plain[..]),
        );
        check_stream(
            both,
            16,
            new,
            cbc::CbcDecryptor::decrypt_in_place,
            cbc::CbcDecryptor::decrypt,
        );
    }
}

#[test]
fn cfb_is_the_references() {
    let (sm4, book) = ciphers();
    for length in lengths() {
        let plain = painted(7, length);
        let sealed = book::cfb128_encrypt(&book, &IV, &plain);
        let (new, both) = (
            || cfb::CfbEncryptor::new(&sm4, &IV),
            (&plain[..], &sealed[..]),
        );
        check_stream(
            both,
            1,
            new,
            cfb::CfbEncryptor::encrypt_in_place,
            cfb::CfbEncryptor::encrypt,
        );
        let (new, both) = (
            || cfb::CfbDecryptor::new(&sm4, &IV),
            (&sealed[..], &plain[..]),
        );
        check_stream(
            both,
            1,
            new,
            cfb::CfbDecryptor::decrypt_in_place,
            cfb::CfbDecryptor::decrypt,
        );
    }
}

#[test]
fn ofb_is_the_references() {
    let (sm4, book) = ciphers();
    for length in lengths() {
        let plain = painted(9, length);
        let sealed = book::ofb_crypt(&book, &IV, &plain);
        let (new, both) = (|| ofb::Ofb::new(&sm4, &IV), (&plain[..], &sealed[..]));
        check_stream(both, 1, new, ofb::Ofb::apply_in_place, ofb::Ofb::apply);
    }
}

#[test]
fn ctr_is_the_references() {
    let (sm4, book) = ciphers();
    for length in lengths() {
        let plain = painted(11, length);
        let sealed = book::ctr_crypt(&book, &IV, &plain);
        let (new, both) = (|| ctr::Ctr::new(&sm4, &IV), (&plain[..], &sealed[..]));
        check_stream(both, 1, new, ctr::Ctr::apply_in_place, ctr::Ctr::apply);
    }
}

/// Before its wrap a 32-bit counter is the 128-bit one; after it, the first twelve bytes stay.
#[test]
fn ctr32_wraps_within_32_bits() {
    let (sm4, book) = ciphers();
    let (mut start, mut wrapped) = ([7; 16], [7; 16]);
    start[12..].copy_from_slice(&[0xff, 0xff, 0xff, 0xfe]);
    wrapped[12..].fill(0);
    for length in lengths() {
        let plain = painted(13, length);
        let (before, after) = plain.split_at(length.min(32));
        let mut sealed = book::ctr_crypt(&book, &start, before);
        sealed.extend(book::ctr_crypt(&book, &wrapped, after));
        let (new, both) = (|| ctr::Ctr32::new(&sm4, &start), (&plain[..], &sealed[..]));
        check_stream(both, 1, new, ctr::Ctr32::apply_in_place, ctr::Ctr32::apply);
    }
}

#[test]
fn counter_blocks_are_not_repeated() {
    let sm4 = Sm4::new(&KEY);
    let mut short = ctr::Ctr32::new(&sm4, &IV);
    short.skip_blocks((1 << 32) - 2).unwrap();
    let mut data = [0; 33];
    assert_eq!(
        short.apply_in_place(&mut data),
        Err(Error::CounterExhausted)
    );
    let mut output = [0; 33];
    assert_eq!(
        short.apply(&data, &mut output),
        Err(Error::CounterExhausted)
    );
    assert_eq!(
        (data, output),
        ([0; 33], [0; 33]),
        "a refused call leaves everything as it was"
    );
    short.apply_in_place(&mut data[..31]).unwrap();
    // One byte of key stream is left, and no block.
    assert_eq!(
        short.apply_in_place(&mut data[..2]),
        Err(Error::CounterExhausted)
    );
    short.apply_in_place(&mut data[..1]).unwrap();
    assert_eq!(
        short.apply_in_place(&mut data[..1]),
        Err(Error::CounterExhausted)
    );
    assert_eq!(short.skip_blocks(1), Err(Error::CounterExhausted));

    let mut long = ctr::Ctr::new(&sm4, &IV);
    long.skip_blocks(u128::MAX - 1).unwrap();
    long.apply_in_place(&mut data[..16]).unwrap();
    assert_eq!(
        long.apply_in_place(&mut data[..1]),
        Err(Error::CounterExhausted)
    );
    long.apply_in_place(&mut []).unwrap();
}

#[test]
fn skipping_is_encrypting() {
    let sm4 = Sm4::new(&KEY);
    let mut whole = painted(0, 160);
    ctr::Ctr::new(&sm4, &IV).apply_in_place(&mut whole).unwrap();
    let mut late = painted(0, 160);
    let mut stream = ctr::Ctr::new(&sm4, &IV);
    stream.apply_in_place(&mut late[..5]).unwrap();
    // The rest of the block in progress is skipped too.
    stream.skip_blocks(6).unwrap();
    stream.apply_in_place(&mut late[112..]).unwrap();
    assert_eq!(late[112..], whole[112..]);
}

#[test]
fn xts_is_the_references() {
    let key: [u8; 32] = std::array::from_fn(|i| 7 * i as u8 + 1);
    let half = |at: usize| Book::new(&std::array::from_fn(|i| key[at + i]), Stage::TTable);
    let (data, tweak) = (half(0), half(16));
    let keys = book::xts::Keys {
        data: &data,
        tweak: &tweak,
    };
    let (gb, ieee) = (
        xts::XtsGb::new(&key).unwrap(),
        xts::XtsIeee::new(&key).unwrap(),
    );
    for length in lengths().filter(|&length| length >= 16) {
        let plain = painted(15, length);
        for standard in [book::xts::Standard::Gb, book::xts::Standard::Ieee] {
            let sealed = book::xts::encrypt(standard, keys, &IV, &plain).unwrap();
            let (mut output, mut back) = (vec![0; length], vec![0; length]);
            let odd = at_odd_address(&plain, |data| match standard {
                book::xts::Standard::Gb => gb.encrypt_in_place(&IV, data).unwrap(),
                book::xts::Standard::Ieee => ieee.encrypt_in_place(&IV, data).unwrap(),
            });
            match standard {
                book::xts::Standard::Gb => {
                    gb.encrypt(&IV, &plain, &mut output).unwrap();
                    gb.decrypt(&IV, &sealed, &mut back).unwrap();
                }
                book::xts::Standard::Ieee => {
                    ieee.encrypt(&IV, &plain, &mut output).unwrap();
                    ieee.decrypt(&IV, &sealed, &mut back).unwrap();
                }
            }
            assert_eq!(
                hex(&odd),
                hex(&sealed),
                "{standard:?}, {length} bytes in place"
            );
            assert_eq!(
                hex(&output),
                hex(&sealed),
                "{standard:?}, {length} bytes to a buffer"
            );
            assert_eq!(hex(&back), hex(&plain), "{standard:?}, {length} bytes back");
        }
    }
}

/// The two standards agree on the first block and part at the second.
#[test]
fn xts_has_two_standards() {
    let key = array("2b7e151628aed2a6abf7158809cf4f3c000102030405060708090a0b0c0d0e0f");
    let tweak = array("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
    let plain: [u8; 32] = array("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51");
    let (mut gb, mut ieee) = (plain, plain);
    xts::XtsGb::new(&key)
        .unwrap()
        .encrypt_in_place(&tweak, &mut gb)
        .unwrap();
    xts::XtsIeee::new(&key)
        .unwrap()
        .encrypt_in_place(&tweak, &mut ieee)
        .unwrap();
    assert_eq!(gb[..16], ieee[..16]);
    assert_eq!(
        (hex(&gb[16..20]), hex(&ieee[16..20])),
        ("2c5c581b".into(), "b3db1a3e".into())
    );
}

#[test]
fn xts_refuses_short_units_and_equal_keys() {
    let mut key = [3; 32];
    assert!(matches!(
        xts::XtsGb::new(&key),
        Err(Error::OutOfRange { .. })
    ));
    assert!(matches!(
        xts::XtsIeee::new(&key),
        Err(Error::OutOfRange { .. })
    ));
    key[31] = 4;
    let xts = xts::XtsGb::new(&key).unwrap();
    for found in 0..16 {
        let mut data = vec![0; found];
        for result in [
            xts.encrypt_in_place(&IV, &mut data),
            xts.decrypt_in_place(&IV, &mut data),
        ] {
            assert!(
                matches!(result, Err(Error::LengthOutOfRange { min: 16, found: f, .. }) if f == found)
            );
        }
    }
}

#[test]
fn block_modes_refuse_broken_blocks() {
    let sm4 = Sm4::new(&KEY);
    for found in [1, 15, 17, 31, 1025] {
        let (mut data, mut output) = (vec![0; found], vec![0; found]);
        let refused = Err(Error::NotMultiple {
            what: "data",
            unit: 16,
            found,
        });
        assert_eq!(ecb::encrypt_in_place(&sm4, &mut data), refused);
        assert_eq!(ecb::decrypt(&sm4, &data, &mut output), refused);
        assert_eq!(
            cbc::CbcEncryptor::new(&sm4, &IV).encrypt_in_place(&mut data),
            refused
        );
        assert_eq!(
            cbc::CbcEncryptor::new(&sm4, &IV).encrypt(&data, &mut output),
            refused
        );
        assert_eq!(
            cbc::CbcDecryptor::new(&sm4, &IV).decrypt_in_place(&mut data),
            refused
        );
        assert_eq!(
            cbc::CbcDecryptor::new(&sm4, &IV).decrypt(&data, &mut output),
            refused
        );
        assert_eq!((&data, &output), (&vec![0; found], &vec![0; found]));
    }
}

#[test]
fn debug_shows_names_alone() {
    let sm4 = Sm4::new(&KEY);
    assert_eq!(format!("{:?}", ctr::Ctr::new(&sm4, &IV)), "Ctr { .. }");
    assert_eq!(
        format!("{:?}", cbc::CbcEncryptor::new(&sm4, &IV)),
        "CbcEncryptor { .. }"
    );
    assert_eq!(
        format!("{:?}", cfb::CfbDecryptor::new(&sm4, &IV)),
        "CfbDecryptor { .. }"
    );
}

#[test]
fn objects_can_go_to_other_threads() {
    fn check<T: Send + Sync>() {}
    check::<Sm4>();
    check::<cbc::CbcEncryptor>();
    check::<cbc::CbcDecryptor>();
    check::<cfb::CfbEncryptor>();
    check::<cfb::CfbDecryptor>();
    check::<ofb::Ofb>();
    check::<ctr::Ctr>();
    check::<ctr::Ctr32>();
    check::<xts::XtsGb>();
    check::<xts::XtsIeee>();
    check::<shangmi::modes::gcm::Sm4Gcm>();
    check::<shangmi::modes::ccm::Sm4Ccm>();
    check::<shangmi::modes::cmac::CmacKey>();
    check::<shangmi::modes::cmac::Cmac>();
    check::<shangmi::modes::cbc_mac::CbcMac>();
}
