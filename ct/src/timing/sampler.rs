//! Takes the time of an operation over secrets of two classes.

use std::hint::black_box;
use std::time::Instant;

use crate::secrets::{Contrast, Numbers, Secrets};

/// Inputs that are made together, before the first of them is used: what making one leaves in the caches tells nothing of the
/// class of the next.
const BATCH: usize = 256;

/// Nanoseconds of each sample: the special class, the random one.
pub(crate) type Times = [Vec<u64>; 2];

/// Takes `count` samples, after a batch that does not count.
///
/// - `prepare`: makes the input of one sample out of secrets; not timed
/// - `run`: what is timed
pub(crate) fn sample<I>(
    contrast: Contrast,
    count: usize,
    prepare: impl Fn(&mut Secrets<'_>) -> I,
    run: impl Fn(&mut I),
) -> Times {
    let mut varying = Numbers(1);
    let mut classes = Numbers(2);
    let mut times = Times::default();
    for batch in 0..=count.div_ceil(BATCH) {
        let inputs: Vec<_> = (0..BATCH)
            .map(|_| {
                let class = (classes.next() & 1) as usize;
                let special = (class == 0).then_some(contrast);
                let fixed = &mut Numbers(3);
                let mut secrets = Secrets::new(special, &mut varying, fixed);
                (class, prepare(&mut secrets))
            })
            .collect();
        for (class, input) in inputs {
            let nanoseconds = time(input, &run);
            if batch > 0 {
                times[class].push(nanoseconds);
            }
        }
    }
    times
}

/// The time for one input, which always lies in the same place.
#[inline(never)]
fn time<I>(mut input: I, run: impl Fn(&mut I)) -> u64 {
    let input = black_box(&mut input);
    let start = Instant::now();
    run(black_box(input));
    let nanoseconds = start.elapsed().as_nanos();
    black_box(input);
    nanoseconds as u64
}
