//! The compression function for one stream, on x86-64 with BMI2.
//!
//! Two kernels out of one text: message expansion with AVX, and with AVX-512VL (a rotation and a
//! triple XOR are one instruction there).
//!
//! **The chain.** A block is 64 rounds, and each waits for E of the one before. With
//! `TT2 = GG + H + W + SS1` and `E' = TT2 ^ (TT2 <<< 9) ^ (TT2 <<< 17)` the usual order has seven steps
//! from E to E': GG (2), its addition, TT2, P0 (3). Here the next GG does not wait for E': for
//! `m = F ^ G`,
//!
//! ```text
//! GG = G ^ (E & m) = G ^ (e2 & m) ^ (e01 & m)      e01 = TT2 ^ (TT2 <<< 9), e2 = TT2 <<< 17
//! ```
//!
//! which leaves six: `A <<< 12 + E + T_j` (one three-part `lea`), its rotation, TT2, a rotation, two XORs.
//! `T_j <<< j` is the constant of that `lea`. FF is `(B & C) + (A & (B ^ C))`, so that A, which comes
//! last, has two steps to go. The sums `H + W + GG` and `D + W' + FF` are made for the next round at the
//! end of each.
//!
//! **The expansion** is off the chain: four words of W at a time in XMM registers, some rounds
//! ahead, between the scalar instructions; W and W' go to the stack, where the rounds add them from
//! memory. W(j+3) needs W(j) of the same four: it is first computed without, and
//! `P1(W(j) <<< 15)` added at the end (P1 is linear). The last rounds load the next block.
//!
//! **The order** of the instructions comes from a random search over orders with the same result, timed
//! on Golden Cove: 3 % faster than the first guess. It is assembly because LLVM undoes both the
//! partial sums and the order. Tried there without gain: the three-part `lea` taken apart, so that E
//! joins last (9 % slower; it may pay where such a `lea` takes two cycles); TT2 alone and the XOR of its
//! rotations in place of `e01` and `e2`.
//!
//! Input and output: `count` blocks of 64 bytes, unaligned; the state is read once and written once. No branch
//! and no address depends on data.
#![expect(
    unsafe_code,
    reason = "assembly, and its two calls, each behind the token that it needs"
)]
use core::arch::naked_asm;

use super::consts::t;
use super::{Block, State};
use crate::cpu;

/// CF over `blocks` in their order, message expansion with AVX.
pub(super) fn compress(_: cpu::Bmi2, state: &mut State, blocks: &[Block]) {
    if !blocks.is_empty() {
        // SAFETY: the token proves AVX and BMI2; `state` may be written, and `blocks` holds as many blocks as
        // its length says, at least one.
        unsafe { compress_avx(state, blocks.as_ptr(), blocks.len()) }
    }
}

/// CF over `blocks` in their order, message expansion with AVX-512VL.
pub(super) fn compress_avx512(_: cpu::Bmi2Avx512, state: &mut State, blocks: &[Block]) {
    if !blocks.is_empty() {
        // SAFETY: the token proves BMI2, AVX-512F and AVX-512VL; `state` may be written, and `blocks` holds as
        // many blocks as its length says, at least one.
        unsafe { compress_avx512vl(state, blocks.as_ptr(), blocks.len()) }
    }
}

/// For `vpshufb`: reverses the bytes of every word.
static BYTE_SWAP: [u8; 16] = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];

/// For `vpshufb`: rotates every word left by 8 bits.
static ROTATE_8: [u8; 16] = [3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14];

/// Lines of assembly as one string.
macro_rules! lines {
    ($($line:expr),* $(,)?) => { concat!($($line, "\n"),*) };
}

/// W(j+1), and W'(j+1) = W(j+1) ^ W(j+5), as memory operands: 68 and 64 words from the stack pointer on.
macro_rules! w {
    (next $j:literal) => {
        concat!("dword ptr [rsp + 4*", $j, " + 4]")
    };
    (prime next $j:literal) => {
        concat!("dword ptr [rsp + 4*", $j, " + 276]")
    };
}

/// The registers of A to H, and of `A <<< 12` of this round and the next, in round `j` of four.
macro_rules! with_registers {
    ($round:ident 0 $($rest:tt)*) => {
        $round!("r8d" "r9d" "r10d" "r11d" "r12" "r13d" "r14d" "r15d" "di" "bp" $($rest)*)
    };
    ($round:ident 1 $($rest:tt)*) => {
        $round!("r11d" "r8d" "r9d" "r10d" "r15" "r12d" "r13d" "r14d" "bp" "di" $($rest)*)
    };
    ($round:ident 2 $($rest:tt)*) => {
        $round!("r10d" "r11d" "r8d" "r9d" "r14" "r15d" "r12d" "r13d" "di" "bp" $($rest)*)
    };
    ($round:ident 3 $($rest:tt)*) => {
        $round!("r9d" "r10d" "r11d" "r8d" "r13" "r14d" "r15d" "r12d" "bp" "di" $($rest)*)
    };
}

/// Round `j`, followed by the sums of a round from 16 on: FF is the majority, GG chooses.
///
/// `$s` holds `A <<< 12`, `$h` is H + W + GG and `$d` is D + W' + FF. Four pieces of other work go in
/// between.
macro_rules! late {
    ($a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal
     $s:literal $z:literal $j:literal $p:expr, $q:expr, $r:expr, $t:expr) => {
        lines![
            concat!("lea edx, [r", $s, " + ", $e, " + {", $j, "}]"),
            "rorx edx, edx, 25", // SS1
            concat!("mov eax, ", $e, "d"),
            concat!("rorx ", $f, ", ", $f, ", 13"),
            concat!("xor eax, ", $f), // m of the next round
            concat!("add ", $h, ", edx"), // TT2
            concat!("xor e", $s, ", edx"), // SS2
            $p,
            concat!("rorx ecx, ", $h, ", 23"),
            concat!("add ", $d, ", e", $s), // TT1
            concat!("rorx edx, ", $h, ", 15"), // e2
            concat!("rorx ", $b, ", ", $b, ", 23"),
            "mov ebx, eax",
            concat!("add ", $g, ", ", w!(next $j)),
            "and ebx, edx",
            $q,
            concat!("xor ", $h, ", ecx"), // e01
            concat!("rorx e", $z, ", ", $d, ", 20"),
            concat!("and eax, ", $h),
            concat!("xor ebx, ", $f),
            concat!("xor ", $h, ", edx"), // E of the next round
            "xor ebx, eax",
            concat!("add ", $c, ", ", w!(prime next $j)),
            $r,
            concat!("add ", $g, ", ebx"),
            concat!("mov esi, ", $a),
            concat!("mov e", $s, ", ", $a),
            concat!("and esi, ", $b),
            concat!("add ", $c, ", esi"),
            concat!("xor e", $s, ", ", $b),
            concat!("and e", $s, ", ", $d),
            concat!("add ", $c, ", e", $s),
            $t,
        ]
    };
}

/// Round `j`, followed by the sums of a round below 16: FF and GG are XORs.
macro_rules! early {
    ($a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal
     $s:literal $z:literal $j:literal $p:expr, $q:expr, $r:expr, $t:expr) => {
        lines![
            concat!("lea edx, [r", $s, " + ", $e, " + {", $j, "}]"),
            concat!("mov eax, ", $e, "d"),
            "rorx edx, edx, 25",
            concat!("rorx ", $f, ", ", $f, ", 13"),
            concat!("add ", $h, ", edx"),
            concat!("xor eax, ", $f),
            $p,
            concat!("xor e", $s, ", edx"),
            concat!("add ", $d, ", e", $s),
            concat!("rorx ecx, ", $h, ", 23"),
            concat!("rorx edx, ", $h, ", 15"),
            concat!("rorx ", $b, ", ", $b, ", 23"),
            concat!("add ", $g, ", ", w!(next $j)),
            $q,
            concat!("xor ", $h, ", ecx"),
            concat!("rorx e", $z, ", ", $d, ", 20"),
            concat!("xor ", $h, ", edx"),
            concat!("xor eax, ", $h),
            concat!("add ", $c, ", ", w!(prime next $j)),
            $r,
            concat!("add ", $g, ", eax"),
            concat!("mov e", $s, ", ", $a),
            concat!("xor e", $s, ", ", $b),
            concat!("xor e", $s, ", ", $d),
            concat!("add ", $c, ", e", $s),
            $t,
        ]
    };
}

/// Round 63: no sums for a next one.
macro_rules! last {
    ($a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal
     $s:literal $z:literal $j:literal $p:expr, $q:expr, $r:expr, $t:expr) => {
        lines![
            concat!("lea edx, [r", $s, " + ", $e, " + {", $j, "}]"),
            "rorx edx, edx, 25",
            concat!("rorx ", $f, ", ", $f, ", 13"),
            concat!("add ", $h, ", edx"),
            concat!("xor e", $s, ", edx"),
            concat!("rorx ecx, ", $h, ", 23"),
            concat!("add ", $d, ", e", $s),
            concat!("rorx edx, ", $h, ", 15"),
            concat!("rorx ", $b, ", ", $b, ", 23"),
            concat!("xor ", $h, ", ecx"),
            concat!("xor ", $h, ", edx"),
            $p,
            $q,
            $r,
            $t,
        ]
    };
}

/// What the sums of round 0 are made of. The state is in r8d to r15d.
macro_rules! first_sums {
    () => {
        lines![
            "rorx edi, r8d, 20",
            "add r11d, dword ptr [rsp + 272]",
            "add r15d, dword ptr [rsp]",
            "mov ebx, r8d",
            "xor ebx, r9d",
            "xor ebx, r10d",
            "add r11d, ebx",
            "mov eax, r12d",
            "xor eax, r13d",
            "xor eax, r14d",
            "add r15d, eax",
        ]
    };
}

/// Four rounds, the first three of the kind `$round`, the last of the kind `$fourth`, around 16
/// pieces of other work, `$piece!(i ..)`.
macro_rules! four {
    ($round:ident $fourth:ident $j0:literal $j1:literal $j2:literal $j3:literal $piece:ident $($x:literal)*) => {
        concat!(
            with_registers!($round 0 $j0 $piece!(0 $($x)*), $piece!(1 $($x)*), $piece!(2 $($x)*), $piece!(3 $($x)*)),
            with_registers!($round 1 $j1 $piece!(4 $($x)*), $piece!(5 $($x)*), $piece!(6 $($x)*), $piece!(7 $($x)*)),
            with_registers!($round 2 $j2 $piece!(8 $($x)*), $piece!(9 $($x)*), $piece!(10 $($x)*), $piece!(11 $($x)*)),
            with_registers!($fourth 3 $j3 $piece!(12 $($x)*), $piece!(13 $($x)*), $piece!(14 $($x)*), $piece!(15 $($x)*)),
        )
    };
}

/// An instruction on XMM registers, given by their numbers: destination, sources, perhaps a constant.
macro_rules! xmm {
    ($name:literal $d:literal $a:literal $b:literal) => {
        concat!($name, " xmm", $d, ", xmm", $a, ", xmm", $b)
    };
    ($name:literal $d:literal $a:literal $b:literal, $constant:literal) => {
        concat!($name, " xmm", $d, ", xmm", $a, ", xmm", $b, ", ", $constant)
    };
    ($name:literal $d:literal $a:literal, $constant:literal) => {
        concat!($name, " xmm", $d, ", xmm", $a, ", ", $constant)
    };
}

/// Stores four words: W(4n..) from `$x`, or W'(4n-4..) from `$x`.
macro_rules! store {
    (w $n:literal $x:literal) => {
        concat!("vmovdqa xmmword ptr [rsp + 16*", $n, "], xmm", $x)
    };
    (prime $n:literal $x:literal) => {
        concat!("vmovdqa xmmword ptr [rsp + 16*", $n, " + 256], xmm", $x)
    };
}

/// Piece `i` of 16: W(4n) to W(4n+3) into xmm`$v` from the 16 words before, xmm`$a` to xmm`$d`, with AVX.
macro_rules! expand_avx {
    (0 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpsrldq" 5 $d, 4), xmm!("vpalignr" 6 $c $b, 12)] // W(-3), W(-9)
    };
    (1 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpslld" 7 5, 15), xmm!("vpsrld" 5 5, 17)]
    };
    (2 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpxor" 6 6 $a), xmm!("vpxor" 7 7 5)]
    };
    (3 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpalignr" $v $b $a, 12), xmm!("vpxor" 6 6 7)] // W(-13); x
    };
    (4 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpslld" 7 $v, 7), xmm!("vpsrld" $v $v, 25)]
    };
    (5 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpxor" $v $v 7), xmm!("vpslld" 5 6, 15)]
    };
    (6 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpsrld" 7 6, 17), xmm!("vpxor" 5 5 7)] // x <<< 15
    };
    (7 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpalignr" 7 $d $c, 8), xmm!("vpxor" $v $v 7)] // W(-6)
    };
    (8 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpshufb" 7 5 8), xmm!("vpxor" 5 5 6)] // x <<< 23
    };
    (9 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpxor" $v $v 7), xmm!("vpxor" $v $v 5)]
    };
    // The fourth word: P1(W(0) <<< 15), rotations by 15, 30 and 6 out of two copies in 64 bits.
    (10 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpshufd" 5 $v, 0), xmm!("vpsrlq" 6 5, 17)]
    };
    (11 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpsrlq" 7 5, 2), xmm!("vpsrlq" 5 5, 26)]
    };
    (12 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpxor" 6 6 7), xmm!("vpxor" 6 6 5)]
    };
    (13 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpslldq" 6 6, 12), xmm!("vpxor" $v $v 6)]
    };
    (14 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![store!(w $n $v)]
    };
    (15 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpxor" 5 $v $d), store!(prime $n 5)]
    };
}

/// The same with AVX-512VL; 150 is the truth table of a XOR of three.
macro_rules! expand_avx512 {
    (0 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpsrldq" 5 $d, 4)] // W(-3)
    };
    (1 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpalignr" 6 $c $b, 12)] // W(-9)
    };
    (2 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vprold" 5 5, 15)]
    };
    (3 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpalignr" $v $b $a, 12), xmm!("vpternlogd" 6 $a 5, 150)] // W(-13); x
    };
    (4 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vprold" $v $v, 7)]
    };
    (5 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpalignr" 7 $d $c, 8)] // W(-6)
    };
    (6 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vprold" 5 6, 15)]
    };
    (7 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpternlogd" $v 7 6, 150), xmm!("vprold" 7 6, 23)]
    };
    (8 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpternlogd" $v 7 5, 150)]
    };
    // The fourth word: P1(W(0) <<< 15), rotations by 15, 30 and 6.
    (9 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpslldq" 6 $v, 12)]
    };
    (10 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vprold" 5 6, 15)]
    };
    (11 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vprold" 7 6, 30), xmm!("vprold" 6 6, 6)]
    };
    (12 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpternlogd" $v 5 7, 150)]
    };
    (13 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpxor" $v $v 6)]
    };
    (14 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![store!(w $n $v)]
    };
    (15 $a:literal $b:literal $c:literal $d:literal $v:literal $n:literal) => {
        lines![xmm!("vpxor" 5 $v $d), store!(prime $n 5)]
    };
}

/// The four vectors of the block at rax.
macro_rules! load {
    () => {
        lines![
            "vmovdqu xmm0, xmmword ptr [rax]",
            "vmovdqu xmm1, xmmword ptr [rax + 16]",
            "vmovdqu xmm2, xmmword ptr [rax + 32]",
            "vmovdqu xmm3, xmmword ptr [rax + 48]",
        ]
    };
}

/// Piece `i` of 16: the loaded block as words, W(0) to W(15) and W'(0) to W'(11).
macro_rules! begin {
    (0) => {
        lines![xmm!("vpshufb" 0 0 9)]
    };
    (1) => {
        lines![store!(w 0 0)]
    };
    (2) => {
        lines![xmm!("vpshufb" 1 1 9)]
    };
    (3) => {
        lines![store!(w 1 1)]
    };
    (4) => {
        lines![xmm!("vpxor" 5 0 1)]
    };
    (5) => {
        lines![store!(prime 1 5)]
    };
    (6) => {
        lines![xmm!("vpshufb" 2 2 9)]
    };
    (7) => {
        lines![store!(w 2 2)]
    };
    (8) => {
        lines![xmm!("vpxor" 5 1 2)]
    };
    (9) => {
        lines![store!(prime 2 5)]
    };
    (10) => {
        lines![xmm!("vpshufb" 3 3 9)]
    };
    (11) => {
        lines![store!(w 3 3)]
    };
    (12) => {
        lines![xmm!("vpxor" 5 2 3)]
    };
    (13) => {
        lines![store!(prime 3 5)]
    };
    (14) => {
        ""
    };
    (15) => {
        ""
    };
}

/// No other work.
macro_rules! nothing {
    ($i:literal) => {
        ""
    };
}

/// The whole function; `$expand` makes the pieces of the expansion, `$j` are the 64 rounds.
///
/// On the stack: 68 words W, 64 words W', then (at 528) the state's address, the end of the blocks
/// and the next block; 8 bytes more align it to 16.
macro_rules! kernel {
    ($expand:ident: $($j:literal)*) => {
        naked_asm!(
            "push rbx", "push rbp", "push r12", "push r13", "push r14", "push r15",
            "sub rsp, 552",
            "shl rdx, 6",
            "add rdx, rsi",
            "mov qword ptr [rsp + 528], rdi",
            "mov qword ptr [rsp + 536], rdx",
            "mov qword ptr [rsp + 544], rsi",
            "vmovdqu xmm9, xmmword ptr [rip + {swap}]",
            "vmovdqu xmm8, xmmword ptr [rip + {rotate}]",
            "mov rax, rsi",
            load!(),
            begin!(0), begin!(1), begin!(2), begin!(3), begin!(4), begin!(5), begin!(6), begin!(7),
            begin!(8), begin!(9), begin!(10), begin!(11), begin!(12), begin!(13),
            "mov r8d, dword ptr [rdi]", "mov r9d, dword ptr [rdi + 4]",
            "mov r10d, dword ptr [rdi + 8]", "mov r11d, dword ptr [rdi + 12]",
            "mov r12d, dword ptr [rdi + 16]", "mov r13d, dword ptr [rdi + 20]",
            "mov r14d, dword ptr [rdi + 24]", "mov r15d, dword ptr [rdi + 28]",
            ".p2align 5",
            "2:",
            first_sums!(),
            four!(early early 0 1 2 3 $expand 0 1 2 3 4 4),
            four!(early early 4 5 6 7 $expand 1 2 3 4 0 5),
            four!(early early 8 9 10 11 $expand 2 3 4 0 1 6),
            four!(early late 12 13 14 15 $expand 3 4 0 1 2 7),
            four!(late late 16 17 18 19 $expand 4 0 1 2 3 8),
            four!(late late 20 21 22 23 $expand 0 1 2 3 4 9),
            four!(late late 24 25 26 27 $expand 1 2 3 4 0 10),
            four!(late late 28 29 30 31 $expand 2 3 4 0 1 11),
            four!(late late 32 33 34 35 $expand 3 4 0 1 2 12),
            four!(late late 36 37 38 39 $expand 4 0 1 2 3 13),
            four!(late late 40 41 42 43 $expand 0 1 2 3 4 14),
            four!(late late 44 45 46 47 $expand 1 2 3 4 0 15),
            four!(late late 48 49 50 51 $expand 2 3 4 0 1 16),
            // The next block; the last one once more when there is none.
            "mov rax, qword ptr [rsp + 544]",
            "lea rbx, [rax + 64]",
            "mov qword ptr [rsp + 544], rbx",
            "cmp rbx, qword ptr [rsp + 536]",
            "cmovne rax, rbx",
            load!(),
            four!(late late 52 53 54 55 nothing),
            four!(late late 56 57 58 59 begin),
            four!(late last 60 61 62 63 nothing),
            "mov rdi, qword ptr [rsp + 528]",
            "xor r8d, dword ptr [rdi]", "xor r9d, dword ptr [rdi + 4]",
            "xor r10d, dword ptr [rdi + 8]", "xor r11d, dword ptr [rdi + 12]",
            "xor r12d, dword ptr [rdi + 16]", "xor r13d, dword ptr [rdi + 20]",
            "xor r14d, dword ptr [rdi + 24]", "xor r15d, dword ptr [rdi + 28]",
            "mov dword ptr [rdi], r8d", "mov dword ptr [rdi + 4], r9d",
            "mov dword ptr [rdi + 8], r10d", "mov dword ptr [rdi + 12], r11d",
            "mov dword ptr [rdi + 16], r12d", "mov dword ptr [rdi + 20], r13d",
            "mov dword ptr [rdi + 24], r14d", "mov dword ptr [rdi + 28], r15d",
            "mov rax, qword ptr [rsp + 544]",
            "cmp rax, qword ptr [rsp + 536]",
            "jne 2b",
            "add rsp, 552",
            "pop r15", "pop r14", "pop r13", "pop r12", "pop rbp", "pop rbx",
            "ret",
            $(const t($j) as i32,)*
            swap = sym BYTE_SWAP,
            rotate = sym ROTATE_8,
        )
    };
}

/// # Safety
/// The processor has AVX and BMI2; `state` may be written; `blocks` begins `count` blocks, at least one.
#[unsafe(naked)]
unsafe extern "sysv64" fn compress_avx(state: &mut State, blocks: *const Block, count: usize) {
    kernel!(expand_avx: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
        32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63)
}

/// # Safety
/// The processor has AVX, BMI2, AVX-512F and AVX-512VL; `state` may be written; `blocks` begins `count` blocks, at least
/// one.
#[unsafe(naked)]
unsafe extern "sysv64" fn compress_avx512vl(state: &mut State, blocks: *const Block, count: usize) {
    kernel!(expand_avx512: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
        32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63)
}
