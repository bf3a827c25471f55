//! The teaching stages of the crate `reference`: plain, and not for secrets.

use std::rc::Rc;

use reference::hash::Stage;
use reference::sm4::{Sm4, Stage as CipherStage};

use super::{
    Aead, Candidate, Cipher, CipherOperation, Ciphers, Digest, Hash, HashStream, Hashes, Subject,
    Transform,
};
use crate::result::{Execution, Library, LibraryStatus, Side};

/// The name in [`Row::subject`](crate::result::Row::subject).
pub(crate) const NAME: &str = "reference";

/// How the report introduces it.
pub(crate) fn library() -> Library {
    Library {
        name: NAME.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        note: "this project's executable specification in its stages: shows what each optimisation brings; \
               not constant-time"
            .to_owned(),
        status: LibraryStatus::Used,
    }
}

fn subject(algorithm: &str, variant: &str, side: Side, constant_time: Option<bool>) -> Subject {
    Subject {
        algorithm: algorithm.to_owned(),
        variant: Some(variant.to_owned()),
        library: NAME.to_owned(),
        backend: "portable".to_owned(),
        side,
        execution: Execution::Software,
        constant_time,
        security_bits: 128,
    }
}

/// The report's name of a stage of a hash function.
pub(crate) fn hash_stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Textbook => "textbook",
        Stage::Rolling => "rolling",
        Stage::Unrolled => "unrolled",
    }
}

type StageFn = fn(Stage, &[u8]) -> Digest;

struct HashStage(StageFn, Stage);

impl Hash for HashStage {
    fn digest(&self, message: &[u8]) -> Digest {
        (self.0)(self.1, message)
    }

    fn stream(&self) -> Option<Box<dyn HashStream>> {
        None
    }
}

/// SM3 and SHA-256 in their stages, slowest first.
pub(crate) fn hashes() -> Hashes {
    let functions: [(&str, Side, StageFn); 2] = [
        ("SM3", Side::Sm, reference::sm3::digest_by),
        ("SHA-256", Side::International, reference::sha256::digest_by),
    ];
    let mut hashes: Hashes = Vec::new();
    for (algorithm, side, function) in functions {
        for stage in Stage::ALL {
            let subject = subject(algorithm, hash_stage_name(stage), side, None);
            hashes.push(Candidate {
                subject,
                object: Rc::new(HashStage(function, stage)),
            });
        }
    }
    hashes
}

fn cipher_stage_name(stage: CipherStage) -> &'static str {
    match stage {
        CipherStage::Bytewise => "byte-wise",
        CipherStage::TTable => "t-table",
        CipherStage::Unrolled4 => "unrolled-4",
        CipherStage::Unrolled8 => "unrolled-8",
    }
}

/// SM4 in its stages, slowest first; each looks tables up by secrets.
pub(crate) fn ciphers() -> Ciphers {
    let stage = |stage| {
        let subject = subject("SM4", cipher_stage_name(stage), Side::Sm, Some(false));
        Candidate {
            subject,
            object: Rc::new(Sm4Stage(stage)) as Rc<dyn Cipher>,
        }
    };
    CipherStage::ALL.into_iter().map(stage).collect()
}

struct Sm4Stage(CipherStage);

impl Cipher for Sm4Stage {
    fn transform(
        &self,
        operation: CipherOperation,
        key: &[u8; 16],
        _iv: &[u8; 16],
    ) -> Option<Box<dyn Transform>> {
        let cipher = Sm4::new(key, self.0);
        match operation {
            CipherOperation::EcbEncrypt => Some(Box::new(Ecb(cipher, Sm4::encrypt_blocks))),
            CipherOperation::EcbDecrypt => Some(Box::new(Ecb(cipher, Sm4::decrypt_blocks))),
            _ => None,
        }
    }

    fn aead(&self, _key: &[u8; 16], _nonce: &[u8; 12]) -> Option<Box<dyn Aead>> {
        None
    }
}

struct Ecb(Sm4, fn(&Sm4, &mut [[u8; 16]]));

impl Transform for Ecb {
    fn apply(&mut self, data: &mut [u8]) -> bool {
        let (blocks, rest) = data.as_chunks_mut();
        (self.1)(&self.0, blocks);
        rest.is_empty()
    }
}
