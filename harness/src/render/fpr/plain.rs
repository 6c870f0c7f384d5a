//! The same in plain numbers, for programs.

use serde::Serialize;

use crate::{
    record::Records,
    render::judge::{self, Check, Judgement, Point, gate_outcome},
};

#[derive(Serialize)]
pub struct All<'a> {
    verdict: &'static str,
    pub points: Vec<PlainPoint<'a>>,
    location_sets: Vec<PlainShared<'a>>,
    phases: Vec<PlainPhase<'a>>,
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
                verdict: p.outcome.word(),
            })
            .collect(),
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
        theory: judge::subject(records, &p.filter).map_or("", |s| &s.theory),
        error: &p.error,
    }
}
