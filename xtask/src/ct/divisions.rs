//! Divisions in the machine code of the harness.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// The functions of shangmi, or of the harness, that divide.
pub(super) fn of(program: &Path) -> Result<Vec<String>> {
    let output = Command::new("objdump")
        .args(["--disassemble", "--no-show-raw-insn"])
        .arg(program)
        .output()
        .context("cannot run objdump (apt-get install binutils)")?;
    ensure!(output.status.success(), "objdump fails");
    Ok(dividing(&String::from_utf8_lossy(&output.stdout)))
}

fn dividing(disassembly: &str) -> Vec<String> {
    let mut functions = BTreeSet::new();
    let mut function = "";
    for line in disassembly.lines() {
        if let Some(name) = function_name(line) {
            function = name;
        } else if function.contains("shangmi") && is_division(line) {
            functions.insert(function.to_owned());
        }
    }
    functions.into_iter().collect()
}

/// `0000000000001000 <name>:`
fn function_name(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once(" <")?;
    rest.strip_suffix(">:")
}

/// ` 1000:    div    %rcx`
fn is_division(line: &str) -> bool {
    let instruction = line.split('\t').nth(1).unwrap_or_default();
    let mnemonic = instruction.split_whitespace().next().unwrap_or_default();
    matches!(
        mnemonic.trim_end_matches(['b', 'w', 'l', 'q']),
        "div" | "idiv" | "udiv" | "sdiv"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisions_are_found_in_the_functions_of_shangmi_alone() {
        let disassembly = "
0000000000001000 <_ZN7shangmi3sm24sign9sign_with17h7da8f28179491233E>:
    1000:\tmov    %rax,%rcx
    1003:\tdivq   %rcx
    1006:\tcall   2000 <_ZN4core3fmt5write17h0E>

0000000000002000 <_ZN4core3fmt5write17h0E>:
    2000:\tdiv    %rcx

0000000000003000 <_ZN7shangmi3sm36digest17h0E>:
    3000:\tvdivpd %ymm0,%ymm0,%ymm0
";
        assert_eq!(
            dividing(disassembly),
            ["_ZN7shangmi3sm24sign9sign_with17h7da8f28179491233E"]
        );
    }
}
