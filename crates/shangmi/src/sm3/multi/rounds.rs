//! The compression function over lanes, as text that every backend compiles with its own instructions.
//!
//! A value holds the same word of every lane, so that the rounds read as
//! for one message. The backend has in scope: `add`, `xor`, `xor3`, `rol::<N>`, `majority`, `choose`, `p0`, `p1`
//! and `splat`.

/// Round `$j` on the state `$s` and the window `$w`; word A of round j is `s[-j mod 4]`.
macro_rules! round {
    ($s:ident $w:ident $j:literal $ff:ident $gg:ident) => {{
        const AT: [usize; 4] = {
            let j: usize = $j;
            let at = 0_usize.wrapping_sub(j);
            [
                at & 3,
                at.wrapping_add(1) & 3,
                at.wrapping_add(2) & 3,
                at.wrapping_add(3) & 3,
            ]
        };
        let [a, b, c, d] = [$s[AT[0]], $s[AT[1]], $s[AT[2]], $s[AT[3]]];
        let [e, f, g, h] = [$s[4 + AT[0]], $s[4 + AT[1]], $s[4 + AT[2]], $s[4 + AT[3]]];
        let (w, w4) = ($w[$j & 15], $w[($j + 4) & 15]);
        let a12 = rol::<12>(a);
        let ss1 = rol::<7>(add(add(a12, splat(const { t($j) })), e));
        let tt1 = add(add($ff(a, b, c), d), add(xor(w, w4), xor(ss1, a12)));
        let tt2 = add(add($gg(e, f, g), add(h, w)), ss1);
        $s[AT[3]] = tt1;
        $s[AT[1]] = rol::<9>(b);
        $s[4 + AT[3]] = p0(tt2);
        $s[4 + AT[1]] = rol::<19>(f);
    }};
}

/// W(j+4) in the place of W(j-12).
macro_rules! expand {
    ($w:ident $j:literal) => {{
        let x = xor3(
            $w[($j + 4) & 15],
            $w[($j + 11) & 15],
            rol::<15>($w[($j + 1) & 15]),
        );
        $w[($j + 4) & 15] = xor3(p1(x), rol::<7>($w[($j + 7) & 15]), $w[($j + 14) & 15]);
    }};
}

/// All rounds of the chains `[s w, ..]`, taken in turns: the state `s` becomes the permuted state,
/// before it is XORed to the one before; `w` is the window.
macro_rules! rounds {
    ($chains:tt) => {
        rounds!(early $chains: 0 1 2 3 4 5 6 7 8 9 10 11);
        rounds!(middle $chains: 12 13 14 15);
        rounds!(late $chains: 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
        rounds!(late $chains: 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47);
        rounds!(late $chains: 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);
    };
    ($kind:ident $chains:tt: $($j:literal)*) => { $( rounds!($kind $chains $j); )* };
    (early [$($s:ident $w:ident),+] $j:literal) => { $( round!($s $w $j xor3 xor3); )+ };
    (middle [$($s:ident $w:ident),+] $j:literal) => {
        $( expand!($w $j); round!($s $w $j xor3 xor3); )+
    };
    (late [$($s:ident $w:ident),+] $j:literal) => {
        $( expand!($w $j); round!($s $w $j majority choose); )+
    };
}

pub(super) use {expand, round, rounds};
