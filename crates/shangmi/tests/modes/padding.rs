//! Padding: each scheme's form, its removal, and the functions that use it.
use crate::common::painted;
use shangmi::{
    Error,
    modes::{cbc, cfb, ctr, ecb, ofb},
    padding::Padding,
    rng::OsRng,
    sm4::Sm4,
};

const ALL: [Padding; 5] = [
    Padding::Pkcs7,
    Padding::AnsiX923,
    Padding::Iso7816,
    Padding::Zero,
    Padding::None,
];

/// What each scheme appends to a message, written down a second time.
fn expected(padding: Padding, message: &[u8]) -> Option<Vec<u8>> {
    let fill = 16 - message.len() % 16;
    let added = match padding {
        Padding::Pkcs7 => vec![fill as u8; fill],
        Padding::AnsiX923 => [vec![0; fill - 1], vec![fill as u8]].concat(),
        Padding::Iso7816 => [vec![0x80], vec![0; fill - 1]].concat(),
        Padding::Zero => vec![0; fill % 16],
        Padding::None if fill == 16 => vec![],
        Padding::None => return None,
    };
    Some([message, &added].concat())
}

#[test]
fn padding_has_the_form_of_its_standard() {
    for length in 0..=48 {
        let message = painted(1, length);
        let (whole, tail) = message.split_at(length / 16 * 16);
        for padding in ALL {
            match (padding.pad(tail), expected(padding, &message)) {
                (Ok(block), Some(padded)) => {
                    let block = block.map_or(vec![], Vec::from);
                    assert_eq!([whole, &block].concat(), padded, "{padding:?}");
                }
                (Err(error), None) => {
                    let found = tail.len();
                    assert_eq!(
                        error,
                        Error::NotMultiple {
                            what: "plaintext",
                            unit: 16,
                            found
                        }
                    );
                }
                other => panic!("{padding:?} of {length} bytes: {other:?}"),
            }
        }
    }
    assert!(matches!(
        Padding::Pkcs7.pad(&[0; 16]),
        Err(Error::LengthOutOfRange { max: 15, .. })
    ));
}

/// The rule of each scheme, plainly: the number of message bytes in the last block.
fn by_the_book(padding: Padding, block: &[u8; 16]) -> Option<usize> {
    let counted = |fill: Option<u8>| {
        let count = usize::from(block[15]);
        let good = (1..=16).contains(&count)
            && block[16 - count..15]
                .iter()
                .all(|&byte| byte == fill.unwrap_or(block[15]));
        good.then(|| 16 - count)
    };
    let last = block.iter().rposition(|&byte| byte != 0);
    match padding {
        Padding::Pkcs7 => counted(None),
        Padding::AnsiX923 => counted(Some(0)),
        Padding::Iso7816 => last.filter(|&at| block[at] == 0x80),
        Padding::Zero => Some(last.map_or(0, |at| at + 1)),
        Padding::None => Some(16),
    }
}

/// Good blocks, and good blocks with any one byte changed to any value that matters.
#[test]
fn removal_accepts_its_own_form_alone() {
    let mut tried = [0, 0];
    for made_by in ALL {
        for length in 0..16 {
            let Ok(Some(good)) = made_by.pad(&painted(200, length)) else {
                continue;
            };
            for at in 0..16 {
                for value in (0..=18).chain([0x7f, 0x80, 0x81, 0xfe, 0xff]) {
                    let mut block = good;
                    block[at] = value;
                    for padding in ALL {
                        let expected = by_the_book(padding, &block).ok_or(Error::DecryptFailed);
                        assert_eq!(padding.unpad(&block), expected, "{padding:?} {block:02x?}");
                        tried[usize::from(expected.is_ok())] += 1;
                    }
                }
            }
        }
    }
    assert!(tried[0] > 10_000 && tried[1] > 10_000, "{tried:?}");
}

#[test]
fn padded_modes_go_there_and_back() {
    let (sm4, iv, mut rng) = (Sm4::new(&[9; 16]), [8; 16], OsRng);
    for (padding, length) in ALL
        .into_iter()
        .flat_map(|p| (0..=80).map(move |length| (p, length)))
    {
        let plain = painted(1, length);
        let Some(padded) = expected(padding, &plain) else {
            let refused = Err(Error::NotMultiple {
                what: "plaintext",
                unit: 16,
                found: length,
            });
            assert_eq!(cbc::encrypt_padded(&sm4, &iv, padding, &plain), refused);
            assert_eq!(ecb::encrypt_padded(&sm4, padding, &plain), refused);
            assert_eq!(
                cbc::encrypt_padded_random_iv(&sm4, padding, &plain, &mut rng),
                refused
            );
            continue;
        };
        let mut by_hand = padded.clone();
        ecb::encrypt_in_place(&sm4, &mut by_hand).unwrap();
        assert_eq!(ecb::encrypt_padded(&sm4, padding, &plain).unwrap(), by_hand);
        assert_eq!(ecb::decrypt_padded(&sm4, padding, &by_hand).unwrap(), plain);
        let sealed = cbc::encrypt_padded(&sm4, &iv, padding, &plain).unwrap();
        assert_eq!(sealed.len(), padded.len());
        assert_eq!(
            cbc::decrypt_padded(&sm4, &iv, padding, &sealed).unwrap(),
            plain
        );
        let sealed = cbc::encrypt_padded_random_iv(&sm4, padding, &plain, &mut rng).unwrap();
        assert_eq!(sealed.len(), 16 + padded.len());
        assert_eq!(
            cbc::decrypt_padded_leading_iv(&sm4, padding, &sealed).unwrap(),
            plain
        );
    }
}

/// Lengths that no encryption produces: no panic, an error each.
#[test]
fn broken_ciphertexts_are_refused() {
    let (sm4, iv) = (Sm4::new(&[9; 16]), [8; 16]);
    for padding in ALL {
        let empty_is_possible = !padding.is_never_empty();
        assert_eq!(
            ecb::decrypt_padded(&sm4, padding, &[]).is_ok(),
            empty_is_possible
        );
        assert_eq!(
            cbc::decrypt_padded(&sm4, &iv, padding, &[]).is_ok(),
            empty_is_possible
        );
        for found in (1..16).chain([17, 31]) {
            let refused = Err(Error::NotMultiple {
                what: "data",
                unit: 16,
                found,
            });
            assert_eq!(ecb::decrypt_padded(&sm4, padding, &vec![1; found]), refused);
            assert_eq!(
                cbc::decrypt_padded(&sm4, &iv, padding, &vec![1; found]),
                refused
            );
        }
        let without_iv = cbc::decrypt_padded_leading_iv(&sm4, padding, &[1; 15]);
        assert!(matches!(
            without_iv,
            Err(Error::LengthOutOfRange {
                min: 16,
                found: 15,
                ..
            })
        ));
    }
    for last in [0x00, 0x11, 0xff] {
        let mut data = [last; 32];
        ecb::encrypt_in_place(&sm4, &mut data).unwrap();
        let opened = ecb::decrypt_padded(&sm4, Padding::Pkcs7, &data);
        assert_eq!(opened, Err(Error::DecryptFailed), "last byte {last:02x}");
    }
}

#[test]
fn stream_modes_with_iv_in_front() {
    let (sm4, mut rng) = (Sm4::new(&[9; 16]), OsRng);
    for length in [0, 1, 15, 16, 17, 100] {
        let plain = painted(1, length);
        let sealed = [
            cfb::encrypt_random_iv(&sm4, &plain, &mut rng).unwrap(),
            ofb::encrypt_random_iv(&sm4, &plain, &mut rng).unwrap(),
            ctr::encrypt_random_iv(&sm4, &plain, &mut rng).unwrap(),
        ];
        for message in &sealed {
            assert_eq!(message.len(), 16 + length);
        }
        assert_eq!(cfb::decrypt_leading_iv(&sm4, &sealed[0]).unwrap(), plain);
        assert_eq!(ofb::decrypt_leading_iv(&sm4, &sealed[1]).unwrap(), plain);
        assert_eq!(ctr::decrypt_leading_iv(&sm4, &sealed[2]).unwrap(), plain);
    }
    assert!(ctr::decrypt_leading_iv(&sm4, &[0; 15]).is_err());
}

/// A source that fails must stop the message.
#[test]
fn no_randomness_no_message() {
    struct Broken;
    impl shangmi::rng::Rng for Broken {
        fn fill(&mut self, _: &mut [u8]) -> shangmi::Result<()> {
            Err(Error::RandomSource)
        }
    }
    let sm4 = Sm4::new(&[9; 16]);
    assert_eq!(
        ctr::encrypt_random_iv(&sm4, b"x", &mut Broken),
        Err(Error::RandomSource)
    );
    let sealed = cbc::encrypt_padded_random_iv(&sm4, Padding::Pkcs7, b"x", &mut Broken);
    assert_eq!(sealed, Err(Error::RandomSource));
}
