//! What the harness printed: an operation, its code path, and the number of memcheck's complaints.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};
use std::fs;

use anyhow::{Context, Result, bail, ensure};

/// One operation in one run.
pub(super) struct Line {
    operation: String,
    backend: String,
    complaints: u64,
}

pub(super) fn parse(output: &str) -> Result<Vec<Line>> {
    let lines = output.lines().map(|line| {
        let mut fields = line.split('\t');
        let (Some(operation), Some(backend), Some(complaints)) =
            (fields.next(), fields.next(), fields.next())
        else {
            bail!("not a line of the harness: {line}");
        };
        Ok(Line {
            operation: operation.to_owned(),
            backend: backend.to_owned(),
            complaints: complaints.parse().context("the complaints are no number")?,
        })
    });
    let lines: Vec<_> = lines.collect::<Result<_>>()?;
    ensure!(!lines.is_empty(), "the harness ran nothing");
    Ok(lines)
}

/// Code paths that must have run where the processor has the flags; valgrind has all of these.
const EXPECTED: &[(&[&str], &str)] = &[
    (&[], "portable"),
    (&[], "bitsliced"),
    (&["avx", "bmi2"], "bmi2+avx"),
    (&["avx2"], "avx2 x 8"),
    (&["aes", "avx2"], "aesni-avx2"),
    (&["aes", "ssse3"], "aesni-ssse3"),
    (&["pclmulqdq", "ssse3"], "clmul"),
];

/// All runs: the complaints of each operation in each code path.
#[derive(Default)]
pub(super) struct Table(BTreeMap<(String, String), u64>);

impl Table {
    /// Adds a run.
    pub(super) fn add(&mut self, lines: Vec<Line>) {
        for line in lines {
            *self.0.entry((line.operation, line.backend)).or_default() += line.complaints;
        }
    }

    /// Every expected code path ran, and none gave a complaint.
    pub(super) fn judge(&self) -> Result<()> {
        let info = fs::read_to_string("/proc/cpuinfo").context("no list of processor flags")?;
        self.judge_for(&flags(&info))
    }

    fn judge_for(&self, flags: &BTreeSet<&str>) -> Result<()> {
        let ran: BTreeSet<_> = self.0.keys().map(|(_, backend)| backend.as_str()).collect();
        for (needs, backend) in EXPECTED {
            let expected = needs.iter().all(|flag| flags.contains(flag));
            ensure!(!expected || ran.contains(backend), "{backend} did not run");
        }
        let leaking: Vec<_> = self
            .0
            .iter()
            .filter(|(_, complaints)| **complaints > 0)
            .collect();
        if leaking.is_empty() {
            return Ok(());
        }
        let names: Vec<_> = leaking
            .iter()
            .map(|((operation, backend), _)| format!("{operation} ({backend})"))
            .collect();
        bail!(
            "the time depends on a secret in: {}\n`cargo xtask ct --verbose` shows where",
            names.join(", ")
        )
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<24} {:<24} {:>10}",
            "operation", "code path", "complaints"
        )?;
        for ((operation, backend), complaints) in &self.0 {
            writeln!(f, "{operation:<24} {backend:<24} {complaints:>10}")?;
        }
        Ok(())
    }
}

fn flags(cpuinfo: &str) -> BTreeSet<&str> {
    cpuinfo
        .lines()
        .find_map(|line| line.strip_prefix("flags"))
        .into_iter()
        .flat_map(|line| line.trim_start_matches([' ', '\t', ':']).split_whitespace())
        .collect()
}

/// The functions of `shangmi::ct::leaks`, one for each place, as symbols have them.
const DIVIDING: [&str; 3] = ["signing", "decryption", "hmac"];

/// A sentence if each planted fault was found.
pub(super) fn of_planted(lines: &[Line], divisions: &[String]) -> Result<String> {
    ensure!(lines.len() == 6, "two kinds of faults at three places");
    for line in lines {
        ensure!(
            line.complaints > 0,
            "a planted fault was not found: {}",
            line.operation
        );
    }
    for place in DIVIDING {
        ensure!(
            divisions
                .iter()
                .any(|function| function.contains("leaks") && function.contains(place)),
            "a planted fault was not found: division in {place}"
        );
    }
    Ok("planted faults: a branch, an index and a division, each in signing, decryption and HMAC: all found".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = "sm2 sign\tportable\t0\nsm4 ecb\tbitsliced\t0\n";

    fn table(output: &str) -> Table {
        let mut table = Table::default();
        table.add(parse(output).unwrap());
        table
    }

    #[test]
    fn a_run_without_complaints_passes() {
        assert!(table(RUN).judge_for(&BTreeSet::new()).is_ok());
        assert!(parse("").is_err());
        assert!(parse("sm2 sign\tportable").is_err());
    }

    #[test]
    fn a_complaint_is_named() {
        let leaking = RUN.replace("portable\t0", "portable\t2");
        let error = table(&leaking).judge_for(&BTreeSet::new()).unwrap_err();
        assert!(error.to_string().contains("sm2 sign (portable)"), "{error}");
    }

    #[test]
    fn a_code_path_that_did_not_run_is_named() {
        let flags = flags("model\t: x\nflags\t\t: fpu avx2 sse\n");
        let error = table(RUN).judge_for(&flags).unwrap_err();
        assert_eq!(error.to_string(), "avx2 x 8 did not run");
    }

    #[test]
    fn a_planted_fault_that_is_not_found_is_named() {
        let found = "Branch in sm2 sign\tp\t1\nBranch in sm2 decrypt\tp\t1\nBranch in hmac\tp\t1\n\
                     Index in sm2 sign\tp\t1\nIndex in sm2 decrypt\tp\t1\nIndex in hmac\tp\t1\n";
        let divisions: Vec<_> = DIVIDING
            .map(|place| format!("_ZN7shangmi2ct5leaks{place}"))
            .into();
        assert!(of_planted(&parse(found).unwrap(), &divisions).is_ok());
        let missed = found.replace("Index in hmac\tp\t1", "Index in hmac\tp\t0");
        let error = of_planted(&parse(&missed).unwrap(), &divisions).unwrap_err();
        assert!(error.to_string().ends_with("Index in hmac"), "{error}");
        let error = of_planted(&parse(found).unwrap(), &divisions[1..]).unwrap_err();
        assert!(
            error.to_string().ends_with("division in signing"),
            "{error}"
        );
    }
}
