//! AWS-LC, for what the international side does on this machine. It has neither SM3 nor SM4.

mod cipher;
mod curve;

use aws_lc_rs::digest::{SHA256, digest};

use crate::peer::{Digest, Hash, Missing, Peer};

pub(super) fn open() -> Result<Peer, Missing> {
    Ok(Peer {
        name: "AWS-LC",
        version: "aws-lc-rs 1.19".to_owned(),
        hash: Some(Box::new(Sha256)),
        ciphers: cipher::all(),
        curve: curve::P256::open(),
        ..Peer::default()
    })
}

struct Sha256;

impl Hash for Sha256 {
    fn algorithm(&self) -> &'static str {
        "SHA-256"
    }

    fn code_path(&self) -> String {
        #[cfg(target_arch = "x86_64")]
        let instructions = std::arch::is_x86_feature_detected!("sha");
        #[cfg(target_arch = "aarch64")]
        let instructions = std::arch::is_aarch64_feature_detected!("sha2");
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let instructions = false;
        if instructions {
            "SHA instructions".to_owned()
        } else {
            "software".to_owned()
        }
    }

    fn digest(&mut self, message: &[u8]) -> Digest {
        let mut out = [0; 32];
        out.copy_from_slice(digest(&SHA256, message).as_ref());
        out
    }
}
