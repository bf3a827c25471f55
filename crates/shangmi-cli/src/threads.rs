//! How many threads work on one file.

use std::num::NonZeroUsize;
use std::thread;

use crate::input::Input;

/// Bytes that are worth a thread of their own.
const SHARE: u64 = 1024 * 1024;

/// Threads over the chunks of a sealed file.
#[derive(clap::Args, Debug)]
pub(crate) struct ThreadArgs {
    /// Threads that encrypt or decrypt [default: one for each processor, one for a pipe]
    #[arg(long, value_name = "N")]
    num_threads: Option<NonZeroUsize>,
}

impl ThreadArgs {
    /// The threads for an input.
    ///
    /// A pipe is read as it comes: with several threads at it, a fault would be told only after the
    /// next bytes have arrived.
    pub(crate) fn number(&self, input: &Input) -> NonZeroUsize {
        let all = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let wanted = match (self.num_threads, input.length()) {
            (Some(wanted), _) => wanted,
            (None, Some(_)) => all(),
            (None, None) => NonZeroUsize::MIN,
        };
        let shares = input.length().map(|length| length.div_ceil(SHARE));
        let shares = shares.and_then(|shares| usize::try_from(shares).ok());
        let useful = shares.and_then(NonZeroUsize::new).unwrap_or(wanted);
        wanted.min(useful)
    }
}
