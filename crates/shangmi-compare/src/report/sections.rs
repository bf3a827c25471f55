//! What the report says: a [`Document`] made of a [`Report`].

mod cipher;
mod comparison;
mod contest;
mod curves;
mod facts;
mod hash;
mod load;
mod machine;
mod many;
mod memory;
mod method;
mod metric;
mod public_key;
mod published;
mod sizes;
mod stages;
mod tree;
mod verdict;
mod ways;

use super::document::{Block, Document, Section};
use super::format;
use super::text::{Text, phrases, terms};
use crate::result::{Group, Report};

/// The whole report as a document.
pub(crate) fn document(report: &Report) -> Document {
    let sections = [
        verdict::section(report),
        machine::section(report),
        hash::lengths(report),
        many::section(report),
        hash::files(report),
        tree::section(report),
        stages::section(report),
        hash::macs(report),
        cipher::stages(report),
        cipher::modes(report),
        public_key::section(report),
        load::section(report),
        sizes::section(report),
        facts::counts(report),
        memory::section(report),
        published::section(report),
        facts::attacks(report),
        method::section(report),
        method::every_row(report),
    ];
    Document {
        title: phrases::TITLE,
        subtitle: subtitle(report),
        sections: sections.into_iter().flatten().collect(),
    }
}

fn subtitle(report: &Report) -> Text {
    let cpu = match report.machine.cpu_model.as_str() {
        "" => phrases::UNKNOWN_CPU,
        model => model.into(),
    };
    phrases::SUBTITLE
        .with("cpu", cpu)
        .with("when", &report.started_utc)
        .with("version", &report.suite_version)
        .with("profile", terms::term(&report.profile))
        .with("seconds", format::significant(report.duration_seconds))
}

/// A section of `blocks`, the remarks on `group` and the subjects refused in it; none when there is nothing to show.
fn section(
    report: &Report,
    id: &'static str,
    title: Text,
    groups: &[Group],
    mut blocks: Vec<Block>,
) -> Option<Section> {
    let remarks: Vec<Text> = report
        .notes
        .iter()
        .filter(|note| note.group.is_some_and(|group| groups.contains(&group)))
        .map(|note| Text::owned(note.english.clone(), note.chinese.clone()))
        .collect();
    if blocks.is_empty() && remarks.is_empty() {
        return None;
    }
    if !remarks.is_empty() {
        blocks.push(Block::List(phrases::REMARKS, remarks));
    }
    Some(Section { id, title, blocks })
}
