//! What is secret and what is public, told to memcheck.

use std::ffi::c_void;
use std::hint::black_box;

use crabgrind::memcheck::{MemState, mark_memory};
use crabgrind::valgrind::{count_errors, running_mode};
use shangmi::rng::Rng;

/// Takes note of what the library holds to be public; whether this runs under valgrind.
pub(crate) fn begin() -> bool {
    shangmi::ct::witness::set(|address, length| mark(address, length, MemState::Defined));
    running_mode().is_valgrind()
}

/// The result of `run`, and memcheck's complaints meanwhile.
pub(crate) fn complaints_of<T>(run: fn() -> T) -> (T, usize) {
    let before = count_errors();
    let result = run();
    (result, count_errors() - before)
}

/// Bytes that must not show in the time: another value for each `seed`.
pub(crate) fn secret<const N: usize>(seed: u8) -> [u8; N] {
    let mut bytes: [u8; N] =
        std::array::from_fn(|i| (i as u8).wrapping_mul(29).wrapping_add(seed) | 1);
    hide(&mut bytes);
    bytes
}

/// Makes bytes secret.
pub(crate) fn hide(bytes: &mut [u8]) {
    let bytes = black_box(bytes);
    mark(bytes.as_ptr().cast(), bytes.len(), MemState::Undefined);
    black_box(bytes);
}

/// `value`, which leaves the program: a signature, a public key, a ciphertext.
pub(crate) fn published<T>(mut value: T) -> T {
    let place = black_box(&mut value);
    mark(
        (&raw const *place).cast(),
        size_of::<T>(),
        MemState::Defined,
    );
    black_box(value)
}

fn mark(address: *const c_void, length: usize, state: MemState) {
    mark_memory(address, length, state).expect("runs under valgrind");
}

/// A generator whose bytes are secret.
pub(crate) struct SecretRng(pub(crate) u8);

impl Rng for SecretRng {
    fn fill(&mut self, out: &mut [u8]) -> shangmi::Result<()> {
        for byte in out.iter_mut() {
            self.0 = self.0.wrapping_mul(37).wrapping_add(11);
            *byte = self.0;
        }
        hide(out);
        Ok(())
    }
}
