//! Formats numbers with as many digits as their interval justifies.

use bouquet_record::units::{self, trimmed};
use bouquet_stats::Interval;

/// An integer with thousands separators.
pub fn count(n: u64) -> String {
    units::grouped(n, ',')
}

/// A number with `decimals` decimals and thousands separators.
pub fn decimal(x: f64, decimals: usize) -> String {
    match x {
        f64::INFINITY => return "∞".into(),
        f64::NEG_INFINITY => return "-∞".into(),
        x if x.is_nan() => return "–".into(),
        _ => {}
    }
    let text = format!("{:.decimals$}", x.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let is_zero = !text.contains(|c| ('1'..='9').contains(&c));
    let sign = if x < 0.0 && !is_zero { "-" } else { "" };
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), count);
    format!("{sign}{whole}{rest}")
}

/// A number with `digits` significant digits, without trailing zeros; small numbers as 6.7e-5.
pub fn significant(x: f64, digits: usize) -> String {
    match x != 0.0 && x.abs() < 1e-3 {
        true => scientific(x, digits),
        false => significant_plain(x, digits),
    }
}

/// A number in the form 6.7e-5, without trailing zeros.
fn scientific(x: f64, digits: usize) -> String {
    let text = format!("{x:.*e}", digits.saturating_sub(1));
    match text.split_once('e') {
        Some((mantissa, exponent)) => format!("{}e{exponent}", trimmed(mantissa)),
        None => text,
    }
}

/// A count with its share of the whole: "3 of 100 (3 %)"; a count of 0 is "0".
pub fn part(some: u64, whole: u64) -> String {
    let share = share(some as f64 / whole as f64, 2);
    match some {
        0 => "0".to_owned(),
        some => format!("{} of {} ({share})", count(some), count(whole)),
    }
}

/// Joins names as in "a", "a and b", "a, b and c".
pub fn listed<T: AsRef<str>>(names: impl IntoIterator<Item = T>) -> String {
    let mut names: Vec<T> = names.into_iter().collect();
    match (names.pop(), joined(names, ", ").as_str()) {
        (None, _) => String::new(),
        (Some(last), "") => last.as_ref().to_owned(),
        (Some(last), first) => format!("{first} and {}", last.as_ref()),
    }
}

/// Joins words with `between`.
pub fn joined<T: AsRef<str>>(words: impl IntoIterator<Item = T>, between: &str) -> String {
    let words: Vec<T> = words.into_iter().collect();
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    words.join(between)
}

/// Capitalizes the first letter; the rest stays.
pub fn capital(words: &str) -> String {
    let mut chars = words.chars();
    chars
        .next()
        .map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

/// The power of ten of the first digit.
fn magnitude(x: f64) -> i32 {
    x.abs().log10().floor() as i32
}

/// The number of decimals that shows this half-width with one digit, or with two if it begins with
/// 1 or 2.
fn decimals_for(half_width: f64) -> usize {
    if half_width <= 0.0 || !half_width.is_finite() {
        return 3;
    }
    let first = magnitude(half_width);
    let is_low = half_width / 10_f64.powi(first) < 3.0;
    (i32::from(is_low) - first).clamp(0, 12) as usize
}

/// A share: in percent if it is at least 0.001 %, else as 6.7e-6.
pub fn share(x: f64, digits: usize) -> String {
    match x != 0.0 && x.abs() < 1e-5 {
        true => scientific(x, digits),
        false => percent(x, digits),
    }
}

/// A share in percent, however small.
pub fn percent(x: f64, digits: usize) -> String {
    format!("{} %", significant_plain(x * 100.0, digits))
}

/// Like [`significant`], but never scientific.
fn significant_plain(x: f64, digits: usize) -> String {
    if x == 0.0 || !x.is_finite() {
        return decimal(x, 0);
    }
    let rounded: f64 = scientific(x, digits).parse().unwrap_or(x);
    let decimals = (digits as i32 - 1 - magnitude(rounded)).max(0) as usize;
    trimmed(&decimal(rounded, decimals)).into()
}

/// "1.004 % (0.998 to 1.010)"; without any hit "< 3e-7 (95 %)", never 0.
pub fn measured_with_interval(x: f64, interval: Interval) -> String {
    match measured_parts(x, interval) {
        (value, Some((low, high))) => format!("{value} ({low} to {high})"),
        (value, None) => value,
    }
}

/// "1.004 %", with as many digits as the interval justifies.
pub fn measured(x: f64, interval: Interval) -> String {
    measured_parts(x, interval).0
}

/// A share with the number of digits that its interval justifies, and the ends of the interval;
/// without any hit only the upper bound, rounded up: in percent if it is at least 0.1 %.
fn measured_parts(x: f64, interval: Interval) -> (String, Option<(String, String)>) {
    let Interval { low, high } = interval;
    if x == 0.0 {
        let bound = match high < 1e-3 {
            true => scientific(high, 1),
            false => format!("{} %", trimmed(&decimal((high * 1000.0).ceil() / 10.0, 1))),
        };
        return (format!("< {bound} (95 %)"), None);
    }
    if x < 1e-5 {
        let digits = (1 + magnitude(x) - magnitude(interval.half_width())).clamp(1, 6) as usize;
        let text = |v: f64| scientific(v, digits);
        return (text(x), Some((text(low), text(high))));
    }
    let decimals = decimals_for(interval.half_width() * 100.0);
    let text = |v: f64| decimal(v * 100.0, decimals);
    (format!("{} %", text(x)), Some((text(low), text(high))))
}

/// A p-value with two digits, but never a plain 0 or 1.
pub fn p_value(p: f64) -> String {
    match p {
        p if p < 1e-99 => "< 1e-99".into(),
        p if p > 0.99 => "> 0.99".into(),
        p => significant(p, 2),
    }
}

/// A count with its noun: "1 key", "2 keys".
pub fn plural(n: u64, what: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{} {what}{s}", count(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn interval(low: f64, high: f64) -> Interval {
        Interval { low, high }
    }

    #[test]
    fn thousands_are_separated() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(9_585_059), "9,585,059");
        assert_eq!(count(u64::MAX), "18,446,744,073,709,551,615");
        assert_eq!(decimal(12_345.678, 1), "12,345.7");
        assert_eq!(decimal(-0.001, 1), "0.0");
        assert_eq!(decimal(-1.25, 1), "-1.2");
        assert_eq!(decimal(f64::NAN, 2), "–");
    }

    #[test]
    fn digits_are_significant() {
        assert_eq!(significant(0.010041, 3), "0.01");
        assert_eq!(significant(9.996, 3), "10");
        assert_eq!(significant(1234.5, 2), "1,200");
        assert_eq!(significant(6.71e-5, 2), "6.7e-5");
        assert_eq!(significant(0.0, 3), "0");
        assert_eq!(share(0.01, 3), "1 %");
        assert_eq!(share(0.010_039_2, 4), "1.004 %");
        assert_eq!(share(6.71e-5, 3), "0.00671 %");
        assert_eq!(share(9.3e-7, 2), "9.3e-7");
        assert_eq!(share(0.001, 3), "0.1 %");
    }

    #[test]
    fn a_measurement_shows_what_its_interval_carries() {
        let got = measured_with_interval(0.010_041, interval(0.009_979, 0.010_103));
        assert_eq!(got, "1.004 % (0.998 to 1.010)");
        let got = measured_with_interval(0.010_041, interval(0.009, 0.0111));
        assert_eq!(got, "1.00 % (0.90 to 1.11)");
        let got = measured_with_interval(6.1e-7, interval(4.1e-7, 8.2e-7));
        assert_eq!(got, "6e-7 (4e-7 to 8e-7)");
    }

    #[test]
    fn no_hit_is_a_bound() {
        let got = measured_with_interval(0.0, interval(0.0, 2.995_7e-7));
        assert_eq!(got, "< 3e-7 (95 %)");
        let got = measured_with_interval(0.0, interval(0.0, 0.312_3));
        assert_eq!(got, "< 31.3 % (95 %)");
    }

    #[test]
    fn counts_and_lists_in_words() {
        assert_eq!(listed(["a"]), "a");
        assert_eq!(listed(["a", "b", "c"]), "a, b and c");
        assert_eq!(listed::<&str>([]), "");
        assert_eq!(capital("at 2"), "At 2");
    }

    #[test]
    fn p_values_have_no_false_certainty() {
        assert_eq!(p_value(0.0), "< 1e-99");
        assert_eq!(p_value(1.0), "> 0.99");
        assert_eq!(p_value(0.034_56), "0.035");
        assert_eq!(p_value(4.2e-7), "4.2e-7");
    }
}
