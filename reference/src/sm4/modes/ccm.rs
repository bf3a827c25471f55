//! CCM (GB/T 17964-2021; NIST SP 800-38C; RFC 3610).

use super::{Block, ctr_crypt, xor, xor_block};
use crate::sm4::Sm4;

/// The lengths that the mode allows: nonce 7 to 13 bytes, tag 4, 6, ..., 16 bytes,
/// plaintext below 2^(8q) bytes with q = 15 - nonce length.
fn allowed(nonce: &[u8], plaintext_length: usize, tag_length: usize) -> bool {
    matches!(nonce.len(), 7..=13)
        && matches!(tag_length, 4 | 6 | 8 | 10 | 12 | 14 | 16)
        && (plaintext_length as u128) >> (8 * (15 - nonce.len())) == 0
}

/// `B_0`: flags || N || Q (SP 800-38C, A.2.1).
fn b0(nonce: &[u8], aad: &[u8], plaintext_length: usize, tag_length: usize) -> Block {
    let q = 15 - nonce.len();
    let mut b0 = (plaintext_length as u128).to_be_bytes();
    let has_aad = u8::from(!aad.is_empty());
    b0[0] = 64 * has_aad + 8 * ((tag_length - 2) / 2) as u8 + (q - 1) as u8;
    b0[1..=nonce.len()].copy_from_slice(nonce);
    b0
}

/// The length of the associated data before it, in 0, 2, 6 or 10 bytes (A.2.2).
fn encoded_length(aad: &[u8]) -> Vec<u8> {
    let length = aad.len() as u64;
    if length == 0 {
        Vec::new()
    } else if length < 0xff00 {
        length.to_be_bytes()[6..].to_vec()
    } else if length < 1 << 32 {
        [&[0xff, 0xfe], &length.to_be_bytes()[4..]].concat()
    } else {
        [&[0xff, 0xff], &length.to_be_bytes()[..]].concat()
    }
}

/// T: the CBC-MAC of `B_0`, the associated data and the plaintext (6.1, steps 1 to 4).
fn mac(sm4: &Sm4, nonce: &[u8], aad: &[u8], plaintext: &[u8], tag_length: usize) -> Block {
    let header = [&encoded_length(aad)[..], aad].concat();
    let mut y = sm4.encrypt_block(&b0(nonce, aad, plaintext.len(), tag_length));
    for chunk in header.chunks(16).chain(plaintext.chunks(16)) {
        let mut block = [0; 16];
        block[..chunk.len()].copy_from_slice(chunk);
        y = sm4.encrypt_block(&xor_block(&y, &block));
    }
    y
}

/// `Ctr_i`: q - 1 || N || i (A.3).
fn counter(nonce: &[u8], i: u8) -> Block {
    let mut counter = [0; 16];
    counter[0] = (14 - nonce.len()) as u8;
    counter[1..=nonce.len()].copy_from_slice(nonce);
    counter[15] = i;
    counter
}

/// Encrypts and authenticates; returns the ciphertext and the tag (6.1).
pub fn encrypt(
    sm4: &Sm4,
    nonce: &[u8],
    aad: &[u8],
    plaintext: &[u8],
    tag_length: usize,
) -> Option<(Vec<u8>, Vec<u8>)> {
    if !allowed(nonce, plaintext.len(), tag_length) {
        return None;
    }
    let t = mac(sm4, nonce, aad, plaintext, tag_length);
    let mut tag = xor(&t, &sm4.encrypt_block(&counter(nonce, 0)));
    tag.truncate(tag_length);
    Some((ctr_crypt(sm4, &counter(nonce, 1), plaintext), tag))
}

/// Decrypts and checks the tag (6.2).
pub fn decrypt(
    sm4: &Sm4,
    nonce: &[u8],
    aad: &[u8],
    ciphertext: &[u8],
    tag: &[u8],
) -> Option<Vec<u8>> {
    if !allowed(nonce, ciphertext.len(), tag.len()) {
        return None;
    }
    let plaintext = ctr_crypt(sm4, &counter(nonce, 1), ciphertext);
    let (_, expected) = encrypt(sm4, nonce, aad, &plaintext, tag.len())?;
    (expected == tag).then_some(plaintext)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sm4::Stage;

    #[test]
    fn round_trip_and_refusals() {
        let sm4 = Sm4::new(&[3; 16], Stage::Bytewise);
        let data: Vec<u8> = (0..70).collect();
        for nonce in 7..=13 {
            for (length, tag_length) in [(0, 4), (1, 6), (15, 8), (16, 10), (17, 12), (70, 16)] {
                let (nonce, aad, p) = (&data[..nonce], &data[..length / 2], &data[..length]);
                let (c, mut tag) = encrypt(&sm4, nonce, aad, p, tag_length).unwrap();
                assert_eq!(decrypt(&sm4, nonce, aad, &c, &tag).as_deref(), Some(p));
                tag[0] ^= 1;
                assert_eq!(decrypt(&sm4, nonce, aad, &c, &tag), None);
            }
        }
        assert!(encrypt(&sm4, &data[..6], b"", b"", 16).is_none());
        assert!(encrypt(&sm4, &data[..14], b"", b"", 16).is_none());
        assert!(encrypt(&sm4, &data[..12], b"", b"", 5).is_none());
        assert!(encrypt(&sm4, &data[..13], b"", &vec![0; 0x1_0000], 16).is_none());
    }

    #[test]
    fn long_associated_data_has_a_longer_length() {
        assert_eq!(encoded_length(&[0; 0xfeff]), [0xfe, 0xff]);
        assert_eq!(
            encoded_length(&vec![0; 0xff00]),
            [0xff, 0xfe, 0, 0, 0xff, 0]
        );
    }
}
