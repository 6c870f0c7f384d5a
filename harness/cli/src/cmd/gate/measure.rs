//! Measures the rows of the tiers and collects the facts of the run.

use std::{collections::BTreeMap, time::Instant};

use anyhow::Result;

use super::Args;
use crate::output::say;
use bouquet_ground::interrupt::go_on;
use bouquet_ground::machine;
use bouquet_ground::record::{GateDocument, GateRecords, Tier};
use bouquet_lab::gate::{self, Definition, Sampling, Timing};
use bouquet_render::gate as report;

impl Args {
    /// Why times cannot be measured.
    pub fn no_times(&self) -> Option<&'static str> {
        (cfg!(debug_assertions) && !self.tiny).then_some(
            "Not measured: the times of a debug build are meaningless (use cargo run --release or \
             cargo install).",
        )
    }
}

pub fn measure(
    args: &Args,
    definition: &Definition,
    baseline: Option<&GateDocument>,
) -> Result<GateRecords> {
    let (profile, seed) = (args.flags.effort.profile(), args.flags.run.seed);
    let tiers = args.tiers();
    let mut records = GateRecords::default();
    if tiers.contains(&Tier::Exact) {
        gate::check_room(definition)?;
    }
    if tiers.iter().any(|tier| *tier != Tier::Time) {
        records.rows = gate::loads(definition);
    }
    if tiers.contains(&Tier::Exact) {
        records.rows.extend(gate::exact(definition)?);
    }
    if tiers.contains(&Tier::Statistical) {
        let jobs = args.flags.jobs();
        gate::statistical(definition, Sampling::at(profile), seed, jobs, &mut records)?;
    }
    if tiers.contains(&Tier::Time) && args.no_times().is_none() {
        let effort = match args.tiny {
            true => Timing::tiny(),
            false => Timing::at(profile),
        };
        records.times = gate::times(definition, effort, seed, None)?;
        // An operation that seems too slow is measured again before it fails.
        let suspects = baseline.map_or(Vec::new(), |baseline| {
            report::suspects(&records, baseline, &times_cpu(), args.tolerance)
        });
        if !suspects.is_empty() {
            let names = suspects
                .iter()
                .map(|(subject, what)| format!("{subject} {what}"));
            let names = names.collect::<Vec<_>>().join(", ");
            say(&format!("slower, measured again: {names}"));
            let again = gate::times(definition, effort, seed, Some(&suspects))?;
            records.times.extend(again);
        }
    }
    // After Ctrl-C, the row that was being measured is an error and no measurement: stop here.
    go_on()?;
    Ok(records)
}

/// The properties of the machine that distinguish its times from those of another.
fn times_cpu() -> String {
    let facts = [machine::facts(), machine::memory()].concat();
    let of = |name: &str| {
        let fact = facts.iter().find(|(known, _)| *known == name);
        fact.map_or(String::new(), |(_, value)| value.clone())
    };
    let caches = ["cache_l1d", "cache_l2", "cache_l3"].map(of).join(" ");
    format!(
        "{} ({} cores, {}, caches of {caches} bytes)",
        of("cpu"),
        of("cores"),
        of("architecture")
    )
}

pub fn facts(args: &Args, started: Instant) -> BTreeMap<String, String> {
    let profile = args.flags.effort.profile();
    let rows = machine::of_run(Some(profile.name()), args.flags.run.seed, started);
    let mut facts: BTreeMap<String, String> = rows
        .into_iter()
        .filter(|(name, _)| *name != "schema_version")
        .map(|(name, value)| (name.into(), value))
        .collect();
    for tier in args.tiers() {
        let of_tier = match tier {
            Tier::Exact => &["revision"][..],
            Tier::Time if args.no_times().is_some() => &[],
            Tier::Statistical | Tier::Time => &["revision", "seed", "profile"],
        };
        for name in of_tier {
            let value = facts.get(*name).cloned().unwrap_or_default();
            facts.insert(tier.fact(name), value);
        }
        if tier == Tier::Time && args.no_times().is_none() {
            facts.insert(tier.fact("cpu"), times_cpu());
        }
    }
    facts
}
