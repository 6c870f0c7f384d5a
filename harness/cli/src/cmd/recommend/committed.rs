//! Measures the times that come with the program.

use std::path::Path;

use anyhow::Result;

use bouquet_advise::recommend::{
    Candidate, Class, Count, INSERTED, KeyKind, Measuring, Requirements, Sample, Workload, anchors,
    is_built_in, measure,
};
use bouquet_files::save;
use bouquet_ground::machine;
use bouquet_ground::record::{TimeRow, in_csv};

/// Times as many keys as a set that grows was sized for, as far as it is measured
/// for others: not at all, tenfold (what `--growth unknown` is taken for) and far.
const GROWN: [f64; 3] = [1.0, 10.0, 100.0];

/// Measures what goes beside the report on speed: made keys of either kind, both hashes,
/// some capacities.
pub fn record(path: &Path, seed: u64, tiny: bool) -> Result<()> {
    let mut rows = Vec::new();
    for (kind, capacities) in [
        (KeyKind::U64, &[1_000, 30_000, 1_000_000, 4_000_000][..]),
        (KeyKind::Url, &[1_000, 30_000, 1_000_000][..]),
    ] {
        for &capacity in capacities {
            for keyed in [false, true] {
                let most = if tiny { 300 } else { capacity };
                rows.extend(recorded(kind, capacity.min(most), keyed, seed)?);
            }
        }
    }
    let csv = in_csv(&rows)?;
    save(path, |out| out.write_all(csv.as_bytes()))?;
    let facts = machine::facts().into_iter().chain(machine::memory());
    let text: String = facts
        .map(|(name, value)| format!("{name}: {value}\n"))
        .collect();
    let about = path.with_file_name("machine.txt");
    save(&about, |out| out.write_all(text.as_bytes()))
}

fn recorded(kind: KeyKind, capacity: u64, keyed: bool, seed: u64) -> Result<Vec<TimeRow>> {
    let mut rows = Vec::new();
    for integers in [false, true] {
        if integers && (keyed || kind == KeyKind::Url) {
            continue;
        }
        let requirements = Requirements {
            capacity: Some(Count(capacity)),
            key_kind: Some(kind),
            integers_below: integers.then_some(Count(16 * capacity)),
            ..Requirements::default()
        };
        let workload = Workload::new(&requirements, None, None)?;
        let sample = Sample::with_keys(&workload, capacity, seed);
        let wanted = |candidate: &Candidate| {
            let facts = candidate.facts();
            !matches!(candidate, Candidate::None | Candidate::InShards(_))
                && is_built_in(*candidate)
                && facts.integers_only == integers
                && (!keyed || facts.class == Class::Ours)
        };
        for grown in GROWN {
            let wanted = Candidate::all().into_iter().filter(wanted);
            let wanted = wanted.filter(|one| grown == 1.0 || one.begins_small());
            let wanted = wanted.map(|one| (one, anchors(one, &[0.1, 1e-3, 1e-5])));
            rows.extend(measure(&Measuring {
                wanted: wanted.collect(),
                sample: &sample,
                keyed,
                grown,
                inserted: INSERTED,
            })?);
        }
    }
    Ok(rows)
}
