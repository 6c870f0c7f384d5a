//! What an evaluation, or a part of one, has to compare.

use std::collections::BTreeMap;

use super::{Figures, Measure, errors};
use crate::{
    judge::{self, Life},
    number,
};
use bouquet_ground::record::{FprRow, Records};

pub fn figures(records: &Records) -> Figures {
    let judgement = judge::judge(records);
    let mut figures = failed(records);
    figures.extend(super::locations(&records.battery, &judgement.locations));
    figures.extend(judgement.lives.iter().filter_map(churn));
    let mut rates: BTreeMap<(String, String), (u64, u64)> = BTreeMap::new();
    for row in records.fpr.iter().filter(|row| row.error.is_empty()) {
        let (hits, asked) = rates.entry((row.filter.clone(), point(row))).or_default();
        *hits += row.false_positives;
        *asked += row.strangers_asked;
    }
    let rates = rates.into_iter();
    figures.extend(rates.map(|(id, (hits, asked))| (id, Measure::rate(hits, asked))));
    for row in records.memory.iter().filter(|row| row.error.is_empty()) {
        let what = format!(
            "bytes for {} keys at {}",
            number::count(row.capacity),
            number::significant(row.target_fpr, 3)
        );
        let bytes = Measure::exact(row.memory_bytes as f64);
        figures.insert((row.filter.clone(), what), bytes);
    }
    for (filter, denied) in false_negatives(records) {
        let what = "false negatives".to_owned();
        figures.insert((filter.to_owned(), what), Measure::exact(denied as f64));
    }
    for (filter, differ) in otherwise(records) {
        let what = "answered otherwise than by single calls".to_owned();
        figures.insert((filter.to_owned(), what), Measure::exact(differ as f64));
    }
    figures
}

fn point(row: &FprRow) -> String {
    format!(
        "FPR, {} {}, {} keys, {}, {}",
        row.sweep,
        number::significant(row.x, 4),
        number::count(row.capacity),
        row.dataset,
        row.experiment
    )
}

/// By whatever way they were asked.
fn false_negatives(records: &Records) -> BTreeMap<&str, u64> {
    let fpr = records.fpr.iter().map(|r| {
        let in_batches = r.batch_false_negatives.unwrap_or_default();
        (r.filter.as_str(), r.false_negatives + in_batches)
    });
    let churn = records
        .churn
        .iter()
        .map(|r| (r.filter.as_str(), r.false_negatives));
    let phases = records.phases.iter().map(|r| {
        let in_batches = r.batch_false_negatives.unwrap_or_default();
        (r.filter.as_str(), r.false_negatives + in_batches)
    });
    let ways = records.ways.iter();
    let ways = ways.map(|r| (r.filter.as_str(), r.false_negatives));
    sums(fpr.chain(churn).chain(phases).chain(ways))
}

/// Keys that batches answer otherwise than single calls, of filters of which both
/// were asked.
fn otherwise(records: &Records) -> BTreeMap<&str, u64> {
    let fpr = records.fpr.iter();
    let fpr = fpr.filter_map(|r| Some((r.filter.as_str(), r.batch_otherwise?)));
    let phases = records.phases.iter();
    let phases = phases.filter_map(|r| Some((r.filter.as_str(), r.batch_otherwise?)));
    let ways = records.ways.iter().filter(|r| r.error.is_empty());
    let ways = ways.map(|r| (r.filter.as_str(), r.answered_otherwise));
    sums(fpr.chain(phases).chain(ways))
}

fn sums<'a>(counts: impl Iterator<Item = (&'a str, u64)>) -> BTreeMap<&'a str, u64> {
    let mut sums = BTreeMap::new();
    for (filter, count) in counts {
        *sums.entry(filter).or_default() += count;
    }
    sums
}

fn failed(records: &Records) -> Figures {
    let fpr = records.fpr.iter().map(|r| (&*r.filter, &*r.error));
    let memory = records.memory.iter().map(|r| (&*r.filter, &*r.error));
    let churn = records.churn.iter().map(|r| (&*r.filter, &*r.error));
    let phases = records.phases.iter().map(|r| (&*r.filter, &*r.error));
    let sets = records.location_sets.iter();
    let sets = sets.map(|r| (&*r.filter, &*r.error));
    let ways = records.ways.iter().map(|r| (&*r.filter, &*r.error));
    let filters = fpr.chain(memory).chain(churn).chain(phases).chain(sets);
    errors(filters.chain(ways))
}

/// The rate of a filter when its keys have come and gone.
fn churn(life: &Life) -> Option<((String, String), Measure)> {
    let last = life.rounds.last()?;
    let what = format!(
        "FPR after round {} of churn, {} keys, {}, {}",
        last.round,
        number::count(life.capacity),
        life.dataset,
        life.experiment
    );
    let rate = Measure::rate(last.hits, last.asked);
    Some(((life.filter.clone(), what), rate))
}
