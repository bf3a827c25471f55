//! The header: who can open the file, and a MAC over all of it.
use std::io::{ErrorKind, Read};

use shangmi::{
    rng::{Rng, random},
    sm3::{hkdf, hmac::HmacKey},
};
use zeroize::Zeroizing;

use super::{
    Identity, MAGIC, MAX_RECIPIENTS, Payload, Recipient, VERSION,
    recipient::FileKey,
    stanza::{MAX_BODY_LEN, Stanza},
};
use crate::{Error, Result};

const INFO: &[u8] = b"shangmi sealed file 1 header";
const SALT_LEN: usize = 32;
const MAC_LEN: usize = 32;

/// The header of a sealed file.
#[derive(Clone, Debug)]
pub struct Header {
    stanzas: Vec<Stanza>,
    salt: [u8; SALT_LEN],
    /// Over everything in front of it.
    mac: [u8; MAC_LEN],
}

impl Header {
    /// Makes the header and the content's keys of a new file.
    ///
    /// - `recipients`: 1 to [`MAX_RECIPIENTS`], at most one of them a passphrase
    /// # Errors
    /// [`Error::Limit`] for no or too many recipients; [`Error::Crypto`] when the random number generator fails.
    /// # Timing
    /// Constant in the keys and the passphrase's bytes; linear in its iterations.
    pub fn create(
        recipients: &[Recipient],
        rng: &mut (impl Rng + ?Sized),
    ) -> Result<(Self, Payload)> {
        check_recipients(recipients)?;
        let file_key = FileKey::new(random(rng)?);
        let salt = random(rng)?;
        let stanzas: Result<_> = recipients
            .iter()
            .map(|recipient| Stanza::seal(recipient, &file_key, rng))
            .collect();
        let mut header = Self {
            stanzas: stanzas?,
            salt,
            mac: [0; MAC_LEN],
        };
        let (mac_key, payload) = header.keys(&file_key)?;
        header.mac = mac_key.mac(&header.authenticated());
        Ok((header, payload))
    }

    /// Reads a header and nothing after it. Nothing in it is authenticated yet.
    ///
    /// - `reader`: at the beginning of the file
    /// # Errors
    /// [`Error::NotSealed`], [`Error::UnsupportedVersion`], [`Error::Malformed`],
    /// [`Error::HeaderTruncated`], [`Error::Io`].
    /// # Timing
    /// Variable: all inputs are public.
    pub fn read(mut reader: impl Read) -> Result<Self> {
        let magic = read_prefix(&mut reader)?;
        if magic.is_empty() || !MAGIC.starts_with(&magic) {
            return Err(Error::NotSealed);
        }
        if magic.len() < MAGIC.len() {
            return Err(Error::HeaderTruncated);
        }
        let [version] = read(&mut reader)?;
        if version != VERSION {
            return Err(Error::UnsupportedVersion { found: version });
        }
        let [count] = read(&mut reader)?;
        if !(1..=MAX_RECIPIENTS).contains(&usize::from(count)) {
            return Err(Error::Malformed {
                what: "the number of stanzas is not 1 to 64",
            });
        }
        let stanzas: Result<Vec<_>> = (0..count).map(|_| read_stanza(&mut reader)).collect();
        let stanzas = stanzas?;
        if stanzas.iter().filter(|s| s.is_passphrase()).count() > 1 {
            return Err(Error::Malformed {
                what: "more than one passphrase stanza",
            });
        }
        Ok(Self {
            stanzas,
            salt: read(&mut reader)?,
            mac: read(&mut reader)?,
        })
    }

    /// Finds the file key and checks the header's MAC.
    ///
    /// - `identity`: a private key, or the passphrase
    /// - returns: the content's keys
    /// # Errors
    /// [`Error::NotForThisKey`], [`Error::NotForAPassphrase`]; [`Error::WrongPassphrase`];
    /// [`Error::TooManyIterations`] if the file asks for more work than
    /// [`MAX_ITERATIONS`](super::MAX_ITERATIONS), [`Error::Malformed`] if it asks for none;
    /// [`Error::HeaderTampered`].
    /// # Timing
    /// Constant in the key and the passphrase's bytes; shows which stanza opened. Linear in the
    /// iterations that the file asks for.
    pub fn unlock<'a>(&self, identity: impl Into<Identity<'a>>) -> Result<Payload> {
        let identity = identity.into();
        let mut refused = None;
        for stanza in &self.stanzas {
            match stanza.open(identity) {
                Ok(Some(file_key)) => return self.authenticate(&file_key),
                Ok(None) => {}
                Err(error) => refused = Some(error),
            }
        }
        Err(refused.unwrap_or(match identity {
            Identity::Sm2(_) => Error::NotForThisKey,
            Identity::Passphrase(_) => Error::NotForAPassphrase,
        }))
    }

    /// Whether the file can be opened with a passphrase. Not authenticated: [`unlock`](Self::unlock) tells.
    #[must_use]
    pub fn takes_passphrase(&self) -> bool {
        self.stanzas.iter().any(Stanza::is_passphrase)
    }

    /// The header as it stands in the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.authenticated();
        bytes.extend_from_slice(&self.mac);
        bytes
    }

    /// The header's length in bytes: the content's first chunk begins there.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a header is never empty")]
    pub fn len(&self) -> usize {
        self.to_bytes().len()
    }

    /// Everything that the MAC covers.
    fn authenticated(&self) -> Vec<u8> {
        let count = u8::try_from(self.stanzas.len()).expect("at most 64 stanzas");
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, count]);
        for Stanza { kind, body } in &self.stanzas {
            let len = u16::try_from(body.len()).expect("a body has at most 4,096 bytes");
            bytes.extend(kind.to_be_bytes());
            bytes.extend(len.to_be_bytes());
            bytes.extend_from_slice(body);
        }
        bytes.extend_from_slice(&self.salt);
        bytes
    }

    fn authenticate(&self, file_key: &FileKey) -> Result<Payload> {
        let (mac_key, payload) = self.keys(file_key)?;
        let matches = mac_key.verify(&self.authenticated(), &self.mac);
        matches.map_err(|_| Error::HeaderTampered)?;
        Ok(payload)
    }

    /// The header's MAC key and the content's keys.
    fn keys(&self, file_key: &FileKey) -> Result<(HmacKey, Payload)> {
        let prk = Zeroizing::new(hkdf::extract(&self.salt, &file_key[..]));
        let mut mac_key = Zeroizing::new([0; MAC_LEN]);
        hkdf::expand(&prk[..], INFO, &mut mac_key[..])?;
        Ok((HmacKey::new(&mac_key[..]), Payload::new(&prk)?))
    }
}

fn check_recipients(recipients: &[Recipient]) -> Result<()> {
    let passphrases = recipients
        .iter()
        .filter(|recipient| matches!(recipient, Recipient::Passphrase(_)))
        .count();
    let (what, min, max, count) = if passphrases > 1 {
        ("passphrases of a sealed file", 0, 1, passphrases)
    } else {
        let (min, max) = (1, MAX_RECIPIENTS);
        ("recipients of a sealed file", min, max, recipients.len())
    };
    if (min..=max).contains(&count) {
        return Ok(());
    }
    let (min, max) = (min as u64, max as u64);
    Err(Error::Limit { what, min, max })
}

fn read_stanza(reader: &mut impl Read) -> Result<Stanza> {
    let kind = u16::from_be_bytes(read(reader)?);
    let len = usize::from(u16::from_be_bytes(read(reader)?));
    if len > MAX_BODY_LEN {
        return Err(Error::Malformed {
            what: "a stanza over 4,096 bytes",
        });
    }
    let mut body = vec![0; len];
    reader.read_exact(&mut body).map_err(cut)?;
    let stanza = Stanza { kind, body };
    stanza.check()?;
    Ok(stanza)
}

fn read<const N: usize>(reader: &mut impl Read) -> Result<[u8; N]> {
    let mut bytes = [0; N];
    reader.read_exact(&mut bytes).map_err(cut)?;
    Ok(bytes)
}

/// As many bytes of the magic as there are.
fn read_prefix(reader: &mut impl Read) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(MAGIC.len());
    reader.take(MAGIC.len() as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn cut(error: std::io::Error) -> Error {
    if error.kind() == ErrorKind::UnexpectedEof {
        Error::HeaderTruncated
    } else {
        error.into()
    }
}
