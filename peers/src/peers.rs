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

/// The peers that are there and compute the right thing; the others are noted as skipped.
pub(crate) fn open(output: &mut Output) -> Vec<Peer> {
    let mut peers = Vec::new();
    for open in OPEN {
        match open() {
            Ok(mut peer) => match known_answer::check(&mut peer) {
                Ok(()) => peers.push(peer),
                Err(reason) => output.skipped.push(Skipped {
                    peer: peer.name.to_owned(),
                    reason,
                    install: String::new(),
                }),
            },
            Err(missing) => output.skipped.push(Skipped {
                peer: missing.peer.to_owned(),
                reason: missing.reason,
                install: missing.install.to_owned(),
            }),
        }
    }
    peers
}
