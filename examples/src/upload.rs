//! Hashes large uploads without holding up the runtime.
//!
//! ```text
//! reader --(piece n+1)--> buffer        at the same time, on the blocking pool:
//!                                       buffer --(piece n)--> Sm3
//! ```
//!
//! - **The runtime is never held up**: a piece is hashed on tokio's blocking pool. A small one is hashed on
//!   the spot, because going to the pool and back would take longer.
//! - **Back-pressure**: an upload has two buffers. While both are taken nothing is read, TCP's window
//!   closes, and the sender waits.
//! - **Bounded memory**: two pieces for each upload, and only so many uploads at once.
//! - **A slow sender takes no thread**: a thread of the pool is busy only while it hashes.
//! - **Cancellation**: dropping the future ends the upload. A piece that is being hashed is finished (some
//!   hundred microseconds) and forgotten.

use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;

use shangmi::sm3::{Digest, Sm3};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// Bytes that are read before they are hashed: enough to make the way to the pool small beside the work.
pub const PIECE_LEN: usize = 256 << 10;

/// A piece of up to this many bytes is hashed on the spot: about as long as the way to the pool and back.
pub const ON_THE_SPOT: usize = 8 << 10;

/// Hashes uploads, a bounded number at once. Clones share the bounds.
#[derive(Clone, Debug)]
pub struct Uploads {
    /// One permit for each upload that may have buffers.
    uploads: Arc<Semaphore>,
    /// One permit for each piece that may be hashed at once.
    hashing: Arc<Semaphore>,
}

/// The hash so far and the piece that it takes in.
struct Step {
    hash: Sm3,
    piece: Vec<u8>,
}

impl Step {
    fn run(&mut self) {
        self.hash.update(&self.piece);
        self.piece.clear();
    }
}

impl Uploads {
    /// Allows `uploads` at once, which bounds the memory to `2 * uploads *` [`PIECE_LEN`], and `threads` that
    /// hash at once: the number of cores, for hashing never waits.
    #[must_use]
    pub fn new(uploads: NonZeroUsize, threads: NonZeroUsize) -> Self {
        let semaphore = |permits: NonZeroUsize| {
            Arc::new(Semaphore::new(permits.get().min(Semaphore::MAX_PERMITS)))
        };
        Self {
            uploads: semaphore(uploads),
            hashing: semaphore(threads),
        }
    }

    /// Reads `reader` to its end: its length in bytes, and its SM3 digest.
    ///
    /// Waits, without reading, while too many uploads are under way. Dropping the future ends the upload.
    ///
    /// # Errors
    /// Those of the reader, and that the runtime shuts down.
    ///
    /// # Example
    /// ```
    /// use std::num::NonZeroUsize;
    /// use shangmi_examples::upload::Uploads;
    ///
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// let uploads = Uploads::new(NonZeroUsize::MIN, NonZeroUsize::MIN);
    /// let (length, digest) = uploads.digest(&b"abc"[..]).await?;
    /// assert_eq!((length, digest), (3, shangmi::sm3::digest(b"abc")));
    /// # Ok::<(), std::io::Error>(())
    /// # })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub async fn digest(&self, mut reader: impl AsyncRead + Unpin) -> io::Result<(u64, Digest)> {
        let _upload = permit(&self.uploads).await;
        let mut step = Step {
            hash: Sm3::new(),
            piece: Vec::new(),
        };
        let mut next = Vec::new();
        let mut length = 0;
        fill(&mut reader, &mut step.piece).await?;
        while !step.piece.is_empty() {
            length += step.piece.len() as u64;
            if step.piece.len() < PIECE_LEN {
                // The last one: the reader has ended.
                step = self.take_in(step).await?;
                break;
            }
            let (filled, taken) = tokio::join!(fill(&mut reader, &mut next), self.take_in(step));
            filled?;
            step = taken?;
            std::mem::swap(&mut step.piece, &mut next);
        }
        Ok((length, step.hash.finalize()))
    }

    /// Hashes a piece, here or on the pool; it comes back empty.
    async fn take_in(&self, mut step: Step) -> io::Result<Step> {
        if step.piece.len() <= ON_THE_SPOT {
            step.run();
            return Ok(step);
        }
        let hashing = Arc::clone(&self.hashing).acquire_owned().await;
        let task = spawn_blocking(move || {
            step.run();
            // Here and not by the caller, who may be gone while this still runs.
            drop(hashing);
            step
        });
        // It fails only when the runtime shuts down.
        task.await.map_err(io::Error::other)
    }
}

async fn permit(semaphore: &Semaphore) -> tokio::sync::SemaphorePermit<'_> {
    semaphore
        .acquire()
        .await
        .expect("the semaphore is never closed")
}

/// Reads until `piece` has [`PIECE_LEN`] bytes or the reader ends.
async fn fill(reader: &mut (impl AsyncRead + Unpin), piece: &mut Vec<u8>) -> io::Result<()> {
    piece.reserve_exact(PIECE_LEN);
    let mut rest = reader.take(PIECE_LEN as u64);
    while piece.len() < PIECE_LEN && rest.read_buf(piece).await? != 0 {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Context, Poll};
    use std::time::Duration;

    use shangmi::sm3;
    use tokio::io::ReadBuf;
    use tokio::task::yield_now;
    use tokio::time::timeout;

    use super::*;

    fn some(n: usize) -> NonZeroUsize {
        NonZeroUsize::new(n).unwrap()
    }

    fn message(length: usize) -> Vec<u8> {
        (0..length).map(|i| (i % 251) as u8).collect()
    }

    /// More than any test takes, so that what never stops reading fails and does not hang.
    const MUCH: usize = 2 << 30;

    /// Always ready, in odd portions; counts what was taken.
    #[derive(Clone, Default)]
    struct Stream(Arc<AtomicUsize>);

    impl Stream {
        fn taken(&self) -> usize {
            self.0.load(Ordering::SeqCst)
        }
    }

    impl AsyncRead for Stream {
        fn poll_read(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
            buffer: &mut ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            let portion = buffer.remaining().min(9973).min(MUCH - self.taken());
            buffer.put_slice(&message(portion));
            self.0.fetch_add(portion, Ordering::SeqCst);
            Poll::Ready(Ok(()))
        }
    }

    /// Lets the other tasks get as far as they can.
    async fn settle() {
        for _ in 0..50 {
            yield_now().await;
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    #[tokio::test]
    async fn digests_at_the_boundaries_of_pieces() {
        let uploads = Uploads::new(some(2), some(2));
        let all = message(3 * PIECE_LEN + 1);
        for length in [0, 1, ON_THE_SPOT, ON_THE_SPOT + 1, PIECE_LEN - 1]
            .into_iter()
            .chain([PIECE_LEN, PIECE_LEN + 1, 2 * PIECE_LEN, all.len()])
        {
            let found = uploads.digest(&all[..length]).await.unwrap();
            assert_eq!(found, (length as u64, sm3::digest(&all[..length])));
        }
    }

    #[tokio::test]
    async fn a_failing_reader_is_reported_and_its_place_is_free_again() {
        let uploads = Uploads::new(some(1), some(1));
        let broken = fails_after(message(PIECE_LEN + 5));
        let error = uploads.digest(broken).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
        assert!(uploads.digest(&b"abc"[..]).await.is_ok());
    }

    /// Gives `start`, then fails.
    fn fails_after(start: Vec<u8>) -> impl AsyncRead + Unpin {
        struct Fails;
        impl AsyncRead for Fails {
            fn poll_read(
                self: Pin<&mut Self>,
                _: &mut Context<'_>,
                _: &mut ReadBuf<'_>,
            ) -> Poll<io::Result<()>> {
                Poll::Ready(Err(io::ErrorKind::ConnectionReset.into()))
            }
        }
        io::Cursor::new(start).chain(Fails)
    }

    #[tokio::test]
    async fn without_a_thread_to_hash_no_more_than_two_pieces_are_read() {
        let uploads = Uploads::new(some(1), some(1));
        let reader = Stream::default();
        let held = uploads.hashing.acquire().await.unwrap();
        let upload = tokio::spawn({
            let (uploads, reader) = (uploads.clone(), reader.clone());
            async move { uploads.digest(reader).await }
        });
        settle().await;
        assert_eq!(reader.taken(), 2 * PIECE_LEN);
        drop(held);
        settle().await;
        assert!(reader.taken() > 2 * PIECE_LEN);
        upload.abort();
    }

    #[tokio::test]
    async fn an_upload_too_many_waits_without_reading() {
        let uploads = Uploads::new(some(1), some(1));
        let (first, second) = (Stream::default(), Stream::default());
        let spawn = |reader: &Stream| {
            let (uploads, reader) = (uploads.clone(), reader.clone());
            tokio::spawn(async move { uploads.digest(reader).await })
        };
        let (one, two) = (spawn(&first), spawn(&second));
        settle().await;
        assert!(first.taken() > 0);
        assert_eq!(second.taken(), 0);
        one.abort();
        settle().await;
        assert!(second.taken() > 0, "the place of the first is free again");
        two.abort();
    }

    #[tokio::test]
    async fn dropping_the_future_ends_the_upload_and_frees_its_places() {
        let uploads = Uploads::new(some(3), some(2));
        let reader = Stream::default();
        let upload = uploads.digest(reader.clone());
        assert!(timeout(Duration::from_millis(20), upload).await.is_err());
        settle().await;
        let taken = reader.taken();
        settle().await;
        assert_eq!(reader.taken(), taken);
        assert_eq!(uploads.uploads.available_permits(), 3);
        assert_eq!(uploads.hashing.available_permits(), 2);
        assert_eq!(Arc::strong_count(&reader.0), 1, "the reader is dropped");
    }

    /// The reader never waits, so that only the way to the pool lets another task run.
    #[tokio::test(flavor = "current_thread")]
    async fn other_tasks_run_between_the_pieces() {
        let turns = Arc::new(AtomicUsize::new(0));
        let other = tokio::spawn({
            let turns = Arc::clone(&turns);
            async move {
                loop {
                    turns.fetch_add(1, Ordering::SeqCst);
                    yield_now().await;
                }
            }
        });
        let pieces = 8;
        let uploads = Uploads::new(some(1), some(1));
        let found = uploads.digest(&message(pieces * PIECE_LEN)[..]).await;
        assert!(found.is_ok());
        assert!(turns.load(Ordering::SeqCst) >= pieces);
        other.abort();
    }
}
