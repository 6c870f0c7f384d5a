//! Formats times and byte counts in a suitable unit, and computes digests.

use sha2::{Digest, Sha256};

/// A time with at most three digits: 12.3 us.
pub fn time(ns: f64) -> String {
    let (number, unit) = match ns {
        ns if ns < 1e3 => (ns, "ns"),
        ns if ns < 1e6 => (ns / 1e3, "us"),
        ns if ns < 1e9 => (ns / 1e6, "ms"),
        ns if ns < 120e9 => (ns / 1e9, "s"),
        ns if ns < 7_200e9 => (ns / 60e9, "min"),
        ns => (ns / 3_600e9, "h"),
    };
    let digits = match number {
        number if number < 9.995 => 2,
        number if number < 99.95 => 1,
        _ => 0,
    };
    format!("{} {unit}", trimmed(&format!("{number:.digits$}")))
}

/// A number without trailing zeros after the decimal point.
pub fn trimmed(number: &str) -> &str {
    if number.contains('.') {
        number.trim_end_matches('0').trim_end_matches('.')
    } else {
        number
    }
}

/// An integer with the character `between` as thousands separator.
pub fn grouped(n: u64, between: char) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(between);
        }
        out.push(digit);
    }
    out
}

/// Formats bytes in a suitable unit: numbers below ten with two decimals, others with one, and
/// plain bytes with none.
pub fn bytes(bytes: f64) -> String {
    let (unit, name, decimals) = unit_of(bytes);
    format!("{:.decimals$} {name}", bytes / unit)
}

/// Rounds up to the nearest number of bytes that [`bytes`] shows exactly.
pub fn bytes_up(bytes: f64) -> f64 {
    let (unit, _, decimals) = unit_of(bytes);
    let steps = 10_f64.powi(decimals as i32);
    (bytes / unit * steps).ceil() / steps * unit
}

/// The unit for this number of bytes: its size in bytes, its name, and the decimals to show.
fn unit_of(bytes: f64) -> (f64, &'static str, usize) {
    let units = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)];
    let units = units.map(|(name, power)| (f64::from(power).exp2(), name));
    match units.into_iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) if bytes < 10.0 * unit => (unit, name, 2),
        Some((unit, name)) => (unit, name, 1),
        None => (1.0, "B", 0),
    }
}

/// The SHA-256 of bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_and_a_unit() {
        for (ns, want) in [
            (1.0, "1 ns"),
            (2_500.0, "2.5 us"),
            (12_340.0, "12.3 us"),
            (100e3, "100 us"),
            (9.999e6, "10 ms"),
            (1e9, "1 s"),
            (7.2e12, "2 h"),
        ] {
            assert_eq!(time(ns), want);
        }
    }

    #[test]
    fn what_is_rounded_up_is_read_as_no_less() {
        assert_eq!(
            (bytes(1_536.0), bytes(10.0)),
            ("1.50 KiB".into(), "10 B".into())
        );
        for exact in [
            10.2,
            1_024.1,
            1_500_001.0,
            33_333_333.3,
            9.999 * 1_048_576.0,
        ] {
            let up = bytes_up(exact);
            assert!(up >= exact && up < 1.02 * exact + 1.0, "{exact} {up}");
            assert_eq!(bytes(up), bytes(bytes_up(up)), "{exact}");
        }
    }
}
