//! Hashes small packets of many callers together, in the lanes of [`sm3::digest_many`].
//!
//! ```text
//! caller 1 --packet--> ┐                                         ┌--digest--> caller 1
//! caller 2 --packet--> ├ queue -> a thread: digest_many(batch) --┼--digest--> caller 2
//! caller 3 --packet--> ┘                                         └--digest--> caller 3
//! ```
//!
//! A batch is hashed when it is full, or when its first packet has waited long enough. The packets that
//! queue up while a batch is hashed make the next one at once: under load nobody waits for a deadline.
//!
//! The batches have a thread of their own, because a deadline of some hundred microseconds cannot be kept
//! with tokio's timer, which counts in milliseconds.

use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use shangmi::sm3::{self, Digest};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// When a batch is hashed, and how much may wait.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// Packets of a full batch: a multiple of the lanes, and no more than `queue`, which counts if it is less.
    pub count: NonZeroUsize,
    /// How long the first packet of a batch waits for others.
    pub wait: Duration,
    /// Packets that may be in the queue; further callers wait for a place.
    pub queue: NonZeroUsize,
    /// Bytes of the longest packet; with `queue` it bounds the memory.
    pub longest: usize,
}

impl Default for Policy {
    /// 64 packets or 200 µs; 1024 packets of up to 64 KiB in the queue.
    fn default() -> Self {
        let some = |n| NonZeroUsize::new(n).unwrap_or(NonZeroUsize::MIN);
        Self {
            count: some(64),
            wait: Duration::from_micros(200),
            queue: some(1024),
            longest: 64 << 10,
        }
    }
}

/// A packet without a digest.
#[derive(Debug, PartialEq)]
#[non_exhaustive]
pub enum Refused {
    /// It has more bytes than [`Policy::longest`].
    TooLong {
        /// Bytes of the packet.
        length: usize,
    },
    /// The thread is gone, which happens only when the process runs out of memory or ends.
    Stopped,
}

/// The way to the thread that hashes; it ends with the last clone.
#[derive(Clone, Debug)]
pub struct Batcher {
    jobs: Sender<Job>,
    places: Arc<Semaphore>,
    longest: usize,
}

struct Job {
    packet: Vec<u8>,
    answer: oneshot::Sender<Digest>,
    arrived: Instant,
    /// Given back when the job is done or dropped.
    _place: OwnedSemaphorePermit,
}

impl Batcher {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(policy: Policy) -> io::Result<Self> {
        let (jobs, queue) = mpsc::channel();
        thread::Builder::new()
            .name("sm3-batches".to_owned())
            .spawn(move || work(&queue, policy))?;
        let places = policy.queue.get().min(Semaphore::MAX_PERMITS);
        Ok(Self {
            jobs,
            places: Arc::new(Semaphore::new(places)),
            longest: policy.longest,
        })
    }

    /// The SM3 digest of `packet`, which is hashed together with those of other callers.
    ///
    /// Waits for a place in the queue. Dropping the future gives the packet up.
    ///
    /// # Errors
    /// [`Refused`] says why there is no digest.
    ///
    /// # Example
    /// ```
    /// use shangmi_examples::batch::{Batcher, Policy};
    ///
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// let batcher = Batcher::start(Policy::default())?;
    /// let (one, other) = tokio::join!(batcher.digest(vec![1]), batcher.digest(vec![2]));
    /// assert_eq!(one, Ok(shangmi::sm3::digest(&[1])));
    /// assert_eq!(other, Ok(shangmi::sm3::digest(&[2])));
    /// # Ok::<(), std::io::Error>(())
    /// # })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub async fn digest(&self, packet: Vec<u8>) -> Result<Digest, Refused> {
        let length = packet.len();
        if length > self.longest {
            return Err(Refused::TooLong { length });
        }
        let place = Arc::clone(&self.places).acquire_owned().await;
        let (answer, digest) = oneshot::channel();
        let job = Job {
            packet,
            answer,
            arrived: Instant::now(),
            _place: place.map_err(|_| Refused::Stopped)?,
        };
        self.jobs.send(job).map_err(|_| Refused::Stopped)?;
        digest.await.map_err(|_| Refused::Stopped)
    }
}

/// Hashes batch after batch until the last [`Batcher`] is gone.
fn work(queue: &Receiver<Job>, policy: Policy) {
    // More than the queue holds would never come.
    let count = policy.count.min(policy.queue).get();
    let mut batch = Vec::with_capacity(count);
    let mut digests = Vec::with_capacity(count);
    while let Ok(first) = queue.recv() {
        let deadline = first.arrived + policy.wait;
        batch.push(first);
        while batch.len() < count {
            // After the deadline this still takes what is already there.
            let left = deadline.saturating_duration_since(Instant::now());
            match queue.recv_timeout(left) {
                Ok(job) => batch.push(job),
                Err(_) => break,
            }
        }
        answer(&mut batch, &mut digests);
    }
}

/// Gives everyone their digest; leaves `batch` empty.
fn answer(batch: &mut Vec<Job>, digests: &mut Vec<Digest>) {
    // Whose caller is gone needs no digest.
    batch.retain(|job| !job.answer.is_closed());
    let packets: Vec<&[u8]> = batch.iter().map(|job| job.packet.as_slice()).collect();
    digests.resize(packets.len(), Digest::default());
    sm3::digest_many(&packets, digests).expect("as many digests as packets");
    for (job, digest) in batch.drain(..).zip(digests.drain(..)) {
        // A caller that went away meanwhile is no failure.
        let _ = job.answer.send(digest);
    }
}

#[cfg(test)]
mod tests {
    use tokio::task::JoinSet;
    use tokio::time::{sleep, timeout};

    use super::*;

    const AN_HOUR: Duration = Duration::from_secs(3600);
    const A_MOMENT: Duration = Duration::from_millis(50);
    const LONG: Duration = Duration::from_secs(30);

    fn batcher(count: usize, wait: Duration, queue: usize) -> Batcher {
        let some = |n| NonZeroUsize::new(n).unwrap();
        let policy = Policy {
            count: some(count),
            wait,
            queue: some(queue),
            ..Policy::default()
        };
        Batcher::start(policy).unwrap()
    }

    fn packet(i: usize) -> Vec<u8> {
        (0..i * 7 % 300).map(|place| (place + i) as u8).collect()
    }

    /// Callers `from..to`, each asking whether the digest is its own.
    fn callers(batcher: &Batcher, from: usize, to: usize) -> JoinSet<bool> {
        let mut set = JoinSet::new();
        for i in from..to {
            let batcher = batcher.clone();
            set.spawn(async move {
                let expected = sm3::digest(&packet(i));
                batcher.digest(packet(i)).await == Ok(expected)
            });
        }
        set
    }

    async fn all_true(set: JoinSet<bool>) {
        let answers = timeout(LONG, set.join_all()).await.expect("no answer");
        assert!(answers.into_iter().all(|right| right));
    }

    #[tokio::test]
    async fn each_caller_gets_its_own_digest() {
        let batcher = batcher(64, Duration::from_micros(200), 128);
        all_true(callers(&batcher, 0, 1000)).await;
    }

    #[tokio::test]
    async fn a_full_batch_does_not_wait() {
        all_true(callers(&batcher(64, AN_HOUR, 64), 0, 64)).await;
    }

    #[tokio::test]
    async fn one_less_waits_for_the_last() {
        let batcher = batcher(64, AN_HOUR, 64);
        let mut most = callers(&batcher, 0, 63);
        assert!(timeout(A_MOMENT, most.join_next()).await.is_err());
        all_true(callers(&batcher, 63, 64)).await;
        all_true(most).await;
    }

    #[tokio::test]
    async fn the_deadline_ends_the_waiting() {
        all_true(callers(&batcher(64, Duration::from_micros(200), 64), 0, 1)).await;
    }

    #[tokio::test]
    async fn a_queue_smaller_than_a_batch_fills_it() {
        all_true(callers(&batcher(64, AN_HOUR, 10), 0, 10)).await;
    }

    #[tokio::test]
    async fn no_more_than_the_queue_holds_is_taken() {
        let (jobs, queue) = mpsc::channel();
        let batcher = Batcher {
            jobs,
            places: Arc::new(Semaphore::new(10)),
            longest: 1000,
        };
        let waiting = callers(&batcher, 0, 11);
        sleep(A_MOMENT).await;
        let taken: Vec<Job> = queue.try_iter().collect();
        assert_eq!(taken.len(), 10);
        drop(taken);
        sleep(A_MOMENT).await;
        assert_eq!(queue.try_iter().count(), 1);
        drop(waiting);
    }

    #[tokio::test]
    async fn a_caller_that_goes_away_does_not_disturb_the_others() {
        let batcher = batcher(3, AN_HOUR, 8);
        let gone = timeout(A_MOMENT, batcher.digest(packet(9))).await;
        assert!(gone.is_err());
        all_true(callers(&batcher, 0, 2)).await;
        let all = timeout(LONG, batcher.places.acquire_many(8)).await;
        assert!(all.is_ok(), "every place is given back");
    }

    #[tokio::test]
    async fn a_long_packet_is_refused() {
        let batcher = batcher(1, AN_HOUR, 1);
        let longest = Policy::default().longest;
        assert!(batcher.digest(vec![0; longest]).await.is_ok());
        let refused = Refused::TooLong {
            length: longest + 1,
        };
        assert_eq!(batcher.digest(vec![0; longest + 1]).await, Err(refused));
    }

    #[test]
    fn the_thread_ends_with_the_last_clone() {
        let (jobs, queue) = mpsc::channel();
        let thread = thread::spawn(move || work(&queue, Policy::default()));
        drop(jobs);
        thread.join().unwrap();
    }
}
