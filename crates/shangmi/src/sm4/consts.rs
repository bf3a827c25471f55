//! The constants of GB/T 32907-2016, computed at compile time from their definitions.

/// FK (7.3.1): added to the key words before the first round of the key schedule.
pub(super) const FK: [u32; 4] = [0xa3b1_bac6, 0x56aa_3350, 0x677d_9197, 0xb270_22dc];

/// CK (7.3.2): byte j of word i is 7 (4 i + j) mod 256, the first byte the most significant.
pub(super) const CK: [u32; 32] = {
    let mut ck = [0; 32];
    let mut k = 0;
    while k < 128 {
        ck[k / 4] = (ck[k / 4] << 8) | ((7 * k as u32) % 256);
        k += 1;
    }
    ck
};

/// The constant that the S-box adds before and after its inversion.
pub(super) const AFFINE: u8 = 0xd3;

/// Row 0 of the circulant matrix A; row i is this rotated left by i.
const ROW: u8 = 0xa7;

/// The linear map of the S-box, bit i of the result is the parity of row i and `x`.
pub(super) const fn linear(x: u8) -> u8 {
    let mut y = 0;
    let mut i = 0;
    while i < 8 {
        y |= ((ROW.rotate_left(i) & x).count_ones() as u8 & 1) << i;
        i += 1;
    }
    y
}

/// The `x` with `linear(x) == y`.
pub(super) const fn linear_inverse(y: u8) -> u8 {
    let mut x = 0;
    while linear(x) != y {
        x += 1;
    }
    x
}

/// The S-box by its definition.
#[cfg(test)]
mod definition {
    use super::{AFFINE, linear};

    /// x^8 + x^7 + x^6 + x^5 + x^4 + x^2 + 1, which defines the field of the S-box.
    const POLYNOMIAL: u16 = 0x1f5;

    const fn multiply(a: u8, b: u8) -> u8 {
        let mut product = 0;
        let mut i = 8;
        while i > 0 {
            i -= 1;
            product <<= 1;
            if product & 0x100 != 0 {
                product ^= POLYNOMIAL;
            }
            if b >> i & 1 != 0 {
                product ^= a as u16;
            }
        }
        product as u8
    }

    /// S(x) = A inv(A x + D3) + D3, with inv(0) = 0.
    ///
    /// It branches on `x`: for tests to compare with what computes the same in constant time.
    pub(in crate::sm4) const fn sbox(x: u8) -> u8 {
        let a = linear(x) ^ AFFINE;
        // a^254: the inverse of every a but zero, and zero for zero.
        let mut inverse = a;
        let mut i = 0;
        while i < 6 {
            inverse = multiply(multiply(inverse, inverse), a);
            i += 1;
        }
        linear(multiply(inverse, inverse)) ^ AFFINE
    }
}
#[cfg(test)]
pub(super) use definition::sbox;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sbox_has_the_standards_corners() {
        assert_eq!(
            [sbox(0), sbox(1), sbox(0x10), sbox(0xff)],
            [0xd6, 0x90, 0x2b, 0x48]
        );
    }

    #[test]
    fn sbox_is_a_permutation() {
        let mut seen = [false; 256];
        for x in 0..=255 {
            seen[usize::from(sbox(x))] = true;
        }
        assert!(seen.iter().all(|&s| s));
    }

    #[test]
    fn ck_has_the_standards_ends() {
        assert_eq!(
            (CK[0], CK[1], CK[31]),
            (0x0007_0e15, 0x1c23_2a31, 0x646b_7279)
        );
    }
}
