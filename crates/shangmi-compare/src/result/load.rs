//! An equal load, and memory after many operations.

use serde::{Deserialize, Serialize};

use super::Side;

/// The processor time that one operation takes at a steady rate of requests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoadRow {
    /// `SM2`, `P-256`, `RSA-2048`.
    pub algorithm: String,
    /// As in [`Row::variant`](super::Row::variant).
    pub variant: Option<String>,
    /// The library.
    pub subject: String,
    /// SM or international.
    pub side: Side,
    /// `sign` or `verify`.
    pub operation: String,
    /// Requests a second that came in.
    pub offered_per_second: f64,
    /// Requests that were served.
    pub served: u64,
    /// How long it lasted.
    pub wall_seconds: f64,
    /// Processor time of the thread that served them, sleeping and waking included.
    pub cpu_seconds: f64,
    /// Share of a core that the same thread takes with nothing to do for a request.
    pub idle_share: f64,
}

impl LoadRow {
    /// Share of one core: processor time over the time in which the served requests come in, which is the time on the wall
    /// where the core keeps up. Above 1 no core does.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.cpu_seconds * self.offered_per_second / self.served as f64
    }

    /// Requests a second that were served: fewer than offered when a core does not suffice.
    #[must_use]
    pub fn served_per_second(&self) -> f64 {
        self.served as f64 / self.wall_seconds
    }
}

/// Resident memory of a process before and after an operation was repeated in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrowthRow {
    /// `SM2`, `RSA-2048`.
    pub algorithm: String,
    /// The library.
    pub subject: String,
    /// SM or international.
    pub side: Side,
    /// `sign` or `verify`.
    pub operation: String,
    /// How often it was done between the two looks.
    pub operations: u64,
    /// After some operations that do not count.
    pub resident_before_bytes: u64,
    /// After all.
    pub resident_after_bytes: u64,
    /// The most until the first look.
    pub peak_before_bytes: u64,
    /// The most until the second.
    pub peak_after_bytes: u64,
}

/// Growth up to this does not count: pages come and go.
const NOISE_BYTES: u64 = 64 << 10;

impl GrowthRow {
    /// By how much memory grew: now or at its peak, whichever is more.
    #[must_use]
    pub fn grown_bytes(&self) -> u64 {
        let now = self
            .resident_after_bytes
            .saturating_sub(self.resident_before_bytes);
        now.max(self.peak_after_bytes.saturating_sub(self.peak_before_bytes))
    }

    /// Whether it grew by more than the pages that come and go.
    #[must_use]
    pub fn has_grown(&self) -> bool {
        self.grown_bytes() > NOISE_BYTES
    }
}
