//! Secrets of two classes.

/// What is special about the secrets of the first class; those of the second are random.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Contrast {
    /// The same ones in each sample.
    Fixed,
    /// Up to three bits are set, anywhere.
    LowWeight,
    /// The first half is zero.
    LeadingZeros,
}

impl Contrast {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed / random",
            Self::LowWeight => "low weight / random",
            Self::LeadingZeros => "leading zeros / random",
        }
    }
}

/// Pseudo-random numbers: Steele, Lea and Flood's SplitMix64. Any start will do.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut out = [0; N];
        for chunk in out.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_le_bytes()[..chunk.len()]);
        }
        out
    }
}

/// Draws all the secrets of one sample.
pub(crate) struct Secrets<'a> {
    /// The first class, or the random one.
    special: Option<Contrast>,
    numbers: &'a mut Numbers,
}

impl<'a> Secrets<'a> {
    /// - `varying`: goes on from sample to sample
    /// - `fixed`: starts anew with each sample
    pub(crate) fn new(
        special: Option<Contrast>,
        varying: &'a mut Numbers,
        fixed: &'a mut Numbers,
    ) -> Self {
        let is_fixed = special == Some(Contrast::Fixed);
        let numbers = if is_fixed { fixed } else { varying };
        Self { special, numbers }
    }

    /// Bytes of the class.
    pub(crate) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut out = self.numbers.bytes();
        match self.special {
            None | Some(Contrast::Fixed) => {}
            Some(Contrast::LeadingZeros) => out[..N / 2].fill(0),
            Some(Contrast::LowWeight) => {
                out = [0; N];
                for _ in 0..3 {
                    let bit = (self.numbers.next() % (8 * N as u64)) as usize;
                    out[bit / 8] |= 1 << (bit % 8);
                }
            }
        }
        out
    }

    /// A big-endian number of the class in [1, n-2], where n begins with 32 ones. (Zero in class of leading zeros comes up
    /// once in 2^128 draws.)
    pub(crate) fn scalar(&mut self) -> [u8; 32] {
        let mut out = self.bytes::<32>();
        if out[..4] == [0xff; 4] {
            out[0] = 0x7f;
        }
        out
    }
}
