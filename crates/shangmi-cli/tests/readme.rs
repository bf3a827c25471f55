//! The two READMEs show the same code, and their commands work as they are printed.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

const ENGLISH: &str = include_str!("../../../README.md");
const CHINESE: &str = include_str!("../../../README.zh-CN.md");

/// A fenced block: its language, and its lines.
#[derive(Debug, PartialEq)]
struct Block<'a> {
    language: &'a str,
    lines: Vec<&'a str>,
}

fn blocks(markdown: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut lines = markdown.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let lines = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push(Block { language, lines });
        }
    }
    blocks
}

/// The shell commands that need the installed program, or `openssl` too: those for a checkout are left out.
fn script(with_openssl: bool) -> String {
    let uses =
        |block: &Block<'_>, program: &str| block.lines.iter().any(|line| line.starts_with(program));
    blocks(ENGLISH)
        .iter()
        .filter(|block| block.language == "sh" && !uses(block, "cargo "))
        .filter(|block| with_openssl || !uses(block, "openssl "))
        .flat_map(|block| &block.lines)
        .fold(String::new(), |script, line| script + line + "\n")
}

#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn have_openssl() -> bool {
    let probe = Command::new("openssl")
        .args(["genpkey", "-algorithm", "SM2", "-out", "/dev/null"])
        .stderr(Stdio::null())
        .status();
    let works = probe.is_ok_and(|status| status.success());
    if !works {
        assert!(
            env::var_os("CI").is_none(),
            "openssl is required where CI is set"
        );
        println!("the commands with openssl are skipped; to run them: apt-get install openssl");
    }
    works
}

#[test]
fn both_languages_show_the_same_code() {
    let (english, chinese) = (blocks(ENGLISH), blocks(CHINESE));
    assert_eq!(english.len(), chinese.len());
    for (english, chinese) in english.iter().zip(&chinese) {
        assert_eq!(english, chinese);
    }
}

#[test]
fn the_code_is_there() {
    let languages: Vec<_> = blocks(ENGLISH).iter().map(|block| block.language).collect();
    assert_eq!(languages, ["sh", "sh", "toml", "rust", "sh", "sh"]);
}

#[test]
fn the_commands_work_as_printed() {
    let program = Path::new(env!("CARGO_BIN_EXE_shangmi"));
    let mut path = vec![program.parent().expect("a file has a directory").to_owned()];
    path.extend(env::split_paths(&env::var_os("PATH").expect("PATH is set")));
    let directory = tempfile::tempdir().expect("a temporary directory");
    let output = Command::new("bash")
        .args(["-euxo", "pipefail", "-c", &script(have_openssl())])
        .env(
            "PATH",
            env::join_paths(path).expect("no separator in the path"),
        )
        // `mktemp -d` puts its directory here, so that it goes away with the test.
        .env("TMPDIR", directory.path())
        .current_dir(directory.path())
        .stdin(Stdio::null())
        .output()
        .expect("bash runs");
    let (stdout, stderr) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{stdout}\n{stderr}");
    for answer in [
        "order.txt: OK",
        "OK: good signature of 'order.txt'",
        "pay Bob 100",
    ] {
        assert!(stdout.contains(answer), "no {answer:?} in:\n{stdout}");
    }
}
