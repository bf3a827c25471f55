//! SM4 with its modes.

use std::hint::black_box;
use std::iter;

use shangmi::modes::{cbc, ctr, gcm::Sm4Gcm, gmac::GmacKey, xts::XtsGb};
use shangmi::sm4::{Block, Sm4};

use super::{BYTES, Case, Data, case, key, key_and_data};
use crate::secrets::Secrets;

/// How often what takes less than a microsecond is done for one sample.
const TIMES: usize = 16;
/// Public values.
const IV: Block = [0x5a; 16];
const NONCE: &[u8] = b"unique nonce";

pub(super) fn cases() -> Vec<Case> {
    let mut all = unauthenticated();
    all.extend(authenticated());
    all
}

fn unauthenticated() -> Vec<Case> {
    vec![
        case("sm4 key setup", sm4, BYTES, key, |key| {
            for _ in 0..TIMES {
                black_box(Sm4::new(black_box(key)));
            }
        }),
        case(
            "sm4 block",
            sm4,
            BYTES,
            cipher_and_block,
            |(cipher, block)| {
                for _ in 0..TIMES {
                    cipher.encrypt_block(block);
                }
                for _ in 0..TIMES {
                    cipher.decrypt_block(block);
                }
            },
        ),
        case("sm4 ecb", sm4, BYTES, cipher_and_data, |(cipher, data)| {
            let (blocks, _) = data.as_chunks_mut();
            cipher.encrypt_blocks(blocks);
            cipher.decrypt_blocks(blocks);
        }),
        case(
            "sm4 cbc encrypt",
            sm4,
            BYTES,
            cipher_and_data,
            |(cipher, data)| {
                let mut mode = cbc::CbcEncryptor::new(cipher, &IV);
                mode.encrypt_in_place(data).expect("whole blocks");
            },
        ),
        case(
            "sm4 cbc decrypt",
            sm4,
            BYTES,
            cipher_and_data,
            |(cipher, data)| {
                let mut mode = cbc::CbcDecryptor::new(cipher, &IV);
                mode.decrypt_in_place(data).expect("whole blocks");
            },
        ),
        case("sm4 ctr", sm4, BYTES, cipher_and_data, |(cipher, data)| {
            let mut mode = ctr::Ctr::new(cipher, &IV);
            mode.apply_in_place(data).expect("few blocks");
        }),
        case("sm4 xts", sm4, BYTES, xts_and_data, |(xts, data)| {
            xts.encrypt_in_place(&IV, data).expect("a block or more");
            xts.decrypt_in_place(&IV, data).expect("a block or more");
        }),
    ]
}

fn authenticated() -> Vec<Case> {
    vec![
        case("sm4 gcm key", gcm, BYTES, key, |key| {
            black_box(Sm4Gcm::new(key));
        }),
        case("sm4 gcm seal", gcm, BYTES, gcm_and_data, |(gcm, data)| {
            black_box(gcm.seal_in_place(NONCE, &IV, data)).expect("a good nonce");
        }),
        case("gmac", gmac, BYTES, key_and_data, |(key, data)| {
            black_box(GmacKey::new(key).mac(NONCE, data)).expect("a good nonce");
        }),
    ]
}

fn sm4() -> String {
    Sm4::new(&IV).backend().to_owned()
}

fn gcm() -> String {
    format!("{}, {}", sm4(), gmac())
}

fn gmac() -> String {
    GmacKey::new(&IV).backend().to_owned()
}

fn cipher_and_block(secrets: &mut Secrets<'_>) -> (Sm4, Block) {
    (Sm4::new(&secrets.bytes()), secrets.bytes())
}

fn cipher_and_data(secrets: &mut Secrets<'_>) -> (Sm4, Data) {
    (Sm4::new(&secrets.bytes()), secrets.bytes())
}

fn gcm_and_data(secrets: &mut Secrets<'_>) -> (Sm4Gcm, Data) {
    (Sm4Gcm::new(&secrets.bytes()), secrets.bytes())
}

/// Two equal keys, which few bits may give, are refused.
fn xts_and_data(secrets: &mut Secrets<'_>) -> (XtsGb, Data) {
    let mut keys = iter::repeat_with(|| XtsGb::new(&secrets.bytes()));
    let xts = keys.find_map(Result::ok).expect("it goes on and on");
    (xts, secrets.bytes())
}
