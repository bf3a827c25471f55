//! The DER of signatures and ciphertexts, which are short.

const INTEGER: u8 = 2;
const OCTETS: u8 = 4;
const SEQUENCE: u8 = 0x30;

/// The parts of an SM2 ciphertext; C1 as 4 ‖ x ‖ y.
pub(super) struct Ciphertext {
    pub(super) c1: Vec<u8>,
    pub(super) c3: [u8; 32],
    pub(super) c2: Vec<u8>,
}

impl Ciphertext {
    pub(super) fn from_plain(bytes: &[u8]) -> Option<Self> {
        let (c1, rest) = bytes.split_at_checked(65)?;
        let (c3, c2) = rest.split_first_chunk()?;
        Some(Self {
            c1: c1.to_vec(),
            c3: *c3,
            c2: c2.to_vec(),
        })
    }

    pub(super) fn to_plain(&self) -> Vec<u8> {
        [&self.c1[..], &self.c3, &self.c2].concat()
    }

    pub(super) fn from_der(bytes: &[u8]) -> Option<Self> {
        let (content, _) = take(SEQUENCE, bytes)?;
        let (x, rest) = take_integer(content)?;
        let (y, rest) = take_integer(rest)?;
        let (c3, rest) = take(OCTETS, rest)?;
        let (c2, _) = take(OCTETS, rest)?;
        Some(Self {
            c1: [&[4][..], &x, &y].concat(),
            c3: c3.try_into().ok()?,
            c2: c2.to_vec(),
        })
    }

    pub(super) fn to_der(&self) -> Vec<u8> {
        let (x, y) = self.c1[1..].split_at(32);
        let octets = [put(OCTETS, &self.c3), put(OCTETS, &self.c2)].concat();
        put(SEQUENCE, &[integer(x), integer(y), octets].concat())
    }
}

/// r ‖ s as a SEQUENCE.
pub(super) fn signature(plain: &[u8]) -> Vec<u8> {
    let (r, s) = plain.split_at(32);
    put(SEQUENCE, &[integer(r), integer(s)].concat())
}

pub(super) fn plain_signature(bytes: &[u8]) -> Option<Vec<u8>> {
    let (content, _) = take(SEQUENCE, bytes)?;
    let (r, rest) = take_integer(content)?;
    let (s, _) = take_integer(rest)?;
    Some([r, s].concat())
}

fn integer(number: &[u8]) -> Vec<u8> {
    let zeros = number.iter().take_while(|&&byte| byte == 0).count();
    let number = &number[zeros..];
    let sign: &[u8] = match number.first() {
        Some(0..0x80) => &[],
        _ => &[0],
    };
    put(INTEGER, &[sign, number].concat())
}

fn put(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = u8::try_from(content.len()).expect("at most 255 bytes");
    let head: &[u8] = match length {
        0..0x80 => &[tag, length],
        _ => &[tag, 0x81, length],
    };
    [head, content].concat()
}

/// The content, and what follows it.
fn take(tag: u8, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = bytes.strip_prefix(&[tag])?;
    let (length, rest) = rest.strip_prefix(&[0x81]).unwrap_or(rest).split_first()?;
    rest.split_at_checked((*length).into())
}

/// 32 bytes, and what follows.
fn take_integer(bytes: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let (content, rest) = take(INTEGER, bytes)?;
    let number = content.strip_prefix(&[0]).unwrap_or(content);
    let zeros = 32_usize.checked_sub(number.len())?;
    Some(([&vec![0; zeros][..], number].concat(), rest))
}
