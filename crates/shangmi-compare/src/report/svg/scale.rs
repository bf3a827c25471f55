//! Axes: from values to places.

/// Above this ratio of greatest to least a linear axis would flatten the small ones.
const LOGARITHMIC_FROM: f64 = 8.0;

/// An axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    start: f64,
    end: f64,
    logarithmic: bool,
}

impl Scale {
    /// An axis of lengths in bytes between the places `start` and `end`.
    pub(super) fn of_lengths(least: u64, greatest: u64, start: f64, end: f64) -> Self {
        let low = least.max(1) as f64;
        let high = (greatest.max(1) as f64).max(low * 1.01);
        Self {
            low,
            high,
            start,
            end,
            logarithmic: true,
        }
    }

    /// An axis for values above zero: logarithmic where they span decades, else linear from zero.
    pub(super) fn of_values(
        values: impl Iterator<Item = f64> + Clone,
        start: f64,
        end: f64,
    ) -> Self {
        let least = values.clone().fold(f64::INFINITY, f64::min);
        let greatest = values.fold(0.0, f64::max);
        if !(least.is_finite() && greatest > 0.0) {
            return Self {
                low: 0.0,
                high: 1.0,
                start,
                end,
                logarithmic: false,
            };
        }
        let logarithmic = greatest / least >= LOGARITHMIC_FROM;
        let (low, high) = if logarithmic {
            (least / 1.2, greatest * 1.2)
        } else {
            (0.0, greatest * 1.08)
        };
        Self {
            low,
            high,
            start,
            end,
            logarithmic,
        }
    }

    /// Whether equal steps are equal ratios.
    pub(super) fn is_logarithmic(&self) -> bool {
        self.logarithmic
    }

    /// The place of `value`.
    pub(super) fn place(&self, value: f64) -> f64 {
        let part = if self.logarithmic {
            (value / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.start + part.clamp(0.0, 1.0) * (self.end - self.start)
    }

    /// Round values along the axis, at most about eight.
    pub(super) fn ticks(&self) -> Vec<f64> {
        if !self.logarithmic {
            return self.linear_ticks();
        }
        [&[1.0, 2.0, 5.0][..], &[1.0, 3.0], &[1.0]]
            .into_iter()
            .map(|steps| self.decade_ticks(steps))
            .find(|ticks| ticks.len() <= 8)
            .unwrap_or_else(|| self.decade_ticks(&[1.0]))
    }

    fn decade_ticks(&self, steps: &[f64]) -> Vec<f64> {
        let first = self.low.log10().floor() as i32;
        let last = self.high.log10().ceil() as i32;
        (first..=last)
            .flat_map(|decade| steps.iter().map(move |step| step * 10f64.powi(decade)))
            .filter(|tick| (self.low..=self.high).contains(tick))
            .collect()
    }

    fn linear_ticks(&self) -> Vec<f64> {
        let rough = self.high / 5.0;
        let decade = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|step| step * decade)
            .find(|step| *step >= rough)
            .unwrap_or(decade * 10.0);
        let count = (self.high / step).floor() as u32;
        (0..=count).map(|i| f64::from(i) * step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_are_logarithmic_and_ordered() {
        let scale = Scale::of_values([3.0, 4000.0].into_iter(), 300.0, 0.0);
        assert!(scale.is_logarithmic());
        let ticks = scale.ticks();
        assert!((3..=8).contains(&ticks.len()), "{ticks:?}");
        assert!(scale.place(10.0) > scale.place(100.0));
        let step = scale.place(10.0) - scale.place(100.0);
        assert!((step - (scale.place(100.0) - scale.place(1000.0))).abs() < 1e-9);
    }

    #[test]
    fn like_values_are_linear_from_zero() {
        let scale = Scale::of_values([1.1, 2.05].into_iter(), 300.0, 0.0);
        assert!(!scale.is_logarithmic());
        assert_eq!(scale.place(0.0), 300.0);
        assert_eq!(scale.ticks().first(), Some(&0.0));
    }

    #[test]
    fn no_values_no_harm() {
        let scale = Scale::of_values(std::iter::empty(), 300.0, 0.0);
        assert!(scale.place(5.0).is_finite());
        assert!(scale.ticks().iter().all(|tick| tick.is_finite()));
        assert!(Scale::of_lengths(0, 0, 0.0, 1.0).place(0.0).is_finite());
    }
}
