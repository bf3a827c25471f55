//! The figures as a table for a terminal.

use std::fmt::Write as _;

use super::evaluate::{Lane, Report, Row};

/// A block of lines for each row, ours first as measured.
pub(super) fn render(report: &Report) -> String {
    let mut text = format!(
        "{} ({}), {}; {}{}\n",
        report.machine.processor,
        report.machine.architecture,
        report.machine.system,
        report.clock,
        if report.quick { "; a quick run" } else { "" },
    );
    for (peer, version) in versions(report) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {peer:14} {version}");
    }
    for row in &report.rows {
        let _ = writeln!(text, "\n{}", title(row));
        for lane in &row.lanes {
            let _ = writeln!(text, "  {}", line(lane, row.messages));
        }
    }
    if !report.skipped.is_empty() {
        text.push_str("\nskipped\n");
    }
    for skipped in &report.skipped {
        let _ = write!(text, "  {}: {}", skipped.peer, skipped.reason);
        if !skipped.install.is_empty() {
            let _ = write!(text, "; to have it: {}", skipped.install);
        }
        text.push('\n');
    }
    text
}

/// Every peer once, with its version.
fn versions(report: &Report) -> Vec<(&str, &str)> {
    let mut versions = Vec::new();
    for lane in report.rows.iter().flat_map(|row| &row.lanes) {
        let version = (lane.subject.peer.as_str(), lane.subject.version.as_str());
        if !versions.contains(&version) {
            versions.push(version);
        }
    }
    versions
}

fn title(row: &Row) -> String {
    let bytes = size(row.bytes);
    match row.messages {
        1 if row.bytes == 0 => format!("{}: {}", row.group, row.operation),
        n if row.bytes == 0 => format!("{}: {}, {n} of them", row.group, row.operation),
        1 => format!("{}: {}, {bytes}", row.group, row.operation),
        n => format!(
            "{}: {}, {n} of {} on average, {bytes}",
            row.group,
            row.operation,
            size(row.bytes / n)
        ),
    }
}

fn line(lane: &Lane, messages: u64) -> String {
    let ratio = |ratio: Option<f64>| ratio.map_or_else(|| "n/a".to_owned(), |r| format!("{r:.2}"));
    format!(
        "{:14} {:9} {:>10} {:>14} {}   ours/peer {:>5} (min {:>5})   {}",
        lane.subject.peer,
        lane.subject.algorithm,
        time(lane.median_nanoseconds),
        format!("min {}", time(lane.min_nanoseconds)),
        rate(lane, messages),
        ratio(lane.ours_over_peer),
        ratio(lane.ours_over_peer_min),
        lane.subject.code_path,
    )
}

/// Bytes a second, or operations where no bytes are counted.
fn rate(lane: &Lane, messages: u64) -> String {
    if lane.megabytes_per_second > 0.0 {
        format!("{:>6.0} MB/s", lane.megabytes_per_second)
    } else {
        format!("{:>9.0}/s", messages as f64 * 1e9 / lane.median_nanoseconds)
    }
}

fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        n if n < 1e4 => format!("{n:.0} ns"),
        n if n < 1e6 => format!("{:.1} µs", n / 1e3),
        n => format!("{:.1} ms", n / 1e6),
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        b if b < 1 << 10 => format!("{b} B"),
        b if b < 1 << 20 => format!("{} KiB", b >> 10),
        b => format!("{} MiB", b >> 20),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench_peers::evaluate::tests::report;

    #[test]
    fn every_lane_and_what_is_missing_has_a_line() {
        let text = render(&report());
        for part in [
            "a quick run",
            "other          1\n",
            "one message: digest, 1000 B",
            "250 ns",
            "4000 MB/s",
            "ours/peer  2.00 (min  3.00)",
            "absent: not found; to have it: apt-get install absent",
        ] {
            assert!(text.contains(part), "{part} is not in:\n{text}");
        }
    }

    #[test]
    fn rows_without_bytes_count_operations() {
        let mut report = report();
        report.rows[0].bytes = 0;
        for lane in &mut report.rows[0].lanes {
            lane.megabytes_per_second = 0.0;
        }
        let text = render(&report);
        assert!(text.contains("\none message: digest\n"), "{text}");
        assert!(text.contains("  4000000/s   ours/peer"), "{text}");
        assert!(!text.contains("MB/s"), "{text}");
    }

    #[test]
    fn units() {
        assert_eq!(time(381.4), "381 ns");
        assert_eq!(time(24_897.0), "24.9 µs");
        assert_eq!(time(12_814_594.0), "12.8 ms");
        assert_eq!(size(64), "64 B");
        assert_eq!(size(65_536), "64 KiB");
    }
}
