//! Which code compresses blocks: chosen when a hasher is made, and kept in it.
use super::{Block, State, portable};

/// A code path for the compression function.
#[derive(Clone, Copy)]
pub(super) enum Backend {
    /// Plain Rust, on every machine.
    Portable,
}

impl Backend {
    /// The fastest code path of this machine.
    pub(super) fn detect() -> Self {
        Self::Portable
    }

    /// The name under which reports show the code path.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
        }
    }

    /// CF over `blocks` in their order: V(i+1) = CF(V(i), B(i)), V in `state`.
    pub(super) fn compress(self, state: &mut State, blocks: &[Block]) {
        match self {
            Self::Portable => portable::compress(state, blocks),
        }
    }
}
