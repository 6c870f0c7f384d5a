//! Figures in words.

use crate::{estimate::Estimate, number};
use bouquet_ground::record::Figure;
use bouquet_stats::Interval;

/// A figure, short.
pub fn figure(figure: &Figure) -> String {
    match figure {
        Figure::Digest { sha256 } => sha256.chars().take(12).collect(),
        Figure::Count { count, unit } => format!("{} {unit}", number::count(*count)),
        Figure::Rate { hits: 0, asked, .. } => format!("0 of {}", number::count(*asked)),
        Figure::Rate {
            rate, low, high, ..
        } => estimate(*rate, *low, *high).in_words(),
        Figure::Load {
            keys,
            capacity,
            load,
            expected_fpr,
        } => format!(
            "{} ({} of {} keys, FPR {})",
            load_words(*keys, *capacity, *load),
            number::count(*keys),
            number::count(*capacity),
            number::share(*expected_fpr, 3)
        ),
        Figure::PValue { p, tests, .. } => {
            format!(
                "least p {} of {}",
                number::significant(*p, 2),
                number::count(*tests)
            )
        }
        Figure::Ratio {
            ratio, low, high, ..
        } => estimate(*ratio, *low, *high).words(|x| number::significant(x, 3)),
        Figure::Error { error } => error.clone(),
    }
}

/// A figure of the document with its interval.
pub fn estimate(value: f64, low: f64, high: f64) -> Estimate {
    let interval = Interval::new(low, high);
    Estimate { value, interval }
}

/// The same, or a dash where there is none.
pub fn figure_or_dash(value: &Option<Figure>) -> String {
    value.as_ref().map_or("–".into(), figure)
}

/// From one figure to another, by how much.
pub fn change(old: &Figure, new: &Figure) -> String {
    match (old, new) {
        (Figure::Count { count: old, unit }, Figure::Count { count: new, .. }) => {
            let more = if new > old { "more" } else { "fewer" };
            format!("{} {unit} {more}", number::count(new.abs_diff(*old)))
        }
        (Figure::Digest { .. }, Figure::Digest { .. }) => "another digest".into(),
        _ => format!("{} before", figure(old)),
    }
}

/// To three digits, and to as many more as distinguish it from 1: 5,001 of 5,000 is not 1.
fn load_words(keys: u64, capacity: u64, load: f64) -> String {
    let mut digits = 3;
    while keys != capacity && digits < 17 && number::significant(load, digits) == "1" {
        digits += 1;
    }
    number::significant(load, digits)
}
