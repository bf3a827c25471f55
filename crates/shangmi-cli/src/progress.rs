//! A progress bar for long work: on standard error, on a terminal, and only after a second.

use std::fmt::Write;
use std::io::{self, IsTerminal, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// Counts bytes, and files where there are many; draws when the work takes long. Threads share it.
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
    /// Whether somebody would see the bar.
    watched: bool,
    drawn: AtomicBool,
    files: Option<Arc<AtomicU64>>,
}

impl Progress {
    /// `total`: bytes of the whole work, where known.
    pub(crate) fn new(total: Option<u64>) -> Self {
        Self {
            bar: ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden()),
            started: Instant::now(),
            watched: io::stderr().is_terminal(),
            drawn: AtomicBool::new(false),
            files: None,
        }
    }

    /// For work on many files. `total` is asked for only when somebody would see the answer.
    pub(crate) fn of_files(total: impl FnOnce() -> Option<u64>) -> Self {
        let mut progress = Self::new(None);
        progress.files = Some(Arc::default());
        if progress.watched
            && let Some(total) = total()
        {
            progress.bar.set_length(total);
        }
        progress
    }

    /// `bytes` more are done.
    pub(crate) fn advance(&self, bytes: u64) {
        if !self.watched {
            return;
        }
        self.bar.inc(bytes);
        if self.started.elapsed() >= PATIENCE && !self.drawn.swap(true, Ordering::Relaxed) {
            let known_length = self.bar.length().is_some();
            self.bar.set_style(style(known_length, self.files.clone()));
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// `files` more are done.
    pub(crate) fn advance_files(&self, files: u64) {
        if let Some(done) = &self.files {
            done.fetch_add(files, Ordering::Relaxed);
        }
    }

    /// Runs `f` with the bar off the screen.
    pub(crate) fn suspend<T>(&self, f: impl FnOnce() -> T) -> T {
        if self.drawn.load(Ordering::Relaxed) {
            self.bar.suspend(f)
        } else {
            f()
        }
    }
}

/// Counts steps of unequal length, each with its name.
pub(crate) struct Steps(ProgressBar);

impl Steps {
    pub(crate) fn new() -> Self {
        Self(ProgressBar::hidden())
    }

    /// The number of steps is known now.
    pub(crate) fn begin(&self, steps: u64) {
        self.0.set_length(steps);
        if io::stderr().is_terminal() {
            self.0.set_style(
                ProgressStyle::with_template("[{bar:30}] {pos}/{len} {msg}")
                    .expect("the template is a constant with known keys")
                    .progress_chars("=> "),
            );
            self.0.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// Step `index` begins.
    pub(crate) fn at(&self, index: u64, name: String) {
        self.0.set_message(name);
        self.0.set_position(index);
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn style(known_length: bool, files: Option<Arc<AtomicU64>>) -> ProgressStyle {
    let bytes = if known_length {
        "{bytes}/{total_bytes} [{bar:30}] {bytes_per_sec}, {eta} left"
    } else {
        "{spinner} {bytes}, {bytes_per_sec}"
    };
    let template = if files.is_some() {
        format!("{bytes}, {{files}} files")
    } else {
        bytes.to_owned()
    };
    let count = move |_: &ProgressState, out: &mut dyn Write| {
        let files = files
            .as_ref()
            .map_or(0, |files| files.load(Ordering::Relaxed));
        // What cannot be drawn is left out of the drawing.
        let _ = write!(out, "{files}");
    };
    ProgressStyle::with_template(&template)
        .expect("all templates are constants with known keys")
        .with_key("files", count)
        .progress_chars("=> ")
}

/// A reader whose bytes are counted.
pub(crate) struct Watched<'a, R> {
    reader: R,
    progress: &'a Progress,
}

impl<'a, R: Read> Watched<'a, R> {
    pub(crate) fn new(reader: R, progress: &'a Progress) -> Self {
        Self { reader, progress }
    }
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(buffer)?;
        self.progress.advance(n as u64);
        Ok(n)
    }
}

impl<R: Seek> Seek for Watched<'_, R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.reader.seek(to)
    }
}
