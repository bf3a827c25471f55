//! The table of a prepared key, with a row's points in a lane.
//!
//! The first points of the rows, 2^(20·i)·P, follow on one another by doublings. All lanes do them, and each keeps the one of its row. From
//! there on the rows are made side by side.
use super::super::field::x86_64_ifma::LANES;
use super::super::mul::MULTIPLES;
use super::super::point::{Affine, G};
use super::super::prepared::{ENTRIES, KeyTable, ROWS, SPACING, WIDTH, write_row};
use super::affine::{GROUPS, invert, write_affine};
use super::multiples::Multiples;
use super::one;
use super::points::Points;
use crate::cpu;
use core::array;

/// Groups of rows.
const HALVES: usize = ROWS / LANES;

/// The table of P.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn key_table(token: cpu::Ifma, point: &Affine) -> KeyTable {
    let bases = bases(token, point);
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

/// 2^(20·i)·P for every row i.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn bases(token: cpu::Ifma, point: &Affine) -> [Affine; ROWS] {
    let mut base = Points::from_terms(token, &one::affine_terms(token, &[*point; LANES]));
    let mut groups = [None; GROUPS];
    groups[..HALVES].fill(Some(base));
    for row in 1..ROWS {
        base = base.double_times(WIDTH * SPACING).settled();
        if let Some(group) = &mut groups[row / LANES] {
            *group = group.select(&base, 1 << (row % LANES));
        }
    }
    let mut out = [G; ROWS];
    write_affine(token, &groups, &mut out);
    out
}

const _: () = assert!(ENTRIES == MULTIPLES);
