//! Chunks through one thread or several, in their order.
//!
//! A worker takes an empty batch, reads the next chunks into it and seals or opens them; reading is
//! done in turns, so that a batch's number is its place. The calling thread writes the batches in
//! order and hands them back. There are twice as many batches as workers, however long the file is.
use std::{
    collections::BTreeMap,
    io::Read,
    num::NonZeroUsize,
    sync::{
        Mutex, PoisonError,
        mpsc::{self, Receiver, Sender},
    },
    thread,
};

use super::{
    Place,
    chunks::{Chunks, Slot},
};
use crate::{Error, Result};

/// Chunks that a worker takes at a time: enough to make the passing on cheap beside the work, few
/// enough for a core's second cache.
const BATCH: usize = 4;
/// Most threads that are started: one thread writes, and more could not keep up with it.
const MAX_THREADS: usize = 64;

/// Some chunks that follow each other.
struct Batch {
    slots: Vec<Slot>,
    /// Slots that are to be written.
    used: usize,
    /// What befell after those.
    error: Option<Error>,
}

impl Batch {
    fn new(chunks: usize) -> Self {
        Self {
            slots: (0..chunks).map(|_| Slot::new()).collect(),
            used: 0,
            error: None,
        }
    }

    /// Reads until the batch is full or the stream ends; returns whether more may follow.
    fn fill(&mut self, chunks: &mut Chunks<impl Read>) -> bool {
        self.used = 0;
        for slot in &mut self.slots {
            if let Err(error) = chunks.next(slot) {
                self.error = Some(error);
                return false;
            }
            self.used += 1;
            if slot.place == Place::Last {
                return false;
            }
        }
        true
    }

    /// Does the work on what was read, up to the first that fails.
    fn work(&mut self, step: &impl Fn(&mut Slot) -> Result<()>) {
        for (done, slot) in self.slots[..self.used].iter_mut().enumerate() {
            if let Err(error) = step(slot) {
                self.used = done;
                self.error = Some(error);
                return;
            }
        }
    }

    /// Hands on what is done, then fails if there is an error.
    fn drain(&mut self, sink: &mut impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        self.slots[..self.used]
            .iter()
            .try_for_each(|slot| sink(slot.filled()))?;
        self.error.take().map_or(Ok(()), Err)
    }
}

/// Does `step` on every chunk on the calling thread, and gives each to `sink`.
pub(super) fn run(
    mut chunks: Chunks<impl Read>,
    step: impl Fn(&mut Slot) -> Result<()>,
    mut sink: impl FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let mut batch = Batch::new(1);
    let mut more = true;
    while more {
        more = batch.fill(&mut chunks);
        batch.work(&step);
        batch.drain(&mut sink)?;
    }
    Ok(())
}

/// The same with the reading and `step` on `threads` threads, and `sink` on the calling one.
pub(super) fn run_on(
    threads: NonZeroUsize,
    chunks: Chunks<impl Read + Send>,
    step: impl Fn(&mut Slot) -> Result<()> + Sync,
    sink: impl FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let workers = threads.get().min(MAX_THREADS);
    if workers == 1 {
        return run(chunks, step, sink);
    }
    let (hand_back, empty) = mpsc::channel();
    let (hand_on, full) = mpsc::channel();
    for _ in 0..2 * workers {
        hand_back
            .send(Batch::new(BATCH))
            .expect("the other end is below");
    }
    let feed = Mutex::new(Feed {
        chunks,
        empty,
        number: 0,
        more: true,
    });
    thread::scope(|scope| {
        for worker in 0..workers {
            let (feed, step, hand_on) = (&feed, &step, hand_on.clone());
            let work = move || work(feed, step, &hand_on);
            let started = thread::Builder::new().spawn_scoped(scope, work);
            // With fewer threads than asked for, it takes longer.
            if let (0, Err(error)) = (worker, started) {
                return Err(error.into());
            }
        }
        drop(hand_on);
        // Both ends go away with the function: after an error, that stops the workers.
        write_in_order(full, hand_back, sink)
    })
}

/// What the workers share.
struct Feed<R> {
    chunks: Chunks<R>,
    empty: Receiver<Batch>,
    number: u64,
    more: bool,
}

impl<R: Read> Feed<R> {
    /// The next batch and its number. The batch is there before the number is given out: whoever
    /// holds up the others always has what he needs to go on.
    fn next(&mut self) -> Option<(u64, Batch)> {
        if !self.more {
            return None;
        }
        let mut batch = self.empty.recv().ok()?;
        self.more = batch.fill(&mut self.chunks);
        self.number += 1;
        Some((self.number - 1, batch))
    }
}

fn work<R: Read>(
    feed: &Mutex<Feed<R>>,
    step: &impl Fn(&mut Slot) -> Result<()>,
    hand_on: &Sender<(u64, Batch)>,
) {
    loop {
        let next = feed.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some((number, mut batch)) = next else {
            return;
        };
        batch.work(step);
        if hand_on.send((number, batch)).is_err() {
            return;
        }
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the channels have to close when this ends"
)]
fn write_in_order(
    full: Receiver<(u64, Batch)>,
    hand_back: Sender<Batch>,
    mut sink: impl FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for (number, batch) in full {
        early.insert(number, batch);
        while let Some(mut batch) = early.remove(&next) {
            batch.drain(&mut sink)?;
            next += 1;
            // Nobody waits for it any more when the input has ended.
            let _ = hand_back.send(batch);
        }
    }
    Ok(())
}
