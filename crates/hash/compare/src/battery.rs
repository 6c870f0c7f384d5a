//! A hash function, evaluated by the locations that the default scheme draws from it.

use anyhow::Result;
use bouquet_core::KeyHash;
use bouquet_hash::scheme::RotateAdd;

use bouquet_ground::record::BatteryRow;
use bouquet_lab::battery::{Sample, findings, row};
use bouquet_lab::schemes::{Located, Part};
use bouquet_lab::workload::KeySet;

/// The slots and probes: a filter of 100,000 keys or so.
const SLOTS: u64 = 1 << 20;
const PROBES: u32 = 7;

/// The rows of all tests on the first so many keys of the set.
pub fn judge_hash(
    name: &str,
    role: &str,
    hash: impl Fn(&[u8]) -> KeyHash,
    set: &KeySet,
    keys: u64,
) -> Result<Vec<BatteryRow>> {
    let slot = vec![Part::slot(PROBES, SLOTS)];
    let locator = Located::of_parts(RotateAdd::new(SLOTS, PROBES)?, hash, slot);
    let sample = Sample::take(&locator, keys, |visit| set.for_each(keys, visit))?;
    let blank = BatteryRow {
        subject: name.into(),
        role: role.into(),
        dataset: set.name().into(),
        slots_wanted: SLOTS,
        slots: SLOTS,
        probes: PROBES,
        keys,
        expected_outcome: "passes".into(),
        ..BatteryRow::default()
    };
    let findings = findings(&sample).into_iter();
    Ok(findings.map(|finding| row(&blank, finding)).collect())
}
