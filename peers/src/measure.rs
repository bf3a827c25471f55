//! Takes samples in turns, one of each lane, so that a machine that slows down slows all alike.

use std::time::Duration;

use crate::clock::Clock;
use crate::output::{Lane, Subject};

/// How long to measure.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) samples: u32,
    /// What one sample should last.
    pub(crate) sample: Duration,
}

impl Effort {
    pub(crate) fn new(quick: bool) -> Self {
        if quick {
            Self {
                samples: 15,
                sample: Duration::from_micros(500),
            }
        } else {
            Self {
                samples: 61,
                sample: Duration::from_millis(2),
            }
        }
    }
}

/// Time of the processor and on the wall, in nanoseconds.
pub(crate) type Spent = (f64, f64);

/// Runs the operation that often, and says how long that took.
pub(crate) type Work<'a> = Box<dyn FnMut(u64) -> Spent + 'a>;

/// Work of this thread, timed.
pub(crate) fn timed<'a>(mut work: impl FnMut(u64) + 'a) -> Work<'a> {
    Box::new(move |iterations| {
        let start = Clock::Thread.now();
        work(iterations);
        Clock::Thread.since(&start)
    })
}

/// Runs the lanes, a sample of each in a round.
pub(crate) fn in_turns(mut lanes: Vec<(Subject, Work<'_>)>, effort: Effort) -> Vec<Lane> {
    let iterations: Vec<u64> = lanes
        .iter_mut()
        .map(|(_, work)| calibrate(work, effort.sample))
        .collect();
    let mut samples = vec![(Vec::new(), Vec::new()); lanes.len()];
    for round in 0..effort.samples as usize {
        for turn in 0..lanes.len() {
            // Each round begins with another lane: none always follows the same neighbour.
            let lane = (turn + round) % lanes.len();
            let (processor, wall) = (lanes[lane].1)(iterations[lane]);
            samples[lane].0.push(processor / iterations[lane] as f64);
            samples[lane].1.push(wall / iterations[lane] as f64);
        }
    }
    let subjects = lanes.into_iter().map(|(subject, _)| subject);
    subjects
        .zip(samples)
        .map(|(subject, (nanoseconds, wall_nanoseconds))| Lane {
            subject,
            nanoseconds,
            wall_nanoseconds,
        })
        .collect()
}

/// Iterations that last about `sample`; warms up on the way.
fn calibrate(work: &mut Work<'_>, sample: Duration) -> u64 {
    let wanted = sample.as_nanos() as f64;
    let mut iterations = 1;
    loop {
        let (spent, _) = work(iterations);
        if spent >= wanted / 4.0 {
            return (wanted / spent * iterations as f64).ceil() as u64;
        }
        iterations *= 2;
    }
}
