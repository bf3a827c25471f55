//! One run: gather the subjects, check them, measure, and put the report together.

mod gather;
mod notes;

use std::time::{Duration, Instant};

use crate::child::Masked;
use crate::hardware::Hardware;
use crate::options::{Error, Event, Options, Profile};
use crate::result::{Group, Report, Row, SCHEMA};
use crate::runner::{self, Bench, Effort};
use crate::workloads::files::Files;
use crate::workloads::{self, Batch, Context, Lane, Work};
use crate::{clock, machine, published, statistics, subjects, utc};

use gather::Subjects;

/// Measures what `options` ask for.
///
/// subjects -> known answers -> batches of rows in turns -> counts, memory, sizes -> report
/// - `progress`: hears of each step
/// - returns: the report, with rows in the order of [`Group::ALL`]
/// # Errors
/// [`Error::Operation`] and [`Error::Masked`] when a subject or the process for the software rows fails while it is
/// timed. A subject that fails before is in [`Report::refused`]; a file that cannot be written is in [`Report::notes`].
pub fn run(options: &Options, progress: &mut dyn FnMut(Event)) -> Result<Report, Error> {
    let start = Instant::now();
    let groups = options.groups();
    let hardware = Hardware::detect();
    let mut report = empty_report(options, groups.clone());
    let masked = masked_process(&groups, &hardware, &mut report);
    let gathered = Subjects::gather(&groups, &hardware, &mut report.refused);
    let files = files(options, &groups, &mut report);
    let context = Context {
        profile: options.profile,
        masked: masked.as_ref(),
    };
    let batches: Vec<Batch<'_>> = groups
        .iter()
        .flat_map(|&group| plan(group, &context, &gathered, files.as_ref()))
        .collect();
    measure_all(options.profile, batches, &mut report, progress, start)?;
    finish(&mut report, &groups, &hardware, &gathered);
    report.duration_seconds = start.elapsed().as_secs_f64();
    progress(Event::Finished {
        rows: report.rows.len(),
        seconds: report.duration_seconds,
    });
    Ok(report)
}

fn empty_report(options: &Options, groups: Vec<Group>) -> Report {
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
        sizes: Vec::new(),
        published: Vec::new(),
        attacks: Vec::new(),
        refused: Vec::new(),
        notes: Vec::new(),
    }
}

/// Groups that compare software with software.
const MASKED_GROUPS: [Group; 6] = [
    Group::Hash,
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
            report.notes.push(notes::no_files(&error));
            None
        }
    }
}

fn plan<'a>(
    group: Group,
    context: &'a Context<'_>,
    subjects: &'a Subjects,
    files: Option<&'a Files>,
) -> Vec<Batch<'a>> {
    match group {
        Group::Hash => workloads::hash::plan(context, group, &subjects.hashes),
        Group::HashStage => workloads::hash::plan(context, group, &subjects.stage_hashes),
        Group::HashFile => files.map_or_else(Vec::new, |files| {
            workloads::files::plan(context, files, &subjects.hashes)
        }),
        Group::Mac => workloads::mac::plan(context, &subjects.macs),
        Group::CipherStage => workloads::cipher::plan_stages(context, &subjects.stage_ciphers),
        Group::CipherMode => workloads::cipher::plan_modes(context, &subjects.ciphers),
        Group::PublicKey => workloads::public_key::plan(context, &subjects.public_key),
        Group::Counts | Group::Memory => Vec::new(),
    }
}

/// Measures batch by batch; what one needs more than planned, the later ones get less.
fn measure_all(
    profile: Profile,
    batches: Vec<Batch<'_>>,
    report: &mut Report,
    progress: &mut dyn FnMut(Event),
    start: Instant,
) -> Result<(), Error> {
    let count = batches.len();
    let budget = budget(profile, &report.groups);
    let mut weight: f64 = batches.iter().map(total_weight).sum();
    progress(Event::Started {
        batches: count,
        planned_seconds: budget.as_secs_f64(),
    });
    let mut frequencies = Vec::new();
    for (index, batch) in batches.into_iter().enumerate() {
        let Work {
            group,
            operation,
            bytes,
        } = batch.work.clone();
        progress(Event::Batch {
            index,
            batches: count,
            group,
            operation,
            bytes,
        });
        let rest = budget.saturating_sub(start.elapsed()).as_secs_f64();
        let share = (rest * batch.weight / weight).min(longest_lane(profile) * batch.weight);
        weight -= total_weight(&batch);
        let effort = effort(profile, share, batch.is_long);
        let (rows, hertz) = measure(batch, effort)?;
        report.rows.extend(rows);
        frequencies.extend(hertz);
    }
    report.machine.core_hertz = statistics::median(&frequencies).or(report.machine.core_hertz);
    Ok(())
}

fn total_weight(batch: &Batch<'_>) -> f64 {
    batch.weight * batch.lane_count as f64
}

/// A part of the groups gets a part of the time, so that `--only` is quick.
fn budget(profile: Profile, groups: &[Group]) -> Duration {
    let share = |group: &Group| match group {
        Group::CipherMode => 0.3,
        Group::PublicKey => 0.25,
        Group::Hash | Group::HashFile => 0.12,
        Group::HashStage => 0.1,
        Group::Mac => 0.06,
        Group::CipherStage => 0.05,
        Group::Counts | Group::Memory => 0.0,
    };
    profile
        .budget()
        .mul_f64(groups.iter().map(share).sum::<f64>().min(1.0))
}

/// Seconds for a lane of weight 1 beyond which more time brings nothing.
fn longest_lane(profile: Profile) -> f64 {
    match profile {
        Profile::Full => 1.0,
        _ => 0.15,
    }
}

fn effort(profile: Profile, seconds: f64, is_long: bool) -> Effort {
    let (min_samples, max_samples) = profile.samples();
    let min_samples = if is_long {
        min_samples.min(3)
    } else {
        min_samples
    };
    Effort {
        per_lane: Duration::from_secs_f64(seconds.max(0.001)),
        min_samples,
        max_samples,
    }
}

fn measure(batch: Batch<'_>, effort: Effort) -> Result<(Vec<Row>, Option<f64>), Error> {
    let work = batch.work;
    let mut lanes = (batch.lanes)();
    let before = clock::core_hertz();
    let mut benches: Vec<&mut (dyn Bench + 'static)> =
        lanes.iter_mut().map(|lane| lane.bench.as_mut()).collect();
    let timings = runner::measure(&mut benches, effort)?;
    let hertz = before
        .zip(clock::core_hertz())
        .map(|(before, after)| (before + after) / 2.0);
    let rows = lanes
        .iter()
        .zip(timings)
        .map(|(lane, timing)| row(&work, lane, timing, hertz));
    Ok((rows.collect(), hertz))
}

fn row(work: &Work, lane: &Lane, timing: crate::result::Timing, hertz: Option<f64>) -> Row {
    let subject = lane.subject.clone();
    let cycles = hertz.map(|hertz| timing.median_nanoseconds * hertz / 1e9);
    Row {
        group: work.group,
        operation: work.operation.clone(),
        algorithm: subject.algorithm,
        variant: subject.variant,
        subject: subject.library,
        backend: subject.backend,
        side: subject.side,
        execution: subject.execution,
        constant_time: subject.constant_time,
        security_bits: subject.security_bits,
        bytes: work.bytes,
        threads: 1,
        timing,
        cycles_per_byte: cycles
            .zip(work.bytes)
            .map(|(cycles, bytes)| cycles / bytes as f64),
        cycles,
        one_time_nanoseconds: lane.one_time_nanoseconds,
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
            Group::Hash | Group::HashStage | Group::HashFile | Group::Counts
        )
    }) {
        report.attacks = published::attack_rows();
    }
    report.published = published::rows(report);
    let always = notes::of_groups(groups, report.machine.virtualised);
    report.notes.extend(always);
}
