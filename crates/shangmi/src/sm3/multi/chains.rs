//! CF over the lanes of one chain or of two in turns, as text that every backend compiles with its own
//! instructions, like the [`rounds`](super::rounds).
//!
//! The backend has in scope what those need, and `LANES`, `Vector`, `load`, `store` and `transpose`.

/// One chain: `cf`, `compress_each` and `compress_words_each`, with the processor features `$features`.
macro_rules! chain {
    ($features:literal) => {
        /// CF over `count` blocks of every lane, chain after chain.
        #[target_feature(enable = $features)]
        fn compress_each(
            states: &mut [States<LANES>],
            blocks: &[Blocks<'_, LANES>],
            count: usize,
        ) {
            for (state, blocks) in states.iter_mut().zip(blocks) {
                let mut v = load_state(state);
                for i in 0..count {
                    v = cf(v, transpose(blocks, i));
                }
                store_state(state, &v);
            }
        }

        /// CF over one block of every lane, given as words, chain after chain.
        #[target_feature(enable = $features)]
        fn compress_words_each(states: &mut [States<LANES>], words: &[Words<LANES>]) {
            for (state, words) in states.iter_mut().zip(words) {
                let v = cf(load_state(state), words.0.each_ref().map(|word| load(word)));
                store_state(state, &v);
            }
        }

        /// CF: V(i+1) from V(i) and the words of the block.
        #[target_feature(enable = $features)]
        fn cf(v: [Vector; 8], mut w: [Vector; 16]) -> [Vector; 8] {
            let mut s = v;
            rounds!([s w]);
            xor_states(s, v)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn xor_states(mut s: [Vector; 8], v: [Vector; 8]) -> [Vector; 8] {
            for (s, v) in s.iter_mut().zip(v) {
                *s = xor(*s, v);
            }
            s
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn load_state(state: &States<LANES>) -> [Vector; 8] {
            state.0.each_ref().map(|word| load(word))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn store_state(state: &mut States<LANES>, v: &[Vector; 8]) {
            for (word, v) in state.0.iter_mut().zip(v) {
                store(word, *v);
            }
        }
    };
}

/// Two chains in turns where there are two: `compress_pair` and `compress_words_pair`, beside [`chain`].
macro_rules! two_chains {
    ($features:literal) => {
        /// CF over `count` blocks of every lane.
        #[target_feature(enable = $features)]
        fn compress_pair(
            states: &mut [States<LANES>],
            blocks: &[Blocks<'_, LANES>],
            count: usize,
        ) {
            let ([s0, s1], [b0, b1]) = (&mut *states, blocks) else {
                return compress_each(states, blocks, count);
            };
            let mut v = [load_state(s0), load_state(s1)];
            for i in 0..count {
                v = cf_two(v, [transpose(b0, i), transpose(b1, i)]);
            }
            store_state(s0, &v[0]);
            store_state(s1, &v[1]);
        }

        /// CF over one block of every lane, given as words.
        #[target_feature(enable = $features)]
        fn compress_words_pair(states: &mut [States<LANES>], words: &[Words<LANES>]) {
            let ([s0, s1], [w0, w1]) = (&mut *states, words) else {
                return compress_words_each(states, words);
            };
            let w = [w0, w1].map(|words| words.0.each_ref().map(|word| load(word)));
            let v = cf_two([load_state(s0), load_state(s1)], w);
            store_state(s0, &v[0]);
            store_state(s1, &v[1]);
        }

        /// CF of two chains.
        #[target_feature(enable = $features)]
        fn cf_two(
            [u, v]: [[Vector; 8]; 2],
            [mut w, mut x]: [[Vector; 16]; 2],
        ) -> [[Vector; 8]; 2] {
            let (mut s, mut t) = (u, v);
            rounds!([s w, t x]);
            [xor_states(s, u), xor_states(t, v)]
        }
    };
}

pub(super) use {chain, two_chains};
