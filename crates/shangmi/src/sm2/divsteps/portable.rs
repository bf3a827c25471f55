//! Division steps on packed words, in Rust: masks in place of branches.
use super::RUN;

/// ζ, f and g after [`RUN`] steps.
#[inline(always)]
pub(super) fn run(mut zeta: i64, mut f: i64, mut g: i64) -> (i64, i64, i64) {
    for _ in 0..RUN {
        let negative = zeta >> 63;
        let odd = -(g & 1);
        // g plus or minus f, when g is odd.
        g = g.wrapping_add((f ^ negative).wrapping_sub(negative) & odd);
        // When that was g - f and f changes places with the old g: f + (g - f).
        let swap = negative & odd;
        zeta = (zeta ^ swap) - 1;
        f = f.wrapping_add(g & swap);
        g >>= 1;
    }
    (zeta, f, g)
}
