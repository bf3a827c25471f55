//! Constant-time comparison.
use subtle::ConstantTimeEq;

/// Whether `a` and `b` are the same bytes, in time that depends on their lengths only.
///
/// Lengths are public: different lengths answer `false` at once.
#[must_use]
pub fn eq(a: &[u8], b: &[u8]) -> bool {
    a.ct_eq(b).into()
}

#[cfg(test)]
mod tests {
    #[test]
    fn eq_is_equality() {
        assert!(super::eq(b"", b""));
        assert!(super::eq(b"same", b"same"));
        assert!(!super::eq(b"same", b"sama"));
        assert!(!super::eq(b"same", b"sam"));
    }
}
