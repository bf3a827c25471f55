//! Streams in pieces on every code path, against the specification.
use core::array;
use std::vec::Vec;

use super::{Engine, MultiSm3, Sm3};

/// Numbers that look random, the same on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % end
    }
}

/// Bytes with period 251, beginning elsewhere for every message.
fn painted(seed: usize, length: usize) -> Vec<u8> {
    (seed..seed + length).map(|i| (i % 251) as u8).collect()
}

/// Hashes a message of every length beside each other, in pieces of the lengths that `piece` gives, on every
/// code path, and compares.
fn check<const N: usize>(lengths: [usize; N], mut piece: impl FnMut() -> usize) {
    let messages: [_; N] = array::from_fn(|i| painted(7 * i, lengths[i]));
    let expected: Vec<_> = messages
        .iter()
        .map(|message| reference::sm3::digest(message))
        .collect();
    for engine in Engine::all() {
        let mut hash = MultiSm3::with(engine);
        let mut rests = messages.each_ref().map(Vec::as_slice);
        while rests.iter().any(|rest| !rest.is_empty()) {
            let pieces = rests.each_mut().map(|rest| {
                let (head, later) = rest.split_at(piece().min(rest.len()));
                *rest = later;
                head
            });
            hash.update(&pieces);
        }
        for (i, found) in hash.finalize().into_iter().enumerate() {
            let (name, n) = (engine.name(), lengths[i]);
            assert_eq!(found, expected[i], "{name}: stream {i} of {N}, {n} bytes");
        }
    }
}

/// Streams of unequal lengths in random pieces, some of them empty.
fn random_pieces<const N: usize>() {
    let mut numbers = Numbers(N as u64);
    for longest in [1, 66, 300, 2000] {
        let lengths: [usize; N] = array::from_fn(|_| numbers.below(longest + 1));
        let largest = 1 + numbers.below(400);
        check(lengths, || 1 + numbers.below(largest));
    }
    let lengths: [usize; N] = array::from_fn(|_| numbers.below(1000));
    check(lengths, || {
        [0, 0, 1, 63, 64, 65, 128, 200][numbers.below(8)]
    });
}

#[test]
fn any_number_of_streams() {
    random_pieces::<0>();
    random_pieces::<1>();
    random_pieces::<2>();
    random_pieces::<3>();
    random_pieces::<4>();
    random_pieces::<7>();
    random_pieces::<8>();
    random_pieces::<9>();
    random_pieces::<15>();
    random_pieces::<16>();
    random_pieces::<17>();
    random_pieces::<31>();
    random_pieces::<32>();
    random_pieces::<33>();
    random_pieces::<70>();
}

const BOUNDARIES: [usize; 9] = [0, 1, 55, 56, 63, 64, 65, 127, 128];

#[test]
fn boundaries() {
    for first in BOUNDARIES {
        let mut next = BOUNDARIES.into_iter().cycle();
        // Each stream ends at another boundary; then all at the same one.
        check(
            array::from_fn::<_, 17, _>(|i| first + BOUNDARIES[i % 9]),
            || next.next().expect("it is a cycle"),
        );
        check([first; 17], || 64);
        check([first; 17], || 1);
    }
}

#[test]
fn one_long_stream_among_short_ones() {
    let mut lengths = [100; 20];
    lengths[13] = 100_000;
    check(lengths, || 5000);
}

#[test]
fn a_place_is_used_again() {
    for engine in Engine::all() {
        let name = engine.name();
        let mut hash = MultiSm3::<5>::with(engine);
        let piece = painted(0, 100);
        for length in BOUNDARIES {
            let message = painted(3, length);
            hash.update(&[&piece, &message, &piece, &[], &piece]);
            let expected = reference::sm3::digest(&message);
            let taken = hash.take(1).map(Sm3::finalize);
            assert_eq!(taken, Some(expected), "{name}: {length}");
        }
        assert!(hash.take(5).is_none(), "{name}");
        let long = reference::sm3::digest(&piece.repeat(BOUNDARIES.len()));
        let empty = reference::sm3::digest(b"");
        let expected = [long, empty, long, empty, long];
        assert_eq!(hash.finalize(), expected, "{name}");
    }
}
