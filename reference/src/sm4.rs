//! SM4, GB/T 32907-2016 (also ISO/IEC 18033-3:2010/Amd 1:2021, GM/T 0002-2012).
//!
//! Every stage looks up tables with bytes that depend on the key and the data:
//! **none of them is constant-time**, none may touch a secret.

pub mod modes;
mod stages;

/// The implementation stages of SM4, from the standard's text to fast code. None
/// is constant-time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// As the standard writes it: the S-box byte by byte, then L. Not constant-time.
    Bytewise,
    /// T as four tables of 256 words, which hold S-box and L together. Not
    /// constant-time.
    TTable,
    /// T-tables and four rounds a step, so that no word moves. Not constant-time.
    Unrolled4,
    /// T-tables and eight rounds a step. Not constant-time.
    Unrolled8,
}

impl Stage {
    /// All stages, slowest first.
    pub const ALL: [Self; 4] = [
        Self::Bytewise,
        Self::TTable,
        Self::Unrolled4,
        Self::Unrolled8,
    ];
}

/// x^8 + x^7 + x^6 + x^5 + x^4 + x^2 + 1, the polynomial of the S-box's field.
const POLYNOMIAL: u16 = 0x1f5;

/// x times y in GF(2^8).
const fn multiply(x: u8, y: u8) -> u8 {
    let (mut shifted, mut product, mut i) = (x as u16, 0, 0);
    while i < 8 {
        if y >> i & 1 == 1 {
            product ^= shifted;
        }
        shifted <<= 1;
        if shifted & 0x100 != 0 {
            shifted ^= POLYNOMIAL;
        }
        i += 1;
    }
    product as u8
}

/// 1 / x in GF(2^8) as x^254, with 0 for 0.
const fn invert(x: u8) -> u8 {
    let (mut power, mut i) = (1, 0);
    while i < 254 {
        power = multiply(power, x);
        i += 1;
    }
    power
}

/// The affine map x A + C: row i of A is A7 rotated, C is D3.
const fn affine(x: u8) -> u8 {
    let (mut y, mut i) = (0, 0);
    while i < 8 {
        let row = 0xa7u8.rotate_left(i);
        y |= ((x & row).count_ones() as u8 & 1) << i;
        i += 1;
    }
    y ^ 0xd3
}

/// The S-box (6.2, table 1): an affine map, the inverse in GF(2^8), the affine map.
pub const SBOX: [u8; 256] = {
    let mut sbox = [0; 256];
    let mut x = 0;
    while x < 256 {
        sbox[x] = affine(invert(affine(x as u8)));
        x += 1;
    }
    sbox
};

/// The system parameter FK (7.3, a).
pub const FK: [u32; 4] = [0xa3b1_bac6, 0x56aa_3350, 0x677d_9197, 0xb270_22dc];

/// The constants CK: byte j of `CK_i` is 7 (4i + j) mod 256 (7.3, b).
pub const CK: [u32; 32] = {
    let mut ck = [0; 32];
    let mut i = 0;
    while i < 128 {
        ck[i / 4] = (ck[i / 4] << 8) | ((7 * i as u32) % 256);
        i += 1;
    }
    ck
};

/// The non-linear transformation tau: four S-boxes in parallel (6.2, a).
const fn tau(a: u32) -> u32 {
    let [a0, a1, a2, a3] = a.to_be_bytes();
    u32::from_be_bytes([
        SBOX[a0 as usize],
        SBOX[a1 as usize],
        SBOX[a2 as usize],
        SBOX[a3 as usize],
    ])
}

/// The linear transformation L (6.2, b).
const fn l(b: u32) -> u32 {
    b ^ b.rotate_left(2) ^ b.rotate_left(10) ^ b.rotate_left(18) ^ b.rotate_left(24)
}

/// The linear transformation L' of the key expansion (7.3).
const fn l1(b: u32) -> u32 {
    b ^ b.rotate_left(13) ^ b.rotate_left(23)
}

/// The round keys rk0 to rk31 (7.3).
pub fn round_keys(key: &[u8; 16]) -> [u32; 32] {
    let mk = words(key);
    let mut k: [u32; 4] = std::array::from_fn(|i| mk[i] ^ FK[i]);
    CK.map(|ck| {
        let rk = k[0] ^ l1(tau(k[1] ^ k[2] ^ k[3] ^ ck));
        k = [k[1], k[2], k[3], rk];
        rk
    })
}

/// 32 rounds of F(X0, X1, X2, X3, rk) = X0 xor T(X1 xor X2 xor X3 xor rk), then the
/// reverse transformation R (6.1, 7.1).
fn crypt_bytewise(rk: &[u32; 32], block: &[u8; 16]) -> [u8; 16] {
    let mut x = words(block);
    for &rk in rk {
        x = [x[1], x[2], x[3], x[0] ^ l(tau(x[1] ^ x[2] ^ x[3] ^ rk))];
    }
    bytes([x[3], x[2], x[1], x[0]])
}

/// 16 bytes as four words, big-endian.
#[inline(always)]
fn words(block: &[u8; 16]) -> [u32; 4] {
    let (chunks, _) = block.as_chunks::<4>();
    std::array::from_fn(|i| u32::from_be_bytes(chunks[i]))
}

/// Four words as 16 bytes, big-endian.
#[inline(always)]
fn bytes(x: [u32; 4]) -> [u8; 16] {
    let mut block = [0; 16];
    for (chunk, word) in block.as_chunks_mut::<4>().0.iter_mut().zip(x) {
        *chunk = word.to_be_bytes();
    }
    block
}

/// SM4 under one key, computed by the code of one stage. Not constant-time.
#[derive(Clone, Debug)]
pub struct Sm4 {
    stage: Stage,
    encryption_keys: [u32; 32],
    decryption_keys: [u32; 32],
}

impl Sm4 {
    /// Expands `key` for `stage`. Decryption uses the round keys in reverse (7.2).
    pub fn new(key: &[u8; 16], stage: Stage) -> Self {
        let encryption_keys = round_keys(key);
        let mut decryption_keys = encryption_keys;
        decryption_keys.reverse();
        Self {
            stage,
            encryption_keys,
            decryption_keys,
        }
    }

    /// Encrypts one block (7.1).
    pub fn encrypt_block(&self, block: &[u8; 16]) -> [u8; 16] {
        let mut out = [*block];
        self.encrypt_blocks(&mut out);
        out[0]
    }

    /// Decrypts one block (7.2).
    pub fn decrypt_block(&self, block: &[u8; 16]) -> [u8; 16] {
        let mut out = [*block];
        self.decrypt_blocks(&mut out);
        out[0]
    }

    /// Encrypts each block by itself, in place.
    pub fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
        crypt_blocks(self.stage, &self.encryption_keys, blocks);
    }

    /// Decrypts each block by itself, in place.
    pub fn decrypt_blocks(&self, blocks: &mut [[u8; 16]]) {
        crypt_blocks(self.stage, &self.decryption_keys, blocks);
    }
}

fn crypt_blocks(stage: Stage, rk: &[u32; 32], blocks: &mut [[u8; 16]]) {
    match stage {
        Stage::Bytewise => each_block(blocks, |block| crypt_bytewise(rk, block)),
        Stage::TTable => each_block(blocks, |block| stages::crypt_ttable(rk, block)),
        Stage::Unrolled4 => each_block(blocks, |block| stages::crypt_unrolled4(rk, block)),
        Stage::Unrolled8 => each_block(blocks, |block| stages::crypt_unrolled8(rk, block)),
    }
}

#[inline(always)]
fn each_block(blocks: &mut [[u8; 16]], crypt: impl Fn(&[u8; 16]) -> [u8; 16]) {
    for block in blocks {
        *block = crypt(block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sbox_is_a_permutation_and_begins_as_in_the_standard() {
        assert_eq!(SBOX[..4], [0xd6, 0x90, 0xe9, 0xfe]);
        assert_eq!(SBOX[0xef], 0x84);
        assert_eq!(SBOX[255], 0x48);
        let mut sorted = SBOX;
        sorted.sort_unstable();
        assert!(sorted.iter().enumerate().all(|(i, &y)| i == usize::from(y)));
    }

    #[test]
    fn constants_of_the_key_expansion() {
        assert_eq!((CK[0], CK[31]), (0x0007_0e15, 0x646b_7279));
    }

    #[test]
    fn stages_agree_and_decrypt_what_they_encrypt() {
        for seed in 0..64u8 {
            let key = std::array::from_fn(|i| seed.wrapping_mul(31).wrapping_add((i * 17) as u8));
            let block: [u8; 16] = std::array::from_fn(|i| seed.wrapping_add((i * 101) as u8));
            let expected = Sm4::new(&key, Stage::Bytewise).encrypt_block(&block);
            for stage in Stage::ALL {
                let sm4 = Sm4::new(&key, stage);
                assert_eq!(sm4.encrypt_block(&block), expected, "{stage:?}");
                assert_eq!(sm4.decrypt_block(&expected), block, "{stage:?}");
            }
        }
    }
}
