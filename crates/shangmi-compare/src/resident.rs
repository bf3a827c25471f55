//! How much memory of this process is resident, and whether an operation that is repeated makes it grow.

use std::fs;
use std::time::Duration;

use crate::Error;
use crate::clock::Stopwatch;
use crate::runner::Bench;

/// Resident memory of this process in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resident {
    pub(crate) current: u64,
    pub(crate) peak: u64,
}

/// What the process has now, and had at most; `None` where the system does not tell as Linux does.
pub(crate) fn resident() -> Option<Resident> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    // Exact, where the kernel has it; the number in `status` may lag behind by some pages for each processor.
    let rollup = fs::read_to_string("/proc/self/smaps_rollup").unwrap_or_default();
    let current = field(&rollup, "Rss:").or_else(|| field(&status, "VmRSS:"))?;
    let peak = field(&status, "VmHWM:")?.max(current);
    Some(Resident { current, peak })
}

/// The bytes of a line such as `VmRSS:   1234 kB`.
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// Memory before and after an operation that was repeated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growth {
    pub(crate) operations: u64,
    pub(crate) before: Resident,
    pub(crate) after: Resident,
}

/// Operations before the first look, at most: what is made once (tables, blinding, caches) does not count as growth.
const WARM_UP: u64 = 256;

/// Operations between looks at the clock.
const CHUNK: u64 = 16;

/// Repeats an operation and looks at the process's memory before and after.
/// - `operations`: how often
/// - `limit`: processor time after which it stops, with fewer operations
/// - returns: `None` where the system does not tell
/// # Errors
/// [`Error::Operation`] when the operation fails.
pub(crate) fn growth(
    bench: &mut dyn Bench,
    operations: u64,
    limit: Duration,
) -> Result<Option<Growth>, Error> {
    bench.run(WARM_UP.min(operations))?;
    // The first look allocates as well: only the second one counts.
    let Some(before) = resident().and_then(|_| resident()) else {
        return Ok(None);
    };
    let watch = Stopwatch::start();
    let mut done = 0;
    while done < operations && u128::from(watch.nanoseconds()) < limit.as_nanos() {
        let chunk = CHUNK.min(operations - done);
        bench.run(chunk)?;
        done += chunk;
    }
    let growth = |after| Growth {
        operations: done,
        before,
        after,
    };
    Ok(resident().map(growth))
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;
    use crate::runner::local;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn fields_are_kilobytes() {
        let text = "Name:\tx\nVmHWM:\t    2232 kB\nVmRSS:\t 12 kB\n";
        assert_eq!(field(text, "VmRSS:"), Some(12 << 10));
        assert_eq!(field(text, "VmHWM:"), Some(2232 << 10));
        assert_eq!(field(text, "Rss:"), None);
        assert_eq!(field("Rss: much", "Rss:"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_leak_shows() {
        let mut leak = local(|_| !black_box(vec![1_u8; 16 << 10]).leak().is_empty());
        let found = growth(leak.as_mut(), 1000, SECOND)
            .expect("it cannot fail")
            .expect("Linux tells");
        let grown = found.after.current - found.before.current;
        assert_eq!(found.operations, 1000);
        // Tests beside this one may give some memory back.
        assert!((12 << 20..32 << 20).contains(&grown), "{found:?}");
        assert!(found.after.peak >= found.after.current, "{found:?}");
    }

    #[test]
    fn it_stops_at_the_limit_and_at_a_failure() {
        let mut slow = local(|_| {
            let watch = Stopwatch::start();
            while watch.nanoseconds() < 200_000 {}
            true
        });
        let limit = Duration::from_millis(10);
        if let Some(found) = growth(slow.as_mut(), 10_000, limit).expect("it cannot fail") {
            assert!((CHUNK..1000).contains(&found.operations), "{found:?}");
        }
        let mut bad = local(|iteration| iteration < 5);
        assert!(growth(bad.as_mut(), 10, SECOND).is_err());
    }
}
