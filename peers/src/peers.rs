//! The implementations, a file each.

mod aws_lc;
mod botan;
mod gmsm;
mod libgcrypt;
mod openssl;
mod rustcrypto;
mod shangmi;

use std::path::PathBuf;

use crate::known_answer;
use crate::output::{Output, Skipped};
use crate::peer::Peer;

/// What `cargo xtask bench-peers` built for this program.
#[derive(clap::Args)]
pub(crate) struct Built {
    /// Botan, in one library with what stands before it
    #[arg(long, value_name = "LIBRARY")]
    botan: Option<PathBuf>,
    /// gmsm, in a program that is asked for samples
    #[arg(long, value_name = "PROGRAM")]
    gmsm: Option<PathBuf>,
}

/// The peers that are there, with what computes the right thing; the rest is noted as skipped.
///
/// `sm2`: also those that are there for SM2 alone.
pub(crate) fn open(built: &Built, sm2: bool, output: &mut Output) -> Vec<Peer> {
    // Ours first.
    let mut all = vec![
        shangmi::open(),
        rustcrypto::open(),
        openssl::open(),
        libgcrypt::open(),
        botan::open(built.botan.as_deref()),
        aws_lc::open(),
    ];
    if sm2 {
        all.push(gmsm::open(built.gmsm.as_deref()));
    }
    let mut peers = Vec::new();
    for found in all {
        match found {
            Ok(mut peer) => {
                known_answer::check(&mut peer, &mut output.skipped);
                peers.push(peer);
            }
            Err(missing) => output.skipped.push(Skipped {
                peer: missing.peer.to_owned(),
                reason: missing.reason,
                install: missing.install.to_owned(),
            }),
        }
    }
    peers
}
