//! SM4, its implementations and modes.

use std::rc::Rc;

use shangmi::modes::cbc::{self, CbcDecryptor, CbcEncryptor};
use shangmi::modes::ctr::Ctr;
use shangmi::modes::ecb;
use shangmi::modes::gcm::Sm4Gcm;
use shangmi::modes::xts::XtsIeee;
use shangmi::sm4::Sm4;

use super::subject;
use crate::subjects::{
    Aead, Candidate, Cipher, CipherOperation, Ciphers, Transform, TransformMany, xts_key,
};

/// SM4.
pub(crate) fn ciphers() -> Ciphers {
    let subject = subject("SM4", None, cipher_choice());
    vec![Candidate {
        subject,
        object: Rc::new(OwnSm4),
    }]
}

/// The implementation of SM4 that a key of this machine takes.
pub(crate) fn cipher_choice() -> &'static str {
    Sm4::new(&[0; 16]).backend()
}

/// SM4 in every implementation of this machine, each named by the key that runs.
pub(crate) fn cipher_stages() -> Ciphers {
    let stage = |name: &'static str| {
        let sm4 = Sm4::with_backend(name, &[0; 16])?;
        Some(Candidate {
            subject: subject("SM4", Some(sm4.backend()), sm4.backend()),
            object: Rc::new(OwnSm4Stage(name)) as Rc<dyn Cipher>,
        })
    };
    Sm4::backends().into_iter().filter_map(stage).collect()
}

/// One implementation; the cipher itself, without modes.
struct OwnSm4Stage(&'static str);

impl Cipher for OwnSm4Stage {
    fn transform(
        &self,
        operation: CipherOperation,
        key: &[u8; 16],
        _iv: &[u8; 16],
    ) -> Option<Box<dyn Transform>> {
        let cipher = Sm4::with_backend(self.0, key)?;
        match operation {
            CipherOperation::EcbEncrypt => {
                in_place(move |data| ecb::encrypt_in_place(&cipher, data))
            }
            CipherOperation::EcbDecrypt => {
                in_place(move |data| ecb::decrypt_in_place(&cipher, data))
            }
            _ => None,
        }
    }

    fn aead(&self, _key: &[u8; 16], _nonce: &[u8; 12]) -> Option<Box<dyn Aead>> {
        None
    }
}

struct OwnSm4;

impl Cipher for OwnSm4 {
    fn transform(
        &self,
        operation: CipherOperation,
        key: &[u8; 16],
        iv: &[u8; 16],
    ) -> Option<Box<dyn Transform>> {
        let cipher = Sm4::new(key);
        let iv = *iv;
        match operation {
            CipherOperation::EcbEncrypt => {
                in_place(move |data| ecb::encrypt_in_place(&cipher, data))
            }
            CipherOperation::EcbDecrypt => {
                in_place(move |data| ecb::decrypt_in_place(&cipher, data))
            }
            CipherOperation::CbcEncrypt => {
                in_place(move |data| CbcEncryptor::new(&cipher, &iv).encrypt_in_place(data))
            }
            CipherOperation::CbcDecrypt => {
                in_place(move |data| CbcDecryptor::new(&cipher, &iv).decrypt_in_place(data))
            }
            CipherOperation::Ctr => {
                in_place(move |data| Ctr::new(&cipher, &iv).apply_in_place(data))
            }
            CipherOperation::XtsEncrypt => {
                let xts = XtsIeee::new(&xts_key(key)).ok()?;
                in_place(move |data| xts.encrypt_in_place(&iv, data))
            }
            CipherOperation::XtsDecrypt => {
                let xts = XtsIeee::new(&xts_key(key)).ok()?;
                in_place(move |data| xts.decrypt_in_place(&iv, data))
            }
            CipherOperation::GcmEncrypt | CipherOperation::GcmDecrypt => None,
        }
    }

    fn cbc_encrypt_many(&self, key: &[u8; 16], iv: &[u8; 16]) -> Option<Box<dyn TransformMany>> {
        Some(Box::new(OwnCbcMany {
            cipher: Sm4::new(key),
            iv: *iv,
            ivs: Vec::new(),
        }))
    }

    fn aead(&self, key: &[u8; 16], nonce: &[u8; 12]) -> Option<Box<dyn Aead>> {
        Some(Box::new(OwnGcm {
            cipher: Sm4Gcm::new(key),
            nonce: *nonce,
        }))
    }
}

struct InPlace<F>(F);

fn in_place(
    apply: impl FnMut(&mut [u8]) -> shangmi::Result<()> + 'static,
) -> Option<Box<dyn Transform>> {
    Some(Box::new(InPlace(apply)))
}

impl<F: FnMut(&mut [u8]) -> shangmi::Result<()>> Transform for InPlace<F> {
    fn apply(&mut self, data: &mut [u8]) -> bool {
        (self.0)(data).is_ok()
    }
}

struct OwnCbcMany {
    cipher: Sm4,
    iv: [u8; 16],
    /// The IV once for each message.
    ivs: Vec<[u8; 16]>,
}

impl TransformMany for OwnCbcMany {
    fn apply(&mut self, messages: &mut [&mut [u8]]) -> bool {
        self.ivs.resize(messages.len(), self.iv);
        cbc::encrypt_many(&self.cipher, &self.ivs, messages).is_ok()
    }

    fn is_at_once(&self) -> bool {
        true
    }
}

struct OwnGcm {
    cipher: Sm4Gcm,
    nonce: [u8; 12],
}

impl Aead for OwnGcm {
    fn seal(&mut self, aad: &[u8], data: &mut [u8]) -> Option<[u8; 16]> {
        self.cipher.seal_in_place(&self.nonce, aad, data).ok()
    }

    fn open(&mut self, aad: &[u8], data: &mut [u8], tag: &[u8; 16]) -> bool {
        self.cipher
            .open_in_place(&self.nonce, aad, data, tag)
            .is_ok()
    }

    fn backend(&self) -> Option<String> {
        let (cipher, hash) = (self.cipher.backend(), self.cipher.hash_backend());
        Some(format!("{cipher}, GHASH {hash}"))
    }
}
