//! SM2 against the standard's examples, public failures and the executable specification.

#[path = "../../../../reference/tests/standards/data.rs"]
mod data;
mod many;
mod nonces;
mod published;
mod specification;
mod vectors;

use shangmi::rng::Rng;
use shangmi::sm3;

/// A generator that gives the same bytes for the same seed on every run: SM3 in counter mode.
struct Seeded {
    seed: u64,
    counter: u64,
}

impl Seeded {
    fn new(seed: u64) -> Self {
        Self { seed, counter: 0 }
    }
}

impl Rng for Seeded {
    fn fill(&mut self, out: &mut [u8]) -> shangmi::Result<()> {
        for chunk in out.chunks_mut(sm3::DIGEST_LEN) {
            let input = [self.seed.to_be_bytes(), self.counter.to_be_bytes()].concat();
            chunk.copy_from_slice(&sm3::digest(&input)[..chunk.len()]);
            self.counter += 1;
        }
        Ok(())
    }
}

/// A generator that gives one byte for ever.
struct Stuck(u8);

impl Rng for Stuck {
    fn fill(&mut self, out: &mut [u8]) -> shangmi::Result<()> {
        out.fill(self.0);
        Ok(())
    }
}

/// A generator that is broken.
struct Failing;

impl Rng for Failing {
    fn fill(&mut self, _: &mut [u8]) -> shangmi::Result<()> {
        Err(shangmi::Error::RandomSource)
    }
}
