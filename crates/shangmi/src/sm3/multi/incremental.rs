//! Streams that arrive in pieces, beside each other in the lanes.
//!
//! A piece meets the block that the one before left unfinished. Such blocks, once full, make a first pass
//! over the lanes; the whole blocks behind them, read where they lie, a second one. Of streams whose pieces are
//! whole blocks there is nothing in the first.
use core::cmp::Reverse;
use core::{array, fmt, mem, slice};

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::{Engine, Job, Jobs, Tail, pad};
use crate::sm3::{BLOCK_LEN, Block, DIGEST_LEN, Digest, Sm3, State, consts, to_bytes};

/// SM3 of `N` messages that arrive in pieces beside each other: of uploads, of files that are read in turns.
///
/// For each stream V(0) = IV; V(i+1) = CF(V(i), B(i)) over the blocks of its padded message; its digest is
/// V(n). Streams are of any lengths and end when they will: [`take`](Self::take) takes one out and gives its place
/// to another message.
///
/// It pays as [`digest_many`](crate::sm3::digest_many) does: where the machine has vector code for many messages
/// and a few streams at least get some blocks in the same call. Pieces of some KiB, whole blocks of 64 bytes, are
/// best, and 32 streams fill the widest lanes. It takes 104 bytes a stream and allocates nothing. The
/// states are wiped on drop, because keys pass through them.
///
/// # Timing
/// Depends on the numbers of bytes only, never on their values.
///
/// # Standard
/// GB/T 32905-2016, 5
///
/// # Example
/// ```
/// use shangmi::sm3::{self, MultiSm3};
///
/// let mut hash = MultiSm3::<3>::new();
/// hash.update(&[b"one ", b"another ", b""]);
/// hash.update(&[b"", b"message", b"a third"]);
/// let first = hash.take(0).expect("there is a stream 0");
/// assert_eq!(first.finalize(), sm3::digest(b"one "));
/// hash.update(&[b"in its place", b"", b""]);
/// let digests = hash.finalize();
/// assert_eq!(digests[0], sm3::digest(b"in its place"));
/// assert_eq!(digests[1], sm3::digest(b"another message"));
/// ```
#[derive(Clone)]
pub struct MultiSm3<const N: usize> {
    states: [State; N],
    /// The bytes of each stream since its last whole block; `length % 64` of them count.
    blocks: [Block; N],
    /// Bytes of each message so far.
    lengths: [u64; N],
    engine: Engine,
}

impl<const N: usize> MultiSm3<N> {
    /// A hasher whose streams have seen no byte.
    #[must_use]
    pub fn new() -> Self {
        Self::with(Engine::detect())
    }

    fn with(engine: Engine) -> Self {
        Self {
            states: [consts::IV; N],
            blocks: [[0; BLOCK_LEN]; N],
            lengths: [0; N],
            engine,
        }
    }

    /// Appends `pieces[i]` (any length, bytes; perhaps none) to message i.
    pub fn update(&mut self, pieces: &[&[u8]; N]) {
        let rests = array::from_fn(|i| self.fill(i, pieces[i]));
        let full: [&[Block]; N] = array::from_fn(|i| {
            let begun = rests[i].len() < pieces[i].len();
            let full = begun && self.lengths[i].is_multiple_of(BLOCK_LEN as u64);
            if full {
                slice::from_ref(&self.blocks[i])
            } else {
                &[]
            }
        });
        compress(self.engine, &mut self.states, &full);
        let whole = rests.map(|rest| rest.as_chunks().0);
        compress(self.engine, &mut self.states, &whole);
        let kept = self.blocks.iter_mut().zip(&mut self.lengths);
        for ((block, length), rest) in kept.zip(rests) {
            let tail = rest.as_chunks::<BLOCK_LEN>().1;
            block[..tail.len()].copy_from_slice(tail);
            *length = length.wrapping_add(rest.len() as u64);
        }
    }

    /// Moves the head of `piece` to the unfinished block of `stream`, if there is one; returns the rest.
    fn fill<'a>(&mut self, stream: usize, piece: &'a [u8]) -> &'a [u8] {
        let filled = filled(self.lengths[stream]);
        if filled == 0 {
            return piece;
        }
        let (head, rest) = piece.split_at(piece.len().min(BLOCK_LEN - filled));
        self.blocks[stream][filled..filled + head.len()].copy_from_slice(head);
        self.lengths[stream] = self.lengths[stream].wrapping_add(head.len() as u64);
        rest
    }

    /// The digests of all messages.
    #[must_use]
    pub fn finalize(self) -> [Digest; N] {
        let mut digests = [[0; DIGEST_LEN]; N];
        self.engine.run(&mut Ends {
            states: &self.states,
            blocks: &self.blocks,
            lengths: &self.lengths,
            digests: &mut digests,
            next: 0,
        });
        digests
    }

    /// Takes message `stream` out, to be ended or to go on alone; its place begins anew, and the other streams go on.
    /// `None` if `stream` is not below `N`.
    pub fn take(&mut self, stream: usize) -> Option<Sm3> {
        let state = self.states.get_mut(stream)?;
        let (block, length) = (&mut self.blocks[stream], &mut self.lengths[stream]);
        let taken = Sm3 {
            state: mem::replace(state, consts::IV),
            block: mem::replace(block, [0; BLOCK_LEN]),
            length: mem::take(length),
            backend: self.engine.one,
        };
        Some(taken)
    }
}

/// Bytes in the block that is not full yet, after a message of `length` bytes.
fn filled(length: u64) -> usize {
    (length % BLOCK_LEN as u64) as usize
}

/// CF over the blocks of each stream, none or many.
fn compress<const N: usize>(engine: Engine, states: &mut [State; N], blocks: &[&[Block]; N]) {
    let mut order: [usize; N] = array::from_fn(|i| i);
    order.sort_unstable_by_key(|&i| Reverse(blocks[i].len()));
    let busy = order.partition_point(|&i| !blocks[i].is_empty());
    engine.run(&mut Whole {
        states,
        blocks,
        order: order[..busy].iter(),
        count: busy,
    });
}

/// Whole blocks of streams as a supply for the lanes.
struct Whole<'a, 's> {
    states: &'s mut [State],
    blocks: &'s [&'a [Block]],
    /// The streams that have blocks, longest first.
    order: slice::Iter<'s, usize>,
    count: usize,
}

impl<'a> Jobs<'a> for Whole<'a, '_> {
    fn count(&self) -> usize {
        self.count
    }

    fn next(&mut self, _: &mut Tail) -> Option<Job<'a>> {
        let id = *self.order.next()?;
        Some(Job {
            id,
            state: self.states[id],
            body: self.blocks[id],
            tail_len: 0,
        })
    }

    fn done(&mut self, id: usize, state: &State) {
        self.states[id] = *state;
    }
}

/// The ends of streams, with their padding, as a supply for the lanes.
struct Ends<'s> {
    states: &'s [State],
    blocks: &'s [Block],
    lengths: &'s [u64],
    digests: &'s mut [Digest],
    next: usize,
}

impl<'a> Jobs<'a> for Ends<'_> {
    fn count(&self) -> usize {
        self.states.len()
    }

    fn next(&mut self, tail: &mut Tail) -> Option<Job<'a>> {
        let id = self.next;
        let length = *self.lengths.get(id)?;
        self.next += 1;
        Some(Job {
            id,
            state: self.states[id],
            body: &[],
            tail_len: pad(tail, &self.blocks[id][..filled(length)], length),
        })
    }

    fn done(&mut self, id: usize, state: &State) {
        self.digests[id] = to_bytes(state);
    }
}

impl<const N: usize> Default for MultiSm3<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> fmt::Debug for MultiSm3<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MultiSm3")
            .field("streams", &N)
            .field("backend", &self.engine.name())
            .finish_non_exhaustive()
    }
}

impl<const N: usize> Drop for MultiSm3<N> {
    fn drop(&mut self) {
        self.states.as_flattened_mut().zeroize();
        self.blocks.as_flattened_mut().zeroize();
        self.lengths.as_mut_slice().zeroize();
    }
}

impl<const N: usize> ZeroizeOnDrop for MultiSm3<N> {}

#[cfg(test)]
mod tests;
