//! Figures in words.

use crate::number;
use bouquet_ground::record::Figure;
use bouquet_stats::Interval;

/// A figure, short.
pub fn figure(figure: &Figure) -> String {
    match figure {
        Figure::Digest { sha256 } => sha256.chars().take(12).collect(),
        Figure::Count { count, unit } => format!("{} {unit}", number::count(*count)),
        Figure::Rate {
            rate,
            low,
            high,
            hits,
            asked,
            ..
        } => {
            if *hits == 0 {
                return format!("0 of {}", number::count(*asked));
            }
            let interval = Interval {
                low: *low,
                high: *high,
            };
            number::measured_with_interval(*rate, interval)
        }
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
        } => format!(
            "{} ({} to {})",
            number::significant(*ratio, 3),
            number::significant(*low, 3),
            number::significant(*high, 3)
        ),
        Figure::Error { error } => error.clone(),
    }
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

/// To three digits, and to as many more as tell it from 1: 5,001 of 5,000 is not 1.
fn load_words(keys: u64, capacity: u64, load: f64) -> String {
    let mut digits = 3;
    while keys != capacity && digits < 17 && number::significant(load, digits) == "1" {
        digits += 1;
    }
    number::significant(load, digits)
}
