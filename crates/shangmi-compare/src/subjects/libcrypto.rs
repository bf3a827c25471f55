//! The user's own libcrypto (OpenSSL 1.1 or later), found at run time: both sides.

mod ffi;
mod public_key;

use std::rc::Rc;

use super::{
    Aead, Candidate, Cipher, CipherOperation, Ciphers, Digest, Hash, HashStream, Hashes, Mac, Macs,
    MakeMac, Subject, Transform, xts_key,
};
use crate::hardware::{Hardware, Instructions};
use crate::result::{Execution, Library, LibraryStatus, Side};

use ffi::{Api, CipherCtx, CmacCtx, HmacCtx, MacContext, Md, MdCtx};
pub(crate) use public_key::{agreements, encryption_schemes, signature_schemes};

/// The name in [`Row::subject`](crate::result::Row::subject).
pub(crate) const NAME: &str = "libcrypto";

/// How the report introduces it: found or not.
pub(crate) fn library() -> Library {
    let note = "the system's OpenSSL, loaded at run time: both sides".to_owned();
    match ffi::api() {
        Ok(api) => Library {
            name: NAME.to_owned(),
            version: api.version(),
            note,
            status: LibraryStatus::Used,
        },
        Err(reason) => {
            let hint = format!("{reason}; install OpenSSL 3 to have its rows too");
            Library {
                name: NAME.to_owned(),
                version: String::new(),
                note,
                status: LibraryStatus::Absent { hint },
            }
        }
    }
}

/// What libcrypto runs for an SM algorithm: instructions made for it only from 3.2 (Arm) or 3.6 (x86) on.
fn sm_instructions(api: Api, instructions: Instructions) -> Instructions {
    let since = if cfg!(target_arch = "aarch64") {
        (3, 2)
    } else {
        (3, 6)
    };
    if api.is_at_least(since.0, since.1) {
        instructions
    } else {
        Instructions::None
    }
}

fn subject(
    algorithm: &str,
    side: Side,
    hardware: &Hardware,
    instructions: Instructions,
) -> Subject {
    let execution = hardware.execution(instructions);
    let backend = match instructions {
        Instructions::None => "software".to_owned(),
        _ => hardware.backend(instructions),
    };
    Subject {
        algorithm: algorithm.to_owned(),
        variant: None,
        library: NAME.to_owned(),
        backend,
        side,
        execution,
        constant_time: Some(true),
        security_bits: 128,
    }
}

/// SM3 and SHA-256.
pub(crate) fn hashes(hardware: &Hardware) -> Hashes {
    let Ok(api) = ffi::api() else {
        return Vec::new();
    };
    let kinds = [
        ("SM3", Side::Sm, sm_instructions(api, Instructions::Sm3)),
        ("SHA-256", Side::International, Instructions::Sha256),
    ];
    kinds
        .into_iter()
        .filter_map(|(algorithm, side, instructions)| {
            let object: Rc<dyn Hash> = Rc::new(EvpHash::new(api, md(api, algorithm)?)?);
            Some(Candidate {
                subject: subject(algorithm, side, hardware, instructions),
                object,
            })
        })
        .collect()
}

fn md(api: Api, algorithm: &str) -> Option<Md> {
    api.md(if algorithm.contains("SM3") {
        "SM3"
    } else {
        "SHA256"
    })
}

struct EvpHash {
    api: Api,
    md: Md,
    context: MdCtx,
}

impl EvpHash {
    fn new(api: Api, md: Md) -> Option<Self> {
        let context = MdCtx::new(api)?;
        context.start(md).then_some(Self { api, md, context })
    }
}

impl Hash for EvpHash {
    fn digest(&self, message: &[u8]) -> Digest {
        if self.context.restart() && self.context.update(message) {
            self.context.finish()
        } else {
            [0; 32]
        }
    }

    fn stream(&self) -> Option<Box<dyn HashStream>> {
        Some(Box::new(EvpStream {
            context: Self::new(self.api, self.md)?.context,
            failed: false,
        }))
    }
}

struct EvpStream {
    context: MdCtx,
    failed: bool,
}

impl HashStream for EvpStream {
    fn update(&mut self, part: &[u8]) {
        self.failed |= !self.context.update(part);
    }

    fn finish(&mut self) -> Digest {
        let digest = self.context.finish();
        let failed = std::mem::replace(&mut self.failed, !self.context.restart());
        if failed { [0; 32] } else { digest }
    }
}

/// HMAC-SM3 and HMAC-SHA256.
pub(crate) fn macs(hardware: &Hardware) -> Macs {
    let Ok(api) = ffi::api() else {
        return Vec::new();
    };
    let kinds = [
        (
            "HMAC-SM3",
            Side::Sm,
            sm_instructions(api, Instructions::Sm3),
        ),
        ("HMAC-SHA256", Side::International, Instructions::Sha256),
    ];
    let available = kinds.into_iter().filter(|_| api.has_hmac());
    let mut macs: Macs = available
        .filter_map(|(algorithm, side, instructions)| {
            let md = md(api, algorithm)?;
            let mut subject = subject(algorithm, side, hardware, instructions);
            subject.security_bits = 256;
            let make = move |key: &[u8]| -> Option<Box<dyn Mac>> {
                let mac = Keyed::new(HmacCtx::new(api)?, md, key)?;
                Some(Box::new(mac) as Box<dyn Mac>)
            };
            Some(Candidate {
                subject,
                object: Rc::new(make) as Rc<dyn Fn(&[u8]) -> Option<Box<dyn Mac>>>,
            })
        })
        .collect();
    let kinds = [
        (
            "CMAC-SM4",
            "SM4-CBC",
            Side::Sm,
            sm_instructions(api, Instructions::Sm4),
        ),
        (
            "CMAC-AES-128",
            "AES-128-CBC",
            Side::International,
            Instructions::Aes,
        ),
    ];
    let cmacs = kinds
        .into_iter()
        .filter_map(|(algorithm, cipher, side, instructions)| {
            let kind = api.cipher(cipher)?;
            let make = move |key: &[u8]| -> Option<Box<dyn Mac>> {
                let mac = Keyed::new(CmacCtx::new(api)?, kind, key)?;
                Some(Box::new(mac) as Box<dyn Mac>)
            };
            Some(Candidate {
                subject: subject(algorithm, side, hardware, instructions),
                object: Rc::new(make) as MakeMac,
            })
        });
    macs.extend(cmacs.filter(|_| api.has_cmac()));
    macs
}

/// A MAC and what its keys are set up for.
struct Keyed<C: MacContext> {
    kind: C::Kind,
    context: C,
}

impl<C: MacContext> Keyed<C> {
    /// With a key; `None` where the library refuses.
    fn new(context: C, kind: C::Kind, key: &[u8]) -> Option<Self> {
        context.start(kind, key).then_some(Self { kind, context })
    }

    fn tag_if(&self, ready: bool, message: &[u8]) -> Digest {
        if ready {
            self.context.tag(message)
        } else {
            [0; 32]
        }
    }
}

impl<C: MacContext> Mac for Keyed<C> {
    fn mac(&mut self, message: &[u8]) -> Digest {
        self.tag_if(self.context.restart(), message)
    }

    fn mac_with_key(&mut self, key: &[u8], message: &[u8]) -> Digest {
        self.tag_if(self.context.start(self.kind, key), message)
    }
}

/// SM4 and AES-128.
pub(crate) fn ciphers(hardware: &Hardware) -> Ciphers {
    let Ok(api) = ffi::api() else {
        return Vec::new();
    };
    let sm4 = subject(
        "SM4",
        Side::Sm,
        hardware,
        sm_instructions(api, Instructions::Sm4),
    );
    // OpenSSL's SM4 in C looks its S-box up in tables indexed by secrets.
    let sm4 = Subject {
        constant_time: (sm4.execution == Execution::Hardware).then_some(true),
        ..sm4
    };
    let aes = subject("AES-128", Side::International, hardware, Instructions::Aes);
    [(sm4, "SM4"), (aes, "AES-128")]
        .into_iter()
        .filter(|(_, name)| api.cipher(&format!("{name}-ECB")).is_some())
        .map(|(subject, name)| Candidate {
            subject,
            object: Rc::new(EvpCipher { api, name }) as Rc<dyn Cipher>,
        })
        .collect()
}

struct EvpCipher {
    api: Api,
    name: &'static str,
}

impl Cipher for EvpCipher {
    fn transform(
        &self,
        operation: CipherOperation,
        key: &[u8; 16],
        iv: &[u8; 16],
    ) -> Option<Box<dyn Transform>> {
        let (mode, encrypt) = match operation {
            CipherOperation::EcbEncrypt => ("ECB", true),
            CipherOperation::EcbDecrypt => ("ECB", false),
            CipherOperation::CbcEncrypt => ("CBC", true),
            CipherOperation::CbcDecrypt => ("CBC", false),
            CipherOperation::Ctr => ("CTR", true),
            // XTS of SM4 there is another function unless told otherwise: that of GB/T 17964.
            CipherOperation::XtsEncrypt if self.name == "AES-128" => ("XTS", true),
            CipherOperation::XtsDecrypt if self.name == "AES-128" => ("XTS", false),
            CipherOperation::XtsEncrypt
            | CipherOperation::XtsDecrypt
            | CipherOperation::GcmEncrypt
            | CipherOperation::GcmDecrypt => return None,
        };
        let kind = self.api.cipher(&format!("{}-{mode}", self.name))?;
        let context = if mode == "XTS" {
            CipherCtx::new(self.api, kind, &xts_key(key), encrypt)?
        } else {
            CipherCtx::new(self.api, kind, key, encrypt)?
        };
        Some(Box::new(EvpTransform { context, iv: *iv }))
    }

    fn aead(&self, key: &[u8; 16], nonce: &[u8; 12]) -> Option<Box<dyn Aead>> {
        let kind = self.api.cipher(&format!("{}-GCM", self.name))?;
        let mut iv = [0; 16];
        iv[..12].copy_from_slice(nonce);
        Some(Box::new(EvpGcm {
            seal: CipherCtx::new(self.api, kind, key, true)?,
            open: CipherCtx::new(self.api, kind, key, false)?,
            iv,
        }))
    }
}

struct EvpTransform {
    context: CipherCtx,
    iv: [u8; 16],
}

impl Transform for EvpTransform {
    fn apply(&mut self, data: &mut [u8]) -> bool {
        self.context.restart(&self.iv) && self.context.update(data) && self.context.finish()
    }
}

struct EvpGcm {
    seal: CipherCtx,
    open: CipherCtx,
    iv: [u8; 16],
}

impl Aead for EvpGcm {
    fn seal(&mut self, aad: &[u8], data: &mut [u8]) -> Option<[u8; 16]> {
        let context = &self.seal;
        let done = context.restart(&self.iv)
            && (aad.is_empty() || context.aad(aad))
            && context.update(data)
            && context.finish();
        if done { context.tag() } else { None }
    }

    fn open(&mut self, aad: &[u8], data: &mut [u8], tag: &[u8; 16]) -> bool {
        let context = &self.open;
        context.restart(&self.iv)
            && context.expect_tag(tag)
            && (aad.is_empty() || context.aad(aad))
            && context.update(data)
            && context.finish()
    }
}
