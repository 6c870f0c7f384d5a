//! The scoreboard as a table, and the FPR on each key set.

use super::score::{Score, rate};
use crate::{
    record::{PeerRecords, PeerRow},
    render::{
        document::{Table, Text},
        number,
    },
    stats::Interval,
};

const NONE: &str = "–";

/// The best of each column, among those that do what was asked of them.
struct Best {
    bits: Option<f64>,
    fpr: Option<f64>,
    bound: Option<f64>,
    fpr_at_2: Option<f64>,
    fpr_at_10: Option<f64>,
    written: Option<f64>,
}

impl Best {
    fn of(scores: &[&Score]) -> Self {
        let least = |fit: fn(&Score) -> bool, of: fn(&Score) -> Option<f64>| {
            let fit = scores.iter().filter(|score| fit(score));
            fit.filter_map(|score| of(score)).reduce(f64::min)
        };
        let kept = Score::keeps_its_promise;
        let read: fn(&Score) -> bool =
            |score| score.keeps_its_promise() && score.lost_by_reload == Some(0.0);
        Self {
            bits: least(kept, |score| score.bits_per_key),
            fpr: least(kept, |score| score.measured_fpr),
            bound: least(kept, |score| score.times_bound),
            fpr_at_2: least(Score::takes_twice, |score| score.fpr_at_2),
            fpr_at_10: least(Score::takes_tenfold, |score| score.fpr_at_10),
            written: least(read, |score| score.serialized_bytes_per_key),
        }
    }
}

/// The filters that were asked for one target.
pub fn table(scores: &[&Score]) -> Table {
    let mut table = Table::new(&[
        "Filter",
        "Crate",
        "#Bits per key",
        "#Span over capacities",
        "#FPR asked",
        "#FPR measured (95 % interval)",
        "#Times asked",
        "#Times the bound",
        "#False negatives, full / past it",
        "#Refused at 1x / 1.5x / 2x",
        "#FPR at 2x",
        "#FPR at 10x, of those that grow",
        "Union across seeds",
        "#Bytes per key written",
        "Static",
        "Removes",
        "Grows",
    ]);
    let best = Best::of(scores);
    for score in scores {
        table.row(cells(score, &best));
    }
    table
}

fn cells(score: &Score, best: &Best) -> Vec<Text> {
    let yes = |is: bool| Text::from(if is { "yes" } else { "no" });
    let asked = if score.chooses_fpr {
        number::share(score.target_fpr, 3)
    } else {
        "no choice".to_owned()
    };
    let decimal = |x: Option<f64>| x.map_or(NONE.into(), |x| number::decimal(x, 2));
    let kept = score.keeps_its_promise();
    let strong = |words: String, own: Option<f64>, best: Option<f64>, fit: bool| {
        if fit && own.is_some() && own == best {
            Text::default().strong(words)
        } else {
            words.into()
        }
    };
    vec![
        score.filter.clone().into(),
        score.release.clone().into(),
        strong(
            decimal(score.bits_per_key),
            score.bits_per_key,
            best.bits,
            kept,
        ),
        span(score).into(),
        asked.into(),
        strong(measured(score), score.measured_fpr, best.fpr, kept),
        score
            .times_asked
            .map_or(NONE.into(), |times| number::significant(times, 2))
            .into(),
        strong(
            decimal(score.times_bound),
            score.times_bound,
            best.bound,
            kept,
        ),
        format!(
            "{} / {}",
            counted(score.false_negatives),
            counted(score.false_negatives_past)
        )
        .into(),
        [score.refused, score.refused_at_1_5, score.refused_at_2]
            .map(part)
            .join(" / ")
            .into(),
        strong(
            part(score.fpr_at_2),
            score.fpr_at_2,
            best.fpr_at_2,
            score.takes_twice(),
        ),
        strong(
            grown(score),
            score.fpr_at_10,
            best.fpr_at_10,
            score.takes_tenfold(),
        ),
        union(score).into(),
        strong(
            written(score),
            score.serialized_bytes_per_key,
            best.written,
            kept && score.lost_by_reload == Some(0.0),
        ),
        yes(score.is_static),
        yes(score.removes),
        yes(score.grows),
    ]
}

fn counted(count: Option<u64>) -> String {
    count.map_or(NONE.into(), number::count)
}

fn part(share: Option<f64>) -> String {
    share.map_or(NONE.into(), |share| number::share(share, 2))
}

fn grown(score: &Score) -> String {
    match score.refused_at_10 {
        Some(refused) if refused > 0.0 => {
            let refused = number::share(refused, 2);
            format!("{}, refuses {refused}", part(score.fpr_at_10))
        }
        _ => part(score.fpr_at_10),
    }
}

fn span(score: &Score) -> String {
    match (score.least_bits_per_key, score.most_bits_per_key) {
        (Some(least), Some(most)) => {
            format!(
                "{} to {}",
                number::decimal(least, 1),
                number::decimal(most, 1)
            )
        }
        _ => NONE.into(),
    }
}

fn measured(score: &Score) -> String {
    match (
        score.measured_fpr,
        score.measured_fpr_low,
        score.measured_fpr_high,
    ) {
        (Some(fpr), Some(low), Some(high)) => {
            number::measured_with_interval(fpr, Interval { low, high })
        }
        _ if score.errors > 0 => "error".into(),
        _ => NONE.into(),
    }
}

fn union(score: &Score) -> String {
    match score.lost_by_union {
        Some(lost) if lost > 0.0 => format!("loses {}", number::share(lost, 2)),
        Some(_) if score.hashing == "fixed" => "keeps all (one hash for all)".into(),
        _ => score.union.clone(),
    }
}

fn written(score: &Score) -> String {
    let Some(bytes) = score.serialized_bytes_per_key else {
        return if score.role == "ours" {
            "not yet"
        } else {
            "not offered"
        }
        .into();
    };
    let bytes = number::decimal(bytes, 2);
    match score.lost_by_reload {
        Some(lost) if lost > 0.0 => format!("{bytes}, loses {}", number::share(lost, 2)),
        _ => bytes,
    }
}

/// The FPR at capacity on each key set.
pub fn by_dataset(records: &PeerRecords, scores: &[&Score]) -> Table {
    let mut table = Table::new(&[
        "Filter",
        "Key set",
        "#Keys",
        "#FPR measured (95 % interval)",
    ]);
    for score in scores {
        for set in &records.common.datasets {
            let own = |row: &&PeerRow| {
                row.filter == score.filter
                    && row.dataset == set.dataset
                    && row.target_fpr == score.target_fpr
                    && (row.phase == "load" && row.load == 1.0 && row.error.is_empty())
            };
            let rows: Vec<&PeerRow> = records.peers.iter().filter(own).collect();
            let (Some((fpr, interval)), Some(first)) = (rate(&rows), rows.first()) else {
                continue;
            };
            table.row([
                score.filter.clone().into(),
                set.dataset.clone().into(),
                number::count(first.keys).into(),
                number::measured_with_interval(fpr, interval).into(),
            ]);
        }
    }
    table
}
