//! GHASH with integer multiplication, in constant time on machines whose multiplier is (all current ones).
//!
//! # Product of polynomials
//!
//! An integer product is a product of polynomials over GF(2) but for the carries. Keep every fourth bit of both
//! factors: then four bits of the product belong to one coefficient, and a sum of up to 15 ones fits,
//! its lowest bit the one that counts. So a factor is split into four classes (bit number modulo 4), and the
//! 16 products of classes, added without carry by class of the result and masked, give the
//! product.
//!
//! A class of 64 bits has 16 bits, one too many. So the top four bits of the key's factor are taken out and
//! multiplied by masks instead.
//!
//! # Order of bits
//!
//! GCM writes the coefficient of x^0 first. Read as a big-endian number, a block is its polynomial reversed;
//! the reversed product of 255 bits then lacks one shift. The key is stored as H / x to make up for it.
//!
//! # Four blocks at a time
//!
//! (((Y + X_1) H + X_2) H + X_3) H + X_4) H = (Y + X_1) H^4 + X_2 H^3 + X_3 H^2 + X_4 H: the unreduced
//! products are added, and one reduction does for four.
use super::divide_by_x;
use crate::sm4::Block;
use zeroize::{Zeroize, ZeroizeOnDrop};

pub(super) const NAME: &str = "portable";

/// Powers kept, and blocks taken together.
const POWERS: usize = 4;

/// H^4 to H, each ready to multiply by.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub(super) struct Key([Factor; POWERS]);

/// H^n / x as two halves and their sum, for Karatsuba's three products.
#[derive(Clone, Copy, Default, Zeroize)]
struct Factor {
    high: Half,
    low: Half,
    sum: Half,
}

/// A factor of 64 bits: the lower 60 by class; the upper 4 as masks.
#[derive(Clone, Copy, Default, Zeroize)]
struct Half {
    classes: [u64; 4],
    top: [u64; 4],
}

/// Every fourth bit.
const CLASS: u64 = 0x1111_1111_1111_1111;
const CLASS_WIDE: u128 = (CLASS as u128) << 64 | CLASS as u128;

impl Half {
    fn new(x: u64) -> Self {
        let lower = x & (u64::MAX >> 4);
        Self {
            classes: core::array::from_fn(|i| lower & CLASS << i),
            top: core::array::from_fn(|i| (x >> (60 + i) & 1).wrapping_neg()),
        }
    }

    /// The product of polynomials, 127 bits.
    #[inline(always)]
    fn multiply(&self, y: u64) -> u128 {
        let y_classes: [u64; 4] = core::array::from_fn(|i| y & CLASS << i);
        let mut product = 0;
        for class in 0..4 {
            let sum = (0..4).fold(0, |sum, i| {
                let y = y_classes[(class + 4 - i) % 4];
                sum ^ (u128::from(self.classes[i]) * u128::from(y))
            });
            product |= sum & CLASS_WIDE << class;
        }
        for (i, mask) in self.top.iter().enumerate() {
            product ^= u128::from(y & mask) << (60 + i);
        }
        product
    }
}

impl Factor {
    fn new(h: u128) -> Self {
        let h = divide_by_x(h);
        let (high, low) = ((h >> 64) as u64, h as u64);
        Self {
            high: Half::new(high),
            low: Half::new(low),
            sum: Half::new(high ^ low),
        }
    }
}

/// A sum of products before reduction, in Karatsuba's three parts.
#[derive(Default)]
struct Products {
    high: u128,
    low: u128,
    sum: u128,
}

impl Products {
    #[inline(always)]
    fn add(&mut self, factor: &Factor, x: u128) {
        let (high, low) = ((x >> 64) as u64, x as u64);
        self.high ^= factor.high.multiply(high);
        self.low ^= factor.low.multiply(low);
        self.sum ^= factor.sum.multiply(high ^ low);
    }

    /// Modulo x^128 + x^7 + x^2 + x + 1.
    #[inline(always)]
    fn reduce(self) -> u128 {
        let middle = self.high ^ self.low ^ self.sum;
        let (high, low) = (self.high ^ middle >> 64, self.low ^ middle << 64);
        // The lower half holds x^128 and up. What its multiples by x, x^2, x^7 push out goes round again.
        let low = low ^ low << 127 ^ low << 126 ^ low << 121;
        high ^ low ^ low >> 1 ^ low >> 2 ^ low >> 7
    }
}

impl Key {
    pub(super) fn new(h: u128) -> Self {
        let first = Factor::new(h);
        let mut powers = [first; POWERS];
        let mut power = h;
        for factor in powers.iter_mut().rev().skip(1) {
            power = multiply(&first, power);
            *factor = Factor::new(power);
        }
        Self(powers)
    }

    /// Y = (Y + X) H for each block.
    pub(super) fn update(&self, y: &mut u128, blocks: &[Block]) {
        for group in blocks.chunks(POWERS) {
            let mut products = Products::default();
            for (factor, block) in self.0[POWERS - group.len()..].iter().zip(group) {
                products.add(factor, core::mem::take(y) ^ u128::from_be_bytes(*block));
            }
            *y = products.reduce();
        }
    }
}

fn multiply(factor: &Factor, x: u128) -> u128 {
    let mut products = Products::default();
    products.add(factor, x);
    products.reduce()
}
