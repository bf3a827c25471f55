//! The constants of SM3.
use super::State;

/// IV, the state before the first block (GB/T 32905-2016, 4.1).
pub(super) const IV: State = [
    0x7380_166f,
    0x4914_b2b9,
    0x1724_42d7,
    0xda8a_0600,
    0xa96f_30bc,
    0x1631_38aa,
    0xe38d_ee4d,
    0xb0fb_0e4e,
];

/// `T_j <<< j`, the constant of round `j`, as the round adds it (GB/T 32905-2016, 4.2 and 5.3.3).
///
/// Evaluated at compile time: a round then adds a number instead of rotating one.
pub(super) const fn t(j: usize) -> u32 {
    let t: u32 = if j < 16 { 0x79cc_4519 } else { 0x7a87_9d8a };
    t.rotate_left((j % 32) as u32)
}
