//! What the operating system tells about the machine.

use std::fs;
use std::process::Command;

use crate::clock;
use crate::result::Machine;

/// Instruction sets that change what a library runs for these algorithms.
const FEATURES: [&str; 30] = [
    "ssse3",
    "aes",
    "pclmulqdq",
    "avx",
    "avx2",
    "bmi1",
    "bmi2",
    "adx",
    "sha_ni",
    "sha512",
    "sm3",
    "sm4",
    "gfni",
    "vaes",
    "vpclmulqdq",
    "avx512f",
    "avx512bw",
    "avx512vl",
    "avx512_vbmi",
    "avx512ifma",
    "avx512_vbmi2",
    "neon",
    "asimd",
    "pmull",
    "sha1",
    "sha2",
    "sha3",
    "sve",
    "sve2",
    "movbe",
];

/// Describes this machine; what cannot be found out is empty or `None`.
pub(crate) fn describe() -> Machine {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = cpu_flags(&cpuinfo);
    let core_hertz = clock::core_hertz();
    Machine {
        cpu_model: cpu_model(&cpuinfo),
        architecture: std::env::consts::ARCH.to_owned(),
        cores: std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32),
        memory_bytes: memory_bytes(),
        os: os_name(),
        kernel: kernel_release(),
        virtualised: flags.iter().any(|flag| flag == "hypervisor"),
        cpu_features: FEATURES
            .iter()
            .filter(|name| flags.iter().any(|flag| flag == *name))
            .map(|&name| name.to_owned())
            .collect(),
        governor: trimmed("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        rustc: env!("SHANGMI_COMPARE_RUSTC").to_owned(),
        build: if cfg!(debug_assertions) {
            "debug"
        } else {
            "release"
        }
        .to_owned(),
        core_hertz,
        cycle_method: core_hertz.map(|_| clock::METHOD.to_owned()),
    }
}

/// The processor's feature flags as the kernel lists them.
pub(crate) fn cpu_flags(cpuinfo: &str) -> Vec<String> {
    let line = field(cpuinfo, "flags").or_else(|| field(cpuinfo, "Features"));
    if let Some(line) = line {
        return line.split_whitespace().map(str::to_owned).collect();
    }
    // macOS lists `hw.optional.arm.FEAT_SHA256: 1` and the like.
    let listing = output("sysctl", &["hw.optional"]).unwrap_or_default();
    let sha2 = listing.contains("FEAT_SHA256: 1");
    let aes = listing.contains("FEAT_AES: 1");
    [("sha2", sha2), ("aes", aes)]
        .iter()
        .filter(|(_, present)| *present)
        .map(|(name, _)| (*name).to_owned())
        .collect()
}

/// The flags of the machine that this process runs on.
pub(crate) fn own_cpu_flags() -> Vec<String> {
    cpu_flags(&fs::read_to_string("/proc/cpuinfo").unwrap_or_default())
}

fn cpu_model(cpuinfo: &str) -> String {
    field(cpuinfo, "model name")
        .or_else(|| field(cpuinfo, "Model"))
        .or_else(|| output("sysctl", &["-n", "machdep.cpu.brand_string"]))
        .unwrap_or_else(|| "unknown".to_owned())
}

fn memory_bytes() -> Option<u64> {
    if let Ok(meminfo) = fs::read_to_string("/proc/meminfo") {
        let kibibytes = field(&meminfo, "MemTotal")?;
        return Some(
            kibibytes
                .trim_end_matches("kB")
                .trim()
                .parse::<u64>()
                .ok()?
                * 1024,
        );
    }
    output("sysctl", &["-n", "hw.memsize"])?.parse().ok()
}

fn os_name() -> String {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let pretty = release
        .lines()
        .find_map(|line| line.strip_prefix("PRETTY_NAME="));
    pretty.map_or_else(
        || std::env::consts::OS.to_owned(),
        |name| name.trim_matches('"').to_owned(),
    )
}

fn kernel_release() -> String {
    trimmed("/proc/sys/kernel/osrelease")
        .or_else(|| output("uname", &["-r"]))
        .unwrap_or_default()
}

/// The value of the first line `name : value`.
fn field(text: &str, name: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim().to_owned())
    })
}

fn trimmed(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.trim().to_owned())
}

fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_flags_of_both_architectures() {
        let x86 = "processor\t: 0\nmodel name\t: Some CPU @ 2.00GHz\nflags\t\t: fpu aes sha_ni\n";
        assert_eq!(cpu_model(x86), "Some CPU @ 2.00GHz");
        assert_eq!(cpu_flags(x86), ["fpu", "aes", "sha_ni"]);
        let arm = "processor\t: 0\nFeatures\t: fp asimd sha2 sm3\n";
        assert_eq!(cpu_flags(arm), ["fp", "asimd", "sha2", "sm3"]);
    }

    #[test]
    fn this_machine_has_a_description() {
        let machine = describe();
        assert!(machine.cores >= 1);
        assert!(!machine.cpu_model.is_empty());
        assert!(machine.rustc.starts_with("rustc"));
    }
}
