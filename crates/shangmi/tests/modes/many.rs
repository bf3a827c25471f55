//! CBC, CMAC and CCM over many messages: the same as one after the other.
use crate::common::{hex, painted};
use shangmi::{
    Error,
    modes::{
        cbc::{self, CbcEncryptor},
        ccm::{Message, Sm4Ccm},
        cmac::CmacKey,
    },
    sm4::{Block, Sm4},
};

const KEY: [u8; 16] = *b"\x01\x23\x45\x67\x89\xab\xcd\xef\xfe\xdc\xba\x98\x76\x54\x32\x10";

/// Numbers of messages around those that the code treats differently.
const COUNTS: [usize; 21] = [
    0, 1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 127, 128, 129, 200,
];

/// Messages of unequal lengths below `limit`, in units of `unit` bytes: by turns mixed, equal, growing and shrinking.
fn messages(count: usize, order: usize, unit: usize) -> Vec<Vec<u8>> {
    let limit = 1 + 1400 / unit;
    let length = |i: usize| match order {
        0 => (i * i * 7919 + 13 * i) % limit,
        1 => 5,
        2 => i % limit,
        _ => (limit - 1).saturating_sub(i),
    };
    (0..count)
        .map(|i| painted(3 * i, unit * length(i)))
        .collect()
}

fn ivs(count: usize) -> Vec<Block> {
    (0..count).map(|i| [i as u8 ^ 0x5a; 16]).collect()
}

#[test]
fn cbc_of_many_is_cbc_of_each() {
    let sm4 = Sm4::new(&KEY);
    for count in COUNTS {
        for order in 0..4 {
            let plain = messages(count, order, 16);
            let mut sealed = plain.clone();
            let mut all: Vec<&mut [u8]> = sealed.iter_mut().map(Vec::as_mut_slice).collect();
            cbc::encrypt_many(&sm4, &ivs(count), &mut all).unwrap();
            for (i, mut alone) in plain.into_iter().enumerate() {
                let mut object = CbcEncryptor::new(&sm4, &ivs(count)[i]);
                object.encrypt_in_place(&mut alone).unwrap();
                assert_eq!(
                    hex(&sealed[i]),
                    hex(&alone),
                    "{}: {i} of {count}, order {order}",
                    sm4.backend()
                );
            }
        }
    }
}

#[test]
fn cmac_of_many_is_cmac_of_each() {
    let key = CmacKey::new(&KEY);
    for count in COUNTS {
        for order in 0..4 {
            let messages = messages(count, order, 1);
            let all: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
            let mut tags = vec![[0xee; 16]; count];
            key.mac_many(&all, &mut tags).unwrap();
            for (i, message) in messages.iter().enumerate() {
                assert_eq!(
                    hex(&tags[i]),
                    hex(&key.mac(message)),
                    "{i} of {count}, order {order}, {} bytes",
                    message.len()
                );
            }
        }
    }
}

#[test]
fn ccm_of_many_is_ccm_of_each() {
    let ccm = Sm4Ccm::new(&KEY);
    let aads = [0, 1, 13, 14, 15, 16, 30, 31, 50, 65_279, 65_280].map(|length| painted(9, length));
    for count in COUNTS {
        for order in 0..4 {
            let plain = messages(count, order, 1);
            let mut sealed = plain.clone();
            let nonces: Vec<_> = (0..count).map(|i| painted(i, 7 + i % 7)).collect();
            let mut all: Vec<_> = sealed
                .iter_mut()
                .enumerate()
                .map(|(i, data)| Message {
                    nonce: &nonces[i],
                    // Few long ones, which would take long.
                    aad: &aads[if i % 50 < 11 { i % 50 } else { i % 9 }],
                    data,
                    tag: [0xee; 16],
                })
                .collect();
            ccm.seal_many(&mut all).unwrap();
            for (message, mut alone) in all.iter().zip(plain) {
                let tag = ccm
                    .seal_in_place(message.nonce, message.aad, &mut alone)
                    .unwrap();
                assert_eq!(
                    (hex(message.data), hex(&message.tag)),
                    (hex(&alone), hex(&tag)),
                    "{count} messages, order {order}, {} bytes and {} of associated data",
                    alone.len(),
                    message.aad.len()
                );
            }
        }
    }
}

/// One wrong message, and all stay as they were.
#[test]
fn many_refuse_before_they_begin() {
    let (sm4, ccm) = (Sm4::new(&KEY), Sm4Ccm::new(&KEY));
    let (mut a, mut b) = ([1; 32], [2; 17]);
    let refused = cbc::encrypt_many(&sm4, &ivs(2), &mut [&mut a, &mut b]);
    let expected = Error::NotMultiple {
        what: "data",
        unit: 16,
        found: 17,
    };
    assert_eq!(refused, Err(expected));
    let refused = cbc::encrypt_many(&sm4, &ivs(1), &mut [&mut a, &mut b[1..]]);
    assert!(matches!(
        refused,
        Err(Error::InvalidLength {
            expected: 32,
            found: 16,
            ..
        })
    ));
    let refused = CmacKey::new(&KEY).mac_many(&[b"one", b"another"], &mut [[0; 16]]);
    assert!(matches!(
        refused,
        Err(Error::InvalidLength {
            expected: 32,
            found: 16,
            ..
        })
    ));
    let message = |nonce, data| Message {
        nonce,
        aad: b"",
        data,
        tag: [7; 16],
    };
    let mut messages = [message(&[0; 12][..], &mut a[..]), message(&[0; 6], &mut b)];
    let refused = ccm.seal_many(&mut messages);
    assert!(matches!(
        refused,
        Err(Error::LengthOutOfRange { found: 6, .. })
    ));
    assert_eq!(messages.map(|message| message.tag), [[7; 16]; 2]);
    assert_eq!((a, b), ([1; 32], [2; 17]));
}

#[test]
fn messages_hide_their_data() {
    let message = Message {
        nonce: &[0; 12],
        aad: b"",
        data: &mut [1],
        tag: [0; 16],
    };
    assert_eq!(format!("{message:?}"), "Message { .. }");
}
