//! Modes of operation over SM4 (GB/T 17964-2021): those that hide, here, and those
//! that also authenticate, in [`gcm`] and [`ccm`], or only that, in [`cmac`] and [`cbc_mac`].
//! Not constant-time.
//!
//! `None` always means that a length is not allowed, or a tag is wrong.

pub mod cbc_mac;
pub mod ccm;
pub mod cmac;
pub mod gcm;
pub mod xts;

use super::Sm4;

type Block = [u8; 16];

/// `a` xor `b`, as long as the shorter.
fn xor(a: &[u8], b: &[u8]) -> Vec<u8> {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

fn xor_block(a: &Block, b: &Block) -> Block {
    std::array::from_fn(|i| a[i] ^ b[i])
}

/// The whole blocks of `data`; `None` when some of it is left.
fn blocks(data: &[u8]) -> Option<&[Block]> {
    match data.as_chunks() {
        (blocks, []) => Some(blocks),
        _ => None,
    }
}

/// ECB: `C_i` = E(`P_i`). Whole blocks.
pub fn ecb_encrypt(sm4: &Sm4, plaintext: &[u8]) -> Option<Vec<u8>> {
    Some(
        blocks(plaintext)?
            .iter()
            .flat_map(|p| sm4.encrypt_block(p))
            .collect(),
    )
}

/// ECB: `P_i` = D(`C_i`). Whole blocks.
pub fn ecb_decrypt(sm4: &Sm4, ciphertext: &[u8]) -> Option<Vec<u8>> {
    Some(
        blocks(ciphertext)?
            .iter()
            .flat_map(|c| sm4.decrypt_block(c))
            .collect(),
    )
}

/// CBC: `C_i` = E(`P_i` xor `C_(i-1)`), `C_0` = IV. Whole blocks.
pub fn cbc_encrypt(sm4: &Sm4, iv: &Block, plaintext: &[u8]) -> Option<Vec<u8>> {
    let mut previous = *iv;
    let mut out = Vec::new();
    for p in blocks(plaintext)? {
        previous = sm4.encrypt_block(&xor_block(p, &previous));
        out.extend_from_slice(&previous);
    }
    Some(out)
}

/// CBC: `P_i` = D(`C_i`) xor `C_(i-1)`, `C_0` = IV. Whole blocks.
pub fn cbc_decrypt(sm4: &Sm4, iv: &Block, ciphertext: &[u8]) -> Option<Vec<u8>> {
    let mut previous = iv;
    let mut out = Vec::new();
    for c in blocks(ciphertext)? {
        out.extend_from_slice(&xor_block(&sm4.decrypt_block(c), previous));
        previous = c;
    }
    Some(out)
}

/// CFB with 128 bits fed back: `C_i` = `P_i` xor E(`C_(i-1)`), `C_0` = IV. Any length.
pub fn cfb128_encrypt(sm4: &Sm4, iv: &Block, plaintext: &[u8]) -> Vec<u8> {
    let mut feedback = *iv;
    let mut out = Vec::new();
    for p in plaintext.chunks(16) {
        let c = xor(p, &sm4.encrypt_block(&feedback));
        feedback[..c.len()].copy_from_slice(&c);
        out.extend_from_slice(&c);
    }
    out
}

/// CFB with 128 bits fed back: `P_i` = `C_i` xor E(`C_(i-1)`), `C_0` = IV. Any length.
pub fn cfb128_decrypt(sm4: &Sm4, iv: &Block, ciphertext: &[u8]) -> Vec<u8> {
    let mut feedback = *iv;
    let mut out = Vec::new();
    for c in ciphertext.chunks(16) {
        out.extend_from_slice(&xor(c, &sm4.encrypt_block(&feedback)));
        feedback[..c.len()].copy_from_slice(c);
    }
    out
}

/// OFB with 128 bits fed back, both ways: `O_i` = E(`O_(i-1)`), `O_0` = IV; the data xor
/// O. Any length.
pub fn ofb_crypt(sm4: &Sm4, iv: &Block, data: &[u8]) -> Vec<u8> {
    let mut output = *iv;
    let mut out = Vec::new();
    for chunk in data.chunks(16) {
        output = sm4.encrypt_block(&output);
        out.extend_from_slice(&xor(chunk, &output));
    }
    out
}

/// CTR, both ways: the data xor E(counter), with the counter a big-endian integer of
/// 128 bits that goes up by one a block. Any length.
pub fn ctr_crypt(sm4: &Sm4, counter: &Block, data: &[u8]) -> Vec<u8> {
    let mut counter = u128::from_be_bytes(*counter);
    let mut out = Vec::new();
    for chunk in data.chunks(16) {
        out.extend_from_slice(&xor(chunk, &sm4.encrypt_block(&counter.to_be_bytes())));
        counter = counter.wrapping_add(1);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::Stage;
    use super::*;

    #[test]
    fn every_mode_inverts_itself_at_every_length() {
        let sm4 = Sm4::new(b"0123456789abcdef", Stage::Bytewise);
        let iv = [0xff; 16];
        let data: Vec<u8> = (0..100).collect();
        for length in 0..data.len() {
            let p = &data[..length];
            assert_eq!(cfb128_decrypt(&sm4, &iv, &cfb128_encrypt(&sm4, &iv, p)), p);
            assert_eq!(ofb_crypt(&sm4, &iv, &ofb_crypt(&sm4, &iv, p)), p);
            assert_eq!(ctr_crypt(&sm4, &iv, &ctr_crypt(&sm4, &iv, p)), p);
            let whole = length % 16 == 0;
            let ecb = ecb_encrypt(&sm4, p).and_then(|c| ecb_decrypt(&sm4, &c));
            assert_eq!(ecb.as_deref(), whole.then_some(p));
            let cbc = cbc_encrypt(&sm4, &iv, p).and_then(|c| cbc_decrypt(&sm4, &iv, &c));
            assert_eq!(cbc.as_deref(), whole.then_some(p));
        }
    }

    #[test]
    fn the_counter_wraps_at_128_bits() {
        let sm4 = Sm4::new(&[1; 16], Stage::Bytewise);
        let stream = ctr_crypt(&sm4, &[0xff; 16], &[0; 32]);
        assert_eq!(stream[16..], sm4.encrypt_block(&[0; 16]));
    }
}
