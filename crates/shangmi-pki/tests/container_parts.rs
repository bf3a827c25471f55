//! Sealed files on several threads, and parts of them.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use std::{
    cell::Cell,
    io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom, Write},
    num::NonZeroUsize,
    ops::Range,
};

use common::{TestRng, standard_key};
use shangmi_pki::{
    Error,
    container::{CHUNK_LEN, Header, Payload, RangeReader, Recipient, TAG_LEN, open, seal},
};

const SEALED_CHUNK: usize = CHUNK_LEN + TAG_LEN;

fn content(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

fn sealed(content: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let to = [Recipient::Sm2(*standard_key().public_key())];
    seal(content, &mut out, &to, &mut TestRng::default()).unwrap();
    out
}

fn unlocked(file: &[u8]) -> (Header, Payload) {
    let header = Header::read(file).unwrap();
    let payload = header.unlock(&standard_key()).unwrap();
    (header, payload)
}

fn opened_on(threads: usize, file: &[u8]) -> (Vec<u8>, Result<u64, Error>) {
    let (header, payload) = unlocked(file);
    let (mut out, threads) = (Vec::new(), NonZeroUsize::new(threads).unwrap());
    let result = payload.open_all_on(threads, &file[header.len()..], &mut out);
    (out, result)
}

#[test]
fn threads_change_nothing() {
    for len in [
        0,
        1,
        CHUNK_LEN,
        4 * CHUNK_LEN,
        4 * CHUNK_LEN + 1,
        41 * CHUNK_LEN + 7,
    ] {
        let content = content(len);
        let expected = sealed(&content);
        for threads in [1, 2, 3, 8, 1000] {
            let mut file = Vec::new();
            let to = [Recipient::Sm2(*standard_key().public_key())];
            let (header, payload) = Header::create(&to, &mut TestRng::default()).unwrap();
            file.extend(header.to_bytes());
            let count = NonZeroUsize::new(threads).unwrap();
            let sealed = payload.seal_all_on(count, &content[..], &mut file);
            assert_eq!(sealed.unwrap(), len as u64);
            assert!(file == expected, "{len} bytes, {threads} threads");
            let (out, result) = opened_on(threads, &file);
            assert_eq!(result.unwrap(), len as u64);
            assert!(out == content, "{len} bytes, {threads} threads");
        }
    }
}

#[test]
fn a_bad_chunk_stops_every_thread() {
    let content = content(30 * CHUNK_LEN);
    let file = sealed(&content);
    let start = file.len() - 30 * SEALED_CHUNK;
    for bad in [0, 1, 7, 8, 20, 29] {
        let mut changed = file.clone();
        changed[start + bad * SEALED_CHUNK + 100] ^= 1;
        for threads in [1, 2, 5] {
            let (out, result) = opened_on(threads, &changed);
            let error = result.unwrap_err();
            assert!(matches!(error, Error::Tampered { index } if index == bad as u64));
            assert!(
                out == content[..bad * CHUNK_LEN],
                "chunk {bad}, {threads} threads"
            );
        }
        let cut = &file[..start + bad * SEALED_CHUNK];
        let (out, result) = opened_on(3, cut);
        assert!(matches!(result, Err(Error::Truncated)), "{bad}");
        assert!(out == content[..bad.saturating_sub(1) * CHUNK_LEN]);
    }
}

#[test]
fn errors_of_reader_and_writer_come_back() {
    struct Broken(usize);
    impl Read for Broken {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            if self.0 == 0 {
                return Err(ErrorKind::PermissionDenied.into());
            }
            let len = out.len().min(self.0);
            out[..len].fill(1);
            self.0 -= len;
            Ok(len)
        }
    }
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self
                .0
                .checked_sub(bytes.len())
                .ok_or(ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let to = [Recipient::Sm2(*standard_key().public_key())];
    let (_, payload) = Header::create(&to, &mut TestRng::default()).unwrap();
    for threads in [1, 2, 4].map(|n| NonZeroUsize::new(n).unwrap()) {
        for len in [0, 100, 10 * CHUNK_LEN + 5] {
            let mut out = Vec::new();
            let error = payload
                .seal_all_on(threads, Broken(len), &mut out)
                .unwrap_err();
            assert!(matches!(error, Error::Io(e) if e.kind() == ErrorKind::PermissionDenied));
            assert_eq!(out.len(), len / CHUNK_LEN * SEALED_CHUNK);
            // The input has no end here: what is not stopped would run for ever.
            let endless = io::repeat(7);
            let error = payload
                .seal_all_on(threads, endless, Full(len))
                .unwrap_err();
            assert!(matches!(error, Error::Io(e) if e.kind() == ErrorKind::StorageFull));
        }
    }
}

fn part(file: &[u8], range: Range<u64>) -> Result<Vec<u8>, Error> {
    let (header, payload) = unlocked(file);
    let mut out = Vec::new();
    let mut reader = RangeReader::new(Cursor::new(file), &header, payload)?;
    let result = reader.copy(range.clone(), &mut out);
    if let Ok(len) = result {
        assert_eq!((len, out.len() as u64), (range.end - range.start, len));
    }
    result.map(|_| out)
}

#[test]
fn every_part_is_that_of_the_content() {
    let c = CHUNK_LEN;
    for len in [0, 1, c - 1, c, c + 1, 2 * c, 3 * c + 5] {
        let content = content(len);
        let file = sealed(&content);
        let (header, payload) = unlocked(&file);
        let mut reader = RangeReader::new(Cursor::new(&file), &header, payload).unwrap();
        assert_eq!(reader.content_len(), len as u64);
        let bounds = [
            0,
            1,
            100,
            c - 1,
            c,
            c + 1,
            2 * c - 1,
            2 * c,
            3 * c,
            3 * c + 4,
            len,
        ];
        for &start in bounds.iter().filter(|&&start| start <= len) {
            for &end in bounds.iter().filter(|&&end| (start..=len).contains(&end)) {
                let mut out = Vec::new();
                reader.copy(start as u64..end as u64, &mut out).unwrap();
                assert!(out == content[start..end], "{start}..{end} of {len}");
            }
        }
    }
}

#[test]
fn a_part_that_is_not_there_is_refused() {
    let file = sealed(&content(CHUNK_LEN + 5));
    let content = CHUNK_LEN as u64 + 5;
    #[expect(clippy::reversed_empty_ranges, reason = "it is what must be refused")]
    let ranges = [
        0..content + 1,
        content + 1..content + 1,
        0..u64::MAX,
        u64::MAX..0,
        10..9,
    ];
    for range in ranges {
        let error = part(&file, range.clone()).unwrap_err();
        let end = range.start.max(range.end);
        assert!(
            matches!(error, Error::RangePastEnd { end: e, content: c } if (e, c) == (end, content)),
            "{range:?}: {error}"
        );
        assert!(!error.is_negative());
    }
}

#[test]
fn a_part_shows_changes_in_its_chunks_and_at_the_end_only() {
    let content = content(5 * CHUNK_LEN);
    let file = sealed(&content);
    let start = file.len() - 5 * SEALED_CHUNK;
    let range = CHUNK_LEN as u64 + 10..3 * CHUNK_LEN as u64 - 10;
    for bad in 0..5 {
        let mut changed = file.clone();
        changed[start + bad * SEALED_CHUNK + SEALED_CHUNK - 1] ^= 0x80;
        let result = part(&changed, range.clone());
        if [1, 2, 4].contains(&bad) {
            let error = result.unwrap_err();
            assert!(
                matches!(error, Error::Tampered { index } if index == bad as u64),
                "{error}"
            );
        } else {
            assert!(result.unwrap() == content[CHUNK_LEN + 10..3 * CHUNK_LEN - 10]);
        }
    }
}

#[test]
fn a_part_of_a_file_that_was_cut_or_lengthened_is_refused() {
    let file = sealed(&content(3 * CHUNK_LEN));
    let start = file.len() - 3 * SEALED_CHUNK;
    for (len, truncated) in [
        (start, true),
        (start + TAG_LEN - 1, true),
        (start + 1000, false),
        (start + SEALED_CHUNK, true),
        (start + SEALED_CHUNK + 5, true),
        (start + 2 * SEALED_CHUNK, true),
        (file.len() - 1, false),
    ] {
        let error = part(&file[..len], 0..10).unwrap_err();
        assert!(error.is_negative(), "{len}: {error}");
        assert_eq!(
            matches!(error, Error::Truncated),
            truncated,
            "{len}: {error}"
        );
    }
    for more in [1, TAG_LEN, SEALED_CHUNK] {
        let longer = [&file[..], &vec![0; more]].concat();
        assert!(part(&longer, 0..10).unwrap_err().is_negative(), "{more}");
    }
}

#[test]
fn a_part_reads_little_of_the_file() {
    struct Counted<'a>(Cursor<&'a [u8]>, &'a Cell<usize>);
    impl Read for Counted<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let n = self.0.read(out)?;
            self.1.set(self.1.get() + n);
            Ok(n)
        }
    }
    impl Seek for Counted<'_> {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }
    let file = sealed(&content(50 * CHUNK_LEN + 1000));
    let (header, payload) = unlocked(&file);
    let read = Cell::new(0);
    let counted = Counted(Cursor::new(&file[..]), &read);
    let mut reader = RangeReader::new(counted, &header, payload).unwrap();
    assert_eq!(read.get(), 1000 + TAG_LEN);
    let at = 20 * CHUNK_LEN as u64;
    reader.copy(at - 1..at + 1, io::sink()).unwrap();
    assert_eq!(read.get(), 1000 + TAG_LEN + 2 * SEALED_CHUNK);
}

#[test]
fn the_whole_is_what_the_parts_are() {
    let content = content(2 * CHUNK_LEN + 9);
    let file = sealed(&content);
    let mut whole = Vec::new();
    open(&file[..], &mut whole, &standard_key()).unwrap();
    let parts: Vec<u8> = (0..content.len() as u64)
        .step_by(50_000)
        .flat_map(|at| part(&file, at..content.len().min(at as usize + 50_000) as u64).unwrap())
        .collect();
    assert!(parts == whole && whole == content);
}
