//! How much stack an operation writes to, measured.
//!
//! A thread of its own paints the stack below itself with a pattern, runs the operation, and looks how far
//! down the pattern is gone. An empty operation, measured the same way, is subtracted.

use std::hint::black_box;
use std::thread;

/// Stack that is painted: more than any operation here uses.
const PAINTED: usize = 256 << 10;

/// Stack of the thread: what is painted, and room for the probe.
const THREAD_STACK: usize = PAINTED + (1 << 20);

/// Bytes below the probe's own frame that are left alone: its spilled registers and the red zone lie there.
const MARGIN: usize = 1024;

/// The frame between probe and operation is larger than [`MARGIN`], so that all of the operation's stack is painted.
const SPACER: usize = 4 * MARGIN;

const PATTERN: u8 = 0xa5;

/// Bytes of stack that one run of an operation writes to, beyond what a call of nothing does.
///
/// `make` prepares the operation in the probe's thread, outside the measurement; it is run once before, so that
/// one-time work (loading, detection) does not count. `None` when it cannot be prepared or the thread not be made.
pub(crate) fn high_water<F: FnMut()>(make: impl FnOnce() -> Option<F> + Send) -> Option<u64> {
    thread::scope(|scope| {
        let probe = move || {
            let mut operation = make()?;
            operation();
            let used = depth(&mut operation);
            Some(used.saturating_sub(depth(&mut || {})) as u64)
        };
        let thread = thread::Builder::new()
            .stack_size(THREAD_STACK)
            .spawn_scoped(scope, probe)
            .ok()?;
        thread.join().ok()?
    })
}

/// Distance from the probe to the lowest byte that `operation` wrote to.
#[inline(never)]
fn depth(operation: &mut dyn FnMut()) -> usize {
    let marker = 0_u8;
    let top = black_box(&raw const marker).addr() - MARGIN;
    let bottom = top - PAINTED;
    for address in (bottom..top).rev() {
        // SAFETY: the thread's stack reaches at least PAINTED + MARGIN bytes below this frame (THREAD_STACK, less the
        // few frames above), and no live object lies there: this function calls nothing between here and the next
        // line, and its own frame ends above `top`. Going downwards touches guard pages in the order that they allow.
        unsafe { std::ptr::with_exposed_provenance_mut::<u8>(address).write_volatile(PATTERN) };
    }
    spaced(operation);
    // SAFETY: as above; the bytes were painted, so that reading them is reading memory of this thread's own stack.
    let untouched = |address: &usize| unsafe {
        std::ptr::with_exposed_provenance::<u8>(*address).read_volatile() == PATTERN
    };
    top - (bottom..top)
        .find(|address| !untouched(address))
        .unwrap_or(top)
}

/// Calls `operation` from a frame that lies [`SPACER`] bytes deeper.
#[inline(never)]
fn spaced(operation: &mut dyn FnMut()) {
    let spacer = std::mem::MaybeUninit::<[u8; SPACER]>::uninit();
    black_box(&spacer);
    operation();
    black_box(&spacer);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[inline(never)]
    fn write_stack<const N: usize>() {
        let mut array = [0_u8; N];
        array[0] = 1;
        black_box(&mut array);
    }

    #[test]
    fn grows_with_the_array_that_is_written() {
        let small = high_water(|| Some(write_stack::<512>)).unwrap();
        let large = high_water(|| Some(write_stack::<8704>)).unwrap();
        assert!((512..1024).contains(&small), "{small}");
        assert!(
            (8192 - 64..=8192 + 64).contains(&(large - small)),
            "{small} {large}"
        );
    }

    #[test]
    fn nothing_uses_nothing() {
        assert_eq!(high_water(|| Some(|| {})), Some(0));
    }
}
