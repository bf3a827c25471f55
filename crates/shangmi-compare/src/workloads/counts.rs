//! Operations of one compression: counted by running the definition on a word that counts, and as published.

use reference::word::{CompressionTally, Tally};

use crate::published;
use crate::result::{CountOrigin, CountPhase, CountRow};

/// Counted rows, the saving that sharing brings, and the published rows.
pub(crate) fn rows() -> Vec<CountRow> {
    let mut rows = Vec::new();
    push(
        &mut rows,
        "SM3",
        CountOrigin::Counted,
        reference::sm3::count(),
        "by the definition: A <<< 12 computed twice in a step, T_j rotated in each step",
    );
    push(
        &mut rows,
        "SM3",
        CountOrigin::CountedShared,
        reference::sm3::count_shared(),
        "A <<< 12 computed once in a step, T_j rotated beforehand",
    );
    push(
        &mut rows,
        "SHA-256",
        CountOrigin::Counted,
        reference::sha256::count(),
        "by the definition; NOT counts as logic",
    );
    rows.extend(published::count_rows());
    rows
}

fn push(
    rows: &mut Vec<CountRow>,
    algorithm: &str,
    origin: CountOrigin,
    tally: CompressionTally,
    note: &str,
) {
    let phases = [
        (CountPhase::Expansion, tally.expansion),
        (CountPhase::StateUpdate, tally.state_update),
    ];
    rows.extend(phases.map(|(phase, tally)| row(algorithm, phase, origin, tally, note)));
}

fn row(
    algorithm: &str,
    phase: CountPhase,
    origin: CountOrigin,
    tally: Tally,
    note: &str,
) -> CountRow {
    let count = |operations: u64| u32::try_from(operations).unwrap_or(u32::MAX);
    CountRow {
        algorithm: algorithm.to_owned(),
        phase,
        origin,
        shifts: count(tally.shifts),
        logic: count(tally.logic),
        additions: count(tally.additions),
        note: note.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_and_published_differ_as_explained() {
        let rows = rows();
        let find = |algorithm: &str, phase, origin| {
            rows.iter()
                .find(|row| {
                    row.algorithm == algorithm && row.phase == phase && row.origin == origin
                })
                .unwrap()
        };
        for algorithm in ["SM3", "SHA-256"] {
            let counted = find(algorithm, CountPhase::Expansion, CountOrigin::Counted);
            let published = find(algorithm, CountPhase::Expansion, CountOrigin::Published);
            assert_eq!(
                (counted.shifts, counted.logic, counted.additions),
                (published.shifts, published.logic, published.additions)
            );
        }
        let counted = find("SM3", CountPhase::StateUpdate, CountOrigin::Counted);
        let published = find("SM3", CountPhase::StateUpdate, CountOrigin::Published);
        assert_eq!(counted.shifts, published.shifts);
        assert_eq!(counted.logic + 128, published.logic);
        assert_eq!(counted.additions - 128, published.additions);
    }
}
