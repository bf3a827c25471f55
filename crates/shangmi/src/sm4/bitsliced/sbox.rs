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
/// so that three products and one inversion of nibbles do it. [`split`] is A and the change of basis,
/// [`join`] the way back and A again. Any factor c may be slipped in, as inv(c x) = inv(x) / c; of the
/// 4080 combinations of bases and factors, this is the one with the cheapest linear maps of depth 3
/// and 4 that a greedy search found. One block at a time waits for the depth (19), many blocks pay for the gates
/// (116). The test runs all 256 inputs.
#[inline(always)]
pub(crate) fn kernel<W: Word>(x: Planes<W>) -> Planes<W> {
    let (low, high, extra) = split(x);
    let inverse = invert(norm(&low, &high, extra));
    join(products(&inverse, &low), products(&inverse, &high))
}

/// The sums of both nibbles, and two sums that [`norm`] needs. `s126` is x1 + x2 + x6.
#[inline(always)]
fn split<W: Word>(x: Planes<W>) -> (Sums<W>, Sums<W>, [W; 2]) {
    let [x0, x1, x2, x3, x4, x5, x6, x7] = x;
    let s26 = x2 ^ x6;
    let s15 = x1 ^ x5;
    let s015 = x0 ^ s15;
    let s126 = x1 ^ s26;
    let s47 = x4 ^ x7;
    let s247 = x2 ^ s47;
    let s457 = x5 ^ s47;
    let s24567 = s26 ^ s457;
    let s0247 = x0 ^ s247;
    let s03 = x0 ^ x3;
    let s035 = x5 ^ s03;
    let s0347 = s47 ^ s03;
    let s012356 = s126 ^ s035;
    let s01347 = x1 ^ s0347;
    let s17 = x1 ^ x7;
    let s0137 = s03 ^ s17;
    let s357 = s015 ^ s0137;
    let s01234 = s247 ^ s0137;
    let s24 = x2 ^ x4;
    let s02345 = s035 ^ s24;
    let s012345 = x1 ^ s02345;
    let s0123456 = x4 ^ s012356;
    (
        [s012356, s24567, s01347, s126, s26, x1, s035, s457, s0347],
        [s247, s0137, s01234, s0247, s357, s02345, x0, s015, s15],
        [s012345, s0123456],
    )
}

/// The nine one-bit products of which the product of two nibbles is made.
#[inline(always)]
fn products<W: Word>(a: &Sums<W>, b: &Sums<W>) -> Sums<W> {
    core::array::from_fn(|i| a[i] & b[i])
}

/// theta = high low + nu (high + low)^2.
///
/// The second term is linear in the input. Five ORs, a | b = (a & b) + a + b, and the two sums in
/// `extra` supply it.
#[inline(always)]
fn norm<W: Word>(low: &Sums<W>, high: &Sums<W>, extra: [W; 2]) -> [W; 4] {
    let mut p = products(low, high);
    for i in [1, 3, 5, 6, 7] {
        p[i] = low[i] | high[i];
    }
    let (c0, c1) = (p[7] ^ p[8], p[6] ^ p[7]);
    [
        (p[0] ^ p[2]) ^ (c0 ^ extra[0]),
        (p[1] ^ p[2]) ^ c1,
        (p[3] ^ p[5]) ^ c0,
        (p[4] ^ p[5]) ^ (c1 ^ extra[1]),
    ]
}

/// The inverse of the nibble (h1 h0 l1 l0), as sums.
///
/// The same construction one level down: in GF(4) 1 / t is the square of t, which is a swap of its two
/// bits, and the ORs supply most of the linear term.
#[inline(always)]
fn invert<W: Word>([l0, l1, h0, h1]: [W; 4]) -> Sums<W> {
    let (h, l, s0) = (h1 ^ h0, l1 ^ l0, h0 ^ l0);
    let cross = h & l;
    let t0 = cross ^ ((h1 | l1) ^ s0);
    let t1 = cross ^ (h0 | l0);
    let t = t0 ^ t1;
    let (low, high) = (t & h, t & l);
    let (low0, low1) = (t0 & h0, t1 & h1);
    let (high0, high1) = (t0 & l0, t1 & l1);
    let (a, b, c, d) = (low ^ low0, low ^ low1, high ^ high0, high ^ high1);
    let (e, f) = (low0 ^ low1, high0 ^ high1);
    [a, b, e, c, d, f, a ^ c, b ^ d, e ^ f]
}

/// The bits of the result from the products of 1 / theta with the low and the high nibble.
#[inline(always)]
fn join<W: Word>(p: Sums<W>, q: Sums<W>) -> Planes<W> {
    let n18 = p[4] ^ p[8];
    let n19 = p[3] ^ q[1];
    let n20 = p[1] ^ p[7];
    let n21 = p[6] ^ q[3];
    let n22 = n18 ^ n19;
    let n23 = q[4] ^ q[8];
    let n24 = q[2] ^ n21;
    let n25 = p[2] ^ n20;
    let n26 = q[7] ^ n23;
    let n27 = n22 ^ n26;
    let n28 = p[1] ^ p[8];
    let n29 = q[0] ^ q[5];
    let n30 = p[0] ^ n28;
    let n31 = n24 ^ n30;
    let n32 = q[0] ^ n22;
    let n33 = p[0] ^ p[5];
    let n34 = n18 ^ n20;
    let n35 = n29 ^ n31;
    let n36 = q[6] ^ q[8];
    let n37 = n24 ^ n27;
    let n38 = n25 ^ n29;
    let n39 = n27 ^ n38;
    let n40 = n33 ^ n34;
    let n41 = n25 ^ n36;
    let n42 = n32 ^ n41;
    let n43 = p[6] ^ n25;
    let n44 = q[1] ^ n26;
    let n45 = n31 ^ n44;
    let n46 = q[4] ^ n21;
    let n47 = n32 ^ n46;
    [n35, n37, n39, n43, n45, n42, n47, n40]
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
