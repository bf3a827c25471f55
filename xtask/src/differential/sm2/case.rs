//! What goes in: keys, IDs, messages, and what we make of them.

use anyhow::{Context, Result};
use shangmi::rng::Rng;
use shangmi::sm2::{self, DEFAULT_ID, MAX_ID_LEN, PrivateKey, PublicKey, Signature, Signer};
use shangmi::sm3::{self, kdf};
use shangmi_pki::CiphertextBuf;

use crate::differential::Random;

/// Random input as the library draws it: keys and nonces are then the same for the same seed.
impl Rng for Random {
    fn fill(&mut self, out: &mut [u8]) -> shangmi::Result<()> {
        Self::fill(self, out);
        Ok(())
    }
}

/// What random input reaches seldom or never.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    /// Nothing is forced.
    None,
    /// d has leading zero bytes, one to 31.
    PrivateShort,
    /// d = 1.
    PrivateFirst,
    /// d = n-2.
    PrivateLast,
    /// The first byte of x of the public key is zero.
    PublicX,
    /// The first byte of y of the public key is zero.
    PublicY,
    /// The first byte of x of the public key is that of an uncompressed point.
    PublicX04,
    /// The first byte of r in our signature is zero.
    SignatureR,
    /// The first byte of s in our signature is zero.
    SignatureS,
    /// The first byte of x is zero in C1 of our ciphertext and in our ephemeral point.
    EphemeralX,
    /// The first byte of y is zero in C1 of our ciphertext and in our ephemeral point.
    EphemeralY,
    /// C2 of our ciphertext is zero: the plaintext is the key stream, which is no reason to refuse it.
    ZeroC2,
    /// With k = 1 the key stream for one byte is zero, which is a reason ([`Case::leaking`]).
    ZeroKeyStream,
}

const SPECIAL: [Special; 12] = [
    Special::PrivateShort,
    Special::PrivateFirst,
    Special::PrivateLast,
    Special::PublicX,
    Special::PublicY,
    Special::PublicX04,
    Special::SignatureR,
    Special::SignatureS,
    Special::EphemeralX,
    Special::EphemeralY,
    Special::ZeroC2,
    Special::ZeroKeyStream,
];

/// Plaintexts around the 32 bytes of the KDF's block, of a padded block of SM3, and the ends.
const LENGTHS: [usize; 12] = [31, 32, 33, 1, 2, 63, 64, 65, 96, 127, 128, 200];

/// The longest plaintext.
const LONGEST: usize = 200;

pub(super) struct Case {
    pub(super) number: usize,
    pub(super) special: Special,
    /// The key of the signer, of the receiver, and of the peer in the exchange.
    pub(super) key: PrivateKey,
    pub(super) id: Vec<u8>,
    pub(super) message: Vec<u8>,
    pub(super) plaintext: Vec<u8>,
    pub(super) signature: Signature,
    pub(super) ciphertext: CiphertextBuf,
    /// Our side of the exchange.
    pub(super) own: PrivateKey,
    pub(super) own_id: Vec<u8>,
    pub(super) ephemeral: PrivateKey,
    pub(super) shared_len: u8,
}

impl Case {
    pub(super) fn draw(number: usize, random: &mut Random) -> Result<Self> {
        // Every second one is plain.
        let special = match number % 2 {
            0 => Special::None,
            _ => SPECIAL[number / 2 % SPECIAL.len()],
        };
        let key = key(special, random)?;
        let (id, message) = (id(random), message(random));
        let mut plaintext = plaintext(number, random);
        if special == Special::ZeroC2 {
            // Not zero, as then the key stream would have to be.
            plaintext = vec![1 + random.below(255) as u8];
        }
        Ok(Self {
            number,
            special,
            signature: signature(special, &key, &id, &message, random)?,
            ciphertext: ciphertext(special, &key, &plaintext, random)?,
            own: PrivateKey::generate(random)?,
            own_id: self::id(random),
            ephemeral: ephemeral(special, random)?,
            shared_len: [16, 32, 48, 1 + random.below(100) as u8][random.below(4)],
            key,
            id,
            message,
            plaintext,
        })
    }

    /// A ciphertext that shows its plaintext, where the case has one: C1 = G, C2 = M. It must be refused, although
    /// C3 is right.
    pub(super) fn leaking(&self) -> Result<Option<CiphertextBuf>> {
        if self.special != Special::ZeroKeyStream {
            return Ok(None);
        }
        let key = self.key.public_key();
        let c2 = vec![self.plaintext[0]];
        Ok(Some(CiphertextBuf {
            c1: *PrivateKey::from_bytes(&small(1))?.public_key(),
            c3: sm3::digest(&[&key.x()[..], &c2, &key.y()].concat()),
            c2,
        }))
    }
}

/// The shared point of an encryption with k = 1 is the public key.
fn key_stream_is_zero(key: &PublicKey) -> bool {
    let mut stream = [0xff];
    let done = kdf::kdf(&[&key.x(), &key.y()], &mut stream);
    done.is_ok() && stream == [0]
}

/// Draws until it is as wanted; what is wanted here comes up once in 256 draws.
fn until<T>(mut draw: impl FnMut() -> Result<T>, wanted: impl Fn(&T) -> bool) -> Result<T> {
    for _ in 0..100_000 {
        let drawn = draw()?;
        if wanted(&drawn) {
            return Ok(drawn);
        }
    }
    None.context("the wanted value does not come up")
}

fn key(special: Special, random: &mut Random) -> Result<PrivateKey> {
    let of_bytes = |d: &[u8; 32]| PrivateKey::from_bytes(d).context("d is in range");
    let mut draw =
        |wanted: fn(&PrivateKey) -> bool| until(|| Ok(PrivateKey::generate(random)?), wanted);
    match special {
        Special::PrivateShort => {
            let mut d = [0; 32];
            let zeros = 1 + random.below(31);
            random.fill(&mut d[zeros..]);
            d[31] |= 1;
            of_bytes(&d)
        }
        Special::PrivateFirst => of_bytes(&small(1)),
        Special::PrivateLast => of_bytes(&LAST),
        Special::PublicX => draw(|key| key.public_key().x()[0] == 0),
        Special::PublicY => draw(|key| key.public_key().y()[0] == 0),
        Special::PublicX04 => draw(|key| key.public_key().x()[0] == 4),
        Special::ZeroKeyStream => draw(|key| key_stream_is_zero(key.public_key())),
        _ => draw(|_| true),
    }
}

/// A small number in 32 bytes.
const fn small(number: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[31] = number;
    bytes
}

/// n-2.
const LAST: [u8; 32] = [
    0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0x72, 0x03, 0xdf, 0x6b, 0x21, 0xc6, 0x05, 0x2b, 0x53, 0xbb, 0xf4, 0x09, 0x39, 0xd5, 0x41, 0x21,
];

/// The default one, text in two encodings, any bytes, and seldom one as long as is allowed.
fn id(random: &mut Random) -> Vec<u8> {
    match random.below(32) {
        0..12 => DEFAULT_ID.to_vec(),
        12..16 => "测试用户".as_bytes().to_vec(),
        16..20 => b"\xb2\xe2\xca\xd4\xd3\xc3\xbb\xa7".to_vec(),
        20..30 => {
            let length = 1 + random.below(64);
            random.bytes(length)
        }
        30 => random.bytes(MAX_ID_LEN),
        _ => random.bytes(MAX_ID_LEN - 1),
    }
}

fn message(random: &mut Random) -> Vec<u8> {
    let length = match random.below(8) {
        0 => 0,
        1..7 => random.below(201),
        _ => random.below(1001),
    };
    random.bytes(length)
}

/// Every fourth has one of the lengths above, the others all lengths in turn; some begin with zeros.
fn plaintext(number: usize, random: &mut Random) -> Vec<u8> {
    let length = match number % 4 {
        0 => LENGTHS[number / 4 % LENGTHS.len()],
        _ => 1 + (number - number / 4 - 1) % LONGEST,
    };
    let mut plaintext = random.bytes(length);
    if random.below(8) == 0 {
        let zeros = 1 + random.below(length);
        plaintext[..zeros].fill(0);
    }
    plaintext
}

fn signature(
    special: Special,
    key: &PrivateKey,
    id: &[u8],
    message: &[u8],
    random: &mut Random,
) -> Result<Signature> {
    let signer = Signer::new(key, id)?;
    let wanted = |signature: &Signature| match special {
        Special::SignatureR => signature.r()[0] == 0,
        Special::SignatureS => signature.s()[0] == 0,
        _ => true,
    };
    until(|| Ok(signer.sign(message, random)?), wanted)
}

fn ciphertext(
    special: Special,
    key: &PrivateKey,
    plaintext: &[u8],
    random: &mut Random,
) -> Result<CiphertextBuf> {
    let draw = || {
        let mut c2 = vec![0; plaintext.len()];
        let sm2::Ciphertext { c1, c3, .. } =
            sm2::encrypt(key.public_key(), plaintext, &mut c2, random)?;
        Ok(CiphertextBuf { c1, c3, c2 })
    };
    let is_zero = |c2: &[u8]| c2.iter().all(|byte| *byte == 0);
    until(draw, |drawn| {
        is_ephemeral(special, &drawn.c1) && (special != Special::ZeroC2 || is_zero(&drawn.c2))
    })
}

fn ephemeral(special: Special, random: &mut Random) -> Result<PrivateKey> {
    let draw = || Ok(PrivateKey::generate(random)?);
    until(draw, |key| is_ephemeral(special, key.public_key()))
}

/// Whether the point is one as the case wants it.
fn is_ephemeral(special: Special, point: &PublicKey) -> bool {
    match special {
        Special::EphemeralX => point.x()[0] == 0,
        Special::EphemeralY => point.y()[0] == 0,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases(count: usize) -> Vec<Case> {
        let mut random = Random(7);
        (0..count)
            .map(|number| Case::draw(number, &mut random).unwrap())
            .collect()
    }

    #[test]
    fn the_short_form_forces_every_special_value() {
        let cases = cases(100);
        for special in SPECIAL {
            let found: Vec<_> = cases.iter().filter(|it| it.special == special).collect();
            assert!(found.len() >= 4, "{special:?}");
            for case in found {
                let (d, public) = (case.key.to_bytes(), case.key.public_key());
                let (c1, own) = (case.ciphertext.c1, case.ephemeral.public_key());
                assert!(match special {
                    Special::None => true,
                    Special::PrivateShort => d[0] == 0 && d[1..] != small(1)[1..],
                    Special::PrivateFirst => *d == small(1),
                    Special::PrivateLast => *d == LAST,
                    Special::PublicX => public.x()[0] == 0,
                    Special::PublicY => public.y()[0] == 0,
                    Special::PublicX04 => public.x()[0] == 4,
                    Special::SignatureR => case.signature.r()[0] == 0,
                    Special::SignatureS => case.signature.s()[0] == 0,
                    Special::EphemeralX => c1.x()[0] == 0 && own.x()[0] == 0,
                    Special::EphemeralY => c1.y()[0] == 0 && own.y()[0] == 0,
                    Special::ZeroC2 => case.ciphertext.c2 == [0],
                    Special::ZeroKeyStream => case.leaking().unwrap().is_some(),
                });
            }
        }
        for length in LENGTHS {
            assert!(cases.iter().any(|case| case.plaintext.len() == length));
        }
        for id in [DEFAULT_ID, "测试用户".as_bytes()] {
            assert!(cases.iter().any(|case| case.id == id));
        }
    }

    #[test]
    fn the_long_form_has_every_length_of_the_plaintext() {
        let mut random = Random(7);
        let mut seen = [false; LONGEST + 1];
        (0..1000).for_each(|number| seen[plaintext(number, &mut random).len()] = true);
        assert!(!seen[0] && seen[1..].iter().all(|seen| *seen));
    }

    #[test]
    fn the_last_private_key_is_the_last() {
        let mut next = LAST;
        next[31] += 1;
        assert!(PrivateKey::from_bytes(&LAST).is_ok());
        assert!(PrivateKey::from_bytes(&next).is_err());
    }
}
