//! One run: gather the subjects, check them, measure, and put the report together.

mod gather;
mod measuring;
mod notes;

use std::rc::Rc;
use std::time::Instant;

use crate::child::Masked;
use crate::hardware::Hardware;
use crate::options::{Error, Event, Options, Profile};
use crate::result::{Group, Report, SCHEMA};
use crate::workloads::files::Files;
use crate::workloads::public_key::PublicKeySubjects;
use crate::workloads::tree::{self, Tree};
use crate::workloads::{self, Batch, Context};
use crate::{machine, published, subjects, utc};

use gather::Subjects;

/// Measures what `options` ask for.
///
/// subjects -> known answers -> batches of rows in turns -> counts, memory, sizes -> report
/// - `progress`: hears of each step
/// - returns: the report, with rows in the order of [`Group::ALL`]
/// # Errors
/// [`Error::NothingMeasured`] when every subject was refused. One that fails its known answer, or while it is timed, is
/// in [`Report::refused`]; files that cannot be written and a second process that cannot be started in [`Report::notes`].
pub fn run(options: &Options, progress: &mut dyn FnMut(Event)) -> Result<Report, Error> {
    let start = Instant::now();
    let groups = options.groups();
    let hardware = Hardware::detect();
    let mut report = empty_report(options, groups.clone());
    let masked = masked_process(&groups, &hardware, &mut report);
    let gathered = Subjects::gather(&groups, &hardware, &mut report.refused);
    let files = files(options, &groups, &mut report);
    let programs = programs(options, &groups, &hardware, &mut report);
    let context = Context {
        profile: options.profile,
        masked: masked.as_ref(),
    };
    let batches: Vec<Batch<'_>> = groups
        .iter()
        .flat_map(|&group| {
            plan(
                group,
                &context,
                &gathered,
                files.as_ref(),
                programs.as_ref(),
            )
        })
        .collect();
    let planned = batches.len();
    measuring::measure_all(options.profile, batches, &mut report, progress, start);
    if planned > 0 && report.rows.is_empty() {
        return Err(Error::NothingMeasured);
    }
    if groups.contains(&Group::Load) {
        progress(Event::Load { batches: planned });
        load(&mut report, options.profile, &gathered.public_key);
    }
    finish(&mut report, &groups, &hardware, &gathered);
    report.duration_seconds = start.elapsed().as_secs_f64();
    progress(Event::Finished {
        rows: report.rows.len(),
        seconds: report.duration_seconds,
    });
    Ok(report)
}

pub(crate) fn empty_report(options: &Options, groups: Vec<Group>) -> Report {
    Report {
        schema: SCHEMA,
        suite_version: env!("CARGO_PKG_VERSION").to_owned(),
        profile: options.profile.name().to_owned(),
        groups,
        started_utc: utc::now(),
        duration_seconds: 0.0,
        machine: machine::describe(),
        libraries: vec![
            subjects::shangmi::library(),
            subjects::aws_lc::library(),
            subjects::libcrypto::library(),
            subjects::stages::library(),
        ],
        rows: Vec::new(),
        operation_counts: Vec::new(),
        memory: Vec::new(),
        load: Vec::new(),
        growth: Vec::new(),
        sizes: Vec::new(),
        published: Vec::new(),
        attacks: Vec::new(),
        refused: Vec::new(),
        skipped: Vec::new(),
        notes: Vec::new(),
    }
}

/// Groups that compare software with software.
const MASKED_GROUPS: [Group; 7] = [
    Group::Hash,
    Group::HashMany,
    Group::HashFile,
    Group::HashStage,
    Group::Mac,
    Group::CipherStage,
    Group::CipherMode,
];

/// The process for the software rows, where there is something to mask; a note says why there is none.
fn masked_process(groups: &[Group], hardware: &Hardware, report: &mut Report) -> Option<Masked> {
    if !groups.iter().any(|group| MASKED_GROUPS.contains(group)) || !hardware.can_be_masked() {
        if hardware.exists_unmaskable() {
            report.notes.push(notes::cannot_mask());
        }
        return None;
    }
    match Masked::start() {
        Ok(mut masked) => {
            gather::drop_unmasked(&mut masked, hardware, &mut report.refused);
            report.notes.push(notes::masked());
            Some(masked)
        }
        Err(error) => {
            report.notes.push(notes::no_masked_process(&error));
            None
        }
    }
}

fn files(options: &Options, groups: &[Group], report: &mut Report) -> Option<Files> {
    if !groups.contains(&Group::HashFile) {
        return None;
    }
    match Files::create(options) {
        Ok(files) => Some(files),
        Err(error) => {
            report.notes.push(notes::no_files(Group::HashFile, &error));
            None
        }
    }
}

/// The programs of the group of trees, after their digests were compared, and the tree.
struct Programs {
    tree: Rc<Tree>,
    candidates: Vec<tree::Candidate>,
}

fn programs(
    options: &Options,
    groups: &[Group],
    hardware: &Hardware,
    report: &mut Report,
) -> Option<Programs> {
    if !groups.contains(&Group::HashTree) {
        return None;
    }
    match Tree::create(options) {
        Ok(tree) => Some(Programs {
            candidates: tree::candidates(&tree, options, hardware, report),
            tree: Rc::new(tree),
        }),
        Err(error) => {
            report.notes.push(notes::no_files(Group::HashTree, &error));
            None
        }
    }
}

fn plan<'a>(
    group: Group,
    context: &'a Context<'_>,
    subjects: &'a Subjects,
    files: Option<&'a Files>,
    programs: Option<&'a Programs>,
) -> Vec<Batch<'a>> {
    match group {
        Group::Hash => workloads::hash::plan(context, group, &subjects.hashes),
        Group::HashStage => workloads::hash::plan(context, group, &subjects.stage_hashes),
        Group::HashMany => workloads::many::plan(context, &subjects.many_hashes),
        Group::HashFile => files.map_or_else(Vec::new, |files| {
            workloads::files::plan(context, files, &subjects.hashes)
        }),
        Group::HashTree => programs.map_or_else(Vec::new, |programs| {
            tree::plan(&programs.tree, &programs.candidates)
        }),
        Group::Mac => workloads::mac::plan(context, &subjects.macs),
        Group::CipherStage => workloads::cipher::plan_stages(context, &subjects.stage_ciphers),
        Group::CipherMode => workloads::cipher::plan_modes(context, &subjects.ciphers),
        Group::PublicKey => workloads::public_key::plan(context, &subjects.public_key),
        Group::Load | Group::Counts | Group::Memory => Vec::new(),
    }
}

/// Share of a core and growth of memory; a note says why there is none.
fn load(report: &mut Report, profile: Profile, subjects: &PublicKeySubjects) {
    match workloads::load::shares(profile, subjects) {
        Ok(rows) => report.load = rows,
        Err(error) => report.notes.push(notes::no_load(&error)),
    }
    match workloads::load::growth(profile, subjects) {
        Ok(rows) if rows.is_empty() => report.notes.push(notes::no_resident_memory()),
        Ok(rows) => report.growth = rows,
        Err(error) => report.notes.push(notes::no_growth(&error)),
    }
}

/// What is not timed.
fn finish(report: &mut Report, groups: &[Group], hardware: &Hardware, subjects: &Subjects) {
    if groups.contains(&Group::PublicKey) {
        report.sizes = workloads::sizes::rows(&subjects.public_key);
    }
    if groups.contains(&Group::Counts) {
        report.operation_counts = workloads::counts::rows();
    }
    if groups.contains(&Group::Memory) {
        report.memory = workloads::memory::rows(hardware);
    }
    if groups.iter().any(|group| {
        matches!(
            group,
            Group::Hash | Group::HashMany | Group::HashStage | Group::HashFile | Group::Counts
        )
    }) {
        report.attacks = published::attack_rows();
    }
    report.published = published::rows(report);
    if groups.contains(&Group::CipherStage) {
        report
            .notes
            .push(notes::chosen(subjects::shangmi::cipher_choice()));
    }
    let always = notes::of_groups(groups, report.machine.virtualised);
    report.notes.extend(always);
}
