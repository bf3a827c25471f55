//! The table of a prepared key, with a row's points in a lane.
//!
//! The first points of the rows, 2^(20·i)·P, are what the Montgomery ladder passes on its way to the last of them, in half the time of
//! doublings. From there on the rows are made side by side.
use super::super::field::x86_64_ifma::LANES;
use super::super::mul::MULTIPLES;
use super::super::point::{Affine, Jacobian};
use super::super::prepared::{ENTRIES, KeyTable, ROWS, SPACING, WIDTH, write_row};
use super::affine::invert;
use super::ladder;
use super::multiples::Multiples;
use crate::cpu;
use core::array;

/// Groups of rows.
const HALVES: usize = ROWS / LANES;

/// The table of P; x(P) is not zero.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn key_table(token: cpu::Ifma, point: &Affine) -> KeyTable {
    let bases: [Jacobian; ROWS] = ladder::powers(token, WIDTH * SPACING, point);
    let bases =
        Jacobian::to_affine_array(bases).expect("a multiple by a power of 2 is not infinity");
    let (bases, _) = bases.as_chunks::<LANES>();
    let mut tables: [Multiples; HALVES] =
        array::from_fn(|half| Multiples::new(token, &bases[half]));
    let inverses = invert(token, &tables.each_ref().map(|table| table.z));
    for (table, inverse) in tables.iter_mut().zip(&inverses) {
        table.make_affine(token, inverse);
    }
    let entries: [[_; ENTRIES]; HALVES] =
        array::from_fn(|half| array::from_fn(|i| tables[half].points(token, i)));
    let mut table = KeyTable([[[0; ENTRIES]; 8]; ROWS]);
    for (i, row) in table.0.iter_mut().enumerate() {
        write_row(row, &entries[i / LANES].map(|lanes| lanes[i % LANES]));
    }
    table
}

const _: () = assert!(ENTRIES == MULTIPLES);
