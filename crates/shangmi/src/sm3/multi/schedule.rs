//! Messages over lanes. See the module above for the plan.
use core::array;

use zeroize::Zeroize;

use super::{Jobs, Kernel, States, Tail};
use crate::sm3::compress::Backend;
use crate::sm3::{BLOCK_LEN, Block, State};

/// Hashes all of `jobs` on two chains of `L` lanes, the last few with `one`.
pub(super) fn run<'a, const L: usize, K: Kernel<L>>(
    kernel: K,
    one: Backend,
    jobs: &mut impl Jobs<'a>,
) {
    let mut schedule = Schedule::new();
    schedule.run(kernel, one, jobs);
    schedule.wipe();
}

/// What a lane has left to do.
#[derive(Clone, Copy)]
struct Lane<'a> {
    id: usize,
    /// Whole blocks of the message.
    body: &'a [Block],
    /// Blocks of the tail: from here, to there.
    tail: (usize, usize),
}

impl<'a> Lane<'a> {
    /// The blocks that come next and lie together.
    fn ready<'b>(&self, tail: &'b Tail) -> &'b [Block]
    where
        'a: 'b,
    {
        if self.body.is_empty() {
            &tail[self.tail.0..self.tail.1]
        } else {
            self.body
        }
    }
}

/// Two chains of lanes; the first `active` lanes of both together have a message.
struct Schedule<'a, const L: usize> {
    active: usize,
    lanes: [[Lane<'a>; L]; 2],
    tails: [[Tail; L]; 2],
    states: [States<L>; 2],
}

impl<'a, const L: usize> Schedule<'a, L> {
    fn new() -> Self {
        let idle = Lane {
            id: 0,
            body: &[],
            tail: (0, 0),
        };
        Self {
            active: 0,
            lanes: [[idle; L]; 2],
            tails: [[[[0; BLOCK_LEN]; 2]; L]; 2],
            states: [States([[0; L]; 8]); 2],
        }
    }

    fn run<K: Kernel<L>>(&mut self, kernel: K, one: Backend, jobs: &mut impl Jobs<'a>) {
        while self.active < K::CHAINS * L && self.take(self.active, jobs) {
            self.active += 1;
        }
        while self.active > K::FEW {
            let count = self.step(kernel);
            // Downwards, because a lane that runs dry gets the message of the last one.
            for lane in (0..self.active).rev() {
                if self.advance(lane, count) {
                    self.end(lane, jobs);
                }
            }
        }
        for lane in 0..self.active {
            self.finish(lane, one, jobs);
        }
    }

    /// Gives `lane` the next message, if there is one.
    fn take(&mut self, lane: usize, jobs: &mut impl Jobs<'a>) -> bool {
        let tail = &mut self.tails.as_flattened_mut()[lane];
        let Some(job) = jobs.next(tail) else {
            return false;
        };
        self.lanes.as_flattened_mut()[lane] = Lane {
            id: job.id,
            body: job.body,
            tail: (0, job.tail_len),
        };
        self.set_state(lane, &job.state);
        true
    }

    /// Runs all lanes as many blocks as every active one has ready; returns how many.
    fn step(&mut self, kernel: impl Kernel<L>) -> usize {
        let lanes = self.lanes.as_flattened();
        let tails = self.tails.as_flattened();
        // A lane without a message computes what the first one does, and nobody looks.
        let mut blocks = [[lanes[0].ready(&tails[0]); L]; 2];
        let mut count = usize::MAX;
        let active = blocks.as_flattened_mut()[..self.active].iter_mut();
        for (blocks, (lane, tail)) in active.zip(lanes.iter().zip(tails)) {
            *blocks = lane.ready(tail);
            count = count.min(blocks.len());
        }
        let chains = self.active.div_ceil(L);
        kernel.compress(&mut self.states[..chains], &blocks[..chains], count);
        count
    }

    /// Notes that `lane` has done `count` blocks; whether its message ends there.
    fn advance(&mut self, lane: usize, count: usize) -> bool {
        let lane = &mut self.lanes.as_flattened_mut()[lane];
        if lane.body.is_empty() {
            lane.tail.0 += count;
        } else {
            lane.body = &lane.body[count..];
        }
        lane.body.is_empty() && lane.tail.0 == lane.tail.1
    }

    /// Hands over the result of `lane` and gives it another message: the next, or that of the last lane.
    fn end(&mut self, lane: usize, jobs: &mut impl Jobs<'a>) {
        jobs.done(self.lanes.as_flattened()[lane].id, &self.state(lane));
        if self.take(lane, jobs) {
            return;
        }
        self.active -= 1;
        let last = self.active;
        if lane != last {
            let lanes = self.lanes.as_flattened_mut();
            lanes[lane] = lanes[last];
            let tails = self.tails.as_flattened_mut();
            tails[lane] = tails[last];
            self.set_state(lane, &self.state(last));
        }
    }

    /// Hashes the rest of `lane` alone.
    fn finish(&mut self, lane: usize, one: Backend, jobs: &mut impl Jobs<'a>) {
        let mut state = self.state(lane);
        let Lane { id, body, tail } = self.lanes.as_flattened()[lane];
        one.compress(&mut state, body);
        one.compress(&mut state, &self.tails.as_flattened()[lane][tail.0..tail.1]);
        jobs.done(id, &state);
    }

    fn state(&self, lane: usize) -> State {
        let states = &self.states[lane / L].0;
        array::from_fn(|i| states[i][lane % L])
    }

    fn set_state(&mut self, lane: usize, state: &State) {
        for (word, state) in self.states[lane / L].0.iter_mut().zip(state) {
            word[lane % L] = *state;
        }
    }

    /// Messages may be keys.
    fn wipe(&mut self) {
        self.tails
            .as_flattened_mut()
            .as_flattened_mut()
            .as_flattened_mut()
            .zeroize();
        for states in &mut self.states {
            states.0.as_flattened_mut().zeroize();
        }
    }
}
