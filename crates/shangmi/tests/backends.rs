//! The code paths that run are those that this machine's flags call for.
//!
//! The flags come from the operating system's list, not from the crate's own detection, so that neither
//! a path that is missed nor one that is taken without its features passes unnoticed.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use shangmi::modes::gcm::Sm4Gcm;
use shangmi::sm2::{self, DEFAULT_ID, PreparedVerifier, PrivateKey, Signer, Verifier};
use shangmi::sm3::{Sm3, many_backend};
use shangmi::sm4::Sm4;

/// The processor's flags in the kernel's names, without those that the mask hides.
struct Flags(Vec<String>);

/// The names that the mask hides.
fn mask() -> String {
    if cfg!(feature = "__cpu-mask") {
        std::env::var("SHANGMI_CPU_MASK").unwrap_or_default()
    } else {
        String::new()
    }
}

impl Flags {
    fn read() -> Self {
        let text = std::fs::read_to_string("/proc/cpuinfo").expect("Linux lists its processors");
        let line = text
            .lines()
            .find(|line| line.starts_with("flags"))
            .expect("x86 processors have flags");
        let mask = mask();
        let hidden: Vec<_> = mask.split(',').map(str::trim).collect();
        let flags = line.split_whitespace();
        Self(
            flags
                .filter(|flag| !hidden.contains(flag))
                .map(str::to_owned)
                .collect(),
        )
    }

    fn have(&self, wanted: &[&str]) -> bool {
        wanted
            .iter()
            .all(|wanted| self.0.iter().any(|flag| flag == wanted))
    }
}

#[test]
fn sm3_of_one_stream() {
    let flags = Flags::read();
    let expected = if flags.have(&["avx", "sm3"]) {
        "sm3"
    } else if flags.have(&["avx", "bmi2", "avx512f", "avx512vl"]) {
        "bmi2+avx512vl"
    } else if flags.have(&["avx", "bmi2"]) {
        "bmi2+avx"
    } else {
        "portable"
    };
    println!("SM3, one stream: {expected}; hidden: {:?}", mask());
    assert_eq!(Sm3::new().backend(), expected);
}

#[test]
fn sm3_of_many_messages() {
    let flags = Flags::read();
    let expected = if flags.have(&["avx512f", "avx512bw"]) {
        "avx512 x 32"
    } else if flags.have(&["avx2"]) {
        "avx2 x 8"
    } else {
        Sm3::new().backend()
    };
    println!("SM3, many messages: {expected}; hidden: {:?}", mask());
    assert_eq!(many_backend(), expected);
}

#[test]
fn sm4() {
    let flags = Flags::read();
    let expected = if flags.have(&["avx2", "avx512bw", "avx512f", "avx512vl", "gfni"]) {
        "gfni-avx512"
    } else if flags.have(&["avx2", "sm4"]) {
        "sm4"
    } else if flags.have(&["avx2", "gfni"]) {
        "gfni-avx2"
    } else if flags.have(&["aes", "avx2"]) {
        "aesni-avx2"
    } else if flags.have(&["aes", "ssse3"]) {
        "aesni-ssse3"
    } else {
        "bitsliced"
    };
    println!("SM4: {expected}; hidden: {:?}", mask());
    assert_eq!(Sm4::new(&[0; 16]).backend(), expected);
}

#[test]
fn sm2_of_many() {
    let flags = Flags::read();
    let expected = if flags.have(&["avx512f", "avx512dq", "avx512ifma"]) {
        "ifma x 8"
    } else if flags.have(&["adx", "bmi2"]) {
        "adx"
    } else {
        "portable"
    };
    println!("SM2, many operations: {expected}; hidden: {:?}", mask());
    assert_eq!(sm2::many_backend(), expected);
    let one = expected.trim_end_matches(" x 8");
    let key = PrivateKey::from_bytes(&[7; 32]).expect("in range");
    let signer = Signer::new(&key, DEFAULT_ID).expect("a good ID");
    let verifier = Verifier::new(key.public_key(), DEFAULT_ID).expect("a good ID");
    assert_eq!(key.backend(), one);
    assert_eq!(signer.backend(), one);
    assert_eq!(verifier.backend(), one);
    assert_eq!(PreparedVerifier::new(&verifier).backend(), one);
}

#[test]
fn ghash() {
    let flags = Flags::read();
    let narrow = ["pclmulqdq", "ssse3"];
    let expected = if flags.have(&narrow) && flags.have(&["avx512f", "avx512bw", "vpclmulqdq"]) {
        "vpclmul-avx512"
    } else if flags.have(&narrow) {
        "clmul"
    } else {
        "portable"
    };
    println!("GHASH: {expected}; hidden: {:?}", mask());
    assert_eq!(Sm4Gcm::new(&[0; 16]).hash_backend(), expected);
}
