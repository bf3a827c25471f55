//! ECB, CBC, CFB, OFB and CTR against the system's `openssl enc`, both ways; CMAC and CBC-MAC likewise.
use crate::common::{hex, painted};
use shangmi::{
    modes::{cbc, cbc_mac::CbcMac, cfb, cmac::CmacKey, ctr, ecb, ofb},
    padding::Padding,
    sm4::Sm4,
};
use std::{
    io::{ErrorKind, Write},
    process::{Command, Stdio},
    thread,
};

const KEY: [u8; 16] = *b"a key of 16 byte";
const IV: [u8; 16] = [
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfc,
];

/// Whether there is an `openssl` that knows SM4; a continuous integration run must have one.
#[expect(clippy::print_stdout, reason = "who skips a test says so")]
fn openssl_is_there() -> bool {
    let found = match Command::new("openssl").args(["enc", "-list"]).output() {
        Ok(output) => String::from_utf8_lossy(&output.stdout).contains("sm4-ctr"),
        Err(error) if error.kind() == ErrorKind::NotFound => false,
        Err(error) => panic!("openssl does not start: {error}"),
    };
    if !found {
        println!("skipped: no openssl with SM4; apt-get install openssl");
        assert!(
            std::env::var_os("CI").is_none(),
            "openssl with SM4 is required here"
        );
    }
    found
}

/// `openssl enc -sm4-MODE`, `-e` or `-d`.
fn openssl(mode: &str, direction: &str, options: &[&str], input: &[u8]) -> Vec<u8> {
    let (mode, key, iv) = (format!("-sm4-{mode}"), hex(&KEY), hex(&IV));
    let mut arguments = vec!["enc", &mode, direction, "-K", &key];
    if mode != "-sm4-ecb" {
        arguments.extend(["-iv", &iv]);
    }
    arguments.extend(options);
    run(&arguments, input)
}

/// What `openssl` writes for `input`.
fn run(arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let mut command = Command::new("openssl");
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(
        output.status.success(),
        "openssl {} failed",
        arguments.join(" ")
    );
    output.stdout
}

#[test]
fn stream_modes_are_openssls() {
    if !openssl_is_there() {
        return;
    }
    let sm4 = Sm4::new(&KEY);
    for length in [0, 1, 15, 16, 17, 64, 257, 1024, 5000] {
        let plain = painted(1, length);
        let (mut by_cfb, mut by_ofb, mut by_ctr) = (plain.clone(), plain.clone(), plain.clone());
        cfb::CfbEncryptor::new(&sm4, &IV)
            .encrypt_in_place(&mut by_cfb)
            .unwrap();
        ofb::Ofb::new(&sm4, &IV)
            .apply_in_place(&mut by_ofb)
            .unwrap();
        ctr::Ctr::new(&sm4, &IV)
            .apply_in_place(&mut by_ctr)
            .unwrap();
        for (mode, ours) in [("cfb", by_cfb), ("ofb", by_ofb), ("ctr", by_ctr)] {
            assert_eq!(
                hex(&openssl(mode, "-e", &[], &plain)),
                hex(&ours),
                "{mode}, {length} bytes"
            );
            assert_eq!(
                hex(&openssl(mode, "-d", &[], &ours)),
                hex(&plain),
                "{mode}, {length} bytes"
            );
        }
    }
}

#[test]
fn block_modes_are_openssls() {
    if !openssl_is_there() {
        return;
    }
    let sm4 = Sm4::new(&KEY);
    for length in [0, 1, 15, 16, 17, 64, 256, 1024, 5000] {
        let plain = painted(1, length);
        for (padding, options) in [(Padding::Pkcs7, &[][..]), (Padding::None, &["-nopad"][..])] {
            if padding == Padding::None && length % 16 != 0 {
                continue;
            }
            let by_ecb = ecb::encrypt_padded(&sm4, padding, &plain).unwrap();
            let by_cbc = cbc::encrypt_padded(&sm4, &IV, padding, &plain).unwrap();
            for (mode, ours) in [("ecb", by_ecb), ("cbc", by_cbc)] {
                let theirs = openssl(mode, "-e", options, &plain);
                assert_eq!(hex(&theirs), hex(&ours), "{mode}, {length} bytes");
                let theirs = openssl(mode, "-d", options, &ours);
                assert_eq!(hex(&theirs), hex(&plain), "{mode}, {length} bytes");
            }
        }
    }
}

#[test]
fn macs_are_openssls() {
    if !openssl_is_there() {
        return;
    }
    let key = CmacKey::new(&KEY);
    let option = format!("hexkey:{}", hex(&KEY));
    for length in [0, 1, 15, 16, 17, 64, 257, 1024, 5000] {
        let message = painted(1, length);
        let arguments = [
            "mac", "-cipher", "SM4-CBC", "-macopt", &option, "-in", "-", "CMAC",
        ];
        let theirs = String::from_utf8(run(&arguments, &message)).unwrap();
        let ours = hex(&key.mac(&message));
        assert_eq!(theirs.trim().to_lowercase(), ours, "{length} bytes");
    }
    // CBC-MAC is the last block of CBC with an IV of zeros.
    let (key, zeros) = (hex(&KEY), hex(&[0; 16]));
    for length in [16, 48, 1024] {
        let message = painted(1, length);
        let arguments = ["enc", "-sm4-cbc", "-nopad", "-K", &key, "-iv", &zeros];
        let theirs = run(&arguments, &message);
        let ours = CbcMac::new(&KEY, length).unwrap().mac(&message).unwrap();
        assert_eq!(
            hex(theirs.last_chunk::<16>().unwrap()),
            hex(&ours),
            "{length} bytes"
        );
    }
}
