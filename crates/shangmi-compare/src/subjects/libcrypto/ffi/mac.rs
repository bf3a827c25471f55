//! What the contexts of MACs have in common.

/// A context that computes MACs, each under the key of the last start.
pub(crate) trait MacContext {
    /// The hash or the cipher inside.
    type Kind: Copy;

    /// Starts with a fresh key; whether the library takes it.
    fn start(&self, kind: Self::Kind, key: &[u8]) -> bool;

    /// Starts again with the key that it has.
    fn restart(&self) -> bool;

    /// Takes the message and gives its tag, zeros after a short one; zeros alone on failure.
    fn tag(&self, message: &[u8]) -> [u8; 32];
}
