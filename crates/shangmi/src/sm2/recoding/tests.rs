use super::*;
use crate::sm2::mul::tests::edge_scalars;

#[test]
fn digits_sum_up_to_the_scalar() {
    for k in edge_scalars() {
        for (width, bits) in [(5, 259), (7, 259), (5, 320), (5, 257)] {
            let digits = OddDigits::over(&k, bits);
            // The lowest window takes what the others leave.
            let lowest = (bits - 1) % width + 1;
            let mut sum = Scalar::ZERO;
            let starts = (lowest..bits)
                .step_by(width)
                .rev()
                .map(|start| (start, width));
            for (start, width) in starts.chain([(0, lowest)]) {
                for _ in 0..width {
                    sum = sum.add(&sum);
                }
                let (half, negative) = digits.digit(start, width);
                assert!(half < 1 << (width - 1), "odd digits, width {width}");
                let digit = Scalar::reduce(&[2 * half + 1, 0, 0, 0]);
                sum = if negative == 0 {
                    sum.add(&digit)
                } else {
                    sum.sub(&digit)
                };
            }
            let expected = if digits.negate_mask() == 0 {
                k.clone()
            } else {
                Scalar::ZERO.sub(&k)
            };
            let k = k.limbs();
            assert!(
                sum == expected,
                "odd digits of {k:x?}, width {width}, bits {bits}"
            );
        }
    }
}
