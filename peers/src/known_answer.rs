//! Whoever does not compute the right thing is not timed.

use crate::peer::{Digest, Peer};

/// SM3 and SHA-256 of "abc": GB/T 32905-2016, A.1, and FIPS 180-4's example.
const SM3_ABC: &str = "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0";
const SHA256_ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/// HMAC-SM3 of "abc" under the bytes 1 to 32, from OpenSSL 3.0.
const HMAC_ABC: &str = "44809d3ff5336f44071be1917887380730ae145f940a53819279801784c65e17";

/// Checks all that the peer offers.
pub(crate) fn check(peer: &mut Peer) -> Result<(), String> {
    if let Some(hash) = &mut peer.hash {
        let expected = match hash.algorithm() {
            "SM3" => SM3_ABC,
            _ => SHA256_ABC,
        };
        expect(hash.algorithm(), &hash.digest(b"abc"), expected)?;
        let messages: Vec<Vec<u8>> = (0..100).map(|i| vec![i; 3 * usize::from(i)]).collect();
        let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        let mut many = vec![Digest::default(); messages.len()];
        hash.digest_many(&messages, &mut many);
        for (message, many) in messages.iter().zip(&many) {
            expect("digest_many", many, &hex(&hash.digest(message)))?;
        }
        if hash.algorithm() == "SM3" {
            // A second opinion on messages of more than a block.
            expect("SM3", &many[99], &hex(&shangmi::sm3::digest(messages[99])))?;
        }
    }
    if let Some(mac) = &mut peer.mac {
        mac.set_key(&(1..=32).collect::<Vec<u8>>());
        for _ in 0..2 {
            expect("HMAC-SM3", &mac.tag(b"abc"), HMAC_ABC)?;
        }
    }
    Ok(())
}

fn expect(what: &str, found: &Digest, expected: &str) -> Result<(), String> {
    let found = hex(found);
    if found == expected {
        Ok(())
    } else {
        Err(format!("{what} is {found}, not {expected}"))
    }
}

/// Lower-case digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
