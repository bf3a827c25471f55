//! Z_A, the digest that binds an ID and a public key.
use super::key::PublicKey;
use super::limbs;
use super::point::{B, G};
use crate::sm3::{Digest, Sm3};
use crate::{Error, Result};

/// The user ID where nothing else was agreed (GM/T 0009): `1234567812345678`, 16 bytes.
pub const DEFAULT_ID: &[u8] = b"1234567812345678";

/// Longest ID in bytes: its length in bits must fit 16 bits.
pub const MAX_ID_LEN: usize = 8191;

/// The curve's a = p - 3, big-endian.
fn curve_a() -> [u8; 32] {
    limbs::to_be_bytes(&limbs::sub(&super::field::P, &[3, 0, 0, 0]).0)
}

/// Computes Z_A, the digest of a user's ID and public key.
///
/// Z_A = SM3(ENTL ‖ ID ‖ a ‖ b ‖ x_G ‖ y_G ‖ x_A ‖ y_A), where ENTL is the ID's length in bits in two
/// bytes.
///
/// - `id`: at most 8191 bytes; the empty ID is allowed here
/// - returns: 32 bytes
///
/// # Errors
/// [`Error::LengthOutOfRange`] when `id` is longer than [`MAX_ID_LEN`].
///
/// # Timing
/// Depends on the length of `id`.
///
/// # Standard
/// GB/T 32918.2-2016, 5.5
pub fn za(id: &[u8], key: &PublicKey) -> Result<Digest> {
    let too_long = Error::LengthOutOfRange {
        what: "user ID",
        min: 0,
        max: MAX_ID_LEN,
        found: id.len(),
    };
    let bits = u16::try_from(id.len() * 8).map_err(|_| too_long)?;
    let mut hasher = Sm3::new();
    hasher.update(&bits.to_be_bytes());
    hasher.update(id);
    hasher.update(&curve_a());
    for coordinate in [B, G.x, G.y] {
        hasher.update(&coordinate.to_be_bytes());
    }
    hasher.update(&key.x());
    hasher.update(&key.y());
    Ok(hasher.finalize())
}

/// SM3 that has absorbed Z_A; the empty ID is refused.
pub(super) fn hasher(id: &[u8], key: &PublicKey) -> Result<Sm3> {
    if id.is_empty() {
        return Err(Error::EmptyId);
    }
    hasher_any_id(id, key)
}

/// SM3 that has absorbed Z_A; the empty ID is allowed.
pub(super) fn hasher_any_id(id: &[u8], key: &PublicKey) -> Result<Sm3> {
    let mut hasher = Sm3::new();
    hasher.update(&za(id, key)?);
    Ok(hasher)
}
