//! The work that threads share: who takes what, and what is put off.
//!
//! A worker takes a run of jobs, hashes the small files among them together and puts the long ones
//! off. Whoever is free next takes those first: as many as fill the lanes, where lanes pay, or one.

use std::collections::VecDeque;
use std::fs::File;
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::batch::Batch;
use super::digest::{Algorithm, Algorithms};
use super::lanes::{self, ALONE, Lanes};
use super::stream::{self, Ahead, Begun};
use super::{Done, Hashed, Job, ReadError, Source};
use crate::progress::Progress;

/// Answers that may wait for an earlier one: more would only fill the memory.
const AHEAD: u64 = 64 * 1024;

/// Files from this length on are not kept waiting for others to fill the lanes: one of them may take
/// longer than all the rest.
const LONG: u64 = 64 * 1024 * 1024;

/// A file that is too long to be read whole, or has no length.
pub(super) struct Deferred<T> {
    pub(super) number: u64,
    pub(super) source: Source,
    pub(super) tag: T,
    pub(super) algorithms: Algorithms,
    /// What is no regular file is open already.
    pub(super) pipe: Option<File>,
    /// What was hashed in part beside others.
    pub(super) begun: Option<Box<Begun>>,
    /// Bytes, where known.
    pub(super) size: u64,
}

impl<T> Deferred<T> {
    pub(super) fn new(number: u64, source: Source, algorithms: Algorithms, tag: T) -> Self {
        Self {
            number,
            source,
            tag,
            algorithms,
            pipe: None,
            begun: None,
            size: 0,
        }
    }

    /// Whether it is a file of some length, with SM3 to be computed.
    fn can_share(&self) -> bool {
        self.size > 0 && self.algorithms.contains(Algorithm::Sm3)
    }

    pub(super) fn is_stdin(&self) -> bool {
        matches!(&self.source, Source::Named(path) if path == Path::new("-"))
    }

    pub(super) fn answer<P>(self, result: Result<Hashed, ReadError>) -> (u64, Done<T, P>) {
        let (Source::Found(path) | Source::Named(path)) = self.source;
        let tag = self.tag;
        let done = match result {
            Ok(file) => Done::Hashed { path, tag, file },
            Err(error) => Done::Failed { path, tag, error },
        };
        (self.number, done)
    }

    pub(super) fn hash<P>(mut self, ahead: Ahead, progress: &Progress) -> (u64, Done<T, P>) {
        let hashed = stream::hash(&mut self, ahead, |bytes| progress.advance(bytes));
        progress.advance_files(1);
        self.answer(hashed)
    }
}

/// What the workers share.
pub(super) struct Pool<'a, T, J> {
    state: Mutex<State<T, J>>,
    changed: Condvar,
    run: usize,
    workers: usize,
    /// Files that a worker may hash together.
    places: usize,
    ahead: Ahead,
    progress: &'a Progress,
}

struct State<T, J> {
    jobs: J,
    exhausted: bool,
    /// Long files that nobody has taken yet, for the lanes.
    deferred: VecDeque<Deferred<T>>,
    /// What is a stream of its own; the last files of lanes come back to it.
    alone: VecDeque<Deferred<T>>,
    /// Workers that may still put off a file.
    busy: usize,
    /// The number of the next job, and of the next answer.
    next: u64,
    delivered: u64,
    stopped: bool,
}

impl<T, J> State<T, J> {
    fn new(jobs: J) -> Self {
        Self {
            jobs,
            exhausted: false,
            deferred: VecDeque::new(),
            alone: VecDeque::new(),
            busy: 0,
            next: 0,
            delivered: 0,
            stopped: false,
        }
    }

    /// Whether another run of jobs may be taken.
    fn has_more(&self) -> bool {
        !self.exhausted && self.next - self.delivered < AHEAD
    }
}

enum Work<T, P> {
    Run(u64, Vec<Job<T, P>>),
    Stream(Deferred<T>),
    Lanes(Vec<Deferred<T>>),
}

/// What a worker keeps between its steps.
pub(super) struct Worker<T, P> {
    batch: Batch<T, P>,
    lanes: Lanes<T>,
}

impl<T, P> Worker<T, P> {
    pub(super) fn new() -> Self {
        Self {
            batch: Batch::new(),
            lanes: Lanes::new(),
        }
    }
}

/// Answers, each with the number of its job.
type Answers<T, P> = Vec<(u64, Done<T, P>)>;

impl<'a, T, J> Pool<'a, T, J> {
    /// The work of `workers` workers, who take `run` jobs at a time.
    pub(super) fn new(
        jobs: J,
        workers: usize,
        run: usize,
        ahead: Ahead,
        progress: &'a Progress,
    ) -> Self {
        Self {
            state: Mutex::new(State::new(jobs)),
            changed: Condvar::new(),
            run,
            workers: workers.max(1),
            places: lanes::places(workers),
            ahead,
            progress,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T, J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nothing more is to be taken.
    pub(super) fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }

    /// Makes room for `answers` more to wait.
    pub(super) fn delivered(&self, answers: u64) {
        self.lock().delivered += answers;
        self.changed.notify_all();
    }
}

impl<T, P, J: Iterator<Item = Job<T, P>>> Pool<'_, T, J> {
    /// Takes work and does it, or some more of the work that was taken; `None` when there is none left.
    pub(super) fn step(&self, worker: &mut Worker<T, P>) -> Option<Answers<T, P>> {
        if worker.lanes.len() > 0 {
            return Some(self.go_on(&mut worker.lanes));
        }
        Some(match self.take()? {
            Work::Run(first, jobs) => {
                let sorted = worker.batch.run(first, jobs, self.progress);
                self.put_off(|state| {
                    let shares = |file: &Deferred<T>| self.places > 0 && file.can_share();
                    let (lanes, alone): (Vec<_>, Vec<_>) =
                        sorted.deferred.into_iter().partition(shares);
                    state.deferred.extend(lanes);
                    state.alone.extend(alone);
                });
                sorted.answers
            }
            Work::Stream(file) => vec![file.hash(self.ahead, self.progress)],
            Work::Lanes(files) => {
                let begin = |file| worker.lanes.begin(file, self.progress);
                let answers = files.into_iter().filter_map(begin).collect();
                if worker.lanes.len() == 0 {
                    self.put_off(|_| {});
                }
                answers
            }
        })
    }

    /// Fills free places in the lanes and hashes until a file ends.
    fn go_on(&self, lanes: &mut Lanes<T>) -> Answers<T, P> {
        let mut answers = Vec::new();
        let free = self.places - lanes.len();
        if free > 0 {
            let mut state = self.lock();
            let waiting = state.deferred.len().min(free);
            let more: Vec<_> = state.deferred.drain(..waiting).collect();
            drop(state);
            answers.extend(
                more.into_iter()
                    .filter_map(|file| lanes.begin(file, self.progress)),
            );
        }
        while answers.is_empty() && lanes.len() > ALONE {
            answers = lanes.advance(self.progress);
        }
        if lanes.len() <= ALONE {
            self.put_off(|state| state.alone.extend(lanes.leave()));
        }
        answers
    }

    /// Ends what may put off files, with those that it does.
    fn put_off(&self, files: impl FnOnce(&mut State<T, J>)) {
        let mut state = self.lock();
        files(&mut state);
        state.busy -= 1;
        drop(state);
        self.changed.notify_all();
    }

    fn take(&self) -> Option<Work<T, P>> {
        let mut state = self.lock();
        loop {
            if state.stopped {
                return None;
            }
            if let Some(work) = self.take_long(&mut state) {
                return Some(work);
            }
            if state.has_more() {
                let jobs: Vec<Job<T, P>> = state.jobs.by_ref().take(self.run).collect();
                state.exhausted = jobs.len() < self.run;
                if jobs.is_empty() {
                    continue;
                }
                let first = state.next;
                state.next += jobs.len() as u64;
                state.busy += 1;
                return Some(Work::Run(first, jobs));
            }
            if state.exhausted && state.busy == 0 {
                return None;
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Long files, unless it is better to look for more of them first.
    fn take_long(&self, state: &mut State<T, J>) -> Option<Work<T, P>> {
        if let Some(file) = state.alone.pop_front() {
            return Some(Work::Stream(file));
        }
        let waiting = state.deferred.len();
        if waiting == 0 {
            return None;
        }
        if waiting < self.places && state.has_more() {
            let long = state.deferred.iter().position(|file| file.size >= LONG)?;
            return state.deferred.remove(long).map(Work::Stream);
        }
        let share = waiting.div_ceil(self.workers);
        if share <= ALONE && !state.has_more() {
            return state.deferred.pop_front().map(Work::Stream);
        }
        let together = if state.has_more() {
            self.places
        } else {
            share.min(self.places)
        };
        state.busy += 1;
        Some(Work::Lanes(state.deferred.drain(..together).collect()))
    }
}
