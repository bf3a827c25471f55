//! Where SM3 beats SHA-256, and where it does not: one sentence each, from the ratios alone.

use super::{Answer, length_label, outcome, ratio_words};
use crate::report::document::Outcome;
use crate::report::format;
use crate::report::text::{Text, phrases};
use crate::result::{Execution, Group, Row, geometric_mean};

/// Lengths that follow one another and came out alike.
struct Run {
    outcome: Outcome,
    words: Text,
}

/// What the answers about SM3 and SHA-256 say; none when there are no such answers.
pub(super) fn finding(answers: &[Answer<'_>]) -> Option<Text> {
    let runs: Vec<Run> = answers.iter().flat_map(runs).collect();
    if runs.is_empty() {
        return None;
    }
    let list = |wanted: Outcome| {
        let alike = runs.iter().filter(|run| run.outcome == wanted);
        let words: Vec<Text> = alike.map(|run| run.words.clone()).collect();
        (!words.is_empty()).then(|| Text::join(&words, &phrases::SEMICOLON))
    };
    let ahead = match list(Outcome::SmWins) {
        Some(list) => phrases::SM3_AHEAD.with("list", list),
        None => phrases::SM3_NEVER_AHEAD,
    };
    let behind = match list(Outcome::SmLoses) {
        Some(list) => phrases::SM3_BEHIND.with("list", list),
        None => phrases::SM3_NEVER_BEHIND,
    };
    let even = list(Outcome::Even).map(|list| phrases::SM3_EVEN.with("list", list));
    let parts: Vec<Text> = [ahead, behind].into_iter().chain(even).collect();
    Some(Text::join(&parts, &phrases::SPACE))
}

/// More runs than this would be hard to read: the lengths then stand together, under what they are in the mean.
const MOST_RUNS: usize = 3;

/// The lengths of an answer in runs of one outcome; none of an answer that is not about these hashes.
fn runs(answer: &Answer<'_>) -> Vec<Run> {
    let Some(case) = case(answer) else {
        return Vec::new();
    };
    let run = |outcome: Outcome, pairs: &[(&Row, &Row)], ratio: Text| Run {
        outcome,
        words: phrases::CASE
            .with("case", case.clone())
            .with("length", lengths(pairs))
            .with("ratio", ratio),
    };
    let outcome_of = |(sm, other): &(&Row, &Row)| outcome(sm.time_ratio(other));
    let alike = |a: &(&Row, &Row), b: &(&Row, &Row)| outcome_of(a) == outcome_of(b);
    if answer.pairs.chunk_by(alike).count() > MOST_RUNS {
        let ratios: Vec<f64> = time_ratios(&answer.pairs).collect();
        let mean = geometric_mean(&ratios).unwrap_or(1.0);
        return vec![run(
            outcome(mean),
            &answer.pairs,
            extremes(&answer.pairs, mean),
        )];
    }
    let runs = answer.pairs.chunk_by(alike);
    runs.map(|pairs| run(outcome_of(&pairs[0]), pairs, ratios(pairs)))
        .collect()
}

fn time_ratios(pairs: &[(&Row, &Row)]) -> impl Iterator<Item = f64> {
    pairs.iter().map(|(sm, other)| sm.time_ratio(other))
}

/// `1.10× faster to 1.20× slower, in the mean even (1.03×)`.
fn extremes(pairs: &[(&Row, &Row)], mean: f64) -> Text {
    let least = time_ratios(pairs).fold(f64::INFINITY, f64::min);
    let greatest = time_ratios(pairs).fold(0.0, f64::max);
    phrases::FROM_TO_MEAN
        .with("from", ratio_words(least))
        .with("to", ratio_words(greatest))
        .with("mean", ratio_words(mean))
}

/// What was set against what.
fn case(answer: &Answer<'_>) -> Option<Text> {
    let on_hardware = answer.other.execution == Execution::Hardware;
    Some(match (answer.question.group, on_hardware) {
        (Group::Hash, true) => phrases::CASE_STREAM_HARDWARE,
        (Group::Hash, false) => phrases::CASE_STREAM_SOFTWARE,
        (Group::HashMany, true) => phrases::CASE_LANES_HARDWARE,
        (Group::HashMany, false) => phrases::CASE_LANES_SOFTWARE,
        (Group::HashTree, _) => phrases::CASE_TREE
            .with("sm", &answer.sm.subject)
            .with("other", &answer.other.subject),
        _ => return None,
    })
}

fn lengths(pairs: &[(&Row, &Row)]) -> Text {
    let (first, last) = (pairs[0].0, pairs[pairs.len() - 1].0);
    match first.items {
        Some(items) if first.group == Group::HashTree => {
            phrases::COUNT_FILES.with("count", format::whole(items))
        }
        _ if first.bytes == last.bytes => length_label(first),
        _ => phrases::FROM_TO
            .with("from", length_label(first))
            .with("to", length_label(last)),
    }
}

/// `1.20× slower`, `1.20–1.40× slower`.
fn ratios(pairs: &[(&Row, &Row)]) -> Text {
    let outcome = outcome(pairs[0].0.time_ratio(pairs[0].1));
    let ratio = |(sm, other): &(&Row, &Row)| match outcome {
        Outcome::SmWins => other.time_ratio(sm),
        Outcome::SmLoses | Outcome::Even => sm.time_ratio(other),
    };
    let least = format::times(pairs.iter().map(ratio).fold(f64::INFINITY, f64::min));
    let greatest = format::times(pairs.iter().map(ratio).fold(0.0, f64::max));
    let times = if least == greatest {
        least
    } else {
        format!("{least}–{greatest}")
    };
    let phrase = match outcome {
        Outcome::SmWins => phrases::TIMES_FASTER,
        Outcome::SmLoses => phrases::TIMES_SLOWER,
        Outcome::Even => phrases::TIMES,
    };
    phrase.with("times", times)
}
