//! Formats estimates and numbers, with as many digits as the confidence interval justifies.

use bouquet_record::units::{self, trimmed};
use bouquet_stats::{Interval, median, proportion};

/// The confidence level of every interval shown.
pub const CONFIDENCE: f64 = 0.95;

/// A measured value with its confidence interval. If the value is exact, both ends equal it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Estimate {
    pub fn new(value: f64, [low, high]: [f64; 2]) -> Self {
        Self { value, low, high }
    }

    pub fn exact(value: f64) -> Self {
        Self::new(value, [value; 2])
    }

    /// The share of `hits` among `asked` queries.
    pub fn share(hits: u64, asked: u64) -> Self {
        let Interval { low, high } = proportion(hits, asked, CONFIDENCE);
        Self::new(hits as f64 / asked.max(1) as f64, [low, high])
    }

    /// The median of the values; `None` if there are none.
    pub fn median(values: impl Iterator<Item = f64>) -> Option<Self> {
        let (value, interval) = median(&values.collect::<Vec<f64>>(), CONFIDENCE)?;
        Some(Self::new(value, [interval.low, interval.high]))
    }

    /// The estimate divided by a known number.
    pub fn over(self, whole: f64) -> Self {
        Self::new(self.value / whole, [self.low / whole, self.high / whole])
    }

    /// The ends of the interval; `None` if the value is exact.
    pub fn ends(self) -> Option<[f64; 2]> {
        (self.low < self.high).then_some([self.low, self.high])
    }

    /// Formats a share without its interval, with as many digits as the interval justifies.
    pub fn in_short(self) -> String {
        self.parts().0
    }

    /// Formats a share, such as "1.004 % (0.998 to 1.010)", or "< 3e-7 (95 %)" if there was no hit.
    pub fn in_words(self) -> String {
        let (value, interval) = self.parts();
        value + &interval
    }

    /// Formats a share and its interval. If there was no hit, only the upper bound is shown; a
    /// bound of at least 0.1 % is in percent, rounded up.
    fn parts(self) -> (String, String) {
        let Self { value, low, high } = self;
        if value == 0.0 {
            let bound = match high < 1e-3 {
                true => scientific(high, 1),
                false => format!("{} %", trimmed(&decimal((high * 1000.0).ceil() / 10.0, 1))),
            };
            return (format!("< {bound} (95 %)"), String::new());
        }
        let half = (high - low) / 2.0;
        let is_small = value < 1e-5;
        let digits = (1 + magnitude(value) - magnitude(half)).clamp(1, 6) as usize;
        let text = |x: f64| match is_small {
            true => scientific(x, digits),
            false => decimal(x * 100.0, decimals_for(half * 100.0)),
        };
        let interval = format!(" ({} to {})", text(low), text(high));
        (text(value) + if is_small { "" } else { " %" }, interval)
    }

    /// The value with its interval, each number formatted by `of`.
    pub fn words(self, of: impl Fn(f64) -> String) -> String {
        let value = of(self.value);
        match self.ends().map(|ends| ends.map(of)) {
            Some([low, high]) => format!("{value} ({low} to {high})"),
            None => value,
        }
    }
}

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

/// A number with `digits` significant digits, without trailing zeros; as 6.7e-5 if below 0.001.
pub fn significant(x: f64, digits: usize) -> String {
    match x != 0.0 && x.abs() < 1e-3 {
        true => scientific(x, digits),
        false => significant_plain(x, digits),
    }
}

/// A number in the form 6.7e-5, without trailing zeros.
fn scientific(x: f64, digits: usize) -> String {
    let text = format!("{x:.*e}", digits.saturating_sub(1));
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{}e{exponent}", trimmed(mantissa))
}

pub fn joined<T: AsRef<str>>(words: impl IntoIterator<Item = T>, between: &str) -> String {
    let words: Vec<T> = words.into_iter().collect();
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    words.join(between)
}

pub fn capital(words: &str) -> String {
    let (first, rest) = words.split_at(words.chars().next().map_or(0, char::len_utf8));
    first.to_uppercase() + rest
}

/// The decimal exponent of a number: 2 for 345, and -3 for 0.0012.
fn magnitude(x: f64) -> i32 {
    x.abs().log10().floor() as i32
}

/// The number of decimals that shows a half-width with one significant digit, or with two if the
/// first digit is 1 or 2.
fn decimals_for(half_width: f64) -> usize {
    if half_width <= 0.0 || !half_width.is_finite() {
        return 3;
    }
    let first = magnitude(half_width);
    let is_low = half_width / 10_f64.powi(first) < 3.0;
    (i32::from(is_low) - first).clamp(0, 12) as usize
}

/// Formats a share: in percent if it is at least 0.001 %, else as 6.7e-6.
pub fn share(x: f64, digits: usize) -> String {
    match x != 0.0 && x.abs() < 1e-5 {
        true => scientific(x, digits),
        false => percent(x, digits),
    }
}

/// Formats a share in percent, however small it is.
pub fn percent(x: f64, digits: usize) -> String {
    format!("{} %", significant_plain(x * 100.0, digits))
}

/// Like [`significant`], but never in the form 6.7e-5.
fn significant_plain(x: f64, digits: usize) -> String {
    if x == 0.0 || !x.is_finite() {
        return decimal(x, 0);
    }
    let rounded: f64 = scientific(x, digits).parse().unwrap_or(x);
    let decimals = (digits as i32 - 1 - magnitude(rounded)).max(0) as usize;
    trimmed(&decimal(rounded, decimals)).into()
}

/// A p-value with two digits. Near 0 and 1 a bound is shown, because no p-value is certain.
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

    fn measured(value: f64, ends: [f64; 2]) -> String {
        Estimate::new(value, ends).in_words()
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
        let got = measured(0.010_041, [0.009_979, 0.010_103]);
        assert_eq!(got, "1.004 % (0.998 to 1.010)");
        let got = measured(0.010_041, [0.009, 0.0111]);
        assert_eq!(got, "1.00 % (0.90 to 1.11)");
        let got = measured(6.1e-7, [4.1e-7, 8.2e-7]);
        assert_eq!(got, "6e-7 (4e-7 to 8e-7)");
    }

    #[test]
    fn no_hit_is_a_bound() {
        let got = measured(0.0, [0.0, 2.995_7e-7]);
        assert_eq!(got, "< 3e-7 (95 %)");
        let got = measured(0.0, [0.0, 0.312_3]);
        assert_eq!(got, "< 31.3 % (95 %)");
    }

    #[test]
    fn words_are_capitalized() {
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
