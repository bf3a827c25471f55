//! `shangmi manifest`.

mod check;
mod compare;
mod duplicates;
mod kill;
mod make;
mod trouble;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::time::{Duration, SystemTime};

use crate::support::Sandbox;

/// Names that need care in a line of text.
const NAMES: [&[u8]; 7] = [
    b"plain",
    b"two words",
    "国密".as_bytes(),
    b"line\nfeed",
    b"tab\t, back\\slash \\n",
    b"\xff\xfe no UTF-8",
    b"-",
];

/// A tree `t` with files of all those names, a directory and a link.
fn tree() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("t/d/abc", "abc");
    sandbox.write("t/d/empty", "");
    sandbox.write("t/d.x", "sorts before d/abc by bytes");
    symlink("d/abc", sandbox.path("t/link")).unwrap();
    for (i, name) in NAMES.into_iter().enumerate() {
        let path = sandbox.path("t").join(OsStr::from_bytes(name));
        fs::write(path, [b'0' + u8::try_from(i).unwrap()]).unwrap();
    }
    sandbox
}

/// Sets the time of a file to so many seconds ago (before now, or after it).
fn set_age(sandbox: &Sandbox, name: &str, age: i64) {
    let now = SystemTime::now();
    let by = Duration::from_secs(age.unsigned_abs());
    let time = if age >= 0 { now - by } else { now + by };
    let file = File::options().write(true).open(sandbox.path(name));
    file.unwrap().set_modified(time).unwrap();
}
