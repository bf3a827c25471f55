//! Which libraries run on instructions made for an algorithm, as far as it can be known from outside.
//!
//! AWS-LC and libcrypto do not tell which code they ran. They use such instructions when the processor has them
//! and `OPENSSL_ia32cap` does not mask them; the software rows come from a process with the mask set.

use crate::machine;
use crate::result::Execution;

/// Environment variable that masks processor features in AWS-LC and OpenSSL on x86.
pub(crate) const MASK_VARIABLE: &str = "OPENSSL_ia32cap";

/// Masks AES-NI (bit 57 of the first word), SHA (bit 29) and VAES (bit 41 of the second).
pub(crate) const MASK_VALUE: &str = "~0x200000000000000:~0x20020000000";

/// Instructions made for one algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instructions {
    Sha256,
    Aes,
    Sm3,
    Sm4,
    /// None exist: RSA and elliptic curves.
    None,
}

/// What this process may use.
#[derive(Clone, Debug)]
pub(crate) struct Hardware {
    flags: Vec<String>,
    masked: bool,
}

impl Hardware {
    /// From the operating system's list of features and this process's environment.
    pub(crate) fn detect() -> Self {
        Self {
            flags: machine::own_cpu_flags(),
            masked: std::env::var(MASK_VARIABLE).is_ok_and(|value| value == MASK_VALUE),
        }
    }

    /// Whether the processor has `instructions`, masked or not.
    pub(crate) fn exists(&self, instructions: Instructions) -> bool {
        let names: &[&str] = match instructions {
            Instructions::Sha256 => &["sha_ni", "sha2"],
            Instructions::Aes => &["aes"],
            Instructions::Sm3 => &["sm3"],
            Instructions::Sm4 => &["sm4"],
            Instructions::None => &[],
        };
        self.flags.iter().any(|flag| names.contains(&flag.as_str()))
    }

    /// Whether a process with [`MASK_VARIABLE`] set would run other code than this one.
    pub(crate) fn can_be_masked(&self) -> bool {
        let on_x86 = cfg!(any(target_arch = "x86", target_arch = "x86_64"));
        on_x86
            && !self.masked
            && (self.exists(Instructions::Sha256) || self.exists(Instructions::Aes))
    }

    /// Whether there are special instructions but no way to mask them.
    pub(crate) fn exists_unmaskable(&self) -> bool {
        let exists = self.exists(Instructions::Sha256) || self.exists(Instructions::Aes);
        exists && !cfg!(any(target_arch = "x86", target_arch = "x86_64"))
    }

    /// Software or hardware, for a library that uses `instructions` when it may.
    pub(crate) fn execution(&self, instructions: Instructions) -> Execution {
        if self.exists(instructions) && !self.masked {
            Execution::Hardware
        } else {
            Execution::Software
        }
    }

    /// Words for [`Row::backend`](crate::result::Row::backend).
    pub(crate) fn backend(&self, instructions: Instructions) -> String {
        let name = match instructions {
            Instructions::Sha256 => "SHA instructions",
            Instructions::Aes => "AES instructions",
            Instructions::Sm3 => "SM3 instructions",
            Instructions::Sm4 => "SM4 instructions",
            Instructions::None => return "library's own choice".to_owned(),
        };
        match (self.exists(instructions), self.masked) {
            (true, false) => format!("{name}, by processor flags"),
            (true, true) => format!("software, {name} masked by {MASK_VARIABLE}"),
            (false, _) => "software".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_and_mask_decide() {
        let flags = vec!["aes".to_owned(), "sha_ni".to_owned()];
        let open = Hardware {
            flags: flags.clone(),
            masked: false,
        };
        assert_eq!(open.execution(Instructions::Sha256), Execution::Hardware);
        assert_eq!(open.execution(Instructions::Sm3), Execution::Software);
        let masked = Hardware {
            flags,
            masked: true,
        };
        assert_eq!(masked.execution(Instructions::Sha256), Execution::Software);
        assert_eq!(masked.execution(Instructions::Aes), Execution::Software);
        assert!(masked.backend(Instructions::Aes).contains(MASK_VARIABLE));
        assert!(!masked.can_be_masked());
    }
}
