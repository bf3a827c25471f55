//! GCM (GB/T 17964-2021; NIST SP 800-38D), bit by bit.

use super::{Block, ctr_crypt, xor};
use crate::sm4::Sm4;

/// R = 11100001 || 0^120.
const R: u128 = 0xe1 << 120;

/// X times Y in GF(2^128); bit 0 is the first bit of the block (SP 800-38D, 6.3).
pub fn multiply(x: &Block, y: &Block) -> Block {
    let (x, mut v) = (u128::from_be_bytes(*x), u128::from_be_bytes(*y));
    let mut z = 0;
    for i in 0..128 {
        if x >> (127 - i) & 1 == 1 {
            z ^= v;
        }
        v = if v & 1 == 0 { v >> 1 } else { v >> 1 ^ R };
    }
    z.to_be_bytes()
}

/// `GHASH_H` of whole blocks: Y = (Y xor X) H (6.4). A last block that is short is
/// filled with zeros.
pub fn ghash(h: &Block, data: &[u8]) -> Block {
    let mut y = [0; 16];
    for chunk in data.chunks(16) {
        for (y, x) in y.iter_mut().zip(chunk) {
            *y ^= x;
        }
        y = multiply(&y, h);
    }
    y
}

/// `data`, zeros up to a whole block.
fn padded(data: &[u8]) -> Vec<u8> {
    let mut out = data.to_vec();
    out.resize(data.len().next_multiple_of(16), 0);
    out
}

/// The lengths of two strings in bits, 64 bits each.
fn lengths(a: &[u8], c: &[u8]) -> Block {
    ((a.len() as u128 * 8) << 64 | (c.len() as u128 * 8)).to_be_bytes()
}

/// The pre-counter block `J_0` (7.1, step 2).
fn j0(h: &Block, iv: &[u8]) -> Block {
    if iv.len() == 12 {
        let mut j0 = [0; 16];
        j0[..12].copy_from_slice(iv);
        j0[15] = 1;
        j0
    } else {
        ghash(h, &[&padded(iv)[..], &lengths(&[], iv)].concat())
    }
}

/// GCTR: counter mode whose counter is the last 32 bits of the block (6.2, 6.5).
fn gctr(sm4: &Sm4, initial: &Block, data: &[u8]) -> Vec<u8> {
    let mut counter = *initial;
    let mut out = Vec::new();
    for chunk in data.chunks(16) {
        out.extend_from_slice(&ctr_crypt(sm4, &counter, chunk));
        counter = increment32(&counter);
    }
    out
}

/// `inc_32` (6.2).
fn increment32(block: &Block) -> Block {
    let x = u128::from_be_bytes(*block);
    let low = (x as u32).wrapping_add(1);
    (x >> 32 << 32 | u128::from(low)).to_be_bytes()
}

/// The full tag: GCTR(`J_0`, GHASH(A || 0 || C || 0 || len A || len C)) (7.1, steps 5 and 6).
fn tag(sm4: &Sm4, iv: &[u8], aad: &[u8], ciphertext: &[u8]) -> Block {
    let h = sm4.encrypt_block(&[0; 16]);
    let input = [
        padded(aad),
        padded(ciphertext),
        lengths(aad, ciphertext).to_vec(),
    ]
    .concat();
    let s = ghash(&h, &input);
    let mask = sm4.encrypt_block(&j0(&h, iv));
    std::array::from_fn(|i| s[i] ^ mask[i])
}

fn crypt(sm4: &Sm4, iv: &[u8], data: &[u8]) -> Vec<u8> {
    let h = sm4.encrypt_block(&[0; 16]);
    gctr(sm4, &increment32(&j0(&h, iv)), data)
}

/// Encrypts and authenticates; returns the ciphertext and the full tag (7.1).
/// `None` for an empty IV.
pub fn encrypt(sm4: &Sm4, iv: &[u8], aad: &[u8], plaintext: &[u8]) -> Option<(Vec<u8>, Block)> {
    if iv.is_empty() {
        return None;
    }
    let ciphertext = crypt(sm4, iv, plaintext);
    let tag = tag(sm4, iv, aad, &ciphertext);
    Some((ciphertext, tag))
}

/// Checks the tag, which may be cut to 4, 8 or 12 to 15 bytes, and decrypts (7.2).
pub fn decrypt(
    sm4: &Sm4,
    iv: &[u8],
    aad: &[u8],
    ciphertext: &[u8],
    given: &[u8],
) -> Option<Vec<u8>> {
    if iv.is_empty() || !matches!(given.len(), 4 | 8 | 12..=16) {
        return None;
    }
    let difference = xor(&tag(sm4, iv, aad, ciphertext), given);
    difference
        .iter()
        .all(|&byte| byte == 0)
        .then(|| crypt(sm4, iv, ciphertext))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sm4::Stage;

    #[test]
    fn multiplication_is_a_field_with_one_and_x() {
        let one = (1u128 << 127).to_be_bytes();
        let x = (1u128 << 126).to_be_bytes();
        let a = *b"any block at all";
        assert_eq!(multiply(&a, &one), a);
        assert_eq!(multiply(&one, &a), a);
        let mut power = one;
        for _ in 0..128 {
            power = multiply(&power, &x);
        }
        assert_eq!(u128::from_be_bytes(power), R);
    }

    #[test]
    fn round_trip_and_refusals() {
        let sm4 = Sm4::new(&[3; 16], Stage::Bytewise);
        let data: Vec<u8> = (0..70).collect();
        for iv in [&data[..12], &data[..1], &data[..16], &data[..60]] {
            for length in [0, 1, 15, 16, 17, 33, 70] {
                let (c, tag) = encrypt(&sm4, iv, &data[..length / 2], &data[..length]).unwrap();
                let open = |aad: &[u8], tag: &[u8]| decrypt(&sm4, iv, aad, &c, tag);
                assert_eq!(
                    open(&data[..length / 2], &tag).as_deref(),
                    Some(&data[..length])
                );
                assert!(open(&data[..length / 2], &tag[..12]).is_some());
                assert!(open(&data[..length / 2], &tag[..11]).is_none());
                assert!(open(&data[..length / 2 + 1], &tag).is_none());
            }
        }
        assert!(encrypt(&sm4, b"", b"", b"").is_none());
    }

    #[test]
    fn the_counter_wraps_at_32_bits() {
        let mut block = [0xff; 16];
        block[11] = 0;
        let mut expected = block;
        expected[12..].fill(0);
        assert_eq!(increment32(&block), expected);
    }
}
