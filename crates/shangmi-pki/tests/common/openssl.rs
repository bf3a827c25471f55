//! The system's `openssl` (3.0 or later).
//!
//! Without it the tests say that they are skipped; with the environment variable CI set it must be there.
use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Output},
};

use shangmi::sm2::PrivateKey;
use shangmi_pki::key;
use tempfile::TempDir;

/// A directory to run `openssl` in; `None` if there is no `openssl`.
pub(crate) struct OpenSsl(TempDir);

impl OpenSsl {
    pub(crate) fn find() -> Option<Self> {
        let found = Command::new("openssl").arg("version").output();
        if found.is_ok_and(|out| out.stdout.starts_with(b"OpenSSL ")) {
            return Some(Self(tempfile::tempdir().unwrap()));
        }
        assert!(std::env::var_os("CI").is_none(), "openssl is required here");
        // Not `println`: the test harness would keep it to itself.
        let hint = "skipped: no openssl; install it with: apt-get install openssl";
        let mut stderr = std::io::stderr();
        writeln!(stderr, "{hint}").unwrap();
        None
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path().join(name), bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path().join(name)).unwrap()
    }

    /// Runs `openssl` with arguments that are separated by spaces.
    pub(crate) fn try_run(&self, arguments: &str) -> Output {
        let arguments = arguments.split_whitespace();
        Command::new("openssl")
            .args(arguments)
            .current_dir(self.path())
            .output()
            .unwrap()
    }

    /// Runs `openssl`, which must succeed; returns its standard output.
    pub(crate) fn run(&self, arguments: &str) -> Vec<u8> {
        let out = self.try_run(arguments);
        let stderr = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "openssl {arguments}: {stderr}");
        out.stdout
    }

    /// A new private key as `key.pem`, and its public key as `pub.pem`.
    pub(crate) fn new_key(&self) -> PrivateKey {
        self.run("genpkey -algorithm SM2 -out key.pem");
        self.run("pkey -in key.pem -pubout -out pub.pem");
        key::read_private_key(&self.read("key.pem")).unwrap().0
    }
}
