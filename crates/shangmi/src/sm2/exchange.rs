//! Key exchange with authentication by the parties' keys and IDs, and optional confirmation.
//!
//! ```text
//! initiator A                                responder B
//! R_A = r_A·G            ---- R_A ---->
//!                                            R_B = r_B·G, shared key
//!                        <- R_B, S_B --
//! checks S_B, shared key ---- S_A ---->      checks S_A
//! ```
//!
//! Both keys, both IDs and both ephemeral points go into the shared key, which either side may
//! then use. Without the confirmation values a side learns only later whether the other has the
//! same key.
//!
//! # Standard
//! GB/T 32918.3-2016, 6
//!
//! # Example
//! ```
//! # #[cfg(feature = "os-rng")] {
//! use shangmi::{rng::OsRng, sm2::{PrivateKey, exchange::{Initiator, Responder}}};
//!
//! let (a, b) = (PrivateKey::generate(&mut OsRng)?, PrivateKey::generate(&mut OsRng)?);
//! let initiator = Initiator::new(&a, b"Alice", &mut OsRng)?;
//! let responder = Responder::new(&b, b"Bob", &mut OsRng)?;
//! let (r_a, r_b) = (*initiator.ephemeral(), *responder.ephemeral());
//!
//! let mut key_b = [0; 16];
//! let (s_b, confirmation) = responder.finish(a.public_key(), b"Alice", &r_a, &mut key_b)?;
//! let mut key_a = [0; 16];
//! let s_a = initiator.finish_confirmed(b.public_key(), b"Bob", &r_b, &s_b, &mut key_a)?;
//! confirmation.check(&s_a)?;
//! assert_eq!(key_a, key_b);
//! # }
//! # Ok::<(), shangmi::Error>(())
//! ```
use super::key::{PrivateKey, PublicKey, public_point};
use super::many::Engine;
use super::scalar::Scalar;
use super::za::za;
use crate::rng::Rng;
use crate::sm3::{Digest, Sm3, kdf};
use crate::{Error, PointError, Result, ct};
use zeroize::{Zeroize, Zeroizing};

/// The side that speaks first.
#[derive(Debug)]
pub struct Initiator<'a>(Party<'a>);

/// The side that answers.
#[derive(Debug)]
pub struct Responder<'a>(Party<'a>);

/// What the responder waits for: the initiator's confirmation S_A.
///
/// Wiped on drop; `Debug` hides the value.
#[must_use = "the initiator is confirmed only when its S_A has been checked"]
pub struct Confirmation(Zeroizing<Digest>);

/// What both roles do alike.
macro_rules! methods_of_role {
    ($role:ident, $secret:literal, $point:literal, $peer:literal) => {
        impl<'a> $role<'a> {
            #[doc = concat!("Draws the ephemeral key ", $secret, ".")]
            ///
            /// - `key`, `id`: this side's; the ID has 1 to 8191 bytes
            ///
            /// # Errors
            /// [`Error::EmptyId`] or [`Error::LengthOutOfRange`] for the ID, [`Error::RandomSource`] when `rng`
            /// fails.
            pub fn new(
                key: &'a PrivateKey,
                id: &[u8],
                rng: &mut (impl Rng + ?Sized),
            ) -> Result<Self> {
                Self::with_ephemeral(key, id, PrivateKey::generate(rng)?)
            }

            pub(super) fn with_ephemeral(
                key: &'a PrivateKey,
                id: &[u8],
                ephemeral: PrivateKey,
            ) -> Result<Self> {
                Party::new(key, id, ephemeral).map(Self)
            }

            #[doc = concat!($point, ", to be sent to ", $peer, ".")]
            #[must_use]
            pub const fn ephemeral(&self) -> &PublicKey {
                self.0.ephemeral.public_key()
            }
        }
    };
}
methods_of_role!(Initiator, "r_A", "R_A", "the responder");
methods_of_role!(Responder, "r_B", "R_B", "the initiator");

impl Initiator<'_> {
    /// Computes the shared key without confirmation.
    ///
    /// - `peer`, `peer_id`: the responder's key and ID
    /// - `r_b`: the responder's ephemeral point
    /// - `shared`: receives the key, any length from one byte on
    ///
    /// # Errors
    /// [`Error::EmptyId`] or [`Error::LengthOutOfRange`] for the ID or an empty `shared`,
    /// [`Error::InvalidPoint`] when the common point is infinity.
    ///
    /// # Timing
    /// Constant in the private keys.
    pub fn finish(
        self,
        peer: &PublicKey,
        peer_id: &[u8],
        r_b: &PublicKey,
        shared: &mut [u8],
    ) -> Result<()> {
        self.agree(peer, peer_id, r_b)?.derive(shared)
    }

    /// Computes the shared key, checks the responder's confirmation and returns this side's.
    ///
    /// - `s_b`: from the responder
    /// - `shared`: receives the key; all zeros when the call fails
    /// - returns: S_A, to be sent to the responder
    ///
    /// # Errors
    /// [`Error::BadMac`] when `s_b` is not right; otherwise as for [`finish`](Self::finish).
    ///
    /// # Timing
    /// Constant in the private keys.
    pub fn finish_confirmed(
        self,
        peer: &PublicKey,
        peer_id: &[u8],
        r_b: &PublicKey,
        s_b: &Digest,
        shared: &mut [u8],
    ) -> Result<Digest> {
        let agreement = self.agree(peer, peer_id, r_b)?;
        if !ct::eq(&*agreement.confirmation(RESPONDER_TAG), s_b) {
            shared.zeroize();
            return Err(Error::BadMac);
        }
        agreement.derive(shared)?;
        Ok(*agreement.confirmation(INITIATOR_TAG))
    }

    fn agree(&self, peer: &PublicKey, peer_id: &[u8], r_b: &PublicKey) -> Result<Agreement> {
        let z_b = checked_za(peer_id, peer)?;
        let point = self.0.common_point(peer, r_b)?;
        Ok(Agreement::new(
            &point,
            [&self.0.za, &z_b],
            [self.ephemeral(), r_b],
        ))
    }
}

impl Responder<'_> {
    /// Computes the shared key.
    ///
    /// - `peer`, `peer_id`: the initiator's key and ID
    /// - `r_a`: the initiator's ephemeral point
    /// - `shared`: receives the key, any length from one byte on
    /// - returns: S_B, to be sent to the initiator, and the check of its S_A
    ///
    /// # Errors
    /// [`Error::EmptyId`] or [`Error::LengthOutOfRange`] for the ID or an empty `shared`,
    /// [`Error::InvalidPoint`] when the common point is infinity.
    ///
    /// # Timing
    /// Constant in the private keys.
    pub fn finish(
        self,
        peer: &PublicKey,
        peer_id: &[u8],
        r_a: &PublicKey,
        shared: &mut [u8],
    ) -> Result<(Digest, Confirmation)> {
        let z_a = checked_za(peer_id, peer)?;
        let point = self.0.common_point(peer, r_a)?;
        let agreement = Agreement::new(&point, [&z_a, &self.0.za], [r_a, self.ephemeral()]);
        agreement.derive(shared)?;
        let confirmation = Confirmation(agreement.confirmation(INITIATOR_TAG));
        Ok((*agreement.confirmation(RESPONDER_TAG), confirmation))
    }
}

impl Confirmation {
    /// Checks the initiator's confirmation.
    ///
    /// # Errors
    /// [`Error::BadMac`] when `s_a` is not right: the shared key must then not be used.
    ///
    /// # Timing
    /// Constant.
    pub fn check(&self, s_a: &Digest) -> Result<()> {
        if ct::eq(&*self.0, s_a) {
            Ok(())
        } else {
            Err(Error::BadMac)
        }
    }
}

impl core::fmt::Debug for Confirmation {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Confirmation").finish_non_exhaustive()
    }
}

/// What both roles have: the long-term key, its Z and the ephemeral key.
#[derive(Debug)]
struct Party<'a> {
    key: &'a PrivateKey,
    za: Digest,
    ephemeral: PrivateKey,
}

impl<'a> Party<'a> {
    fn new(key: &'a PrivateKey, id: &[u8], ephemeral: PrivateKey) -> Result<Self> {
        Ok(Self {
            key,
            za: checked_za(id, key.public_key())?,
            ephemeral,
        })
    }

    /// U = t·(P + x̄·R) with this side's t = d + x̄·r, the peer's P and R.
    fn common_point(&self, peer: &PublicKey, r: &PublicKey) -> Result<PublicKey> {
        let own = truncated_x(self.ephemeral.public_key());
        let t = Zeroizing::new(self.key.scalar().add(&own.mul(self.ephemeral.scalar())));
        let engine = Engine::detect();
        let scaled = engine.multiply_short_vartime(&truncated_x(r), TRUNCATED_BITS, &r.0);
        let sum = public_point(scaled.add_affine_vartime(&peer.0)).ok_or(PointError::Infinity)?;
        if t.is_zero() {
            return Err(PointError::Infinity.into());
        }
        let point = public_point(engine.multiply_one(&t, &sum.0));
        Ok(point.expect("t·P is not infinity for t in [1, n-1]: P has order n"))
    }
}

/// The bits of x̄.
const TRUNCATED_BITS: usize = 128;

/// x̄ = 2^127 + (x mod 2^127).
fn truncated_x(point: &PublicKey) -> Scalar {
    let mut bytes = point.x();
    bytes[..16].fill(0);
    bytes[16] |= 0x80;
    Scalar::reduce_be_bytes(&bytes)
}

/// Z of a party; the empty ID is refused.
fn checked_za(id: &[u8], key: &PublicKey) -> Result<Digest> {
    if id.is_empty() {
        Err(Error::EmptyId)
    } else {
        za(id, key)
    }
}

/// First byte of the hash that makes S_B.
const RESPONDER_TAG: u8 = 0x02;
/// First byte of the hash that makes S_A.
const INITIATOR_TAG: u8 = 0x03;

/// The common point and all that is hashed with it; wiped on drop.
struct Agreement {
    x: Zeroizing<[u8; 32]>,
    y: Zeroizing<[u8; 32]>,
    z_a: Digest,
    z_b: Digest,
    inner: Zeroizing<Digest>,
}

impl Agreement {
    /// - `zs`: Z of the initiator, Z of the responder
    /// - `ephemerals`: R_A, R_B
    fn new(point: &PublicKey, zs: [&Digest; 2], ephemerals: [&PublicKey; 2]) -> Self {
        let (x, y) = (Zeroizing::new(point.x()), Zeroizing::new(point.y()));
        let mut hasher = Sm3::new();
        hasher.update(&*x);
        for z in zs {
            hasher.update(z);
        }
        for r in ephemerals {
            hasher.update(&r.x());
            hasher.update(&r.y());
        }
        let inner = Zeroizing::new(hasher.finalize());
        Self {
            x,
            y,
            z_a: *zs[0],
            z_b: *zs[1],
            inner,
        }
    }

    /// K = KDF(x_U ‖ y_U ‖ Z_A ‖ Z_B).
    fn derive(&self, shared: &mut [u8]) -> Result<()> {
        if shared.is_empty() {
            let what = "shared key";
            return Err(Error::LengthOutOfRange {
                what,
                min: 1,
                max: usize::MAX,
                found: 0,
            });
        }
        kdf::kdf(&[&*self.x, &*self.y, &self.z_a, &self.z_b], shared)
    }

    /// SM3(tag ‖ y_U ‖ SM3(x_U ‖ Z_A ‖ Z_B ‖ x_1 ‖ y_1 ‖ x_2 ‖ y_2)).
    fn confirmation(&self, tag: u8) -> Zeroizing<Digest> {
        let mut hasher = Sm3::new();
        hasher.update(&[tag]);
        hasher.update(&*self.y);
        hasher.update(&*self.inner);
        Zeroizing::new(hasher.finalize())
    }
}
