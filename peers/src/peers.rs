//! The implementations, a file each.

mod aws_lc;
mod libgcrypt;
mod openssl;
mod rustcrypto;
mod shangmi;

use crate::known_answer;
use crate::output::{Output, Skipped};
use crate::peer::{Missing, Peer};

/// Ours first.
const OPEN: [fn() -> Result<Peer, Missing>; 5] = [
    shangmi::open,
    rustcrypto::open,
    openssl::open,
    libgcrypt::open,
    aws_lc::open,
];

/// The peers that are there, with what computes the right thing; the rest is noted as skipped.
pub(crate) fn open(output: &mut Output) -> Vec<Peer> {
    let mut peers = Vec::new();
    for open in OPEN {
        match open() {
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
