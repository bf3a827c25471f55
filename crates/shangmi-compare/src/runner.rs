//! Takes the time of operations: calibrated, warmed up, and interleaved.
//!
//! The lanes of a batch do the same work with different libraries. They are sampled in turns, one
//! sample each, so that a drift of the machine (frequency, temperature, a neighbour) meets all alike.

use std::time::{Duration, Instant};

use crate::Error;
use crate::clock::Stopwatch;
use crate::result::Timing;
use crate::statistics;

/// An operation whose time can be taken.
pub(crate) trait Bench {
    /// Runs the operation `iterations` times and returns the nanoseconds that took.
    ///
    /// # Errors
    /// [`Error::Operation`] when the operation did not succeed, or the process that runs it is gone.
    fn run(&mut self, iterations: u64) -> Result<u64, Error>;
}

/// An operation of this process: `step` gets the number of the iteration and says whether it succeeded.
pub(crate) struct Local<F>(pub(crate) F);

impl<F: FnMut(u64) -> bool> Bench for Local<F> {
    fn run(&mut self, iterations: u64) -> Result<u64, Error> {
        let mut succeeded = true;
        let start = Stopwatch::start();
        for iteration in 0..iterations {
            succeeded &= (self.0)(iteration);
        }
        let nanoseconds = start.nanoseconds();
        if succeeded {
            Ok(nanoseconds)
        } else {
            Err(Error::Operation)
        }
    }
}

/// Boxes a closure as a [`Bench`].
pub(crate) fn local(step: impl FnMut(u64) -> bool + 'static) -> Box<dyn Bench> {
    Box::new(Local(step))
}

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Time for one lane, calibration included.
    pub(crate) per_lane: Duration,
    /// Samples that are taken even when the time is over.
    pub(crate) min_samples: u32,
    /// Samples beyond which more time brings nothing.
    pub(crate) max_samples: u32,
}

impl Effort {
    /// As many samples as time allows, within the limits; at least one.
    fn clamp(self, samples: f64) -> u32 {
        (samples.max(0.0) as u32).clamp(self.min_samples.max(1), self.max_samples.max(1))
    }
}

/// A sample is at least this long, so that reading the clock does not weigh.
const MIN_SAMPLE: Duration = Duration::from_micros(50);

/// A sample is at most this long unless one operation takes longer: more samples say more than longer ones.
const MAX_SAMPLE: Duration = Duration::from_millis(4);

/// Times `lanes` in turns; the result has one entry a lane, in order.
///
/// A lane that fails, as [`Bench::run`] says, takes no further part.
pub(crate) fn measure<B: Bench + ?Sized>(
    lanes: &mut [&mut B],
    effort: Effort,
) -> Vec<Result<Timing, Error>> {
    let mut states: Vec<Result<State, Error>> = lanes
        .iter_mut()
        .map(|lane| calibrate(&mut **lane, effort).map(State::new))
        .collect();
    let rounds = states
        .iter()
        .flatten()
        .map(|state| state.plan.samples)
        .max()
        .unwrap_or(0);
    // The operations' own time was planned; on a busy machine the clock on the wall runs faster.
    let limit = effort.per_lane.mul_f64(1.25 * lanes.len() as f64);
    let start = Instant::now();
    for round in 0..rounds {
        let enough = states
            .iter()
            .flatten()
            .all(|state| state.samples.len() >= effort.min_samples as usize);
        if enough && start.elapsed() > limit {
            break;
        }
        for turn in 0..lanes.len() {
            // Each round starts with another lane: none always follows the same neighbour.
            let lane = (turn + round as usize) % lanes.len();
            let Ok(state) = &mut states[lane] else {
                continue;
            };
            if state.plan.takes_part(round, rounds)
                && let Err(error) = state.sample(&mut *lanes[lane])
            {
                states[lane] = Err(error);
            }
        }
    }
    states
        .into_iter()
        .map(|state| state.map(|state| state.timing()))
        .collect()
}

struct State {
    plan: Plan,
    samples: Vec<f64>,
}

impl State {
    fn new(plan: Plan) -> Self {
        Self {
            plan,
            samples: plan.first.into_iter().collect(),
        }
    }

    fn sample<B: Bench + ?Sized>(&mut self, lane: &mut B) -> Result<(), Error> {
        let nanoseconds = lane.run(self.plan.iterations)?;
        self.samples
            .push(nanoseconds as f64 / self.plan.iterations as f64);
        Ok(())
    }

    fn timing(&self) -> Timing {
        statistics::timing(&self.samples, self.plan.iterations).unwrap_or_default()
    }
}

#[derive(Clone, Copy)]
struct Plan {
    iterations: u64,
    samples: u32,
    /// A sample that the calibration took.
    first: Option<f64>,
}

impl Plan {
    /// Spreads the samples evenly over the rounds.
    fn takes_part(self, round: u32, rounds: u32) -> bool {
        let taken_after =
            |rounds_done: u32| u64::from(rounds_done) * u64::from(self.samples) / u64::from(rounds);
        taken_after(round) != taken_after(round + 1)
    }
}

/// An operation at least this long is its own warm-up: its first run counts as a sample.
const LONG: f64 = 20e6;

fn calibrate<B: Bench + ?Sized>(lane: &mut B, effort: Effort) -> Result<Plan, Error> {
    let budget = effort.per_lane.as_nanos() as f64;
    let first = lane.run(1)? as f64;
    if first >= LONG {
        let samples = effort.clamp((budget - first) / first) - 1;
        return Ok(Plan {
            iterations: 1,
            samples,
            first: Some(first),
        });
    }
    let enough = (budget / 20.0).min(1e6);
    let (mut iterations, mut spent, mut operation) = (1, first, f64::INFINITY);
    loop {
        // The faster of two: one of them may have been interrupted.
        let elapsed = [lane.run(iterations)? as f64, lane.run(iterations)? as f64];
        spent += elapsed[0] + elapsed[1];
        operation = (elapsed[0].min(elapsed[1]) / iterations as f64).clamp(0.1, operation);
        if operation * iterations as f64 >= enough || spent >= budget / 4.0 {
            break;
        }
        iterations *= 4;
    }
    let sample = (budget / f64::from(effort.max_samples))
        .clamp(MIN_SAMPLE.as_nanos() as f64, MAX_SAMPLE.as_nanos() as f64);
    let iterations = (sample / operation).round().max(1.0);
    let samples = effort.clamp((budget - spent) / (iterations * operation));
    Ok(Plan {
        iterations: iterations as u64,
        samples,
        first: None,
    })
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;

    /// Pretends that an operation takes `nanoseconds` and notes who ran.
    struct Fake {
        name: char,
        nanoseconds: u64,
        log: Rc<RefCell<Vec<char>>>,
    }

    impl Bench for Fake {
        fn run(&mut self, iterations: u64) -> Result<u64, Error> {
            self.log.borrow_mut().push(self.name);
            Ok(self.nanoseconds * iterations)
        }
    }

    fn effort(max_samples: u32) -> Effort {
        Effort {
            per_lane: Duration::from_millis(10),
            min_samples: 3,
            max_samples,
        }
    }

    #[test]
    fn lanes_take_turns() {
        let log = Rc::new(RefCell::new(Vec::new()));
        let lane = |name, nanoseconds| Fake {
            name,
            nanoseconds,
            log: Rc::clone(&log),
        };
        let (mut a, mut b) = (lane('a', 100), lane('b', 100));
        let timings: Vec<Timing> = measure(&mut [&mut a, &mut b], effort(10))
            .into_iter()
            .map(Result::unwrap)
            .collect();
        assert_eq!(timings[0].median_nanoseconds, 100.0);
        assert_eq!(timings[1], timings[0]);
        let log = log.borrow();
        let sampled: String = log[log.len() - 2 * timings[0].samples as usize..]
            .iter()
            .collect();
        assert!(sampled.starts_with("abbaabba"), "{sampled}");
    }

    #[test]
    fn long_operation_gets_the_least_number_of_samples() {
        let mut slow = Fake {
            name: 's',
            nanoseconds: 1_000_000_000,
            log: Rc::default(),
        };
        let timings: Vec<Timing> = measure(&mut [&mut slow], effort(10))
            .into_iter()
            .map(Result::unwrap)
            .collect();
        assert_eq!(
            (timings[0].samples, timings[0].iterations_per_sample),
            (3, 1)
        );
    }

    #[test]
    fn failing_lane_does_not_stop_the_others() {
        let mut count = 0;
        let mut bad = local(move |_| {
            count += 1;
            count < 10
        });
        let mut good = local(|_| true);
        let timings = measure(&mut [bad.as_mut(), good.as_mut()], effort(10));
        assert!(matches!(timings[0], Err(Error::Operation)));
        assert!(timings[1].is_ok());
    }
}
