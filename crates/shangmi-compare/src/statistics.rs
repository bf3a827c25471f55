//! Order statistics of a handful of samples.

use crate::result::Timing;

/// The value below which `part` (0 to 1) of the samples lie, interpolated between neighbours.
///
/// `sorted` is ascending and not empty.
pub(crate) fn percentile(sorted: &[f64], part: f64) -> f64 {
    let place = part * (sorted.len() - 1) as f64;
    let (below, above) = (place.floor() as usize, place.ceil() as usize);
    sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64)
}

/// The middle of the samples, in any order; `None` of no samples.
pub(crate) fn median(samples: &[f64]) -> Option<f64> {
    let sorted = ascending(samples);
    (!sorted.is_empty()).then(|| percentile(&sorted, 0.5))
}

/// Median, spread and extremes of `samples`, each the nanoseconds of one operation.
///
/// `None` of no samples.
pub(crate) fn timing(samples: &[f64], iterations_per_sample: u64) -> Option<Timing> {
    let sorted = ascending(samples);
    let median_nanoseconds = median(&sorted)?;
    let distances: Vec<f64> = sorted
        .iter()
        .map(|sample| (sample - median_nanoseconds).abs())
        .collect();
    Some(Timing {
        median_nanoseconds,
        min_nanoseconds: sorted[0],
        max_nanoseconds: sorted[sorted.len() - 1],
        p10_nanoseconds: percentile(&sorted, 0.1),
        p90_nanoseconds: percentile(&sorted, 0.9),
        mad_nanoseconds: median(&distances)?,
        samples: u32::try_from(sorted.len()).unwrap_or(u32::MAX),
        iterations_per_sample,
    })
}

fn ascending(samples: &[f64]) -> Vec<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_of_odd_and_even() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&[]), None);
    }

    #[test]
    fn timing_describes_the_samples() {
        let samples: Vec<f64> = (0..=10).rev().map(f64::from).collect();
        let timing = timing(&samples, 7).unwrap();
        assert_eq!(timing.median_nanoseconds, 5.0);
        assert_eq!(
            (timing.min_nanoseconds, timing.max_nanoseconds),
            (0.0, 10.0)
        );
        assert_eq!((timing.p10_nanoseconds, timing.p90_nanoseconds), (1.0, 9.0));
        assert_eq!(timing.mad_nanoseconds, 3.0);
        assert_eq!((timing.samples, timing.iterations_per_sample), (11, 7));
    }

    #[test]
    fn one_outlier_moves_neither_median_nor_mad() {
        let timing = timing(&[10.0, 10.0, 11.0, 10.0, 9.0, 1e9], 1).unwrap();
        assert_eq!(timing.median_nanoseconds, 10.0);
        assert!(timing.mad_nanoseconds < 1.0);
    }
}
