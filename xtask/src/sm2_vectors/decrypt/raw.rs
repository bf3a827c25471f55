//! The parts one after the other, right and wrong.

use num_bigint::BigUint;
use reference::sm2::Point;

use super::sealed::{Sealed, recipient};
use super::{Tests, push};
use crate::sm2_vectors::broken::Broken;
use crate::sm2_vectors::format::Verdict::{Acceptable, Invalid};
use crate::sm2_vectors::keys::{bytes32, compressed, hybrid};

/// In which order C2 and C3 follow C1.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    C1C3C2,
    C1C2C3,
}

impl Order {
    /// C1 in these bytes, and the rest.
    fn around(self, c1: &[u8], sealed: &Sealed) -> Vec<u8> {
        let (c3, c2) = (&sealed.c3[..], &sealed.c2[..]);
        match self {
            Self::C1C3C2 => [c1, c3, c2].concat(),
            Self::C1C2C3 => [c1, c2, c3].concat(),
        }
    }

    fn whole(self, sealed: &Sealed) -> Vec<u8> {
        self.around(&[&[4], &sealed.xy()[..]].concat(), sealed)
    }

    const fn other(self) -> (Self, &'static str) {
        match self {
            Self::C1C3C2 => (Self::C1C2C3, "the order C1C2C3"),
            Self::C1C2C3 => (Self::C1C3C2, "the order C1C3C2"),
        }
    }
}

pub(super) fn broken(good: &Sealed, order: Order) -> Broken {
    let mut broken = Broken::default();
    let whole = order.whole(good);
    let (other, name) = order.other();
    broken.add("OtherOrder", name, other.whole(good));
    broken.add("MissingPrefix", "without the byte 04", &whole[1..]);
    broken.add("OtherForm", "DER", good.der());
    broken.invalid("the byte 04 twice", [&[4], &whole[..]].concat());
    let ends = [0, 1, 2, 32, 33, 64, 65, 66, 80, 95, 96, 97];
    broken.cut("TooShort", &whole, &ends);
    for first in [0, 1, 5, 8, 0x40, 0x84, 0xff] {
        let changed = [&[first], &whole[1..]].concat();
        broken.add(
            "InvalidPointEncoding",
            format!("{first:02x} for 04"),
            changed,
        );
    }
    let zero = || BigUint::ZERO;
    let infinity = Sealed::with_shared((zero(), zero()), &[0; 64], &good.message);
    for (what, c1) in [("the single byte 00", &[0][..]), ("65 bytes 00", &[0; 65])] {
        let comment = format!("C1 is {what}");
        broken.add("PointAtInfinity", comment, order.around(c1, &infinity));
    }
    broken
}

/// Other forms of the same point, which GB/T 32918.1 allows, and some that do not fit it.
pub(super) fn add_point_forms(group: &mut Tests, good: &Sealed, order: Order) {
    let point = Point::new(good.x.clone(), good.y.clone());
    let negative = point.negate();
    let opposite = Sealed::to(&recipient(), &negative, &good.message);
    for (flag, comment, c1, sealed) in [
        ("CompressedPoint", "C1 compressed", compressed(&point), good),
        (
            "CompressedPoint",
            "-C1 compressed",
            compressed(&negative),
            &opposite,
        ),
        ("HybridPoint", "C1 in the mixed form", hybrid(&point), good),
    ] {
        let both = (&good.message[..], order.around(&c1, sealed));
        push(group, Acceptable, flag, comment, both);
    }
    let mut parity = hybrid(&point);
    parity[0] ^= 1;
    let off_curve = (1u32..)
        .map(|i| &good.x + i)
        .find(|x| Point::decompress(x, false).is_err())
        .expect("about every second x is not on the curve");
    let twist = [&[2], &bytes32(&off_curve)[..]].concat();
    for (flag, comment, c1) in [
        (
            "InvalidPointEncoding",
            "mixed form, 06 and 07 exchanged",
            parity,
        ),
        (
            "InvalidCompressedPoint",
            "C1 compressed, x on the twist",
            twist,
        ),
        (
            "ModifiedC1",
            "C1 compressed, 02 and 03 exchanged",
            compressed(&negative),
        ),
    ] {
        let both = (&good.message[..], order.around(&c1, good));
        push(group, Invalid, flag, comment, both);
    }
}
