//! What differs between two lists of records.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::Hash;

use super::{Content, FileRecord, Record, columns};
use crate::bulk::{Algorithms, Digest};

/// A difference between two trees, or a file that could not be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) name: Vec<u8>,
    pub(crate) verdict: Verdict,
}

/// What became of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Added,
    Removed,
    /// It is a new name of a file that had this one.
    Moved {
        from: Vec<u8>,
    },
    Changed(Change),
    /// The new side could not be read: the reason.
    Unreadable(Vec<u8>),
    /// The old side has no content to compare with.
    Unrecorded,
}

/// What is different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// A file, a link or something else.
    Kind,
    Size,
    /// The digest of the content.
    Content,
    /// Where a link leads, or which kind of special file it is.
    Target,
}

impl Change {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Kind => "kind",
            Self::Size => "size",
            Self::Content => "content",
            Self::Target => "target",
        }
    }
}

impl Verdict {
    /// Whether the trees differ here; what could not be compared may differ or not.
    pub(crate) fn is_difference(&self) -> bool {
        !matches!(self, Self::Unreadable(_) | Self::Unrecorded)
    }
}

/// Compares two lists, both in order of their names, by the digests in `algorithms`.
pub(crate) fn compare(old: &[Record], new: &[Record], algorithms: Algorithms) -> Vec<Difference> {
    let mut differences = Vec::new();
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => return differences,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(old), Some(new)) => old.name.cmp(&new.name),
        };
        let before = if order.is_le() { old.next() } else { None };
        let after = if order.is_ge() { new.next() } else { None };
        let (name, verdict) = match (before, after) {
            (Some(before), Some(after)) => (&after.name, judge(before, after, algorithms)),
            (Some(before), None) => (&before.name, Some(Verdict::Removed)),
            (None, Some(after)) => (&after.name, Some(alone(after))),
            (None, None) => return differences,
        };
        differences.extend(verdict.map(|verdict| Difference {
            name: name.clone(),
            verdict,
        }));
    }
}

/// A name on the new side alone.
fn alone(after: &Record) -> Verdict {
    match failure(after) {
        Some(why) => Verdict::Unreadable(why.to_vec()),
        None => Verdict::Added,
    }
}

fn judge(before: &Record, after: &Record, algorithms: Algorithms) -> Option<Verdict> {
    if let Some(why) = failure(after) {
        return Some(Verdict::Unreadable(why.to_vec()));
    }
    if failure(before).is_some() {
        return Some(Verdict::Unrecorded);
    }
    match (&before.content, &after.content) {
        (Content::File(before), Content::File(after)) => judge_files(before, after, algorithms),
        (Content::Other(a, before), Content::Other(b, after)) if a == b => {
            (before != after).then_some(Verdict::Changed(Change::Target))
        }
        _ => Some(Verdict::Changed(Change::Kind)),
    }
}

fn judge_files(before: &FileRecord, after: &FileRecord, algorithms: Algorithms) -> Option<Verdict> {
    if before.size != after.size {
        return Some(Verdict::Changed(Change::Size));
    }
    if !before.has(algorithms) || !after.has(algorithms) {
        return Some(Verdict::Unrecorded);
    }
    let differs =
        columns(algorithms).any(|column| before.digests.get(column) != after.digests.get(column));
    differs.then_some(Verdict::Changed(Change::Content))
}

/// Why a record has no content.
fn failure(record: &Record) -> Option<&[u8]> {
    match &record.content {
        Content::Other(kind, why) if kind.is_failure() => Some(why),
        _ => None,
    }
}

/// Turns a removed and an added file of the same content into a moved one.
///
/// Where several fit, one with the same last name is taken, and the first of those. Empty files are
/// all alike: they do not move.
pub(crate) fn find_moves(
    differences: Vec<Difference>,
    old: &[Record],
    new: &[Record],
    algorithms: Algorithms,
) -> Vec<Difference> {
    let mut moves = Moves::default();
    for same_last_name in [true, false] {
        let key = |records, name| {
            let print = fingerprint(records, name, algorithms)?;
            Some((print, last_name(name).filter(|_| same_last_name)))
        };
        moves.pair(&differences, |name| key(old, name), |name| key(new, name));
    }
    let Moves { from, used } = moves;
    let from: HashMap<Vec<u8>, Vec<u8>> = from
        .into_iter()
        .map(|(name, old)| (name.to_vec(), old.to_vec()))
        .collect();
    let used: HashSet<Vec<u8>> = used.into_iter().map(<[u8]>::to_vec).collect();
    differences
        .into_iter()
        .filter(|found| found.verdict != Verdict::Removed || !used.contains(&found.name))
        .map(|mut found| {
            if let Some(from) = from.get(&found.name) {
                found.verdict = Verdict::Moved { from: from.clone() };
            }
            found
        })
        .collect()
}

/// Pairs of names: where an added file was before.
#[derive(Default)]
struct Moves<'a> {
    from: HashMap<&'a [u8], &'a [u8]>,
    used: HashSet<&'a [u8]>,
}

impl<'a> Moves<'a> {
    /// Pairs the names without a partner whose keys are equal, in their order.
    fn pair<K: Eq + Hash>(
        &mut self,
        differences: &'a [Difference],
        old_key: impl Fn(&'a [u8]) -> Option<K>,
        new_key: impl Fn(&'a [u8]) -> Option<K>,
    ) {
        let with = |verdict| {
            differences
                .iter()
                .filter(move |found| found.verdict == verdict)
                .map(|found| found.name.as_slice())
        };
        let mut gone: HashMap<K, VecDeque<&[u8]>> = HashMap::new();
        for name in with(Verdict::Removed).filter(|name| !self.used.contains(name)) {
            if let Some(key) = old_key(name) {
                gone.entry(key).or_default().push_back(name);
            }
        }
        for name in with(Verdict::Added) {
            if self.from.contains_key(name) {
                continue;
            }
            let old = new_key(name).and_then(|key| gone.get_mut(&key)?.pop_front());
            if let Some(old) = old {
                self.from.insert(name, old);
                self.used.insert(old);
            }
        }
    }
}

type Fingerprint = (u64, Vec<Digest>);

/// What two files of the same content have in common.
fn fingerprint(records: &[Record], name: &[u8], algorithms: Algorithms) -> Option<Fingerprint> {
    let place = records
        .binary_search_by(|record| record.name.as_slice().cmp(name))
        .ok()?;
    let file = records[place]
        .file()
        .filter(|file| file.size > 0 && file.has(algorithms))?;
    let digests = columns(algorithms).filter_map(|column| file.digests.get(column).copied());
    Some((file.size, digests.collect()))
}

fn last_name(name: &[u8]) -> Option<&[u8]> {
    name.rsplit(|&byte| byte == b'/').next()
}
