//! Sealed files as text.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use std::io::{Read, Write};

use common::standard_key;
use shangmi::rng::OsRng;
use shangmi_pki::{
    Error,
    container::{Recipient, armor, open, seal},
};

const BEGIN: &str = "-----BEGIN SHANGMI SEALED FILE-----\n";
const END: &str = "-----END SHANGMI SEALED FILE-----\n";

fn armored(bytes: &[u8], step: usize) -> String {
    let mut writer = armor::Writer::new(Vec::new()).unwrap();
    bytes
        .chunks(step.max(1))
        .for_each(|piece| writer.write_all(piece).unwrap());
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

fn read(text: impl AsRef<[u8]>) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    armor::Reader::new(text.as_ref())?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[test]
fn every_length_comes_back_however_it_is_written() {
    for len in (0..200).chain([65_535, 65_536, 65_537]) {
        let bytes: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
        let text = armored(&bytes, len);
        assert_eq!(armored(&bytes, 7), text, "{len}");
        assert_eq!(read(&text).unwrap(), bytes, "{len}");
        assert_eq!(read(text.replace('\n', "\r\n")).unwrap(), bytes, "{len}");
        assert_eq!(read(text.trim_end()).unwrap(), bytes, "{len}");
        let spaced = format!("\n \t\r\n{text}\n  \n\r\n");
        assert_eq!(read(spaced).unwrap(), bytes, "{len}");
        let body = text.strip_prefix(BEGIN).unwrap().strip_suffix(END).unwrap();
        assert_eq!(body.lines().count(), len.div_ceil(48));
        assert!(body.lines().all(|line| line.len() <= 64));
    }
}

#[test]
fn the_binary_form_goes_through_as_it_is() {
    for bytes in [
        &b""[..],
        b"\x8fSMSEAL\n",
        b"\x8f\n-----BEGIN",
        &[0x8f; 100_000],
    ] {
        assert_eq!(read(bytes).unwrap(), bytes);
        assert!(!armor::Reader::new(bytes).unwrap().is_text());
    }
    assert!(armor::Reader::new(BEGIN.as_bytes()).unwrap().is_text());
}

#[test]
fn a_sealed_file_opens_in_both_forms() {
    let key = standard_key();
    for len in [0, 10, 200_000] {
        let content: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
        let mut file = Vec::new();
        let to = [Recipient::Sm2(*key.public_key())];
        seal(&content[..], &mut file, &to, &mut OsRng).unwrap();
        for form in [&file[..], armored(&file, 4096).as_bytes()] {
            let mut out = Vec::new();
            assert_eq!(open(form, &mut out, &key).unwrap(), content.len() as u64);
            assert!(out == content, "{len}");
        }
    }
}

#[test]
fn text_that_is_not_in_the_form_is_refused() {
    let full = "QUFB".repeat(16);
    let body = |body: &str| format!("{BEGIN}{body}{END}");
    let whole = body(&format!("{full}\nQUFB\n"));
    assert!(read(&whole).is_ok());
    let cases = [
        (format!("{BEGIN}{full}\nQUFB\n"), 4, "no END"),
        (
            format!("{BEGIN}{full}\nQUFB\n-----END SHANGMI SEALED FILE----"),
            4,
            "line",
        ),
        (
            format!("{BEGIN}{full}\n-----END SOMETHING ELSE-----\n"),
            3,
            "Base64",
        ),
        (body(&format!("QUFB\n{full}\n")), 3, "not 64"),
        (body(&format!("{full}\n\nQUFB\n")), 3, "Base64"),
        (body(&format!("{full}Q\n")), 2, "longer"),
        (
            body(&format!("{full}\n{}\n", "Q".repeat(5000))),
            3,
            "longer",
        ),
        (body("QUF\n"), 2, "Base64"),
        (body("QUF=\n"), 2, "Base64"),
        (body("QU=B\n"), 2, "Base64"),
        (body("QU-_\n"), 2, "Base64"),
        (body(" QUFB\n"), 2, "Base64"),
        (body("QUFB \n"), 2, "Base64"),
        (body("QUE=\nQUFB\n"), 3, "not 64"),
        (format!("{whole}x"), 5, "follows"),
        (format!("{whole}\n\n{whole}"), 7, "follows"),
        (format!("{whole}{}", "x".repeat(100)), 5, "longer"),
    ];
    for (text, at, says) in cases {
        let error = read(&text).unwrap_err();
        assert!(error.to_string().contains(says), "{text:?}: {error}");
        assert!(
            matches!(error, Error::Armor { line, .. } if line == at) && !error.is_negative(),
            "{text:?}: {error}"
        );
    }
    for text in [
        "\n",
        "  ",
        "-",
        "- a list",
        " text",
        "\u{feff}",
        "-----BEGIN PUBLIC KEY-----\n",
        "-----BEGIN SHANGMI SEALED FILE-----x\n",
        "text\n-----BEGIN SHANGMI SEALED FILE-----\n",
    ] {
        let is_text = text.starts_with([' ', '\n', '-']);
        let mut out = Vec::new();
        let error = open(text.as_bytes(), &mut out, &standard_key()).unwrap_err();
        assert!(matches!(error, Error::NotSealed), "{text:?}: {error}");
        assert_eq!(read(text).is_err(), is_text, "{text:?}");
    }
}

#[test]
fn a_text_cut_anywhere_or_followed_by_anything_gives_nothing() {
    let key = standard_key();
    let mut file = Vec::new();
    let to = [Recipient::Sm2(*key.public_key())];
    seal(&b"content"[..], &mut file, &to, &mut OsRng).unwrap();
    let text = armored(&file, 100);
    // Without its last line break it is whole.
    for len in 0..text.len() - 1 {
        let mut out = Vec::new();
        assert!(
            open(&text.as_bytes()[..len], &mut out, &key).is_err(),
            "{len}"
        );
        assert!(out.is_empty(), "{len}");
    }
    let mut out = Vec::new();
    let error = open(format!("{text}trailing").as_bytes(), &mut out, &key).unwrap_err();
    assert!(matches!(error, Error::Armor { .. }) && out.is_empty());
    // Valid Base64 of a changed file is a changed file.
    *file.last_mut().unwrap() ^= 1;
    let error = open(armored(&file, 100).as_bytes(), &mut out, &key).unwrap_err();
    assert!(matches!(error, Error::Tampered { index: 0 }) && out.is_empty());
}
