//! What a cell of the scoreboard says.

use super::score::{Filled, Score};
use crate::{estimate::Estimate, number};

/// Of what was not measured, or is not there.
pub const NONE: &str = "–";

pub fn decimal(x: Option<f64>) -> String {
    x.map_or(NONE.into(), |x| number::decimal(x, 2))
}

pub fn times_target(score: &Score) -> String {
    let target = score.of.target_fpr;
    let times = match score.full.fpr {
        // Without a hit there is but a bound.
        Some(fpr) if fpr.value == 0.0 => {
            format!("< {}", number::significant(fpr.interval.high / target, 2))
        }
        Some(fpr) => number::significant(fpr.value / target, 2),
        None => NONE.into(),
    };
    if score.of.chooses_fpr {
        times
    } else {
        format!("{times} (fixed)")
    }
}

/// The FPR past capacity.
pub fn past(filled: &Filled) -> String {
    filled.fpr.map_or(NONE.into(), Estimate::in_short)
}

pub fn at_10(score: &Score) -> String {
    let fpr = past(&score.tenfold);
    match (score.tenfold.fpr, score.tenfold.rejected) {
        (Some(_), Some(rejected)) if rejected > 0.0 => {
            format!("{fpr}, rejects {}", number::share(rejected, 2))
        }
        _ => fpr,
    }
}

pub fn span(score: &Score) -> String {
    match (score.least_bits_per_key, score.most_bits_per_key) {
        (Some(least), Some(most)) => {
            let [least, most] = [least, most].map(|bits| number::decimal(bits, 1));
            format!("{least} to {most}")
        }
        _ => NONE.into(),
    }
}

pub fn measured(score: &Score) -> String {
    match score.full.fpr {
        Some(fpr) => fpr.in_words(),
        None if score.errors > 0 => "error".into(),
        None => NONE.into(),
    }
}

pub fn union(score: &Score) -> String {
    let own = score.full.fpr.map_or(0.0, |fpr| fpr.interval.high);
    let above = |fpr: &Estimate| fpr.interval.low > score.of.target_fpr.max(own);
    match (score.union.missing, score.union_fpr.filter(above)) {
        (Some(missing), _) if missing > 0.0 => {
            format!("{} false negatives", number::share(missing, 2))
        }
        (Some(_), Some(fpr)) => format!("keeps all, FPR {}", number::share(fpr.value, 2)),
        (Some(_), _) if score.of.hashing == "fixed" => "keeps all (one hash)".into(),
        _ => score.union.words.to_owned(),
    }
}

pub fn written(score: &Score) -> String {
    let Some(bytes) = score.serialized_bytes_per_key else {
        return score.reload.words.to_owned();
    };
    let bytes = number::decimal(bytes, 2);
    match score.reload.missing {
        Some(missing) if missing > 0.0 => {
            format!("{bytes}, {} false negatives", number::share(missing, 2))
        }
        _ => bytes,
    }
}
