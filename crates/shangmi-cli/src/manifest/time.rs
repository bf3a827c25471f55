//! Times of modification, and how far they can be trusted.
//!
//! A file system stamps a file with a clock that stands still between its ticks. A file that is
//! written, hashed and written again within one tick has one time for two contents ("racily
//! clean"). A time is therefore trusted only when its tick was over before the file was read.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Seconds since 1970, rounded down, and nanoseconds on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Time {
    pub(crate) seconds: i64,
    pub(crate) nanoseconds: u32,
}

/// Longer than the ticks of Linux (10 ms at most) and of exFAT (10 ms).
pub(crate) const TICK: Duration = Duration::from_millis(20);

/// A time in whole seconds may come from a file system without fractions; FAT counts in twos.
const COARSE_TICK: Duration = Duration::from_secs(2);

impl Time {
    pub(crate) fn now() -> Self {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Self {
            seconds: now.as_secs().cast_signed(),
            nanoseconds: now.subsec_nanos(),
        }
    }

    /// When a file was last modified.
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Self::from((metadata.mtime(), metadata.mtime_nsec()))
    }

    /// How long after this moment `later` is; zero when it is before.
    fn until(self, later: Self) -> Duration {
        let seconds = i128::from(later.seconds) - i128::from(self.seconds);
        let nanoseconds = i128::from(later.nanoseconds) - i128::from(self.nanoseconds);
        let total = (seconds * 1_000_000_000 + nanoseconds).max(0);
        Duration::from_nanos(u64::try_from(total).unwrap_or(u64::MAX))
    }

    fn tick(self) -> Duration {
        if self.nanoseconds == 0 {
            COARSE_TICK
        } else {
            TICK
        }
    }

    /// Whether every write after `read` gives the file another time than this one.
    pub(crate) fn is_settled_at(self, read: Self) -> bool {
        self <= read && self.until(read) > self.tick()
    }

    /// How long to wait until it is settled; `None` when it lies ahead of the clock: whoever set it
    /// so does not count in ticks.
    pub(crate) fn settles_in(self, now: Self) -> Option<Duration> {
        if now.until(self) > COARSE_TICK {
            return None;
        }
        let age = self.until(now);
        let ahead = now.until(self);
        Some((self.tick() + ahead + Duration::from_millis(1)).saturating_sub(age))
    }
}

impl From<(i64, i64)> for Time {
    fn from((seconds, nanoseconds): (i64, i64)) -> Self {
        Self {
            seconds,
            // The system keeps it below 10^9.
            nanoseconds: u32::try_from(nanoseconds).unwrap_or_default(),
        }
    }
}

impl std::fmt::Display for Time {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{:09}", self.seconds, self.nanoseconds)
    }
}

impl std::str::FromStr for Time {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (seconds, fraction) = text.split_once('.').ok_or(())?;
        if fraction.len() != 9 || !fraction.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(());
        }
        Ok(Self {
            seconds: seconds.parse().map_err(drop)?,
            nanoseconds: fraction.parse().map_err(drop)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64, nanoseconds: u32) -> Time {
        Time {
            seconds,
            nanoseconds,
        }
    }

    #[test]
    fn text_comes_back() {
        for time in [at(0, 0), at(-6, 750_000_000), at(i64::MAX, 999_999_999)] {
            assert_eq!(time.to_string().parse(), Ok(time));
        }
        assert_eq!(at(-6, 750_000_000).to_string(), "-6.750000000");
        for text in ["", "1", "1.5", "1.+00000000", "x.000000000", "1.0000000000"] {
            assert_eq!(text.parse::<Time>(), Err(()), "{text}");
        }
    }

    #[test]
    fn a_tick_must_be_over() {
        let written = at(100, 1);
        assert!(!written.is_settled_at(at(100, 1)));
        assert!(!written.is_settled_at(at(100, 20_000_001)));
        assert!(written.is_settled_at(at(100, 20_000_002)));
        assert!(
            !written.is_settled_at(at(99, 0)),
            "the future is not settled"
        );
        assert!(!at(100, 0).is_settled_at(at(101, 999_999_999)));
        assert!(at(100, 0).is_settled_at(at(102, 1)));
    }

    #[test]
    fn waiting_settles() {
        for (written, now) in [
            (at(100, 5), at(100, 9)),
            (at(100, 0), at(101, 3)),
            (at(101, 1), at(100, 0)),
        ] {
            let wait = written.settles_in(now).unwrap();
            let after = Duration::new(now.seconds.cast_unsigned(), now.nanoseconds) + wait;
            let then = at(after.as_secs().cast_signed(), after.subsec_nanos());
            assert!(written.is_settled_at(then));
        }
        assert_eq!(at(100, 0).settles_in(at(90, 0)), None);
        assert_eq!(at(i64::MIN, 0).settles_in(at(0, 0)), Some(Duration::ZERO));
    }
}
