//! Botan 3, which `cargo xtask bench-peers --botan` builds with `botan/peer.cpp` before it.

mod cipher;
mod curve;

use std::ffi::{CStr, c_char};
use std::path::Path;
use std::rc::Rc;

use libloading::Library;

use crate::peer::{Missing, Peer};

pub(super) fn open(library: Option<&Path>) -> Result<Peer, Missing> {
    let missing = |reason: String| Missing {
        peer: "Botan",
        reason,
        install: "cargo xtask bench-peers --botan",
    };
    let path = library.ok_or_else(|| missing("built from source when asked for".to_owned()))?;
    load(path).map_err(|error| missing(error.to_string()))
}

fn load(path: &Path) -> Result<Peer, libloading::Error> {
    // SAFETY: loading runs the initialisers of Botan, which was built for this program.
    let library = Rc::new(unsafe { Library::new(path) }?);
    // SAFETY: the type is that in botan/peer.cpp; the version is a static string that ends with zero.
    let version = unsafe {
        let version = library.get::<unsafe extern "C" fn() -> *const c_char>(b"peer_version\0")?;
        CStr::from_ptr(version()).to_string_lossy().into_owned()
    };
    Ok(Peer {
        name: "Botan",
        version: format!("{version}, crate botan-src"),
        ciphers: cipher::all(&library)?,
        curve: curve::open(&library)?,
        ..Peer::default()
    })
}
