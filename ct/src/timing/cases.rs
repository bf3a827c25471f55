//! The operations, with the secrets that each takes.

mod sm2;
mod sm3;
mod sm4;

use crate::sampler::{self, Times};
use crate::secrets::{Contrast, Secrets};

/// Bytes of a message: more than the widest group of blocks, and whole ones.
const LENGTH: usize = 2096;
type Data = [u8; LENGTH];

/// The classes for keys and data that are no numbers.
const BYTES: &[Contrast] = &[Contrast::Fixed, Contrast::LowWeight];

/// One operation.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// The name of its code path.
    pub(crate) backend: fn() -> String,
    pub(crate) contrasts: &'static [Contrast],
    /// Takes that many samples.
    pub(crate) sample: Box<dyn Fn(Contrast, usize) -> Times>,
}

/// The operations that can have a planted fault.
#[cfg(feature = "leaks")]
pub(crate) const WITH_FAULTS: [&str; 3] = ["sm2 sign", "sm2 decrypt", "hmac"];

pub(crate) fn all() -> Vec<Case> {
    let mut all = sm2::cases();
    all.extend(sm4::cases());
    all.extend(sm3::cases());
    all
}

/// An operation out of what makes its input and what is timed.
fn case<I: 'static>(
    name: &'static str,
    backend: fn() -> String,
    contrasts: &'static [Contrast],
    prepare: fn(&mut Secrets<'_>) -> I,
    run: fn(&mut I),
) -> Case {
    let sample = move |contrast, count| sampler::sample(contrast, count, prepare, run);
    Case {
        name,
        backend,
        contrasts,
        sample: Box::new(sample),
    }
}

fn key(secrets: &mut Secrets<'_>) -> [u8; 16] {
    secrets.bytes()
}

fn key_and_data(secrets: &mut Secrets<'_>) -> ([u8; 16], Data) {
    (secrets.bytes(), secrets.bytes())
}
