//! A request with what must come of it.

use std::collections::BTreeMap;

use anyhow::{Result, bail, ensure};

use super::case::Case;
use super::peer::{Answer, Fault, Peer, Port, Request, shown};

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
    /// They refuse a ciphertext whose key stream is zero.
    ZeroKeyStream,
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
    /// How often it was asked before, and the answer was a fault that comes by chance.
    asked: usize,
}

/// Says what is wrong with an answer, or what to ask next.
type Judge<'a> = Box<dyn Fn(&Answer, &mut Zeros) -> Result<Vec<Check<'a>>> + 'a>;

/// A fault that comes by chance is none when it comes so often in a row: with 1 in 256, once in 10^14 checks.
const MOST_BY_CHANCE: usize = 6;

impl<'a> Check<'a> {
    pub(super) fn new(
        case: &'a Case,
        kind: Kind,
        request: Request,
        judge: impl Fn(&Answer, &mut Zeros) -> Result<Vec<Self>> + 'a,
    ) -> Self {
        Self {
            case,
            kind,
            request,
            judge: Box::new(judge),
            asked: 0,
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
            ensure!(answer.is_err(), "it takes what must be refused");
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
    /// How many key agreements of `testdata/sm2` were asked for.
    pub(super) agreements: usize,
    /// How often each known fault explained a difference.
    pub(super) faults: BTreeMap<&'static str, usize>,
}

impl Tally {
    pub(super) fn new(peer: &Peer) -> Self {
        Self {
            answers: 0,
            zeros: Zeros::default(),
            agreements: 0,
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
        mut check: Check<'a>,
        answer: &Answer,
    ) -> Result<Vec<Check<'a>>> {
        let error = match (check.judge)(answer, &mut self.zeros) {
            Ok(next) => return Ok(next),
            Err(error) => error,
        };
        let (case, kind) = (check.case, check.kind);
        let known = |fault: &&Fault| (fault.explains)(case, kind, answer);
        match peer.faults.iter().find(known) {
            Some(fault) if !fault.by_chance => {
                *self.faults.entry(fault.name).or_default() += 1;
                Ok(Vec::new())
            }
            Some(fault) if check.asked < MOST_BY_CHANCE => {
                *self.faults.entry(fault.name).or_default() += 1;
                check.asked += 1;
                Ok(vec![check])
            }
            _ => bail!(
                "{kind:?}: {error:#}; case {} ({:?})\nasked: {}\nanswered: {}",
                case.number,
                case.special,
                check.request.shown(),
                shown(answer)
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::differential::Random;

    /// Gives one answer to everything.
    struct Parrot(Answer);

    impl Port for Parrot {
        fn answer(&mut self, requests: &[Request]) -> Result<Vec<Answer>> {
            Ok(vec![self.0.clone(); requests.len()])
        }
    }

    const FAULTY: Peer = Peer {
        name: "faulty",
        install: "",
        signatures: &[],
        ciphertexts: &[],
        exchange: false,
        agrees: false,
        faults: &[
            Fault {
                name: "it takes changed ciphertexts",
                by_chance: false,
                explains: |_, kind, answer| kind == Kind::ChangedCiphertext && answer.is_ok(),
            },
            Fault {
                name: "it gives up",
                by_chance: true,
                explains: |_, kind, answer| kind == Kind::TheirCiphertext && answer.is_err(),
            },
        ],
        open: |_| bail!("it is not there"),
    };

    type Make = for<'a> fn(&'a Case, Request) -> Check<'a>;

    fn judged(answer: &Answer, make: Make) -> Result<Tally> {
        let case = Case::draw(1, &mut Random(7))?;
        let mut tally = Tally::new(&FAULTY);
        let checks = vec![make(&case, Request::new("request"))];
        tally.run(&FAULTY, &mut Parrot(answer.clone()), checks)?;
        Ok(tally)
    }

    #[test]
    fn an_unknown_difference_is_an_error_that_says_where() {
        let takes = judged(&Ok(vec![]), |case, request| {
            Check::refuses(case, Kind::ChangedSignature, request)
        });
        let error = format!("{:#}", takes.err().expect("a difference"));
        for part in [
            "ChangedSignature",
            "case 1",
            "asked: request",
            "answered: ok",
        ] {
            assert!(error.contains(part), "{error}");
        }
        let refused = Err("no".to_owned());
        for wrong in [refused, Ok(vec![vec![2]]), Ok(vec![]), Ok(vec![vec![1]; 2])] {
            let gives: Make = |case, request| Check::gives(case, Kind::PublicKey, request, vec![1]);
            assert!(judged(&wrong, gives).is_err(), "{wrong:?}");
        }
        let accepts: Make = |case, request| Check::accepts(case, Kind::OurSignature, request);
        assert!(judged(&Err("no".to_owned()), accepts).is_err());
        assert!(judged(&Ok(vec![]), accepts).is_ok());
    }

    #[test]
    fn a_known_fault_is_counted_under_its_name() {
        let refuses: Make = |case, request| Check::refuses(case, Kind::ChangedCiphertext, request);
        let count = |answer| judged(&answer, refuses).unwrap().faults[FAULTY.faults[0].name];
        assert_eq!(count(Ok(vec![vec![1]])), 1);
        assert_eq!(count(Err("no".to_owned())), 0);
    }

    /// Refuses so many times, and then gives an answer.
    struct Refuser(usize);

    impl Port for Refuser {
        fn answer(&mut self, requests: &[Request]) -> Result<Vec<Answer>> {
            assert_eq!(requests.len(), 1);
            self.0 = self.0.saturating_sub(1);
            Ok(vec![match self.0 {
                0 => Ok(vec![vec![1]]),
                _ => Err("no".to_owned()),
            }])
        }
    }

    #[test]
    fn what_fails_by_chance_is_asked_again_and_must_be_right_then() {
        let case = Case::draw(1, &mut Random(7)).unwrap();
        let ask = |refusals: usize| {
            let mut tally = Tally::new(&FAULTY);
            let request = Request::new("request");
            let check = Check::gives(&case, Kind::TheirCiphertext, request, vec![1]);
            let run = tally.run(&FAULTY, &mut Refuser(refusals + 1), vec![check]);
            run.map(|()| tally.faults[FAULTY.faults[1].name])
        };
        for refusals in [0, 1, MOST_BY_CHANCE] {
            assert_eq!(ask(refusals).unwrap(), refusals);
        }
        assert!(ask(MOST_BY_CHANCE + 1).is_err());
    }

    #[test]
    fn one_bit_is_changed_and_none_before_the_place() {
        let bytes = [0; 5];
        let mut seen = [0; 5];
        for which in 0..64 {
            let flipped = flip(&bytes, 2, which);
            let ones: u32 = flipped.iter().map(|byte| byte.count_ones()).sum();
            assert_eq!(ones, 1);
            seen.iter_mut()
                .zip(flipped)
                .for_each(|(seen, byte)| *seen |= byte);
        }
        assert_eq!(seen, [0, 0, 0xff, 0xff, 0xff]);
    }
}
