//! Constant time: comparison, and what may be known of values that secrets went into.
use subtle::ConstantTimeEq;

/// Whether `a` and `b` are the same bytes, in time that depends on their lengths only.
///
/// Lengths are public: different lengths answer `false` at once. The answer is public too.
#[must_use]
pub fn eq(a: &[u8], b: &[u8]) -> bool {
    public(a.ct_eq(b).into())
}

/// `value`, of which nothing has to be kept secret although secrets went into it: whether a tag was right,
/// whether a draw was out of range.
///
/// Every branch on such a value goes through here, so that these places can be found and argued about; under
/// valgrind (`cargo xtask ct`) each other one is an error.
#[inline(always)]
#[cfg_attr(
    not(feature = "__ct"),
    expect(unused_mut, reason = "the witness writes to it")
)]
pub(crate) fn public<T: Copy>(mut value: T) -> T {
    #[cfg(feature = "__ct")]
    witness::tell(&mut value);
    value
}

/// For the project's own tests: tells a checker which values the crate takes for public.
#[cfg(feature = "__ct")]
pub mod witness {
    use core::{ffi::c_void, hint::black_box};
    use std::sync::OnceLock;

    /// Gets the address and the length of a value that is public from now on.
    pub type Witness = fn(*const c_void, usize);

    static WITNESS: OnceLock<Witness> = OnceLock::new();

    /// Sets the witness; the first one stays.
    pub fn set(witness: Witness) {
        WITNESS.get_or_init(|| witness);
    }

    #[inline(always)]
    pub(super) fn tell<T>(value: &mut T) {
        // Through memory and back: the checker knows addresses, not registers.
        let value = black_box(value);
        if let Some(witness) = WITNESS.get() {
            witness((&raw const *value).cast(), size_of::<T>());
        }
        black_box(value);
    }
}

/// For the project's own tests: faults that `cargo xtask ct` must find.
#[cfg(feature = "__ct-leaks")]
pub mod leaks {
    use core::hint::black_box;
    use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

    /// What the time of the planted fault depends on.
    #[derive(Clone, Copy, Debug)]
    #[repr(u8)]
    pub enum Leak {
        /// A branch on a secret bit.
        Branch = 1,
        /// A table read at a secret index.
        Index = 2,
        /// A division of a secret.
        Division = 3,
    }

    static PLANTED: AtomicU8 = AtomicU8::new(0);

    /// Plants one fault in signing, decrypting and HMAC, or none.
    pub fn plant(leak: Option<Leak>) {
        PLANTED.store(leak.map_or(0, |leak| leak as u8), Relaxed);
    }

    /// A function for each place, so that the machine code shows where it divides.
    macro_rules! places {
        ($($name:ident),+) => { $(
            /// The place of the fault; `secret` is what leaks.
            #[inline(never)]
            pub(crate) fn $name(secret: u64) {
                // What tells the functions apart for the compiler, which would merge them.
                black_box(stringify!($name));
                leak(secret);
            }
        )+ };
    }
    places!(signing, decryption, hmac);

    #[inline(always)]
    fn leak(secret: u64) {
        static TABLE: [u8; 256] = [1; 256];
        let planted = PLANTED.load(Relaxed);
        if planted == Leak::Branch as u8 {
            if secret & 1 == 1 {
                // About as long as an addition of points, which `cargo xtask ct --timing` must see.
                for step in 0..2000 {
                    black_box(secret ^ step);
                }
            }
        } else if planted == Leak::Index as u8 {
            black_box(black_box(&TABLE)[(secret & 0xff) as usize]);
        } else if planted == Leak::Division as u8 {
            black_box(secret / black_box(3));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn eq_is_equality() {
        assert!(super::eq(b"", b""));
        assert!(super::eq(b"same", b"same"));
        assert!(!super::eq(b"same", b"sama"));
        assert!(!super::eq(b"same", b"sam"));
    }
}
