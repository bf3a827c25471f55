//! SM4 in every mode, both ways: at once, in pieces, many messages beside each other.

mod libcrypto;
mod libgcrypt;
mod ours;

use anyhow::{Result, bail, ensure};
use reference::sm4::modes::xts;
use reference::sm4::{Sm4 as Book, Stage};
use shangmi::modes::cbc;
use shangmi::modes::cmac::CmacKey;
use shangmi::sm4::{Block, Sm4};

use super::{Options, Progress, Random, without_peer};

/// A mode, as all sides know it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Ecb,
    Cbc,
    Cfb,
    Ofb,
    Ctr,
    Gcm,
    Ccm,
    XtsIeee,
    XtsGb,
    Cmac,
}

impl Mode {
    const ALL: [Self; 10] = [
        Self::Ecb,
        Self::Cbc,
        Self::Cfb,
        Self::Ofb,
        Self::Ctr,
        Self::Gcm,
        Self::Ccm,
        Self::XtsIeee,
        Self::XtsGb,
        Self::Cmac,
    ];

    const fn key_len(self) -> usize {
        match self {
            Self::XtsIeee | Self::XtsGb => 32,
            _ => 16,
        }
    }

    /// With a tag after the ciphertext.
    const fn authenticates(self) -> bool {
        matches!(self, Self::Gcm | Self::Ccm)
    }
}

/// Which way.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Encrypt,
    Decrypt,
}

/// What goes in.
struct Case {
    mode: Mode,
    key: Vec<u8>,
    iv: Vec<u8>,
    aad: Vec<u8>,
    text: Vec<u8>,
}

/// Longest message but for a few.
const LONG: usize = 4 * 1024;

/// The numbers of blocks that some code computes beside each other.
const BLOCKS: [usize; 6] = [4, 8, 16, 32, 64, 96];

/// Most messages of a batch: more than the widest lanes.
const MOST: usize = 70;

/// One case in so many is a batch.
const BATCH: usize = 50;

impl Case {
    fn draw(random: &mut Random) -> Self {
        let mode = Mode::ALL[random.below(Mode::ALL.len())];
        let iv_len = match mode {
            Mode::Gcm => [12, 12, 1 + random.below(64)][random.below(3)],
            Mode::Ccm => 7 + random.below(7),
            _ => 16,
        };
        let aad_len = random.below(100) * usize::from(mode.authenticates());
        Self {
            mode,
            key: random.bytes(mode.key_len()),
            iv: iv(random, iv_len),
            aad: random.bytes(aad_len),
            text: text(random, mode),
        }
    }
}

/// Often so close to its end that a counter carries, over one byte or over all of them.
fn iv(random: &mut Random, length: usize) -> Vec<u8> {
    let mut iv = random.bytes(length);
    if random.below(2) == 0 {
        let from = random.below(length);
        iv[from..].fill(0xff);
        iv[length - 1] -= random.below(100) as u8;
    }
    iv
}

/// As long as the mode allows: whole blocks, or 16 bytes and more.
fn text(random: &mut Random, mode: Mode) -> Vec<u8> {
    let length = length(random);
    let length = match mode {
        Mode::Ecb | Mode::Cbc => length / 16 * 16,
        Mode::XtsIeee | Mode::XtsGb => length.max(16),
        _ => length,
    };
    random.bytes(length)
}

fn length(random: &mut Random) -> usize {
    match random.below(32) {
        0..16 => random.below(301),
        16..29 => 16 * BLOCKS[random.below(BLOCKS.len())] + random.below(65) - 32,
        29..31 => random.below(LONG + 1),
        _ => random.below(16 * LONG + 1),
    }
}

/// The other implementations.
struct Peers {
    libcrypto: libcrypto::Libcrypto,
    libgcrypt: libgcrypt::Libgcrypt,
}

impl Peers {
    /// What each of them makes of the case; `text` stands for the case's own.
    fn outputs(&self, case: &Case, way: Way, text: &[u8]) -> Result<Vec<(&'static str, Vec<u8>)>> {
        let mut outputs = Vec::new();
        if let Some(found) = self.libcrypto.crypt(case, way, text)? {
            outputs.push(("OpenSSL", found));
        }
        if let Some(found) = self.libgcrypt.crypt(case, way, text)? {
            outputs.push(("libgcrypt", found));
        }
        if case.mode == Mode::XtsGb {
            outputs.push(("reference", by_the_book(case, way, text)?));
        }
        ensure!(!outputs.is_empty(), "nobody has {:?}", case.mode);
        Ok(outputs)
    }
}

/// SM4-XTS of GB/T 17964, which neither library of Debian 12 has.
fn by_the_book(case: &Case, way: Way, text: &[u8]) -> Result<Vec<u8>> {
    let (halves, _) = case.key.as_chunks::<16>();
    let [data, tweak] = [0_usize, 1].map(|half| Book::new(&halves[half], Stage::TTable));
    let keys = xts::Keys {
        data: &data,
        tweak: &tweak,
    };
    let iv = case.iv.as_slice().try_into()?;
    let crypt = match way {
        Way::Encrypt => xts::encrypt,
        Way::Decrypt => xts::decrypt,
    };
    match crypt(xts::Standard::Gb, keys, iv, text) {
        Some(out) => Ok(out),
        None => bail!("reference refuses {} bytes", text.len()),
    }
}

#[expect(clippy::print_stdout, reason = "the user is told what was compared")]
pub(super) fn run(options: &Options) -> Result<()> {
    let libcrypto = match libcrypto::open() {
        Ok(peer) => peer,
        Err(reason) => return without_peer(&reason, super::libcrypto::INSTALL),
    };
    let libgcrypt = match libgcrypt::open() {
        Ok(peer) => peer,
        Err(reason) => return without_peer(&reason, libgcrypt::INSTALL),
    };
    let backend = Sm4::new(&[0; 16]).backend();
    println!(
        "{backend}, beside {} and libgcrypt {}",
        libcrypto.version, libgcrypt.version
    );
    let peers = Peers {
        libcrypto,
        libgcrypt,
    };
    let seed = options.seed();
    let mut random = Random(seed);
    let mut progress = Progress::new(options.count);
    for number in 0_u64.. {
        if progress.is_done() {
            break;
        }
        let place = format!("--seed {seed}, case {number}; {backend}");
        let done = if random.below(BATCH) == 0 {
            compare_many(&mut random, &peers, &place)?
        } else {
            compare(&mut random, &peers, &place)?;
            1
        };
        progress.advance(done);
    }
    let (count, seconds) = (progress.done, progress.end());
    println!("{count} messages, no difference, {seconds:.1} s");
    Ok(())
}

/// One message, there and back.
fn compare(random: &mut Random, peers: &Peers, place: &str) -> Result<()> {
    let case = Case::draw(random);
    let sealed = ours::encrypt(&case)?;
    let equal = |way: &str, found: &[u8], expected: &[u8]| -> Result<()> {
        let (mode, length) = (case.mode, case.text.len());
        ensure!(
            found == expected,
            "{mode:?}: {way} differs, {length} bytes ({place})"
        );
        Ok(())
    };
    for (peer, expected) in peers.outputs(&case, Way::Encrypt, &case.text)? {
        equal(&format!("encryption beside {peer}"), &sealed, &expected)?;
    }
    if let Some(pieces) = ours::in_pieces(&case, Way::Encrypt, &case.text, random)? {
        equal("encryption in pieces", &pieces, &sealed)?;
    }
    if case.mode == Mode::Cmac {
        return Ok(());
    }
    equal("decryption", &ours::decrypt(&case, &sealed)?, &case.text)?;
    if let Some(pieces) = ours::in_pieces(&case, Way::Decrypt, &sealed, random)? {
        equal("decryption in pieces", &pieces, &case.text)?;
    }
    let body = &sealed[..case.text.len()];
    for (peer, expected) in peers.outputs(&case, Way::Decrypt, body)? {
        let opened = &expected[..body.len()];
        equal(&format!("decryption by {peer}"), opened, &case.text)?;
    }
    Ok(())
}

/// CBC and CMAC of many messages beside each other; how many they were.
fn compare_many(random: &mut Random, peers: &Peers, place: &str) -> Result<usize> {
    let key = random.bytes(16);
    let count = 1 + random.below(MOST);
    let case = |mode, random: &mut Random| Case {
        mode,
        key: key.clone(),
        iv: random.bytes(16),
        aad: Vec::new(),
        text: text(random, mode),
    };
    let cases: Vec<Case> = (0..count).map(|_| case(Mode::Cbc, random)).collect();
    let ivs: Vec<Block> = cases.iter().map(|case| array(&case.iv)).collect();
    let mut sealed: Vec<Vec<u8>> = cases.iter().map(|case| case.text.clone()).collect();
    let mut messages: Vec<&mut [u8]> = sealed.iter_mut().map(Vec::as_mut_slice).collect();
    cbc::encrypt_many(&Sm4::new(&array(&key)), &ivs, &mut messages)?;

    let whole: Vec<Case> = (0..count).map(|_| case(Mode::Cmac, random)).collect();
    let messages: Vec<&[u8]> = whole.iter().map(|case| case.text.as_slice()).collect();
    let mut tags = vec![Block::default(); count];
    CmacKey::new(&array(&key)).mac_many(&messages, &mut tags)?;

    let tags = tags.into_iter().map(Vec::from);
    for (case, found) in cases
        .iter()
        .chain(&whole)
        .zip(sealed.into_iter().chain(tags))
    {
        for (peer, expected) in peers.outputs(case, Way::Encrypt, &case.text)? {
            let (mode, length) = (case.mode, case.text.len());
            ensure!(
                found == expected,
                "{mode:?} of {count} messages differs from {peer}: {length} bytes ({place})"
            );
        }
    }
    Ok(2 * count)
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().expect("drawn in that length")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_reach_all_boundaries() {
        let mut random = Random(7);
        let mut seen = vec![false; 16 * LONG + 1];
        (0..40_000).for_each(|_| seen[length(&mut random)] = true);
        assert!(seen[..=300].iter().all(|seen| *seen));
        for blocks in BLOCKS {
            let around = 16 * blocks - 32..=16 * blocks + 32;
            assert!(seen[around].iter().all(|seen| *seen), "{blocks} blocks");
        }
        assert!(seen[LONG..].iter().any(|seen| *seen));
    }

    #[test]
    fn every_mode_is_drawn_as_it_allows() {
        let mut random = Random(7);
        let mut seen = Vec::new();
        for _ in 0..500 {
            let case = Case::draw(&mut random);
            let sealed = ours::encrypt(&case).unwrap();
            if case.mode != Mode::Cmac {
                assert_eq!(ours::decrypt(&case, &sealed).unwrap(), case.text);
            }
            seen.push(case.mode);
        }
        assert!(Mode::ALL.iter().all(|mode| seen.contains(mode)));
    }
}
