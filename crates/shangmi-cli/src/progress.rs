//! A progress bar for long work: on standard error, on a terminal, and only after a second.

use std::cell::RefCell;
use std::io::{self, IsTerminal, Read};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// Counts bytes; draws when the work takes long.
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
    state: RefCell<State>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Drawn once the work has taken long enough.
    Waiting,
    Drawn,
    /// Nobody is watching.
    Never,
}

impl Progress {
    /// `total`: bytes of the whole work, where known.
    pub(crate) fn new(total: Option<u64>) -> Self {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        let state = if io::stderr().is_terminal() {
            State::Waiting
        } else {
            State::Never
        };
        Self {
            bar,
            started: Instant::now(),
            state: RefCell::new(state),
        }
    }

    /// `bytes` more are done.
    pub(crate) fn advance(&self, bytes: u64) {
        self.bar.inc(bytes);
        if *self.state.borrow() == State::Waiting && self.started.elapsed() >= PATIENCE {
            *self.state.borrow_mut() = State::Drawn;
            self.bar.set_style(style(self.bar.length().is_some()));
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// Runs `f` with the bar off the screen.
    pub(crate) fn suspend<T>(&self, f: impl FnOnce() -> T) -> T {
        match *self.state.borrow() {
            State::Drawn => self.bar.suspend(f),
            State::Waiting | State::Never => f(),
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

fn style(known_length: bool) -> ProgressStyle {
    let template = if known_length {
        "{bytes}/{total_bytes} [{bar:30}] {bytes_per_sec}, {eta} left"
    } else {
        "{spinner} {bytes}, {bytes_per_sec}"
    };
    ProgressStyle::with_template(template)
        .expect("both templates are constants with known keys")
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
