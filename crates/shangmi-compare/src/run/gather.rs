//! The subjects of a run, after their known answers.

use std::rc::Rc;

use crate::child::Masked;
use crate::hardware::{Hardware, Instructions};
use crate::known_answer::{self, admit};
use crate::result::{Group, RefusedSubject};
use crate::subjects::{
    Candidate, CipherOperation, Ciphers, Hash, Hashes, Macs, ManyHashes, SignatureSchemes, Subject,
    aws_lc, libcrypto, shangmi, stages,
};
use crate::workloads::public_key::PublicKeySubjects;
use crate::workloads::{Lane, Work, cipher, hash, many};

/// Every subject that passed.
pub(crate) struct Subjects {
    pub(crate) hashes: Hashes,
    pub(crate) many_hashes: ManyHashes,
    pub(crate) stage_hashes: Hashes,
    pub(crate) macs: Macs,
    pub(crate) ciphers: Ciphers,
    pub(crate) stage_ciphers: Ciphers,
    pub(crate) public_key: PublicKeySubjects,
}

impl Subjects {
    /// Gathers and checks what `groups` need; keys are generated only where public keys are.
    pub(crate) fn gather(
        groups: &[Group],
        hardware: &Hardware,
        refused: &mut Vec<RefusedSubject>,
    ) -> Self {
        let wants = |wanted: &[Group]| groups.iter().any(|group| wanted.contains(group));
        let mut subjects = Self {
            hashes: Vec::new(),
            many_hashes: Vec::new(),
            stage_hashes: Vec::new(),
            macs: Vec::new(),
            ciphers: Vec::new(),
            stage_ciphers: Vec::new(),
            public_key: PublicKeySubjects::default(),
        };
        if wants(&[
            Group::Hash,
            Group::HashMany,
            Group::HashFile,
            Group::HashStage,
        ]) {
            subjects.hashes = hashes(hardware, refused);
        }
        if wants(&[Group::HashMany]) {
            subjects.many_hashes = many_hashes(&subjects.hashes, refused);
        }
        if wants(&[Group::HashStage]) {
            subjects.stage_hashes = checked_hashes(Group::HashStage, stages::hashes(), refused);
            subjects
                .stage_hashes
                .extend(subjects.hashes.iter().cloned());
        }
        if wants(&[Group::Mac]) {
            subjects.macs = macs(hardware, refused);
        }
        if wants(&[Group::CipherMode, Group::CipherStage]) {
            subjects.ciphers = ciphers(hardware, refused);
        }
        if wants(&[Group::CipherStage]) {
            let mut candidates = stages::ciphers();
            candidates.extend(shangmi::cipher_stages());
            subjects.stage_ciphers = checked_ciphers(Group::CipherStage, candidates, refused);
            let others = subjects.ciphers.iter().filter(|candidate| {
                let subject = &candidate.subject;
                subject.library != shangmi::NAME && cipher::has_whole_ecb(subject)
            });
            subjects.stage_ciphers.extend(others.cloned());
        }
        if wants(&[Group::PublicKey, Group::Load]) {
            subjects.public_key = public_key(hardware, refused);
        }
        subjects
    }
}

fn hashes(hardware: &Hardware, refused: &mut Vec<RefusedSubject>) -> Hashes {
    let mut candidates = shangmi::hashes();
    candidates.extend(libcrypto::hashes(hardware));
    candidates.extend(aws_lc::hashes(hardware));
    checked_hashes(Group::Hash, candidates, refused)
}

fn checked_hashes(group: Group, candidates: Hashes, refused: &mut Vec<RefusedSubject>) -> Hashes {
    admit(group, candidates, refused, |candidate| {
        known_answer::hash(&candidate.subject, candidate.object.as_ref())
    })
}

/// Our lanes, then every function one message after the other.
fn many_hashes(hashes: &Hashes, refused: &mut Vec<RefusedSubject>) -> ManyHashes {
    let mut candidates = shangmi::many_hashes();
    candidates.extend(hashes.iter().map(many::one_stream));
    admit(Group::HashMany, candidates, refused, |candidate| {
        known_answer::many_hashes(&candidate.subject, candidate.object.as_ref())
    })
}

fn macs(hardware: &Hardware, refused: &mut Vec<RefusedSubject>) -> Macs {
    let mut candidates = shangmi::macs();
    candidates.extend(libcrypto::macs(hardware));
    candidates.extend(aws_lc::macs(hardware));
    admit(Group::Mac, candidates, refused, |candidate| {
        known_answer::mac(&candidate.subject, &candidate.object)
    })
}

fn ciphers(hardware: &Hardware, refused: &mut Vec<RefusedSubject>) -> Ciphers {
    let mut candidates = shangmi::ciphers();
    candidates.extend(libcrypto::ciphers(hardware));
    candidates.extend(aws_lc::ciphers(hardware));
    checked_ciphers(Group::CipherMode, candidates, refused)
}

fn checked_ciphers(
    group: Group,
    candidates: Ciphers,
    refused: &mut Vec<RefusedSubject>,
) -> Ciphers {
    admit(group, candidates, refused, |candidate| {
        known_answer::cipher(&candidate.subject, candidate.object.as_ref())
    })
}

fn public_key(hardware: &Hardware, refused: &mut Vec<RefusedSubject>) -> PublicKeySubjects {
    let mut signatures = shangmi::signature_schemes();
    signatures.extend(libcrypto::signature_schemes(hardware));
    signatures.extend(aws_lc::signature_schemes(hardware));
    let checked_signatures = |candidates: SignatureSchemes, refused: &mut Vec<RefusedSubject>| {
        admit(Group::PublicKey, candidates, refused, |candidate| {
            known_answer::signatures(&candidate.subject, candidate.object.as_ref())
        })
    };
    let mut encryption = shangmi::encryption_schemes();
    encryption.extend(libcrypto::encryption_schemes(hardware));
    encryption.extend(aws_lc::encryption_schemes(hardware));
    let mut agreements = shangmi::agreements();
    agreements.extend(libcrypto::agreements(hardware));
    agreements.extend(aws_lc::agreements(hardware));
    PublicKeySubjects {
        signatures: checked_signatures(signatures, refused),
        prepared: checked_signatures(shangmi::prepared_signature_schemes(), refused),
        many: admit(
            Group::PublicKey,
            shangmi::many_public_keys(),
            refused,
            |candidate| {
                known_answer::many_public_keys(&candidate.subject, candidate.object.as_ref())
            },
        ),
        encryption: admit(Group::PublicKey, encryption, refused, |candidate| {
            known_answer::encryption(&candidate.subject, candidate.object.as_ref())
        }),
        agreements: admit(Group::PublicKey, agreements, refused, |candidate| {
            known_answer::agreement(candidate.object.as_ref())
        }),
    }
}

/// How many times as long masked code must take, at least, to count as other code.
const LEAST_EFFECT: f64 = 1.15;

/// Bytes of the trial: long enough for the cost of a call not to count.
const TRIAL_BYTES: u64 = 1 << 14;

/// Drops masked subjects that are no slower than the same library here: the mask did nothing, so a row that says
/// "software" would be false. HMAC follows its hash, CMAC its cipher.
pub(crate) fn drop_unmasked(
    masked: &mut Masked,
    hardware: &Hardware,
    refused: &mut Vec<RefusedSubject>,
) {
    let mut open_hashes = libcrypto::hashes(hardware);
    open_hashes.extend(aws_lc::hashes(hardware));
    let mut open_ciphers = libcrypto::ciphers(hardware);
    open_ciphers.extend(aws_lc::ciphers(hardware));
    let mut ineffective: Vec<(String, String)> = Vec::new();
    let works = [
        (
            "SHA-256",
            Instructions::Sha256,
            Group::Hash,
            hash::OPERATION,
        ),
        (
            "AES-128",
            Instructions::Aes,
            Group::CipherMode,
            CipherOperation::CbcDecrypt.name(),
        ),
    ];
    for (algorithm, instructions, group, operation) in works {
        let work = Work::new(group, operation, Some(TRIAL_BYTES));
        for subject in masked.subjects(algorithm) {
            let open = match group {
                Group::Hash => open_hash_lane(&open_hashes, &subject),
                _ => open_ciphers
                    .iter()
                    .find(|open| same(open, &subject))
                    .and_then(|open| cipher::lane(open, &work)),
            };
            let effect = effect(masked, &work, &subject, open);
            // Without the instructions there is nothing to mask: the rows of this process are software already.
            if !hardware.exists(instructions) || effect.is_none_or(|effect| effect < LEAST_EFFECT) {
                ineffective.push((subject.library.clone(), algorithm.to_owned()));
            }
            if hardware.exists(instructions) && effect.is_none_or(|effect| effect < LEAST_EFFECT) {
                refused.push(RefusedSubject {
                    group,
                    subject: subject.library,
                    operation: format!("{algorithm} in software"),
                    reason: "masking the processor's instructions did not make it slower"
                        .to_owned(),
                });
            }
        }
    }
    masked.retain(|subject| {
        let algorithm = match subject.algorithm.as_str() {
            "HMAC-SHA256" => "SHA-256",
            "CMAC-AES-128" => "AES-128",
            other => other,
        };
        !ineffective
            .iter()
            .any(|(library, name)| *library == subject.library && name == algorithm)
    });
}

fn same<T>(candidate: &Candidate<T>, subject: &Subject) -> bool {
    candidate.subject.library == subject.library && candidate.subject.algorithm == subject.algorithm
}

fn open_hash_lane(hashes: &Hashes, subject: &Subject) -> Option<Lane> {
    let candidate: &Candidate<Rc<dyn Hash>> =
        hashes.iter().find(|candidate| same(candidate, subject))?;
    let bytes = TRIAL_BYTES as usize;
    let data = known_answer::pattern(bytes + crate::workloads::SLACK).into();
    let bench = hash::bench(Rc::clone(&candidate.object), data, bytes);
    Some(Lane {
        subject: candidate.subject.clone(),
        bench,
        one_time_nanoseconds: None,
    })
}

/// Time with the mask over time without.
fn effect(masked: &Masked, work: &Work, subject: &Subject, open: Option<Lane>) -> Option<f64> {
    let mut open = open?.bench;
    let mut closed = masked.lane(work, subject)?.bench;
    let mut fastest = [u64::MAX; 2];
    for _ in 0..9 {
        fastest[0] = fastest[0].min(open.run(8).ok()?);
        fastest[1] = fastest[1].min(closed.run(8).ok()?);
    }
    Some(fastest[1] as f64 / fastest[0].max(1) as f64)
}
