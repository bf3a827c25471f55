//! A request with what must come of it.

use std::collections::BTreeMap;

use anyhow::{Result, bail, ensure};

use super::case::Case;
use super::peer::{Answer, Fault, Peer, Port, Request};

/// What a check is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The public key of d.
    PublicKey,
    /// Their signature is valid for us.
    TheirSignature,
    /// Ours is valid for them.
    OurSignature,
    /// They refuse ours when a bit of it, or of the message, was changed.
    ChangedSignature,
    /// We decrypt theirs.
    TheirCiphertext,
    /// They decrypt ours.
    OurCiphertext,
    /// They refuse ours when a bit was changed.
    ChangedCiphertext,
    /// They refuse a public key of which a bit was changed: it is not on the curve.
    ChangedKey,
    /// They begin an exchange.
    TheyInitiate,
    /// They answer in an exchange.
    TheyRespond,
    /// They refuse a point or a confirmation of which a bit was changed.
    ChangedExchange,
}

pub(super) struct Check<'a> {
    pub(super) case: &'a Case,
    pub(super) kind: Kind,
    pub(super) request: Request,
    pub(super) judge: Judge<'a>,
}

/// Says what is wrong with an answer, or what to ask next.
type Judge<'a> = Box<dyn FnOnce(&Answer, &mut Zeros) -> Result<Vec<Check<'a>>> + 'a>;

impl<'a> Check<'a> {
    pub(super) fn new(
        case: &'a Case,
        kind: Kind,
        request: Request,
        judge: impl FnOnce(&Answer, &mut Zeros) -> Result<Vec<Self>> + 'a,
    ) -> Self {
        Self {
            case,
            kind,
            request,
            judge: Box::new(judge),
        }
    }

    /// The answer has exactly these bytes.
    pub(super) fn gives(case: &'a Case, kind: Kind, request: Request, bytes: Vec<u8>) -> Self {
        Self::new(case, kind, request, move |answer, _| {
            let [found] = fields(answer)?;
            ensure!(*found == bytes, "other bytes than ours");
            Ok(Vec::new())
        })
    }

    /// The answer is yes.
    pub(super) fn accepts(case: &'a Case, kind: Kind, request: Request) -> Self {
        Self::new(case, kind, request, |answer, _| {
            let [] = fields(answer)?;
            Ok(Vec::new())
        })
    }

    pub(super) fn refuses(case: &'a Case, kind: Kind, request: Request) -> Self {
        Self::new(case, kind, request, |answer, _| {
            ensure!(answer.is_err(), "a changed bit is taken");
            Ok(Vec::new())
        })
    }
}

/// The bytes of an answer that must have so many.
pub(super) fn fields<const N: usize>(answer: &Answer) -> Result<&[Vec<u8>; N]> {
    match answer {
        Err(reason) => bail!("refused: {reason}"),
        Ok(fields) => match fields.as_slice().try_into() {
            Ok(fields) => Ok(fields),
            Err(_) => bail!("{} fields instead of {N}", fields.len()),
        },
    }
}

/// `bytes` with one bit changed, at `from` or behind.
pub(super) fn flip(bytes: &[u8], from: usize, which: u64) -> Vec<u8> {
    let mut flipped = bytes.to_vec();
    let bit = 8 * from + (which % (8 * (bytes.len() - from)) as u64) as usize;
    flipped[bit / 8] ^= 1 << (bit % 8);
    flipped
}

/// How many of the peer's values begin with a zero byte.
#[derive(Clone, Debug, Default)]
pub(super) struct Zeros {
    pub(super) r: u64,
    pub(super) s: u64,
    pub(super) x: u64,
    pub(super) y: u64,
}

/// What was found so far.
pub(super) struct Tally {
    pub(super) answers: usize,
    pub(super) zeros: Zeros,
    /// How often each known fault explained a difference.
    pub(super) faults: BTreeMap<&'static str, usize>,
}

impl Tally {
    pub(super) fn new(peer: &Peer) -> Self {
        Self {
            answers: 0,
            zeros: Zeros::default(),
            faults: peer.faults.iter().map(|fault| (fault.name, 0)).collect(),
        }
    }

    /// Asks, judges, and asks what follows.
    ///
    /// # Errors
    /// A difference that no known fault explains, or no answer.
    pub(super) fn run(
        &mut self,
        peer: &Peer,
        port: &mut dyn Port,
        checks: Vec<Check<'_>>,
    ) -> Result<()> {
        let mut checks = checks;
        while !checks.is_empty() {
            let requests: Vec<_> = checks.iter().map(|check| check.request.clone()).collect();
            let answers = port.answer(&requests)?;
            ensure!(answers.len() == requests.len(), "answers are missing");
            self.answers += answers.len();
            let mut later = Vec::new();
            for (check, answer) in checks.into_iter().zip(&answers) {
                later.extend(self.judge(peer, check, answer)?);
            }
            checks = later;
        }
        Ok(())
    }

    fn judge<'a>(
        &mut self,
        peer: &Peer,
        check: Check<'a>,
        answer: &Answer,
    ) -> Result<Vec<Check<'a>>> {
        let Check {
            case,
            kind,
            request,
            judge,
        } = check;
        let error = match judge(answer, &mut self.zeros) {
            Ok(next) => return Ok(next),
            Err(error) => error,
        };
        let known = |fault: &&Fault| (fault.explains)(case, kind, answer);
        match peer.faults.iter().find(known) {
            Some(fault) => *self.faults.entry(fault.name).or_default() += 1,
            None => bail!(
                "{kind:?}: {error:#}; case {} ({:?})\nasked: {}\nanswered: {answer:02x?}",
                case.number,
                case.special,
                request.shown()
            ),
        }
        Ok(Vec::new())
    }
}
