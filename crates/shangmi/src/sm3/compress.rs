//! Which code compresses blocks: chosen when a hasher is made, and kept in it.
#[cfg(target_arch = "aarch64")]
use super::aarch64_sm3;
use super::{Block, State, portable};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::{x86_64_bmi2, x86_64_sm3};
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    target_arch = "aarch64"
))]
use crate::cpu;

/// A code path for the compression function.
#[derive(Clone, Copy, Debug)]
pub(super) enum Backend {
    /// Plain Rust, on every machine.
    Portable,
    /// Assembly, message expansion with AVX.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Bmi2(cpu::Bmi2),
    /// Assembly, message expansion with AVX-512VL.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Bmi2Avx512(cpu::Bmi2Avx512),
    /// The processor's instructions for SM3.
    #[cfg(any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        target_arch = "aarch64"
    ))]
    Sm3(cpu::Sm3),
    /// The kernel of `Sm3` with a software model in place of the instructions.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", test))]
    Sm3Model(cpu::Bmi2),
}

impl Backend {
    /// The fastest code path of this machine.
    #[inline]
    pub(super) fn detect() -> Self {
        #[cfg(any(
            all(target_arch = "x86_64", target_feature = "sse2"),
            target_arch = "aarch64"
        ))]
        if let Some(token) = cpu::Sm3::detect() {
            return Self::Sm3(token);
        }
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
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
        #[cfg(any(
            all(target_arch = "x86_64", target_feature = "sse2"),
            target_arch = "aarch64"
        ))]
        all.extend(cpu::Sm3::detect().map(Self::Sm3));
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        {
            all.extend(cpu::Bmi2::detect().map(Self::Bmi2));
            all.extend(cpu::Bmi2Avx512::detect().map(Self::Bmi2Avx512));
            all.extend(cpu::Bmi2::detect().map(Self::Sm3Model));
        }
        all
    }

    /// The name under which reports show the code path.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Bmi2(_) => "bmi2+avx",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Bmi2Avx512(_) => "bmi2+avx512vl",
            #[cfg(any(
                all(target_arch = "x86_64", target_feature = "sse2"),
                target_arch = "aarch64"
            ))]
            Self::Sm3(_) => "sm3",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2", test))]
            Self::Sm3Model(_) => "sm3, software model",
        }
    }

    /// CF over `blocks` in their order: V(i+1) = CF(V(i), B(i)), V in `state`.
    pub(super) fn compress(self, state: &mut State, blocks: &[Block]) {
        match self {
            Self::Portable => portable::compress(state, blocks),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Bmi2(token) => x86_64_bmi2::compress(token, state, blocks),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Bmi2Avx512(token) => x86_64_bmi2::compress_avx512(token, state, blocks),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Sm3(token) => x86_64_sm3::compress(token, state, blocks),
            #[cfg(target_arch = "aarch64")]
            Self::Sm3(token) => aarch64_sm3::compress(token, state, blocks),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2", test))]
            Self::Sm3Model(token) => x86_64_sm3::compress_on_model(token, state, blocks),
        }
    }
}

#[cfg(test)]
mod tests;
