//! Killed at any moment, a run loses nothing: the next one ends where an undisturbed one does.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::Sandbox;

const FILES: usize = 1200;
const KILLS: u32 = 50;

/// A small generator with a fixed seed (xorshift64), so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit.max(1)
    }
}

fn name(i: usize) -> String {
    format!("t/d{}/f\n{i}", i % 37)
}

/// A tree of small files with some longer ones among them.
fn forest() -> Sandbox {
    let sandbox = Sandbox::new();
    for i in 0..FILES {
        let length = if i % 100 == 0 { 300_000 } else { i % 1500 };
        sandbox.write(&name(i), vec![i.to_le_bytes()[0]; length + 8]);
    }
    sandbox
}

/// Gives a few files another content of the same size.
fn disturb(sandbox: &Sandbox, random: &mut Random) {
    for _ in 0..8 {
        let i = random.below(FILES as u64) as usize;
        let mut file = File::options()
            .write(true)
            .open(sandbox.path(&name(i)))
            .unwrap();
        file.write_all(&random.0.to_le_bytes()).unwrap();
    }
}

fn undisturbed(sandbox: &Sandbox) -> Vec<u8> {
    let run = sandbox.run(&["manifest", "make", "t"]).ok();
    run.stdout
}

fn length(sandbox: &Sandbox, name: &str) -> Option<u64> {
    fs::metadata(sandbox.path(name)).ok().map(|file| file.len())
}

/// Waits for a moment worth to be the last one; returns whether there was a journal by then.
fn await_moment(
    sandbox: &Sandbox,
    child: &mut Child,
    random: &mut Random,
    usual: Duration,
) -> bool {
    let full_journal = 140 * FILES as u64;
    let (wanted, kind) = (random.below(full_journal), random.below(5));
    let pause = Duration::from_micros(random.below(usual.as_micros() as u64));
    let deadline = Instant::now() + Duration::from_secs(10);
    let mut had_journal = false;
    while child.try_wait().unwrap().is_none() && Instant::now() < deadline {
        let journal = length(sandbox, "m.journal");
        had_journal |= journal.is_some();
        let now = match kind {
            0 => {
                thread::sleep(pause);
                true
            }
            // The journal has come so far.
            1 | 2 => journal.is_some_and(|length| length >= wanted),
            // The manifest is being written.
            3 => length(sandbox, ".m.shangmi-tmp").is_some(),
            // It has been renamed, and the journal goes.
            _ => had_journal && journal.is_none(),
        };
        if now {
            break;
        }
    }
    had_journal
}

/// What a power failure may do to the end of the journal, and more. Its first line stays as it is: a
/// file that does not begin as a journal is none, and no run touches it.
fn tear(sandbox: &Sandbox, random: &mut Random) {
    let Ok(mut journal) = fs::read(sandbox.path("m.journal")) else {
        return;
    };
    let Some(header) = journal.iter().position(|&byte| byte == b'\n') else {
        return;
    };
    let near_end = journal.len() - random.below(400) as usize % (journal.len() - header);
    match random.below(6) {
        0 => journal.truncate(near_end),
        1 if near_end < journal.len() => journal[near_end] ^= 1 + (random.below(15) as u8),
        2 => journal.extend_from_slice(b"file\t1\t2"),
        _ => return,
    }
    fs::write(sandbox.path("m.journal"), journal).unwrap();
}

fn remove(sandbox: &Sandbox, name: &str) {
    if sandbox.exists(name) {
        fs::remove_file(sandbox.path(name)).unwrap();
    }
}

#[test]
fn killed_at_fifty_moments() {
    let sandbox = forest();
    let mut random = Random(0x5eed_0000_0003);
    let started = Instant::now();
    undisturbed(&sandbox);
    let usual = started.elapsed();
    let (mut kills, mut resumed) = (0, 0);
    for _ in 0..20 * KILLS {
        if kills == KILLS {
            break;
        }
        if random.below(3) == 0 {
            disturb(&sandbox, &mut random);
        }
        let mut args = vec!["manifest", "make", "t", "-o", "m"];
        if random.below(4) == 0 {
            args.push("--paranoid");
        }
        let mut program = sandbox.program(&args);
        let mut child = program.stderr(Stdio::null()).spawn().unwrap();
        let had_journal = await_moment(&sandbox, &mut child, &mut random, usual);
        child.kill().unwrap();
        let killed = child.wait().unwrap().signal() == Some(9);
        let kept = sandbox.exists("m.journal") || sandbox.exists("m");
        assert!(
            kept || !had_journal,
            "the journal went before the manifest came"
        );
        kills += u32::from(killed);
        tear(&sandbox, &mut random);
        if !killed || kills % 5 == 0 {
            resumed += finish(&sandbox, kills);
            if random.below(2) == 0 {
                remove(&sandbox, "m");
            }
        }
    }
    assert_eq!(kills, KILLS, "the program ends too early to be killed");
    finish(&sandbox, kills);
    assert!(resumed > FILES as u64, "too little was resumed: {resumed}");
}

/// Lets the run come to its end and compares; returns how many files came from the journal.
fn finish(sandbox: &Sandbox, kills: u32) -> u64 {
    let args = ["--json", "manifest", "make", "t", "-o", "m"];
    let json = sandbox.run(&args).ok().json();
    let same = sandbox.read("m") == undisturbed(sandbox);
    assert!(same, "after {kills} kills the manifest is another");
    assert!(!sandbox.exists("m.journal") && !sandbox.exists(".m.shangmi-tmp"));
    json["summary"]["resumed"].as_u64().unwrap()
}

/// An interrupted run with a journal of at least a few records.
fn interrupted() -> Sandbox {
    let sandbox = forest();
    for _ in 0..100 {
        remove(&sandbox, "m");
        remove(&sandbox, "m.journal");
        let mut program = sandbox.program(&["manifest", "make", "t", "-o", "m"]);
        let mut child = program.stderr(Stdio::null()).spawn().unwrap();
        while child.try_wait().unwrap().is_none()
            && length(&sandbox, "m.journal").is_none_or(|length| length < 30_000)
        {}
        child.kill().unwrap();
        child.wait().unwrap();
        if length(&sandbox, "m.journal").is_some_and(|length| length >= 30_000) {
            return sandbox;
        }
    }
    panic!("the program ends too early to be killed");
}

fn seal(body: &str) -> String {
    let digest = shangmi::sm3::digest(body.as_bytes());
    let sum: String = digest[..4]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("{body}\t{sum}\n")
}

/// The comparison above is worth something: a wrong digest that a resumed run believes shows in the
/// manifest. One whose checksum is wrong is not believed.
#[test]
fn a_wrong_digest_in_the_journal_shows() {
    let sandbox = interrupted();
    let journal = String::from_utf8(sandbox.read("m.journal")).unwrap();
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    let (body, _) = lines[5].rsplit_once('\t').unwrap();
    let mut columns: Vec<&str> = body.split('\t').collect();
    let wrong = columns[4].chars().rev().collect::<String>();
    columns[4] = &wrong;
    let forged = columns.join("\t");
    let with = |line: &str| [&lines[..5].concat(), line, &lines[6..].concat()].concat();
    for (line, believed) in [
        (seal(&forged), true),
        (lines[5].replace(body, &forged), false),
    ] {
        sandbox.write("m.journal", with(&line));
        let run = sandbox.run(&["manifest", "make", "t", "-o", "m"]).ok();
        run.says("read by an interrupted run");
        assert_eq!(sandbox.read("m") != undisturbed(&sandbox), believed);
        remove(&sandbox, "m");
    }
}

#[test]
fn a_journal_serves_its_own_purpose_only() {
    let sandbox = interrupted();
    let journal = sandbox.read("m.journal");
    let resumed = |args: &[&str]| {
        remove(&sandbox, "m");
        sandbox.write("m.journal", &journal);
        let args = [&["--json", "manifest", "make", "-o", "m"], args].concat();
        let json = sandbox.run(&args).ok().json();
        json["summary"]["resumed"].as_u64().unwrap()
    };
    assert!(resumed(&["t"]) > 0);
    assert_eq!(
        resumed(&["t", "--paranoid"]),
        0,
        "the other run was not paranoid"
    );
    assert_eq!(resumed(&["t", "-a", "sha256"]), 0, "other digests");
    assert_eq!(resumed(&["t/d1"]), 0, "another tree");
    assert!(resumed(&["t", "--form", "jsonl"]) > 0);
}
