//! `shangmi sm4` on what databases write: folded keys and short IVs.

use crate::support::{Run, Sandbox};

/// Key text, mode, IV, plaintext, ciphertext. The key was folded by a few lines of Python, a short IV
/// filled up by hand, and `openssl enc -sm4-ecb` or `-sm4-cbc` computed the last.
const CASES: [(&str, &str, &str, &str, &str); 4] = [
    (
        "the key of a database, longer than sixteen bytes",
        "ecb",
        "",
        "1234567890123456",
        "6fa325065fdac312dfc71369e477fdf96cb5203ece2586b8217ca99d5687b2b2",
    ),
    (
        "short",
        "ecb",
        "",
        "A name, and some more of it",
        "248dd79b63745a30c88ebf78b971f2925cf73deaba5d4172d3eed671887fc640",
    ),
    (
        "0123456789abcdefX",
        "cbc",
        "3132333435363738",
        "A name, and some more of it",
        "90f4620aa88e8b7f0a91f1dfac8c782d07a5c5019196964e71bf282d3d54d535",
    ),
    (
        "the key of a database, longer than sixteen bytes",
        "cbc",
        "30313233343536373839616263646566",
        "",
        "64dcb12529ec65fe8e66db603e66a688",
    ),
];

fn unhex(digits: &str) -> Vec<u8> {
    let byte = |i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap();
    (0..digits.len()).step_by(2).map(byte).collect()
}

fn run(sandbox: &Sandbox, key: &str, args: &[&str]) -> Run {
    let args = [&["sm4"], args, &["--key-text-env", "K", "f"]].concat();
    sandbox.run_with_env(&[("K", key)], &args)
}

#[test]
fn values_of_databases_are_read_and_written() {
    let sandbox = Sandbox::new();
    for (key, mode, iv, plain, encrypted) in CASES {
        let iv = ["--iv-hex", iv, "--iv-pad", "zero"];
        let iv = if mode == "ecb" { &[][..] } else { &iv };
        let with = [&["--mode", mode, "--key-fold", "mysql"], iv].concat();
        sandbox.write("f", plain);
        let out = run(&sandbox, key, &[&["encrypt"], &with[..]].concat()).ok();
        assert_eq!(out.stdout, unhex(encrypted), "{key}");
        sandbox.write("f", unhex(encrypted));
        let out = run(&sandbox, key, &[&["decrypt"], &with[..]].concat()).ok();
        assert_eq!(out.text(), plain);
    }
}

#[test]
fn nothing_is_folded_or_filled_up_unless_asked_for() {
    let sandbox = Sandbox::new();
    sandbox.write("f", "x");
    let (key, long) = ("0123456789abcdef", "0123456789abcdefX");
    let full = "000102030405060708090a0b0c0d0e0f";
    run(&sandbox, long, &["encrypt", "--mode", "ecb"])
        .fails(2)
        .says("must be 16 bytes, found 17");
    run(
        &sandbox,
        key,
        &["encrypt", "--mode", "cbc", "--iv-hex", "0001"],
    )
    .fails(2)
    .says("must be 16 bytes, found 2");
    let longer = format!("{full}10");
    let args = [
        "encrypt", "--mode", "cbc", "--iv-pad", "zero", "--iv-hex", &longer,
    ];
    run(&sandbox, key, &args).fails(2).says("found 17");
    // Where there is nothing to fold or to fill up, the names change nothing.
    let plain = run(
        &sandbox,
        key,
        &["encrypt", "--mode", "cbc", "--iv-hex", full],
    )
    .ok();
    let args = [
        "encrypt",
        "--mode",
        "cbc",
        "--iv-hex",
        full,
        "--iv-pad",
        "zero",
        "--key-fold",
        "mysql",
    ];
    assert_eq!(run(&sandbox, key, &args).ok().stdout, plain.stdout);
}

#[test]
fn other_modes_have_no_use_for_them() {
    let sandbox = Sandbox::new();
    sandbox.write("f", "x");
    let key = "0123456789abcdef";
    for mode in ["cfb", "ofb", "ctr", "gcm", "ccm", "xts-gb", "xts-ieee"] {
        run(
            &sandbox,
            key,
            &["encrypt", "--mode", mode, "--key-fold", "mysql"],
        )
        .fails(2)
        .says("--key-fold is for ecb and cbc");
    }
    for mode in ["ecb", "ctr", "gcm"] {
        run(
            &sandbox,
            key,
            &["encrypt", "--mode", mode, "--iv-pad", "zero"],
        )
        .fails(2)
        .says("--iv-pad is for cbc");
    }
}

#[test]
fn nothing_comes_out_of_an_authenticated_mode_before_its_tag_is_checked() {
    let sandbox = Sandbox::new();
    let key = "0123456789abcdef";
    for mode in ["gcm", "ccm"] {
        sandbox.write("f", crate::support::pattern(300_000));
        let with = ["--mode", mode, "--iv-hex", "000102030405060708090a0b"];
        let sealed = run(&sandbox, key, &[&["encrypt"], &with[..]].concat())
            .ok()
            .stdout;
        let end = sealed.len();
        let mut changed: Vec<Vec<u8>> = [0, 150_000, end - 17, end - 1]
            .iter()
            .map(|&at| {
                let mut changed = sealed.clone();
                changed[at] ^= 1;
                changed
            })
            .collect();
        changed.extend([&sealed[..end - 1], &sealed[..16], &sealed[1..]].map(<[u8]>::to_vec));
        for changed in changed {
            sandbox.write("f", changed);
            let args = [&["decrypt"], &with[..]].concat();
            let run_to_pipe = run(&sandbox, key, &args).fails(1);
            assert_eq!(run_to_pipe.stdout, b"", "{mode}");
            run(&sandbox, key, &[&args[..], &["-o", "out"]].concat()).fails(1);
            assert!(!sandbox.exists("out"), "{mode}");
        }
        sandbox.write("f", &sealed[..15]);
        run(&sandbox, key, &[&["decrypt"], &with[..]].concat())
            .fails(2)
            .says("too few for a tag");
    }
}
