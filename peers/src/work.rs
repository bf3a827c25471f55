//! What the rows in memory share.

use crate::output::Subject;

/// Messages begin at changing places, so that no alignment is anyone's luck.
pub(crate) const PLACES: usize = 256;

/// From one place to the next: odd, and more than a word.
pub(crate) const STEP: usize = 97;

/// Bytes for messages of up to `size`, beginning at any of the places.
pub(crate) fn data(size: usize) -> Vec<u8> {
    // The period is no multiple of any lane or block.
    (0..size + PLACES).map(|i| (i % 251) as u8).collect()
}

pub(crate) fn subject(peer: &str, version: &str, algorithm: &str, code_path: String) -> Subject {
    Subject {
        peer: peer.to_owned(),
        algorithm: algorithm.to_owned(),
        version: version.to_owned(),
        code_path,
    }
}
