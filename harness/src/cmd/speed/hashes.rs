//! `bouquet speed --hashes`: hash functions by their speed, with what the
//! uniformity battery says of them.

use std::path::Path;

use anyhow::Result;
use bouquet_core::KeyHash;
use bouquet_hash::scheme::RotateAdd;

use super::{Args, say};
use crate::{
    battery::{self, Sample},
    experiment::Profile,
    record::{BatteryRow, HashRow, RowWriter},
    registry::hashes,
    schemes::Located,
    speed::{Hash, race_hashes},
    workload::{KeySet, Manifest},
};

/// The slots and probes of the battery: a filter of 100,000 keys or so.
const SLOTS: u64 = 1 << 20;
const PROBES: u32 = 7;
/// Keys of a set, if it has as many.
const KEYS: u64 = 1 << 18;

pub fn measure_into(args: &Args, profile: Profile, folder: &Path) -> Result<()> {
    if cfg!(not(feature = "hashes")) {
        let words = "built without the hashes of the field: ours alone; --features hashes has them";
        say(args, words);
    }
    let (repetitions, least_ns) = match (args.tiny, profile) {
        (true, _) => (1, 1.0),
        (_, Profile::Quick) => (7, 5e5),
        (_, Profile::Default) => (15, 2e6),
        (_, Profile::Full) => (31, 5e6),
    };
    let hashes = hashes();
    let mut rows = RowWriter::<HashRow>::create(folder)?;
    race_hashes(&hashes, repetitions, least_ns, &mut |row| rows.write(&row))?;
    rows.finish()?;
    let mut rows = RowWriter::<BatteryRow>::create(folder)?;
    let most = if args.tiny { 1 << 12 } else { KEYS };
    let manifest = Manifest::find()?;
    let names: Vec<String> = manifest.about().map(|(name, _)| name.to_owned()).collect();
    for name in names {
        let set = manifest.load(&name)?;
        for hash in &hashes {
            for row in judged(hash, &set, most.min(set.len()), args.seed)? {
                rows.write(&row)?;
            }
        }
    }
    rows.finish()
}

/// The battery on the default scheme, driven by the first 64 bits of this hash.
fn judged(hash: &Hash, set: &KeySet, keys: u64, seed: u64) -> Result<Vec<BatteryRow>> {
    let of = |key: &[u8]| KeyHash::from_word(hash.of(key));
    let locator = Located::whole(RotateAdd::new(SLOTS, PROBES)?, of);
    let sample = Sample::take(&locator, keys, |visit| set.for_each(keys, visit))?;
    let blank = BatteryRow {
        subject: hash.name.into(),
        role: hash.role.into(),
        dataset: set.name().into(),
        slots_wanted: SLOTS,
        slots: SLOTS,
        probes: PROBES,
        keys,
        seed,
        expected_outcome: "passes".into(),
        ..BatteryRow::default()
    };
    let findings = battery::findings(&sample).into_iter();
    Ok(findings
        .map(|finding| battery::row(&blank, finding))
        .collect())
}
