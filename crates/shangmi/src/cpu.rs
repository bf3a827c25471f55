//! Tokens: values that prove what the processor can do.
//!
//! A kernel takes the token that lists its instructions, and only `detect` makes one. So a backend that
//! holds a token can run its kernel, and nobody can name a backend that the machine does not have.
//!
//! `cpufeatures` asks once for each token: on x86-64 the processor with `cpuid` (and the operating
//! system, through `xgetbv`, whether it keeps the wide registers), on aarch64 the operating system. That works
//! without `std`, which `is_x86_feature_detected` does not. Afterwards `detect` loads one byte.
//!
//! Targets of x86-64 without vector registers (operating system kernels) turn the feature `sse2` off: there no
//! kernel is compiled.

/// Whether one of the features is hidden: [`masked`], asked once for each place, as field elements ask with every product.
#[cfg(all(
    any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        target_arch = "aarch64"
    ),
    feature = "__cpu-mask"
))]
macro_rules! masked {
    ($($feature:tt),+) => {{
        static HIDDEN: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
        *HIDDEN.get_or_init(|| masked(&[$($feature),+]))
    }};
}

#[cfg(all(
    any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        target_arch = "aarch64"
    ),
    not(feature = "__cpu-mask")
))]
macro_rules! masked {
    ($($feature:tt),+) => {
        false
    };
}

/// Defines tokens: the name, and every feature that kernels enable on the strength of it.
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    target_arch = "aarch64"
))]
macro_rules! tokens {
    ($($(#[$doc:meta])* $name:ident: [$($feature:tt),+];)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name(());

        impl $name {
            /// The token, if the processor and the operating system have all of its features.
            #[inline]
            pub(crate) fn detect() -> Option<Self> {
                cpufeatures::new!(processor, $($feature),+);
                if !processor::get() || masked!($($feature),+) {
                    return None;
                }
                Some(Self(()))
            }
        }
    )* };
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
tokens! {
    /// Scalar code with rotations that leave flags and source alone, beside vectors of 128 bits.
    Bmi2: ["avx", "bmi2"];
    /// Products that leave the flags alone, and sums on two carry chains: SM2.
    Adx: ["adx", "bmi2"];
    /// The same with rotations and ternary logic on the vectors of 128 bits.
    Bmi2Avx512: ["avx", "bmi2", "avx512f", "avx512vl"];
    /// Integer vectors of 256 bits: SM3, 8 messages at once.
    Avx2: ["avx2"];
    /// Products of 52 bits on vectors of 512 bits: SM2, eight at once.
    Ifma: ["avx512f", "avx512dq", "avx512ifma"];
    /// Vectors of 512 bits: SM3, 16 messages at once.
    Avx512: ["avx512f", "avx512bw"];
    /// The instructions for SM3.
    Sm3: ["avx", "sm3"];
    /// The instructions for SM4, with integer vectors of 256 bits.
    Sm4: ["avx2", "sm4"];
    /// The instructions for AES, and shuffles of bytes, on vectors of 128 bits.
    AesSsse3: ["aes", "ssse3"];
    /// The same, with integer vectors of 256 bits.
    AesAvx2: ["aes", "avx2"];
    /// Affine maps and inversions on the bytes of vectors of 128 and 256 bits.
    GfniAvx2: ["avx2", "gfni"];
    /// The same on 512 bits too, with rotations and ternary logic.
    GfniAvx512: ["avx2", "avx512bw", "avx512f", "avx512vl", "gfni"];
    /// Products of polynomials, one at a time.
    Clmul: ["pclmulqdq", "ssse3"];
    /// The same, four at a time on 512 bits.
    VpclmulAvx512: ["avx512bw", "avx512f", "pclmulqdq", "ssse3", "vpclmulqdq"];
}

/// Makes a token out of one that lists its features too.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
macro_rules! among {
    ($($fewer:ident of $more:ident;)*) => { $(
        impl From<$more> for $fewer {
            #[inline]
            fn from(_: $more) -> Self {
                Self(())
            }
        }
    )* };
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
among! {
    GfniAvx2 of GfniAvx512;
    Clmul of VpclmulAvx512;
}

#[cfg(target_arch = "aarch64")]
tokens! {
    /// The instructions for SM3: the feature `sm4` means those and the ones for SM4, which come together.
    Sm3: ["sm4"];
    /// The instructions for SM4, by the same name.
    Sm4: ["sm4"];
    /// The instructions for AES.
    Aes: ["aes"];
}

/// Vectors of 128 bits, which all but a few processors for special purposes have: known at compile time.
#[cfg(target_arch = "aarch64")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon(());

#[cfg(target_arch = "aarch64")]
impl Neon {
    /// The token, if the crate is compiled for processors that have the vectors.
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        (cfg!(target_feature = "neon") && !masked!("neon")).then_some(Self(()))
    }
}

/// Whether the variable `SHANGMI_CPU_MASK` hides one of `features`: their names, with commas between.
///
/// A mask hides what is there and cannot add what is not. Tests use it to run what an older machine
/// would run; without the private feature `__cpu-mask` nothing reads the variable.
#[cfg(all(
    any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        target_arch = "aarch64"
    ),
    feature = "__cpu-mask"
))]
fn masked(features: &[&str]) -> bool {
    let mask = std::env::var("SHANGMI_CPU_MASK").unwrap_or_default();
    mask.split(',')
        .any(|hidden| features.contains(&hidden.trim()))
}
