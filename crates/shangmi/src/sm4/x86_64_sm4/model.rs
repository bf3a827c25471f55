//! What VSM4KEY4 and VSM4RNDS4 compute, under the names of their intrinsics and word for word as Intel defines
//! them; nobody but us has checked this model, and no processor has run beside it.
//!
//! Word 0 is the lowest. The S-box is the one of `consts`, by its definition; nothing else here is taken from
//! the crate's own SM4.
use super::super::consts::sbox;
use core::arch::x86_64::{
    __m128i, __m256i, _mm_setr_epi32, _mm_storeu_si128, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_set_m128i,
};

/// The four words of `a`, then four new ones: word i + 4 is word i + T(words i + 1 to i + 3 and word i of `b`), T
/// being the S-box and the sum of rotations `by`.
#[target_feature(enable = "avx2")]
fn four(a: __m128i, b: __m128i, by: &[u32]) -> __m128i {
    let (mut x, keys) = (words(a), words(b));
    for key in keys {
        let s = u32::from_ne_bytes((x[1] ^ x[2] ^ x[3] ^ key).to_ne_bytes().map(sbox));
        let new = by.iter().fold(x[0] ^ s, |sum, n| sum ^ s.rotate_left(*n));
        x = [x[1], x[2], x[3], new];
    }
    let [x, y, z, w] = x.map(u32::cast_signed);
    _mm_setr_epi32(x, y, z, w)
}

#[target_feature(enable = "avx2")]
fn words(x: __m128i) -> [u32; 4] {
    let mut words = [0; 4];
    // SAFETY: four words are the 16 bytes that are written.
    unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), x) }
    words
}

/// `a` = K0, K1, K2, K3; `b` = four words of CK.
#[target_feature(enable = "avx2")]
pub(super) fn _mm_sm4key4_epi32(a: __m128i, b: __m128i) -> __m128i {
    four(a, b, &[13, 23])
}

/// In each half, `a` = X0, X1, X2, X3; `b` = four round keys.
#[target_feature(enable = "avx2")]
pub(super) fn _mm256_sm4rnds4_epi32(a: __m256i, b: __m256i) -> __m256i {
    let low = four(
        _mm256_castsi256_si128(a),
        _mm256_castsi256_si128(b),
        &[2, 10, 18, 24],
    );
    let high = four(
        _mm256_extracti128_si256::<1>(a),
        _mm256_extracti128_si256::<1>(b),
        &[2, 10, 18, 24],
    );
    _mm256_set_m128i(high, low)
}
