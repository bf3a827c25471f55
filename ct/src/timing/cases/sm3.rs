//! HMAC and PBKDF2.

use std::hint::black_box;

use shangmi::sm3::{self, hmac::HmacKey, pbkdf2};

use super::{BYTES, Case, case, key, key_and_data};

pub(super) fn cases() -> Vec<Case> {
    vec![
        case("hmac", one, BYTES, key_and_data, |(key, data)| {
            black_box(HmacKey::new(key).mac(&data[..100]));
        }),
        case("hmac mac_many", many, BYTES, key_and_data, |(key, data)| {
            let messages = [&data[..200]; 16];
            let mut tags = [[0; 32]; 16];
            let made = HmacKey::new(key).mac_many(&messages, &mut tags);
            made.expect("as many");
            black_box(tags);
        }),
        case("pbkdf2", many, BYTES, key, |password| {
            let mut out = [0; 16 * 32];
            pbkdf2::derive(&password[..], b"salt", 2, &mut out).expect("iterations");
            black_box(out);
        }),
    ]
}

fn one() -> String {
    sm3::Sm3::new().backend().to_owned()
}

fn many() -> String {
    sm3::many_backend().to_owned()
}
