//! Threads over the jobs, and the answers in the jobs' order.
//!
//! Workers take from a pool what there is to do, and the calling thread puts the answers in order.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::mpsc;
use std::thread;

use super::pool::{Pool, Worker};
use super::stream::Ahead;
use super::{Done, Job};
use crate::progress::Progress;

/// Jobs that a worker takes at a time: several times the lanes of the widest kernel.
const RUN: usize = 128;

/// Fewest jobs of a worker where there are not enough for all: the lanes of the narrower kernel.
const SHORT_RUN: usize = 16;

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
    let pool = Pool::new(head.into_iter().chain(jobs), workers, run, ahead, progress);
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
    let mut worker = Worker::new();
    while let Some(answers) = pool.step(&mut worker) {
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
                let mut worker = Worker::new();
                while let Some(answers) = pool.step(&mut worker) {
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
        self.0.stop();
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
    use crate::bulk::{Algorithm, Engine, Source};

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
