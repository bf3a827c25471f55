//! The JSON form: an object for each name, each on a line of its own.

use serde_json::{Map, Value};

use super::escape;
use super::read::{End, Line};
use super::text::parse_digest;
use super::{Content, FileRecord, Kind, Record, algorithm, columns};
use crate::bulk::{Algorithms, Digest};
use crate::hex;

/// How the first line begins; a writer may put other blanks there.
pub(super) const MAGIC: &str = "{";
const FORMAT: &str = "shangmi-manifest";

/// The first line.
pub(super) fn header(algorithms: Algorithms) -> String {
    let names: Vec<_> = columns(algorithms)
        .map(|column| format!("\"{}\"", column.key()))
        .collect();
    let version = super::read::VERSION;
    format!(
        "{{\"format\":\"{FORMAT}\",\"version\":{version},\"algorithms\":[{}]}}\n",
        names.join(",")
    )
}

/// The line of a record.
pub(super) fn record(record: &Record, algorithms: Algorithms) -> String {
    let mut line = format!("{{{}", text_field("path", &record.name));
    match &record.content {
        Content::File(file) => {
            line += &format!(",\"kind\":\"file\",\"size\":{}", file.size);
            if let Some(modified) = file.modified {
                line += &format!(",\"mtime\":\"{modified}\"");
            }
            if let Some(inode) = file.inode {
                line += &format!(",\"inode\":\"{inode}\"");
            }
            for column in columns(algorithms) {
                if let Some(digest) = file.digests.get(column) {
                    line += &format!(",\"{}\":\"{}\"", column.key(), hex::encode(digest));
                }
            }
        }
        Content::Other(kind, detail) => {
            line += &format!(
                ",\"kind\":\"{}\",{}",
                kind.word(),
                text_field("detail", detail)
            );
        }
    }
    line + "}\n"
}

/// The last line: how many records there are, and SM3 of all lines before this one.
pub(super) fn end(records: usize, digest: &Digest) -> String {
    format!(
        "{{\"end\":true,\"records\":{records},\"sm3\":\"{}\"}}\n",
        hex::encode(digest)
    )
}

fn text_field(key: &str, bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => format!("\"{key}\":{}", Value::from(text)),
        Err(_) => format!("\"{key}_escaped\":{}", Value::from(escape::escape(bytes))),
    }
}

/// The version and the digests that a first line names.
pub(super) fn parse_header(line: &str) -> Option<(String, Option<Algorithms>)> {
    let object = object(line)?;
    if object.get("format")?.as_str()? != FORMAT {
        return None;
    }
    let names = object.get("algorithms")?.as_array()?;
    let algorithms = names.iter().map(|name| algorithm(name.as_str()?)).collect();
    Some((object.get("version")?.to_string(), algorithms))
}

/// Reads a line after the first; keys that are not known are passed over.
pub(super) fn parse(line: &str, algorithms: Algorithms) -> Option<Line> {
    let object = object(line)?;
    if object.get("end").is_some() {
        let digest = match object.get("sm3") {
            None => None,
            Some(digest) => Some(parse_digest(digest.as_str()?)?),
        };
        let records = object.get("records")?.as_u64()?;
        return Some(Line::End(End { records, digest }));
    }
    let name = escape::take(&object, "path").filter(|name| !name.is_empty())?;
    let content = match object.get("kind")?.as_str()? {
        "file" => Content::File(file(&object, algorithms)?),
        word => Content::Other(Kind::from_word(word)?, escape::take(&object, "detail")?),
    };
    Some(Line::Record(Record { name, content }))
}

fn file(object: &Map<String, Value>, algorithms: Algorithms) -> Option<FileRecord> {
    let mut digests = Vec::new();
    for column in columns(algorithms) {
        if let Some(digest) = object.get(column.key()) {
            digests.push((column, parse_digest(digest.as_str()?)?));
        }
    }
    Some(FileRecord {
        size: object.get("size")?.as_u64()?,
        modified: parsed(object, "mtime")?,
        inode: parsed(object, "inode")?,
        digests: digests.into_iter().collect(),
    })
}

/// `Some(None)` where the key is missing, `None` where its value cannot be read.
#[expect(clippy::option_option, reason = "absent and wrong are two things")]
fn parsed<T: std::str::FromStr>(object: &Map<String, Value>, key: &str) -> Option<Option<T>> {
    match object.get(key) {
        None => Some(None),
        Some(value) => value.as_str()?.parse().ok().map(Some),
    }
}

fn object(line: &str) -> Option<Map<String, Value>> {
    match serde_json::from_str(line).ok()? {
        Value::Object(object) => Some(object),
        _ => None,
    }
}
