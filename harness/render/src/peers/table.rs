//! The scoreboard as tables, each with ours and the others, none wider than a
//! terminal; and the FPR on each key set.

use super::{
    best,
    score::{Score, rate},
};
use crate::{document::Table, number};
use bouquet_ground::record::{DatasetRow, PeerRow, Records};
use bouquet_stats::Interval;

pub const NONE: &str = "–";

/// A table and what it is of.
pub type Named = (&'static str, Table);

/// The filters that were asked for one target.
pub fn tables(scores: &[&Score]) -> [Named; 4] {
    [
        ("Size and FPR, full to capacity", size(scores)),
        ("At capacity and past it", past(scores)),
        ("Union, writing, what it can", abilities(scores)),
        ("Ours and the others", best::comparison(scores)),
    ]
}

fn size(scores: &[&Score]) -> Table {
    Table::of(scores)
        .column("Filter", |score| &score.filter)
        .column("#Bits per key", |score| best::BITS.cell(score, scores))
        .column("#Over capacities", |score| span(score))
        .column("#FPR measured (95 %)", |score| measured(score))
        .column("#Times asked", |score| times_asked(score))
        .column("#Times the bound", |score| best::BOUND.cell(score, scores))
        .table()
}

fn past(scores: &[&Score]) -> Table {
    let counted = |count: Option<u64>| count.map_or(NONE.into(), number::count);
    let part = |share: Option<f64>| share.map_or(NONE.into(), |x| number::share(x, 2));
    Table::of(scores)
        .column("Filter", |score| &score.filter)
        .column("#False negatives at 1x / past", |score| {
            [score.false_negatives, score.false_negatives_past]
                .map(counted)
                .join(" / ")
        })
        .column("#Refused at 1x / 1.5x / 2x", |score| {
            [score.refused, score.refused_at_1_5, score.refused_at_2]
                .map(part)
                .join(" / ")
        })
        .column("#FPR at 2x", |score| best::TWICE.cell(score, scores))
        .column("#FPR at 10x, if it grows", |score| {
            best::TENFOLD.cell(score, scores)
        })
        .table()
}

fn abilities(scores: &[&Score]) -> Table {
    let kind = |score: &&Score| {
        let can = [
            ("static", score.is_static),
            ("removes", score.removes),
            ("grows", score.grows),
        ];
        let can = can.iter().filter(|(_, is)| *is).map(|(name, _)| *name);
        can.collect::<Vec<_>>().join(", ")
    };
    Table::of(scores)
        .column("Filter", |score| &score.filter)
        .column("Crate", |score| &score.release)
        .column("Union across seeds", |score| union(score))
        .column("#Bytes per key written", |s| best::WRITTEN.cell(s, scores))
        .column("Kind", kind)
        .table()
}

pub fn decimal(x: Option<f64>) -> String {
    x.map_or(NONE.into(), |x| number::decimal(x, 2))
}

fn times_asked(score: &Score) -> String {
    let times = match (score.times_asked, score.measured_fpr_high) {
        // Without a hit there is but a bound.
        (Some(0.0), Some(high)) => {
            format!("< {}", number::significant(high / score.target_fpr, 2))
        }
        (Some(times), _) => number::significant(times, 2),
        (None, _) => NONE.into(),
    };
    if score.chooses_fpr {
        times
    } else {
        format!("{times} (fixed)")
    }
}

fn interval(low: Option<f64>, high: Option<f64>) -> Option<Interval> {
    let (low, high) = (low?, high?);
    Some(Interval { low, high })
}

pub fn at_2(score: &Score) -> String {
    let interval = interval(score.fpr_at_2_low, score.fpr_at_2_high);
    let both = score.fpr_at_2.zip(interval);
    both.map_or(NONE.into(), |(fpr, interval)| {
        number::measured(fpr, interval)
    })
}

pub fn at_10(score: &Score) -> String {
    let interval = interval(score.fpr_at_10_low, score.fpr_at_10_high);
    let Some((fpr, interval)) = score.fpr_at_10.zip(interval) else {
        return NONE.into();
    };
    let fpr = number::measured(fpr, interval);
    match score.refused_at_10 {
        Some(refused) if refused > 0.0 => {
            format!("{fpr}, refuses {}", number::share(refused, 2))
        }
        _ => fpr,
    }
}

fn span(score: &Score) -> String {
    match (score.least_bits_per_key, score.most_bits_per_key) {
        (Some(least), Some(most)) => {
            let [least, most] = [least, most].map(|bits| number::decimal(bits, 1));
            format!("{least} to {most}")
        }
        _ => NONE.into(),
    }
}

pub fn measured(score: &Score) -> String {
    let interval = interval(score.measured_fpr_low, score.measured_fpr_high);
    match score.measured_fpr.zip(interval) {
        Some((fpr, interval)) => number::measured_with_interval(fpr, interval),
        None if score.errors > 0 => "error".into(),
        None => NONE.into(),
    }
}

fn union(score: &Score) -> String {
    let above = |low: &f64| *low > score.target_fpr.max(score.measured_fpr_high.unwrap_or(0.0));
    match score.lost_by_union {
        Some(lost) if lost > 0.0 => format!("loses {}", number::share(lost, 2)),
        Some(_) if score.union_fpr_low.as_ref().is_some_and(above) => {
            let fpr = score.union_fpr.unwrap_or(1.0);
            format!("keeps all, FPR {}", number::share(fpr, 2))
        }
        Some(_) if score.hashing == "fixed" => "keeps all (one hash)".into(),
        _ => score.union.clone(),
    }
}

pub fn written(score: &Score) -> String {
    let Some(bytes) = score.serialized_bytes_per_key else {
        return score.reload.clone();
    };
    let bytes = number::decimal(bytes, 2);
    match score.lost_by_reload {
        Some(lost) if lost > 0.0 => format!("{bytes}, loses {}", number::share(lost, 2)),
        _ => bytes,
    }
}

/// The FPR at capacity on each key set.
pub fn by_dataset(records: &Records, scores: &[&Score]) -> Table {
    let sets = |score| records.datasets.iter().map(move |set| (score, set));
    let measured = |(score, set): (&&Score, &DatasetRow)| {
        let own = |row: &&PeerRow| {
            row.filter == score.filter
                && row.dataset == set.dataset
                && row.target_fpr == score.target_fpr
                && (row.phase == "load" && row.load == 1.0 && row.error.is_empty())
        };
        let rows: Vec<&PeerRow> = records.peers.iter().filter(own).collect();
        Some((*rows.first()?, rate(&rows)?))
    };
    Table::of(scores.iter().flat_map(sets).filter_map(measured))
        .column("Filter", |(row, _)| &row.filter)
        .column("Key set", |(row, _)| &row.dataset)
        .column("#Keys", |(row, _)| row.keys)
        .column("#FPR measured (95 % interval)", |(_, (fpr, interval))| {
            number::measured_with_interval(fpr, interval)
        })
        .table()
}
