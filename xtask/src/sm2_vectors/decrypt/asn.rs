//! SEQUENCE { x, y, C3, C2 }, and what is not quite that.

use num_bigint::{BigInt, BigUint};

use super::sealed::Sealed;
use crate::sm2_vectors::broken::Broken;
use crate::sm2_vectors::der::{
    BIT_STRING, INTEGER, OCTET_STRING, integer, long_length, octets, sequence, tlv, tlv_with,
    unsigned,
};

pub(super) fn broken(good: &Sealed) -> Broken {
    let mut broken = Broken::default();
    let (c3, c2) = (octets(&good.c3), octets(&good.c2));
    broken.add("OtherForm", "C1C3C2", good.c1c3c2());
    broken.sequences(&[&good.coordinates()[..], &c3, &c2].concat());
    add_elements(&mut broken, good);
    let (x, y) = (unsigned(&good.x), unsigned(&good.y));
    add_coordinate(&mut broken, "x", &good.x, |x| sequence(&[x, &y, &c3, &c2]));
    add_coordinate(&mut broken, "y", &good.y, |y| sequence(&[&x, y, &c3, &c2]));
    add_c3(&mut broken, good);
    add_strings(&mut broken, good);
    let whole = good.der();
    let ends = [0, 1, 2, 3, 40, 80, 100, whole.len() - 1];
    broken.cut("TooShort", &whole, &ends);
    broken
}

/// More or fewer elements, or in another order.
fn add_elements(broken: &mut Broken, good: &Sealed) {
    let (x, y) = (&unsigned(&good.x)[..], &unsigned(&good.y)[..]);
    let (c3, c2) = (&octets(&good.c3)[..], &octets(&good.c2)[..]);
    broken.add("OtherOrder", "C2 before C3", sequence(&[x, y, c2, c3]));
    broken.invalid("y before x", sequence(&[y, x, c3, c2]));
    broken.invalid("x missing", sequence(&[y, c3, c2]));
    broken.invalid("y missing", sequence(&[x, c3, c2]));
    broken.invalid("C3 missing", sequence(&[x, y, c2]));
    broken.invalid("C2 missing", sequence(&[x, y, c3]));
    let c1 = &octets(&good.xy())[..];
    broken.invalid("C1 in one OCTET STRING", sequence(&[c1, c3, c2]));
}

fn add_coordinate(
    broken: &mut Broken,
    name: &str,
    value: &BigUint,
    around: impl Fn(&[u8]) -> Vec<u8>,
) {
    let value = BigInt::from(value.clone());
    let power = BigInt::from(1) << 256;
    let more = around(&integer(&(&value + &power)));
    broken.add("CoordinateRange", format!("{name}: 2^256 more"), more);
    let negative = around(&integer(&-&value));
    broken.add("InvalidEncoding", format!("{name}: negative"), negative);
    let bare = around(&integer(&(&value - &power)));
    broken.add("MissingZero", format!("{name} without its 00"), bare);
    broken.integers(name, &value, around);
}

fn add_c3(broken: &mut Broken, good: &Sealed) {
    let (xy, c2) = (good.coordinates(), octets(&good.c2));
    let with = |c3: &[u8]| sequence(&[&xy, &octets(c3), &c2]);
    for length in [0, 1, 16, 31] {
        let comment = format!("C3 cut to {length} bytes");
        broken.add("C3Length", comment, with(&good.c3[..length]));
    }
    let c3 = &good.c3[..];
    broken.add("C3Length", "a byte 00 after C3", with(&[c3, &[0]].concat()));
    broken.add(
        "C3Length",
        "a byte 00 before C3",
        with(&[&[0], c3].concat()),
    );
    broken.add("C3Length", "C3 twice", with(&c3.repeat(2)));
}

/// C3 and C2 with other tags and lengths.
fn add_strings(broken: &mut Broken, good: &Sealed) {
    let (xy, c3, c2) = (&good.coordinates()[..], &good.c3[..], &good.c2[..]);
    let with_c3 = |element: &[u8]| sequence(&[xy, element, &octets(c2)]);
    let with_c2 = |element: &[u8]| sequence(&[xy, &octets(c3), element]);
    for (what, tag) in [
        ("BIT STRING", BIT_STRING),
        ("INTEGER", INTEGER),
        ("context 0", 0x80),
    ] {
        let comment = format!("C3: {what} for OCTET STRING");
        broken.invalid(&comment, with_c3(&tlv(tag, c3)));
        let comment = format!("C2: {what} for OCTET STRING");
        broken.invalid(&comment, with_c2(&tlv(tag, c2)));
    }
    let in_parts = |string: &[u8]| {
        let (first, second) = string.split_at(8);
        tlv(
            0x20 | OCTET_STRING,
            &[octets(first), octets(second)].concat(),
        )
    };
    broken.ber("C3 in two parts", with_c3(&in_parts(c3)));
    broken.ber("C2 in two parts", with_c2(&in_parts(c2)));
    let long = |string: &[u8]| tlv_with(OCTET_STRING, &long_length(string.len(), 1), string);
    broken.ber("C3 with a length in the long form", with_c3(&long(c3)));
    broken.ber("C2 with a length in the long form", with_c2(&long(c2)));
    let beyond = tlv_with(OCTET_STRING, &[0x82, 0xff, 0xff], c2);
    broken.invalid("C2 with a length of 65535", with_c2(&beyond));
}
