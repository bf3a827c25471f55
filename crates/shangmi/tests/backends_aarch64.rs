//! The code paths that run are those that this machine's capabilities call for.
//!
//! The capabilities come from what the kernel hands to every program, read as a file and not through the
//! crate's own detection. Under emulation it is the emulated processor's, unlike `/proc/cpuinfo`.
#![cfg(all(target_arch = "aarch64", target_os = "linux"))]

use shangmi::sm3::{Sm3, many_backend};
use shangmi::sm4::Sm4;

/// The bits of the entry `AT_HWCAP` (16) of the auxiliary vector: pairs of words, type and value.
fn capabilities() -> u64 {
    let bytes = std::fs::read("/proc/self/auxv").expect("Linux lists its capabilities");
    let words: Vec<_> = bytes
        .as_chunks()
        .0
        .iter()
        .map(|word| u64::from_ne_bytes(*word))
        .collect();
    let pairs = words.as_chunks::<2>().0.iter();
    let capabilities = pairs.filter(|[kind, _]| *kind == 16);
    capabilities.map(|[_, value]| *value).next().unwrap_or(0)
}

/// Whether the mask hides `feature`.
fn masked(feature: &str) -> bool {
    let mask = std::env::var("SHANGMI_CPU_MASK").unwrap_or_default();
    cfg!(feature = "__cpu-mask") && mask.split(',').any(|hidden| hidden.trim() == feature)
}

/// Whether there are the instructions for SM3 and SM4, which come together.
fn shangmi() -> bool {
    let (sm3, sm4) = (1 << 18, 1 << 19);
    capabilities() & (sm3 | sm4) == sm3 | sm4 && !masked("sm4")
}

#[test]
fn sm3_of_one_stream() {
    let expected = if shangmi() { "sm3" } else { "portable" };
    println!("SM3, one stream: {expected}");
    assert_eq!(Sm3::new().backend(), expected);
}

#[test]
fn sm3_of_many_messages() {
    let expected = if masked("neon") {
        Sm3::new().backend()
    } else {
        "neon x 8"
    };
    println!("SM3, many messages: {expected}");
    assert_eq!(many_backend(), expected);
}

#[test]
fn sm4() {
    let aes = capabilities() & 1 << 3 != 0 && !masked("aes");
    let expected = if shangmi() {
        "sm4"
    } else if aes {
        "aes"
    } else {
        "bitsliced"
    };
    println!("SM4: {expected}");
    assert_eq!(Sm4::new(&[0; 16]).backend(), expected);
}
