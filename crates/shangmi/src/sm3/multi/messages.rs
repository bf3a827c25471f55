//! Messages that lie in memory, as a supply for the lanes.
use core::cmp::Reverse;

use super::{Job, Jobs, Tail, pad};
use crate::sm3::{BLOCK_LEN, Digest, State, to_bytes};

/// Messages that are put in order of length at a time: enough to begin each long one early, few
/// enough to keep the order on the stack.
const WINDOW: usize = 512;

/// Messages, each hashed from `state` on, and where their digests go.
pub(in crate::sm3) struct Messages<'a, 'o> {
    state: State,
    /// Bytes that led to `state`.
    before: u64,
    messages: &'a [&'a [u8]],
    out: &'o mut [Digest],
    /// The messages of this window, longest first, counted from `start`.
    order: [u16; WINDOW],
    start: usize,
    /// Place in `order`, and its end.
    next: usize,
    end: usize,
}

impl<'a, 'o> Messages<'a, 'o> {
    /// As many digests in `out` as there are messages.
    pub(in crate::sm3) fn new(
        state: State,
        before: u64,
        messages: &'a [&'a [u8]],
        out: &'o mut [Digest],
    ) -> Self {
        let mut this = Self {
            state,
            before,
            messages,
            out,
            order: [0; WINDOW],
            start: 0,
            next: 0,
            end: 0,
        };
        this.sort();
        this
    }

    /// Puts the window from `start` on in order.
    fn sort(&mut self) {
        let messages = &self.messages[self.start..];
        self.next = 0;
        self.end = messages.len().min(WINDOW);
        let order = &mut self.order[..self.end];
        for (i, place) in (0..).zip(order.iter_mut()) {
            *place = i;
        }
        order.sort_unstable_by_key(|i| Reverse(messages[usize::from(*i)].len() / BLOCK_LEN));
    }
}

impl<'a> Jobs<'a> for Messages<'a, '_> {
    fn count(&self) -> usize {
        self.messages.len()
    }

    fn next(&mut self, tail: &mut Tail) -> Option<Job<'a>> {
        if self.next == self.end {
            self.start += self.end;
            self.sort();
            if self.end == 0 {
                return None;
            }
        }
        let id = self.start + usize::from(self.order[self.next]);
        self.next += 1;
        let message = self.messages[id];
        let (body, rest) = message.as_chunks();
        let length = self.before.wrapping_add(message.len() as u64);
        let tail_len = pad(tail, rest, length);
        let state = self.state;
        Some(Job {
            id,
            state,
            body,
            tail_len,
        })
    }

    fn done(&mut self, id: usize, state: &State) {
        self.out[id] = to_bytes(state);
    }
}

/// Digests, each of which is replaced by its own digest, hashed from `state` on.
pub(in crate::sm3) struct InPlace<'o> {
    state: State,
    /// Bytes that led to `state`.
    before: u64,
    digests: &'o mut [Digest],
    next: usize,
}

impl<'o> InPlace<'o> {
    pub(in crate::sm3) fn new(state: State, before: u64, digests: &'o mut [Digest]) -> Self {
        Self {
            state,
            before,
            digests,
            next: 0,
        }
    }
}

impl<'a> Jobs<'a> for InPlace<'_> {
    fn count(&self) -> usize {
        self.digests.len()
    }

    fn next(&mut self, tail: &mut Tail) -> Option<Job<'a>> {
        let digest = self.digests.get(self.next)?;
        let id = self.next;
        self.next += 1;
        Some(Job {
            id,
            state: self.state,
            body: &[],
            tail_len: pad(tail, digest, self.before.wrapping_add(digest.len() as u64)),
        })
    }

    fn done(&mut self, id: usize, state: &State) {
        self.digests[id] = to_bytes(state);
    }
}
