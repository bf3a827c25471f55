//! The same operations with faults in the library: the check itself is checked.

use shangmi::ct::leaks::{Leak, plant};

use crate::operations;

/// Divisions leave no trace in memcheck; `cargo xtask ct` finds them in the machine code.
const VISIBLE: [Leak; 2] = [Leak::Branch, Leak::Index];

pub(crate) fn run() {
    let places = || {
        operations::ALL
            .iter()
            .filter(|operation| operations::WITH_FAULTS.contains(&operation.name))
    };
    for leak in VISIBLE {
        plant(Some(leak));
        for operation in places() {
            crate::report(&format!("{leak:?} in {}", operation.name), operation);
        }
    }
    plant(Some(Leak::Division));
    for operation in places() {
        (operation.run)();
    }
}
