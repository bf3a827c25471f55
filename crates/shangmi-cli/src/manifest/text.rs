//! The text form: a line for each name, columns between tabs.

use super::escape::{escape, unescape};
use super::read::{End, Line};
use super::{Content, FileRecord, Kind, Record, algorithm, columns};
use crate::bulk::{Algorithm, Algorithms, Digest};
use crate::hex;

/// How the first line begins.
pub(super) const MAGIC: &str = "#shangmi-manifest\t";
const END: &str = "#end\t";

/// What is unknown or does not apply.
const NOTHING: &str = "-";

/// The first line.
pub(super) fn header(algorithms: Algorithms) -> String {
    let names: Vec<_> = columns(algorithms).map(|column| column.key()).collect();
    format!("{MAGIC}{}\t{}\n", super::read::VERSION, names.join("\t"))
}

/// The line of a record.
pub(crate) fn record(record: &Record, algorithms: Algorithms) -> String {
    let name = escape(&record.name);
    match &record.content {
        Content::File(file) => {
            let mut line = format!(
                "file\t{}\t{}\t{}",
                file.size,
                or_nothing(file.modified),
                or_nothing(file.inode)
            );
            for column in columns(algorithms) {
                line.push('\t');
                line.push_str(&or_nothing(
                    file.digests.get(column).map(|digest| hex::encode(digest)),
                ));
            }
            line + "\t" + &name + "\n"
        }
        Content::Other(kind, detail) => {
            let unknown = "\t-".repeat(3 + columns(algorithms).count());
            format!("{}{unknown}\t{name}\t{}\n", kind.word(), escape(detail))
        }
    }
}

/// The last line: how many records there are, and SM3 of all lines before this one.
pub(super) fn end(records: usize, digest: &Digest) -> String {
    format!("{END}{records}\t{}\n", hex::encode(digest))
}

fn or_nothing(value: Option<impl ToString>) -> String {
    value.map_or_else(|| NOTHING.to_owned(), |value| value.to_string())
}

/// The version and the digests that a first line names.
pub(super) fn parse_header(line: &str) -> Option<(&str, Option<Algorithms>)> {
    let (version, names) = line.strip_prefix(MAGIC)?.split_once('\t')?;
    let algorithms: Option<Algorithms> = names.split('\t').map(algorithm).collect();
    // Another order would be another order of the columns.
    let in_order = algorithms.filter(|&set| columns(set).map(Algorithm::key).eq(names.split('\t')));
    Some((version, in_order))
}

/// Reads a line after the first.
pub(super) fn parse(line: &str, algorithms: Algorithms) -> Option<Line> {
    if let Some(end) = line.strip_prefix(END) {
        let (records, digest) = end.split_once('\t')?;
        return Some(Line::End(End {
            records: records.parse().ok()?,
            digest: unless_nothing(digest, parse_digest)?,
        }));
    }
    if line.starts_with('#') {
        return Some(Line::Comment);
    }
    parse_record(line, algorithms).map(Line::Record)
}

/// Reads the line of a record.
pub(crate) fn parse_record(line: &str, algorithms: Algorithms) -> Option<Record> {
    let mut fields = line.split('\t');
    let word = fields.next()?;
    let [size, modified, inode] = [fields.next()?, fields.next()?, fields.next()?];
    let mut digests = Vec::new();
    for column in columns(algorithms) {
        digests.push((column, fields.next()?));
    }
    let name = unescape(fields.next()?).filter(|name| !name.is_empty())?;
    let content = if word == "file" {
        let mut known = Vec::new();
        for (column, text) in digests {
            known.extend(unless_nothing(text, parse_digest)?.map(|digest| (column, digest)));
        }
        Content::File(FileRecord {
            size: size.parse().ok()?,
            modified: unless_nothing(modified, |text| text.parse().ok())?,
            inode: unless_nothing(inode, |text| text.parse().ok())?,
            digests: known.into_iter().collect(),
        })
    } else {
        Content::Other(Kind::from_word(word)?, unescape(fields.next()?)?)
    };
    fields.next().is_none().then_some(Record { name, content })
}

/// `Some(None)` for `-`, `None` for what cannot be read.
#[expect(clippy::option_option, reason = "absent and wrong are two things")]
fn unless_nothing<T>(text: &str, parse: impl FnOnce(&str) -> Option<T>) -> Option<Option<T>> {
    if text == NOTHING {
        Some(None)
    } else {
        parse(text).map(Some)
    }
}

/// 64 hex digits.
pub(super) fn parse_digest(text: &str) -> Option<Digest> {
    hex::decode("digest", text).ok()?.as_slice().try_into().ok()
}
