//! The S-box as a circuit of AND, OR and XOR, on bytes whose bits lie in eight words.
use core::ops::{BitAnd, BitOr, BitXor};

/// A word whose bits are independent lanes.
pub(crate) trait Word:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
}

impl<T> Word for T where T: Copy + BitAnd<Output = T> + BitOr<Output = T> + BitXor<Output = T> {}

/// Bit i of a byte in element i.
pub(crate) type Planes<W> = [W; 8];

/// The sums of the bits of a nibble (h1 h0 l1 l0) that a product of two nibbles needs:
/// l0, l1, l0+l1, h0, h1, h0+h1, l0+h0, l1+h1, l0+l1+h0+h1.
type Sums<W> = [W; 9];

/// A inv(A x), which is the S-box without its constants: S(x) = kernel(x + A^-1 D3) + D3.
///
/// The byte A x becomes a pair of nibbles (high, low) in a tower of fields, GF(2^8) over GF(2^4)
/// over GF(2^2), each with a normal basis (t^q, t) of trace one. There
///
/// - theta = high low + nu (high + low)^2
/// - inv(high, low) = (low / theta, high / theta)
///
/// so that three products and one inversion of nibbles do it. `split` is A and the change of basis,
/// `join` the way back and A again. Of the 4080 combinations of bases and scale factors (inv(c x) =
/// inv(x) / c, so that any c may be slipped in) this is the one whose two linear maps were cheapest:
/// 45 XORs. In all 105 gates; the test runs all 256 inputs.
#[inline(always)]
pub(crate) fn kernel<W: Word>(x: Planes<W>) -> Planes<W> {
    let (low, high, extra) = split(x);
    let inverse = invert(norm(&low, &high, extra));
    join(products(&inverse, &low), products(&inverse, &high))
}

/// The sums of both nibbles, and two sums that [`norm`] needs. `s026` is x0 + x2 + x6.
#[inline(always)]
fn split<W: Word>(x: Planes<W>) -> (Sums<W>, Sums<W>, [W; 2]) {
    let [x0, x1, x2, x3, x4, x5, x6, x7] = x;
    let s26 = x2 ^ x6;
    let s126 = x1 ^ s26;
    let s0126 = x0 ^ s126;
    let s01256 = x5 ^ s0126;
    let s0256 = x1 ^ s01256;
    let s02456 = x4 ^ s0256;
    let s012356 = x3 ^ s01256;
    let s145 = s0126 ^ s02456;
    let s02346 = s012356 ^ s145;
    let s023467 = x7 ^ s02346;
    let s01347 = s126 ^ s023467;
    let s0456 = x2 ^ s02456;
    let s0135 = s26 ^ s012356;
    let s0156 = x2 ^ s01256;
    let s124567 = s023467 ^ s0135;
    let s124 = s01256 ^ s0456;
    let s24567 = s012356 ^ s01347;
    let s016 = s145 ^ s0456;
    (
        [
            s0135, s124567, s023467, s26, x1, s126, s012356, s24567, s01347,
        ],
        [s02456, s124, s0156, s0126, s01256, x5, s145, s0456, s016],
        [s0256, s02346],
    )
}

/// The nine one-bit products of which the product of two nibbles is made.
#[inline(always)]
fn products<W: Word>(a: &Sums<W>, b: &Sums<W>) -> Sums<W> {
    core::array::from_fn(|i| a[i] & b[i])
}

/// theta = high low + nu (high + low)^2.
///
/// The second term is linear in the input. Two ORs, a | b = (a & b) + a + b, and the two sums in
/// `extra` supply it.
#[inline(always)]
fn norm<W: Word>(low: &Sums<W>, high: &Sums<W>, extra: [W; 2]) -> [W; 4] {
    let mut p = products(low, high);
    p[2] = low[2] | high[2];
    p[7] = low[7] | high[7];
    let (c0, c1) = (p[6] ^ p[7], p[6] ^ p[8]);
    [
        p[0] ^ p[2] ^ (c0 ^ extra[0]),
        p[1] ^ p[2] ^ c1,
        p[3] ^ p[5] ^ c0,
        p[4] ^ p[5] ^ (c1 ^ extra[1]),
    ]
}

/// The inverse of the nibble (h1 h0 l1 l0), as sums: nine functions of four bits, in 21 gates that a SAT
/// solver found.
#[inline(always)]
fn invert<W: Word>([l0, l1, h0, h1]: [W; 4]) -> Sums<W> {
    let t4 = l0 ^ l1;
    let t5 = h1 & t4;
    let t6 = l0 ^ t5;
    let t7 = h0 & t6;
    let t8 = h1 ^ t7;
    let t9 = t5 | t6;
    let t11 = l1 & h1;
    let t12 = t9 ^ t11;
    let t13 = h0 & t4;
    let t14 = h1 & t8;
    let t15 = h0 | t5;
    let t16 = t9 ^ t13;
    let t17 = t14 ^ t15;
    let t18 = t8 ^ t17;
    let t19 = t12 & t16;
    let t20 = t16 ^ t18;
    let t21 = t4 ^ t19;
    let t22 = t16 ^ t21;
    let t23 = t8 ^ t21;
    let t24 = t20 ^ t23;
    [t18, t17, t8, t16, t22, t21, t20, t24, t23]
}

/// The bits of the result from the products of 1 / theta with the low and the high nibble.
/// `n26` goes into bits 2 and 6.
#[inline(always)]
fn join<W: Word>(p: Sums<W>, q: Sums<W>) -> Planes<W> {
    let n1246 = q[3] ^ q[7];
    let n12456 = q[8] ^ n1246;
    let n01456 = q[1] ^ n12456;
    let n0357 = p[5] ^ p[3];
    let n23457 = p[6] ^ n0357;
    let n123457 = p[8] ^ n23457;
    let n01457 = p[1] ^ p[0] ^ n123457;
    let n0145 = q[0] ^ q[7] ^ n01456 ^ n01457;
    let n014 = q[6] ^ q[5] ^ n0145;
    let n024 = p[2] ^ p[0] ^ n0357 ^ n014;
    let n023 = p[4] ^ p[3] ^ n123457;
    let n02 = q[4] ^ n12456 ^ n024 ^ n023;
    [
        n02,
        p[7] ^ n23457 ^ n014,
        n014 ^ n02,
        n023,
        n024,
        n1246 ^ n0145,
        q[2] ^ q[5] ^ n01456,
        n01457,
    ]
}

#[cfg(test)]
mod tests {
    use crate::sm4::consts::{AFFINE, linear_inverse, sbox};

    #[test]
    fn circuit_is_the_sbox() {
        for x in 0..=255u8 {
            let moved = x ^ linear_inverse(AFFINE);
            let y = super::kernel(core::array::from_fn(|i| moved >> i & 1));
            let y = (0..8).fold(AFFINE, |byte, i| byte ^ y[i] << i);
            assert_eq!(y, sbox(x), "input {x:02x}");
        }
    }
}
