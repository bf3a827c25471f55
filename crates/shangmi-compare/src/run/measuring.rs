//! Batch by batch, within the time.

use std::time::{Duration, Instant};

use crate::options::{Event, Profile};
use crate::result::{Group, RefusedSubject, Report, Row, Timing};
use crate::runner::{self, Bench, Effort};
use crate::workloads::{Batch, Lane, Work};
use crate::{clock, statistics};

/// Measures batch by batch; what one needs more than planned, the later ones get less.
pub(super) fn measure_all(
    profile: Profile,
    batches: Vec<Batch<'_>>,
    report: &mut Report,
    progress: &mut dyn FnMut(Event),
    start: Instant,
) {
    let count = batches.len();
    let budget = budget(profile, &report.groups);
    let mut weight: f64 = batches.iter().map(total_weight).sum();
    progress(Event::Started {
        batches: count,
        planned_seconds: budget.as_secs_f64(),
    });
    let (mut frequencies, mut measured) = (Vec::new(), Vec::new());
    // The long ones first: what they need beyond the plan is then spread over all the others.
    let mut batches: Vec<(usize, Batch<'_>)> = batches.into_iter().enumerate().collect();
    batches.sort_by(|(_, a), (_, b)| b.weight.total_cmp(&a.weight));
    for (index, (place, batch)) in batches.into_iter().enumerate() {
        let Work {
            group,
            operation,
            bytes,
            ..
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
        let (rows, hertz) = measure(batch, effort, &mut report.refused);
        measured.push((place, rows));
        frequencies.extend(hertz);
    }
    measured.sort_by_key(|(place, _)| *place);
    report.rows = measured.into_iter().flat_map(|(_, rows)| rows).collect();
    report.machine.core_hertz = statistics::median(&frequencies).or(report.machine.core_hertz);
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
        Group::HashMany | Group::HashTree => 0.08,
        Group::HashStage => 0.1,
        Group::Mac => 0.06,
        Group::CipherStage => 0.05,
        Group::Load | Group::Counts | Group::Memory => 0.0,
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

fn measure(
    batch: Batch<'_>,
    effort: Effort,
    refused: &mut Vec<RefusedSubject>,
) -> (Vec<Row>, Option<f64>) {
    let work = batch.work;
    let mut lanes = (batch.lanes)();
    let before = clock::core_hertz();
    let mut benches: Vec<&mut (dyn Bench + 'static)> =
        lanes.iter_mut().map(|lane| lane.bench.as_mut()).collect();
    let timings = runner::measure(&mut benches, effort);
    let hertz = before
        .zip(clock::core_hertz())
        .map(|(before, after)| (before + after) / 2.0);
    let mut rows = Vec::new();
    for (lane, timing) in lanes.iter().zip(timings) {
        match timing {
            Ok(timing) => rows.push(row(&work, lane, timing, hertz)),
            Err(error) => refused.push(RefusedSubject {
                group: work.group,
                subject: lane.subject.library.clone(),
                operation: format!("{} {}", lane.subject.algorithm, work.operation),
                reason: error.to_string(),
            }),
        }
    }
    (rows, hertz)
}

fn row(work: &Work, lane: &Lane, timing: Timing, hertz: Option<f64>) -> Row {
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
        items: work.items,
        threads: 1,
        timing,
        cycles_per_byte: cycles
            .zip(work.bytes)
            .map(|(cycles, bytes)| cycles / bytes as f64),
        cycles,
        one_time_nanoseconds: lane.one_time_nanoseconds,
    }
}
