//! The 32-bit word of SM3 and SHA-256, and a word that counts its own operations.
//!
//! Code that is generic over [`Word`] runs unchanged on [`u32`], which computes,
//! and on [`Counted`], which computes and tallies.

use std::cell::Cell;
use std::ops::{Add, AddAssign, BitAnd, BitOr, BitXor, Not, Sub};

/// A 32-bit word with the operations that the hash standards use.
///
/// The operators `^ & | !` are the logic operations; the rest have names, since
/// `+` on `u32` would check for overflow.
pub trait Word:
    Copy + BitXor<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// The word with this value.
    fn new(value: u32) -> Self;
    /// The value of the word.
    fn value(self) -> u32;
    /// Addition modulo 2^32.
    fn plus(self, other: Self) -> Self;
    /// Rotation to the left (`<<<`) by `n` bits, 0 to 31.
    fn rotl(self, n: u32) -> Self;
    /// Rotation to the right (ROTR) by `n` bits, 0 to 31.
    fn rotr(self, n: u32) -> Self;
    /// Shift to the right (SHR) by `n` bits, 0 to 31.
    fn shr(self, n: u32) -> Self;
}

impl Word for u32 {
    #[inline(always)]
    fn new(value: u32) -> Self {
        value
    }
    #[inline(always)]
    fn value(self) -> u32 {
        self
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline(always)]
    fn rotl(self, n: u32) -> Self {
        self.rotate_left(n)
    }
    #[inline(always)]
    fn rotr(self, n: u32) -> Self {
        self.rotate_right(n)
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        self >> n
    }
}

/// How many operations of each kind a computation took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Shifts (SH); a rotation is two of them and one logic operation.
    pub shifts: u64,
    /// Logic operations (LO): and, or, exclusive or, not.
    pub logic: u64,
    /// Additions modulo 2^32 (MA).
    pub additions: u64,
}

impl Tally {
    /// A tally of so many shifts, logic operations and additions.
    pub const fn new(shifts: u64, logic: u64, additions: u64) -> Self {
        Self {
            shifts,
            logic,
            additions,
        }
    }

    /// All operations together.
    pub const fn total(self) -> u64 {
        self.shifts + self.logic + self.additions
    }
}

impl Add for Tally {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(
            self.shifts + other.shifts,
            self.logic + other.logic,
            self.additions + other.additions,
        )
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Tally {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(
            self.shifts.saturating_sub(other.shifts),
            self.logic.saturating_sub(other.logic),
            self.additions.saturating_sub(other.additions),
        )
    }
}

/// The operations of one compression, in its two parts; without the feed-forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompressionTally {
    /// Message expansion.
    pub expansion: Tally,
    /// The 64 rounds of the state update.
    pub state_update: Tally,
}

thread_local! {
    static TALLY: Cell<Tally> = const { Cell::new(Tally::new(0, 0, 0)) };
}

/// Runs `f` and returns its result with the operations that [`Counted`] words did in it.
pub fn tally<T>(f: impl FnOnce() -> T) -> (T, Tally) {
    let before = TALLY.get();
    let result = f();
    (result, TALLY.get() - before)
}

fn record(tally: Tally) {
    TALLY.set(TALLY.get() + tally);
}

/// A word that adds each operation to the current thread's tally; see [`tally`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted(u32);

impl Counted {
    fn after(value: u32, tally: Tally) -> Self {
        record(tally);
        Self(value)
    }
}

const SHIFT: Tally = Tally::new(1, 0, 0);
const LOGIC: Tally = Tally::new(0, 1, 0);
const ADDITION: Tally = Tally::new(0, 0, 1);
const ROTATION: Tally = Tally::new(2, 1, 0);

impl Word for Counted {
    fn new(value: u32) -> Self {
        Self(value)
    }
    fn value(self) -> u32 {
        self.0
    }
    fn plus(self, other: Self) -> Self {
        Self::after(self.0.wrapping_add(other.0), ADDITION)
    }
    fn rotl(self, n: u32) -> Self {
        Self::after(self.0.rotate_left(n), ROTATION)
    }
    fn rotr(self, n: u32) -> Self {
        Self::after(self.0.rotate_right(n), ROTATION)
    }
    fn shr(self, n: u32) -> Self {
        Self::after(self.0 >> n, SHIFT)
    }
}

impl BitXor for Counted {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        Self::after(self.0 ^ other.0, LOGIC)
    }
}

impl BitAnd for Counted {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self::after(self.0 & other.0, LOGIC)
    }
}

impl BitOr for Counted {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self::after(self.0 | other.0, LOGIC)
    }
}

impl Not for Counted {
    type Output = Self;
    fn not(self) -> Self {
        Self::after(!self.0, LOGIC)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operation_is_counted_once_and_computes() {
        let (result, counted) = tally(|| {
            let (x, y) = (Counted::new(0x8000_0001), Counted::new(3));
            [x.plus(y), x.rotl(1), x.rotr(1), x.shr(1), x & y, x | y, !x].map(Word::value)
        });
        assert_eq!(
            result,
            [
                0x8000_0004,
                3,
                0xc000_0000,
                0x4000_0000,
                1,
                0x8000_0003,
                0x7fff_fffe
            ]
        );
        assert_eq!(counted, Tally::new(5, 5, 1));
        assert_eq!(counted.total(), 11);
    }
}
