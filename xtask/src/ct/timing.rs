//! `cargo xtask ct --timing`: does the time depend on the class of the secrets, in the code paths that valgrind cannot run?
//!
//! Reports and does not judge: machines are noisy. What must show is a fault planted in a test build, else the test is blind.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::welch::Difference;

const PROGRAM: &str = "shangmi-timing";

/// Samples of each row over both classes.
const SAMPLES: usize = 100_000;
const FEW_SAMPLES: usize = 1_500;
/// At least so many with a planted fault, which takes as long as an addition of points.
const PLANTED_SAMPLES: usize = 8_000;
/// Where chance ends, by convention.
const BOUND: f64 = 5.0;

/// Processor features to hide, and the operations that then run in a code path of their own.
const RUNS: [(&str, &str); 3] = [("", ""), ("avx512ifma", "sm2"), ("avx512f", "sm4")];

#[derive(clap::Args)]
pub(super) struct Options {
    /// Few samples: whether it runs, and whether a planted fault shows
    #[arg(long, requires = "timing")]
    quick: bool,
    /// Samples of each row over both classes
    #[arg(long, requires = "timing", value_name = "NUMBER")]
    samples: Option<usize>,
    /// The operations whose names contain this
    #[arg(long, requires = "timing", value_name = "TEXT")]
    only: Option<String>,
}

impl Options {
    fn samples(&self) -> usize {
        let default = if self.quick { FEW_SAMPLES } else { SAMPLES };
        self.samples.unwrap_or(default)
    }
}

pub(super) fn run(root: &Path, options: &Options) -> Result<()> {
    let with_faults = || super::build(root, PROGRAM, &["--features", "leaks"]);
    // One build is enough to see whether it runs.
    let program = if options.quick {
        with_faults()
    } else {
        super::build(root, PROGRAM, &[])
    }?;
    say(&title())?;
    let samples = options.samples();
    let mut rows = Vec::new();
    for (mask, operations) in RUNS {
        let only = options.only.as_deref().unwrap_or(operations);
        if only.contains(operations) {
            rows.extend(measure(&program, mask, samples, &["--only", only])?);
        }
    }
    say("with a planted branch:\n")?;
    let samples = samples.max(PLANTED_SAMPLES);
    let planted = measure(&with_faults()?, "", samples, &["--planted"])?;
    say(&conclusion(&rows))?;
    judge_planted(&planted)
}

/// Runs the harness and prints each row when it is there.
fn measure(program: &Path, mask: &str, samples: usize, options: &[&str]) -> Result<Vec<Row>> {
    let mut child = Command::new(program)
        .args(["--samples", &samples.to_string()])
        .args(options)
        .env("SHANGMI_CPU_MASK", mask)
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot run the harness")?;
    let output = child.stdout.take().context("the harness has no output")?;
    let mut rows = Vec::new();
    for line in BufReader::new(output).lines() {
        let row = Row::parse(&line.context("the harness prints no text")?)?;
        say(&row.line())?;
        rows.push(row);
    }
    let status = child.wait().context("the harness does not end")?;
    ensure!(status.success(), "the operations did not end well");
    Ok(rows)
}

fn say(text: &str) -> Result<()> {
    std::io::stdout()
        .write_all(text.as_bytes())
        .context("cannot write to standard output")
}

/// An operation over two classes of secrets.
struct Row {
    operation: String,
    backend: String,
    classes: String,
    samples: usize,
    difference: Difference,
}

impl Row {
    fn parse(line: &str) -> Result<Self> {
        let fields: Vec<_> = line.split('\t').collect();
        let [operation, backend, classes, one, other] = fields[..] else {
            anyhow::bail!("not a line of the harness: {line:.80}");
        };
        let times = [numbers(one)?, numbers(other)?];
        Ok(Self {
            operation: operation.to_owned(),
            backend: backend.to_owned(),
            classes: classes.to_owned(),
            samples: times.iter().map(Vec::len).sum(),
            difference: Difference::new(&times),
        })
    }

    fn line(&self) -> String {
        let Difference {
            t,
            halves: [first, second],
            mean,
            median,
        } = self.difference;
        format!(
            "{:<20} {:<28} {:<22} {:>8} {median:>8} {mean:>7.1} {t:>7.1} {first:>7.1} {second:>7.1}\n",
            self.operation, self.backend, self.classes, self.samples
        )
    }
}

fn title() -> String {
    format!(
        "{:<20} {:<28} {:<22} {:>8} {:>8} {:>7} {:>7} {:>7} {:>7}\n",
        "operation", "code path", "secrets", "samples", "ns", "diff", "t", "half 1", "half 2"
    )
}

fn numbers(list: &str) -> Result<Vec<u64>> {
    list.split(',')
        .map(|number| number.parse().context("a time is no number"))
        .collect()
}

/// The largest t-value, and which rows want looking at.
fn conclusion(rows: &[Row]) -> String {
    let largest = rows.iter().map(|row| row.difference.t.abs());
    let largest = largest.fold(0.0, f64::max);
    let conspicuous: Vec<_> = rows
        .iter()
        .filter(|row| row.difference.persists(BOUND))
        .map(|row| format!("{} ({}), {}", row.operation, row.backend, row.classes))
        .collect();
    let rows = rows.len();
    let found = if conspicuous.is_empty() {
        "none".to_owned()
    } else {
        conspicuous.join("; ")
    };
    format!("{rows} rows, largest |t| {largest:.1}; above {BOUND} and in both halves: {found}\n")
}

/// The fault shows wherever it was planted.
fn judge_planted(rows: &[Row]) -> Result<()> {
    ensure!(!rows.is_empty(), "no planted fault ran");
    for row in rows {
        ensure!(
            row.difference.t.abs() > BOUND,
            "a planted fault does not show in the time: {}",
            row.operation
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(operation: &str, by: u64) -> Row {
        let times = |base: u64| -> Vec<String> {
            let times = (0..2020).map(|i| base + i * 37 % 101);
            times.map(|time| time.to_string()).collect()
        };
        let [one, other] = [times(1000 + by), times(1000)].map(|times| times.join(","));
        let line = format!("{operation}\tifma\tfixed / random\t{one}\t{other}");
        Row::parse(&line).unwrap()
    }

    #[test]
    fn a_row_has_its_figures() {
        let row = row("sm2 sign", 50);
        assert_eq!(row.samples, 4040);
        let line = row.line();
        for part in ["sm2 sign ", " ifma ", " fixed / random ", " 4040 "] {
            assert!(line.contains(part), "{part} is not in: {line}");
        }
        assert!(Row::parse("sm2 sign\tifma\tfixed / random\t1,2").is_err());
        assert!(Row::parse("sm2 sign\tifma\tfixed / random\t1,x\t3").is_err());
    }

    #[test]
    fn rows_that_differ_are_named() {
        let rows = [row("sm2 sign", 0), row("sm2 decrypt", 50)];
        let text = conclusion(&rows);
        assert!(
            text.ends_with("in both halves: sm2 decrypt (ifma), fixed / random\n"),
            "{text}"
        );
        assert!(
            conclusion(&rows[..1]).ends_with("largest |t| 0.0; above 5 and in both halves: none\n")
        );
    }

    #[test]
    fn a_planted_fault_must_show() {
        assert!(judge_planted(&[row("sm2 sign", 50)]).is_ok());
        let error = judge_planted(&[row("sm2 sign", 50), row("hmac", 0)]).unwrap_err();
        assert!(error.to_string().ends_with(": hmac"), "{error}");
        assert!(judge_planted(&[]).is_err());
    }
}
