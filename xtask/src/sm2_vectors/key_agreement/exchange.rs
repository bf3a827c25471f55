//! The computation of one side, also for points that are none.
//!
//! `reference` refuses those; what a program without the checks computes has to be known here.

use num_bigint::BigUint;
use reference::sm2::{Point, curve, kdf, multiply, za};
use reference::sm3;

use crate::sm2_vectors::keys::{KeyPair, concatenated, uncompressed, xy};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Initiator,
    Responder,
}

pub(super) const ROLES: [Role; 2] = [Role::Initiator, Role::Responder];

impl Role {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Initiator => "initiator",
            Self::Responder => "responder",
        }
    }

    /// What belongs to the initiator, then what belongs to the responder.
    fn order<T>(self, own: T, peer: T) -> [T; 2] {
        match self {
            Self::Initiator => [own, peer],
            Self::Responder => [peer, own],
        }
    }

    pub(super) const fn other(self) -> Self {
        match self {
            Self::Initiator => Self::Responder,
            Self::Responder => Self::Initiator,
        }
    }
}

/// One side with all that it knows of itself.
pub(super) struct Side {
    pub(super) role: Role,
    pub(super) id: Vec<u8>,
    pub(super) key: KeyPair,
    pub(super) ephemeral: KeyPair,
}

/// What a side has at the end.
pub(super) struct Answer {
    pub(super) key: Vec<u8>,
    pub(super) own_confirmation: Vec<u8>,
    pub(super) peer_confirmation: Vec<u8>,
}

/// What comes from the other side.
#[derive(Clone)]
pub(super) struct Offer {
    pub(super) id: Vec<u8>,
    pub(super) public: Vec<u8>,
    pub(super) ephemeral: Vec<u8>,
    pub(super) confirmation: Vec<u8>,
}

impl Offer {
    /// The other side's points, with the confirmation that this side awaits.
    pub(super) fn new(id: &[u8], (public, ephemeral): &(Point, Point), answer: &Answer) -> Self {
        Self {
            id: id.to_vec(),
            public: uncompressed(public),
            ephemeral: uncompressed(ephemeral),
            confirmation: answer.peer_confirmation.clone(),
        }
    }
}

/// xbar = 2^127 + (x mod 2^127).
pub(super) fn reduced_x(x: &BigUint) -> BigUint {
    let two_to_w = BigUint::from(1u32) << 127;
    x % &two_to_w + &two_to_w
}

/// x || y, or zeros for infinity.
fn bytes(point: &Point) -> Vec<u8> {
    match point {
        Point::Infinity => vec![0; 64],
        Point::Affine { .. } => concatenated(point),
    }
}

impl Side {
    /// t = d + xbar r.
    fn t(&self) -> BigUint {
        (&self.key.d + reduced_x(&xy(&self.ephemeral.public).0) * &self.ephemeral.d) % &curve().n
    }

    /// What this side computes from the other's identifier (at most 8191 bytes), public key and ephemeral point.
    pub(super) fn answer(
        &self,
        id: &[u8],
        public: &Point,
        ephemeral: &Point,
        length: usize,
    ) -> Answer {
        let x = match ephemeral {
            Point::Infinity => BigUint::ZERO,
            Point::Affine { x, .. } => x.clone(),
        };
        let sum = public.add(&multiply(&reduced_x(&x), ephemeral));
        let common = bytes(&multiply(&self.t(), &sum));
        let z = |id: &[u8], point: &Point| za(id, point).expect("an identifier of good length");
        let own_z = z(&self.id, &self.key.public);
        let z = self.role.order(own_z, z(id, public)).concat();
        let r = self
            .role
            .order(bytes(&self.ephemeral.public), bytes(ephemeral))
            .concat();
        let (x, y) = common.split_at(32);
        let inner = sm3::digest(&[x, &z, &r].concat());
        let confirmation = |role| {
            let tag = if role == Role::Responder { 2 } else { 3 };
            sm3::digest(&[&[tag], y, &inner].concat()).to_vec()
        };
        Answer {
            key: kdf(&[&common[..], &z].concat(), length),
            own_confirmation: confirmation(self.role),
            peer_confirmation: confirmation(self.role.other()),
        }
    }
}
