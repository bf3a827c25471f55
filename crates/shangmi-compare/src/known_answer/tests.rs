//! Every kind of broken subject is refused, with a reason.

use std::rc::Rc;

use super::*;
use crate::hardware::Hardware;
use crate::result::{Execution, Side};
use crate::subjects::{Digest, HashStream, MakeMac, aws_lc};

mod cipher;
mod public_key;

fn subject(algorithm: &str) -> Subject {
    Subject {
        algorithm: algorithm.to_owned(),
        variant: None,
        library: "broken".to_owned(),
        backend: "none".to_owned(),
        side: Side::International,
        execution: Execution::Software,
        constant_time: None,
        security_bits: 0,
    }
}

/// The reason for which `check` refuses.
fn reason(check: Result<(), String>) -> String {
    check.expect_err("a broken subject must be refused")
}

/// SHA-256 whose long messages, or whose stream, are wrong.
struct BrokenHash {
    longest: usize,
    stream: bool,
}

impl Hash for BrokenHash {
    fn digest(&self, message: &[u8]) -> Digest {
        reference::sha256::digest(&message[..message.len().min(self.longest)])
    }

    fn stream(&self) -> Option<Box<dyn HashStream>> {
        self.stream
            .then(|| Box::new(NeverReset(Vec::new())) as Box<dyn HashStream>)
    }
}

/// A stream that does not start anew.
struct NeverReset(Vec<u8>);

impl HashStream for NeverReset {
    fn update(&mut self, part: &[u8]) {
        self.0.extend_from_slice(part);
    }

    fn finish(&mut self) -> Digest {
        reference::sha256::digest(&self.0)
    }
}

#[test]
fn broken_hash_is_refused_and_listed() {
    let candidates: Vec<Candidate<Rc<dyn Hash>>> =
        [(3, false), (usize::MAX, true), (usize::MAX, false)]
            .into_iter()
            .map(|(longest, stream)| Candidate {
                subject: subject("SHA-256"),
                object: Rc::new(BrokenHash { longest, stream }) as Rc<dyn Hash>,
            })
            .collect();
    let mut refused = Vec::new();
    let admitted = admit(Group::Hash, candidates, &mut refused, |candidate| {
        hash(&candidate.subject, candidate.object.as_ref())
    });
    assert_eq!(admitted.len(), 1, "the one that is right passes");
    assert_eq!(refused.len(), 2);
    assert!(
        refused[0]
            .reason
            .starts_with("digest of 192 bytes: expected 4bdaf0"),
        "{:?}",
        refused[0]
    );
    assert!(refused[1].reason.contains("in parts"), "{:?}", refused[1]);
    assert_eq!(
        (refused[0].group, refused[0].subject.as_str()),
        (Group::Hash, "broken")
    );
}

#[test]
fn another_algorithm_is_refused() {
    let sha256 = BrokenHash {
        longest: usize::MAX,
        stream: false,
    };
    assert!(reason(hash(&subject("SM3"), &sha256)).contains("expected 66c7f0"));
    assert!(reason(hash(&subject("MD5"), &sha256)).contains("no known answer"));
}

/// Keeps the first key for ever.
struct DeafMac(Box<dyn Mac>);

impl Mac for DeafMac {
    fn mac(&mut self, message: &[u8]) -> Digest {
        self.0.mac(message)
    }

    fn mac_with_key(&mut self, _key: &[u8], message: &[u8]) -> Digest {
        self.0.mac(message)
    }
}

/// Leaves the last of many messages out.
struct ShortMac(Box<dyn Mac>);

impl Mac for ShortMac {
    fn mac(&mut self, message: &[u8]) -> Digest {
        self.0.mac(message)
    }

    fn mac_with_key(&mut self, key: &[u8], message: &[u8]) -> Digest {
        self.0.mac_with_key(key, message)
    }

    fn mac_many(&mut self, messages: &[&[u8]], out: &mut [Digest]) -> bool {
        let rest = messages.len() - 1;
        self.0.mac_many(&messages[..rest], &mut out[..rest])
    }
}

#[test]
fn a_mac_that_ignores_its_new_key_or_a_message_is_refused() {
    let mut all = aws_lc::macs(&Hardware::detect());
    all.extend(crate::subjects::shangmi::macs());
    assert_eq!(all.len(), 4);
    for candidate in all {
        let (subject, make) = (&candidate.subject, &candidate.object);
        assert_eq!(mac(subject, make), Ok(()), "{}", subject.algorithm);
        let inner = Rc::clone(make);
        let deaf: MakeMac = Rc::new(move |key| Some(Box::new(DeafMac(inner(key)?))));
        assert!(reason(mac(subject, &deaf)).contains("depends on the key"));
        let inner = Rc::clone(make);
        let short: MakeMac = Rc::new(move |key| Some(Box::new(ShortMac(inner(key)?))));
        assert!(reason(mac(subject, &short)).starts_with("tag of message 65"));
        let none: MakeMac = Rc::new(|_| None);
        assert!(reason(mac(subject, &none)).contains("not accepted"));
    }
}
