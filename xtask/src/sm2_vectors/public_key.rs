//! Public keys: bare points, and `SubjectPublicKeyInfo`.

mod ecpoint;
mod parameters;
mod spki;

use anyhow::Result;
use reference::sm2::Point;
use serde::Serialize;

use super::format::{self, Group, Hex, Title, Verdict, big_int};
use super::keys::xy;

#[derive(Serialize)]
struct Head {
    encoding: &'static str,
}

#[derive(Serialize)]
struct Body {
    encoded: Hex,
    #[serde(skip_serializing_if = "Option::is_none")]
    wx: Option<Hex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wy: Option<Hex>,
}

type Tests = Group<Head, Body>;

/// A key that may be read, and the point that it stands for.
fn push_key(
    group: &mut Tests,
    result: Verdict,
    flag: &'static str,
    comment: impl Into<String>,
    (encoded, point): (Vec<u8>, &Point),
) {
    let (x, y) = xy(point);
    let body = Body {
        encoded: Hex(encoded),
        wx: Some(big_int(&x)),
        wy: Some(big_int(&y)),
    };
    group.push(result, flag, comment, body);
}

fn push_bad(group: &mut Tests, flag: &'static str, comment: impl Into<String>, encoded: Vec<u8>) {
    let body = Body {
        encoded: Hex(encoded),
        wx: None,
        wy: None,
    };
    group.push(Verdict::Invalid, flag, comment, body);
}

pub(super) fn file() -> Result<String> {
    let mut points = Tests::new(
        "Sm2PublicKey",
        Head {
            encoding: "ecpoint",
        },
    );
    ecpoint::add(&mut points);
    let mut infos = Tests::new("Sm2PublicKey", Head { encoding: "asn" });
    spki::add(&mut infos);
    let title = Title {
        algorithm: "SM2",
        schema: "sm2_public_key_schema.json",
        header: &[
            "Test vectors of type Sm2PublicKey are meant for the reading of SM2 public keys:",
            "ecpoint is a point as in GB/T 32918.1, 4.2.9 (SEC 1, 2.3.3), asn is DER as in RFC 5480.",
            "wx and wy are the coordinates of the point.",
        ],
    };
    format::write(&title, vec![points, infos])
}
