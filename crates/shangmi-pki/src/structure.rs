//! What a DER file most nearly is.
//!
//! Its first tags tell, also where the rest is damaged: the reader of that structure can say best what
//! is wrong.

const INTEGER: u8 = 0x02;
const OCTET_STRING: u8 = 0x04;
const OBJECT_IDENTIFIER: u8 = 0x06;
const SEQUENCE: u8 = 0x30;
/// \[0\] EXPLICIT, the version of a certificate.
const VERSION: u8 = 0xa0;
/// The version of PKCS#12, which looks like PKCS#8 otherwise.
const PKCS12: [u8; 3] = [INTEGER, 1, 3];

/// The structures that keys are looked for in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Structure {
    /// SEQUENCE { SEQUENCE { OBJECT IDENTIFIER, ... }, ... }
    SubjectPublicKeyInfo,
    /// SEQUENCE { INTEGER, SEQUENCE, ... }
    PrivateKeyInfo,
    /// SEQUENCE { INTEGER, OCTET STRING, ... }
    EcPrivateKey,
    /// SEQUENCE { SEQUENCE { OBJECT IDENTIFIER, ... }, OCTET STRING }
    EncryptedPrivateKeyInfo,
    /// SEQUENCE { SEQUENCE { \[0\], ... }, ... }
    Certificate,
}

impl Structure {
    /// The structure whose beginning the bytes have, if any.
    pub(crate) fn of(der: &[u8]) -> Option<Self> {
        let fields = content(der, SEQUENCE)?;
        match (fields.first()?, second_tag(fields)) {
            (&INTEGER, Some(SEQUENCE)) if !fields.starts_with(&PKCS12) => {
                Some(Self::PrivateKeyInfo)
            }
            (&INTEGER, Some(OCTET_STRING)) => Some(Self::EcPrivateKey),
            (&SEQUENCE, second) => match (content(fields, SEQUENCE)?.first()?, second) {
                (&OBJECT_IDENTIFIER, Some(OCTET_STRING)) => Some(Self::EncryptedPrivateKeyInfo),
                (&OBJECT_IDENTIFIER, _) => Some(Self::SubjectPublicKeyInfo),
                (&VERSION, _) => Some(Self::Certificate),
                _ => None,
            },
            _ => None,
        }
    }
}

/// What follows the tag and the length of an element, however long it should be.
fn content(der: &[u8], tag: u8) -> Option<&[u8]> {
    (*der.first()? == tag).then_some(header(der)?.1)
}

fn second_tag(fields: &[u8]) -> Option<u8> {
    let (length, content) = header(fields)?;
    content.get(length).copied()
}

/// The length of the first element's content, and all that follows its tag and length.
fn header(der: &[u8]) -> Option<(usize, &[u8])> {
    let (&first, rest) = der.get(1..)?.split_first()?;
    if first < 0x80 {
        return Some((first.into(), rest));
    }
    let (length, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
    // Longer lengths are no key's, and the sum of such would not fit.
    let length = (length.len() < 4).then(|| {
        length
            .iter()
            .fold(0, |sum, &byte| sum << 8 | usize::from(byte))
    })?;
    Some((length, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_tags() {
        for (der, structure) in [
            (
                &[0x30, 9, 0x30, 3, 6, 1, 0, 3, 2][..],
                Some(Structure::SubjectPublicKeyInfo),
            ),
            (
                &[0x30, 9, 0x30, 3, 6, 1, 0],
                Some(Structure::SubjectPublicKeyInfo),
            ),
            (
                &[0x30, 9, 0x30, 0x81, 3, 6, 1, 0, 4, 2],
                Some(Structure::EncryptedPrivateKeyInfo),
            ),
            (
                &[0x30, 0x82, 1, 9, 2, 1, 0, 0x30],
                Some(Structure::PrivateKeyInfo),
            ),
            (&[0x30, 0x82, 1, 9, 2, 1, 3, 0x30], None),
            (&[0x30, 9, 2, 1, 1, 4], Some(Structure::EcPrivateKey)),
            (&[0x30, 9, 0x30, 9, 0xa0, 3], Some(Structure::Certificate)),
            // A signature or a ciphertext, something else, and too little.
            (&[0x30, 9, 2, 1, 1, 2], None),
            (&[0x30, 9, 0x30, 3, 2, 1, 0, 3, 2], None),
            (&[0x31, 9, 2, 1, 1, 4], None),
            (&[0x30, 9, 2, 0x84, 255, 255, 255, 255, 4], None),
            (&[0x30, 9, 2, 5, 1, 4], None),
            (&[0x30, 0x82, 1], None),
            (&[0x30], None),
            (&[], None),
        ] {
            assert_eq!(Structure::of(der), structure, "{der:02x?}");
        }
    }
}
