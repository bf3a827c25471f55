//! SM3 on every way into the library: whole, in pieces, many together, many in pieces, and HMAC.

use anyhow::{Result, ensure};
use shangmi::sm3::hmac::HmacKey;
use shangmi::sm3::{self, Digest, MultiSm3, Sm3};

use super::libcrypto::{self, INSTALL, Libcrypto};
use super::{Options, Progress, Random, without_peer};

/// Bytes from which messages are taken.
const MEMORY: usize = 64 * 1024;

/// Longest message.
const LONGEST: usize = 8 * 1024;

/// Most messages of a batch: more than two chains of the widest lanes.
const MOST: usize = 70;

/// Streams of `MultiSm3`: more than the widest lanes.
const STREAMS: usize = 40;

/// Longest key of HMAC: longer than a block.
const LONGEST_KEY: usize = 100;

/// One batch in so many is compared with `reference` as well, which is slow.
const FOR_REFERENCE: u64 = 100;

#[expect(clippy::print_stdout, reason = "the user is told what was compared")]
pub(super) fn run(options: &Options) -> Result<()> {
    let peer = match libcrypto::open() {
        Ok(peer) => peer,
        Err(reason) => return without_peer(&reason, INSTALL),
    };
    println!("{}, beside {}", backends(), peer.version);
    let seed = options.seed();
    let mut random = Random(seed);
    let mut memory = vec![0; MEMORY];
    let mut progress = Progress::new(options.count);
    for number in 0_u64.. {
        if progress.is_done() {
            break;
        }
        let seldom = number.is_multiple_of(FOR_REFERENCE);
        if seldom {
            random.fill(&mut memory);
        }
        let batch = Batch {
            messages: draw(&mut random, &memory),
            place: format!("--seed {seed}, batch {number}"),
        };
        batch.compare_digests(&mut random, &peer)?;
        batch.compare_tags(&mut random, &peer)?;
        if seldom {
            batch.compare_with_reference()?;
        }
        progress.advance(batch.messages.len());
    }
    let (count, seconds) = (progress.done, progress.end());
    println!("{count} messages, no difference, {seconds:.1} s");
    Ok(())
}

/// Messages of a batch, at any offset.
fn draw<'a>(random: &mut Random, memory: &'a [u8]) -> Vec<&'a [u8]> {
    let count = 1 + random.below(MOST);
    let message = |_| {
        let length = length(random);
        let start = random.below(memory.len() - length + 1);
        &memory[start..start + length]
    };
    (0..count).map(message).collect()
}

/// Short ones mostly, and lengths around whole blocks.
fn length(random: &mut Random) -> usize {
    match random.below(16) {
        0..9 => random.below(301),
        9..13 => 64 * (1 + random.below(16)) + random.below(3) - 1,
        13..15 => random.below(1001),
        _ => random.below(LONGEST + 1),
    }
}

/// Messages that are hashed in every way; the first difference is an error.
struct Batch<'a> {
    messages: Vec<&'a [u8]>,
    /// How to come here again.
    place: String,
}

impl Batch<'_> {
    fn compare_digests(&self, random: &mut Random, peer: &Libcrypto) -> Result<()> {
        let messages = &self.messages;
        let expected = self.each(|message| peer.digest(message))?;
        let whole = self.each(|message| Ok(sm3::digest(message)))?;
        self.equal("digest", &whole, &expected)?;
        let pieces = self.each(|message| Ok(in_pieces(random, message)))?;
        self.equal("Sm3", &pieces, &expected)?;
        let mut together = vec![[0; 32]; messages.len()];
        sm3::digest_many(messages, &mut together)?;
        self.equal("digest_many", &together, &expected)?;
        self.equal("MultiSm3", &side_by_side(random, messages), &expected)
    }

    /// That the two that agreed are right.
    fn compare_with_reference(&self) -> Result<()> {
        let expected = self.each(|message| Ok(reference::sm3::digest(message)))?;
        let whole = self.each(|message| Ok(sm3::digest(message)))?;
        self.equal("digest beside reference", &whole, &expected)
    }

    fn compare_tags(&self, random: &mut Random, peer: &Libcrypto) -> Result<()> {
        let mut bytes = vec![0; random.below(LONGEST_KEY + 1)];
        random.fill(&mut bytes);
        let expected = self.each(|message| peer.hmac(&bytes, message))?;
        let key = HmacKey::new(&bytes);
        let single = self.each(|message| Ok(key.mac(message)))?;
        self.equal("HmacKey::mac", &single, &expected)?;
        let mut together = vec![[0; 32]; self.messages.len()];
        key.mac_many(&self.messages, &mut together)?;
        self.equal("HmacKey::mac_many", &together, &expected)
    }

    fn each(&self, of: impl FnMut(&[u8]) -> Result<Digest>) -> Result<Vec<Digest>> {
        self.messages.iter().copied().map(of).collect()
    }

    fn equal(&self, way: &str, found: &[Digest], expected: &[Digest]) -> Result<()> {
        for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
            let (length, of, place) = (self.messages[i].len(), self.messages.len(), &self.place);
            ensure!(
                found == expected,
                "{way} differs: message {i} of {of}, {length} bytes ({place}); {}",
                backends()
            );
        }
        Ok(())
    }
}

/// The code paths that run.
fn backends() -> String {
    let (one, many) = (Sm3::new().backend(), sm3::many_backend());
    format!("one stream: {one}, many messages: {many}")
}

fn in_pieces(random: &mut Random, message: &[u8]) -> Digest {
    let (mut hash, mut rest) = (Sm3::new(), message);
    while !rest.is_empty() {
        hash.update(random.cut(&mut rest));
    }
    hash.finalize()
}

/// The digests of the first messages, in pieces beside each other.
fn side_by_side(random: &mut Random, messages: &[&[u8]]) -> [Digest; STREAMS] {
    let mut hash = MultiSm3::<STREAMS>::new();
    let mut rests = [&[][..]; STREAMS];
    rests
        .iter_mut()
        .zip(messages)
        .for_each(|(rest, message)| *rest = message);
    while rests.iter().any(|rest| !rest.is_empty()) {
        hash.update(&rests.each_mut().map(|rest| random.cut(rest)));
    }
    hash.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_reach_all_boundaries() {
        let mut random = Random(7);
        let mut seen = [false; LONGEST + 1];
        (0..20_000).for_each(|_| seen[length(&mut random)] = true);
        assert!(seen[..=300].iter().all(|seen| *seen));
        assert!((1..=16).all(|k| seen[64 * k - 1] && seen[64 * k] && seen[64 * k + 1]));
        assert!(seen[4096..].iter().any(|seen| *seen));
    }
}
