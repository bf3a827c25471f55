//! From samples to figures: median, minimum, and how many times as fast we are.

use std::fs;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::samples::{self, Samples, Skipped, Subject};

/// The name of ours among the peers.
const OURS: &str = "shangmi";

/// What is written as JSON.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct Report {
    pub(super) format: u32,
    pub(super) machine: Machine,
    /// Fewer samples than a full run.
    pub(super) quick: bool,
    /// What the times are.
    pub(super) clock: String,
    pub(super) rows: Vec<Row>,
    pub(super) skipped: Vec<Skipped>,
}

/// Where it was measured.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct Machine {
    pub(super) processor: String,
    pub(super) system: String,
    pub(super) architecture: String,
    pub(super) processors: usize,
}

/// One piece of work.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct Row {
    pub(super) group: String,
    pub(super) operation: String,
    pub(super) bytes: u64,
    pub(super) messages: u64,
    pub(super) threads: u32,
    pub(super) lanes: Vec<Lane>,
}

/// One implementation at it.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct Lane {
    pub(super) subject: Subject,
    pub(super) samples: usize,
    pub(super) median_nanoseconds: f64,
    pub(super) min_nanoseconds: f64,
    pub(super) min_wall_nanoseconds: f64,
    /// 10^6 bytes a second, from the median.
    pub(super) megabytes_per_second: f64,
    /// Our speed divided by this one's, of the medians; none where we were not measured.
    pub(super) ours_over_peer: Option<f64>,
    /// The same, of the minima.
    pub(super) ours_over_peer_min: Option<f64>,
}

impl Machine {
    /// This one.
    pub(super) fn this() -> Self {
        let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
        Self {
            processor: value(&cpuinfo, "model name", ':'),
            system: value(&release, "PRETTY_NAME", '='),
            architecture: std::env::consts::ARCH.to_owned(),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// The value of the first line `name<separator>value`, without quotes.
fn value(text: &str, name: &str, separator: char) -> String {
    text.lines()
        .filter_map(|line| line.split_once(separator))
        .find(|(key, _)| key.trim() == name)
        .map_or_else(
            || "unknown".to_owned(),
            |(_, value)| value.trim().trim_matches('"').to_owned(),
        )
}

impl Report {
    /// Evaluates the samples.
    ///
    /// # Errors
    /// No rows at all.
    pub(super) fn new(machine: Machine, quick: bool, samples: &Samples) -> Result<Self> {
        ensure!(!samples.rows.is_empty(), "nothing was measured");
        let rows = samples.rows.iter().map(row).collect::<Result<_>>()?;
        Ok(Self {
            format: 1,
            machine,
            quick,
            clock: "processor time: of the thread, or of the programs that were started".to_owned(),
            rows,
            skipped: samples.skipped.clone(),
        })
    }
}

fn row(row: &samples::Row) -> Result<Row> {
    let mut lanes = row
        .lanes
        .iter()
        .map(|one| lane(one, row.bytes))
        .collect::<Result<Vec<Lane>>>()?;
    let ours = lanes.iter().find(|lane| lane.subject.peer == OURS);
    if let Some((median, min)) = ours.map(|o| (o.median_nanoseconds, o.min_nanoseconds)) {
        for lane in &mut lanes {
            lane.ours_over_peer = Some(lane.median_nanoseconds / median);
            lane.ours_over_peer_min = Some(lane.min_nanoseconds / min);
        }
    }
    Ok(Row {
        group: row.group.clone(),
        operation: row.operation.clone(),
        bytes: row.bytes,
        messages: row.messages,
        threads: 1,
        lanes,
    })
}

fn lane(lane: &samples::Lane, bytes: u64) -> Result<Lane> {
    let sorted = ascending(&lane.nanoseconds);
    let median = median(&sorted).context("a lane without samples")?;
    let wall = ascending(&lane.wall_nanoseconds);
    Ok(Lane {
        subject: lane.subject.clone(),
        samples: sorted.len(),
        median_nanoseconds: median,
        min_nanoseconds: sorted[0],
        min_wall_nanoseconds: *wall.first().context("a lane without samples")?,
        megabytes_per_second: bytes as f64 / median * 1e3,
        ours_over_peer: None,
        ours_over_peer_min: None,
    })
}

fn ascending(samples: &[f64]) -> Vec<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

fn median(sorted: &[f64]) -> Option<f64> {
    let upper = *sorted.get(sorted.len() / 2)?;
    let lower = sorted[(sorted.len() - 1) / 2];
    Some((lower + upper) / 2.0)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::bench_peers::samples::parse;

    /// One row as the harness prints it.
    const PRINTED: &str = r#"{"rows":[{"group":"one message","operation":"digest","bytes":1000,"messages":1,"lanes":[
        {"subject":{"peer":"shangmi","algorithm":"SM3","version":"this checkout","code_path":"portable"},
         "nanoseconds":[400.0,100.0,200.0,300.0],"wall_nanoseconds":[500.0,450.0]},
        {"subject":{"peer":"other","algorithm":"SM3","version":"1","code_path":"C"},
         "nanoseconds":[500.0,300.0,900.0],"wall_nanoseconds":[500.0]}]}],
        "skipped":[{"peer":"absent","reason":"not found","install":"apt-get install absent"}]}"#;

    fn machine() -> Machine {
        Machine {
            processor: "a processor".to_owned(),
            system: "a system".to_owned(),
            architecture: "x86_64".to_owned(),
            processors: 2,
        }
    }

    pub(in crate::bench_peers) fn report() -> Report {
        Report::new(machine(), true, &parse(PRINTED).unwrap()).unwrap()
    }

    #[test]
    fn medians_minima_and_ratios() {
        let report = report();
        let [ours, other] = &report.rows[0].lanes[..] else {
            panic!("two lanes")
        };
        assert_eq!(
            (ours.median_nanoseconds, ours.min_nanoseconds),
            (250.0, 100.0)
        );
        assert_eq!(ours.min_wall_nanoseconds, 450.0);
        assert_eq!(ours.megabytes_per_second, 4000.0);
        assert_eq!(ours.ours_over_peer, Some(1.0));
        assert_eq!((other.median_nanoseconds, other.samples), (500.0, 3));
        assert_eq!(other.ours_over_peer, Some(2.0));
        assert_eq!(other.ours_over_peer_min, Some(3.0));
    }

    #[test]
    fn without_ours_there_is_no_ratio() {
        let report = PRINTED.replace("\"shangmi\"", "\"another\"");
        let report = Report::new(machine(), false, &parse(&report).unwrap()).unwrap();
        let mut lanes = report.rows[0].lanes.iter();
        assert!(lanes.all(|lane| lane.ours_over_peer.is_none()));
    }

    #[test]
    fn the_json_keeps_its_shape() {
        let report = report();
        let json = serde_json::to_value(&report).unwrap();
        for pointer in [
            "/format",
            "/machine/processor",
            "/machine/system",
            "/machine/architecture",
            "/machine/processors",
            "/quick",
            "/clock",
            "/rows/0/group",
            "/rows/0/operation",
            "/rows/0/bytes",
            "/rows/0/messages",
            "/rows/0/threads",
            "/rows/0/lanes/1/subject/peer",
            "/rows/0/lanes/1/subject/algorithm",
            "/rows/0/lanes/1/subject/version",
            "/rows/0/lanes/1/subject/code_path",
            "/rows/0/lanes/1/samples",
            "/rows/0/lanes/1/median_nanoseconds",
            "/rows/0/lanes/1/min_nanoseconds",
            "/rows/0/lanes/1/min_wall_nanoseconds",
            "/rows/0/lanes/1/megabytes_per_second",
            "/rows/0/lanes/1/ours_over_peer",
            "/rows/0/lanes/1/ours_over_peer_min",
            "/skipped/0/peer",
            "/skipped/0/reason",
            "/skipped/0/install",
        ] {
            assert!(json.pointer(pointer).is_some(), "{pointer}");
        }
        assert_eq!(serde_json::from_value::<Report>(json).unwrap(), report);
    }

    #[test]
    fn other_forms_and_empty_lanes_are_refused() {
        for (from, to) in [
            ("\"bytes\":1000,", ""),
            ("\"wall_nanoseconds\":[500.0]", "\"wall_nanoseconds\":[]"),
            ("[500.0,300.0,900.0]", "[]"),
        ] {
            assert!(PRINTED.contains(from), "{from}");
            assert!(parse(&PRINTED.replace(from, to)).is_err(), "{from}");
        }
        let empty = parse("{\"rows\":[],\"skipped\":[]}").unwrap();
        assert!(Report::new(machine(), true, &empty).is_err());
    }

    #[test]
    fn values_are_found_in_lines() {
        assert_eq!(
            value("a: 1\nmodel name\t: X @ 2\n", "model name", ':'),
            "X @ 2"
        );
        assert_eq!(value("PRETTY_NAME=\"Y 12\"\n", "PRETTY_NAME", '='), "Y 12");
        assert_eq!(value("", "PRETTY_NAME", '='), "unknown");
    }
}
