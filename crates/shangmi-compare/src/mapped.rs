//! A file mapped into memory.

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// Maps the whole of `file` for reading.
///
/// # Errors
/// What the system says, for instance of an empty file.
pub(crate) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the files mapped here lie in a temporary directory that this process made for itself; nobody
    // writes to or shortens them while they are mapped.
    unsafe { Mmap::map(file) }
}
