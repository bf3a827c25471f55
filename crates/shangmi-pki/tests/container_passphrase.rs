//! Sealed files under a passphrase, alone and beside keys.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use common::{private_key, standard_key};
use shangmi::rng::OsRng;
use shangmi_pki::{
    Error,
    container::{Header, Identity, MIN_ITERATIONS, Passphrase, Recipient, open, seal},
};

const SECRET: &[u8] = "correct horse 国密".as_bytes();
/// Where the stanza of a file that has this one alone keeps its iterations.
const COST_AT: usize = 10 + 4 + 16;

fn cheap(bytes: &[u8]) -> Recipient {
    let passphrase = Passphrase::new(bytes).unwrap();
    Recipient::Passphrase(passphrase.with_iterations(MIN_ITERATIONS).unwrap())
}

fn sealed(content: &[u8], to: &[Recipient]) -> Vec<u8> {
    let mut out = Vec::new();
    seal(content, &mut out, to, &mut OsRng).unwrap();
    out
}

fn opened<'a>(file: &[u8], identity: impl Into<Identity<'a>>) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    let result = open(file, &mut out, identity);
    assert!(
        result.is_ok() || out.is_empty(),
        "nothing comes out of a small file that fails"
    );
    result.map(|_| out)
}

#[test]
fn the_passphrase_opens_and_no_other_does() {
    let file = sealed(b"content", &[cheap(SECRET)]);
    assert_eq!(
        opened(&file, Identity::Passphrase(SECRET)).unwrap(),
        b"content"
    );
    for wrong in [
        &b""[..],
        b"correct horse",
        &SECRET[1..],
        &[SECRET, b"\n"].concat(),
    ] {
        let error = opened(&file, Identity::Passphrase(wrong)).unwrap_err();
        assert!(
            matches!(error, Error::WrongPassphrase) && error.is_negative(),
            "{error}"
        );
    }
}

#[test]
fn keys_and_a_passphrase_open_the_same_file() {
    let (one, two) = (standard_key(), private_key(&format!("{:064x}", 7)));
    let to = [
        Recipient::Sm2(*one.public_key()),
        cheap(SECRET),
        Recipient::Sm2Hidden(*two.public_key()),
    ];
    let file = sealed(b"for all", &to);
    assert!(Header::read(&file[..]).unwrap().takes_passphrase());
    let identities = [
        Identity::Sm2(&one),
        Identity::Sm2(&two),
        Identity::Passphrase(SECRET),
    ];
    for identity in identities {
        assert_eq!(opened(&file, identity).unwrap(), b"for all");
    }
    let stranger = private_key(&format!("{:064x}", 8));
    assert!(matches!(
        opened(&file, &stranger),
        Err(Error::NotForThisKey)
    ));
}

#[test]
fn a_stanza_cannot_be_taken_out_or_brought_in() {
    let key = standard_key();
    let file = sealed(
        b"content",
        &[cheap(SECRET), Recipient::Sm2(*key.public_key())],
    );
    let other = sealed(b"other", &[cheap(SECRET)]);
    // The key's stanza alone, then the passphrase of another file beside it.
    let stanza = 10..10 + 4 + 84;
    let mut without = [&file[..10], &file[stanza.end..]].concat();
    without[9] = 1;
    let mut swapped = file.clone();
    swapped[stanza.clone()].copy_from_slice(&other[stanza]);
    for changed in [without, swapped] {
        let error = opened(&changed, &key).unwrap_err();
        assert!(matches!(error, Error::HeaderTampered), "{error}");
    }
}

#[test]
fn every_flipped_bit_is_noticed() {
    let file = sealed(b"content", &[cheap(SECRET)]);
    let header = Header::read(&file[..]).unwrap().len();
    for at in 9..file.len() {
        for bit in 0..8 {
            let mut changed = file.clone();
            changed[at] ^= 1 << bit;
            let cost = u32::from_be_bytes(changed[COST_AT..][..4].try_into().unwrap());
            // What the file asks for is done up to the limit, which is worth a test but not thirty.
            if (100_000..=10_000_000).contains(&cost) {
                continue;
            }
            let error = opened(&changed, Identity::Passphrase(SECRET)).unwrap_err();
            let salt_and_mac = 10 + 4 + 84..header;
            match error {
                Error::Malformed { .. } | Error::HeaderTruncated => assert!(at < 14, "byte {at}"),
                Error::NotForAPassphrase => assert!((10..12).contains(&at), "byte {at}"),
                Error::TooManyIterations { .. } => {
                    assert!((COST_AT..COST_AT + 2).contains(&at), "byte {at}");
                }
                Error::WrongPassphrase => assert!((14..salt_and_mac.start).contains(&at)),
                Error::HeaderTampered => assert!(salt_and_mac.contains(&at), "byte {at}"),
                Error::Tampered { index: 0 } => assert!(at >= header, "byte {at}"),
                error => panic!("byte {at}: {error}"),
            }
        }
    }
}

#[test]
fn a_file_cannot_ask_for_any_work() {
    let key = standard_key();
    let mut file = sealed(b"x", &[cheap(SECRET), Recipient::Sm2(*key.public_key())]);
    file[COST_AT..][..4].copy_from_slice(&u32::MAX.to_be_bytes());
    let error = opened(&file, Identity::Passphrase(SECRET)).unwrap_err();
    assert!(matches!(
        error,
        Error::TooManyIterations {
            found: 0xffff_ffff,
            limit: 10_000_000
        }
    ));
    assert!(!error.is_negative());
    // Whoever has a key does none of it, and sees that the header was changed.
    assert!(matches!(opened(&file, &key), Err(Error::HeaderTampered)));
    file[COST_AT..][..4].copy_from_slice(&[0; 4]);
    let error = opened(&file, Identity::Passphrase(SECRET)).unwrap_err();
    assert!(matches!(error, Error::Malformed { .. }));
}

#[test]
fn one_passphrase_is_enough() {
    let mut out = Vec::new();
    let two = [cheap(b"one"), cheap(b"two")];
    let error = seal(&b""[..], &mut out, &two, &mut OsRng).unwrap_err();
    assert!(matches!(error, Error::Limit { min: 0, max: 1, .. }) && out.is_empty());
    assert!(matches!(Passphrase::new(b""), Err(Error::EmptyPassphrase)));

    let file = sealed(b"", &[cheap(SECRET)]);
    let stanza = &file[10..10 + 4 + 84];
    let doubled = [&file[..9], &[2], stanza, &file[10..]].concat();
    let error = opened(&doubled, Identity::Passphrase(SECRET)).unwrap_err();
    assert!(matches!(error, Error::Malformed { .. }), "{error}");
}

#[test]
fn who_is_asked_for_the_other_thing_is_told() {
    let key = standard_key();
    let (for_key, for_all) = (
        sealed(b"x", &[Recipient::Sm2(*key.public_key())]),
        sealed(b"x", &[cheap(SECRET)]),
    );
    let error = opened(&for_key, Identity::Passphrase(SECRET)).unwrap_err();
    assert!(matches!(error, Error::NotForAPassphrase) && error.is_negative());
    assert!(!Header::read(&for_key[..]).unwrap().takes_passphrase());
    let error = opened(&for_all, &key).unwrap_err();
    assert!(matches!(error, Error::NotForThisKey) && error.is_negative());
}
