//! `bouquet speed --hashes`: hash functions by their speed, with what the
//! uniformity battery says of them.

use anyhow::Result;

use super::Args;
use crate::study::{Study, say};
use bouquet_lab::battery::judge_hash;
use bouquet_lab::experiment::Profile;
use bouquet_lab::registry::hashes;
use bouquet_lab::speed::race_hashes;
use bouquet_lab::workload::Manifest;

/// Keys of a set in the battery, if it has as many.
const KEYS: u64 = 1 << 18;

pub fn measure(args: &Args, study: &mut Study) -> Result<()> {
    if cfg!(not(feature = "hashes")) {
        let words = "built without the hashes of the field: ours alone; --features hashes has them";
        say(args.run.quiet, words);
    }
    let (repetitions, least_ns) = match (args.tiny, args.effort.profile()) {
        (true, _) => (1, 1.0),
        (_, Profile::Quick) => (7, 5e5),
        (_, Profile::Default) => (15, 2e6),
        (_, Profile::Full) => (31, 5e6),
    };
    let hashes = hashes();
    let rows = &mut study.rows;
    race_hashes(&hashes, repetitions, least_ns, &mut |row| {
        rows.write(&[row])
    })?;
    let most = if args.tiny { 1 << 12 } else { KEYS };
    let manifest = Manifest::find()?;
    let names: Vec<String> = manifest.about().map(|(name, _)| name.to_owned()).collect();
    for name in names {
        let set = manifest.load(&name)?;
        for hash in &hashes {
            let keys = most.min(set.len());
            rows.write(&judge_hash(
                hash.name,
                hash.role,
                |key| hash.of(key),
                &set,
                keys,
            )?)?;
        }
    }
    Ok(())
}
