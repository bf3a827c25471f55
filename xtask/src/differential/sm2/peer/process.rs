//! A peer that is a program of its own, which lives as long as the run.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};

use super::{Answer, Port, Request, read_answer};

/// For one answer. The slowest operation takes a fifth of a second, the start of a Java machine a few.
const LONGEST: Duration = Duration::from_secs(60);

struct Process {
    child: Child,
    requests: ChildStdin,
    answers: Receiver<String>,
}

/// Starts the program.
pub(super) fn start(mut command: Command) -> Result<Box<dyn Port>> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .with_context(|| format!("{} does not start", command.get_program().display()))?;
    let requests = child.stdin.take().context("no pipe to it")?;
    let answers = child.stdout.take().context("no pipe from it")?;
    Ok(Box::new(Process {
        child,
        requests,
        answers: lines(answers),
    }))
}

/// The program's lines, read beside, so that waiting for one has an end.
fn lines(from: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut lines = BufReader::new(from).lines().map_while(Result::ok);
        lines.try_for_each(|line| sender.send(line))
    });
    receiver
}

impl Port for Process {
    fn answer(&mut self, requests: &[Request]) -> Result<Vec<Answer>> {
        let Self {
            child,
            requests: pipe,
            answers,
        } = self;
        thread::scope(|scope| {
            // Beside, since the program stops to read when nobody takes its answers.
            scope.spawn(|| write(pipe, requests));
            let found = requests.iter().map(|request| {
                receive(answers).with_context(|| format!("no answer to: {}", request.shown()))
            });
            let found = found.collect::<Result<Vec<_>>>();
            if found.is_err() {
                // It reads no more, and the writer must not wait for it.
                let _ = child.kill();
            }
            found
        })
    }
}

/// A failure shows as a missing answer.
fn write(pipe: &mut ChildStdin, requests: &[Request]) {
    let lines = requests.iter().map(|request| request.line().to_owned());
    let text: String = lines.map(|line| line + "\n").collect();
    let _ = pipe.write_all(text.as_bytes()).and_then(|()| pipe.flush());
}

fn receive(answers: &Receiver<String>) -> Result<Answer> {
    match answers.recv_timeout(LONGEST) {
        Ok(line) => read_answer(&line).ok_or_else(|| anyhow!("this is none: {line}")),
        Err(RecvTimeoutError::Timeout) => bail!("it takes more than {} s", LONGEST.as_secs()),
        Err(RecvTimeoutError::Disconnected) => bail!("the program ended"),
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(program: &str, requests: usize) -> Result<Vec<Answer>> {
        let mut command = Command::new("sh");
        command.args(["-c", program]);
        start(command)?.answer(&vec![Request::new("public").bytes(&[7]); requests])
    }

    #[test]
    fn answers_come_in_order_even_when_there_are_many() {
        let program = "i=1000; while read -r line; do i=$((i + 1)); echo ok $i; done";
        let answers = asked(program, 500).unwrap();
        assert_eq!(answers.len(), 500);
        assert_eq!(answers[0], Ok(vec![vec![0x10, 0x01]]));
        assert_eq!(answers[499], Ok(vec![vec![0x15, 0x00]]));
    }

    #[test]
    fn a_program_that_ends_or_talks_is_an_error() {
        let ended = asked("read -r line; echo ok", 2).unwrap_err();
        assert!(
            format!("{ended:#}").contains("the program ended"),
            "{ended:#}"
        );
        let talks = asked("read -r line; echo hello", 1).unwrap_err();
        assert!(format!("{talks:#}").contains("hello"), "{talks:#}");
    }
}
