//! What comes of the comparisons, in sentences.

use std::collections::BTreeSet;

use super::comparison::{CLASSES, Class, GIVEN, PeerComparison};
use crate::{
    groups::{distinct, grouped},
    number,
};

/// The findings, a sentence each: in how many cells a peer is ahead, then ours.
pub fn findings(comparisons: &[PeerComparison<'_>]) -> Vec<String> {
    CLASSES
        .iter()
        .filter_map(|class| finding(comparisons, class, |_| String::new()))
        .collect()
}

/// The same, each with the peers that are ahead and how many times as fast they are.
pub fn with_factors(comparisons: &[PeerComparison<'_>]) -> Vec<String> {
    let by = |behind: &[&PeerComparison<'_>]| match behind {
        [] => String::new(),
        behind => format!(" ({}: {} times as fast)", names(behind), factors(behind)),
    };
    CLASSES
        .iter()
        .filter_map(|class| finding(comparisons, class, by))
        .collect()
}

/// The peers of these cells.
fn names(behind: &[&PeerComparison<'_>]) -> String {
    let names = behind
        .iter()
        .map(|comparison| comparison.peer.name.in_words());
    number::joined(names.collect::<BTreeSet<_>>(), ", ")
}

/// From the least to the most of these cells.
fn factors(behind: &[&PeerComparison<'_>]) -> String {
    let times = behind.iter().map(|comparison| 1.0 / comparison.ratio.value);
    let least = times.clone().fold(f64::INFINITY, f64::min);
    let most = times.fold(0.0, f64::max);
    let by = [least, most].map(|times| number::decimal(times, 2));
    number::joined(distinct(by.into_iter()), " to ")
}

fn finding(
    comparisons: &[PeerComparison<'_>],
    class: &Class,
    by: impl Fn(&[&PeerComparison<'_>]) -> String,
) -> Option<String> {
    let clauses = GIVEN.iter().filter_map(|given| {
        let of = || {
            comparisons
                .iter()
                .filter(|comparison| comparison.is_of(class, given))
        };
        let which = |word| of().filter(move |comparison| comparison.word() == word);
        let behind: Vec<_> = which("behind").collect();
        let (ahead, all) = (which("ahead").count(), of().count());
        (all > 0).then(|| {
            let (words, some, by) = (given.words, behind.len(), by(&behind));
            format!("{words} a peer is ahead in {some} of {all} cells{by}, ours in {ahead}")
        })
    });
    let clauses = number::joined(clauses, "; ");
    let subject = number::capital(class.subject);
    (!clauses.is_empty()).then(|| format!("{subject}: {clauses}"))
}

/// Of each peer that is ahead somewhere: how often, and by how much.
pub fn ahead(comparisons: &[PeerComparison<'_>]) -> Vec<String> {
    let mut lines = Vec::new();
    for class in &CLASSES {
        for given in &GIVEN {
            let behind = comparisons
                .iter()
                .filter(|comparison| comparison.word() == "behind");
            let own = behind.filter(|comparison| comparison.is_of(class, given));
            for (peer, comparisons) in grouped(own, |comparison| comparison.peer.name) {
                lines.push(format!(
                    "{}, {}: {} is ahead in {}, {} times as fast",
                    number::capital(class.subject),
                    given.words,
                    peer.in_words(),
                    number::plural(comparisons.len() as u64, "cell"),
                    factors(&comparisons),
                ));
            }
        }
    }
    lines
}
