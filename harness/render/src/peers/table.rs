//! The scoreboard as tables, each with ours and the others, none wider than a
//! terminal; and the FPR on each key set.

use super::{
    best,
    score::{Filled, Score, rate},
};
use crate::{document::Table, estimate::Estimate, number};
use bouquet_ground::record::{DatasetRow, PeerRow, Records};

pub const NONE: &str = "–";

/// A table and what it is of.
pub type Named = (&'static str, Table);

/// The filters that were asked for one target.
pub fn tables(scores: &[&Score]) -> [Named; 4] {
    [
        ("Size and FPR, full to capacity", size(scores)),
        ("At capacity and past it", loads(scores)),
        ("Union, writing, what it can", abilities(scores)),
        ("Ours and the others", best::comparison(scores)),
    ]
}

fn size(scores: &[&Score]) -> Table {
    Table::of(scores)
        .column("Filter", |score| &score.of.filter)
        .column("#Bits per key", |score| best::BITS.cell(score, scores))
        .column("#Over capacities", |score| span(score))
        .column("#FPR measured (95 %)", |score| measured(score))
        .column("#Times asked", |score| times_asked(score))
        .column("#Times the bound", |score| best::BOUND.cell(score, scores))
        .table()
}

fn loads(scores: &[&Score]) -> Table {
    let counted = |count: Option<u64>| count.map_or(NONE.into(), number::count);
    let part = |share: Option<f64>| share.map_or(NONE.into(), |x| number::share(x, 2));
    Table::of(scores)
        .column("Filter", |score| &score.of.filter)
        .column("#False negatives at 1x / past", |score| {
            [score.full.false_negatives, score.false_negatives_past]
                .map(counted)
                .join(" / ")
        })
        .column("#Refused at 1x / 1.5x / 2x", |score| {
            [&score.full, &score.half_over, &score.twice]
                .map(|filled| part(filled.refused))
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
            ("static", score.of.is_static),
            ("removes", score.removes),
            ("grows", score.grows),
        ];
        let can = can.iter().filter(|(_, is)| *is);
        number::joined(can.map(|(name, _)| name), ", ")
    };
    Table::of(scores)
        .column("Filter", |score| &score.of.filter)
        .column("Crate", |score| &score.of.release)
        .column("Union across seeds", |score| union(score))
        .column("#Bytes per key written", |s| best::WRITTEN.cell(s, scores))
        .column("Kind", kind)
        .table()
}

pub fn decimal(x: Option<f64>) -> String {
    x.map_or(NONE.into(), |x| number::decimal(x, 2))
}

fn times_asked(score: &Score) -> String {
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
    match (score.tenfold.fpr, score.tenfold.refused) {
        (Some(_), Some(refused)) if refused > 0.0 => {
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
    match score.full.fpr {
        Some(fpr) => fpr.in_words(),
        None if score.errors > 0 => "error".into(),
        None => NONE.into(),
    }
}

fn union(score: &Score) -> String {
    let own = score.full.fpr.map_or(0.0, |fpr| fpr.interval.high);
    let above = |fpr: &Estimate| fpr.interval.low > score.of.target_fpr.max(own);
    match (score.union.lost, score.union_fpr.filter(above)) {
        (Some(lost), _) if lost > 0.0 => format!("loses {}", number::share(lost, 2)),
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
    match score.reload.lost {
        Some(lost) if lost > 0.0 => format!("{bytes}, loses {}", number::share(lost, 2)),
        _ => bytes,
    }
}

/// The FPR at capacity on each key set.
pub fn by_dataset(records: &Records, scores: &[&Score]) -> Table {
    let sets = |score| records.datasets.iter().map(move |set| (score, set));
    let measured = |(score, set): (&&Score, &DatasetRow)| {
        let own = |row: &&PeerRow| {
            row.filter == score.of.filter
                && row.dataset == set.dataset
                && row.target_fpr == score.of.target_fpr
                && (row.phase == "load" && row.load == 1.0 && row.error.is_empty())
        };
        let rows: Vec<&PeerRow> = records.peers.iter().filter(own).collect();
        Some((*rows.first()?, rate(&rows)?))
    };
    Table::of(scores.iter().flat_map(sets).filter_map(measured))
        .column("Filter", |(row, _)| &row.filter)
        .column("Key set", |(row, _)| &row.dataset)
        .column("#Keys", |(row, _)| row.keys)
        .column("#FPR measured (95 % interval)", |(_, fpr)| fpr.in_words())
        .table()
}
