//! Processor time, so that the work of other programs does not count.

use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

/// Whose time is taken.
#[derive(Clone, Copy)]
pub(crate) enum Clock {
    /// This thread's.
    Thread,
    /// That of the programs that this one started and that have ended, and of theirs.
    Children,
}

/// A moment.
pub(crate) struct Moment {
    processor: Duration,
    wall: Instant,
}

impl Clock {
    pub(crate) fn now(self) -> Moment {
        let processor = match self {
            Self::Thread => thread_time(),
            Self::Children => children_time(),
        };
        Moment {
            processor,
            wall: Instant::now(),
        }
    }

    /// Nanoseconds since `start`: of the processor, and on the wall.
    pub(crate) fn since(self, start: &Moment) -> (f64, f64) {
        let now = self.now();
        let processor = now.processor.saturating_sub(start.processor);
        (
            processor.as_nanos() as f64,
            now.wall.duration_since(start.wall).as_nanos() as f64,
        )
    }
}

fn thread_time() -> Duration {
    let mut time = MaybeUninit::<libc::timespec>::zeroed();
    // SAFETY: `time` is writable; all its bit patterns are valid, so that a failure leaves zero.
    let time = unsafe {
        libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, time.as_mut_ptr());
        time.assume_init()
    };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn children_time() -> Duration {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: `usage` is writable; all its bit patterns are valid, so that a failure leaves zero.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr());
        usage.assume_init()
    };
    let time = |t: libc::timeval| Duration::new(t.tv_sec as u64, t.tv_usec as u32 * 1000);
    time(usage.ru_utime) + time(usage.ru_stime)
}
