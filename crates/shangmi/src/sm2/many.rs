//! Which code multiplies: many at once, and single multiplications that have parts to do side by side.
//!
//! With AVX-512 IFMA, eight at a time in the lanes of vectors, and one inversion for a chunk of them. Without, one after the
//! other, and one inversion for sixteen.
use super::field::Field;
use super::mul::{self, OddMultiples};
use super::point::{Affine, G, Jacobian};
use super::prepared::{KeyTable, LOW_ROWS, sums};
use super::scalar::Scalar;
use super::{basepoint, field};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::cpu;
use core::array;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod affine;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod digits;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod fold;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod key_table;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod ladder;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod multiples;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod one;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod points;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod same_key;
#[cfg(test)]
mod tests;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64_ifma;

/// Multiplications that share an inversion, which is then below 3 % of the work; the points take 10 KiB of stack.
pub(super) const CHUNK: usize = 64;

/// From this number of base multiplications down, single ones are faster than a group in lanes.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
const FEW_OF_BASE: usize = 2;

/// The same for other multiplications and for verifications.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
const FEW: usize = 1;

/// The same for verifications under a prepared key.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
const FEW_OF_PREPARED: usize = 2;

/// From this number of verifications under a prepared key down, single ones are faster than sums beside each other.
const FEW_FOR_SUMS: usize = 5;

/// Verifications under one key from which on a table for it pays, one after the other.
const RUN: usize = 5;

/// The same in lanes.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
const RUN_IN_LANES: usize = 16;

/// Verifications that are handed over together.
pub(super) const TOGETHER: usize = 16;

/// What a verification asks: whether s·G + t·P has the x coordinate u. All public; s and t are in [1, n-1].
#[cfg_attr(test, derive(Clone))]
pub(super) struct Equation {
    pub(super) s: Scalar,
    pub(super) t: Scalar,
    pub(super) point: Affine,
    pub(super) u: Field,
}

/// A code path for many multiplications.
#[derive(Clone, Copy, Debug)]
pub(super) enum Engine {
    /// One after the other.
    One,
    /// Eight at a time.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Ifma(cpu::Ifma),
}

impl Engine {
    /// The fastest code path of this machine.
    pub(super) fn detect() -> Self {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if let Some(token) = cpu::Ifma::detect() {
            return Self::Ifma(token);
        }
        Self::One
    }

    /// The name under which reports show it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::One => field::backend(),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Ifma(_) => "ifma x 8",
        }
    }

    /// The name of the code path for single operations.
    pub(super) fn name_of_one(self) -> &'static str {
        match self {
            Self::One => field::backend(),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Ifma(_) => "ifma",
        }
    }

    /// k·G for k in [1, n-1]. Constant-time.
    pub(super) fn multiply_base_one(self, k: &Scalar) -> Jacobian {
        match self {
            Self::One => basepoint::multiply(k),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Ifma(token) => x86_64_ifma::multiply_base_one(token, k),
        }
    }

    /// k·P for k in [1, n-1], and infinity for 0. Constant-time.
    pub(super) fn multiply_one(self, k: &Scalar, point: &Affine) -> Jacobian {
        match self {
            Self::One => mul::multiply(k, point),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Ifma(token) => x86_64_ifma::multiply_one(token, k, ladder::BITS, point),
        }
    }

    /// k·P for k below 2^`bits` and not zero. Variable-time.
    pub(super) fn multiply_short_vartime(
        self,
        k: &Scalar,
        bits: usize,
        point: &Affine,
    ) -> Jacobian {
        debug_assert!(k.limbs()[bits / 64..].iter().all(|&word| word == 0));
        match self {
            Self::One => OddMultiples::new(point).multiply_vartime(k),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Ifma(token) => x86_64_ifma::multiply_one(token, k, bits, point),
        }
    }

    /// What [`double_multiply_vartime`](Self::double_multiply_vartime) wants of a key beside the key itself.
    pub(super) fn odd_multiples(self, point: &Affine) -> Option<OddMultiples> {
        matches!(self, Self::One).then(|| OddMultiples::new(point))
    }

    /// s·G + t·P for s and t in [1, n-1], with P's [`odd_multiples`](Self::odd_multiples). Variable-time.
    pub(super) fn double_multiply_vartime(
        self,
        point: &Affine,
        multiples: Option<&OddMultiples>,
        s: &Scalar,
        t: &Scalar,
    ) -> Jacobian {
        match (self, multiples) {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            (Self::Ifma(token), _) => x86_64_ifma::double_multiply_one_vartime(token, point, s, t),
            (Self::One, Some(multiples)) => multiples.double_multiply_vartime(s, t),
            (Self::One, None) => OddMultiples::new(point).double_multiply_vartime(s, t),
        }
    }

    /// From how many verifications under one key on a table for it pays.
    pub(super) const fn run_for_table(self) -> usize {
        match self {
            Self::One => RUN,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Ifma(_) => RUN_IN_LANES,
        }
    }

    /// The table of a public key to be prepared.
    pub(super) fn key_table(self, point: &Affine) -> KeyTable {
        match self {
            Self::One => KeyTable::new(point, LOW_ROWS),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Ifma(token) => x86_64_ifma::key_table(token, point),
        }
    }

    /// s·G + t·P for s and t in [1, n-1] and a prepared P. Variable-time.
    pub(super) fn double_multiply_prepared_vartime(
        self,
        table: &KeyTable,
        s: &Scalar,
        t: &Scalar,
    ) -> Jacobian {
        match self {
            Self::One => table.double_multiply_vartime(s, t),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Ifma(token) => x86_64_ifma::double_multiply_vartime(token, table, s, t),
        }
    }

    /// k·G for up to [`CHUNK`] scalars k in [1, n-1], as many as there is room for in `out`. Constant-time.
    pub(super) fn multiply_base(self, scalars: &[Scalar], out: &mut [Affine]) {
        debug_assert!(scalars.len() <= CHUNK && scalars.len() == out.len());
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if let Self::Ifma(token) = self
            && scalars.len() > FEW_OF_BASE
        {
            return x86_64_ifma::multiply_base(token, scalars, out);
        }
        write_affine(scalars, out, |k| self.multiply_base_one(k));
    }

    /// k·P for k in [1, n-1] and up to [`CHUNK`] points, as many as there is room for in `out`. Constant-time.
    pub(super) fn multiply(self, k: &Scalar, points: &[Affine], out: &mut [Affine]) {
        debug_assert!(points.len() <= CHUNK && points.len() == out.len());
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if let Self::Ifma(token) = self
            && points.len() > FEW
        {
            return x86_64_ifma::multiply(token, k, points, out);
        }
        write_affine(points, out, |point| self.multiply_one(k, point));
    }

    /// For every equation whether it is there and holds. Variable-time.
    pub(super) fn hold_vartime(self, equations: &[Option<Equation>; TOGETHER]) -> [bool; TOGETHER] {
        let answers = match self {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Ifma(token) if equations.iter().flatten().count() > FEW => {
                x86_64_ifma::hold_vartime(token, equations)
            }
            _ => [None; TOGETHER],
        };
        answer(equations, answers, |equation| equation.holds_vartime(self))
    }

    /// The same for equations under the key of `table`. Variable-time.
    pub(super) fn hold_prepared_vartime(
        self,
        table: &KeyTable,
        equations: &[Option<Equation>; TOGETHER],
    ) -> [bool; TOGETHER] {
        let answers = match self {
            Self::One if equations.iter().flatten().count() > FEW_FOR_SUMS => {
                hold_by_sums_vartime(table, equations)
            }
            Self::One => [None; TOGETHER],
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Ifma(token) => x86_64_ifma::hold_prepared_vartime(token, table, equations),
        };
        answer(equations, answers, |equation| {
            self.double_multiply_prepared_vartime(table, &equation.s, &equation.t)
                .has_x_vartime(&equation.u)
        })
    }
}

/// For every equation under the key of `table` whether it holds. Variable-time.
fn hold_by_sums_vartime(
    table: &KeyTable,
    equations: &[Option<Equation>; TOGETHER],
) -> [Option<bool>; TOGETHER] {
    let scalars = equations.each_ref().map(|equation| {
        let Equation { s, t, .. } = equation.as_ref()?;
        Some((s, t))
    });
    let points = sums::double_multiply_many_vartime(table, scalars);
    array::from_fn(|i| Some(points[i]?.has_x_vartime(&equations[i].as_ref()?.u)))
}

/// The answers, where they are known; else those of `one`.
fn answer(
    equations: &[Option<Equation>; TOGETHER],
    answers: [Option<bool>; TOGETHER],
    one: impl Fn(&Equation) -> bool,
) -> [bool; TOGETHER] {
    array::from_fn(|i| answers[i].unwrap_or_else(|| equations[i].as_ref().is_some_and(&one)))
}

impl Equation {
    /// The same on its own. Variable-time.
    fn holds_vartime(&self, engine: Engine) -> bool {
        let multiples = engine.odd_multiples(&self.point);
        engine
            .double_multiply_vartime(&self.point, multiples.as_ref(), &self.s, &self.t)
            .has_x_vartime(&self.u)
    }
}

/// Writes the products in affine coordinates, a few for one inversion; none may be infinity.
fn write_affine<T>(items: &[T], out: &mut [Affine], multiply: impl Fn(&T) -> Jacobian) {
    const TOGETHER: usize = 16;
    for (items, out) in items.chunks(TOGETHER).zip(out.chunks_mut(TOGETHER)) {
        let mut points = [Jacobian::from(G); TOGETHER];
        for (point, item) in points.iter_mut().zip(items) {
            *point = multiply(item);
        }
        let affine = Jacobian::to_affine_array(points)
            .expect("a multiple by a scalar in [1, n-1] is not infinity: the points have order n");
        out.copy_from_slice(&affine[..out.len()]);
    }
}
