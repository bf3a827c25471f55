//! A made-up run with every kind of row, so that the renderings can be tested without measuring.

use shangmi_compare::result::{
    AttackRow, CountOrigin, CountPhase, CountRow, Execution, Group, GrowthRow, Library,
    LibraryStatus, LoadRow, Machine, MemoryMeasure, MemoryRow, Note, PublishedRow, RefusedSubject,
    Report, Row, SCHEMA, Side, SizeRow, Timing,
};

/// Lengths of the hash rows.
pub(crate) const LENGTHS: [u64; 12] = [
    8, 16, 64, 256, 1024, 4096, 16_384, 65_536, 131_072, 262_144, 524_288, 1_048_576,
];

/// Who did it.
#[derive(Clone, Copy)]
pub(crate) struct Who {
    pub(crate) algorithm: &'static str,
    pub(crate) variant: Option<&'static str>,
    pub(crate) subject: &'static str,
    pub(crate) backend: &'static str,
    pub(crate) execution: Execution,
    pub(crate) constant_time: Option<bool>,
}

const fn who(
    algorithm: &'static str,
    subject: &'static str,
    backend: &'static str,
    execution: Execution,
) -> Who {
    Who {
        algorithm,
        variant: None,
        subject,
        backend,
        execution,
        constant_time: None,
    }
}

/// A run with everything in it.
pub(crate) fn full() -> Report {
    let mut rows = hash_rows();
    rows.extend(many_rows());
    rows.extend(file_rows());
    rows.extend(tree_rows());
    rows.extend(stage_rows());
    rows.extend(mac_rows());
    rows.extend(cipher_rows());
    rows.extend(public_key_rows());
    Report {
        machine: machine(),
        libraries: libraries(),
        rows,
        operation_counts: counts(),
        memory: memory(),
        load: load(),
        growth: growth(),
        sizes: sizes(),
        published: published(),
        attacks: attacks(),
        refused: vec![RefusedSubject {
            group: Group::CipherMode,
            subject: "libcrypto".into(),
            operation: "SM4 gcm-encrypt".into(),
            reason: "the tag of the known answer is <wrong> & short".into(),
        }],
        skipped: vec![RefusedSubject {
            group: Group::HashTree,
            subject: "openssl".into(),
            operation: "openssl dgst -sm3".into(),
            reason: "the program is not there".into(),
        }],
        notes: vec![
            note(
                None,
                "The run shared its cores.",
                "运行时与其他任务共用核心。",
            ),
            note(
                Some(Group::Hash),
                "SHA-256 in software ran in a child process.",
                "软件 SHA-256 在子进程中运行。",
            ),
        ],
        ..empty()
    }
}

/// A run in which nothing was measured.
pub(crate) fn empty() -> Report {
    Report {
        schema: SCHEMA,
        suite_version: "0.1.0".into(),
        profile: "quick".into(),
        groups: Group::ALL.to_vec(),
        started_utc: "2025-01-02T03:04:05Z".into(),
        duration_seconds: 41.7,
        machine: Machine::default(),
        libraries: Vec::new(),
        rows: Vec::new(),
        operation_counts: Vec::new(),
        memory: Vec::new(),
        load: Vec::new(),
        growth: Vec::new(),
        sizes: Vec::new(),
        published: Vec::new(),
        attacks: Vec::new(),
        refused: Vec::new(),
        skipped: Vec::new(),
        notes: Vec::new(),
    }
}

fn note(group: Option<Group>, english: &str, chinese: &str) -> Note {
    Note {
        group,
        english: english.into(),
        chinese: chinese.into(),
    }
}

fn machine() -> Machine {
    Machine {
        cpu_model: "Example CPU <8 & more> @ 2.70GHz".into(),
        architecture: "x86_64".into(),
        cores: 2,
        memory_bytes: Some(16_700_000_000),
        os: "Example OS 12".into(),
        kernel: "6.1.0".into(),
        virtualised: true,
        cpu_features: ["sse4.1", "aes", "sha", "avx2", "bmi2", "avx512f", "gfni"]
            .map(String::from)
            .to_vec(),
        governor: None,
        rustc: "rustc 1.95.0".into(),
        build: "release".into(),
        core_hertz: Some(2.7e9),
        cycle_method: Some("a chain of dependent additions".into()),
    }
}

fn libraries() -> Vec<Library> {
    let library = |name: &str, version: &str, note: &str, status| Library {
        name: name.into(),
        version: version.into(),
        note: note.into(),
        status,
    };
    vec![
        library("shangmi", "0.1.0", "this library", LibraryStatus::Used),
        library(
            "aws-lc",
            "1.50.0",
            "the international side",
            LibraryStatus::Used,
        ),
        library(
            "libcrypto",
            "",
            "both sides, as installed",
            LibraryStatus::Absent {
                hint: "install the package libssl3".into(),
            },
        ),
    ]
}

fn side_of(algorithm: &str) -> Side {
    if algorithm.contains("SM") {
        Side::Sm
    } else {
        Side::International
    }
}

/// A row whose operation takes `nanoseconds`.
pub(crate) fn row(
    group: Group,
    operation: &str,
    who: Who,
    bytes: Option<u64>,
    nanoseconds: f64,
) -> Row {
    let cycles = nanoseconds * 2.7;
    Row {
        group,
        operation: operation.into(),
        algorithm: who.algorithm.into(),
        variant: who.variant.map(String::from),
        subject: who.subject.into(),
        backend: who.backend.into(),
        side: side_of(who.algorithm),
        execution: who.execution,
        constant_time: who.constant_time,
        security_bits: if who.algorithm == "RSA-2048" {
            112
        } else {
            128
        },
        bytes,
        items: None,
        threads: 1,
        timing: Timing {
            median_nanoseconds: nanoseconds,
            min_nanoseconds: nanoseconds * 0.96,
            max_nanoseconds: nanoseconds * 1.4,
            p10_nanoseconds: nanoseconds * 0.98,
            p90_nanoseconds: nanoseconds * 1.05,
            mad_nanoseconds: nanoseconds * 0.01,
            samples: 31,
            iterations_per_sample: 100,
        },
        cycles_per_byte: bytes.map(|bytes| cycles / bytes as f64),
        cycles: Some(cycles),
        one_time_nanoseconds: None,
    }
}

use Execution::{Hardware, Software};

fn hash_rows() -> Vec<Row> {
    let contenders = [
        (who("SM3", "shangmi", "portable", Software), 60.0, 1.75),
        (who("SM3", "libcrypto", "generic", Software), 90.0, 2.9),
        (who("SHA-256", "aws-lc", "AVX2", Software), 55.0, 1.45),
        (who("SHA-256", "aws-lc", "SHA-NI", Hardware), 40.0, 0.52),
        (who("SHA-256", "libcrypto", "SHA-NI", Hardware), 95.0, 0.53),
    ];
    let mut all = Vec::new();
    for length in LENGTHS {
        for (who, fixed, each) in contenders {
            all.push(row(
                Group::Hash,
                "digest",
                who,
                Some(length),
                fixed + each * (length + 64) as f64,
            ));
        }
    }
    all
}

/// Nanoseconds a byte of 64 messages: in many lanes, and one after the other.
fn many_rows() -> Vec<Row> {
    let way = |variant, who: Who| Who {
        variant: Some(variant),
        ..who
    };
    let contenders = [
        (
            way("many lanes", who("SM3", "shangmi", "avx512 x 32", Software)),
            0.14,
        ),
        (
            way("one stream", who("SM3", "shangmi", "bmi2+avx", Software)),
            1.7,
        ),
        (
            way("one stream", who("SHA-256", "aws-lc", "AVX2", Software)),
            1.45,
        ),
        (
            way("one stream", who("SHA-256", "aws-lc", "SHA-NI", Hardware)),
            0.53,
        ),
    ];
    let mut all = Vec::new();
    for length in [64u64, 256, 1024, 8192] {
        for (who, each) in contenders {
            let bytes = 64 * length;
            let time = each * (bytes + 64 * 64) as f64;
            let row = row(Group::HashMany, "digest-many", who, Some(bytes), time);
            all.push(Row {
                items: Some(64),
                ..row
            });
        }
    }
    all
}

fn tree_rows() -> Vec<Row> {
    let program = |algorithm, command, subject| Who {
        variant: Some(command),
        ..who(algorithm, subject, "chosen by the program", Software)
    };
    let contenders = [
        (
            program("SM3", "shangmi hash --num-threads 1", "shangmi"),
            9_000.0,
        ),
        (program("SM3", "cksum -a sm3", "cksum"), 31_000.0),
        (program("SHA-256", "sha256sum", "sha256sum"), 27_000.0),
    ];
    let row = |(who, each): (Who, f64)| Row {
        items: Some(4000),
        ..row(
            Group::HashTree,
            "digest-tree",
            who,
            Some(4000 * 2560),
            4000.0 * each,
        )
    };
    contenders.map(row).to_vec()
}

fn file_rows() -> Vec<Row> {
    let mut all = Vec::new();
    for operation in ["digest-streaming", "digest-mapped"] {
        for length in [1_000_000u64, 10_000_000, 100_000_000] {
            for (who, each) in [
                (who("SM3", "shangmi", "portable", Software), 1.8),
                (who("SHA-256", "aws-lc", "SHA-NI", Hardware), 0.6),
            ] {
                all.push(row(
                    Group::HashFile,
                    operation,
                    who,
                    Some(length),
                    each * length as f64,
                ));
            }
        }
    }
    all
}

fn stage_rows() -> Vec<Row> {
    let mut all = Vec::new();
    let stage = |algorithm, variant, subject| Who {
        variant: Some(variant),
        ..who(algorithm, subject, "portable", Software)
    };
    for length in LENGTHS {
        for (who, each) in [
            (stage("SM3", "textbook", "reference"), 6.1),
            (stage("SM3", "rolling window", "reference"), 4.2),
            (stage("SM3", "unrolled", "reference"), 2.2),
            (stage("SHA-256", "textbook", "reference"), 4.8),
            (who("SM3", "shangmi", "portable", Software), 1.75),
            (who("SHA-256", "aws-lc", "AVX2", Software), 1.45),
            (who("SHA-256", "aws-lc", "SHA-NI", Hardware), 0.52),
        ] {
            all.push(row(
                Group::HashStage,
                "digest",
                who,
                Some(length),
                80.0 + each * (length + 64) as f64,
            ));
        }
    }
    all
}

fn mac_rows() -> Vec<Row> {
    let mut all = Vec::new();
    for (operation, extra) in [("mac", 0.0), ("mac-new-key", 240.0)] {
        for length in [32u64, 64, 256] {
            for (who, each) in [
                (who("HMAC-SM3", "shangmi", "portable", Software), 1.9),
                (who("HMAC-SHA256", "aws-lc", "AVX2", Software), 1.5),
                (who("HMAC-SHA256", "aws-lc", "SHA-NI", Hardware), 0.7),
            ] {
                all.push(row(
                    Group::Mac,
                    operation,
                    who,
                    Some(length),
                    extra + each * (length + 128) as f64,
                ));
            }
        }
    }
    for (who, each) in [
        (who("CMAC-SM4", "shangmi", "gfni-avx512", Software), 5.1),
        (who("CMAC-AES-128", "libcrypto", "AES-NI", Hardware), 0.9),
    ] {
        let one = row(Group::Mac, "cmac", who, Some(1024), each * 1040.0);
        let bytes = 64 * 1024;
        let many = row(Group::Mac, "cmac-many", who, Some(bytes), each * 9000.0);
        all.extend([
            one,
            Row {
                items: Some(64),
                ..many
            },
        ]);
    }
    all
}

fn cipher_rows() -> Vec<Row> {
    let mut all = Vec::new();
    let stage = |variant, subject, constant| Who {
        variant: Some(variant),
        constant_time: Some(constant),
        ..who("SM4", subject, "portable", Software)
    };
    for (who, each) in [
        (stage("byte-wise", "reference", false), 22.0),
        (stage("t-table", "reference", false), 5.4),
        (stage("t-table, unrolled by 4", "reference", false), 5.1),
        (stage("bitsliced", "shangmi", true), 5.9),
        (stage("aesni-avx2", "shangmi", true), 1.3),
        (stage("gfni-avx512", "shangmi", true), 0.08),
        (who("SM4", "libcrypto", "tables", Software), 7.1),
        (who("AES-128", "libcrypto", "vpaes", Software), 1.2),
        (who("AES-128", "libcrypto", "AES-NI", Hardware), 0.2),
    ] {
        all.push(row(
            Group::CipherStage,
            "ecb-encrypt",
            who,
            Some(16_384),
            each * 16_384.0,
        ));
    }
    for operation in [
        "ecb-encrypt",
        "cbc-encrypt",
        "cbc-decrypt",
        "ctr",
        "gcm-encrypt",
        "gcm-decrypt",
    ] {
        for length in [64u64, 1024, 16_384, 1_048_576] {
            for (who, fixed, each) in [
                (who("SM4", "shangmi", "bitsliced", Software), 90.0, 6.2),
                (who("SM4", "libcrypto", "tables", Software), 60.0, 7.1),
                (who("AES-128", "aws-lc", "vpaes", Software), 60.0, 1.1),
                (who("AES-128", "aws-lc", "AES-NI", Hardware), 50.0, 0.21),
            ] {
                all.push(row(
                    Group::CipherMode,
                    operation,
                    who,
                    Some(length),
                    fixed + each * length as f64,
                ));
            }
        }
    }
    all
}

/// Operation, bytes, and microseconds of SM2, P-256, RSA-2048 and RSA-3072; zero for what there is not.
const PUBLIC_KEY: [(&str, Option<u64>, [f64; 4]); 7] = [
    ("generate-key", None, [21.0, 12.0, 81_000.0, 290_000.0]),
    ("sign", Some(32), [28.3, 17.0, 610.0, 1830.0]),
    ("sign", Some(16_384), [58.0, 26.0, 621.0, 1840.0]),
    ("verify", Some(32), [74.0, 44.0, 17.5, 36.0]),
    ("verify", Some(16_384), [103.0, 54.0, 27.0, 45.0]),
    ("encrypt", Some(32), [95.0, 0.0, 19.0, 37.0]),
    ("decrypt", Some(32), [61.0, 0.0, 615.0, 1850.0]),
];

/// Other ways of SM2: operation, bytes of a message, microseconds of each.
const WAYS: [(&str, Option<u64>, f64); 6] = [
    ("verify-prepared", Some(32), 14.0),
    ("generate-key-many", None, 4.2),
    ("sign-many", Some(32), 7.07),
    ("verify-many", Some(32), 25.0),
    ("verify-many-one-key", Some(32), 16.0),
    ("decrypt-many", Some(32), 30.5),
];

fn way_rows() -> Vec<Row> {
    let way = |(operation, bytes, each): (&str, Option<u64>, f64)| {
        let items = operation.contains("-many").then_some(64);
        let count = items.unwrap_or(1);
        let who = Who {
            variant: Some(match items {
                Some(_) if operation.ends_with("-one-key") => "many at once, one key",
                Some(_) => "many at once",
                None => "key prepared",
            }),
            ..who("SM2", "shangmi", "ifma x 8", Software)
        };
        let bytes = bytes.map(|bytes| bytes * count);
        let time = each * 1e3 * count as f64;
        Row {
            items,
            one_time_nanoseconds: items.is_none().then_some(290_000.0),
            ..row(Group::PublicKey, operation, who, bytes, time)
        }
    };
    WAYS.map(way).to_vec()
}

fn public_key_rows() -> Vec<Row> {
    let mut all = way_rows();
    for (operation, bytes, microseconds) in PUBLIC_KEY {
        let scheme = Some(if operation.ends_with("crypt") {
            "OAEP, SHA-256"
        } else {
            "PSS, SHA-256"
        });
        let rsa = |algorithm| Who {
            variant: scheme,
            ..who(algorithm, "aws-lc", "rsaz-avx2", Software)
        };
        let contenders = [
            who("SM2", "shangmi", "portable, 64-bit", Software),
            who("P-256", "aws-lc", "nistz256", Software),
            rsa("RSA-2048"),
            rsa("RSA-3072"),
        ];
        for (who, time) in contenders
            .into_iter()
            .zip(microseconds)
            .filter(|(_, time)| *time > 0.0)
        {
            all.push(row(Group::PublicKey, operation, who, bytes, time * 1e3));
        }
    }
    all
}

fn counts() -> Vec<CountRow> {
    let count =
        |algorithm: &str, phase, origin, [shifts, logic, additions]: [u32; 3], note: &str| {
            CountRow {
                algorithm: algorithm.into(),
                phase,
                origin,
                shifts,
                logic,
                additions,
                note: note.into(),
            }
        };
    use CountOrigin::{Counted, Published};
    use CountPhase::{Expansion, StateUpdate};
    vec![
        count("SM3", Expansion, Counted, [416, 584, 0], ""),
        count(
            "SM3",
            StateUpdate,
            Counted,
            [1024, 1200, 512],
            "A<<<12 twice",
        ),
        count("SHA-256", Expansion, Counted, [480, 384, 144], ""),
        count("SHA-256", StateUpdate, Counted, [768, 1216, 448], ""),
        count(
            "SM3",
            StateUpdate,
            Published,
            [1024, 1328, 384],
            "128 additions booked as logic",
        ),
    ]
}

fn memory() -> Vec<MemoryRow> {
    let memory =
        |algorithm: &str, subject: &str, variant: Option<&str>, measure, bytes| MemoryRow {
            algorithm: algorithm.into(),
            subject: subject.into(),
            variant: variant.map(String::from),
            side: side_of(algorithm),
            measure,
            bytes,
            note: "stack painted before the call".into(),
        };
    use MemoryMeasure::{StackHighWater, State, Tables};
    vec![
        memory(
            "SM3",
            "shangmi",
            Some("16-word window"),
            StackHighWater,
            328,
        ),
        memory("SM3", "reference", Some("132 words"), StackHighWater, 712),
        memory("SHA-256", "aws-lc", None, StackHighWater, 376),
        memory("SM3", "shangmi", None, State, 112),
        memory("SHA-256", "aws-lc", None, State, 112),
        memory("SM4", "reference", Some("t-table"), Tables, 4096),
    ]
}

/// Half a second at 1,000 requests a second.
fn load() -> Vec<LoadRow> {
    let load = |operation: &str, algorithm: &str, variant: Option<&str>, milliseconds: f64| {
        let side = side_of(algorithm);
        LoadRow {
            algorithm: algorithm.into(),
            variant: variant.map(String::from),
            subject: if side == Side::Sm {
                "shangmi"
            } else {
                "aws-lc"
            }
            .into(),
            side,
            operation: operation.into(),
            offered_per_second: 1000.0,
            served: 500,
            wall_seconds: 0.5,
            cpu_seconds: milliseconds / 1e3,
            idle_share: 0.000_437,
        }
    };
    vec![
        load("sign", "SM2", Some("SM3, default ID"), 14.7),
        load("sign", "P-256", Some("ECDSA, SHA-256"), 9.05),
        load("sign", "RSA-2048", Some("PSS, SHA-256"), 311.0),
        load("verify", "SM2", Some("SM3, default ID"), 37.6),
        load("verify", "SM2", Some("key prepared"), 7.33),
        load("verify", "P-256", Some("ECDSA, SHA-256"), 22.6),
        load("verify", "RSA-2048", Some("PSS, SHA-256"), 9.31),
    ]
}

fn growth() -> Vec<GrowthRow> {
    let growth = |operation: &str, algorithm: &str, operations, [before, after]: [u64; 2]| {
        let side = side_of(algorithm);
        GrowthRow {
            algorithm: algorithm.into(),
            subject: if side == Side::Sm {
                "shangmi"
            } else {
                "aws-lc"
            }
            .into(),
            side,
            operation: operation.into(),
            operations,
            resident_before_bytes: before << 10,
            resident_after_bytes: after << 10,
            peak_before_bytes: (before + 44) << 10,
            peak_after_bytes: (after.max(before) + 44) << 10,
        }
    };
    vec![
        growth("sign", "SM2", 50_000, [3864, 3864]),
        growth("sign", "RSA-2048", 2_336, [3972, 3980]),
        growth("verify", "SM2", 50_000, [3868, 3868]),
        growth("verify", "RSA-2048", 50_000, [3944, 3940]),
    ]
}

fn sizes() -> Vec<SizeRow> {
    let size = |algorithm: &str, what: &str, encoding: &str, bytes| SizeRow {
        algorithm: algorithm.into(),
        side: side_of(algorithm),
        what: what.into(),
        encoding: encoding.into(),
        bytes,
        security_bits: 128,
    };
    vec![
        size("SM2", "public-key", "DER SPKI", 91),
        size("P-256", "public-key", "DER SPKI", 91),
        size("RSA-2048", "public-key", "DER SPKI", 294),
        size("RSA-3072", "public-key", "DER SPKI", 422),
        size("SM2", "signature", "raw", 64),
        size("P-256", "signature", "raw", 64),
        size("RSA-2048", "signature", "raw", 256),
        size("RSA-3072", "signature", "raw", 384),
        size("SM2", "ciphertext-of-32-bytes", "raw", 129),
        size("RSA-2048", "ciphertext-of-32-bytes", "raw", 256),
        size("SM3", "digest", "raw", 32),
        size("SHA-256", "digest", "raw", 32),
    ]
}

fn published() -> Vec<PublishedRow> {
    let mut all = Vec::new();
    for (origin, claims) in [
        (
            "one vendor, plain C",
            [
                (8, "1.38"),
                (64, "1.23"),
                (1024, "1.13"),
                (1_048_576, "1.12"),
            ],
        ),
        (
            "OpenSSL",
            [
                (8, "1.80"),
                (64, "1.84"),
                (1024, "2.02"),
                (1_048_576, "2.05"),
            ],
        ),
    ] {
        for (bytes, claimed) in claims {
            all.push(PublishedRow {
                group: Group::Hash,
                claim: "SM3 : SHA-256".into(),
                origin: origin.into(),
                bytes: Some(bytes),
                claimed: claimed.into(),
                unit: "ratio of run times".into(),
                measured: Some(1.2),
                measured_as: "software".into(),
            });
        }
    }
    all.push(PublishedRow {
        group: Group::PublicKey,
        claim: "SM2 sign".into(),
        origin: "a survey".into(),
        bytes: None,
        claimed: "12000".into(),
        unit: "operations/s".into(),
        measured: None,
        measured_as: String::new(),
    });
    all
}

fn attacks() -> Vec<AttackRow> {
    let attack = |algorithm: &str, attack: &str, steps: &str, cost: &str| AttackRow {
        algorithm: algorithm.into(),
        attack: attack.into(),
        steps: steps.into(),
        total_steps: 64,
        cost: cost.into(),
        source: "Mendel, Nad, Schläffer, CT-RSA 2013".into(),
        as_of: "2025-01".into(),
    };
    vec![
        attack("SM3", "collision", "20", "practical"),
        attack("SHA-256", "preimage", "45", "2^255.5"),
    ]
}
