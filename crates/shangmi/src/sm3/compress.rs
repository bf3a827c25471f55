//! Which code compresses blocks: chosen when a hasher is made, and kept in it.
#[cfg(target_arch = "x86_64")]
use super::x86_64_bmi2;
use super::{Block, State, portable};
#[cfg(target_arch = "x86_64")]
use crate::cpu;

/// A code path for the compression function.
#[derive(Clone, Copy, Debug)]
pub(super) enum Backend {
    /// Plain Rust, on every machine.
    Portable,
    /// Assembly, message expansion with AVX.
    #[cfg(target_arch = "x86_64")]
    Bmi2(cpu::Bmi2),
    /// Assembly, message expansion with AVX-512VL.
    #[cfg(target_arch = "x86_64")]
    Bmi2Avx512(cpu::Bmi2Avx512),
}

impl Backend {
    /// The fastest code path of this machine.
    #[inline]
    pub(super) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(token) = cpu::Bmi2Avx512::detect() {
                return Self::Bmi2Avx512(token);
            }
            if let Some(token) = cpu::Bmi2::detect() {
                return Self::Bmi2(token);
            }
        }
        Self::Portable
    }

    /// Every code path of this machine.
    #[cfg(test)]
    pub(super) fn all() -> std::vec::Vec<Self> {
        let mut all = std::vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(cpu::Bmi2::detect().map(Self::Bmi2));
            all.extend(cpu::Bmi2Avx512::detect().map(Self::Bmi2Avx512));
        }
        all
    }

    /// The name under which reports show the code path.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Bmi2(_) => "bmi2+avx",
            #[cfg(target_arch = "x86_64")]
            Self::Bmi2Avx512(_) => "bmi2+avx512vl",
        }
    }

    /// CF over `blocks` in their order: V(i+1) = CF(V(i), B(i)), V in `state`.
    pub(super) fn compress(self, state: &mut State, blocks: &[Block]) {
        match self {
            Self::Portable => portable::compress(state, blocks),
            #[cfg(target_arch = "x86_64")]
            Self::Bmi2(token) => x86_64_bmi2::compress(token, state, blocks),
            #[cfg(target_arch = "x86_64")]
            Self::Bmi2Avx512(token) => x86_64_bmi2::compress_avx512(token, state, blocks),
        }
    }
}

#[cfg(test)]
mod tests;
