//! The renderings of a report: complete, well-formed, self-contained, and a function of the data alone.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod browser;
mod contrast;
mod fixture;
mod markup;

use std::fs;

use shangmi_compare::report::{Language, html, json, markdown, terminal, write_all};
use shangmi_compare::result::{Execution, Group, LibraryStatus, Report};

/// Reports that differ in what they lack.
fn variations() -> Vec<(String, Report)> {
    let mut all = vec![
        ("full".to_owned(), fixture::full()),
        ("empty".to_owned(), fixture::empty()),
    ];
    let mut without = |name: String, change: &dyn Fn(&mut Report)| {
        let mut report = fixture::full();
        change(&mut report);
        all.push((name, report));
    };
    for group in Group::ALL {
        without(format!("without {group}"), &|report| {
            report.rows.retain(|row| row.group != group);
        });
        without(format!("only {group}"), &|report| {
            report.rows.retain(|row| row.group == group);
        });
    }
    for subject in ["shangmi", "aws-lc", "libcrypto", "reference"] {
        without(format!("without {subject}"), &|report| {
            report.rows.retain(|row| row.subject != subject);
            report.libraries.retain(|library| library.name != subject);
        });
    }
    without("no software rows".to_owned(), &|report| {
        report
            .rows
            .retain(|row| row.execution != Execution::Software);
    });
    without("no cycles".to_owned(), &|report| {
        report.machine.core_hertz = None;
        for row in &mut report.rows {
            (row.cycles, row.cycles_per_byte) = (None, None);
        }
    });
    for value in [0.0, f64::INFINITY, f64::NAN] {
        without(format!("times of {value}"), &|report| {
            for row in &mut report.rows {
                row.timing.median_nanoseconds = value;
                row.timing.p10_nanoseconds = value;
            }
        });
    }
    all
}

#[test]
fn every_page_is_well_formed() {
    for (name, report) in variations() {
        println!("{name}");
        let page = html(&report);
        markup::assert_well_formed(&page);
        for word in ["NaN", "inf ", ">inf<", "None", "Some("] {
            assert!(!page.contains(word), "{name} shows {word:?}");
        }
    }
}

#[test]
fn the_other_renderings_hold_without_parts_of_the_data() {
    for (name, report) in variations() {
        println!("{name}");
        for language in Language::ALL {
            assert!(markdown(&report, language).starts_with("# "));
            for width in [None, Some(0), Some(20), Some(80), Some(200)] {
                assert!(!terminal(&report, language, width).is_empty());
            }
        }
    }
}

#[test]
fn renderings_are_functions_of_the_json() {
    let report = fixture::full();
    let again: Report = serde_json::from_str(&json(&report).unwrap()).unwrap();
    assert!(report == again);
    assert_eq!(html(&report), html(&again));
    assert_eq!(json(&report).unwrap(), json(&again).unwrap());
    for language in Language::ALL {
        assert_eq!(markdown(&report, language), markdown(&again, language));
        assert_eq!(
            terminal(&report, language, Some(100)),
            terminal(&again, language, Some(100))
        );
    }
}

#[test]
fn the_page_loads_nothing() {
    let page = html(&fixture::full());
    for element in markup::elements(&page) {
        assert!(!["link", "img", "iframe", "object", "embed", "base"].contains(&element.name));
        for name in ["src", "srcset", "xlink:href", "action", "data"] {
            assert_eq!(element.attribute(name), None, "{name} of {}", element.name);
        }
        if let Some(href) = element.attribute("href") {
            assert!(href.starts_with('#'), "a link to {href:?}");
        }
    }
    assert!(!page.contains("://"), "an address in the page");
    assert!(!page.contains("@import"));
    // The one form of url() is a pattern of the same picture.
    assert!(page.split("url(").skip(1).all(|rest| rest.starts_with('#')));
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn numbers_of_every_row_are_shown() {
    let report = fixture::full();
    let page = html(&report);
    let text = markdown(&report, Language::English);
    for row in &report.rows {
        let median = nanoseconds(row.timing.median_nanoseconds);
        assert!(
            page.contains(&format!(">{median}<")),
            "{row:?}: {median} is not in the page"
        );
        assert!(
            text.contains(&median),
            "{row:?}: {median} is not in the text"
        );
        assert!(page.contains(&row.backend));
    }
    for row in &report.operation_counts {
        assert!(page.contains(&thousands(row.shifts)) && page.contains(&thousands(row.logic)));
    }
    for row in &report.published {
        assert!(page.contains(&format!(">{}<", row.claimed)));
    }
    for row in &report.attacks {
        assert!(page.contains(&row.cost) && page.contains(&row.source));
    }
    for row in &report.sizes {
        assert!(page.contains(&format!(">{}<", row.bytes)));
    }
    for row in &report.memory {
        assert!(page.contains(&format!(">{}<", thousands(row.bytes as u32))));
    }
}

/// Three significant digits by another way than the renderer's: through scientific notation.
fn nanoseconds(value: f64) -> String {
    let (value, unit) = match value {
        v if v < 1e3 => (v, "ns"),
        v if v < 1e6 => (v / 1e3, "µs"),
        v if v < 1e9 => (v / 1e6, "ms"),
        v => (v / 1e9, "s"),
    };
    let scientific = format!("{value:.2e}");
    let exponent: i32 = scientific.split_once('e').unwrap().1.parse().unwrap();
    let decimals = usize::try_from(2 - exponent).unwrap_or(0);
    let rounded: f64 = scientific.parse().unwrap();
    format!("{rounded:.decimals$} {unit}")
}

fn thousands(value: u32) -> String {
    match value {
        0..1000 => value.to_string(),
        _ => format!("{},{:03}", value / 1000, value % 1000),
    }
}

#[test]
fn the_verdict_says_who_wins_and_by_how_much() {
    let report = fixture::full();
    let page = html(&report);
    let text = markdown(&report, Language::English);
    // 35,300 signatures a second by SM2 against 1,640 by RSA-2048; 28.3 µs against 17 µs by P-256.
    for words in [
        "21.6× faster",
        "1.66× slower",
        "35,300 ops/s",
        "1,640 ops/s",
        "3.37× slower",
    ] {
        assert!(page.contains(words), "{words:?} is not in the page");
        assert!(text.contains(words), "{words:?} is not in the text");
    }
    assert!(page.contains("快 21.6×") && page.contains("慢 1.66×"));
    assert!(page.contains("SM2 hashes Z_A"));
    assert!(page.contains("Strength: SM2 claims 128 bits"));
    assert!(page.contains("this processor has none for SM3"));
}

#[test]
fn a_verdict_turns_when_the_data_turns() {
    let mut report = fixture::full();
    for row in &mut report.rows {
        if row.algorithm == "SM3" && row.subject == "shangmi" {
            row.timing.median_nanoseconds /= 2.0;
        }
    }
    // 1.21 times as long before.
    assert!(terminal(&report, Language::English, None).contains("1.66× faster"));
    assert!(
        html(&report).contains("<article class=\"card wins\">\n<h3><span lang=\"en\">SM3 against")
    );
}

/// The first line of a terminal report after the heads of its sections' titles that speaks of both hashes.
fn finding(report: &Report, language: Language) -> String {
    let text = terminal(report, language, Some(100));
    let is_finding = |line: &&str| {
        line.contains("SM3 ") && line.contains("：") || line.contains("SM3 beats SHA-256")
    };
    text.lines().find(is_finding).unwrap_or_default().to_owned()
}

#[test]
fn where_sm3_is_ahead_follows_the_data() {
    let mut report = fixture::full();
    let english = "Where SM3 beats SHA-256 on this machine: \
        many messages in lanes against SHA instructions, 64 × 64 B to 64 × 8 KiB: 3.79× faster; \
        small files, shangmi against sha256sum, 4,000 files: 3.00× faster. Where it does not: \
        one stream, software against software, 8 B to 1 MiB: 1.17–1.21× slower; \
        one stream against SHA instructions, 8 B to 1 MiB: 2.40–3.37× slower.";
    assert_eq!(finding(&report, Language::English), english);
    assert!(
        html(&report).contains(english) && markdown(&report, Language::English).contains(english)
    );
    let chinese = finding(&report, Language::Chinese);
    for words in [
        "优于",
        "多消息多通道对 SHA 指令（64 × 64 B 至 64 × 8 KiB）：快 3.79×",
        "慢 2.40–3.37×",
    ] {
        assert!(chinese.contains(words), "{words:?} is not in {chinese:?}");
    }
    // Long messages turn: each length stands with its own kind.
    for row in &mut report.rows {
        let is_long = row.item_bytes() > Some(2048) || row.group == Group::HashTree;
        if is_long && row.algorithm == "SM3" {
            let factor = if row.group == Group::Hash { 0.2 } else { 3.8 };
            row.timing.median_nanoseconds *= factor;
        }
    }
    let turned = finding(&report, Language::English);
    for words in [
        "Even: many messages in lanes against SHA instructions, 64 × 8 KiB: 1.00×.",
        "small files, shangmi against sha256sum, 4,000 files: 1.27× slower",
        "one stream against SHA instructions, 8 B to 1 KiB: 2.40–3.24× slower",
        "one stream against SHA instructions, 4 KiB to 1 MiB: 1.49–1.50× faster",
    ] {
        assert!(turned.contains(words), "{words:?} is not in {turned:?}");
    }
    for row in &mut report.rows {
        if row.algorithm == "SM3" {
            row.timing.median_nanoseconds *= 100.0;
        }
    }
    assert!(
        finding(&report, Language::English).starts_with("SM3 beats SHA-256 in none of the cases")
    );
    for row in &mut report.rows {
        if row.algorithm == "SM3" {
            row.timing.median_nanoseconds /= 1e4;
        }
    }
    assert!(finding(&report, Language::English).ends_with("SHA-256 is ahead in none of them."));
}

/// The lines of a terminal report that speak of SM2 beside RSA-2048, and what the page advises.
fn choice(report: &Report, language: Language) -> String {
    let text = terminal(report, language, Some(100));
    let is_finding = |line: &&str| line.contains("Verify-heavy") || line.contains("以验签为主");
    let finding = text.lines().find(is_finding).unwrap_or_default();
    let file = markdown(report, language);
    let is_advice = |line: &&str| line.contains("RSA-2048") || line.contains("Verifier");
    let items = file.lines().filter(|line| line.starts_with("- "));
    let advice: Vec<&str> = items.filter(is_advice).collect();
    format!("{finding}\n{}", advice.join("\n"))
}

#[test]
fn verify_heavy_users_are_told_what_they_lose() {
    let mut report = fixture::full();
    // Verifications: 17.5 µs by RSA-2048; 74 with a new key, 14 with a prepared one, 25 each of 64 together, 16 under one key.
    let english = "Verify-heavy RSA-2048 users lose 4.23× (with a new key), \
        gain 1.25× (with a prepared key), lose 1.43× (64 at once), gain 1.09× (64 at once, one key). \
        Where SM2 wins, one at a time: against RSA-2048: Sign 21.6× faster, \
        Generate a key 3,860× faster, Decrypt 10.1× faster. \
        Where it does not: against RSA-2048: Verify 4.23× slower, Encrypt 5.00× slower; \
        against P-256: Sign 1.66× slower, Generate a key 1.75× slower, Verify 1.68× slower.";
    let found = choice(&report, Language::English);
    assert_eq!(found.lines().next(), Some(english));
    for words in [
        "with 21.6 times the signatures of RSA-2048",
        "verifies 5.29 times as many as a Verifier. Making it pays from signature 5 on.",
        "verifies 2.96 times as many in the same time as a Verifier",
        "verifies 4.63 times as many as a Verifier",
        "at its best (with a prepared key) SM2 costs no more than RSA-2048",
    ] {
        assert!(found.contains(words), "{words:?} is not in {found}");
    }
    let chinese = choice(&report, Language::Chinese);
    for words in [
        "慢 4.23×（新公钥），快 1.25×（预备公钥），慢 1.43×（64 个同时），快 1.09×（64 个同时，同一公钥）",
        "对 RSA-2048：签名快 21.6×",
        "不高于 RSA-2048",
    ] {
        assert!(chinese.contains(words), "{words:?} is not in {chinese}");
    }
    // A slower machine for tables: no way is as fast as RSA's any more.
    for row in &mut report.rows {
        if ["verify-prepared", "verify-many-one-key"].contains(&row.operation.as_str()) {
            row.timing.median_nanoseconds *= 2.0;
        }
    }
    let found = choice(&report, Language::English);
    for words in [
        "lose 1.60× (with a prepared key)",
        "even at its best (64 at once) SM2 needs 1.43 times",
    ] {
        assert!(found.contains(words), "{words:?} is not in {found}");
    }
    // Nothing but SM2's plain verification, as fast as RSA's.
    report.rows.retain(|row| {
        row.group != Group::PublicKey || (row.operation == "verify" && row.bytes == Some(32))
    });
    for row in &mut report.rows {
        row.timing.median_nanoseconds = 17_000.0;
    }
    let found = choice(&report, Language::English);
    assert!(
        found.starts_with("Verify-heavy RSA-2048 users stay even at 1.00× (with a new key)."),
        "{found}"
    );
    assert!(!found.contains("PreparedVerifier"), "{found}");
}

#[test]
fn every_way_of_sm2_has_its_rate_and_its_code_path() {
    let report = fixture::full();
    let text = terminal(&report, Language::English, None);
    let (_, ways) = text
        .split_once("SM2 one at a time, with a prepared key, and many at once")
        .expect("the table of ways");
    let line = |operation: &str, way: &str| {
        let mut lines = ways.lines();
        let found = lines.find(|line| line.contains(operation) && line.contains(way));
        found.unwrap_or_else(|| panic!("no {operation:?} {way:?} in {ways}"))
    };
    for (operation, way, shown) in [
        ("Generate a key", "64 at once", ["238,000", "4.20 µs"]),
        ("Sign", "one at a time", ["35,300", "28.3 µs"]),
        ("Sign", "64 at once", ["141,000", "86.3× faster"]),
        ("Verify", "with a new key", ["13,500", "4.23× slower"]),
        ("Verify", "with a prepared key", ["71,400", "1.25× faster"]),
        ("Verify", "64 at once ", ["40,000", "ifma x 8"]),
        ("Verify", "64 at once, one key", ["62,500", "1.09× faster"]),
        ("Decrypt", "64 at once", ["32,800", "20.2× faster"]),
    ] {
        for words in shown {
            let line = line(operation, way);
            assert!(line.contains(words), "{words:?} is not in {line:?}");
        }
    }
    // They are bars beside RSA's, not rows of the table that sets the libraries side by side.
    let page = html(&report);
    assert!(page.contains("SM2 many at once · shangmi: 40,000 ops/s"));
    assert!(page.contains("SM2 many at once, one key · shangmi: 62,500 ops/s"));
    let (_, main) = text
        .split_once("Operations a second on one core")
        .expect("it");
    let (main, _) = main.split_once("SM2 one at a time").expect("its end");
    assert!(!main.contains("Verify many"), "{main}");
}

#[test]
fn an_equal_load_shows_the_share_of_a_core() {
    let report = fixture::full();
    let text = terminal(&report, Language::English, None);
    for words in [
        "Sign at 1,000 requests a second, share of a core: SM2 2.94 %, P-256 1.81 %, RSA-2048 62.2 %.",
        "share of a core: SM2 7.52 %, SM2 key prepared 1.47 %, P-256 4.52 %, RSA-2048 1.86 %.",
    ] {
        assert!(text.contains(words), "{words:?} is not in {text}");
    }
    let (_, table) = text
        .split_once("Share of one core at an equal rate")
        .expect("the table");
    // Measured, and 1,000 × 610 µs; 1,000 × 14 µs of the prepared key, not of a new one.
    for (operation, name, shown) in [
        ("Sign", "RSA-2048", ["62.2 %", "61.0 %"]),
        ("Verify", "SM2 key prepared", ["1.47 %", "1.40 %"]),
        ("Verify", "P-256", ["4.52 %", "0.0437 %"]),
    ] {
        let mut lines = table.lines();
        let line = lines.find(|line| line.contains(operation) && line.contains(name));
        let line = line.expect("the line");
        assert!(shown.iter().all(|words| line.contains(words)), "{line}");
    }
    let page = html(&report);
    assert!(page.contains("RSA-2048 · aws-lc: 62.2 %"));
    assert!(page.contains("占用单核：SM2 2.94 %，P-256 1.81 %，RSA-2048 62.2 %。"));
}

#[test]
fn a_leak_is_a_warning() {
    let mut report = fixture::full();
    let text = terminal(&report, Language::English, None);
    assert!(text.contains("no growth beyond 64 KiB"));
    let (_, table) = text
        .split_once("Resident memory before and after")
        .expect("the table");
    for words in ["3,972 KiB", "3,980 KiB", "8 KiB", "2,336", "50,000", "3.51"] {
        assert!(table.contains(words), "{words:?} is not in {table}");
    }
    report.growth[2].resident_after_bytes += 50_000 * 32;
    for (language, words) in [
        (
            Language::English,
            "memory grew: Verify, SM2 · shangmi, by 1,562 KiB over 50,000 operations.",
        ),
        (
            Language::Chinese,
            "内存增长：验签，SM2 · shangmi，50,000 次操作增长 1,562 KiB",
        ),
    ] {
        let text = terminal(&report, language, None);
        assert!(text.contains(words), "{words:?} is not in {text}");
        assert!(!text.contains("no growth"));
    }
    // A peak that rose and fell counts too.
    report.growth[2] = fixture::full().growth[2].clone();
    report.growth[1].peak_after_bytes += 1 << 20;
    assert!(html(&report).contains("memory grew: Sign, RSA-2048 · aws-lc, by 1,032 KiB"));
}

#[test]
fn all_stages_of_sm4_are_bars_of_one_chart() {
    let page = html(&fixture::full());
    let start = page.find("id=\"cipher-stages").expect("the chart");
    let chart = &page[start..][..page[start..].find("</svg>").expect("its end")];
    let bars = [
        ("SM4 byte-wise · reference", "45.5 MB/s · ✗ leaks"),
        ("SM4 T-tables · reference", "185 MB/s · ✗ leaks"),
        ("SM4 bitsliced · shangmi", "169 MB/s · ✓ constant time"),
        ("SM4 aesni-avx2 · shangmi", "769 MB/s · ✓ constant time"),
        ("SM4 gfni-avx512 · shangmi", "12,500 MB/s · ✓ constant time"),
        ("SM4 · libcrypto", "141 MB/s"),
        ("AES-128 · libcrypto", "833 MB/s"),
        ("AES-128 · libcrypto, hardware", "5,000 MB/s"),
    ];
    let mut rest = chart;
    for (name, value) in bars {
        let bar = format!("{name}: {value}");
        let place = rest
            .find(&bar)
            .unwrap_or_else(|| panic!("{bar:?} is not there, or not in its place"));
        rest = &rest[place + bar.len()..];
    }
}

#[test]
fn ratios_that_go_to_and_fro_stand_together() {
    let mut report = fixture::full();
    for row in &mut report.rows {
        let place = |bytes: u64| fixture::LENGTHS.iter().position(|length| *length == bytes);
        let is_even = row
            .bytes
            .and_then(place)
            .is_some_and(|place| place % 2 == 0);
        if row.group == Group::Hash && row.algorithm == "SM3" && is_even {
            row.timing.median_nanoseconds *= 0.75;
        }
    }
    let found = finding(&report, Language::English);
    let words = "one stream, software against software, 8 B to 1 MiB: 1.14× faster to 1.21× slower";
    let (before, after) = found.split_once(words).unwrap_or_else(|| panic!("{found}"));
    let mean = after.strip_prefix(", in the mean even (");
    assert!(before.ends_with("Even: ") && mean.is_some(), "{found}");
}

#[test]
fn cmac_stands_apart_from_hmac() {
    let text = terminal(&fixture::full(), Language::English, Some(160));
    let (_, macs) = text
        .split_once("HMAC with SM3 and with SHA-256")
        .expect("HMAC");
    let (hmac, cmac) = macs
        .split_once("CMAC with SM4 and with AES-128")
        .expect("CMAC");
    assert!(hmac.contains("MAC, new key each time") && !hmac.contains("CMAC"));
    assert!(
        cmac.contains("64 × 1 KiB") && cmac.contains("5.67× slower"),
        "{cmac}"
    );
}

#[test]
fn a_tree_shows_files_and_what_was_left_out() {
    let report = fixture::full();
    let text = terminal(&report, Language::English, Some(120));
    // 9 µs a file beside 31 µs.
    for words in [
        "111,000",
        "3.44× faster",
        "openssl dgst -sm3",
        "left out: the program is not there",
    ] {
        assert!(text.contains(words), "{words:?} is not in the text");
    }
    assert!(markdown(&report, Language::Chinese).contains("略过：未找到该程序"));
}

#[test]
fn both_languages_are_in_the_page_and_only_one_in_each_text() {
    let report = fixture::full();
    let page = html(&report);
    assert!(page.contains("<span lang=\"en\">The verdict</span><span lang=\"zh-CN\">结论</span>"));
    assert!(
        page.contains("SHA-256 in software ran in a child process.")
            && page.contains("在子进程中运行")
    );
    let english = markdown(&report, Language::English);
    let english = english.replace("[中文](report.zh-CN.md)", "");
    assert!(
        !english
            .chars()
            .any(|c| ('\u{4e00}'..'\u{9fff}').contains(&c))
    );
    let chinese = markdown(&report, Language::Chinese);
    assert!(chinese.contains("## 结论") && !chinese.contains("The verdict"));
}

#[test]
fn data_cannot_become_markup() {
    let page = html(&fixture::full());
    assert!(page.contains("Example CPU &lt;8 &amp; more&gt; @ 2.70GHz"));
    assert!(page.contains("is &lt;wrong&gt; &amp; short"));
    let mut report = fixture::full();
    let evil = "</title></style></script><script>alert(1)</script>\"'>\u{0}\u{1b}[31m|`*";
    report.machine.cpu_model = evil.into();
    report.rows[0].backend = evil.into();
    report.rows[1].subject = evil.into();
    report.rows[2].algorithm = evil.into();
    report.notes[0].english = evil.into();
    report.attacks[0].cost = evil.into();
    let page = html(&report);
    markup::assert_well_formed(&page);
    assert!(!page.contains("<script>alert"));
    let rows = markdown(&report, Language::English);
    assert!(!rows.contains("<script>") && !rows.contains('\u{1b}'));
    assert!(!terminal(&report, Language::English, None).contains('\u{1b}'));
}

#[test]
fn what_was_absent_or_refused_is_said_with_the_hint() {
    let report = fixture::full();
    for text in [
        html(&report),
        markdown(&report, Language::English),
        terminal(&report, Language::English, None),
    ] {
        assert!(text.contains("not found") && text.contains("install the package libssl3"));
        assert!(text.contains("the tag of the known answer is"));
    }
    let mut used = report;
    used.libraries
        .retain(|library| library.status == LibraryStatus::Used);
    used.refused.clear();
    assert!(html(&used).contains("none was refused"));
}

#[test]
fn a_doubtful_run_warns() {
    let mut report = fixture::full();
    report.machine.build = "debug".into();
    report.profile = "smoke".into();
    for row in &mut report.rows {
        row.timing.p90_nanoseconds *= 2.0;
    }
    let text = terminal(&report, Language::English, None);
    for words in [
        "without optimisation",
        "smoke profile",
        "the machine was busy",
    ] {
        assert!(text.contains(words), "{words:?}");
    }
    assert!(!terminal(&fixture::full(), Language::English, None).contains("busy"));
}

#[test]
fn chinese_tables_are_aligned() {
    let text = terminal(&fixture::full(), Language::Chinese, Some(110));
    let columns = |line: &str| {
        line.chars()
            .map(|c| {
                if ('\u{2e80}'..'\u{ffe6}').contains(&c) {
                    2
                } else {
                    1
                }
            })
            .sum()
    };
    let mut rule: Option<usize> = None;
    let mut tables = 0;
    for line in text.lines() {
        let width: usize = columns(line);
        match rule {
            None if line.starts_with('─') => {
                rule = Some(width);
                tables += 1;
            }
            Some(expected) => {
                assert_eq!(width, expected, "{line}");
                if line.starts_with('─') {
                    rule = None;
                }
            }
            None => {}
        }
    }
    assert!(tables > 5);
}

#[test]
fn writing_is_all_or_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let target = directory.path().join("new/report");
    let report = fixture::full();
    let paths = write_all(&target, &report).unwrap();
    let mut names: Vec<String> = fs::read_dir(&target)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        ["index.html", "report.md", "report.zh-CN.md", "results.json"]
    );
    assert_eq!(paths[0], target.join("index.html"));
    assert_eq!(fs::read_to_string(&paths[0]).unwrap(), html(&report));
    // Again over the old one.
    write_all(&target, &fixture::empty()).unwrap();
    assert_eq!(
        fs::read_to_string(&paths[0]).unwrap(),
        html(&fixture::empty())
    );
    // A directory where a file is meant: an error that names it, and nothing left behind.
    let blocked = directory.path().join("blocked");
    fs::create_dir_all(blocked.join("index.html/occupied")).unwrap();
    let error = write_all(&blocked, &report).unwrap_err();
    assert!(error.to_string().contains("index.html"), "{error}");
    assert_eq!(fs::read_dir(&blocked).unwrap().count(), 1);
    let file = directory.path().join("file");
    fs::write(&file, "in the way").unwrap();
    assert!(write_all(&file, &report).is_err());
}
