//! The scoreboard as tables, each with ours and the others, none wider than a
//! terminal; and the FPR on each key set.

use super::{
    best,
    score::{Score, rate},
    words::{NONE, measured, span, times_target, union},
};
use crate::{
    document::{Table, Text},
    estimate::Estimate,
    groups::grouped,
    judge::{KnownFault, under},
    number,
};
use bouquet_ground::record::{DatasetRow, PeerRow, Records};

/// A table and what it is of.
pub type Named = (&'static str, Table);

/// The filters that were asked for one target.
pub fn tables(scores: &[&Score]) -> [Named; 4] {
    let [size, loads, abilities] = of_each(scores);
    let comparison = ("Ours and the others", best::comparison(scores));
    [size, loads, abilities, comparison]
}

/// Those of them with a line a filter.
pub fn of_each(scores: &[&Score]) -> [Named; 3] {
    [
        ("Size and FPR, full to capacity", size(scores)),
        ("At capacity and past it", loads(scores)),
        ("Union, writing, what it can", abilities(scores)),
    ]
}

fn size(scores: &[&Score]) -> Table {
    Table::of(scores)
        .column("Filter", |score| &score.of.filter)
        .column("#Bits per key", |score| best::BITS.cell(score, scores))
        .column("#Over capacities", |score| span(score))
        .column("#FPR measured (95 %)", |score| measured(score))
        .column("#Times target", |score| times_target(score))
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
        .column("#Rejected at 1x / 1.5x / 2x", |score| {
            [&score.full, &score.half_over, &score.twice]
                .map(|filled| part(filled.rejected))
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

/// Full at other capacities, and with seeds of other forms.
pub fn beside(records: &Records, scores: &[&Score]) -> Table {
    let mut lines = Vec::new();
    for score in scores {
        let own = records.peers.iter().filter(|row| {
            row.filter == score.of.filter
                && row.target_fpr == score.of.target_fpr
                && matches!(row.phase.as_str(), "capacity" | "seed")
                && row.error.is_empty()
        });
        let alike = grouped(own, |row| under(&row.phase, row.capacity, row.seed_form));
        lines.extend(alike);
    }
    let sum = |rows: &[&PeerRow], of: fn(&PeerRow) -> u64| -> u64 {
        rows.iter().map(|row| of(row)).sum()
    };
    let bits = |rows: &[&PeerRow]| {
        let bytes = sum(rows, |row| row.allocated_bytes.unwrap_or(0));
        number::decimal(8.0 * bytes as f64 / sum(rows, |row| row.keys) as f64, 2)
    };
    Table::of(&lines)
        .column("Filter", |(_, rows)| &rows[0].filter)
        .column("Under", |(under, _)| under)
        .column("#Bits per key", |(_, rows)| bits(rows))
        .column("#FPR measured (95 % interval)", |(_, rows)| {
            rate(rows).map_or(NONE.into(), Estimate::in_words)
        })
        .column("#False negatives", |(_, rows)| {
            number::part(
                sum(rows, |row| row.false_negatives),
                sum(rows, |row| row.members_asked),
            )
        })
        .column("#Keys rejected", |(_, rows)| {
            number::part(sum(rows, |row| row.rejected), sum(rows, |row| row.keys))
        })
        .table()
}

/// The known faults, what they must come to and what they came to.
pub fn known(faults: &[KnownFault<'_>]) -> Table {
    Table::of(faults)
        .column("Filter", |known| &known.fault.filter)
        .column("Crate", |known| &known.fault.release)
        .column("Shows in", |known| known.under())
        .column("Known fault", |known| &known.fault.fault)
        .column("At least", |known| known.at_least())
        .column("Seen", |known| {
            Text::default().strong_if(!known.is_seen(), known.seen())
        })
        .table()
}
