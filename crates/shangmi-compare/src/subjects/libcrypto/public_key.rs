//! SM2, RSA and P-256 of libcrypto.

use std::ffi::CString;
use std::rc::Rc;

use super::super::{
    Agreement, Agreements, Candidate, Digest, Encryption, EncryptionSchemes, SignatureSchemes,
    Signatures, Subject,
};
use super::ffi::{self, Api, Md, MdCtx, Pkey, PkeyCtx, parameters};
use crate::hardware::{Hardware, Instructions};
use crate::known_answer;
use crate::result::Side;

/// Names and values of an operation's settings.
type Settings = &'static [(&'static str, &'static str)];

/// A kind of key: our name, libcrypto's, and the parameters of its generation.
struct Kind {
    algorithm: &'static str,
    side: Side,
    security_bits: u32,
    key_type: &'static str,
    generation: Settings,
}

const SM2: Kind = Kind {
    algorithm: "SM2",
    side: Side::Sm,
    security_bits: 128,
    key_type: "SM2",
    generation: &[],
};
const RSA_2048: Kind = Kind {
    algorithm: "RSA-2048",
    side: Side::International,
    security_bits: 112,
    key_type: "RSA",
    generation: &[("rsa_keygen_bits", "2048")],
};
const RSA_3072: Kind = Kind {
    algorithm: "RSA-3072",
    security_bits: 128,
    generation: &[("rsa_keygen_bits", "3072")],
    ..RSA_2048
};
const P256: Kind = Kind {
    algorithm: "P-256",
    side: Side::International,
    security_bits: 128,
    key_type: "EC",
    generation: &[("ec_paramgen_curve", "P-256")],
};

const PSS: Settings = &[("rsa_padding_mode", "pss"), ("rsa_pss_saltlen", "digest")];
const OAEP: Settings = &[("rsa_padding_mode", "oaep"), ("rsa_oaep_md", "sha256")];
const DISTID: Settings = &[("distid", "1234567812345678")];

fn subject(kind: &Kind, variant: &str, hardware: &Hardware) -> Subject {
    let mut subject = super::subject(kind.algorithm, kind.side, hardware, Instructions::None);
    hardware
        .backend(Instructions::None)
        .clone_into(&mut subject.backend);
    subject.variant = Some(variant.to_owned());
    subject.security_bits = kind.security_bits;
    // OpenSSL 3.0's SM2 leaks through its generic big numbers; later versions say otherwise. It does not tell.
    subject.constant_time = None;
    subject
}

/// The stored key for RSA, whose generation takes seconds; a fresh one for the others.
fn key(api: Api, kind: &Kind) -> Option<Pkey> {
    if kind.key_type == "RSA" {
        let (_, private) = known_answer::encoded_keys(kind.algorithm)?;
        return Pkey::from_pkcs8(api, private);
    }
    Pkey::generate(api, kind.key_type, &parameters(kind.generation))
}

/// SM2, RSA with PSS and ECDSA.
pub(crate) fn signature_schemes(hardware: &Hardware) -> SignatureSchemes {
    let Ok(api) = ffi::api() else {
        return Vec::new();
    };
    let kinds: [(&Kind, &str, &str, Settings); 4] = [
        (&SM2, "SM3, default ID", "SM3", DISTID),
        (&RSA_2048, "PSS, SHA-256", "SHA256", PSS),
        (&RSA_3072, "PSS, SHA-256", "SHA256", PSS),
        (&P256, "ECDSA, SHA-256", "SHA256", &[]),
    ];
    kinds
        .into_iter()
        .filter_map(|(kind, variant, md, options)| {
            let object: Rc<dyn Signatures> =
                Rc::new(EvpSignatures::new(api, kind, api.md(md)?, options)?);
            Some(Candidate {
                subject: subject(kind, variant, hardware),
                object,
            })
        })
        .collect()
}

struct EvpSignatures {
    api: Api,
    key_type: &'static str,
    generation: Vec<(CString, CString)>,
    options: Vec<(CString, CString)>,
    md: Md,
    key: Pkey,
}

impl EvpSignatures {
    fn new(api: Api, kind: &Kind, md: Md, options: Settings) -> Option<Self> {
        let generation = parameters(kind.generation);
        let key = key(api, kind)?;
        Some(Self {
            api,
            key_type: kind.key_type,
            generation,
            options: parameters(options),
            md,
            key,
        })
    }
}

impl Signatures for EvpSignatures {
    fn generate_key(&self) -> bool {
        Pkey::generate(self.api, self.key_type, &self.generation).is_some()
    }

    fn sign(&self, message: &[u8], signature: &mut [u8]) -> Option<usize> {
        // A context does not take a second message in every version: a new one, as applications make it.
        self.key.sign(
            &MdCtx::new(self.api)?,
            self.md,
            &self.options,
            message,
            signature,
        )
    }

    fn verify(&self, message: &[u8], signature: &[u8]) -> bool {
        let Some(context) = MdCtx::new(self.api) else {
            return false;
        };
        self.key
            .verify(&context, self.md, &self.options, message, signature)
    }

    fn verify_with(&self, public_key: &[u8], message: &[u8], signature: &[u8]) -> bool {
        let (Some(key), Some(context)) =
            (Pkey::from_spki(self.api, public_key), MdCtx::new(self.api))
        else {
            return false;
        };
        key.verify(&context, self.md, &self.options, message, signature)
    }
}

/// SM2 and RSA with OAEP.
pub(crate) fn encryption_schemes(hardware: &Hardware) -> EncryptionSchemes {
    let Ok(api) = ffi::api() else {
        return Vec::new();
    };
    let kinds: [(&Kind, &str, Settings); 3] = [
        (&SM2, "SM3, DER", &[]),
        (&RSA_2048, "OAEP, SHA-256", OAEP),
        (&RSA_3072, "OAEP, SHA-256", OAEP),
    ];
    kinds
        .into_iter()
        .filter_map(|(kind, variant, options)| {
            let key = key(api, kind)?;
            let object: Rc<dyn Encryption> = Rc::new(EvpEncryption::new(api, &key, options)?);
            Some(Candidate {
                subject: subject(kind, variant, hardware),
                object,
            })
        })
        .collect()
}

struct EvpEncryption {
    api: Api,
    options: Vec<(CString, CString)>,
    encryptor: PkeyCtx,
    decryptor: PkeyCtx,
}

impl EvpEncryption {
    fn new(api: Api, key: &Pkey, options: Settings) -> Option<Self> {
        let options = parameters(options);
        Some(Self {
            api,
            encryptor: key.encryptor(&options)?,
            decryptor: key.decryptor(&options)?,
            options,
        })
    }
}

impl Encryption for EvpEncryption {
    fn encrypt(&self, plaintext: &[u8], ciphertext: &mut [u8]) -> Option<usize> {
        self.encryptor.encrypt(plaintext, ciphertext)
    }

    fn decrypt(&self, ciphertext: &[u8], plaintext: &mut [u8]) -> Option<usize> {
        self.decryptor.decrypt(ciphertext, plaintext)
    }

    fn decrypt_with(&self, private_key: &[u8], ciphertext: &[u8]) -> Option<Vec<u8>> {
        let context = Pkey::from_pkcs8(self.api, private_key)?.decryptor(&self.options)?;
        let mut plaintext = vec![0; ciphertext.len()];
        let length = context.decrypt(ciphertext, &mut plaintext)?;
        plaintext.truncate(length);
        Some(plaintext)
    }
}

/// ECDH on P-256; libcrypto has none on SM2's curve.
pub(crate) fn agreements(hardware: &Hardware) -> Agreements {
    let Some(pair) = ffi::api().ok().and_then(EvpAgreement::new) else {
        return Vec::new();
    };
    vec![Candidate {
        subject: subject(&P256, "ECDH", hardware),
        object: Rc::new(pair),
    }]
}

struct EvpAgreement {
    own: PkeyCtx,
    peer: PkeyCtx,
}

impl EvpAgreement {
    fn new(api: Api) -> Option<Self> {
        let generate = || Pkey::generate(api, P256.key_type, &parameters(P256.generation));
        let (own, peer) = (generate()?, generate()?);
        Some(Self {
            own: own.agreement(&peer)?,
            peer: peer.agreement(&own)?,
        })
    }
}

impl Agreement for EvpAgreement {
    fn agree(&self) -> Option<Digest> {
        self.own.derive()
    }

    fn agree_as_peer(&self) -> Option<Digest> {
        self.peer.derive()
    }
}
