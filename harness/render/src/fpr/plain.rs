//! The same in plain numbers, for programs.

use serde::Serialize;

use crate::judge::{self, Check, Judgement, Point, Way, gate_outcome};
use bouquet_ground::record::Records;

#[derive(Serialize)]
pub struct All<'a> {
    verdict: &'static str,
    pub points: Vec<PlainPoint<'a>>,
    location_sets: Vec<PlainShared<'a>>,
    phases: Vec<PlainPhase<'a>>,
    ways: Vec<PlainWay<'a>>,
}

#[derive(Serialize)]
pub struct PlainPoint<'a> {
    filter: &'a str,
    dataset: &'a str,
    capacity: u64,
    target_fpr: Option<f64>,
    load: f64,
    size_bits: u64,
    hashes: u32,
    memory_bytes: u64,
    replicates: usize,
    strangers_asked: u64,
    false_positives: u64,
    expected_fpr: f64,
    measured_fpr: f64,
    measured_low: f64,
    measured_high: f64,
    /// By the bits that were set.
    given_bits_fpr: Option<f64>,
    given_bits_verdict: Option<&'static str>,
    given_bits_power: Option<f64>,
    /// Over the seeds, against the formula.
    mean_fpr: Option<f64>,
    mean_verdict: Option<&'static str>,
    mean_power: Option<f64>,
    /// Of a low rate.
    ceiling_expected_hits: Option<f64>,
    ceiling_fails_from: Option<u64>,
    ceiling_power: Option<f64>,
    ceiling_verdict: Option<&'static str>,
    fill_z: Option<f64>,
    members_asked: u64,
    false_negatives: u64,
    /// The same keys asked in batches.
    batch_false_negatives: Option<u64>,
    batch_false_positives: Option<u64>,
    batch_otherwise: Option<u64>,
    theory: &'a str,
    error: &'a str,
}

#[derive(Serialize)]
struct PlainShared<'a> {
    filter: &'a str,
    dataset: &'a str,
    slots: u64,
    probes: u32,
    keys: u64,
    pairs: u64,
    expected_pairs: f64,
    floor_seen: f64,
    verdict: &'static str,
}

#[derive(Serialize)]
struct PlainPhase<'a> {
    filter: &'a str,
    dataset: &'a str,
    capacity: u64,
    target_fpr: Option<f64>,
    bits_per_key: Option<f64>,
    phase: &'a str,
    replicates: usize,
    inserted: u64,
    refused: u64,
    removed: u64,
    removals_denied: u64,
    members_asked: u64,
    false_negatives: u64,
    batch_false_negatives: Option<u64>,
    batch_otherwise: Option<u64>,
    verdict: &'static str,
}

#[derive(Serialize)]
struct PlainWay<'a> {
    filter: &'a str,
    dataset: &'a str,
    capacity: u64,
    inserted: &'a str,
    asked: &'a str,
    replicates: usize,
    keys: u64,
    refused: u64,
    members_asked: u64,
    false_negatives: u64,
    non_members_asked: u64,
    false_positives: u64,
    answered_otherwise: u64,
    taken_otherwise: u64,
    stored_otherwise: u64,
    new_otherwise: u64,
    verdict: &'static str,
}

pub fn all<'a>(records: &'a Records, judgement: &'a Judgement) -> All<'a> {
    let points = judgement.points.iter();
    let shared = judgement.shared_locations.iter();
    let phases = judgement.phases.iter();
    All {
        verdict: judgement.verdict.outcome.word(),
        points: points.map(|p| point(records, p)).collect(),
        location_sets: shared
            .map(|s| PlainShared {
                filter: &s.filter,
                dataset: &s.dataset,
                slots: s.slots,
                probes: s.probes,
                keys: s.keys,
                pairs: s.pairs,
                expected_pairs: s.expected_pairs,
                floor_seen: s.floor_seen,
                verdict: s.outcome.word(),
            })
            .collect(),
        phases: phases
            .map(|p| PlainPhase {
                filter: &p.filter,
                dataset: &p.dataset,
                capacity: p.capacity,
                target_fpr: p.target_fpr,
                bits_per_key: p.bits_per_key,
                phase: &p.phase,
                replicates: p.replicates,
                inserted: p.inserted,
                refused: p.refused,
                removed: p.removed,
                removals_denied: p.removals_denied,
                members_asked: p.members_asked,
                false_negatives: p.false_negatives,
                batch_false_negatives: p.batch_false_negatives,
                batch_otherwise: p.batch_otherwise,
                verdict: p.outcome.word(),
            })
            .collect(),
        ways: judgement.ways.iter().map(way).collect(),
    }
}

fn way(w: &Way) -> PlainWay<'_> {
    PlainWay {
        filter: &w.filter,
        dataset: &w.dataset,
        capacity: w.capacity,
        inserted: &w.inserted,
        asked: &w.asked,
        replicates: w.replicates,
        keys: w.keys,
        refused: w.refused,
        members_asked: w.members_asked,
        false_negatives: w.false_negatives,
        non_members_asked: w.non_members_asked,
        false_positives: w.false_positives,
        answered_otherwise: w.answered_otherwise,
        taken_otherwise: w.taken_otherwise,
        stored_otherwise: w.stored_otherwise,
        new_otherwise: w.new_otherwise,
        verdict: w.outcome.word(),
    }
}

fn point<'a>(records: &'a Records, p: &'a Point) -> PlainPoint<'a> {
    let word = |check: Check| check.outcome.word();
    PlainPoint {
        filter: &p.filter,
        dataset: &p.dataset,
        capacity: p.capacity,
        target_fpr: p.target_fpr,
        load: if p.sweep == "load" { p.x } else { 1.0 },
        size_bits: p.size_bits,
        hashes: p.hashes,
        memory_bytes: p.memory_bytes,
        replicates: p.replicates,
        strangers_asked: p.asked,
        false_positives: p.hits,
        expected_fpr: p.expected_fpr,
        measured_fpr: p.measured(),
        measured_low: p.interval.low,
        measured_high: p.interval.high,
        given_bits_fpr: p.given_bits.map(|check| check.theory),
        given_bits_verdict: p.given_bits.map(word),
        given_bits_power: p.given_bits.map(|check| check.power),
        mean_fpr: p.over_seeds.map(|check| check.measured),
        mean_verdict: p.over_seeds.map(word),
        mean_power: p.over_seeds.map(|check| check.power),
        ceiling_expected_hits: p.gate.map(|gate| gate.expected),
        ceiling_fails_from: p.gate.map(|gate| gate.fails_from),
        ceiling_power: p.gate.map(|gate| gate.power),
        ceiling_verdict: p.gate.map(|gate| gate_outcome(&gate).word()),
        fill_z: p.fill_z,
        members_asked: p.members_asked,
        false_negatives: p.false_negatives,
        batch_false_negatives: p.batches.map(|own| own.false_negatives),
        batch_false_positives: p.batches.map(|own| own.false_positives),
        batch_otherwise: p.batches.map(|own| own.otherwise),
        theory: judge::subject(records, &p.filter).map_or("", |s| &s.theory),
        error: &p.error,
    }
}
