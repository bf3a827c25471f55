//! Which files may say `unsafe`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use proc_macro2::{TokenStream, TokenTree};

/// Files, and directories with a slash at the end, and what needs `unsafe` there.
const ALLOWED: &[(&str, &str)] = &[
    (
        "crates/shangmi/src/ghash/x86_64_clmul.rs",
        "vector loads, calls of functions with processor features",
    ),
    (
        "crates/shangmi/src/ghash/x86_64_vpclmul.rs",
        "vector loads and stores, calls of functions with processor features",
    ),
    (
        "crates/shangmi/src/sm2/divsteps/x86_64.rs",
        "assembly of plain instructions on registers",
    ),
    (
        "crates/shangmi/src/sm2/field/x86_64.rs",
        "assembly of plain instructions on registers",
    ),
    (
        "crates/shangmi/src/sm2/field/x86_64_adx.rs",
        "assembly behind a token",
    ),
    (
        "crates/shangmi/src/sm2/field/x86_64_ifma/vector.rs",
        "vector instructions behind a token, loads and stores",
    ),
    (
        "crates/shangmi/src/sm2/many/x86_64_ifma.rs",
        "calls of functions with processor features",
    ),
    (
        "crates/shangmi/src/sm3/aarch64_sm3.rs",
        "loads, assembly, and a call behind a token",
    ),
    (
        "crates/shangmi/src/sm3/multi/aarch64_neon.rs",
        "loads, stores, and calls behind a token",
    ),
    (
        "crates/shangmi/src/sm3/x86_64_sm3.rs",
        "loads, and calls behind tokens",
    ),
    (
        "crates/shangmi/src/sm3/multi/x86_64_avx2.rs",
        "vector loads and stores, calls of code with AVX2",
    ),
    (
        "crates/shangmi/src/sm3/multi/x86_64_avx512.rs",
        "vector loads and stores, calls of code with AVX-512",
    ),
    (
        "crates/shangmi/src/sm3/x86_64_bmi2.rs",
        "assembly, and its calls",
    ),
    (
        "crates/shangmi/src/sm4/aarch64_aes.rs",
        "loads, stores, and calls behind a token",
    ),
    (
        "crates/shangmi/src/sm4/aarch64_sm4.rs",
        "loads, stores, assembly, and calls behind a token",
    ),
    (
        "crates/shangmi/src/sm4/x86_64_sm4/",
        "a store in the model of the instructions",
    ),
    (
        "crates/shangmi/src/sm4/x86_64_sm4.rs",
        "loads, stores, and calls behind tokens",
    ),
    (
        "crates/shangmi/src/sm4/x86_64_aesni.rs",
        "calls of functions with processor features, loads and stores",
    ),
    (
        "crates/shangmi/src/sm4/x86_64_gfni.rs",
        "rounds in assembly, calls of functions with processor features, loads and stores",
    ),
    (
        "crates/shangmi/src/sm4/x86_64_gfni/",
        "rounds in assembly, loads of constants",
    ),
    ("crates/shangmi/src/sm4/x86_64_pairs.rs", "loads and stores"),
    (
        "crates/shangmi/src/sm4/x86_64_gfni_avx2.rs",
        "rounds in assembly, calls of functions with processor features",
    ),
    (
        "crates/shangmi/src/sm4/x86_64_gfni_avx512/",
        "rounds in assembly",
    ),
    (
        "crates/shangmi/src/sm4/x86_64_gfni_avx512.rs",
        "rounds in assembly, calls of functions with processor features, loads and stores",
    ),
    (
        "crates/shangmi/tests/zeroing.rs",
        "reads the memory of what was dropped",
    ),
    (
        "crates/shangmi-compare/src/subjects/libcrypto/",
        "calls of C functions",
    ),
    (
        "crates/shangmi-compare/src/mapped.rs",
        "memory-mapped files",
    ),
    (
        "crates/shangmi-compare/src/stack_probe.rs",
        "reading the depth of the stack",
    ),
    (
        "peers/src/clock.rs",
        "the clock of a thread, and of programs",
    ),
    (
        "xtask/src/differential/libcrypto.rs",
        "calls of C functions",
    ),
    (
        "xtask/src/differential/sm2/peer/libcrypto.rs",
        "calls of C functions",
    ),
    (
        "xtask/src/differential/sm4/libcrypto.rs",
        "calls of C functions",
    ),
    (
        "xtask/src/differential/sm4/libgcrypt.rs",
        "calls of C functions",
    ),
    ("peers/src/peers/botan.rs", "loads a library"),
    ("peers/src/peers/botan/", "calls of C++ behind C functions"),
    ("peers/src/peers/libgcrypt.rs", "calls of C functions"),
    ("peers/src/peers/libgcrypt/", "calls of C functions"),
    ("peers/src/peers/openssl/", "calls of C functions"),
    ("peers/src/peers/openssl.rs", "calls of C functions"),
];

/// The places that say `unsafe` in a file that is not listed.
pub(super) fn faults(root: &Path, members: &[String]) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for member in members {
        rust_files(&root.join(member), &mut files)?;
    }
    files.sort();
    let mut faults = Vec::new();
    for file in files {
        let name = file
            .strip_prefix(root)?
            .to_string_lossy()
            .replace('\\', "/");
        if is_allowed(&name) {
            continue;
        }
        let source = fs::read_to_string(&file).with_context(|| format!("cannot read {name}"))?;
        let tokens: TokenStream = source.parse().map_err(|error| anyhow!("{name}: {error}"))?;
        let mut lines = Vec::new();
        find_unsafe(tokens, &mut lines);
        faults.extend(
            lines
                .iter()
                .map(|line| format!("{name}:{line}: unsafe in a file not listed for it")),
        );
    }
    Ok(faults)
}

fn is_allowed(name: &str) -> bool {
    ALLOWED
        .iter()
        .any(|(path, _)| name == *path || (path.ends_with('/') && name.starts_with(path)))
}

/// The lines of the keyword `unsafe`. Comments and strings are not tokens of that name.
fn find_unsafe(tokens: TokenStream, lines: &mut Vec<usize>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => find_unsafe(group.stream(), lines),
            TokenTree::Ident(ident) if ident == "unsafe" => lines.push(ident.span().start().line),
            _ => {}
        }
    }
}

/// All `.rs` files under `directory`, build output aside.
fn rust_files(directory: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let context = || format!("cannot list {}", directory.display());
    for entry in fs::read_dir(directory).with_context(context)? {
        let path = entry.with_context(context)?.path();
        if path.is_dir() {
            if path.file_name() != Some("target".as_ref()) {
                rust_files(&path, files)?;
            }
        } else if path.extension() == Some("rs".as_ref()) {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_names_files_and_directories() {
        assert!(is_allowed("crates/shangmi-compare/src/mapped.rs"));
        assert!(is_allowed(
            "crates/shangmi-compare/src/subjects/libcrypto/ffi.rs"
        ));
        assert!(!is_allowed("crates/shangmi-compare/src/mapped.rs.rs"));
        assert!(!is_allowed(
            "crates/shangmi-compare/src/subjects/libcrypto_other.rs"
        ));
        assert!(!is_allowed("crates/shangmi/src/sm3.rs"));
    }
}
