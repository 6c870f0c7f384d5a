//! The same in plain numbers, for programs.

use crate::{
    columns::Table,
    judge::{self, Check, Judgement, gate_outcome},
};
use bouquet_ground::record::Records;

pub fn points(records: &Records, judgement: &Judgement) -> Table {
    let outcome = |check: Check| check.outcome;
    Table::of(&judgement.points)
        .column("filter", |p| &p.filter)
        .column("dataset", |p| &p.dataset)
        .column("capacity", |p| p.capacity)
        .column("target_fpr", |p| p.target_fpr)
        .column("load", |p| if p.sweep == "load" { p.x } else { 1.0 })
        .column("size_bits", |p| p.size_bits)
        .column("hashes", |p| p.hashes)
        .column("memory_bytes", |p| p.memory_bytes)
        .column("replicates", |p| p.replicates)
        .column("strangers_asked", |p| p.asked)
        .column("false_positives", |p| p.hits)
        .column("expected_fpr", |p| p.expected_fpr)
        .column("measured_fpr", |p| p.measured())
        .column("measured_low", |p| p.interval.low)
        .column("measured_high", |p| p.interval.high)
        // By the bits that were set.
        .column("given_bits_fpr", |p| p.given_bits.map(|c| c.theory))
        .column("given_bits_verdict", |p| p.given_bits.map(outcome))
        .column("given_bits_power", |p| p.given_bits.map(|c| c.power))
        // Over the seeds, against the formula.
        .column("mean_fpr", |p| p.over_seeds.map(|check| check.measured))
        .column("mean_verdict", |p| p.over_seeds.map(outcome))
        .column("mean_power", |p| p.over_seeds.map(|check| check.power))
        // Of a low rate.
        .column("ceiling_expected_hits", |p| p.gate.map(|g| g.expected))
        .column("ceiling_fails_from", |p| p.gate.map(|g| g.fails_from))
        .column("ceiling_power", |p| p.gate.map(|g| g.power))
        .column("ceiling_verdict", |p| p.gate.as_ref().map(gate_outcome))
        .column("fill_z", |p| p.fill_z)
        .column("members_asked", |p| p.members_asked)
        .column("false_negatives", |p| p.false_negatives)
        // The same keys asked in batches.
        .column("batch_false_negatives", |p| {
            p.batches.map(|own| own.false_negatives)
        })
        .column("batch_false_positives", |p| {
            p.batches.map(|own| own.false_positives)
        })
        .column("batch_otherwise", |p| p.batches.map(|own| own.otherwise))
        .column("theory", |p| {
            judge::subject(records, &p.filter).map_or("", |s| &s.theory)
        })
        .column("error", |p| &p.error)
        .table()
}
