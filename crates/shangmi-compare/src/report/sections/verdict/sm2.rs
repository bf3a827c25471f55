//! What SM2 wins and loses beside RSA-2048 and P-256, and what follows from it: from the ratios alone.

use crate::report::document::{Block, Outcome};
use crate::report::format;
use crate::report::sections::comparison::{outcome, ratio_words};
use crate::report::sections::contest::{Contest, Pick, contests};
use crate::report::sections::ways::{self, Way};
use crate::report::text::{Text, phrases, terms};
use crate::result::{Group, Report, Row};

const RSA: &str = "RSA-2048";

/// Operations that are compared, one at a time.
const OPERATIONS: [&str; 6] = [
    "sign",
    "generate-key",
    "verify",
    "encrypt",
    "decrypt",
    "agree",
];

/// The finding and what follows from it; nothing where there is nothing to compare.
pub(super) fn blocks(report: &Report) -> Vec<Block> {
    let all = contests(report, Group::PublicKey);
    let findings: Vec<Text> = verify_heavy(&all)
        .into_iter()
        .chain(balance(&all))
        .collect();
    let mut blocks = Vec::new();
    if !findings.is_empty() {
        blocks.push(Block::Finding(Text::join(&findings, &phrases::SPACE)));
    }
    let advice = advice(&all);
    if !advice.is_empty() {
        blocks.push(Block::List(phrases::ADVICE, advice));
    }
    blocks
}

fn sound(ratio: f64) -> Option<f64> {
    (ratio.is_finite() && ratio > 0.0).then_some(ratio)
}

fn of_algorithm<'a>(all: &[Contest<'a>], operation: &str, name: &'static str) -> Option<&'a Row> {
    ways::shortest(all, operation, Pick::INTERNATIONAL.of(name))
}

/// Each way of verifying with SM2, and how many times as long as RSA-2048 it takes.
fn verifications<'a>(all: &[Contest<'a>]) -> Vec<(Way<'a>, f64)> {
    let Some(rsa) = of_algorithm(all, "verify", RSA) else {
        return Vec::new();
    };
    let with_ratio = |way: Way<'a>| {
        let ratio = sound(way.row.item_time_ratio(rsa))?;
        Some((way, ratio))
    };
    ways::of(all, "verify")
        .into_iter()
        .filter_map(with_ratio)
        .collect()
}

/// `Verify-heavy RSA-2048 users lose 1.40× with a new key, gain 1.60× with a prepared key, ...`.
fn verify_heavy(all: &[Contest<'_>]) -> Option<Text> {
    let part = |(way, ratio): &(Way<'_>, f64)| {
        let (phrase, times) = match outcome(*ratio) {
            Outcome::SmLoses => (phrases::LOSE, *ratio),
            Outcome::SmWins => (phrases::GAIN_BY, 1.0 / ratio),
            Outcome::Even => (phrases::STAY_EVEN, *ratio),
        };
        phrase
            .with("times", format::times(times))
            .with("way", way.label.clone())
    };
    let parts: Vec<Text> = verifications(all).iter().map(part).collect();
    (!parts.is_empty())
        .then(|| phrases::VERIFY_HEAVY.with("list", Text::join(&parts, &phrases::COMMA)))
}

/// Where SM2 wins one at a time, where it does not, and where it is even.
fn balance(all: &[Contest<'_>]) -> Vec<Text> {
    [
        (Outcome::SmWins, phrases::SM2_AHEAD),
        (Outcome::SmLoses, phrases::SM2_BEHIND),
        (Outcome::Even, phrases::SM2_EVEN),
    ]
    .into_iter()
    .filter_map(|(wanted, lead)| {
        let lists: Vec<Text> = [RSA, "P-256"]
            .into_iter()
            .filter_map(|name| against(all, name, wanted))
            .collect();
        (!lists.is_empty()).then(|| lead.with("list", Text::join(&lists, &phrases::SEMICOLON)))
    })
    .collect()
}

/// `against P-256: Sign 1.80× faster, ...`.
fn against(all: &[Contest<'_>], name: &'static str, wanted: Outcome) -> Option<Text> {
    let one = |operation: &str| {
        let sm = ways::shortest(all, operation, ways::SM2)?;
        let ratio = sound(sm.time_ratio(of_algorithm(all, operation, name)?))?;
        (outcome(ratio) == wanted).then(|| {
            phrases::OPERATION_RATIO
                .with("operation", terms::term(operation))
                .with("ratio", ratio_words(ratio))
        })
    };
    let list: Vec<Text> = OPERATIONS.into_iter().filter_map(one).collect();
    (!list.is_empty()).then(|| {
        phrases::AGAINST_LIST
            .with("name", name)
            .with("list", Text::join(&list, &phrases::COMMA))
    })
}

/// What follows for those who choose.
fn advice(all: &[Contest<'_>]) -> Vec<Text> {
    let verifications = verifications(all);
    let mut advice: Vec<Text> = advice_on_signing(all).into_iter().collect();
    if let Some((plain, others)) = verifications.split_first() {
        let of = |operation| {
            let way = |(way, _): &&(Way<'_>, f64)| way.row.operation == operation;
            let (way, _) = others.iter().find(way)?;
            Some(way.row)
        };
        advice.extend(of("verify-prepared").and_then(|row| advice_on_preparing(plain.0.row, row)));
        for (operation, phrase) in [
            ("verify-many", phrases::ADVICE_MANY),
            ("verify-many-one-key", phrases::ADVICE_MANY_ONE_KEY),
        ] {
            let row = of(operation);
            advice.extend(row.and_then(|row| advice_on_many(plain.0.row, row, phrase)));
        }
    }
    advice.extend(advice_on_verifying(&verifications));
    advice
}

fn advice_on_signing(all: &[Contest<'_>]) -> Option<Text> {
    let sm = ways::shortest(all, "sign", ways::SM2)?;
    let ratio = sound(sm.time_ratio(of_algorithm(all, "sign", RSA)?))?;
    Some(match outcome(ratio) {
        Outcome::SmWins => phrases::ADVICE_SIGN.with("times", format::times(1.0 / ratio)),
        _ => phrases::ADVICE_SIGN_COSTS.with("times", format::times(ratio)),
    })
}

fn advice_on_preparing(plain: &Row, prepared: &Row) -> Option<Text> {
    let ratio = sound(plain.item_time_ratio(prepared))?;
    if outcome(ratio) != Outcome::SmLoses {
        return None;
    }
    let mut parts = vec![phrases::ADVICE_PREPARE.with("times", format::times(ratio))];
    let saved = plain.item_nanoseconds() - prepared.item_nanoseconds();
    if let Some(cost) = prepared
        .one_time_nanoseconds
        .filter(|cost| cost.is_finite())
    {
        let count = (cost / saved).ceil().max(1.0) as u64;
        parts.push(phrases::ADVICE_PREPARE_PAYS.with("count", format::whole(count)));
    }
    Some(Text::join(&parts, &phrases::SPACE))
}

fn advice_on_many(plain: &Row, many: &Row, phrase: Text) -> Option<Text> {
    let ratio = sound(plain.item_time_ratio(many))?;
    (outcome(ratio) == Outcome::SmLoses).then(|| phrase.with("times", format::times(ratio)))
}

/// By the best way that there is.
fn advice_on_verifying(verifications: &[(Way<'_>, f64)]) -> Option<Text> {
    let (way, ratio) = verifications
        .iter()
        .min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    let phrase = match outcome(*ratio) {
        Outcome::SmLoses => phrases::ADVICE_VERIFY_COSTS.with("times", format::times(*ratio)),
        _ => phrases::ADVICE_VERIFY,
    };
    Some(phrase.with("way", way.label.clone()))
}
