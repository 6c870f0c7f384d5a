//! Numbers and ranges of them, as they are written on the command line.

/// One or more values of a flag.
#[derive(Clone, PartialEq, Debug)]
pub struct Range<T>(pub Vec<T>);

/// How a range `a..b` goes from its first value to its last.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Steps {
    /// Times ten.
    Decades,
    /// Times two.
    Doubling,
    /// Plus so much.
    By(f64),
}

/// More values than this are a slip of the pen.
const MOST_VALUES: usize = 10_000;

/// A parser of whole numbers and of ranges of them.
pub fn counts(steps: Steps) -> impl Fn(&str) -> Result<Range<u64>, String> + Clone {
    move |text| {
        values(text, steps, whole, |value| {
            (value >= 0.0 && value < 2f64.powi(64)).then(|| value.round() as u64)
        })
    }
}

/// The same of numbers below 2^32.
pub fn small_counts(steps: Steps) -> impl Fn(&str) -> Result<Range<u32>, String> + Clone {
    let parse = counts(steps);
    move |text| {
        let small = |value: &u64| {
            u32::try_from(*value).map_err(|_| format!("{value} is more than {}", u32::MAX))
        };
        let values: Result<_, _> = parse(text)?.0.iter().map(small).collect();
        values.map(Range)
    }
}

/// A parser of numbers and of ranges of them.
pub fn reals(steps: Steps) -> impl Fn(&str) -> Result<Range<f64>, String> + Clone {
    move |text| values(text, steps, real, Some)
}

/// `a`, `a,b,c` or `a..b`.
fn values<T: Copy>(
    text: &str,
    steps: Steps,
    parse: impl Fn(&str) -> Result<T, String>,
    of_real: impl Fn(f64) -> Option<T>,
) -> Result<Range<T>, String> {
    let Some((first, last)) = text.split_once("..") else {
        return text
            .split(',')
            .map(parse)
            .collect::<Result<_, _>>()
            .map(Range);
    };
    // Both ends are of the kind that is wanted; the values between are by steps.
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

/// The steps strictly between two ends, up or down.
fn between(first: f64, last: f64, steps: Steps) -> Result<Vec<f64>, String> {
    let up = first <= last;
    if !matches!(steps, Steps::By(_)) && (first <= 0.0 || last <= 0.0) {
        return Err("a range that goes by factors begins and ends above 0".into());
    }
    let step = |i: usize| match steps {
        Steps::Decades => shifted(first, if up { i as i32 } else { -(i as i32) }),
        Steps::Doubling if up => first * 2f64.powi(i as i32),
        Steps::Doubling => first / 2f64.powi(i as i32),
        // Twelve digits behind the point: 0.1 three times is 0.3.
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

/// The number with its decimal point moved: no rounding shows in its digits.
fn shifted(value: f64, by: i32) -> f64 {
    let text = format!("{value:e}");
    let parts = text.split_once('e').and_then(|(digits, exponent)| {
        let exponent: i32 = exponent.parse().ok()?;
        format!("{digits}e{}", exponent + by).parse().ok()
    });
    parts.unwrap_or(value * 10f64.powi(by))
}

/// A number: digits, `_` between them, a point, an exponent of ten.
fn real(text: &str) -> Result<f64, String> {
    let plain = plain(text)?;
    let value: f64 = plain.parse().map_err(|_| not_a_number(text))?;
    if value.is_finite() {
        Ok(value)
    } else {
        Err(format!("{text} is too large"))
    }
}

/// A whole number, exact to its last digit: `1000000`, `1_000_000`, `1e6`,
/// `1.5e6`.
fn whole(text: &str) -> Result<u64, String> {
    let not_whole = || format!("{text:?} is not a whole number such as 1000000, 1_000_000 or 1e6");
    let plain = plain(text).map_err(|_| not_whole())?;
    let (digits, exponent) = plain.split_once(['e', 'E']).unwrap_or((&plain, "0"));
    let (before, after) = digits.split_once('.').unwrap_or((digits, ""));
    let exponent: i32 = exponent.parse().map_err(|_| not_whole())?;
    let after = after.trim_end_matches('0');
    let zeros = exponent - after.len() as i32;
    let all = format!("{before}{after}");
    let only_digits = !all.is_empty() && all.bytes().all(|byte| byte.is_ascii_digit());
    let significant = all.trim_start_matches('0');
    if !only_digits || (zeros < 0 && !significant.is_empty()) {
        return Err(not_whole());
    }
    if significant.is_empty() {
        return Ok(0);
    }
    let too_large = || format!("{text} is more than {}", u64::MAX);
    if zeros > 20 {
        return Err(too_large());
    }
    let padded = format!("{significant}{}", "0".repeat(zeros as usize));
    padded.parse().map_err(|_| too_large())
}

/// The text without its `_`, which stand between digits only.
fn plain(text: &str) -> Result<String, String> {
    let bytes = text.as_bytes();
    let digit = |at: Option<usize>| {
        at.and_then(|i| bytes.get(i))
            .is_some_and(u8::is_ascii_digit)
    };
    for (i, byte) in bytes.iter().enumerate() {
        let known = byte.is_ascii_digit() || b".eE+-_".contains(byte);
        if !known || (*byte == b'_' && !(digit(i.checked_sub(1)) && digit(Some(i + 1)))) {
            return Err(not_a_number(text));
        }
    }
    Ok(text.replace('_', ""))
}

fn not_a_number(text: &str) -> String {
    format!("{text:?} is not a number such as 0.01, 1e-6 or 9.585")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole_range(text: &str, steps: Steps) -> Vec<u64> {
        counts(steps)(text).unwrap().0
    }

    #[test]
    fn whole_numbers() {
        for (text, want) in [
            ("0", 0),
            ("1000000", 1_000_000),
            ("1_000_000", 1_000_000),
            ("1e6", 1_000_000),
            ("1.5e3", 1_500),
            ("1.50e1", 15),
            ("0.5e1", 5),
            ("1e+3", 1_000),
            ("2.0", 2),
            ("9007199254740993", 9_007_199_254_740_993),
            ("18446744073709551615", u64::MAX),
            ("0e99", 0),
        ] {
            assert_eq!(whole(text), Ok(want), "{text}");
        }
        for text in [
            "",
            "-1",
            "1.5",
            "1e-3",
            "ten",
            "1__0",
            "_1",
            "1_",
            "1e",
            "e6",
            ".",
            "0x10",
            "NaN",
            "inf",
            "18446744073709551616",
            "1e20",
            "1e999",
            "10M",
            "1 000",
        ] {
            assert!(whole(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers() {
        for (text, want) in [
            ("0.01", 0.01),
            ("1e-6", 1e-6),
            ("9.585", 9.585),
            ("1_0.5", 10.5),
        ] {
            assert_eq!(real(text), Ok(want));
        }
        for text in ["", "1%", "NaN", "inf", "infinity", "1e999", "--1", "0,01"] {
            assert!(real(text).is_err(), "{text}");
        }
    }

    #[test]
    fn ranges_have_both_ends_and_clean_digits() {
        let decades = whole_range("1e3..1e6", Steps::Decades);
        assert_eq!(decades, [1_000, 10_000, 100_000, 1_000_000]);
        assert_eq!(whole_range("7..500", Steps::Decades), [7, 70, 500]);
        assert_eq!(whole_range("4..4", Steps::Decades), [4]);
        assert_eq!(whole_range("1..8", Steps::Doubling), [1, 2, 4, 8]);
        assert_eq!(whole_range("3..1", Steps::By(1.0)), [3, 2, 1]);
        assert_eq!(whole_range("1e3,5,7", Steps::Decades), [1_000, 5, 7]);
        let rates = reals(Steps::Decades)("0.1..1e-6").unwrap().0;
        assert_eq!(rates, [0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6]);
        let tenths = reals(Steps::By(0.1))("0.1..0.5").unwrap().0;
        assert_eq!(tenths, [0.1, 0.2, 0.3, 0.4, 0.5]);
        let last = u64::MAX.to_string();
        assert_eq!(
            whole_range(&format!("1e19..{last}"), Steps::Decades),
            [10_000_000_000_000_000_000, u64::MAX]
        );
    }

    #[test]
    fn ranges_that_are_none() {
        for text in ["1..", "..", "..5", "0..9", "1..2..3", "a..b"] {
            assert!(counts(Steps::Decades)(text).is_err(), "{text}");
        }
        assert!(counts(Steps::By(1.0))("1..1e9").is_err());
        assert!(small_counts(Steps::By(1.0))("4294967296").is_err());
    }
}
