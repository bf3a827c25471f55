//! A directory to work in, and what a run of the program leaves behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// An SM2 key from GB/T 32918.2-2016, example A.2, as hex digits.
pub(crate) const KEY_HEX: &str = "3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8";

/// A directory that goes away with the test.
pub(crate) struct Sandbox {
    directory: TempDir,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self {
            directory: tempfile::tempdir().unwrap(),
        }
    }

    /// A directory with the key pair `key.pem` and `pub.pem`.
    pub(crate) fn with_keys() -> Self {
        let sandbox = Self::new();
        sandbox
            .run(&[
                "key",
                "generate",
                "--no-passphrase",
                "-o",
                "key.pem",
                "--public",
                "pub.pem",
            ])
            .ok();
        sandbox
    }

    /// Seals the file `f` as `sealed`, for the key and for a passphrase at little cost.
    pub(crate) fn seal(&self, passphrase: &str, sealed: &str, more: &[&str]) {
        let args = [
            "encrypt",
            "--to",
            "pub.pem",
            "--passphrase-env",
            "P",
            "--iterations",
            "1000",
            "f",
            "-o",
            sealed,
        ];
        self.run_with_env(&[("P", passphrase)], &[&args, more].concat())
            .ok();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// The program with arguments, to be changed before it is run.
    pub(crate) fn program(&self, args: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("shangmi"));
        command
            .args(args)
            .current_dir(self.directory.path())
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Run {
        self.finish(self.program(args), None)
    }

    pub(crate) fn run_with_env(&self, variables: &[(&str, &str)], args: &[&str]) -> Run {
        let mut command = self.program(args);
        command.envs(variables.iter().copied());
        self.finish(command, None)
    }

    pub(crate) fn run_with_input(&self, input: impl AsRef<[u8]>, args: &[&str]) -> Run {
        self.finish(self.program(args), Some(input.as_ref()))
    }

    /// Another program, which must be there and succeed.
    pub(crate) fn run_peer(&self, program: &str, args: &[&str]) -> Vec<u8> {
        let output = Command::new(program)
            .args(args)
            .current_dir(self.directory.path())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{program} {args:?}: {stderr}");
        output.stdout
    }

    fn finish(&self, command: Command, input: Option<&[u8]>) -> Run {
        let description = format!("{command:?}");
        let mut command = assert_cmd::Command::from_std(command);
        if let Some(input) = input {
            command.write_stdin(input);
        }
        let output = command.output().unwrap();
        self.check_nothing_unfinished(self.directory.path());
        Run {
            description,
            code: output.status.code(),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn check_nothing_unfinished(&self, directory: &Path) {
        for entry in fs::read_dir(directory).unwrap() {
            let name = entry.unwrap().file_name();
            assert!(
                !name.to_string_lossy().starts_with(".shangmi-"),
                "{name:?} was left behind"
            );
        }
    }
}

/// What a run answered.
pub(crate) struct Run {
    description: String,
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Run {
    /// It succeeded.
    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        assert_eq!(self.code, Some(0), "{}\n{}", self.description, self.stderr);
        assert!(
            !self.stderr.contains("error:"),
            "{}\n{}",
            self.description,
            self.stderr
        );
        self
    }

    /// It ended with `code`, and said what is wrong and what to do.
    #[track_caller]
    pub(crate) fn fails(self, code: i32) -> Self {
        assert_eq!(
            self.code,
            Some(code),
            "{}\n{}",
            self.description,
            self.stderr
        );
        let lines: Vec<_> = self.stderr.lines().collect();
        let errors = lines
            .iter()
            .filter(|line| line.starts_with("shangmi: error: "))
            .count();
        let hints = lines
            .iter()
            .filter(|line| line.starts_with("shangmi: hint: "))
            .count();
        assert_eq!(
            (errors, hints),
            (1, 1),
            "{}\n{}",
            self.description,
            self.stderr
        );
        self.says_nothing_twice();
        assert!(
            !self.stderr.contains("panicked"),
            "{}\n{}",
            self.description,
            self.stderr
        );
        self
    }

    /// No part of an error holds another whole: a cause is told once.
    #[track_caller]
    fn says_nothing_twice(&self) {
        for error in self.stderr.lines().filter(|line| line.contains("error: ")) {
            let parts: Vec<_> = error.split(": ").collect();
            for (i, part) in parts.iter().enumerate().filter(|(_, part)| part.len() > 8) {
                let again = parts[i + 1..].iter().any(|later| later.contains(part));
                assert!(!again, "{}\n{part:?} twice in:\n{error}", self.description);
            }
        }
    }

    /// Standard error mentions `text`.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(
            self.stderr.contains(text),
            "{}\nno {text:?} in:\n{}",
            self.description,
            self.stderr
        );
        self
    }

    /// Standard output is `text`.
    #[track_caller]
    pub(crate) fn prints(self, text: &str) -> Self {
        assert_eq!(self.text(), text, "{}\n{}", self.description, self.stderr);
        self
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.stdout.clone()).unwrap()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.stdout).unwrap_or_else(|e| panic!("{}: {e}", self.text()))
    }
}

/// Whether another program can be used. Where it is missing, the test says how to get it; on a
/// build server (`CI` is set) it must be there.
pub(crate) fn have_peer(program: &str, probe: &[&str], install: &str) -> bool {
    let probed = Command::new(program)
        .args(probe)
        .stdin(Stdio::null())
        .output();
    let works = probed.is_ok_and(|output| output.status.success());
    if !works {
        println!(
            "skipped: '{program} {}' does not work here; {install}",
            probe.join(" ")
        );
        assert!(
            std::env::var_os("CI").is_none(),
            "{program} is required where CI is set"
        );
    }
    works
}

/// `length` bytes that repeat with a period that divides no block or buffer.
pub(crate) fn pattern(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i % 251) as u8).collect()
}
