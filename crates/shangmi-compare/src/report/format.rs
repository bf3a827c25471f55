//! Numbers as people read them: three significant digits, a unit, thousands set apart.

/// The sign for "there is no such number".
pub(crate) const ABSENT: &str = "—";

/// `value` to three significant digits, with thousands set apart: `0.0457`, `1.82`, `620`, `31,200`.
pub(crate) fn significant(value: f64) -> String {
    if !value.is_finite() {
        return ABSENT.to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let magnitude = value.abs().log10().floor() as i32;
    let unit = 10f64.powi(magnitude - 2);
    let rounded = (value / unit).round() * unit;
    // Rounding may have carried into the next decade: 9.996 is 10.0, not 10.00.
    let magnitude = (rounded.abs() * (1.0 + 1e-12)).log10().floor() as i32;
    let decimals = (2 - magnitude).clamp(0, 9) as usize;
    thousands(&format!("{rounded:.decimals$}"))
}

/// A whole number with thousands set apart.
pub(crate) fn whole(value: u64) -> String {
    thousands(&value.to_string())
}

fn thousands(number: &str) -> String {
    let (sign, number) = number.strip_prefix('-').map_or(("", number), |n| ("-", n));
    let (integer, fraction) = number.split_once('.').unwrap_or((number, ""));
    let mut out = String::from(sign);
    for (i, digit) in integer.chars().enumerate() {
        if i > 0 && (integer.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if !fraction.is_empty() {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

/// A length as it is usually said: `64 B`, `4 KiB`, `10 MB`.
pub(crate) fn bytes(value: u64) -> String {
    const UNITS: [(u64, &str); 6] = [
        (1 << 30, "GiB"),
        (1_000_000_000, "GB"),
        (1 << 20, "MiB"),
        (1_000_000, "MB"),
        (1 << 10, "KiB"),
        (10_000, "kB"),
    ];
    for (unit, name) in UNITS {
        if value >= unit && value.is_multiple_of(unit) {
            // 10 kB and its multiples only: 1000 B and 2000 B stay in bytes.
            let unit = if name == "kB" { 1000 } else { unit };
            return format!("{} {name}", whole(value / unit));
        }
    }
    format!("{} B", whole(value))
}

/// Memory of a machine: `15.6 GiB`.
pub(crate) fn memory(value: u64) -> String {
    format!("{} GiB", significant(value as f64 / (1u64 << 30) as f64))
}

/// A time in the unit that suits it: `812 ns`, `31.4 µs`, `2.05 ms`, `1.20 s`.
pub(crate) fn nanoseconds(value: f64) -> String {
    let (scale, unit) = match value.abs() {
        v if v < 999.5 => (1.0, "ns"),
        v if v < 999.5e3 => (1e3, "µs"),
        v if v < 999.5e6 => (1e6, "ms"),
        _ => (1e9, "s"),
    };
    format!("{} {unit}", significant(value / scale))
}

/// Bytes in a second as decimal megabytes, without the unit.
pub(crate) fn megabytes(bytes_per_second: f64) -> String {
    significant(bytes_per_second / 1e6)
}

/// How many times: at most two decimals, fewer as the number grows.
pub(crate) fn times(ratio: f64) -> String {
    significant(ratio)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_significant_digits() {
        for (value, expected) in [
            (0.0, "0"),
            (0.045_67, "0.0457"),
            (1.0, "1.00"),
            (1.824, "1.82"),
            (9.996, "10.0"),
            (99.96, "100"),
            (620.4, "620"),
            (999.6, "1,000"),
            (1153.0, "1,150"),
            (31_234.0, "31,200"),
            (1_234_567.0, "1,230,000"),
            (-12.34, "-12.3"),
            (f64::NAN, ABSENT),
            (f64::INFINITY, ABSENT),
        ] {
            assert_eq!(significant(value), expected, "{value}");
        }
    }

    #[test]
    fn lengths_keep_their_own_unit() {
        for (value, expected) in [
            (0, "0 B"),
            (8, "8 B"),
            (1000, "1,000 B"),
            (1024, "1 KiB"),
            (10_000, "10 kB"),
            (16_384, "16 KiB"),
            (1 << 20, "1 MiB"),
            (1_000_000, "1 MB"),
            (100_000_000, "100 MB"),
            (1_000_000_000, "1 GB"),
            (1 << 30, "1 GiB"),
        ] {
            assert_eq!(bytes(value), expected);
        }
    }

    #[test]
    fn times_change_unit_at_a_thousand() {
        assert_eq!(nanoseconds(812.4), "812 ns");
        assert_eq!(nanoseconds(999.7), "1.00 µs");
        assert_eq!(nanoseconds(31_400.0), "31.4 µs");
        assert_eq!(nanoseconds(2_050_000.0), "2.05 ms");
        assert_eq!(nanoseconds(1.2e9), "1.20 s");
    }
}
