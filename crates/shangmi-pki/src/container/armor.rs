//! Sealed files as text: Base64 between a BEGIN and an END line, for mail and forms.
//!
//! ```text
//! -----BEGIN SHANGMI SEALED FILE-----
//! 64 characters a line, the last one 4 to 64
//! -----END SHANGMI SEALED FILE-----
//! ```
//!
//! The text is no part of what is authenticated: it can be wrapped and unwrapped by anybody. Reading is
//! strict all the same, so that one file has one text up to line ends and white space around it.
use std::io::{self, BufRead, BufReader, Read, Write};

use base64ct::{Base64, Encoding};

use crate::{Error, Result};

/// The words after BEGIN and END.
pub const LABEL: &str = "SHANGMI SEALED FILE";
const BEGIN: &[u8] = b"-----BEGIN SHANGMI SEALED FILE-----";
const END: &[u8] = b"-----END SHANGMI SEALED FILE-----";
/// Characters of a line.
const COLUMNS: usize = 64;
/// Bytes of a line.
const WIDTH: usize = COLUMNS / 4 * 3;

/// Turns what is written to it into the text form.
///
/// Lines go to the writer beneath one by one: it should be buffered. Without
/// [`finish`](Self::finish) the text has no end, and no reader accepts it.
pub struct Writer<W> {
    inner: W,
    line: [u8; WIDTH],
    filled: usize,
}

impl<W: Write> Writer<W> {
    /// Writes the BEGIN line.
    ///
    /// # Errors
    /// Those of `inner`.
    pub fn new(mut inner: W) -> io::Result<Self> {
        inner.write_all(BEGIN)?;
        inner.write_all(b"\n")?;
        Ok(Self {
            inner,
            line: [0; WIDTH],
            filled: 0,
        })
    }

    /// Writes what is left, and the END line.
    ///
    /// - returns: the writer beneath
    /// # Errors
    /// Those of the writer beneath.
    pub fn finish(mut self) -> io::Result<W> {
        if self.filled > 0 {
            self.put_line()?;
        }
        self.inner.write_all(END)?;
        self.inner.write_all(b"\n")?;
        self.inner.flush()?;
        Ok(self.inner)
    }

    fn put_line(&mut self) -> io::Result<()> {
        let mut text = [0; COLUMNS];
        let text = Base64::encode(&self.line[..self.filled], &mut text)
            .expect("48 bytes are 64 characters");
        self.inner.write_all(text.as_bytes())?;
        self.inner.write_all(b"\n")?;
        self.filled = 0;
        Ok(())
    }
}

impl<W: Write> Write for Writer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(WIDTH - self.filled);
        self.line[self.filled..][..taken].copy_from_slice(&bytes[..taken]);
        self.filled += taken;
        if self.filled == WIDTH {
            self.put_line()?;
        }
        Ok(taken)
    }

    /// Whole lines only: what is left waits for more, or for the end.
    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// A reader that takes both forms and gives the binary one.
///
/// A malformed text is an [`io::Error`] that holds an [`Error::Armor`]; converted to [`Error`], it is
/// that.
pub struct Reader<R> {
    inner: BufReader<R>,
    text: Option<Text>,
}

/// How far the text is read.
struct Text {
    number: u64,
    bytes: [u8; WIDTH],
    /// What is left of `bytes`.
    rest: std::ops::Range<usize>,
    /// A line that was not full: only the END line may follow.
    short: bool,
    ended: bool,
}

impl<R: Read> Reader<R> {
    /// Looks at the beginning: white space or a dash begins the text form.
    ///
    /// # Errors
    /// [`Error::NotSealed`] for a text that does not begin with the BEGIN line; [`Error::Io`].
    pub fn new(reader: R) -> Result<Self> {
        let mut inner = BufReader::new(reader);
        let first = loop {
            match inner.fill_buf() {
                Ok(bytes) => break bytes.first().copied(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        };
        let is_text = first.is_some_and(|byte| byte == b'-' || byte.is_ascii_whitespace());
        let text = if is_text {
            Some(Text::begin(&mut inner)?)
        } else {
            None
        };
        Ok(Self { inner, text })
    }

    /// Whether the file is in the text form.
    #[must_use]
    pub fn is_text(&self) -> bool {
        self.text.is_some()
    }
}

impl<R: Read> Read for Reader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let Some(text) = &mut self.text else {
            return self.inner.read(out);
        };
        if text.rest.is_empty() && !text.ended {
            text.next_line(&mut self.inner)?;
        }
        let len = out.len().min(text.rest.len());
        out[..len].copy_from_slice(&text.bytes[text.rest.start..][..len]);
        text.rest.start += len;
        Ok(len)
    }
}

impl Text {
    fn begin(reader: &mut impl BufRead) -> Result<Self> {
        let mut number = 0;
        loop {
            number += 1;
            match line(reader, number) {
                Ok(Some(line)) if line.iter().all(u8::is_ascii_whitespace) => {}
                Ok(Some(line)) if line == BEGIN => break,
                Ok(_) | Err(Error::Armor { .. }) => return Err(Error::NotSealed),
                Err(error) => return Err(error),
            }
        }
        Ok(Self {
            number,
            bytes: [0; WIDTH],
            rest: 0..0,
            short: false,
            ended: false,
        })
    }

    fn next_line(&mut self, reader: &mut impl BufRead) -> Result<()> {
        self.number += 1;
        let line = line(reader, self.number)?.ok_or(self.fault("there is no END line"))?;
        if line == END {
            self.ended = true;
            return self.check_nothing_follows(reader);
        }
        if self.short {
            return Err(self.fault("a line before the last has not 64 characters"));
        }
        self.short = line.len() < COLUMNS;
        let decoded = Base64::decode(&line, &mut self.bytes).map(<[u8]>::len);
        match decoded {
            Ok(len) if len > 0 => self.rest = 0..len,
            _ => return Err(self.fault("this is no line of Base64")),
        }
        Ok(())
    }

    fn check_nothing_follows(&mut self, reader: &mut impl BufRead) -> Result<()> {
        self.number += 1;
        while let Some(line) = line(reader, self.number)? {
            if !line.iter().all(u8::is_ascii_whitespace) {
                return Err(self.fault("something follows the END line"));
            }
            self.number += 1;
        }
        Ok(())
    }

    fn fault(&self, what: &'static str) -> Error {
        Error::Armor {
            line: self.number,
            what,
        }
    }
}

/// The next line without its end (LF or CR LF); `None` at the end of the file.
fn line(reader: &mut impl BufRead, number: u64) -> Result<Option<Vec<u8>>> {
    let limit = COLUMNS + 2;
    let mut line = Vec::with_capacity(limit);
    let read = reader.take(limit as u64).read_until(b'\n', &mut line)?;
    if line.pop_if(|byte| *byte == b'\n').is_some() {
        line.pop_if(|byte| *byte == b'\r');
    }
    if line.len() > COLUMNS {
        return Err(Error::Armor {
            line: number,
            what: "a line is longer than 64 characters",
        });
    }
    Ok((read > 0).then_some(line))
}
