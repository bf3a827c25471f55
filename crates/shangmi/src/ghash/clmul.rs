//! GHASH with instructions that multiply polynomials: the algebra, as text for every width of vectors.
//!
//! A block is read as a big-endian number, its polynomial reversed, and the powers of H are divided by x, as in
//! [`portable`](super::portable).
//!
//! # Products
//!
//! A product of two numbers of 128 bits is four products of halves: high H + middle 2^64 + low, where the two in
//! the middle are added. Karatsuba's three would take two shuffles and more sums instead of the fourth, no gain
//! where the multiplier takes an instruction a cycle. Products are added before they are reduced, as
//! many as there are powers.
//!
//! # Reduction
//!
//! The lower half of the product holds x^128 and up, the highest in bit 0. A word w of 64 bits at bit i returns as
//! w (1 + x + x^2 + x^7) at bit i + 128: w itself there, and the rest, w times c2 2^56, from bit i + 64 on.
//! The lowest word goes into the middle, then that one's lowest word into the top. Exchanging the halves of a
//! vector is what carries the other word and w itself to their places.
use crate::sm4::Block;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// x + x^2 + x^7, reversed: bit 63 is one step above a word.
pub(super) const POLYNOMIAL: i64 = (0xc2_u64 << 56).cast_signed();

/// H^N to H, each divided by x: then a group of n blocks takes the last n in memory's order.
#[derive(Clone)]
#[repr(align(64))]
pub(super) struct Powers<const N: usize>(pub(super) [u128; N]);

impl<const N: usize> Drop for Powers<N> {
    fn drop(&mut self) {
        self.0.as_mut_slice().zeroize();
    }
}

impl<const N: usize> ZeroizeOnDrop for Powers<N> {}

impl<const N: usize> Powers<N> {
    /// Takes `blocks` and then `end`, fewer than `N`, in groups of at most `N`: calls `update` with the powers for a
    /// group and its two parts.
    #[inline]
    pub(super) fn in_groups(
        &self,
        blocks: &[Block],
        end: &[Block],
        mut update: impl FnMut(&[u128], &[Block], &[Block]),
    ) {
        let mut group = |blocks: &[Block], end: &[Block]| {
            let count = blocks.len() + end.len();
            if let (false, Some(powers)) = (count == 0, self.0.get(N.wrapping_sub(count)..)) {
                update(powers, blocks, end);
            }
        };
        let (groups, rest) = blocks.as_chunks::<N>();
        for blocks in groups {
            group(blocks, &[]);
        }
        if rest.len() + end.len() <= N {
            group(rest, end);
        } else {
            group(rest, &[]);
            group(&[], end);
        }
    }
}

/// Defines `Products`, sums of products in each 128 bits of `$vector`.
macro_rules! products {
    ($features:literal, $vector:ty, $zero:ident, $splat:ident, $xor:ident, $multiply:ident, $shuffle:ident) => {
        /// A sum of products before reduction.
        #[derive(Clone, Copy)]
        pub(crate) struct Products {
            high: $vector,
            middle: $vector,
            low: $vector,
        }

        impl Products {
            #[inline]
            #[target_feature(enable = $features)]
            pub(crate) fn zero() -> Self {
                let [high, middle, low] = [$zero(); 3];
                Self { high, middle, low }
            }

            /// Adds the product of `x` and `h`.
            #[inline]
            #[target_feature(enable = $features)]
            pub(super) fn add(&mut self, x: $vector, h: $vector) {
                self.low = $xor(self.low, $multiply::<0x00>(x, h));
                let cross = $xor($multiply::<0x01>(x, h), $multiply::<0x10>(x, h));
                self.middle = $xor(self.middle, cross);
                self.high = $xor(self.high, $multiply::<0x11>(x, h));
            }

            #[inline]
            #[target_feature(enable = $features)]
            pub(super) fn reduce(self) -> $vector {
                let polynomial = $splat(POLYNOMIAL);
                let fold = |x, onto| {
                    let rest = $xor(onto, $shuffle::<0b01_00_11_10>(x));
                    $xor(rest, $multiply::<0x00>(x, polynomial))
                };
                fold(fold(self.low, self.middle), self.high)
            }
        }
    };
}
pub(super) use products;
