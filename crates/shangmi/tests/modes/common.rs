//! What the tests of the modes share.

/// Bytes with period 251, starting at `start`: no block looks like its neighbour.
pub(crate) fn painted(start: usize, length: usize) -> Vec<u8> {
    (start..start + length).map(|i| (i % 251) as u8).collect()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn unhex(text: &str) -> Vec<u8> {
    assert!(text.len().is_multiple_of(2), "odd number of hex digits");
    let digit = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).expect("hex digits");
    (0..text.len()).step_by(2).map(digit).collect()
}

pub(crate) fn array<const N: usize>(text: &str) -> [u8; N] {
    unhex(text)
        .try_into()
        .expect("as many bytes as the type says")
}

/// Every length up to 300 bytes, and around the sizes at which the code takes another path.
pub(crate) fn lengths() -> impl Iterator<Item = usize> {
    let edges = [16, 32, 48, 64, 128, 127].map(|blocks| 16 * blocks);
    let around = edges
        .into_iter()
        .flat_map(|edge| [edge - 16, edge - 1, edge, edge + 1, edge + 16]);
    (0..=300)
        .chain(around)
        .chain([8191, 8192, 8193, 16_384 + 40])
}
