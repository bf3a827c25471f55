//! Key exchange, GB/T 32918.3-2016.

use num_bigint::BigUint;

use super::{
    Error, Point, Result, check_nonce, check_private_key, curve, generator, kdf, multiply,
    public_key, za,
};
use crate::sm3;

/// What a side knows of itself.
#[derive(Clone, Copy, Debug)]
pub struct Own<'a> {
    /// The private key d.
    pub private: &'a BigUint,
    /// The ephemeral private key r, in [1, n-1]; \[r\]G went to the other side.
    pub ephemeral: &'a BigUint,
    /// The identifier.
    pub id: &'a [u8],
}

/// What a side knows of the other.
#[derive(Clone, Copy, Debug)]
pub struct Peer<'a> {
    /// The public key P.
    pub public: &'a Point,
    /// The ephemeral public key R that came from the other side.
    pub ephemeral: &'a Point,
    /// The identifier.
    pub id: &'a [u8],
}

/// What both sides share at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// The key K.
    pub key: Vec<u8>,
    /// `S_1` = `S_B` (first byte 02): the responder sends it, the initiator checks it.
    pub s_b: [u8; 32],
    /// `S_A` = `S_2` (first byte 03): the initiator sends it, the responder checks it.
    pub s_a: [u8; 32],
}

/// The initiator's side A: a key of `length` bytes (6.1, steps A4 to A10).
///
/// # Errors
/// [`Error::ScalarOutOfRange`], [`Error::BadPoint`], [`Error::IdTooLong`];
/// [`Error::ExchangeFailed`] when the shared point is infinity.
pub fn exchange_initiator(own: &Own<'_>, peer: &Peer<'_>, length: usize) -> Result<Shared> {
    let (own_r, v) = shared_point(own, peer)?;
    let z_a = za(own.id, &public_key(own.private)?)?;
    let z_b = za(peer.id, peer.public)?;
    derive(&v, [z_a, z_b], [&own_r, peer.ephemeral], length)
}

/// The responder's side B: a key of `length` bytes (6.1, steps B3 to B10).
///
/// # Errors
/// As [`exchange_initiator`].
pub fn exchange_responder(own: &Own<'_>, peer: &Peer<'_>, length: usize) -> Result<Shared> {
    let (own_r, v) = shared_point(own, peer)?;
    let z_a = za(peer.id, peer.public)?;
    let z_b = za(own.id, &public_key(own.private)?)?;
    derive(&v, [z_a, z_b], [peer.ephemeral, &own_r], length)
}

/// The own ephemeral public key R1 and the shared point
/// \[h t\](P2 + \[x2bar\]R2), t = d1 + x1bar r1, with the cofactor h = 1.
fn shared_point(own: &Own<'_>, peer: &Peer<'_>) -> Result<(Point, Point)> {
    check_private_key(own.private)?;
    check_nonce(own.ephemeral)?;
    if !peer.public.is_on_curve() || !peer.ephemeral.is_on_curve() {
        return Err(Error::BadPoint);
    }
    let own_r = multiply(own.ephemeral, generator());
    let t = (own.private + reduced_x(&own_r)? * own.ephemeral) % &curve().n;
    let sum = peer
        .public
        .add(&multiply(&reduced_x(peer.ephemeral)?, peer.ephemeral));
    match multiply(&t, &sum) {
        Point::Infinity => Err(Error::ExchangeFailed),
        v => Ok((own_r, v)),
    }
}

/// xbar = 2^w + (x mod 2^w), w = ceil(ceil(log2 n) / 2) - 1 = 127.
fn reduced_x(point: &Point) -> Result<BigUint> {
    let (x, _) = point.coordinates()?;
    let two_to_w = BigUint::from(1u32) << 127;
    Ok(BigUint::from_bytes_be(&x) % &two_to_w + &two_to_w)
}

/// K = KDF(xv || yv || `Z_A` || `Z_B`), and with
/// H = SM3(xv || `Z_A` || `Z_B` || x1 || y1 || x2 || y2) the confirmations
/// SM3(02 || yv || H) and SM3(03 || yv || H).
fn derive(v: &Point, z: [[u8; 32]; 2], r: [&Point; 2], length: usize) -> Result<Shared> {
    let (xv, yv) = v.coordinates()?;
    let ((x1, y1), (x2, y2)) = (r[0].coordinates()?, r[1].coordinates()?);
    let inner = sm3::digest(&[xv, z[0], z[1], x1, y1, x2, y2].concat());
    let confirmation = |role| sm3::digest(&[&[role][..], &yv, &inner].concat());
    Ok(Shared {
        key: kdf(&[xv, yv, z[0], z[1]].concat(), length),
        s_b: confirmation(2),
        s_a: confirmation(3),
    })
}

#[cfg(test)]
mod tests {
    use super::super::DEFAULT_ID;
    use super::*;

    #[test]
    fn both_sides_agree_and_roles_matter() {
        let [d_a, r_a, d_b, r_b] = [11u32, 222, 3333, 44444].map(BigUint::from);
        let [p_a, e_a, p_b, e_b] = [&d_a, &r_a, &d_b, &r_b].map(|k| multiply(k, generator()));
        let a = Own {
            private: &d_a,
            ephemeral: &r_a,
            id: b"Alice",
        };
        let b = Own {
            private: &d_b,
            ephemeral: &r_b,
            id: DEFAULT_ID,
        };
        let to_a = Peer {
            public: &p_a,
            ephemeral: &e_a,
            id: b"Alice",
        };
        let to_b = Peer {
            public: &p_b,
            ephemeral: &e_b,
            id: DEFAULT_ID,
        };
        let shared = exchange_initiator(&a, &to_b, 48).unwrap();
        assert_eq!(exchange_responder(&b, &to_a, 48).as_ref(), Ok(&shared));
        assert_ne!(exchange_responder(&a, &to_b, 48).as_ref(), Ok(&shared));
        let off_curve = Peer {
            ephemeral: &Point::Infinity,
            ..to_b
        };
        assert_eq!(exchange_initiator(&a, &off_curve, 48), Err(Error::BadPoint));
    }
}
