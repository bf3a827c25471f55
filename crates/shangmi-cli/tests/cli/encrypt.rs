//! `shangmi encrypt` and `shangmi decrypt`.

use crate::support::{Sandbox, pattern};

#[test]
fn what_is_sealed_opens() {
    let sandbox = Sandbox::with_keys();
    for length in [0, 1, 65_535, 65_536, 65_537, 200_000] {
        sandbox.write("f", pattern(length));
        sandbox
            .run(&["encrypt", "--to", "pub.pem", "f", "-o", "sealed"])
            .ok();
        sandbox
            .run(&["decrypt", "--key", "key.pem", "sealed", "-o", "opened"])
            .ok();
        assert_eq!(sandbox.read("opened"), pattern(length));
        let piped = sandbox
            .run_with_input(pattern(length), &["encrypt", "--to", "pub.pem", "-"])
            .ok();
        let opened = sandbox
            .run_with_input(piped.stdout, &["decrypt", "--key", "key.pem", "-"])
            .ok();
        assert_eq!(opened.stdout, pattern(length));
    }
}

#[test]
fn every_recipient_can_open() {
    let sandbox = Sandbox::with_keys();
    for name in ["a", "b", "c"] {
        let public = format!("{name}.pub");
        sandbox
            .run(&[
                "key",
                "generate",
                "--no-passphrase",
                "-o",
                name,
                "--public",
                &public,
            ])
            .ok();
    }
    sandbox.write("f", "content");
    let args = [
        "encrypt", "--json", "--to", "a.pub", "--to", "b.pub", "f", "-o", "sealed",
    ];
    assert_eq!(sandbox.run(&args).ok().json()["recipients"], 2);
    for name in ["a", "b"] {
        sandbox
            .run(&["decrypt", "--key", name, "sealed"])
            .ok()
            .prints("content");
    }
    sandbox
        .run(&["decrypt", "--key", "c", "sealed"])
        .fails(1)
        .says("not sealed for this key");
}

#[test]
fn every_change_is_noticed_and_nothing_is_written() {
    let sandbox = Sandbox::with_keys();
    let content = pattern(70_000);
    sandbox.write("f", &content);
    sandbox
        .run(&["encrypt", "--to", "pub.pem", "f", "-o", "sealed"])
        .ok();
    let sealed = sandbox.read("sealed");
    let check = |changed: &[u8], codes: &[i32]| {
        sandbox.write("changed", changed);
        let run = sandbox.run(&["decrypt", "--key", "key.pem", "changed", "-o", "out"]);
        let code = run.code.unwrap();
        assert!(codes.contains(&code), "{code}: {}", run.stderr);
        run.fails(code);
        assert!(!sandbox.exists("out"));
        // On a pipe, what came through before the fault is a part of the content.
        let piped = sandbox
            .run(&["decrypt", "--key", "key.pem", "changed"])
            .fails(code)
            .stdout;
        assert!(content.starts_with(&piped) && piped.len() < content.len());
    };
    for at in (0..sealed.len()).step_by(sealed.len() / 40) {
        let mut changed = sealed.clone();
        changed[at] ^= 0x10;
        check(&changed, if at < 200 { &[1, 2] } else { &[1] });
        check(&sealed[..at], if at < 300 { &[1, 2] } else { &[1] });
    }
    check(&[&sealed[..], b"x"].concat(), &[1]);
    check(&[], &[2]);
}

#[test]
fn bare_ciphertexts_of_every_form() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "a key of 16 byte");
    for form in ["der", "c1c3c2", "c1c2c3"] {
        sandbox
            .run(&["encrypt", "--raw", form, "--to", "pub.pem", "f", "-o", "c"])
            .ok();
        for read_as in ["auto", form] {
            let run = sandbox.run(&["decrypt", "--raw", read_as, "--key", "key.pem", "c"]);
            run.ok().prints("a key of 16 byte");
        }
        let run = sandbox.run(&["decrypt", "--key", "key.pem", "c"]).fails(2);
        run.says("not a sealed file").says("--raw auto");
        let mut changed = sandbox.read("c");
        *changed.last_mut().unwrap() ^= 1;
        sandbox.write("changed", changed);
        let args = [
            "decrypt", "--raw", "auto", "--key", "key.pem", "changed", "-o", "out",
        ];
        sandbox.run(&args).fails(1);
        assert!(!sandbox.exists("out"));
    }
}

#[test]
fn bare_ciphertexts_have_one_recipient_and_some_content() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("empty", "");
    sandbox.write("f", "x");
    let args = [
        "encrypt", "--raw", "der", "--to", "pub.pem", "empty", "-o", "out",
    ];
    sandbox.run(&args).fails(2).says("is empty");
    let args = [
        "encrypt", "--raw", "der", "--to", "pub.pem", "--to", "pub.pem", "f", "-o", "out",
    ];
    sandbox.run(&args).fails(2).says("one recipient, found 2");
    assert!(!sandbox.exists("out"));
}

#[test]
fn a_private_key_is_no_recipient() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "x");
    let run = sandbox.run(&["encrypt", "--to", "key.pem", "f", "-o", "out"]);
    run.fails(2).says("private key").says("key convert");
}

#[test]
fn a_passphrase_opens_what_it_sealed() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "content");
    sandbox.write("pass", "correct horse\n");
    let env = [
        ("P", "correct horse"),
        ("WRONG", "Correct horse"),
        ("NONE", ""),
    ];
    let run = |args: &[&str]| sandbox.run_with_env(&env, args);
    let sealed = ["--iterations", "1000", "f", "-o", "sealed"];
    run(&[&["encrypt", "--passphrase-env", "P"], &sealed[..]].concat()).ok();
    for given in [["--passphrase-env", "P"], ["--passphrase-file", "pass"]] {
        run(&[&["decrypt"], &given[..], &["sealed"]].concat())
            .ok()
            .prints("content");
    }
    let out = ["sealed", "-o", "out"];
    run(&[&["decrypt", "--passphrase-env", "WRONG"], &out[..]].concat())
        .fails(1)
        .says("wrong passphrase")
        .says("try again");
    run(&[&["decrypt", "--passphrase-env", "NONE"], &out[..]].concat())
        .fails(2)
        .says("the passphrase is empty");
    run(&[&["decrypt"], &out[..]].concat())
        .fails(2)
        .says("no passphrase was given")
        .says("--passphrase-env");
    run(&[&["decrypt", "--key", "key.pem"], &out[..]].concat())
        .fails(1)
        .says("not sealed for this key")
        .says("passphrase");
    assert!(!sandbox.exists("out"));
}

#[test]
fn a_passphrase_beside_keys() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "content");
    let env = [("P", "correct horse")];
    let run = |args: &[&str]| sandbox.run_with_env(&env, args);
    let args = [
        "encrypt",
        "--json",
        "--to",
        "pub.pem",
        "--passphrase-env",
        "P",
        "--iterations",
        "1000",
        "f",
        "-o",
        "sealed",
    ];
    assert_eq!(run(&args).ok().json()["recipients"], 2);
    run(&["decrypt", "--key", "key.pem", "sealed"])
        .ok()
        .prints("content");
    run(&["decrypt", "--passphrase-env", "P", "sealed"])
        .ok()
        .prints("content");

    run(&["encrypt", "--to", "pub.pem", "f", "-o", "for-key"]).ok();
    run(&["decrypt", "--passphrase-env", "P", "for-key"])
        .fails(1)
        .says("not sealed with a passphrase")
        .says("--key");
}

#[test]
fn passphrases_out_of_place() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "content");
    let run = |args: &[&str]| {
        let run = sandbox.run_with_env(&[("P", "x")], &[args, &["f", "-o", "out"]].concat());
        let run = run.fails(2);
        assert!(!sandbox.exists("out"));
        run
    };
    run(&["encrypt"])
        .says("nobody could open the file")
        .says("--to");
    run(&["encrypt", "--to", "pub.pem", "--iterations", "1000"]).says("for a passphrase");
    for iterations in ["0", "999", "10000001", "many"] {
        run(&[
            "encrypt",
            "--passphrase-env",
            "P",
            "--iterations",
            iterations,
        ])
        .says("--iterations");
    }
    run(&["encrypt", "--raw", "der", "--passphrase-env", "P"]).says("found a passphrase");
    run(&["decrypt", "--raw", "auto", "--passphrase-env", "P"]).says("--key");
}

#[test]
fn text_is_read_as_the_file_that_it_stands_for() {
    let sandbox = Sandbox::with_keys();
    for length in [0, 1, 70_000, 3_000_000] {
        sandbox.write("f", pattern(length));
        let args = ["encrypt", "--armor", "--to", "pub.pem", "f"];
        let text = sandbox.run(&args).ok().text();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "-----BEGIN SHANGMI SEALED FILE-----");
        assert_eq!(lines[lines.len() - 1], "-----END SHANGMI SEALED FILE-----");
        sandbox.write("sealed", &text);
        let open = ["decrypt", "--key", "key.pem", "sealed", "-o", "opened"];
        sandbox.run(&open).ok();
        assert_eq!(sandbox.read("opened"), pattern(length));
        let piped = sandbox.run_with_input(&text, &["decrypt", "--key", "key.pem", "-"]);
        assert_eq!(piped.ok().stdout, pattern(length));
    }
}

#[test]
fn damaged_text_is_refused() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "content");
    let args = ["encrypt", "--armor", "--to", "pub.pem", "f"];
    let text = sandbox.run(&args).ok().text();
    let without_end = text.split_once("-----END").unwrap().0;
    let first_line = text.lines().nth(1).unwrap();
    for (changed, code, says) in [
        (
            format!("{text}and more\n"),
            2,
            "something follows the END line",
        ),
        (without_end.to_owned(), 2, "no END line"),
        (
            text.replace("SEALED FILE", "OTHER FILE"),
            2,
            "not a sealed file",
        ),
        (text.replace(first_line, &first_line[..63]), 2, "Base64"),
        (
            text.replace(first_line, &format!("{first_line}A")),
            2,
            "longer than 64",
        ),
        (
            text.replace(&first_line[50..], &first_line.to_lowercase()[50..]),
            1,
            "changed",
        ),
    ] {
        sandbox.write("changed", &changed);
        let args = ["decrypt", "--key", "key.pem", "changed", "-o", "out"];
        sandbox.run(&args).fails(code).says(says);
        assert!(!sandbox.exists("out"));
    }
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let sandbox = Sandbox::with_keys();
    let content = pattern(5_000_000);
    sandbox.write("f", &content);
    for threads in ["1", "2", "7"] {
        let n = ["--num-threads", threads];
        let seal = [
            &["encrypt", "--to", "pub.pem"],
            &n[..],
            &["f", "-o", "sealed"],
        ]
        .concat();
        sandbox.run(&seal).ok();
        let open = [&["decrypt", "--key", "key.pem"], &n[..]].concat();
        let opened = sandbox.run(&[&open[..], &["sealed"]].concat()).ok().stdout;
        assert_eq!(opened, content);
        let piped = sandbox.run_with_input(sandbox.read("sealed"), &[&open[..], &["-"]].concat());
        assert_eq!(piped.ok().stdout, content);
        let mut changed = sandbox.read("sealed");
        let at = changed.len() / 2;
        changed[at] ^= 1;
        sandbox.write("changed", changed);
        let args = [&open[..], &["changed", "-o", "out"]].concat();
        sandbox.run(&args).fails(1).says("changed, moved or cut");
        assert!(!sandbox.exists("out"));
    }
    sandbox
        .run(&[
            "encrypt",
            "--num-threads",
            "0",
            "--to",
            "pub.pem",
            "f",
            "-o",
            "out",
        ])
        .fails(2);
}

#[test]
fn a_part_of_the_content() {
    let sandbox = Sandbox::with_keys();
    let content = pattern(200_000);
    sandbox.write("f", &content);
    sandbox
        .run(&["encrypt", "--to", "pub.pem", "f", "-o", "sealed"])
        .ok();
    sandbox
        .run(&["encrypt", "--armor", "--to", "pub.pem", "f", "-o", "text"])
        .ok();
    let run = |file: &str, part: &[&str]| {
        let args = [&["decrypt", "--key", "key.pem"], part, &[file]].concat();
        sandbox.run_with_input(sandbox.read("sealed"), &args)
    };
    for (part, range) in [
        (&["--offset", "0", "--length", "10"][..], 0..10),
        (&["--length", "70000"], 0..70_000),
        (&["--offset", "65535", "--length", "2"], 65_535..65_537),
        (&["--offset", "199999"], 199_999..200_000),
        (&["--offset", "200000"], 200_000..200_000),
        (&["--offset", "5", "--length", "0"], 5..5),
    ] {
        for file in ["sealed", "text", "-"] {
            assert_eq!(
                run(file, part).ok().stdout,
                content[range.clone()],
                "{file} {part:?}"
            );
        }
    }
    for part in [
        &["--offset", "200001"][..],
        &["--length", "200001"],
        &["--offset", "199999", "--length", "2"],
        &[
            "--offset",
            "18446744073709551615",
            "--length",
            "18446744073709551615",
        ],
    ] {
        let run = run("sealed", part).fails(2);
        assert_eq!(run.stdout, b"");
        run.says("content has 200000 bytes").says("--length");
    }
    run("sealed", &["--offset", "-1"]).fails(2);
    run("sealed", &["--offset", "0", "--raw", "auto"]).fails(2);
}

#[test]
fn a_part_is_checked_and_so_is_the_end() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", pattern(300_000));
    sandbox
        .run(&["encrypt", "--to", "pub.pem", "f", "-o", "sealed"])
        .ok();
    let sealed = sandbox.read("sealed");
    let start = sealed.len() - 300_000 - 5 * 16;
    let part = |changed: &[u8]| {
        sandbox.write("changed", changed);
        let _ = std::fs::remove_file(sandbox.path("out"));
        let args = [
            "decrypt", "--key", "key.pem", "--offset", "70000", "--length", "10", "changed", "-o",
            "out",
        ];
        let run = sandbox.run(&args);
        assert_eq!(sandbox.exists("out"), run.code == Some(0));
        run
    };
    for chunk in 0..5 {
        let mut changed = sealed.clone();
        changed[start + chunk * 65_552 + 7] ^= 1;
        let run = part(&changed);
        // The second chunk holds the part, the fifth is the last.
        if [1, 4].contains(&chunk) {
            run.fails(1).says("changed, moved or cut");
        } else {
            run.ok();
        }
    }
    part(&sealed[..start + 2 * 65_552]).fails(1).says("was cut");
    part(&sealed[..sealed.len() - 1]).fails(1);
    part(&[&sealed[..], b"x"].concat()).fails(1);
    part(&sealed[..start - 1])
        .fails(2)
        .says("inside its header");
}

#[test]
fn memory_does_not_grow_with_the_file() {
    let sandbox = Sandbox::with_keys();
    let length = 600_000_000;
    // Nothing but zeros, which take no room on the disk.
    let hole = std::fs::File::create(sandbox.path("f")).unwrap();
    hole.set_len(length).unwrap();
    let program = assert_cmd::cargo::cargo_bin!("shangmi");
    let script = format!(
        "ulimit -v 400000; s='{}'; \
         \"$s\" encrypt --num-threads 2 --to pub.pem f | \"$s\" decrypt --num-threads 2 --key key.pem - | wc -c",
        program.display()
    );
    let bytes = sandbox.run_peer("bash", &["-o", "pipefail", "-c", &script]);
    assert_eq!(String::from_utf8(bytes).unwrap().trim(), length.to_string());
}
