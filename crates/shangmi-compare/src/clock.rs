//! The time of this thread, and the core's frequency from work whose cycles are known.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Takes the processor time of the thread that starts it, so that work of other programs on the same core does not
/// count; where the system has no such clock, the time on the wall.
pub(crate) struct Stopwatch(#[cfg(unix)] Duration, #[cfg(not(unix))] Instant);

#[cfg(unix)]
impl Stopwatch {
    /// Starts now.
    pub(crate) fn start() -> Self {
        Self(thread_time())
    }

    /// Time since the start.
    pub(crate) fn nanoseconds(&self) -> u64 {
        thread_time().saturating_sub(self.0).as_nanos() as u64
    }
}

#[cfg(unix)]
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(unix))]
impl Stopwatch {
    /// Starts now.
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Time since the start.
    pub(crate) fn nanoseconds(&self) -> u64 {
        self.0.elapsed().as_nanos() as u64
    }
}

/// Takes the processor time of the processes that this one starts and waits for, in the program and in the system on
/// its behalf; where the system has no such clock, the time on the wall.
pub(crate) struct ChildrenStopwatch(#[cfg(unix)] Duration, #[cfg(not(unix))] Instant);

#[cfg(unix)]
impl ChildrenStopwatch {
    /// Starts now.
    pub(crate) fn start() -> Self {
        Self(children_time())
    }

    /// Time since the start.
    pub(crate) fn nanoseconds(&self) -> u64 {
        children_time().saturating_sub(self.0).as_nanos() as u64
    }
}

#[cfg(unix)]
fn children_time() -> Duration {
    use nix::sys::resource::{UsageWho, getrusage};
    let duration = |time: nix::sys::time::TimeVal| {
        Duration::new(time.tv_sec() as u64, time.tv_usec() as u32 * 1000)
    };
    // The call fails for an unknown kind of process only.
    getrusage(UsageWho::RUSAGE_CHILDREN).map_or(Duration::ZERO, |usage| {
        duration(usage.user_time()) + duration(usage.system_time())
    })
}

#[cfg(not(unix))]
impl ChildrenStopwatch {
    /// Starts now.
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Time since the start.
    pub(crate) fn nanoseconds(&self) -> u64 {
        self.0.elapsed().as_nanos() as u64
    }
}

/// Steps of one chunk of the chain: long enough to hide the timer, short enough to fit between interrupts.
const STEPS: u64 = 50_000;

/// Chunks of one estimate; the fastest counts.
const CHUNKS: usize = 6;

/// Cycles of one step: an addition and a rotation, each waiting for the one before.
///
/// Both take one cycle on every current x86-64 and 64-bit Arm core.
const CYCLES_PER_STEP: u64 = 2;

/// How [`core_hertz`] gets its number, for the report.
pub(crate) const METHOD: &str = "time of a chain of dependent additions and rotations, one cycle each, \
     taken before and after each group of rows; the time-stamp counter is not used";

/// Estimates core cycles in a second, now, on the core that this thread runs on.
///
/// `None` where the latency of the chain is not known to be two cycles.
pub(crate) fn core_hertz() -> Option<f64> {
    if !cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
        return None;
    }
    let fastest = (0..CHUNKS)
        .map(|_| chunk_seconds())
        .fold(f64::INFINITY, f64::min);
    (fastest > 0.0).then(|| (STEPS * CYCLES_PER_STEP) as f64 / fastest)
}

fn chunk_seconds() -> f64 {
    let (start_value, addend) = (black_box(1_u64), black_box(0x9e37_79b9_7f4a_7c15_u64));
    let start = Instant::now();
    let mut x = start_value;
    for _ in 0..STEPS {
        x = x.wrapping_add(addend).rotate_left(7);
    }
    black_box(x);
    start.elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    #[cfg(unix)]
    #[test]
    fn sleep_does_not_count() {
        let watch = super::Stopwatch::start();
        std::thread::sleep(Duration::from_millis(30));
        assert!(watch.nanoseconds() < 15_000_000, "{}", watch.nanoseconds());
    }

    #[test]
    fn frequency_is_that_of_a_processor() {
        if let Some(hertz) = super::core_hertz() {
            assert!((1e8..1e10).contains(&hertz), "{hertz}");
        }
    }
}
