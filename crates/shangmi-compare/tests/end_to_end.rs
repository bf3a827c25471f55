//! A whole run, milliseconds a row, with the second process that masks the processor's instructions.

use std::process::ExitCode;

use shangmi_compare::result::{
    Execution, Filter, Group, LibraryStatus, MemoryMeasure, Report, Side,
};
use shangmi_compare::{Event, Options, Profile, child_main, run};

fn main() -> ExitCode {
    if let Some(code) = child_main(std::env::args_os()) {
        return code;
    }
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let options = Options {
        profile: Profile::Smoke,
        temporary_directory: Some(directory.path().to_owned()),
        ..Options::default()
    };
    let mut events = Vec::new();
    let report = run(&options, &mut |event| events.push(event)).expect("the run succeeds");

    assert_eq!(report.refused, [], "a subject was refused");
    every_group_has_both_sides(&report);
    our_operations_and_all_stages_are_there(&report);
    timings_and_ratios_make_sense(&report);
    software_rows_come_from_the_masked_process(&report);
    untimed_parts_are_there(&report);
    many_messages_are_counted(&report);
    many_of_sm2_are_counted(&report);
    loads_are_offered_and_memory_stays(&report);
    this_program_is_not_shangmi(&report);
    events_are_complete(&events, &report);
    only_limits_the_groups();
    json_round_trips(&report);
    let left = std::fs::read_dir(directory.path())
        .expect("the directory is still there")
        .count();
    assert_eq!(left, 0, "the run left files behind");
    ExitCode::SUCCESS
}

fn every_group_has_both_sides(report: &Report) {
    let timed = [
        Group::Hash,
        Group::HashMany,
        Group::HashFile,
        Group::HashStage,
        Group::Mac,
        Group::CipherMode,
        Group::PublicKey,
    ];
    for group in timed {
        for side in [Side::Sm, Side::International] {
            let filter = Filter {
                group: Some(group),
                side: Some(side),
                ..Filter::default()
            };
            assert!(
                report.find(filter).is_some(),
                "{group} has no row of {side:?}"
            );
        }
    }
}

/// What of ours must be timed.
const OURS: &[(&str, &[&str])] = &[
    (
        "SM4",
        &[
            "ecb-encrypt",
            "ecb-decrypt",
            "cbc-encrypt",
            "cbc-decrypt",
            "cbc-encrypt-many",
            "ctr",
            "xts-encrypt",
            "xts-decrypt",
            "gcm-encrypt",
            "gcm-decrypt",
        ],
    ),
    (
        "SM2",
        &[
            "generate-key",
            "sign",
            "verify",
            "verify-prepared",
            "encrypt",
            "decrypt",
            "agree",
            "generate-key-many",
            "sign-many",
            "verify-many",
            "verify-many-one-key",
            "decrypt-many",
        ],
    ),
    ("HMAC-SM3", &["mac", "mac-new-key", "mac-many"]),
    ("CMAC-SM4", &["cmac", "cmac-many"]),
    ("SM3", &["digest", "digest-streaming", "digest-mapped"]),
];

const STAGES: [&str; 7] = [
    "byte-wise",
    "t-table",
    "unrolled-4",
    "unrolled-8",
    "textbook",
    "rolling",
    "unrolled",
];

fn our_operations_and_all_stages_are_there(report: &Report) {
    let ours = |algorithm, operation| {
        let filter = Filter {
            algorithm: Some(algorithm),
            operation: Some(operation),
            subject: Some("shangmi"),
            ..Filter::default()
        };
        report
            .find(filter)
            .unwrap_or_else(|| panic!("no row of our {algorithm} {operation}"))
    };
    for (algorithm, operations) in OURS {
        for operation in *operations {
            ours(algorithm, operation);
        }
    }
    let gcm = &ours("SM4", "gcm-encrypt").backend;
    assert!(gcm.contains(", GHASH "), "{gcm}");
    for stage in STAGES {
        let variant = Some(stage);
        let filter = Filter {
            variant,
            ..Filter::default()
        };
        assert!(report.find(filter).is_some(), "no stage {stage}");
    }
}

fn timings_and_ratios_make_sense(report: &Report) {
    for row in &report.rows {
        let timing = row.timing;
        assert!(timing.median_nanoseconds > 0.0, "{row:?}");
        assert!(timing.min_nanoseconds <= timing.p10_nanoseconds, "{row:?}");
        assert!(
            timing.p10_nanoseconds <= timing.median_nanoseconds,
            "{row:?}"
        );
        assert!(
            timing.median_nanoseconds <= timing.p90_nanoseconds,
            "{row:?}"
        );
        assert!(timing.p90_nanoseconds <= timing.max_nanoseconds, "{row:?}");
        assert!(
            timing.samples >= 1 && timing.iterations_per_sample >= 1,
            "{row:?}"
        );
        assert!(!row.backend.is_empty(), "{row:?}");
        assert_eq!(
            row.cycles.is_some(),
            report.machine.core_hertz.is_some(),
            "{row:?}"
        );
    }
    // Hashing 16 KiB takes many times as long as 64 bytes: the operation really runs over its bytes.
    let digest = |bytes| {
        let filter = Filter {
            operation: Some("digest"),
            subject: Some("shangmi"),
            bytes: Some(bytes),
            ..Filter::default()
        };
        report.find(filter).expect("the row exists")
    };
    let ratio = digest(1 << 14).time_ratio(digest(64));
    assert!((20.0..2000.0).contains(&ratio), "{ratio}");
}

fn software_rows_come_from_the_masked_process(report: &Report) {
    let has = |feature: &str| {
        report
            .machine
            .cpu_features
            .iter()
            .any(|name| name == feature)
    };
    let can_be_masked = cfg!(target_arch = "x86_64") && has("sha_ni") && has("aes");
    if !can_be_masked {
        // Everything is software already, or cannot be masked.
        return;
    }
    for (algorithm, group, operation) in [
        ("SHA-256", Group::Hash, "digest"),
        ("SHA-256", Group::HashMany, "digest-many"),
        ("SHA-256", Group::HashFile, "digest-mapped"),
        ("HMAC-SHA256", Group::Mac, "mac"),
        ("HMAC-SHA256", Group::Mac, "mac-many"),
        ("CMAC-AES-128", Group::Mac, "cmac"),
        ("CMAC-AES-128", Group::Mac, "cmac-many"),
        ("AES-128", Group::CipherMode, "cbc-encrypt-many"),
        ("AES-128", Group::CipherMode, "ctr"),
    ] {
        let filter = |execution| Filter {
            group: Some(group),
            algorithm: Some(algorithm),
            operation: Some(operation),
            subject: Some("aws-lc"),
            execution: Some(execution),
            ..Filter::default()
        };
        let hardware = report
            .find(filter(Execution::Hardware))
            .expect("a hardware row");
        let software = report
            .find(filter(Execution::Software))
            .expect("a software row");
        assert!(software.backend.contains("masked"), "{software:?}");
        assert_eq!(hardware.bytes, software.bytes);
    }
    let sha = |execution| {
        let filter = Filter {
            algorithm: Some("SHA-256"),
            operation: Some("digest"),
            subject: Some("aws-lc"),
            execution: Some(execution),
            bytes: Some(1 << 14),
            ..Filter::default()
        };
        report
            .find(filter)
            .expect("the row exists")
            .timing
            .min_nanoseconds
    };
    let slower = sha(Execution::Software) / sha(Execution::Hardware);
    assert!(
        slower > 1.15,
        "masking made SHA-256 only {slower} times as slow"
    );
}

fn many_messages_are_counted(report: &Report) {
    let row = |variant| {
        let filter = Filter {
            group: Some(Group::HashMany),
            subject: Some("shangmi"),
            variant: Some(variant),
            bytes: Some(64 << 10),
            ..Filter::default()
        };
        report.find(filter).expect("the row exists")
    };
    let (lanes, stream) = (row("many lanes"), row("one stream"));
    assert_eq!(lanes.backend, shangmi::sm3::many_backend());
    assert_eq!(lanes.item_bytes(), Some(1 << 10));
    assert!(lanes.is_alike(stream) && lanes.items == Some(64));
    assert_eq!(
        lanes.items_per_second(),
        64.0 * lanes.operations_per_second()
    );
}

fn many_of_sm2_are_counted(report: &Report) {
    let row = |operation| {
        let filter = Filter {
            algorithm: Some("SM2"),
            operation: Some(operation),
            subject: Some("shangmi"),
            ..Filter::default()
        };
        report.find(filter).expect("the row exists")
    };
    for operation in [
        "generate-key-many",
        "sign-many",
        "verify-many",
        "verify-many-one-key",
        "decrypt-many",
    ] {
        let many = row(operation);
        assert_eq!(many.backend, shangmi::sm2::many_backend());
        assert_eq!(many.items, Some(64), "{operation}");
        // One of many takes less than the time of many, and not next to none of the time of one.
        let (plain, _) = operation.split_once("-many").expect("it is many");
        let plain = row(plain);
        let ratio = many.item_time_ratio(plain);
        assert!((0.01..3.0).contains(&ratio), "{operation}: {ratio}");
    }
    assert_eq!(row("sign-many").item_bytes(), Some(32));
    let verify = row("verify").one_time_nanoseconds.expect("Z_A");
    let prepared = row("verify-prepared")
        .one_time_nanoseconds
        .expect("the table");
    assert!(prepared > verify, "{prepared} {verify}");
}

fn loads_are_offered_and_memory_stays(report: &Report) {
    let offered: Vec<(&str, &str)> = report
        .load
        .iter()
        .map(|row| (row.operation.as_str(), row.algorithm.as_str()))
        .collect();
    if cfg!(unix) {
        let sign = ["SM2", "P-256", "RSA-2048"].map(|name| ("sign", name));
        let verify = ["SM2", "SM2", "P-256", "RSA-2048"].map(|name| ("verify", name));
        assert_eq!(offered, [sign.as_slice(), &verify].concat());
    }
    for row in &report.load {
        assert!(row.served > 0 && row.share() > 0.0, "{row:?}");
        // One thread has at most the whole of a core.
        assert!(
            row.cpu_seconds < 1.1 * row.wall_seconds && row.idle_share < 0.5,
            "{row:?}"
        );
        assert!(
            row.served_per_second() < 1.1 * row.offered_per_second,
            "{row:?}"
        );
    }
    if cfg!(target_os = "linux") {
        let repeated: Vec<(&str, &str)> = report
            .growth
            .iter()
            .map(|row| (row.operation.as_str(), row.algorithm.as_str()))
            .collect();
        let expected = [
            ("sign", "SM2"),
            ("sign", "RSA-2048"),
            ("verify", "SM2"),
            ("verify", "RSA-2048"),
        ];
        assert_eq!(repeated, expected);
    }
    for row in &report.growth {
        assert!((1..=200).contains(&row.operations), "{row:?}");
        assert!(row.resident_before_bytes > 100_000, "{row:?}");
        assert!(row.peak_after_bytes >= row.resident_after_bytes, "{row:?}");
        assert!(row.grown_bytes() < 1 << 19, "{row:?}");
    }
}

/// Our own rows of the tree are left out; what this machine has of the others gave the right digests.
fn this_program_is_not_shangmi(report: &Report) {
    let ours = |name: &str| name == "shangmi";
    let reasons: Vec<&str> = report
        .skipped
        .iter()
        .filter(|one| one.group == Group::HashTree && ours(&one.subject))
        .map(|one| one.reason.as_str())
        .collect();
    assert_eq!(reasons, ["the running program is not shangmi"; 2]);
    let of_tree = Filter {
        group: Some(Group::HashTree),
        ..Filter::default()
    };
    let timed = report.rows_of(of_tree).count();
    assert_eq!(timed + report.skipped.len(), 5);
    assert!(report.rows_of(of_tree).all(|row| !ours(&row.subject)));
}

fn untimed_parts_are_there(report: &Report) {
    assert!(report.operation_counts.len() >= 8);
    assert!(report.attacks.len() >= 9);
    assert!(report.published.iter().any(|row| row.measured.is_some()));
    let stack = |subject: &str, variant: Option<&str>| {
        let found = report.memory.iter().find(|row| {
            row.algorithm == "SM3"
                && row.subject == subject
                && row.variant.as_deref() == variant
                && row.measure == MemoryMeasure::StackHighWater
        });
        found.expect("the stack of SM3 was measured").bytes
    };
    assert!(stack("reference", Some("textbook")) > stack("reference", Some("rolling")));
    let compact = stack("shangmi", Some("compact"));
    assert!(compact < 560, "{compact}");
    assert!(stack("shangmi", None) >= compact);
    for algorithm in ["SM2", "RSA-2048", "RSA-3072", "P-256"] {
        for what in [
            "signature",
            "public-key",
            "private-key",
            "ciphertext-of-32-bytes",
        ] {
            let found = report
                .sizes
                .iter()
                .any(|row| row.algorithm == algorithm && row.what == what);
            assert!(
                found || (algorithm, what) == ("P-256", "private-key"),
                "no size of {algorithm} {what}"
            );
        }
    }
    for library in &report.libraries {
        let absent_with_hint =
            matches!(&library.status, LibraryStatus::Absent { hint } if !hint.is_empty());
        assert!(
            library.status == LibraryStatus::Used || absent_with_hint,
            "{library:?}"
        );
    }
}

fn events_are_complete(events: &[Event], report: &Report) {
    assert!(
        matches!(events.first(), Some(Event::Started { batches, .. }) if *batches == events.len() - 3)
    );
    let [.., load, _] = events else {
        panic!("{events:?}");
    };
    assert!(matches!(load, Event::Load { batches } if *batches == events.len() - 3));
    assert!(
        matches!(events.last(), Some(Event::Finished { rows, .. }) if *rows == report.rows.len())
    );
}

fn only_limits_the_groups() {
    let options = Options {
        profile: Profile::Smoke,
        only: vec![Group::Counts, Group::Mac],
        ..Options::default()
    };
    let report = run(&options, &mut |_| {}).expect("the run succeeds");
    assert_eq!(report.groups, [Group::Mac, Group::Counts]);
    assert!(report.rows.iter().all(|row| row.group == Group::Mac));
    assert!(
        !report.operation_counts.is_empty() && report.memory.is_empty() && report.sizes.is_empty()
    );
    assert!(report.load.is_empty() && report.growth.is_empty());
}

fn json_round_trips(report: &Report) {
    let text = serde_json::to_string(report).expect("a report becomes JSON");
    let read: Report = serde_json::from_str(&text).expect("and is read again");
    assert_eq!(read.rows.len(), report.rows.len());
    assert_eq!(read.groups, report.groups);
}
