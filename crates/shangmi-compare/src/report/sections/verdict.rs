//! The answer first: who is faster at what, by how much, and what is not alike.

mod ahead;
mod sm2;

use super::comparison::{outcome, ratio_words};
use super::contest::{Contest, OURS, Origin, Pick, contests, length_label};
use super::many::MANY_LANES;
use super::metric::Metric;
use crate::report::document::{Block, Card, Meter, Outcome, Section, Tally};
use crate::report::format;
use crate::report::text::{Text, phrases, terms};
use crate::result::{Execution, Group, Report, Row, Side};

/// A pairing that the page opens with.
struct Question {
    group: Group,
    operation: &'static str,
    sm: Pick,
    other: Pick,
    metric: Metric,
    /// Whether the longest or the shortest message is the one to quote.
    quoted: Quoted,
    notes: Vec<Text>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoted {
    Longest,
    Shortest,
}

fn questions() -> Vec<Question> {
    let mut all = Vec::new();
    for (group, operation) in [(Group::Hash, "digest"), (Group::CipherMode, "gcm-encrypt")] {
        for execution in [Execution::Software, Execution::Hardware] {
            all.push(symmetric(group, operation, execution));
        }
    }
    all.push(Question {
        sm: Pick::SM.from(Origin::Ours).by(MANY_LANES),
        other: Pick::INTERNATIONAL,
        ..symmetric(Group::HashMany, "digest-many", Execution::Hardware)
    });
    all.push(Question {
        sm: Pick::SM.from(Origin::Ours),
        other: Pick::INTERNATIONAL.from(Origin::Others),
        metric: Metric::Files,
        ..symmetric(Group::HashTree, "digest-tree", Execution::Software)
    });
    for operation in ["sign", "verify"] {
        for algorithm in ["RSA-2048", "P-256"] {
            all.push(Question {
                group: Group::PublicKey,
                operation,
                sm: Pick::SM.of("SM2"),
                other: Pick::INTERNATIONAL.of(algorithm),
                metric: Metric::Operations,
                quoted: Quoted::Shortest,
                notes: public_key_notes(operation, algorithm),
            });
        }
    }
    all
}

/// Software against software; or the best that each has where the other side has instructions of its own.
fn symmetric(group: Group, operation: &'static str, execution: Execution) -> Question {
    let sm = match execution {
        Execution::Software => Pick::SM.on(Execution::Software),
        Execution::Hardware => Pick::SM,
    };
    Question {
        group,
        operation,
        sm,
        other: Pick::INTERNATIONAL.on(execution),
        metric: Metric::Megabytes,
        quoted: Quoted::Longest,
        notes: Vec::new(),
    }
}

fn public_key_notes(operation: &str, algorithm: &str) -> Vec<Text> {
    let mut notes = Vec::new();
    if algorithm == "RSA-2048" && operation == "verify" {
        notes.push(phrases::UNLIKE_RSA_EXPONENT);
    }
    notes.push(phrases::UNLIKE_ZA);
    notes
}

/// A pairing with the rows that answer it.
struct Answer<'a> {
    question: Question,
    sm: &'a Row,
    other: &'a Row,
    /// Both sides at each length, ascending.
    pairs: Vec<(&'a Row, &'a Row)>,
}

impl Answer<'_> {
    fn ratio(&self) -> f64 {
        self.sm.time_ratio(self.other)
    }
}

fn answer(report: &Report, question: Question) -> Option<Answer<'_>> {
    let all = contests(report, question.group);
    let pairs: Vec<(&Row, &Row)> = all
        .iter()
        .filter(|contest| contest.operation == question.operation && contest.threads == 1)
        .filter_map(|contest: &Contest<'_>| {
            let sm = question.sm.choose(&contest.rows)?;
            let other = question.other.choose(&contest.rows)?;
            let ratio = sm.time_ratio(other);
            (ratio.is_finite() && ratio > 0.0).then_some((sm, other))
        })
        .collect();
    let &(sm, other) = match question.quoted {
        Quoted::Longest => pairs.last()?,
        Quoted::Shortest => pairs.first()?,
    };
    Some(Answer {
        question,
        sm,
        other,
        pairs,
    })
}

/// The opening section.
pub(super) fn section(report: &Report) -> Option<Section> {
    let answers: Vec<Answer<'_>> = questions()
        .into_iter()
        .filter_map(|question| answer(report, question))
        .collect();
    let mut blocks = warnings(report);
    if answers.is_empty() {
        blocks.push(Block::Paragraph(phrases::NO_VERDICT));
    } else {
        blocks.push(Block::Paragraph(phrases::VERDICT_INTRO));
        blocks.extend(ahead::finding(&answers).map(Block::Finding));
        blocks.extend(sm2::blocks(report));
        blocks.push(Block::Tally(summary(&answers)));
        blocks.push(Block::Cards(
            answers.iter().map(|one| card(report, one)).collect(),
        ));
    }
    Some(Section {
        id: "verdict",
        title: phrases::VERDICT,
        blocks,
    })
}

/// What makes the numbers doubtful.
fn warnings(report: &Report) -> Vec<Block> {
    let mut all = Vec::new();
    if report.machine.build == "debug" {
        all.push(Block::Warning(phrases::WARN_DEBUG));
    }
    if report.profile == "smoke" {
        all.push(Block::Warning(phrases::WARN_SMOKE));
    }
    let wide = report.rows.iter().filter(|row| row.spread() > 0.1).count();
    if wide * 4 > report.rows.len() {
        all.push(Block::Warning(
            phrases::WARN_NOISY
                .with("wide", wide.to_string())
                .with("all", report.rows.len().to_string()),
        ));
    }
    all
}

/// One line each for what SM loses, wins and draws.
fn summary(answers: &[Answer<'_>]) -> Vec<Tally> {
    [
        (Outcome::SmLoses, phrases::SM_LOSES),
        (Outcome::SmWins, phrases::SM_WINS),
        (Outcome::Even, phrases::SM_EVEN),
    ]
    .into_iter()
    .filter_map(|(wanted, lead)| {
        let items: Vec<(Text, Text)> = answers
            .iter()
            .filter(|answer| outcome(answer.ratio()) == wanted)
            .map(|answer| (short_title(answer), ratio_words(answer.ratio())))
            .collect();
        (!items.is_empty()).then_some(Tally {
            lead,
            outcome: wanted,
            items,
        })
    })
    .collect()
}

fn title(answer: &Answer<'_>) -> Text {
    let pair = phrases::AGAINST
        .with("sm", family(answer.sm))
        .with("other", family(answer.other));
    match answer.question.group {
        Group::HashMany => phrases::TITLE_MANY
            .with("sm", family(answer.sm))
            .with("other", family(answer.other)),
        Group::HashTree => phrases::TITLE_TREE
            .with("sm", family(answer.sm))
            .with("other", family(answer.other)),
        Group::PublicKey => phrases::OPERATION_OF
            .with("operation", terms::term(answer.question.operation))
            .with("pair", pair),
        _ => pair,
    }
}

/// The title, and the kind of instructions where both kinds have a card.
fn short_title(answer: &Answer<'_>) -> Text {
    match (
        answer.question.group,
        answer.sm.execution,
        answer.other.execution,
    ) {
        (Group::PublicKey | Group::HashMany | Group::HashTree, ..) => title(answer),
        (_, _, Execution::Software) => phrases::TITLE_SOFTWARE.with("title", title(answer)),
        (_, Execution::Software, _) => phrases::TITLE_BEST.with("title", title(answer)),
        (..) => phrases::TITLE_HARDWARE.with("title", title(answer)),
    }
}

/// `SM4-GCM` for the modes, else the algorithm.
fn family(row: &Row) -> String {
    match row.operation.split_once('-') {
        Some((mode, _)) if row.group == Group::CipherMode => {
            format!("{}-{}", row.algorithm, mode.to_uppercase())
        }
        _ => row.algorithm.clone(),
    }
}

fn card(report: &Report, answer: &Answer<'_>) -> Card {
    let ratio = answer.ratio();
    Card {
        title: title(answer),
        condition: condition(answer),
        outcome: outcome(ratio),
        headline: headline(ratio),
        sentence: sentence(answer),
        meters: meters(answer),
        notes: unlike(report, answer),
    }
}

fn headline(ratio: f64) -> Text {
    match outcome(ratio) {
        Outcome::Even => phrases::ON_A_PAR_SHORT,
        _ => ratio_words(ratio),
    }
}

fn condition(answer: &Answer<'_>) -> Text {
    let count = format::whole(answer.sm.items.unwrap_or(1));
    let phrase = match (
        answer.question.group,
        answer.sm.execution,
        answer.other.execution,
    ) {
        (Group::PublicKey, ..) => phrases::CONDITION_MESSAGE,
        (Group::HashMany, ..) => phrases::CONDITION_MANY,
        (Group::HashTree, ..) => return phrases::CONDITION_TREE.with("count", count),
        (_, Execution::Software, Execution::Software) => phrases::CONDITION_SOFTWARE,
        (_, Execution::Hardware, Execution::Hardware) => phrases::CONDITION_HARDWARE,
        _ => phrases::CONDITION_BEST,
    };
    phrase.with("length", length_label(answer.sm))
}

fn sentence(answer: &Answer<'_>) -> Text {
    let ratio = answer.ratio();
    let phrase = match outcome(ratio) {
        Outcome::SmLoses => phrases::SENTENCE_LOSES.with("times", format::times(ratio)),
        Outcome::SmWins => phrases::SENTENCE_WINS.with("times", format::times(1.0 / ratio)),
        Outcome::Even => phrases::SENTENCE_EVEN.with("times", format::times(ratio)),
    };
    let mut parts = vec![
        phrase
            .with("sm", family(answer.sm))
            .with("other", family(answer.other)),
    ];
    if let [(first, _), .., (last, _)] = answer.pairs[..] {
        let ratios = || answer.pairs.iter().map(|(sm, other)| sm.time_ratio(other));
        parts.push(
            phrases::OVER_LENGTHS
                .with("least", ratio_words(ratios().fold(f64::INFINITY, f64::min)))
                .with("greatest", ratio_words(ratios().fold(0.0, f64::max)))
                .with("shortest", length_label(first))
                .with("longest", length_label(last)),
        );
    }
    Text::join(&parts, &phrases::SPACE)
}

fn meters(answer: &Answer<'_>) -> Vec<Meter> {
    let metric = answer.question.metric;
    let value = |row: &Row| metric.value(row).unwrap_or(0.0);
    let greater = value(answer.sm).max(value(answer.other));
    [answer.sm, answer.other]
        .into_iter()
        .map(|row| Meter {
            name: phrases::NAME_SOFTWARE
                .with("what", family(row))
                .with("subject", &row.subject),
            value: phrases::VALUE_UNIT
                .with("value", metric.show(value(row)))
                .with("unit", metric.unit()),
            fraction: value(row) / greater,
            side: row.side,
        })
        .collect()
}

/// What a reader must not overlook when comparing the two numbers.
fn unlike(report: &Report, answer: &Answer<'_>) -> Vec<Text> {
    let (sm, other) = (answer.sm, answer.other);
    let mut all = Vec::new();
    if sm.execution != other.execution {
        let phrase = match other.execution {
            Execution::Hardware => phrases::UNLIKE_HARDWARE,
            Execution::Software => phrases::UNLIKE_HARDWARE_SM,
        };
        all.push(
            phrase
                .with("sm", &sm.algorithm)
                .with("other", &other.algorithm),
        );
    }
    if sm.security_bits != other.security_bits {
        all.push(
            phrases::UNLIKE_STRENGTH
                .with("sm", &sm.algorithm)
                .with("a", sm.security_bits.to_string())
                .with("other", &other.algorithm)
                .with("b", other.security_bits.to_string()),
        );
    }
    all.extend(answer.question.notes.iter().cloned());
    if sm.subject != other.subject {
        all.push(
            phrases::UNLIKE_CODE
                .with("a", code_path(sm))
                .with("b", code_path(other)),
        );
    }
    all.extend(faster_elsewhere(report, answer));
    all
}

fn code_path(row: &Row) -> Text {
    phrases::CODE_PATH
        .with("subject", &row.subject)
        .with("backend", terms::term(&row.backend))
}

/// Says so when another library's SM code is faster than ours.
fn faster_elsewhere(report: &Report, answer: &Answer<'_>) -> Option<Text> {
    let sm = answer.sm;
    let all = contests(report, sm.group);
    let contest = all.iter().find(|contest| {
        contest.operation == sm.operation
            && contest.bytes == sm.bytes
            && contest.threads == sm.threads
    })?;
    let peer = Pick {
        origin: Origin::Others,
        side: Side::Sm,
        ..answer.question.sm
    };
    let peer = peer.choose(&contest.rows)?;
    let ratio = sm.time_ratio(peer);
    (sm.subject == OURS && outcome(ratio) == Outcome::SmLoses).then(|| {
        phrases::FASTER_ELSEWHERE
            .with("subject", &peer.subject)
            .with("algorithm", &peer.algorithm)
            .with("times", format::times(ratio))
    })
}
