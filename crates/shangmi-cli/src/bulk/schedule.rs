//! Threads over the jobs, and the answers in the jobs' order.
//!
//! A worker takes a run of jobs, hashes the small files among them together and puts the long ones
//! off; whoever is free next takes those first. The calling thread puts the answers in order.

use std::collections::VecDeque;
use std::fs::File;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use super::batch::Batch;
use super::digest::Algorithms;
use super::stream::{self, Ahead};
use super::{Done, Hashed, Job, ReadError, Source};
use crate::progress::Progress;

/// Jobs that a worker takes at a time: several times the lanes of the widest kernel.
const RUN: usize = 128;

/// Fewest jobs of a worker where there are not enough for all: the lanes of the narrower kernel.
const SHORT_RUN: usize = 16;

/// Answers that may wait for an earlier one: more would only fill the memory.
const AHEAD: u64 = 64 * 1024;

/// A file that needs a stream of its own.
pub(super) struct Deferred<T> {
    pub(super) number: u64,
    pub(super) source: Source,
    pub(super) tag: T,
    pub(super) algorithms: Algorithms,
    /// What is no regular file is open already.
    pub(super) pipe: Option<File>,
}

impl<T> Deferred<T> {
    pub(super) fn new(number: u64, source: Source, algorithms: Algorithms, tag: T) -> Self {
        Self {
            number,
            source,
            tag,
            algorithms,
            pipe: None,
        }
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

    fn hash<P>(self, ahead: Ahead, progress: &Progress) -> (u64, Done<T, P>) {
        let hashed = stream::hash(&self, ahead, |bytes| progress.advance(bytes));
        progress.advance_files(1);
        self.answer(hashed)
    }
}

/// Does every job; see [`Engine::run`](super::Engine::run).
pub(super) fn run<T: Send, P: Send>(
    threads: NonZeroUsize,
    jobs: impl Iterator<Item = Job<T, P>> + Send,
    progress: &Progress,
    answer: impl FnMut(Done<T, P>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut jobs = jobs.fuse();
    let head: Vec<Job<T, P>> = jobs.by_ref().take(RUN).collect();
    let (workers, run) = if head.len() < RUN {
        let workers = threads.get().min(head.len());
        (workers, head.len().div_ceil(workers.max(1)).max(SHORT_RUN))
    } else {
        (threads.get(), RUN)
    };
    let ahead = if threads.get() > 1 {
        Ahead::Thread
    } else {
        Ahead::Never
    };
    let pool = Pool {
        state: Mutex::new(State::new(head.into_iter().chain(jobs))),
        changed: Condvar::new(),
        run,
        ahead,
        progress,
    };
    let order = Order {
        first: 0,
        waiting: VecDeque::new(),
        answer,
    };
    if workers <= 1 {
        run_alone(&pool, order)
    } else {
        run_together(&pool, workers, order)
    }
}

fn run_alone<
    T: Send,
    P: Send,
    J: Iterator<Item = Job<T, P>>,
    A: FnMut(Done<T, P>) -> anyhow::Result<()>,
>(
    pool: &Pool<'_, T, J>,
    mut order: Order<T, P, A>,
) -> anyhow::Result<()> {
    let mut batch = Batch::new();
    while let Some(answers) = pool.step(&mut batch) {
        pool.delivered(order.put(answers)?);
    }
    Ok(())
}

fn run_together<
    T: Send,
    P: Send,
    J: Iterator<Item = Job<T, P>> + Send,
    A: FnMut(Done<T, P>) -> anyhow::Result<()>,
>(
    pool: &Pool<'_, T, J>,
    workers: usize,
    mut order: Order<T, P, A>,
) -> anyhow::Result<()> {
    let (give, take) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..workers {
            let give = give.clone();
            scope.spawn(move || {
                let _stop = Stop(pool);
                let mut batch = Batch::new();
                while let Some(answers) = pool.step(&mut batch) {
                    if give.send(answers).is_err() {
                        return;
                    }
                }
            });
        }
        drop(give);
        let _stop = Stop(pool);
        for answers in take {
            pool.delivered(order.put(answers)?);
        }
        Ok(())
    })
}

/// Ends the work when a thread ends: it does so when nothing is left to be taken, when the answers
/// are no longer wanted, or in a panic, where the others would wait for it forever.
struct Stop<'a, 'b, T, J>(&'a Pool<'b, T, J>);

impl<T, J> Drop for Stop<'_, '_, T, J> {
    fn drop(&mut self) {
        self.0.lock().stopped = true;
        self.0.changed.notify_all();
    }
}

/// What the workers share.
struct Pool<'a, T, J> {
    state: Mutex<State<T, J>>,
    changed: Condvar,
    run: usize,
    ahead: Ahead,
    progress: &'a Progress,
}

struct State<T, J> {
    jobs: J,
    exhausted: bool,
    /// Long files that nobody has taken yet.
    deferred: VecDeque<Deferred<T>>,
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
            busy: 0,
            next: 0,
            delivered: 0,
            stopped: false,
        }
    }
}

enum Work<T, P> {
    Run(u64, Vec<Job<T, P>>),
    Stream(Deferred<T>),
}

impl<T, J> Pool<'_, T, J> {
    fn lock(&self) -> MutexGuard<'_, State<T, J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes room for `answers` more to wait.
    fn delivered(&self, answers: u64) {
        self.lock().delivered += answers;
        self.changed.notify_all();
    }
}

impl<T, P, J: Iterator<Item = Job<T, P>>> Pool<'_, T, J> {
    /// Takes work and does it; `None` when there is none left.
    fn step(&self, batch: &mut Batch<T, P>) -> Option<Vec<(u64, Done<T, P>)>> {
        match self.take()? {
            Work::Run(first, jobs) => {
                let sorted = batch.run(first, jobs, self.progress);
                let mut state = self.lock();
                state.deferred.extend(sorted.deferred);
                state.busy -= 1;
                drop(state);
                self.changed.notify_all();
                Some(sorted.answers)
            }
            Work::Stream(file) => Some(vec![file.hash(self.ahead, self.progress)]),
        }
    }

    fn take(&self) -> Option<Work<T, P>> {
        let mut state = self.lock();
        loop {
            if state.stopped {
                return None;
            }
            if let Some(file) = state.deferred.pop_front() {
                return Some(Work::Stream(file));
            }
            if !state.exhausted && state.next - state.delivered < AHEAD {
                let jobs: Vec<Job<T, P>> = state.jobs.by_ref().take(self.run).collect();
                state.exhausted = jobs.len() < self.run;
                if !jobs.is_empty() {
                    let first = state.next;
                    state.next += jobs.len() as u64;
                    state.busy += 1;
                    return Some(Work::Run(first, jobs));
                }
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
}

/// Puts answers in order.
struct Order<T, P, A> {
    /// The number of the first answer that is waited for.
    first: u64,
    waiting: VecDeque<Option<Done<T, P>>>,
    answer: A,
}

impl<T, P, A: FnMut(Done<T, P>) -> anyhow::Result<()>> Order<T, P, A> {
    /// Hands out those answers whose turn it is; returns how many.
    fn put(&mut self, answers: Vec<(u64, Done<T, P>)>) -> anyhow::Result<u64> {
        for (number, done) in answers {
            let place = usize::try_from(number - self.first).expect("at most AHEAD and a run");
            if place >= self.waiting.len() {
                self.waiting.resize_with(place + 1, || None);
            }
            self.waiting[place] = Some(done);
        }
        let mut handed = 0;
        while let Some(Some(_)) = self.waiting.front() {
            if let Some(Some(done)) = self.waiting.pop_front() {
                (self.answer)(done)?;
                handed += 1;
            }
        }
        self.first += handed;
        Ok(handed)
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::bulk::{Algorithm, Engine};

    fn engine(threads: usize) -> Engine {
        Engine::new(NonZeroUsize::new(threads))
    }

    /// Small files, long ones, missing ones and what is passed on, all mixed.
    #[test]
    fn answers_come_in_the_order_of_the_jobs() {
        let directory = tempfile::tempdir().unwrap();
        let contents = [vec![1; 10], vec![2; 1024 * 1024 + 1], vec![3; 100_000]];
        let digests: Vec<_> = contents.iter().map(|c| shangmi::sm3::digest(c)).collect();
        for (i, content) in contents.iter().enumerate() {
            std::fs::write(directory.path().join(i.to_string()), content).unwrap();
        }
        let job = |i: usize| match i % 5 {
            4 => Job::Pass(i),
            n => Job::Hash {
                source: Source::Found(directory.path().join(n.to_string())),
                algorithms: Algorithm::Sm3.into(),
                tag: i,
            },
        };
        for threads in [1, 2, 8] {
            let mut next = 0;
            let progress = Progress::new(None);
            let jobs = (0..200).map(job);
            let done = engine(threads).run(jobs, &progress, |done| {
                let i = match done {
                    Done::Hashed { tag, file, .. } => {
                        let expected = digests.get(tag % 5);
                        assert_eq!(file.digests.get(Algorithm::Sm3), expected);
                        tag
                    }
                    Done::Failed { tag, error, .. } => {
                        assert!(tag % 5 == 3 && error.is_missing());
                        tag
                    }
                    Done::Passed(i) => i,
                };
                assert_eq!(i, next);
                next += 1;
                Ok(())
            });
            done.unwrap();
            assert_eq!(next, 200);
        }
    }

    #[test]
    fn the_first_error_of_an_answer_ends_the_work() {
        for threads in [1, 8] {
            let progress = Progress::new(None);
            let jobs = (0u64..).map(Job::<PathBuf, u64>::Pass);
            let mut answers = 0;
            let ended = engine(threads).run(jobs, &progress, |_| {
                answers += 1;
                anyhow::ensure!(answers < 1000, "enough");
                Ok(())
            });
            assert!(ended.is_err());
            assert_eq!(answers, 1000);
        }
    }
}
