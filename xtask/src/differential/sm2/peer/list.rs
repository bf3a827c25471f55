//! The peers: how each is started, what it has, and its known faults.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use shangmi::sm2::MAX_ID_LEN;
use shangmi_pki::CiphertextFormat::{C1C2C3, C1C3C2, Der as DerCiphertext};
use shangmi_pki::SignatureFormat::{Der, Raw};

use super::{Fault, Peer, Port, libcrypto, process};
use crate::differential::sm2::check::Kind;
use crate::gmsm;

pub(in crate::differential::sm2) const PEERS: [Peer; 4] = [OPENSSL, GMSM, BOUNCY_CASTLE, GMSSL];

const OPENSSL: Peer = Peer {
    name: "OpenSSL",
    install: crate::differential::libcrypto::INSTALL,
    signatures: &[Der],
    ciphertexts: &[DerCiphertext],
    exchange: false,
    agrees: false,
    faults: &[Fault {
        name: "it refuses an ID of 8191 bytes, the longest that ENTL can count",
        by_chance: false,
        explains: |case, kind, answer| {
            let signature = matches!(kind, Kind::TheirSignature | Kind::OurSignature);
            signature && answer.is_err() && case.id.len() == MAX_ID_LEN
        },
    }],
    open: libcrypto::open,
};

const GMSM: Peer = Peer {
    name: "gmsm",
    install: gmsm::INSTALL,
    signatures: &[Der],
    ciphertexts: &[C1C3C2, C1C2C3, DerCiphertext],
    exchange: true,
    agrees: false,
    faults: &[
        Fault {
            name: "it refuses a ciphertext whose C2 is zero: it looks at C2 instead of the key stream",
            by_chance: false,
            explains: |case, kind, answer| {
                let zero = case.ciphertext.c2.iter().all(|byte| *byte == 0);
                kind == Kind::OurCiphertext && answer.is_err() && zero
            },
        },
        Fault {
            name: "it takes a ciphertext whose key stream is zero, for the same reason",
            by_chance: false,
            explains: |_, kind, _| kind == Kind::ZeroKeyStream,
        },
        Fault {
            name: "it encrypts so that nobody can decrypt when its first key stream was zero: it multiplies k1·P by k2",
            by_chance: true,
            explains: |case, kind, answer| {
                kind == Kind::TheirCiphertext && answer.is_ok() && case.plaintext.len() <= 2
            },
        },
    ],
    open: |root| {
        let program = gmsm::build(root, "./differential", "gmsm-differential")?;
        process::start(Command::new(program.context("no Go")?))
    },
};

/// Where Debian's package puts it.
const BOUNCY_CASTLE_JAR: &str = "/usr/share/java/bcprov.jar";

const BOUNCY_CASTLE: Peer = Peer {
    name: "Bouncy Castle",
    install: "apt-get install default-jdk-headless libbcprov-java",
    signatures: &[Der, Raw],
    ciphertexts: &[C1C3C2, C1C2C3],
    exchange: true,
    agrees: true,
    faults: &[Fault {
        name: "it takes a ciphertext whose key stream is zero",
        by_chance: false,
        explains: |_, kind, _| kind == Kind::ZeroKeyStream,
    }],
    open: |root| {
        let there = Path::new(BOUNCY_CASTLE_JAR).is_file();
        ensure!(there, "no {BOUNCY_CASTLE_JAR}");
        let mut java = Command::new("java");
        java.args(["-cp", BOUNCY_CASTLE_JAR]);
        java.arg(root.join("peers/bouncy-castle/Peer.java"));
        process::start(java)
    },
};

const GMSSL: Peer = Peer {
    name: "Python gmssl",
    install: "python3 -m venv target/peers/python && target/peers/python/bin/pip install gmssl==3.2.2",
    signatures: &[Der, Raw],
    ciphertexts: &[C1C3C2, C1C2C3],
    exchange: false,
    agrees: false,
    faults: &[
        Fault {
            name: "it does not compare C3, and returns a changed plaintext",
            by_chance: false,
            explains: |_, kind, _| kind == Kind::ChangedCiphertext,
        },
        Fault {
            name: "it encrypts to a point that is not on the curve",
            by_chance: false,
            explains: |_, kind, _| kind == Kind::ChangedKey,
        },
        Fault {
            name: "it takes x that begins with 04 for the mark of a point, and cuts off each leading 0 and 4",
            by_chance: false,
            explains: |case, kind, _| {
                case.key.public_key().x()[0] == 4
                    && matches!(
                        kind,
                        Kind::TheirSignature | Kind::OurSignature | Kind::TheirCiphertext
                    )
            },
        },
        Fault {
            name: "it gives up when the key stream is zero, and draws no other k",
            by_chance: true,
            explains: |case, kind, answer| {
                kind == Kind::TheirCiphertext && answer.is_err() && case.plaintext.len() <= 2
            },
        },
    ],
    open: open_gmssl,
};

fn open_gmssl(root: &Path) -> Result<Box<dyn Port>> {
    let of_its_own = root.join("target/peers/python/bin/python3");
    let python = if of_its_own.is_file() {
        of_its_own
    } else {
        "python3".into()
    };
    let mut python = Command::new(python);
    python.arg(root.join("peers/gmssl/peer.py"));
    process::start(python)
}
