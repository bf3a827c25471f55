//! HMAC iterated over its own output, as PBKDF2 does, on many lanes.
//!
//! An iteration is two compressions of a block that consists of the last output (as words: what the
//! compression before left in the lanes) and a constant padding. So nothing is transposed, and the
//! lanes end together.
use zeroize::Zeroize;

use super::{Engine, Lanes};
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    target_arch = "aarch64"
))]
use super::{Kernel, States, Words};
use crate::sm3::compress::Backend;
use crate::sm3::{BLOCK_LEN, DIGEST_LEN, State, to_bytes};

/// One chain of iterations.
#[derive(Clone, Copy)]
pub(in crate::sm3) struct Iterated {
    /// The state after the key's inner pad.
    pub(in crate::sm3) inner: State,
    /// The state after the key's outer pad.
    pub(in crate::sm3) outer: State,
    /// U(1); in the end U(1) ^ ... ^ U(c).
    pub(in crate::sm3) t: State,
}

impl Iterated {
    /// Nothing yet.
    pub(in crate::sm3) const IDLE: Self = Self {
        inner: [0; 8],
        outer: [0; 8],
        t: [0; 8],
    };

    pub(in crate::sm3) fn wipe(&mut self) {
        for state in [&mut self.inner, &mut self.outer, &mut self.t] {
            state.as_mut_slice().zeroize();
        }
    }
}

/// Bits of a message of one block (the key's pad) and 32 bytes.
const BITS: u32 = 8 * (BLOCK_LEN + DIGEST_LEN) as u32;

impl Engine {
    /// U(j) = HMAC(U(j-1)) for j from 2 to `iterations`, and their XOR, for all of `chains`.
    pub(in crate::sm3) fn iterate(self, chains: &mut [Iterated], iterations: u32) {
        match self.lanes {
            Lanes::One => chains
                .iter_mut()
                .for_each(|chain| one(self.one, chain, iterations)),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Lanes::Avx2(kernel) => many(kernel, self.one, chains, iterations),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Lanes::Avx512(kernel) => many(kernel, self.one, chains, iterations),
            #[cfg(target_arch = "aarch64")]
            Lanes::Neon(kernel) => many(kernel, self.one, chains, iterations),
        }
    }
}

/// As many chains together as fit the lanes, the last few alone.
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    target_arch = "aarch64"
))]
fn many<const L: usize, K: Kernel<L>>(
    kernel: K,
    backend: Backend,
    chains: &mut [Iterated],
    iterations: u32,
) {
    for chains in chains.chunks_mut(K::CHAINS * L) {
        if chains.len() <= K::FEW {
            chains
                .iter_mut()
                .for_each(|chain| one(backend, chain, iterations));
        } else if chains.len() <= L {
            lanes::<L, 1>(kernel, chains, iterations);
        } else {
            lanes::<L, 2>(kernel, chains, iterations);
        }
    }
}

/// At most `L * C` chains, a lane for each.
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    target_arch = "aarch64"
))]
fn lanes<const L: usize, const C: usize>(
    kernel: impl Kernel<L>,
    chains: &mut [Iterated],
    iterations: u32,
) {
    let mut inner = gather::<L, C>(chains, |chain| &chain.inner);
    let mut outer = gather::<L, C>(chains, |chain| &chain.outer);
    let mut t = gather::<L, C>(chains, |chain| &chain.t);
    let mut words = [Words([[0; L]; 16]); C];
    for (words, t) in words.iter_mut().zip(&t) {
        words.0[..8].copy_from_slice(&t.0);
        words.0[8] = [1 << 31; L];
        words.0[15] = [BITS; L];
    }
    for _ in 1..iterations {
        for key in [&inner, &outer] {
            let mut state = *key;
            kernel.compress_words(&mut state, &words);
            for (words, state) in words.iter_mut().zip(&state) {
                words.0[..8].copy_from_slice(&state.0);
            }
        }
        for (t, u) in t.iter_mut().zip(&words) {
            let (t, u) = (t.0.as_flattened_mut(), u.0.as_flattened());
            t.iter_mut().zip(u).for_each(|(t, u)| *t ^= u);
        }
    }
    for (lane, chain) in chains.iter_mut().enumerate() {
        let t = &t[lane / L].0;
        chain.t = core::array::from_fn(|i| t[i][lane % L]);
    }
    for states in [&mut inner, &mut outer, &mut t].into_iter().flatten() {
        states.0.as_flattened_mut().zeroize();
    }
    for words in &mut words {
        words.0.as_flattened_mut().zeroize();
    }
}

/// The state that `of` names of every chain, in lanes.
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    target_arch = "aarch64"
))]
fn gather<const L: usize, const C: usize>(
    chains: &[Iterated],
    of: impl Fn(&Iterated) -> &State,
) -> [States<L>; C] {
    let mut states = [States([[0; L]; 8]); C];
    for (lane, chain) in chains.iter().enumerate() {
        let words = states[lane / L].0.iter_mut().zip(of(chain));
        words.for_each(|(word, value)| word[lane % L] = *value);
    }
    states
}

/// One chain on the code for one stream.
fn one(backend: Backend, chain: &mut Iterated, iterations: u32) {
    let mut block = [0; BLOCK_LEN];
    block[DIGEST_LEN] = 0x80;
    block[BLOCK_LEN - size_of::<u32>()..].copy_from_slice(&BITS.to_be_bytes());
    block[..DIGEST_LEN].copy_from_slice(&to_bytes(&chain.t));
    for _ in 1..iterations {
        let mut state = chain.inner;
        backend.compress(&mut state, core::slice::from_ref(&block));
        block[..DIGEST_LEN].copy_from_slice(&to_bytes(&state));
        state = chain.outer;
        backend.compress(&mut state, core::slice::from_ref(&block));
        block[..DIGEST_LEN].copy_from_slice(&to_bytes(&state));
        for (t, u) in chain.t.iter_mut().zip(state) {
            *t ^= u;
        }
    }
    block.as_mut_slice().zeroize();
}
