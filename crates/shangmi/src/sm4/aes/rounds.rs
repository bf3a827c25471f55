//! The rounds with AES's S-box, as text for every kernel.

/// Functions for `$features`: `crypt`, and what it is made of. In scope: the type `Vector`, its instructions under the
/// names that are used here, `ROW`, how many blocks it has, and
///
/// - `table` and `broadcast`: 16 bytes, or a word, everywhere in a vector
/// - `sub_bytes(x, key)`: SubBytes and ShiftRows of `x` + `key`
/// - `load_row` and `store_row`: the blocks of a vector; of fewer blocks the rest is zero, or is not stored
macro_rules! rounds {
    ($features:literal) => {
        /// Words 0 to 3 of a chain's blocks.
        type Words = [Vector; 4];

        /// At most `N` chains; lanes without a block are zero at first and stored nowhere.
        #[target_feature(enable = $features)]
        pub(super) fn crypt<const N: usize>(keys: &Keys, order: Direction, blocks: &mut [Block]) {
            let mut words = [[zero(); 4]; N];
            for (words, blocks) in words.iter_mut().zip(blocks.chunks(4 * ROW)) {
                *words = load(blocks);
            }
            for i in (0..32).step_by(4) {
                let key = |j: usize| broadcast(keys.round(order, i + j).cast_signed());
                round(&mut words, 0, key(0));
                round(&mut words, 1, key(1));
                round(&mut words, 2, key(2));
                round(&mut words, 3, key(3));
            }
            for (words, blocks) in words.into_iter().zip(blocks.chunks_mut(4 * ROW)) {
                store(blocks, words);
            }
        }

        /// X_{i+4} in the place of X_i, in up to four chains. Written out, so that the words stay in registers.
        #[inline]
        #[target_feature(enable = $features)]
        fn round<const N: usize>(words: &mut [Words; N], i: usize, key: Vector) {
            if let Some(x) = words.get_mut(0) {
                round_of_chain(x, i, key);
            }
            if let Some(x) = words.get_mut(1) {
                round_of_chain(x, i, key);
            }
            if let Some(x) = words.get_mut(2) {
                round_of_chain(x, i, key);
            }
            if let Some(x) = words.get_mut(3) {
                round_of_chain(x, i, key);
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn round_of_chain(x: &mut Words, i: usize, key: Vector) {
            let t = xor(xor(x[(i + 1) % 4], x[(i + 2) % 4]), x[(i + 3) % 4]);
            x[i] = xor(x[i], linear(sub_bytes(t, key)));
        }

        /// L, after [`sub_bytes`].
        #[inline]
        #[target_feature(enable = $features)]
        fn linear(z: Vector) -> Vector {
            let z = split(z);
            let (p, q) = (look_up(&ROUND[0], z), look_up(&ROUND[1], z));
            let r = xor(p, q);
            xor(
                xor(rotate(p, 0), rotate(q, 1)),
                xor(rotate(q, 2), rotate(r, 3)),
            )
        }

        /// The low and the high nibbles.
        #[inline]
        #[target_feature(enable = $features)]
        fn split(x: Vector) -> [Vector; 2] {
            let mask = broadcast(0x0f0f_0f0f);
            [and(x, mask), and(shift_right::<4>(x), mask)]
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn look_up(map: &Nibbles, [low, high]: [Vector; 2]) -> Vector {
            xor(
                shuffle(table(&map.low), low),
                shuffle(table(&map.high), high),
            )
        }

        /// Undoes ShiftRows and rotates words by `a` bytes.
        #[inline]
        #[target_feature(enable = $features)]
        fn rotate(x: Vector, a: usize) -> Vector {
            shuffle(x, table(&ROTATIONS[a]))
        }

        /// Exchanges blocks and words in 128 bits each: element i of vector j is element j of vector i.
        #[inline]
        #[target_feature(enable = $features)]
        fn transpose([a, b, c, d]: Words) -> Words {
            let (ab, cd) = (unpack_low(a, b), unpack_low(c, d));
            let (ab_high, cd_high) = (unpack_high(a, b), unpack_high(c, d));
            [
                unpack_low_64(ab, cd),
                unpack_high_64(ab, cd),
                unpack_low_64(ab_high, cd_high),
                unpack_high_64(ab_high, cd_high),
            ]
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn load(blocks: &[Block]) -> Words {
            let row = |i: usize| {
                let x = load_row(blocks.get(i * ROW..).unwrap_or_default());
                look_up(&ENTER, split(x))
            };
            transpose([row(0), row(1), row(2), row(3)])
        }

        /// Stores X_32 to X_35, the last word first.
        #[inline]
        #[target_feature(enable = $features)]
        fn store(blocks: &mut [Block], [x32, x33, x34, x35]: Words) {
            let rows = transpose([x35, x34, x33, x32]);
            for (blocks, y) in blocks.chunks_mut(ROW).zip(rows) {
                store_row(blocks, look_up(&LEAVE, split(y)));
            }
        }
    };
}
pub(in super::super) use rounds;

/// The key schedule for `$features`. In scope besides what `rounds` needs: `first_word` of a vector.
macro_rules! expand {
    ($features:literal) => {
        #[target_feature(enable = $features)]
        pub(super) fn expand(key: &[u8; 16]) -> Keys {
            let mut x = load(core::slice::from_ref(key));
            for (x, fk) in x.iter_mut().zip(FK_BYTES) {
                *x = xor(*x, broadcast(fk.cast_signed()));
            }
            let mut keys = Keys([0; 32]);
            for (rk, ck) in keys.0.iter_mut().zip(CK_BYTES) {
                let ck = broadcast(ck.cast_signed());
                let z = split(sub_bytes(xor(xor(x[1], x[2]), x[3]), ck));
                let part = |a: usize| rotate(look_up(&SCHEDULE[a], z), a);
                let sum = xor(xor(part(0), part(1)), xor(part(2), part(3)));
                x = [x[1], x[2], x[3], xor(x[0], sum)];
                *rk = first_word(x[3]) ^ u32::from_ne_bytes([INNER; 4]);
            }
            keys
        }
    };
}
pub(in super::super) use expand;
