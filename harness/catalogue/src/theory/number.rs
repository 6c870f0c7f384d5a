//! Parses numbers and ranges of numbers on the command line, for all flags. Numbers are written as
//! `1000000`, `1_000_000`, `1e6`, `1M`, `1.5k`, `64Ki` or `2^20`; shares also as `1%`; and bytes
//! also as `16MiB` or `1.5 GB`.

/// One or several values of a flag.
#[derive(Clone, PartialEq, Debug)]
pub struct Range<T>(pub Vec<T>);

/// How a range `a..b` proceeds from its first value to its last.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Steps {
    /// Multiplies by ten.
    Decades,
    /// Adds this much.
    By(f64),
}

/// The largest number of values in a range; more are considered a typing error.
const MOST_VALUES: usize = 10_000;

/// A parser for whole numbers and ranges of them.
pub fn counts<T: TryFrom<u64> + Copy>(
    steps: Steps,
) -> impl Fn(&str) -> Result<Range<T>, String> + Clone {
    move |text| {
        values(text, steps, whole, real, |value| {
            let value = (value >= 0.0 && value < 2f64.powi(64)).then(|| value.round() as u64);
            T::try_from(value?).ok()
        })
    }
}

/// A parser for real numbers and ranges of them.
pub fn reals(steps: Steps) -> impl Fn(&str) -> Result<Range<f64>, String> + Clone {
    move |text| values(text, steps, real, real, Some)
}

/// A parser for shares, which may be percentages, and ranges of them.
pub fn shares(steps: Steps) -> impl Fn(&str) -> Result<Range<f64>, String> + Clone {
    move |text| values(text, steps, share, share, Some)
}

/// Parses one value (`a`), a list (`a,b,c`) or a range (`a..b`).
fn values<T: Copy>(
    text: &str,
    steps: Steps,
    parse: impl Fn(&str) -> Result<T, String>,
    real: impl Fn(&str) -> Result<f64, String>,
    of_real: impl Fn(f64) -> Option<T>,
) -> Result<Range<T>, String> {
    let Some((first, last)) = text.split_once("..") else {
        return text
            .split(',')
            .map(parse)
            .collect::<Result<_, _>>()
            .map(Range);
    };
    // The two ends are parsed exactly by `parse`; the values between them are computed as real
    // numbers.
    let ends = [parse(first)?, parse(last)?];
    let between = between(real(first)?, real(last)?, steps)?;
    let mut values = vec![ends[0]];
    values.extend(between.into_iter().filter_map(of_real));
    values.push(ends[1]);
    if real(first)? == real(last)? {
        values.truncate(1);
    }
    Ok(Range(values))
}

/// The values strictly between the two ends, in ascending or descending order.
fn between(first: f64, last: f64, steps: Steps) -> Result<Vec<f64>, String> {
    let up = first <= last;
    if !matches!(steps, Steps::By(_)) && (first <= 0.0 || last <= 0.0) {
        return Err("a range that goes by factors begins and ends above 0".into());
    }
    let step = |i: usize| match steps {
        Steps::Decades => shifted(first, if up { i as i32 } else { -(i as i32) }),
        // Rounded to twelve decimal places, so that three times 0.1 is 0.3.
        Steps::By(step) => {
            let value = first + if up { step } else { -step } * i as f64;
            (value * 1e12).round() / 1e12
        }
    };
    let before_the_end = |value: &f64| if up { *value < last } else { *value > last };
    let values: Vec<f64> = (1..=MOST_VALUES)
        .map(step)
        .take_while(before_the_end)
        .collect();
    if values.len() == MOST_VALUES {
        return Err(format!("more than {MOST_VALUES} values"));
    }
    Ok(values)
}

/// Shifts the decimal point by `by` digits, without rounding errors.
fn shifted(value: f64, by: i32) -> f64 {
    let text = format!("{value:e}");
    let parts = text.split_once('e').and_then(|(digits, exponent)| {
        let exponent: i32 = exponent.parse().ok()?;
        format!("{digits}e{}", exponent + by).parse().ok()
    });
    parts.unwrap_or(value * 10f64.powi(by))
}

/// The suffixes of numbers and their factors.
const FACTORS: [(&str, u64); 8] = [
    ("Ki", 1 << 10),
    ("Mi", 1 << 20),
    ("Gi", 1 << 30),
    ("Ti", 1 << 40),
    ("k", 1_000),
    ("M", 1_000_000),
    ("G", 1_000_000_000),
    ("T", 1_000_000_000_000),
];

fn cut(text: &str) -> (&str, u64) {
    let cut =
        |(letters, factor): &(&str, u64)| Some((text.strip_suffix(letters)?.trim_end(), *factor));
    FACTORS.iter().find_map(cut).unwrap_or((text, 1))
}

/// Parses a number: a power of two such as `2^20`, or digits with optional `_` between them,
/// decimal point, exponent of ten and suffix.
pub fn real(text: &str) -> Result<f64, String> {
    let value = match text.strip_prefix("2^") {
        Some(power) => power.parse().ok().map(f64::exp2),
        None => {
            let (digits, factor) = cut(text);
            let digits = plain(digits);
            digits.and_then(|digits| Some(digits.parse::<f64>().ok()? * factor as f64))
        }
    };
    match value {
        Some(value) if value.is_finite() => Ok(value),
        Some(_) => Err(format!("{text} is too large")),
        None => Err(format!(
            "{text:?} is not a number such as 0.01, 1e-6, 9.585 or 2^10"
        )),
    }
}

/// Parses a share, which may be a percentage: `0.01`, `1e-6`, `1%`. The caller checks its range.
pub fn share(text: &str) -> Result<f64, String> {
    match text.strip_suffix('%') {
        Some(percent) => real(percent.trim_end()).map(|percent| shifted(percent, -2)),
        None => real(text),
    }
}

/// Parses a share strictly between 0 and 1, such as a target FPR.
pub fn fpr(text: &str) -> Result<f64, String> {
    match share(text)? {
        share if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err(format!("{text} is not between 0 and 1: 0.01 is 1 %")),
    }
}

/// Parses a number of bytes: `4096`, `16MiB`, `1.5 GB`.
pub fn bytes(text: &str) -> Result<f64, String> {
    real(text.strip_suffix('B').unwrap_or(text).trim_end())
        .map_err(|_| format!("{text:?} is no number of bytes such as 4096, 16MiB or 1.5GB"))
}

/// Parses a whole number; if it is written in digits alone, it is exact to the last digit.
pub fn whole<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let not_whole = || {
        format!(
            "{text:?} is not a whole number such as 1000000, 1_000_000, 1e6, 1.5M, 64Ki or 2^20"
        )
    };
    if let Some(power) = text.strip_prefix("2^") {
        let power = power.parse().ok().and_then(|power| 1u64.checked_shl(power));
        return fitting(power.ok_or_else(|| format!("{text} is none of 2^0 to 2^63"))?);
    }
    if let Some(value) = plain(text).and_then(|digits| digits.parse().ok()) {
        return fitting(value);
    }
    let value = real(text).map_err(|_| not_whole())?;
    // Rounding may make the value differ slightly from a whole number, as for 1.1k.
    if (value - value.round()).abs() > 1e-9 * value.abs() {
        return Err(not_whole());
    }
    match value.round() {
        value if value < 0.0 => Err(format!(
            "{text} is below 0: give a whole number such as 1000000"
        )),
        value if value < 2f64.powi(64) => fitting(value as u64),
        _ => Err(format!("{text} is too large: give at most {}", u64::MAX)),
    }
}

fn fitting<T: TryFrom<u64>>(value: u64) -> Result<T, String> {
    let bits = 8 * size_of::<T>();
    T::try_from(value).map_err(|_| format!("{value} is too large: give less than 2^{bits}"))
}

/// Removes each `_`. `None` if a `_` does not stand between digits, or if the text contains a
/// character that no number has.
fn plain(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let digit = |at: Option<usize>| {
        at.and_then(|i| bytes.get(i))
            .is_some_and(u8::is_ascii_digit)
    };
    for (i, byte) in bytes.iter().enumerate() {
        let known = byte.is_ascii_digit() || b".eE+-_".contains(byte);
        if !known || (*byte == b'_' && !(digit(i.checked_sub(1)) && digit(Some(i + 1)))) {
            return None;
        }
    }
    Some(text.replace('_', ""))
}

#[cfg(test)]
mod tests;
