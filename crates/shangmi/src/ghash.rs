//! GHASH, the universal hash of GCM: polynomials over GF(2^128).
use crate::sm4::{BLOCK_LEN, Block};
use zeroize::{Zeroize, ZeroizeOnDrop};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use {crate::cpu, clmul::Powers};

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod clmul;
mod portable;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64_clmul;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64_vpclmul;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use x86_64_vpclmul::{Products, Wide};

/// Which implementation runs, with the hash key H in the form that it wants.
#[derive(Clone)]
#[cfg_attr(
    all(target_arch = "x86_64", target_feature = "sse2"),
    expect(
        clippy::large_enum_variant,
        reason = "there may be no allocator, and most machines take the largest"
    )
)]
enum Backend {
    /// Plain Rust, on every machine.
    Portable(portable::Key),
    /// Vectors of 128 bits.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Clmul(cpu::Clmul, Powers<{ x86_64_clmul::POWERS }>),
    /// Vectors of 512 bits.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Vpclmul(cpu::VpclmulAvx512, Powers<{ x86_64_vpclmul::POWERS }>),
}

impl Backend {
    /// The fastest implementation of this machine.
    fn new(h: u128) -> Self {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        {
            if let Some(token) = cpu::VpclmulAvx512::detect() {
                return Self::Vpclmul(token, x86_64_vpclmul::powers(token, h));
            }
            if let Some(token) = cpu::Clmul::detect() {
                return Self::Clmul(token, x86_64_clmul::powers(token, h));
            }
        }
        Self::Portable(portable::Key::new(h))
    }

    /// Every implementation of this machine.
    #[cfg(test)]
    fn all(h: u128) -> std::vec::Vec<Self> {
        let mut all = std::vec![Self::Portable(portable::Key::new(h))];
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        {
            let narrow = cpu::Clmul::detect();
            all.extend(narrow.map(|token| Self::Clmul(token, x86_64_clmul::powers(token, h))));
            let wide = cpu::VpclmulAvx512::detect();
            all.extend(wide.map(|token| Self::Vpclmul(token, x86_64_vpclmul::powers(token, h))));
        }
        all
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Portable(_) => portable::NAME,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Clmul(..) => x86_64_clmul::NAME,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Vpclmul(..) => x86_64_vpclmul::NAME,
        }
    }

    /// Y = (Y + X) H for each block of `blocks` and `end`, fewer than eight.
    fn update(&self, y: &mut u128, blocks: &[Block], end: &[Block]) {
        match self {
            Self::Portable(key) => {
                key.update(y, blocks);
                key.update(y, end);
            }
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Clmul(token, powers) => x86_64_clmul::update(*token, powers, y, blocks, end),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Vpclmul(token, powers) => Wide::new(*token, powers, y).update(blocks, end),
        }
    }
}

/// H / x: what the backends multiply by, because the product of two reversed polynomials lacks one shift.
fn divide_by_x(h: u128) -> u128 {
    // Multiplication by x is a shift to the right here; by 1 / x to the left, where the x^0 that falls
    // out returns as (x^128 + x^7 + x^2 + x + 1 + 1) / x.
    const RETURN: u128 = 1 | 1 << 121 | 1 << 126 | 1 << 127;
    h << 1 ^ RETURN & (h >> 127).wrapping_neg()
}

/// A hash key, ready to use. Wiped when dropped.
#[derive(Clone)]
pub(crate) struct Key(Backend);

impl Key {
    pub(crate) fn new(h: &Block) -> Self {
        Self(Backend::new(u128::from_be_bytes(*h)))
    }

    /// A key for every implementation of this machine.
    #[cfg(test)]
    pub(crate) fn all(h: &Block) -> std::vec::Vec<Self> {
        let all = Backend::all(u128::from_be_bytes(*h));
        all.into_iter().map(Self).collect()
    }

    /// The name of the code that runs.
    pub(crate) fn backend(&self) -> &'static str {
        self.0.name()
    }

    /// Starts a hash.
    pub(crate) fn start(&self) -> Ghash<'_> {
        Ghash { key: self, sum: 0 }
    }
}

/// A hash in progress: Y_i = (Y_{i-1} + X_i) H.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(crate) struct Ghash<'a> {
    #[zeroize(skip)]
    key: &'a Key,
    sum: u128,
}

impl Ghash<'_> {
    /// Absorbs `data`; zeros are added up to the block boundary.
    pub(crate) fn update(&mut self, data: &[u8]) {
        let (blocks, rest) = data.as_chunks();
        let end = [filled(rest)];
        self.blocks(blocks, &end[..rest.len().min(1)]);
    }

    /// The hash for a kernel with vectors of 512 bits, if that is what runs.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    pub(crate) fn wide(&mut self) -> Option<Wide<'_>> {
        match &self.key.0 {
            Backend::Vpclmul(token, powers) => Some(Wide::new(*token, powers, &mut self.sum)),
            _ => None,
        }
    }

    /// Absorbs the last data and the lengths of all, in bytes, and returns the hash.
    pub(crate) fn finish(&mut self, data: &[u8], aad_len: u64, data_len: u64) -> Block {
        let bits = |bytes: u64| u128::from(bytes) * 8;
        let lengths = bits(aad_len) << 64 | bits(data_len);
        let (blocks, rest) = data.as_chunks();
        let end = [filled(rest), lengths.to_be_bytes()];
        self.blocks(blocks, &end[usize::from(rest.is_empty())..]);
        self.sum.to_be_bytes()
    }

    fn blocks(&mut self, blocks: &[Block], end: &[Block]) {
        self.key.0.update(&mut self.sum, blocks, end);
    }
}

/// A block, the bytes behind `rest` being zero.
fn filled(rest: &[u8]) -> Block {
    let mut block = [0; BLOCK_LEN];
    block[..rest.len()].copy_from_slice(rest);
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    /// X H by the book: NIST SP 800-38D, algorithm 1.
    fn multiply(x: u128, h: u128) -> u128 {
        let (mut z, mut v) = (0, h);
        for i in (0..128).rev() {
            if x >> i & 1 == 1 {
                z ^= v;
            }
            v = v >> 1 ^ if v & 1 == 1 { 0xe1 << 120 } else { 0 };
        }
        z
    }

    fn by_the_book(start: u128, h: u128, blocks: &[Block]) -> u128 {
        blocks
            .iter()
            .fold(start, |y, x| multiply(y ^ u128::from_be_bytes(*x), h))
    }

    /// Words whose products carry the most: dense, sparse, and dense in one class of bits.
    fn words() -> Vec<u128> {
        let mut words = vec![0, 1, 1 << 127, u128::MAX, u128::MAX << 64, u128::MAX >> 64];
        let class = u128::from_ne_bytes([0x11; 16]);
        words.extend((0..4).flat_map(|i| [class << i, class << i >> 64, class << i << 64]));
        let mut x = 1u128;
        for _ in 0..40 {
            x = x
                .wrapping_mul(0xda94_2042_e4dd_58b5_da94_2042_e4dd_58b5)
                .wrapping_add(0xb5);
            words.push(x ^ x >> 67);
        }
        words
    }

    #[test]
    fn products_are_the_standards() {
        for h in words() {
            for backend in Backend::all(h) {
                for x in words() {
                    let mut y = 0;
                    backend.update(&mut y, &[x.to_be_bytes()], &[]);
                    let name = backend.name();
                    assert_eq!(y, multiply(x, h), "{name}: {x:032x} times {h:032x}");
                }
            }
        }
    }

    /// All small counts, and those around the groups of the kernels.
    fn counts() -> impl Iterator<Item = usize> {
        (0..=40).chain([47, 48, 49, 63, 64, 65, 66, 67, 68, 127, 128, 129, 131, 200])
    }

    #[test]
    fn any_number_of_blocks() {
        let words = words();
        for (n, h) in counts().zip(words.iter().cycle()) {
            let blocks: Vec<Block> = (words.iter().cycle().take(n))
                .enumerate()
                .map(|(i, x)| x.wrapping_add(i as u128).to_be_bytes())
                .collect();
            let start = words[n % words.len()];
            let expected = by_the_book(start, *h, &blocks);
            for backend in Backend::all(*h) {
                for end in 0..=n.min(2) {
                    let (blocks, end) = blocks.split_at(n - end);
                    let mut y = start;
                    backend.update(&mut y, blocks, end);
                    assert_eq!(y, expected, "{}: {n} blocks", backend.name());
                }
            }
        }
    }

    #[test]
    fn any_offset_in_memory() {
        let (h, blocks) = (words()[50], [0x5a; 16 * 70]);
        let expected = by_the_book(0, h, blocks.as_chunks().0);
        for backend in Backend::all(h) {
            let mut memory = vec![0; 64 + blocks.len()];
            for offset in 0..64 {
                let part = &mut memory[offset..offset + blocks.len()];
                part.copy_from_slice(&blocks);
                let mut y = 0;
                backend.update(&mut y, part.as_chunks().0, &[]);
                assert_eq!(y, expected, "{}: offset {offset}", backend.name());
            }
        }
    }

    #[test]
    fn a_rest_is_filled_with_zeros() {
        let key = Key::new(&words()[50].to_be_bytes());
        let (cut, filled) = ([7; 21], [[7; 21].as_slice(), &[0; 11]].concat());
        let expected = key.start().finish(&filled, 1, 2);
        assert_eq!(key.start().finish(&cut, 1, 2), expected);
        let mut hash = key.start();
        hash.update(&cut);
        assert_eq!(hash.finish(&[], 1, 2), expected);
    }

    use std::{vec, vec::Vec};
}
