//! XTS in its two forms, which agree on the first block alone: GB/T 17964-2021 and
//! IEEE 1619. They differ in how the tweak is multiplied by the primitive element.

use super::{Block, xor_block};
use crate::sm4::Sm4;

/// Which standard's XTS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standard {
    /// GB/T 17964-2021: the first bit of the tweak is the lowest coefficient (as in
    /// GCM); shift right, feedback E1 in the first byte.
    Gb,
    /// IEEE 1619: the tweak is a little-endian integer; shift left, feedback 87 in
    /// the first byte.
    Ieee,
}

impl Standard {
    /// The tweak times the primitive element.
    fn next(self, tweak: &Block) -> Block {
        match self {
            Self::Gb => {
                let t = u128::from_be_bytes(*tweak);
                (t >> 1 ^ if t & 1 == 1 { 0xe1 << 120 } else { 0 }).to_be_bytes()
            }
            Self::Ieee => {
                let t = u128::from_le_bytes(*tweak);
                (t << 1 ^ if t >> 127 == 1 { 0x87 } else { 0 }).to_le_bytes()
            }
        }
    }
}

/// The two keys: one for the data, one for the tweak.
#[derive(Clone, Copy, Debug)]
pub struct Keys<'a> {
    /// Key 1, for the data.
    pub data: &'a Sm4,
    /// Key 2, for the tweak.
    pub tweak: &'a Sm4,
}

/// Encrypts one data unit of at least 16 bytes; `tweak` is the IV or sector number as
/// the standard writes it. `None` when it is shorter.
pub fn encrypt(standard: Standard, keys: Keys<'_>, tweak: &Block, data: &[u8]) -> Option<Vec<u8>> {
    let whole = Unit::new(standard, keys, tweak, data)?;
    let mut out = whole.data.to_vec();
    let (blocks, rest) = out.as_chunks_mut::<16>();
    let last = blocks.len() - 1;
    for (block, t) in blocks.iter_mut().zip(&whole.tweaks) {
        *block = xor_block(&keys.data.encrypt_block(&xor_block(block, t)), t);
    }
    if !rest.is_empty() {
        // Ciphertext stealing: the last, short block takes the end of the one before.
        let stolen = steal(&mut blocks[last], rest);
        let t = &whole.tweaks[last + 1];
        blocks[last] = xor_block(&keys.data.encrypt_block(&xor_block(&stolen, t)), t);
    }
    Some(out)
}

/// Decrypts one data unit; see [`encrypt`].
pub fn decrypt(standard: Standard, keys: Keys<'_>, tweak: &Block, data: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Unit::new(standard, keys, tweak, data)?;
    let mut out = whole.data.to_vec();
    let (blocks, rest) = out.as_chunks_mut::<16>();
    let last = blocks.len() - 1;
    if !rest.is_empty() {
        // The last whole block was encrypted last, so with the last tweak.
        whole.tweaks.swap(last, last + 1);
    }
    for (block, t) in blocks.iter_mut().zip(&whole.tweaks) {
        *block = xor_block(&keys.data.decrypt_block(&xor_block(block, t)), t);
    }
    if !rest.is_empty() {
        let stolen = steal(&mut blocks[last], rest);
        let t = &whole.tweaks[last + 1];
        blocks[last] = xor_block(&keys.data.decrypt_block(&xor_block(&stolen, t)), t);
    }
    Some(out)
}

/// A data unit with the tweak of each of its blocks, a short last one included.
struct Unit<'a> {
    data: &'a [u8],
    tweaks: Vec<Block>,
}

impl<'a> Unit<'a> {
    fn new(standard: Standard, keys: Keys<'_>, tweak: &Block, data: &'a [u8]) -> Option<Self> {
        if data.len() < 16 {
            return None;
        }
        let first = keys.tweak.encrypt_block(tweak);
        let tweaks = std::iter::successors(Some(first), |t| Some(standard.next(t)))
            .take(data.len().div_ceil(16))
            .collect();
        Some(Self { data, tweaks })
    }
}

/// Puts the start of `block` into `rest`, and returns what `rest` held with the end
/// of `block`.
fn steal(block: &mut Block, rest: &mut [u8]) -> Block {
    let mut joined = *block;
    joined[..rest.len()].copy_from_slice(rest);
    rest.copy_from_slice(&block[..rest.len()]);
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sm4::Stage;

    #[test]
    fn round_trip_at_every_length() {
        let [data, tweak] = [[1; 16], [2; 16]].map(|key| Sm4::new(&key, Stage::Bytewise));
        let keys = Keys {
            data: &data,
            tweak: &tweak,
        };
        let unit: Vec<u8> = (0..100).collect();
        for standard in [Standard::Gb, Standard::Ieee] {
            for length in 16..unit.len() {
                let c = encrypt(standard, keys, &[9; 16], &unit[..length]).unwrap();
                let p = decrypt(standard, keys, &[9; 16], &c).unwrap();
                assert_eq!(p, unit[..length]);
            }
            assert_eq!(encrypt(standard, keys, &[9; 16], &unit[..15]), None);
        }
    }

    #[test]
    fn second_blocks_of_the_two_standards() {
        let data = Sm4::new(
            &0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128.to_be_bytes(),
            Stage::Bytewise,
        );
        let tweak = Sm4::new(
            &0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f_u128.to_be_bytes(),
            Stage::Bytewise,
        );
        let iv = std::array::from_fn(|i| 0xf0 + i as u8);
        let p = [
            0x6bc1_bee2_2e40_9f96_e93d_7e11_7393_172a_u128.to_be_bytes(),
            0xae2d_8a57_1e03_ac9c_9eb7_6fac_45af_8e51_u128.to_be_bytes(),
        ]
        .concat();
        let second = |standard| {
            let keys = Keys {
                data: &data,
                tweak: &tweak,
            };
            encrypt(standard, keys, &iv, &p).unwrap()[16..20].to_vec()
        };
        assert_eq!(second(Standard::Gb), [0x2c, 0x5c, 0x58, 0x1b]);
        assert_eq!(second(Standard::Ieee), [0xb3, 0xdb, 0x1a, 0x3e]);
    }
}
