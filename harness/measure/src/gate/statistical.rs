//! Measures the statistical tier of the gate: for each filter, its false-positive rate, and the
//! uniformity of the slots that it maps keys to.

use anyhow::{Context, Result};

use super::{Definition, Guarded};
use crate::battery::{BatteryCell, Claim, Expectation};
use crate::cells::{Fitted, FprCell, guarded};
use crate::experiment::Profile;
use crate::registry::Size;
use crate::schemes::{Wanted, schemes};
use crate::workload::{KeySet, mix};
use bouquet_record::parallel;
use bouquet_record::{GATE_CONTROL, GateRecords, Observation, Sweep, TestRow};

/// A scheme with a known fault: if the tests do not flag it, a pass of the filters means little.
const CONTROL_SCHEME: &str = "truncated-16";
const CONTROL_SLOTS: u64 = 1 << 20;
const CONTROL_PROBES: u32 = 7;

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The expected number of false positives of one filter, in all its replicates together.
    pub hits: u64,
    pub replicates: u32,
    /// The maximum number of non-members looked up per filter, in all its replicates together.
    pub most_non_members: u64,
    /// Number of keys whose locations are tested for uniformity.
    pub located: u64,
}

impl Effort {
    pub fn at(profile: Profile) -> Self {
        let of = |hits, replicates, most_non_members, located| Self {
            hits,
            replicates,
            most_non_members,
            located,
        };
        match profile {
            Profile::Quick => of(4_000, 8, 8_000_000, 100_000),
            Profile::Default => of(10_000, 16, 10_000_000, 400_000),
            Profile::Full => of(40_000, 32, 100_000_000, 2_000_000),
        }
    }
}

/// Adds the rows of the statistical tier to the records. They depend only on the definition,
/// `effort` and `seed`.
pub fn statistical(
    definition: &Definition,
    effort: Effort,
    seed: u64,
    jobs: usize,
    records: &mut GateRecords,
) -> Result<()> {
    type Rows = (Vec<Observation>, Vec<TestRow>);
    let mut work: Vec<Box<dyn Fn() -> Rows + Sync + '_>> = Vec::new();
    for filter in &definition.filters {
        for cell in rates(filter, effort, seed)? {
            work.push(Box::new(move || {
                (vec![rate(&filter.name, &cell)], Vec::new())
            }));
        }
        if filter.of.filter.locate.is_some() {
            work.push(Box::new(move || {
                (Vec::new(), locations(filter, effort, seed))
            }));
        }
    }
    let (control, name) = (
        control(effort, seed)?,
        format!("{GATE_CONTROL}{CONTROL_SCHEME}"),
    );
    work.push(Box::new(move || {
        (Vec::new(), named(&name, control.measure()))
    }));
    parallel::in_order(
        &work,
        jobs,
        |work| work(),
        |(fpr, battery)| {
            records.fpr.extend(fpr);
            records.battery.extend(battery);
            Ok(())
        },
    )
}

/// Measures an FPR. The row gets an error if the filter has false negatives, or if batch lookups
/// give other answers than single calls.
fn rate(name: &str, cell: &FprCell) -> Observation {
    let mut row = cell.measure();
    row.filter = name.into();
    let asked = row.members + row.non_members;
    let promises = cell.of.filter.promises_no_false_negatives;
    let missing = row.false_negatives;
    let missing_in_batches = row.batch_false_negatives.unwrap_or(0);
    row.error = match row.batch_differ {
        _ if promises && missing > 0 => format!("false negatives for {missing} of its keys"),
        _ if promises && missing_in_batches > 0 => {
            format!("false negatives for {missing_in_batches} of its keys in batches")
        }
        Some(differ @ 1..) => {
            format!("{differ} of {asked} keys answered otherwise in batches than by single calls")
        }
        _ => return row,
    };
    row
}

/// The largest number of keys inserted into all replicates of a filter together (some seconds).
const MOST_KEYS: u64 = 20_000_000;
/// The number of replicates of the largest filters: just enough to show how the FPR varies.
const LEAST_REPLICATES: u64 = 4;

/// The FPR measurements of a filter at its capacity, or at the largest capacity that takes only
/// seconds. If its key file has too few keys for that, two groups of filters are measured: with the
/// file's keys, which may have structure, at a capacity that they fill; and with generated keys.
fn rates(filter: &Guarded, effort: Effort, seed: u64) -> Result<Vec<FprCell>> {
    let capacity = filter.of.capacity.min(MOST_KEYS / LEAST_REPLICATES);
    // Half of a file's keys serve as non-members.
    let own = filter.of.keys.up_to(2 * capacity).div_ceil(2);
    let mut cells: Vec<_> = rates_of(filter, own, effort, seed).collect();
    if own < capacity {
        let made_up = filter.of_made_up_keys()?;
        cells.extend(rates_of(&made_up, capacity, effort, seed));
    }
    Ok(cells)
}

fn rates_of(
    filter: &Guarded,
    capacity: u64,
    effort: Effort,
    seed: u64,
) -> impl Iterator<Item = FprCell> {
    let (sweep, x) = match filter.of.size {
        Size::TargetFpr(fpr) => (Sweep::TargetFpr, fpr),
        Size::BitsPerKey(bits) => (Sweep::BitsPerKey, bits),
    };
    let most = (MOST_KEYS / capacity.max(1)).max(LEAST_REPLICATES);
    // The FPR varies more between small filters, so they get more replicates.
    let more = (10_000 / capacity.max(1)).clamp(1, 8) as u32;
    let replicates = (effort.replicates * more).min(most as u32);
    (0..replicates).map(move |replicate| FprCell {
        of: Fitted {
            capacity,
            replicate,
            seed: seed_of(seed, &filter.name, replicate.into()),
            ..filter.of.clone()
        },
        sweep,
        x,
        hits: effort.hits as f64 / f64::from(replicates),
        low_hits: bouquet_stats::LOW_HITS as f64 / f64::from(replicates),
        max_non_members: effort.most_non_members / u64::from(replicates),
    })
}

/// Tests a filter's locations for uniformity. If the filter cannot be built, a row has the error.
fn locations(filter: &Guarded, effort: Effort, seed: u64) -> Vec<TestRow> {
    let of = filter.of.clone();
    let of_seed = seed_of(seed, &filter.name, u64::MAX);
    let cell = guarded(|| Fitted { seed, ..of }.locations(effort.located, of_seed));
    let rows = cell.map_or_else(|error| vec![TestRow::failed(error)], |cell| cell.measure());
    named(&filter.name, rows)
}

fn named(name: &str, mut rows: Vec<TestRow>) -> Vec<TestRow> {
    rows.iter_mut().for_each(|row| row.subject = name.into());
    rows
}

fn control(effort: Effort, seed: u64) -> Result<BatteryCell> {
    let subject = schemes().into_iter().find(|one| one.name == CONTROL_SCHEME);
    Ok(BatteryCell {
        subject: subject.with_context(|| format!("the control {CONTROL_SCHEME} is gone"))?,
        keys: KeySet::generated("random-u64", "random-u64", seed)?.into(),
        at: Wanted::new(CONTROL_SLOTS, CONTROL_PROBES, seed),
        count: effort.located,
        replicate: 0,
        expected: Expectation::of(Claim::Flagged),
    })
}

/// The seed of a measurement. It depends only on the arguments, so leaving out other filters does
/// not change it.
fn seed_of(seed: u64, name: &str, number: u64) -> u64 {
    name.bytes().fold(mix(seed ^ mix(number)), |seed, byte| {
        mix(seed ^ u64::from(byte))
    })
}
