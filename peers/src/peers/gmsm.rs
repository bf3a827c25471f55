//! gmsm, a Go module, in a process of its own: `gmsm/main.go`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::known_answer::{hex, key_pair, public_for, unhex};
use crate::measure::Spent;
use crate::peer::{Curve, Digest, Form, Item, KeyPair, Missing, Operation, Peer};

pub(super) fn open(program: Option<&Path>) -> Result<Peer, Missing> {
    let missing = |reason: String| Missing {
        peer: "gmsm",
        reason,
        install: "apt-get install golang-go",
    };
    let program = program.ok_or_else(|| missing("no Go, or it does not build".to_owned()))?;
    let (version, curve) = start(program).map_err(|error| missing(format!("{error:#}")))?;
    Ok(Peer {
        name: "gmsm",
        version,
        curve: Some(Box::new(curve)),
        ..Peer::default()
    })
}

fn start(program: &Path) -> Result<(String, Gmsm)> {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("it does not start")?;
    let requests = child.stdin.take().context("no pipe to it")?;
    let answers = child.stdout.take().context("no pipe from it")?;
    let mut gmsm = Gmsm {
        child,
        requests,
        answers: BufReader::new(answers),
    };
    let version = gmsm.ask(&Request {
        operation: "version",
        ..Request::default()
    })?;
    gmsm.set_key(&key_pair("SM2"));
    Ok((version.output, gmsm))
}

#[derive(Default, Serialize)]
struct Request<'a> {
    operation: &'a str,
    key: String,
    inputs: &'a [String],
    signatures: &'a [String],
    iterations: u64,
}

#[derive(Deserialize)]
struct Answer {
    output: String,
    accepted: bool,
    processor: f64,
    wall: f64,
    error: String,
}

struct Gmsm {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Drop for Gmsm {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Gmsm {
    fn ask(&mut self, request: &Request<'_>) -> Result<Answer> {
        let mut line = serde_json::to_string(request)?;
        line.push('\n');
        self.requests.write_all(line.as_bytes())?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let answer: Answer = serde_json::from_str(&line).context("it answers in another form")?;
        if !answer.error.is_empty() {
            bail!("{}", answer.error);
        }
        Ok(answer)
    }

    fn once(
        &mut self,
        operation: Operation,
        public: &[u8; 65],
        input: &[u8],
        signature: &[u8],
    ) -> Option<Answer> {
        let answer = self.ask(&Request {
            operation: name(operation),
            key: hex(public),
            inputs: &[hex(input)],
            signatures: &[hex(signature)],
            iterations: 1,
        });
        answer.ok()
    }

    fn output(&mut self, operation: Operation, input: &[u8]) -> Vec<u8> {
        let answer = self.once(operation, &public_for("SM2", operation), input, &[]);
        answer.map_or_else(Vec::new, |answer| unhex(&answer.output))
    }
}

fn name(operation: Operation) -> &'static str {
    match operation {
        Operation::Generate => "generate",
        Operation::Sign => "sign",
        Operation::Verify => "verify",
        Operation::VerifyNewKey => "verify_new_key",
        Operation::Encrypt => "encrypt",
        Operation::Decrypt => "decrypt",
        Operation::Exchange => "exchange",
    }
}

impl Curve for Gmsm {
    fn code_path(&self, operation: Operation) -> String {
        match operation {
            Operation::Verify => "another process; the key read before, no table",
            _ => "another process",
        }
        .to_owned()
    }

    fn has(&self, _operation: Operation) -> bool {
        true
    }

    fn form(&self) -> Form {
        Form::Der
    }

    fn set_key(&mut self, key: &KeyPair) {
        // A failure shows in the results: there is then no key, or another one.
        let _ = self.ask(&Request {
            operation: "key",
            key: hex(&key.private),
            ..Request::default()
        });
    }

    fn sign(&mut self, e: &Digest) -> Vec<u8> {
        self.output(Operation::Sign, e)
    }

    fn verify(&mut self, e: &Digest, signature: &[u8]) -> bool {
        let public = public_for("SM2", Operation::Verify);
        let answer = self.once(Operation::Verify, &public, e, signature);
        answer.is_some_and(|answer| answer.accepted)
    }

    fn verify_new_key(&mut self, public: &[u8; 65], e: &Digest, signature: &[u8]) -> bool {
        let answer = self.once(Operation::VerifyNewKey, public, e, signature);
        answer.is_some_and(|answer| answer.accepted)
    }

    fn generate(&mut self) -> Vec<u8> {
        self.output(Operation::Generate, &[])
    }

    fn encrypt(&mut self, plaintext: &[u8]) -> Vec<u8> {
        self.output(Operation::Encrypt, plaintext)
    }

    fn decrypt(&mut self, ciphertext: &[u8]) -> Vec<u8> {
        self.output(Operation::Decrypt, ciphertext)
    }

    fn exchange(&mut self, _public: &[u8; 65], r_b: &[u8]) -> Vec<u8> {
        self.output(Operation::Exchange, r_b)
    }

    fn elsewhere(&mut self, operation: Operation, pool: &[Item], iterations: u64) -> Option<Spent> {
        let digests = pool.iter().map(|(e, _)| hex(e)).collect::<Vec<_>>();
        let made = pool.iter().map(|(_, made)| hex(made)).collect::<Vec<_>>();
        let (inputs, signatures) = match operation {
            Operation::Decrypt | Operation::Exchange => (&made, &digests),
            _ => (&digests, &made),
        };
        let answer = self.ask(&Request {
            operation: name(operation),
            key: hex(&public_for("SM2", operation)),
            inputs,
            signatures,
            iterations,
        });
        let answer = answer.ok().filter(|answer| answer.accepted)?;
        Some((answer.processor, answer.wall))
    }
}
