//! The statistical tier: rates of false positives, and the battery on the
//! locations of each filter in its own geometry.

use anyhow::Result;

use super::{Definition, Guarded};
use crate::battery::{BatteryCell, Claim, Expectation};
use crate::experiment::{Profile, Sweep};
use crate::measure::{FprCell, guarded};
use crate::registry::Size;
use crate::schemes::schemes;
use crate::workload::{KeySet, mix};
use bouquet_ground::parallel;
use bouquet_ground::record::{BatteryRow, FprRow, GATE_CONTROL, GateRecords};
use bouquet_ground::staging::interrupted;

/// The scheme that must be flagged: without it a pass says little.
const CONTROL_SCHEME: &str = "truncated-16";
const CONTROL_SLOTS: u64 = 1 << 20;
const CONTROL_PROBES: u32 = 7;

/// How much is done.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Hits to expect of a filter, over its replicates.
    pub hits: u64,
    pub replicates: u32,
    /// Strangers asked of a filter, at most.
    pub most_strangers: u64,
    /// Keys located for the battery.
    pub located: u64,
}

impl Effort {
    pub fn at(profile: Profile) -> Self {
        let (hits, replicates, most_strangers, located) = match profile {
            Profile::Quick => (4_000, 8, 8_000_000, 100_000),
            Profile::Default => (10_000, 16, 10_000_000, 400_000),
            Profile::Full => (40_000, 32, 100_000_000, 2_000_000),
        };
        Self {
            hits,
            replicates,
            most_strangers,
            located,
        }
    }

    /// Small filters differ more from one to the next: more of them.
    fn replicates_of(self, keys: u64) -> u32 {
        let more = (10_000 / keys.max(1)).clamp(1, 8) as u32;
        self.replicates * more
    }
}

enum Piece {
    Fpr(Box<FprCell>, String),
    Battery(Box<BatteryCell>, String),
    /// Why there are no locations to draw.
    Unmade(String, String),
}

enum Rows {
    Fpr(Box<FprRow>),
    Battery(Vec<BatteryRow>),
}

/// The rows of this tier, put into the records; they follow from the seed.
///
/// Fails if it is interrupted.
pub fn statistical(
    definition: &Definition,
    effort: Effort,
    seed: u64,
    jobs: usize,
    records: &mut GateRecords,
) -> Result<()> {
    let mut pieces = Vec::new();
    for filter in &definition.filters {
        pieces.extend(rates(filter, effort, seed));
        pieces.extend(locations(filter, effort, seed));
    }
    pieces.push(control(effort, seed)?);
    parallel::in_order(&pieces, jobs, measure, |rows| {
        match rows {
            Rows::Fpr(row) => records.fpr.push(*row),
            Rows::Battery(rows) => records.battery.extend(rows),
        }
        Ok(())
    })
}

fn measure(piece: &Piece) -> Rows {
    match piece {
        Piece::Fpr(cell, name) => Rows::Fpr(Box::new(FprRow {
            filter: name.clone(),
            ..rate(cell)
        })),
        Piece::Unmade(name, error) => Rows::Battery(vec![BatteryRow {
            subject: name.clone(),
            error: error.clone(),
            ..BatteryRow::default()
        }]),
        Piece::Battery(_, _) if interrupted() => Rows::Battery(Vec::new()),
        Piece::Battery(cell, name) => {
            let named = |row| BatteryRow {
                subject: name.clone(),
                ..row
            };
            Rows::Battery(cell.measure().into_iter().map(named).collect())
        }
    }
}

/// A filter that denies its keys, or answers otherwise in batches, has no rate that
/// could be compared.
fn rate(cell: &FprCell) -> FprRow {
    let mut row = cell.measure();
    let asked = row.members_asked + row.strangers_asked;
    let promises = cell.of.filter.promises_no_false_negatives;
    if promises && row.false_negatives > 0 {
        row.error = format!("denies {} of its keys", row.false_negatives);
    } else if let Some(denied @ 1..) = row.batch_false_negatives
        && promises
    {
        row.error = format!("denies {denied} of its keys in batches");
    } else if let Some(differ @ 1..) = row.batch_otherwise {
        row.error = format!(
            "{differ} of {asked} keys answered otherwise in batches than by single calls: takes \
             {} of {} non-members for members, where single calls take {}",
            row.batch_false_positives.unwrap_or_default(),
            row.strangers_asked,
            row.false_positives
        );
    }
    row
}

/// Filters of the same kind for so many keys that half of a file's are left for
/// strangers.
fn rates(filter: &Guarded, effort: Effort, seed: u64) -> Vec<Piece> {
    let capacity = filter.keys.up_to(2 * filter.capacity).div_ceil(2);
    let (sweep, x) = match filter.size {
        Size::TargetFpr(fpr) => (Sweep::TargetFpr, fpr),
        Size::BitsPerKey(bits) => (Sweep::BitsPerKey, bits),
    };
    let replicates = effort.replicates_of(capacity);
    let cell = |replicate: u32| FprCell {
        of: filter.fitted(
            capacity,
            replicate,
            seed_of(seed, &filter.name, replicate.into()),
        ),
        sweep,
        x,
        hits: effort.hits as f64 / f64::from(replicates),
        gate_hits: bouquet_stats::GATE_HITS as f64 / f64::from(replicates),
        max_strangers: effort.most_strangers / u64::from(replicates),
    };
    (0..replicates)
        .map(|replicate| Piece::Fpr(Box::new(cell(replicate)), filter.name.clone()))
        .collect()
}

fn locations(filter: &Guarded, effort: Effort, seed: u64) -> Option<Piece> {
    let subject = filter.entry.locating()?;
    let made = guarded(|| {
        let made = filter.make(seed)?;
        let state = made.state(0);
        let slots = made.slots().unwrap_or(state.size_bits);
        Ok((slots, state.hashes.max(1)))
    });
    let (slots, probes) = match made {
        Ok(made) => made,
        Err(error) => return Some(Piece::Unmade(filter.name.clone(), error)),
    };
    let cell = BatteryCell {
        subject,
        keys: filter.keys.clone(),
        count: filter.keys.up_to(effort.located),
        slots,
        probes,
        replicate: 0,
        seed: seed_of(seed, &filter.name, u64::MAX),
        expected: expectation(Claim::Passes),
    };
    Some(Piece::Battery(Box::new(cell), filter.name.clone()))
}

fn control(effort: Effort, seed: u64) -> Result<Piece> {
    let all = schemes().into_iter();
    let Some(scheme) = all.into_iter().find(|scheme| scheme.name == CONTROL_SCHEME) else {
        anyhow::bail!("the control {CONTROL_SCHEME} is gone");
    };
    let cell = BatteryCell {
        subject: scheme.locating(),
        keys: KeySet::generated("random-u64", "random-u64", seed)?.into(),
        count: effort.located,
        slots: CONTROL_SLOTS,
        probes: CONTROL_PROBES,
        replicate: 0,
        seed,
        expected: expectation(Claim::Flagged),
    };
    let name = format!("{GATE_CONTROL}{CONTROL_SCHEME}");
    Ok(Piece::Battery(Box::new(cell), name))
}

fn expectation(outcome: Claim) -> Expectation {
    Expectation {
        outcome,
        tests: String::new(),
    }
}

/// A function of the run's seed and what the piece is, so that leaving out other
/// filters does not change it.
fn seed_of(seed: u64, name: &str, number: u64) -> u64 {
    name.bytes().fold(mix(seed ^ mix(number)), |seed, byte| {
        mix(seed ^ u64::from(byte))
    })
}
