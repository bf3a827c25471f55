//! `shangmi sm4`.

use crate::support::{Sandbox, pattern};

const KEY: &str = "0123456789abcdeffedcba9876543210";
const XTS_KEY: &str = "2b7e151628aed2a6abf7158809cf4f3c000102030405060708090a0b0c0d0e0f";
const IV: &str = "000102030405060708090a0b0c0d0e0f";
const MODES: [&str; 9] = [
    "ecb", "cbc", "cfb", "ofb", "ctr", "gcm", "ccm", "xts-gb", "xts-ieee",
];

fn key_of(mode: &str) -> &'static str {
    if mode.starts_with("xts") {
        XTS_KEY
    } else {
        KEY
    }
}

fn run(sandbox: &Sandbox, direction: &str, mode: &str, more: &[&str]) -> crate::support::Run {
    let args = [
        &["sm4", direction, "--mode", mode, "--key-env", "KEY"],
        more,
    ]
    .concat();
    sandbox.run_with_env(&[("KEY", key_of(mode))], &args)
}

#[test]
fn the_standards_block() {
    let sandbox = Sandbox::new();
    let block: Vec<u8> = (0..16)
        .map(|i| u8::from_str_radix(&KEY[2 * i..][..2], 16).unwrap())
        .collect();
    sandbox.write("block", &block);
    sandbox.write("key", &block);
    let args = [
        "sm4",
        "encrypt",
        "--mode",
        "ecb",
        "--key-file",
        "key",
        "--padding",
        "none",
        "block",
    ];
    let encrypted = sandbox.run(&args).ok().stdout;
    let expected = "681edf34d206965e86b3e94f536e4246";
    let hex: String = encrypted.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, expected);
}

#[test]
fn every_mode_goes_round() {
    let sandbox = Sandbox::new();
    for mode in MODES {
        for length in [0, 1, 15, 16, 17, 131_071, 131_072, 131_073, 300_000] {
            if mode.starts_with("xts") && length < 16 {
                continue;
            }
            sandbox.write("f", pattern(length));
            let iv: &[&str] = if mode == "ecb" {
                &[]
            } else {
                &["--prepend-iv"]
            };
            run(&sandbox, "encrypt", mode, &[iv, &["f", "-o", "c"]].concat()).ok();
            run(&sandbox, "decrypt", mode, &[iv, &["c", "-o", "d"]].concat()).ok();
            assert_eq!(sandbox.read("d"), pattern(length), "{mode} {length}");
            assert_ne!(sandbox.read("c"), pattern(length), "{mode} {length}");
        }
    }
}

#[test]
fn every_padding_goes_round() {
    let sandbox = Sandbox::new();
    for mode in ["ecb", "cbc"] {
        for padding in ["pkcs7", "x923", "iso7816", "zero", "none"] {
            for length in [0, 16, 15, 131_072, 131_080] {
                if padding == "none" && length % 16 != 0 {
                    continue;
                }
                sandbox.write("f", pattern(length));
                let iv: &[&str] = if mode == "ecb" {
                    &[]
                } else {
                    &["--iv-hex", IV]
                };
                let more = [iv, &["--padding", padding]].concat();
                run(
                    &sandbox,
                    "encrypt",
                    mode,
                    &[&more[..], &["f", "-o", "c"]].concat(),
                )
                .ok();
                run(
                    &sandbox,
                    "decrypt",
                    mode,
                    &[&more[..], &["c", "-o", "d"]].concat(),
                )
                .ok();
                assert_eq!(
                    sandbox.read("d"),
                    pattern(length),
                    "{mode} {padding} {length}"
                );
            }
        }
    }
    sandbox.write("f", "15 bytes, so no");
    run(
        &sandbox,
        "encrypt",
        "ecb",
        &["--padding", "none", "f", "-o", "no"],
    )
    .fails(2)
    .says("16 bytes");
    assert!(!sandbox.exists("no"));
}

#[test]
fn authenticated_modes_write_nothing_wrong() {
    let sandbox = Sandbox::new();
    sandbox.write("f", pattern(1000));
    for mode in ["gcm", "ccm"] {
        let more = ["--iv-hex", "000102030405060708090a0b", "--aad-hex", "ff00"];
        run(
            &sandbox,
            "encrypt",
            mode,
            &[&more[..], &["f", "-o", "c"]].concat(),
        )
        .ok();
        run(
            &sandbox,
            "decrypt",
            mode,
            &[&more[..], &["c", "-o", "d"]].concat(),
        )
        .ok();
        assert_eq!(sandbox.read("c").len(), 1016);
        for at in [0, 500, 1000, 1015] {
            let mut changed = sandbox.read("c");
            changed[at] ^= 1;
            sandbox.write("changed", changed);
            let refused = run(
                &sandbox,
                "decrypt",
                mode,
                &[&more[..], &["changed"]].concat(),
            )
            .fails(1);
            assert_eq!(refused.stdout, b"");
            run(
                &sandbox,
                "decrypt",
                mode,
                &[&more[..], &["changed", "-o", "no"]].concat(),
            )
            .fails(1);
            assert!(!sandbox.exists("no"));
        }
        let other_aad = [
            "--iv-hex",
            "000102030405060708090a0b",
            "--aad-hex",
            "ff01",
            "c",
        ];
        run(&sandbox, "decrypt", mode, &other_aad).fails(1);
        let short = sandbox.read("c")[..15].to_vec();
        sandbox.write("short", short);
        let refused = run(&sandbox, "decrypt", mode, &[&more[..], &["short"]].concat());
        refused.fails(2).says("15 bytes are too few");
    }
}

#[test]
fn the_two_xts_differ_from_the_second_block_on() {
    let sandbox = Sandbox::new();
    sandbox.write("f", pattern(48));
    let gb = run(&sandbox, "encrypt", "xts-gb", &["--iv-hex", IV, "f"])
        .ok()
        .stdout;
    let ieee = run(&sandbox, "encrypt", "xts-ieee", &["--iv-hex", IV, "f"])
        .ok()
        .stdout;
    assert_eq!(gb[..16], ieee[..16]);
    assert_ne!(gb[16..32], ieee[16..32]);
    sandbox.write("f", pattern(15));
    run(&sandbox, "encrypt", "xts-gb", &["--iv-hex", IV, "f"])
        .fails(2)
        .says("16");
}

#[test]
fn a_random_iv_is_another_each_time() {
    let sandbox = Sandbox::new();
    sandbox.write("f", pattern(16));
    let encrypt = || {
        run(&sandbox, "encrypt", "ctr", &["--prepend-iv", "f"])
            .ok()
            .stdout
    };
    let (one, two) = (encrypt(), encrypt());
    assert_eq!(one.len(), 32);
    assert_ne!(one[..16], two[..16]);
    let given = run(
        &sandbox,
        "encrypt",
        "ctr",
        &["--prepend-iv", "--iv-hex", IV, "f", "-o", "c"],
    );
    given.ok();
    assert_eq!(sandbox.read("c")[..16], (0..16).collect::<Vec<u8>>()[..]);
    run(
        &sandbox,
        "decrypt",
        "ctr",
        &["--prepend-iv", "c", "-o", "d"],
    )
    .ok();
    assert_eq!(sandbox.read("d"), pattern(16));
}

#[test]
fn lengths_are_named() {
    let sandbox = Sandbox::new();
    sandbox.write("f", pattern(16));
    sandbox.write("key17", pattern(17));
    let key = |key: &str, mode: &str| {
        let args = [
            "sm4",
            "encrypt",
            "--mode",
            mode,
            "--key-env",
            "K",
            "--iv-hex",
            IV,
            "f",
            "-o",
            "no",
        ];
        sandbox.run_with_env(&[("K", key)], &args)
    };
    key(&KEY[2..], "cbc")
        .fails(2)
        .says("key must be 16 bytes, found 15");
    key(XTS_KEY, "cbc")
        .fails(2)
        .says("key must be 16 bytes, found 32");
    key(KEY, "xts-gb")
        .fails(2)
        .says("key must be 32 bytes, found 16");
    key(&KEY.repeat(2), "xts-gb").fails(2);
    let args = [
        "sm4",
        "encrypt",
        "--mode",
        "ecb",
        "--key-file",
        "key17",
        "f",
        "-o",
        "no",
    ];
    sandbox.run(&args).fails(2).says("line feed");
    for (mode, iv, says) in [
        ("cbc", &IV[2..], "16 bytes, found 15"),
        ("ctr", "", "16 bytes, found 0"),
        ("ccm", IV, "7 to 13 bytes, found 16"),
        ("ccm", "000102030405", "found 6"),
        ("gcm", "", "found 0"),
        ("cfb", "0", "odd number"),
        ("ofb", "zz", "not a hex digit"),
    ] {
        run(
            &sandbox,
            "encrypt",
            mode,
            &["--iv-hex", iv, "f", "-o", "no"],
        )
        .fails(2)
        .says(says);
    }
    assert!(!sandbox.exists("no"));
}

#[test]
fn options_that_a_mode_does_not_have() {
    let sandbox = Sandbox::new();
    sandbox.write("f", pattern(16));
    for (mode, more) in [
        ("ecb", &["--iv-hex", IV][..]),
        ("ecb", &["--prepend-iv"]),
        ("cbc", &["--iv-hex", IV, "--aad-hex", "00"]),
        ("ctr", &["--iv-hex", IV, "--padding", "none"]),
        ("gcm", &["--iv-hex", IV, "--padding", "none"]),
        ("cbc", &[]),
    ] {
        run(
            &sandbox,
            "encrypt",
            mode,
            &[more, &["f", "-o", "no"]].concat(),
        )
        .fails(2);
    }
    run(
        &sandbox,
        "decrypt",
        "cbc",
        &["--prepend-iv", "--iv-hex", IV, "f", "-o", "no"],
    )
    .fails(2);
    assert!(!sandbox.exists("no"));
}

#[test]
fn ciphertexts_that_are_cut_off() {
    let sandbox = Sandbox::new();
    for (content, mode, more) in [
        (pattern(15), "cbc", &["--iv-hex", IV][..]),
        (pattern(131_073), "cbc", &["--iv-hex", IV]),
        (vec![], "ecb", &[]),
        (pattern(15), "ctr", &["--prepend-iv"]),
        (vec![], "gcm", &["--prepend-iv"]),
        (pattern(20), "gcm", &["--prepend-iv"]),
    ] {
        sandbox.write("c", content);
        run(
            &sandbox,
            "decrypt",
            mode,
            &[more, &["c", "-o", "no"]].concat(),
        )
        .fails(2);
        assert!(!sandbox.exists("no"));
    }
}

#[test]
fn what_does_not_fit_in_memory_is_refused_at_once() {
    let sandbox = Sandbox::new();
    sandbox.write("f", "");
    let file = std::fs::File::options().write(true).open(sandbox.path("f"));
    // A hole: the file takes no space.
    file.unwrap().set_len((1 << 30) + 1).unwrap();
    for mode in ["gcm", "ccm", "xts-gb"] {
        let refused = run(
            &sandbox,
            "encrypt",
            mode,
            &["--prepend-iv", "f", "-o", "no"],
        );
        refused.fails(2).says("longer than 1073741824 bytes");
    }
    assert!(!sandbox.exists("no"));
}

#[test]
fn wrong_padding_is_a_negative_answer() {
    let sandbox = Sandbox::new();
    sandbox.write("f", pattern(160));
    run(
        &sandbox,
        "encrypt",
        "ecb",
        &["--padding", "none", "f", "-o", "c"],
    )
    .ok();
    run(&sandbox, "decrypt", "ecb", &["c", "-o", "no"]).fails(1);
    assert!(!sandbox.exists("no"));
}

/// Keys with digits that are not hexadecimal, from public reports, are refused and not read as zeros.
#[test]
fn keys_that_are_not_hexadecimal() {
    let json = include_str!("../../../../testdata/interop/sm4_refused.json");
    let reports: serde_json::Value = serde_json::from_str(json).unwrap();
    let sandbox = Sandbox::new();
    sandbox.write("f", b"test");
    let mut keys = 0;
    for case in reports["cases"].as_array().unwrap() {
        if case["what"] == "hex key" {
            keys += 1;
            let args = [
                "sm4",
                "encrypt",
                "--mode",
                "ecb",
                "--key-env",
                "KEY",
                "f",
                "-o",
                "no",
            ];
            let key = case["text"].as_str().unwrap();
            let run = sandbox.run_with_env(&[("KEY", key)], &args);
            run.fails(2).says("character 3 is not a hex digit");
        }
    }
    assert_eq!(keys, 2);
}
