//! How a run ends, and failures that carry the next step.

use std::io;

use shangmi::Error as Crypto;
use shangmi_pki::Error as Pki;

/// How a run ends; `main` turns it into the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All done, and every answer was yes.
    Done,
    /// A negative answer: bad signature, digest mismatch, wrong passphrase, failed tag.
    Negative,
    /// Usage, input or I/O; what went wrong has been said.
    Trouble,
}

/// An error of the command line: what is wrong, what to do next, and how the run ends.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Failure {
    outcome: Outcome,
    message: String,
    hint: String,
}

impl Failure {
    /// Usage, input or I/O.
    pub(crate) fn trouble(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            outcome: Outcome::Trouble,
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// A negative answer.
    pub(crate) fn negative(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            outcome: Outcome::Negative,
            message: message.into(),
            hint: hint.into(),
        }
    }
}

/// The outcome and the hint of an error: the first cause in the chain that knows decides.
pub(crate) fn diagnose(error: &anyhow::Error) -> (Outcome, String) {
    error.chain().find_map(of_cause).unwrap_or_else(|| {
        (
            Outcome::Trouble,
            "'shangmi help' lists the commands and their options".to_owned(),
        )
    })
}

fn of_cause(cause: &(dyn std::error::Error + 'static)) -> Option<(Outcome, String)> {
    if let Some(failure) = cause.downcast_ref::<Failure>() {
        return Some((failure.outcome, failure.hint.clone()));
    }
    if let Some(error) = cause.downcast_ref::<Crypto>() {
        let (outcome, hint) = of_crypto(error);
        return Some((outcome, hint.to_owned()));
    }
    if let Some(error) = cause.downcast_ref::<Pki>() {
        return of_pki(error);
    }
    let error = cause.downcast_ref::<io::Error>()?;
    // An error that went through a reader's interface is what it was before.
    match error.get_ref().and_then(|inner| inner.downcast_ref()) {
        Some(inner) => of_pki(inner),
        None => Some((Outcome::Trouble, of_io(error).to_owned())),
    }
}

fn of_crypto(error: &Crypto) -> (Outcome, &'static str) {
    match error {
        Crypto::BadSignature => (
            Outcome::Negative,
            "check that the file, the signature, the public key and the user ID belong together",
        ),
        Crypto::BadMac | Crypto::DecryptFailed => (
            Outcome::Negative,
            "the key, the IV, the mode or the additional data is another one, or the data was changed",
        ),
        Crypto::InvalidPrivateKey | Crypto::InvalidPoint(_) => (
            Outcome::Trouble,
            "the key is damaged or belongs to another curve",
        ),
        Crypto::SignatureOutOfRange => (
            Outcome::Trouble,
            "the signature is damaged or belongs to another curve",
        ),
        Crypto::NotMultiple { .. } => (
            Outcome::Trouble,
            "leave --padding out to have the last block filled up, or choose ctr or gcm",
        ),
        Crypto::RandomSource => (
            Outcome::Trouble,
            "the system's random number generator failed; try again",
        ),
        Crypto::CounterExhausted => (
            Outcome::Trouble,
            "split the data and give each part a key or an IV of its own",
        ),
        _ => (
            Outcome::Trouble,
            "correct the value; '--help' of the command has examples",
        ),
    }
}

fn of_pki(error: &Pki) -> Option<(Outcome, String)> {
    let outcome = if error.is_negative() {
        Outcome::Negative
    } else {
        Outcome::Trouble
    };
    match error {
        Pki::Crypto(error) => of_cause(error),
        Pki::Io(error) => of_cause(error),
        _ => {
            let hint = of_key(error).or_else(|| of_sealed_file(error)).unwrap_or(
                "is it the right file, and whole? keys, signatures and ciphertexts each have a form",
            );
            Some((outcome, hint.to_owned()))
        }
    }
}

fn of_key(error: &Pki) -> Option<&'static str> {
    Some(match error {
        Pki::WrongPassphrase => "try again; letter case and keyboard layout matter",
        Pki::PassphraseNeeded => "give --passphrase-env VAR or --passphrase-file FILE",
        Pki::EmptyPassphrase => "type one, or check that the variable or file holds it",
        Pki::PrivateKeyGiven => "'shangmi key convert --to spki-pem KEY' writes its public key",
        Pki::PublicKeyGiven => "name the file of the private key",
        Pki::CertificateGiven => {
            "'openssl x509 -in CERT -noout -pubkey' writes its public key; it holds no private key"
        }
        Pki::UnsupportedAlgorithm { .. } | Pki::Unsupported { .. } => {
            "'openssl pkcs8 -topk8 -v2 sm4-cbc -in KEY -out NEW' writes a private key as it is read here"
        }
        Pki::NoCurve => "have it written as PKCS#8, which names the curve",
        Pki::HexLength { .. } => {
            "digits are missing or too many; where a program left out zeros in front, put them back"
        }
        Pki::NegativeInteger { .. } => {
            "the program that wrote it is at fault; have it write raw bytes, or correct DER"
        }
        Pki::Pem { .. } => "copy the text again, from the BEGIN line to the END line",
        Pki::WrongCurve { .. } | Pki::WrongAlgorithm { .. } | Pki::WrongParameters { .. } => {
            "only SM2 keys can be used; 'shangmi key generate' makes one"
        }
        Pki::Ambiguous { .. } => "split the file so that it holds one key",
        Pki::FormatMismatch { .. } => {
            "'shangmi key convert --help' says which format is for which key"
        }
        Pki::PublicKeyMismatch => "the file is damaged; find another copy",
        _ => return None,
    })
}

fn of_sealed_file(error: &Pki) -> Option<&'static str> {
    Some(match error {
        Pki::NotForThisKey => {
            "use the private key of one of the recipients, or the passphrase if it was sealed with one"
        }
        Pki::NotForAPassphrase => "name the private key of one of the recipients with --key",
        Pki::TooManyIterations { .. } => {
            "it would keep this machine busy for long; ask for a file that was made with less work"
        }
        Pki::HeaderTampered | Pki::Tampered { .. } | Pki::Truncated | Pki::Malformed { .. } => {
            "the file is not what was sealed; get it again"
        }
        Pki::HeaderTruncated => "the file is cut off; was it copied completely?",
        Pki::Armor { .. } => "copy the text again, from the BEGIN line to the END line",
        Pki::RangePastEnd { .. } => {
            "--offset counts from 0; without --length comes all from there to the end"
        }
        Pki::NotSealed => {
            "for a bare SM2 ciphertext of another tool, add --raw auto; if it is text, --encoding too"
        }
        Pki::UnsupportedVersion { .. } => "a newer version of shangmi may read it",
        Pki::Limit { .. } => "one sealed file holds no more; make several",
        _ => return None,
    })
}

fn of_io(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => "check the name and the directory; '-' is standard input",
        io::ErrorKind::PermissionDenied => "check the permissions of the file and its directory",
        io::ErrorKind::IsADirectory => {
            "name a file; 'shangmi hash' and 'shangmi manifest' take directories"
        }
        io::ErrorKind::NotADirectory => {
            "a part of the name is a file and no directory; check the name"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space or write elsewhere; no unfinished file was left behind"
        }
        io::ErrorKind::FileTooLarge => {
            "the file system, or a limit of this session (ulimit -f), allows no larger file"
        }
        io::ErrorKind::ReadOnlyFilesystem => "choose a place that can be written to",
        io::ErrorKind::UnexpectedEof => "the input ends too early; was it copied completely?",
        _ => "the system refused; check that the file and its device are in order",
    }
}

/// Whether the reader of our output went away, which ends a run without a word.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    })
}
