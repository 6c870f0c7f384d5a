//! Figures in words.

use crate::{estimate::Estimate, number};
use bouquet_ground::record::Figure;
use bouquet_stats::Interval;

/// A figure, short.
pub fn figure(figure: &Figure) -> String {
    let count = |n: &u64| number::count(*n);
    match figure {
        Figure::Digest { sha256 } => sha256.chars().take(12).collect(),
        Figure::Count { count: n, unit } => format!("{} {unit}", count(n)),
        Figure::Rate { hits: 0, asked, .. } => format!("0 of {}", count(asked)),
        Figure::Rate {
            rate, low, high, ..
        } => estimate(*rate, *low, *high).in_words(),
        Figure::Load {
            keys,
            capacity,
            expected_fpr,
            ..
        } => format!(
            "{} of {} keys, FPR {}",
            count(keys),
            count(capacity),
            number::share(*expected_fpr, 3)
        ),
        Figure::PValue { p, tests, .. } => {
            format!("least p {} of {}", number::significant(*p, 2), count(tests))
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
        _ => "not what the baseline has".into(),
    }
}
