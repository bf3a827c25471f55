//! `shangmi verify`.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::json;
use shangmi::sm2::{DEFAULT_ID, PublicKey, Signature, Verifier};
use shangmi::sm3::Sm3;
use shangmi_pki::{key, signature};

use crate::encoding::Encoding;
use crate::failure::{Failure, Outcome};
use crate::id::{self, IdArgs};
use crate::input::{self, Input, Small};
use crate::output::{Content, Output};
use crate::ui::{self, Format};
use crate::{hex, message};

/// Verify an SM2 signature of a file
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  shangmi verify --public pub.pem --signature FILE.sig FILE
  shangmi verify --public pub.pem --empty-id --signature FILE.sig FILE
  curl -s URL | shangmi verify --public pub.pem --signature FILE.sig -

Signatures are read as DER, as 64 bytes r and s, and as hex digits or Base64 of either.
When a signature is bad, the hint says whether it fits another common user ID.
Certificates are not read yet: --public takes the public key alone.
Exit status: 0 the signature is good; 1 it is not; 2 something could not be read.")]
pub(crate) struct Args {
    /// Public key: PEM, DER, raw bytes or hex
    #[arg(short, long, value_name = "PUB")]
    public: PathBuf,
    /// Signature: DER or raw bytes, or either as hex or Base64
    #[arg(short, long, value_name = "SIG")]
    signature: PathBuf,
    #[command(flatten)]
    id: IdArgs,
    /// FILE holds the digest e, not the message
    #[arg(long)]
    digest: bool,
    /// File that was signed, or '-'
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Verifies the signature.
pub(crate) fn run(args: &Args, format: Format) -> Result<Outcome> {
    input::check_one_stdin(&[&args.public, &args.signature, &args.file])?;
    let public = read_public(&args.public)?;
    let signature = read_signature(&args.signature)?;
    let id = args.id.get()?;
    let verifier = id::verifier(&public, &id)?;
    let mut guesses = Guesses::new(&public, &id)?;
    let e = if args.digest {
        guesses.0.clear();
        message::read_digest(&args.file)?.0
    } else {
        digest(&args.file, &verifier, &mut guesses)?
    };
    let valid = verifier.verify_digest(&e, &signature).is_ok();
    if format == Format::Json {
        ui::print_json(&json!({
            "file": args.file, "valid": valid,
            "id_hex": (!args.digest).then(|| hex::encode(&id)),
        }))?;
    }
    if !valid {
        let message = format!("bad signature of {}", ui::quote(&args.file));
        let hint = guesses.find(&args.file, &public, &signature)?;
        return Err(Failure::negative(message, hint).into());
    }
    if format == Format::Text {
        let under = if args.digest {
            "digest".to_owned()
        } else {
            id::describe(&id)
        };
        let mut out = Output::create(None, Content::Text, &[])?;
        out.put(
            format!(
                "OK: good signature of {} ({under})\n",
                ui::quote(&args.file)
            )
            .as_bytes(),
        )?;
        out.commit()?;
    }
    Ok(Outcome::Done)
}

fn read_public(path: &Path) -> Result<PublicKey> {
    let file = Small::read(path, "public key")?;
    let (key, _) = key::read_public_key(&file.bytes)
        .with_context(|| format!("cannot read public key {}", file.name))?;
    Ok(key)
}

fn read_signature(path: &Path) -> Result<Signature> {
    let file = Small::read(path, "signature")?;
    let bytes = match Encoding::guess(&file.bytes) {
        Some(encoding) => Cow::Owned(encoding.decode("signature", &file.bytes)?),
        None => Cow::Borrowed(file.bytes.as_slice()),
    };
    let (signature, _) =
        signature::read(&bytes).with_context(|| format!("cannot read signature {}", file.name))?;
    Ok(signature)
}

/// The digest under the expected ID. What can be read only once also gets the other digests now.
fn digest(path: &Path, verifier: &Verifier, guesses: &mut Guesses) -> Result<[u8; 32]> {
    let mut input = Input::open(path)?;
    let mut hashers = vec![verifier.hasher()];
    if input.length().is_none() {
        hashers.extend(guesses.0.iter().map(|guess| guess.hasher.clone()));
    }
    message::hash(&mut input, &mut hashers)?;
    let mut digests = hashers.into_iter().map(Sm3::finalize);
    let e = digests.next().expect("the first hasher is the verifier's");
    for (guess, digest) in guesses.0.iter_mut().zip(digests) {
        guess.digest = Some(digest);
    }
    Ok(e)
}

/// What a signer may have done instead.
struct Guess {
    hint: &'static str,
    hasher: Sm3,
    digest: Option<[u8; 32]>,
}

struct Guesses(Vec<Guess>);

impl Guesses {
    fn new(key: &PublicKey, id: &[u8]) -> Result<Self> {
        let mut guesses = Vec::new();
        let mut add = |hint, hasher| {
            guesses.push(Guess {
                hint,
                hasher,
                digest: None,
            });
        };
        if !id.is_empty() {
            add(
                "it is good under the empty ID, which OpenSSL before 4.0 uses: accept it with \
                 --empty-id, or sign with -sigopt distid:1234567812345678",
                Verifier::with_empty_id(key)?.hasher(),
            );
        }
        if id != DEFAULT_ID {
            add(
                "it is good under the default ID 1234567812345678: leave the ID option out",
                Verifier::new(key, DEFAULT_ID)?.hasher(),
            );
        }
        add(
            "it signs SM3 of the file without Z_A, which is not the standard: \
             'shangmi hash' and --digest can verify it",
            Sm3::new(),
        );
        Ok(Self(guesses))
    }

    /// The hint for a bad signature.
    fn find(mut self, path: &Path, key: &PublicKey, signature: &Signature) -> Result<&'static str> {
        if self.0.iter().any(|guess| guess.digest.is_none()) {
            let mut hashers: Vec<Sm3> = self.0.iter().map(|guess| guess.hasher.clone()).collect();
            message::hash(&mut Input::open(path)?, &mut hashers)?;
            for (guess, hasher) in self.0.iter_mut().zip(hashers) {
                guess.digest = Some(hasher.finalize());
            }
        }
        let verifier = Verifier::with_empty_id(key)?;
        let fits = |guess: &&Guess| {
            guess
                .digest
                .is_some_and(|e| verifier.verify_digest(&e, signature).is_ok())
        };
        Ok(self.0.iter().find(fits).map_or(
            "the file or the signature was changed, or the key or the user ID is another one",
            |guess| guess.hint,
        ))
    }
}
