//! Do two sets of times differ? Welch's t-test, as in Reparaz, Balasch and Verbauwhede, "Dude, is my code constant time?"
//! (2016): also of the times below several quantiles, since the slowest ones tell of interrupts and of little else.

/// The parts of the times that are compared, in per cent, the fastest first.
const PARTS: [usize; 8] = [100, 99, 95, 90, 80, 60, 40, 20];

/// What is said of two sets of times.
#[derive(Debug, PartialEq)]
pub(super) struct Difference {
    /// The t-value that is farthest from 0 among the parts.
    pub(super) t: f64,
    /// The same part of the first and of the second half of the samples, alone.
    pub(super) halves: [f64; 2],
    /// How much longer the first set takes on average, in that part.
    pub(super) mean: f64,
    /// The median of all times.
    pub(super) median: u64,
}

impl Difference {
    /// Of two sets of times in the order in which they were taken.
    pub(super) fn new(times: &[Vec<u64>; 2]) -> Self {
        let sorted = sorted(times);
        let compared = PARTS.map(|part| (part, compare(times, cut(&sorted, part))));
        let (part, (t, mean)) = compared
            .into_iter()
            .max_by(|(_, (a, _)), (_, (b, _))| a.abs().total_cmp(&b.abs()))
            .expect("there are parts");
        let half = |second: bool| {
            let half = times.each_ref().map(|times| {
                let (a, b) = times.split_at(times.len() / 2);
                if second { b.to_vec() } else { a.to_vec() }
            });
            compare(&half, cut(&self::sorted(&half), part)).0
        };
        Self {
            t,
            halves: [half(false), half(true)],
            mean,
            median: cut(&sorted, 50),
        }
    }

    /// Whether t is beyond the bound, and both halves say so in the same direction. (Half of the samples give 0.7·t on average.)
    pub(super) fn persists(&self, bound: f64) -> bool {
        let [a, b] = self.halves;
        self.t.abs() > bound && (a.min(b) > bound / 2.0 || a.max(b) < -bound / 2.0)
    }
}

fn sorted(times: &[Vec<u64>; 2]) -> Vec<u64> {
    let mut all = times.concat();
    all.sort_unstable();
    all
}

/// The longest time of a part.
fn cut(sorted: &[u64], part: usize) -> u64 {
    let last = (sorted.len() * part).div_ceil(100).max(1) - 1;
    sorted.get(last).copied().unwrap_or_default()
}

/// t and the difference of the means, of the times up to `longest`.
fn compare(times: &[Vec<u64>; 2], longest: u64) -> (f64, f64) {
    let [a, b] = times.each_ref().map(|times| Moments::of(times, longest));
    let difference = a.mean - b.mean;
    let error = (a.variance / a.count + b.variance / b.count).sqrt();
    // With fewer than two samples, or with times that are all the same, there is nothing to say.
    let t = difference / error;
    if t.is_nan() {
        (0.0, 0.0)
    } else {
        (t, difference)
    }
}

struct Moments {
    count: f64,
    mean: f64,
    variance: f64,
}

impl Moments {
    fn of(times: &[u64], longest: u64) -> Self {
        let part = || {
            times
                .iter()
                .filter(|time| **time <= longest)
                .map(|time| *time as f64)
        };
        let count = part().count() as f64;
        let mean = part().sum::<f64>() / count;
        let squares = part().map(|time| (time - mean).powi(2)).sum::<f64>();
        Self {
            count,
            mean,
            variance: squares / (count - 1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times around `base` that go round in a period of 101.
    fn times(base: u64, count: u64) -> Vec<u64> {
        (0..count).map(|i| base + i * 37 % 101).collect()
    }

    #[test]
    fn t_is_welchs() {
        // Means 3 and 6, variances 2.5 and 10, five samples each: t = -3 / sqrt(0.5 + 2).
        let sets = [vec![1, 2, 3, 4, 5], vec![2, 4, 6, 8, 10]];
        let (t, mean) = compare(&sets, 100);
        assert!((t + 3.0 / 2.5f64.sqrt()).abs() < 1e-12, "{t}");
        assert_eq!(mean, -3.0);
    }

    #[test]
    fn equal_times_do_not_differ() {
        let found = Difference::new(&[times(1000, 10_100), times(1000, 10_100)]);
        assert_eq!((found.t, found.halves), (0.0, [0.0, 0.0]));
        assert!(!found.persists(5.0));
    }

    #[test]
    fn a_difference_shows_in_both_halves_and_with_its_sign() {
        let found = Difference::new(&[times(1005, 10_100), times(1000, 10_100)]);
        assert!(found.t > 10.0 && found.persists(5.0), "{found:?}");
        let found = Difference::new(&[times(1000, 10_100), times(1005, 10_100)]);
        assert!(found.t < -10.0 && found.persists(5.0), "{found:?}");
        assert_eq!(found.median, 1052);
    }

    /// A pause of the machine in one set.
    #[test]
    fn outliers_do_not_hide_a_difference() {
        let mut slow = times(1005, 10_100);
        slow[17] = 100_000_000;
        let sets = [slow, times(1000, 10_100)];
        assert!(compare(&sets, u64::MAX).0 < 5.0);
        assert!(Difference::new(&sets).t > 10.0);
    }

    #[test]
    fn what_one_half_shows_does_not_persist() {
        let mut first = times(1005, 5_050);
        first.extend(times(1000, 5_050));
        let found = Difference::new(&[first, times(1000, 10_100)]);
        assert!(found.t > 5.0 && !found.persists(5.0), "{found:?}");
    }

    #[test]
    fn nothing_is_said_of_nothing() {
        let found = Difference::new(&[vec![], vec![]]);
        assert_eq!((found.t, found.median), (0.0, 0));
        assert_eq!(Difference::new(&[vec![7, 7], vec![7, 7]]).t, 0.0);
    }
}
