//! Whoever does not compute the right thing is not timed.

mod cipher;
mod curve;
mod der;

pub(crate) use curve::{key_pair, pool, pool_of_keys, public_for};

use crate::output::Skipped;
use crate::peer::{Digest, Hash, Mac, Peer};

/// SM3 and SHA-256 of "abc": GB/T 32905-2016, A.1, and FIPS 180-4's example.
const SM3_ABC: &str = "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0";
const SHA256_ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/// HMAC-SM3 of "abc" under the bytes 1 to 32, from OpenSSL 3.0.
const HMAC_ABC: &str = "44809d3ff5336f44071be1917887380730ae145f940a53819279801784c65e17";

/// Takes from the peer what does not compute the right thing, and notes it as skipped.
pub(crate) fn check(peer: &mut Peer, skipped: &mut Vec<Skipped>) {
    let name = peer.name;
    let mut is_right = |result: Result<(), String>| {
        let refused = result.err().map(|reason| Skipped {
            peer: name.to_owned(),
            reason,
            install: String::new(),
        });
        let right = refused.is_none();
        skipped.extend(refused);
        right
    };
    if peer
        .hash
        .as_deref_mut()
        .is_some_and(|hash| !is_right(check_hash(hash)))
    {
        peer.hash = None;
    }
    if peer
        .mac
        .as_deref_mut()
        .is_some_and(|mac| !is_right(check_mac(mac)))
    {
        peer.mac = None;
    }
    if peer
        .curve
        .as_deref_mut()
        .is_some_and(|curve| !is_right(curve::check(curve)))
    {
        peer.curve = None;
    }
    peer.ciphers
        .retain_mut(|one| is_right(cipher::check(&mut **one)));
}

fn check_hash(hash: &mut dyn Hash) -> Result<(), String> {
    let expected = match hash.algorithm() {
        "SM3" => SM3_ABC,
        _ => SHA256_ABC,
    };
    expect(hash.algorithm(), &hash.digest(b"abc"), &unhex(expected))?;
    let messages: Vec<Vec<u8>> = (0..100).map(|i| vec![i; 3 * usize::from(i)]).collect();
    let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let mut many = vec![Digest::default(); messages.len()];
    hash.digest_many(&messages, &mut many);
    for (message, many) in messages.iter().zip(&many) {
        expect("digest_many", many, &hash.digest(message))?;
    }
    if hash.algorithm() == "SM3" {
        // A second opinion on messages of more than a block.
        expect("SM3", &many[99], &reference::sm3::digest(messages[99]))?;
    }
    Ok(())
}

fn check_mac(mac: &mut dyn Mac) -> Result<(), String> {
    mac.set_key(&(1..=32).collect::<Vec<u8>>());
    for _ in 0..2 {
        expect("HMAC-SM3", &mac.tag(b"abc"), &unhex(HMAC_ABC))?;
    }
    Ok(())
}

fn expect(what: &str, found: &[u8], expected: &[u8]) -> Result<(), String> {
    if found == expected {
        Ok(())
    } else {
        let (found, expected) = (hex(found), hex(expected));
        Err(format!("{what} is {found}, not {expected}"))
    }
}

/// Lower-case digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of digits that this program wrote or was written for.
pub(crate) fn unhex(digits: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hexadecimal digits");
    (0..digits.len()).step_by(2).map(byte).collect()
}
