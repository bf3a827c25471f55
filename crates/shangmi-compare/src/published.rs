//! Figures published elsewhere, to be set beside this machine's. They are claims, for other machines.

use crate::result::{
    AttackRow, CountOrigin, CountPhase, CountRow, Execution, Filter, Group, MemoryMeasure,
    PublishedRow, Report,
};

/// Month in which the table of attacks was written.
const ATTACKS_AS_OF: &str = "2025-11";

/// The counts of a published table.
pub(crate) fn count_rows() -> Vec<CountRow> {
    let rows = [
        (
            "SM3",
            CountPhase::Expansion,
            [416, 584, 0],
            "equal to the count",
        ),
        (
            "SM3",
            CountPhase::StateUpdate,
            [1024, 1328, 384],
            "the same total: 128 additions are booked as logic operations",
        ),
        (
            "SHA-256",
            CountPhase::Expansion,
            [480, 384, 144],
            "equal to the count",
        ),
        (
            "SHA-256",
            CountPhase::StateUpdate,
            [768, 1152, 256],
            "NOT is not counted (64 fewer logic operations), and 192 of the 448 additions are missing",
        ),
    ];
    let row = |(algorithm, phase, [shifts, logic, additions], note): (
        &str,
        CountPhase,
        [u32; 3],
        &str,
    )| CountRow {
        algorithm: algorithm.to_owned(),
        phase,
        origin: CountOrigin::Published,
        shifts,
        logic,
        additions,
        note: note.to_owned(),
    };
    rows.map(row).to_vec()
}

/// The best public attacks on reduced versions.
pub(crate) fn attack_rows() -> Vec<AttackRow> {
    const MENDEL_SM3: &str = "Mendel, Nad, Schläffer, CT-RSA 2013";
    const WANG: &str = "Wang, Shen, 2014";
    const LI: &str = "Li, Liu, Wang, EUROCRYPT 2024";
    let rows = [
        ("SM3", "collision", "20", "practical", MENDEL_SM3),
        ("SM3", "free-start collision", "24", "practical", MENDEL_SM3),
        ("SM3", "preimage", "29 / 30", "2^245 / 2^251.1", WANG),
        ("SM3", "pseudo-preimage", "31 / 32", "2^245 / 2^251.1", WANG),
        ("SM3", "pseudo-collision", "32", "2^125.1", WANG),
        (
            "SHA-256",
            "collision",
            "28",
            "practical",
            "Mendel, Nad, Schläffer, EUROCRYPT 2013",
        ),
        (
            "SHA-256",
            "collision",
            "31",
            "practical since 2024 (2^65.5 in 2013)",
            LI,
        ),
        (
            "SHA-256",
            "semi-free-start collision",
            "39",
            "practical",
            LI,
        ),
        (
            "SHA-256",
            "preimage",
            "45",
            "2^255.5",
            "Khovratovich, Rechberger, Savelieva, FSE 2012",
        ),
    ];
    let row =
        |(algorithm, attack, steps, cost, source): (&str, &str, &str, &str, &str)| AttackRow {
            algorithm: algorithm.to_owned(),
            attack: attack.to_owned(),
            steps: steps.to_owned(),
            total_steps: 64,
            cost: cost.to_owned(),
            source: source.to_owned(),
            as_of: ATTACKS_AS_OF.to_owned(),
        };
    rows.map(row).to_vec()
}

/// The published figures, each with the like figure of `report` where it has one.
pub(crate) fn rows(report: &Report) -> Vec<PublishedRow> {
    let mut rows = hash_ratios(report);
    rows.push(software_gap(report));
    rows.push(mac_gap(report));
    rows.extend(cipher_speeds(report));
    rows.extend(public_key_rates(report));
    rows.extend(memory_figures(report));
    rows.retain(|row| report.groups.contains(&row.group));
    rows
}

fn row(group: Group, claim: &str, origin: &str, claimed: &str, unit: &str) -> PublishedRow {
    PublishedRow {
        group,
        claim: claim.to_owned(),
        origin: origin.to_owned(),
        bytes: None,
        claimed: claimed.to_owned(),
        unit: unit.to_owned(),
        measured: None,
        measured_as: String::new(),
    }
}

/// Time of SM3 over time of SHA-256, both by the same library's software.
fn hash_ratio(report: &Report, bytes: u64, sm: &str, international: &str) -> Option<f64> {
    let filter = |algorithm, subject| Filter {
        group: Some(Group::Hash),
        algorithm: Some(algorithm),
        subject: Some(subject),
        execution: Some(Execution::Software),
        bytes: Some(bytes),
        ..Filter::default()
    };
    Some(
        report
            .find(filter("SM3", sm))?
            .time_ratio(report.find(filter("SHA-256", international))?),
    )
}

fn hash_ratios(report: &Report) -> Vec<PublishedRow> {
    const LENGTHS: [(u64, &str, &str); 6] = [
        (8, "1.38", "1.80"),
        (64, "1.23", "1.84"),
        (256, "1.17", "1.96"),
        (1 << 10, "1.13", "2.02"),
        (1 << 19, "1.12", "2.03"),
        (1 << 20, "1.12", "2.05"),
    ];
    let claim = "SM3 / SHA-256, run time";
    let unit = "ratio of run times";
    let ratio = |bytes, origin: &str, claimed: &str, measured, measured_as: &str| PublishedRow {
        bytes: Some(bytes),
        measured,
        measured_as: measured_as.to_owned(),
        ..row(Group::Hash, claim, origin, claimed, unit)
    };
    let plain = LENGTHS.map(|(bytes, plain, _)| {
        let measured = hash_ratio(report, bytes, "shangmi", "aws-lc");
        ratio(
            bytes,
            "a vendor's plain C, another machine",
            plain,
            measured,
            "shangmi's SM3 over aws-lc's software SHA-256",
        )
    });
    let openssl = LENGTHS.map(|(bytes, _, openssl)| {
        let measured = hash_ratio(report, bytes, "libcrypto", "libcrypto");
        ratio(
            bytes,
            "OpenSSL, another machine",
            openssl,
            measured,
            "libcrypto's SM3 over its software SHA-256",
        )
    });
    plain.into_iter().chain(openssl).collect()
}

fn software_gap(report: &Report) -> PublishedRow {
    PublishedRow {
        bytes: Some(1 << 20),
        measured: hash_ratio(report, 1 << 20, "shangmi", "aws-lc").map(percent_slower),
        measured_as: "shangmi's SM3 over aws-lc's software SHA-256".to_owned(),
        ..row(
            Group::Hash,
            "SM3 slower than SHA-256 in software",
            "various, other machines",
            "16 to 30",
            "percent",
        )
    }
}

fn percent_slower(ratio: f64) -> f64 {
    (ratio - 1.0) * 100.0
}

fn mac_gap(report: &Report) -> PublishedRow {
    let filter = |algorithm, subject| Filter {
        group: Some(Group::Mac),
        operation: Some("mac"),
        algorithm: Some(algorithm),
        subject: Some(subject),
        execution: Some(Execution::Software),
        bytes: Some(64),
        ..Filter::default()
    };
    let ratio = report
        .find(filter("HMAC-SM3", "shangmi"))
        .zip(report.find(filter("HMAC-SHA256", "aws-lc")))
        .map(|(sm, international)| sm.time_ratio(international));
    PublishedRow {
        bytes: Some(64),
        measured: ratio.map(percent_slower),
        measured_as: "shangmi's HMAC-SM3 over aws-lc's software HMAC-SHA256".to_owned(),
        ..row(
            Group::Mac,
            "HMAC-SM3 slower than HMAC-SHA256",
            "various, other machines",
            "about 20",
            "percent",
        )
    }
}

fn cipher_speeds(report: &Report) -> Vec<PublishedRow> {
    let figures = [
        ("SM4, byte-wise S-box", "45", "reference", Some("byte-wise")),
        ("SM4, T-tables", "380", "reference", Some("t-table")),
        (
            "SM4, T-tables unrolled",
            "420",
            "reference",
            Some("unrolled-4"),
        ),
        ("SM4, OpenSSL", "450 to 500", "libcrypto", None),
    ];
    let figure = |(claim, claimed, subject, variant): (&str, &str, &str, Option<&str>)| {
        let filter = Filter {
            group: Some(Group::CipherStage),
            algorithm: Some("SM4"),
            subject: Some(subject),
            variant,
            bytes: Some(1 << 14),
            ..Filter::default()
        };
        PublishedRow {
            bytes: Some(1 << 14),
            measured: report
                .find(filter)
                .and_then(|row| row.bytes_per_second())
                .map(|speed| speed / 1e6),
            measured_as: format!("{subject}, ECB encryption of 16 KiB"),
            ..row(
                Group::CipherStage,
                claim,
                "Intel i7-12700H",
                claimed,
                "MB/s",
            )
        }
    };
    figures.map(figure).to_vec()
}

fn public_key_rates(report: &Report) -> Vec<PublishedRow> {
    let figures = [
        ("sign", "4,500", "12,000"),
        ("verify", "16,000", "18,000"),
        ("encrypt", "8,000", "3,500"),
        ("decrypt", "500", "3,000"),
    ];
    let rate = |operation: &str, algorithm: &str, subject: &str, claimed: &str| {
        let filter = Filter {
            group: Some(Group::PublicKey),
            operation: Some(operation),
            algorithm: Some(algorithm),
            subject: Some(subject),
            bytes: Some(32),
            ..Filter::default()
        };
        PublishedRow {
            bytes: Some(32),
            measured: report
                .find(filter)
                .map(crate::result::Row::operations_per_second),
            measured_as: format!("{subject}, 32 bytes"),
            ..row(
                Group::PublicKey,
                &format!("{algorithm} {operation}"),
                "published elsewhere, another machine",
                claimed,
                "operations/s",
            )
        }
    };
    figures
        .into_iter()
        .flat_map(|(operation, rsa, sm2)| {
            [
                rate(operation, "RSA-2048", "aws-lc", rsa),
                rate(operation, "SM2", "shangmi", sm2),
            ]
        })
        .collect()
}

fn memory_figures(report: &Report) -> Vec<PublishedRow> {
    let figure = |algorithm: &str, subject: &str, claimed: &str| {
        let found = report.memory.iter().find(|row| {
            row.algorithm == algorithm
                && row.subject == subject
                && row.measure == MemoryMeasure::StackHighWater
        });
        PublishedRow {
            measured: found.map(|row| row.bytes as f64),
            measured_as: format!("stack of one digest by {subject}"),
            ..row(
                Group::Memory,
                &format!("{algorithm}, working memory"),
                "published elsewhere",
                claimed,
                "bytes",
            )
        }
    };
    vec![
        figure("SM3", "shangmi", "about 560"),
        figure("SHA-256", "aws-lc", "300 to 400"),
    ]
}
