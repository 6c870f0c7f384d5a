//! The size and the FPR of a candidate, computed with its crate's own formulas and without
//! allocating it.

use anyhow::{Context, Result, bail};
use bouquet_catalogue::{FilterInfo, SizingFn, for_each_filter, in_shards};
use bouquet_core::{MAX_SIZE_BITS, Spec, SpecError};

use super::{
    candidates::{Candidate, objections},
    requirements::Bytes,
    workload::Workload,
};
use bouquet_measure::registry::{Made, make_set};
use bouquet_measure::speed::Kind;

/// A candidate sized for a target FPR.
#[derive(Clone)]
pub struct Sizing {
    pub candidate: Candidate,
    /// The target FPR; 0 for an exact set.
    pub target_fpr: f64,
    /// The number of keys that the candidate is sized for.
    pub keys: u64,
    /// The bytes that store the keys, without the filter's struct and the header of its file.
    pub payload_bytes: f64,
    /// The bytes beside the payload: in memory, the struct and padding to a cache line; in a file,
    /// the header and checksums. Both are zero until `sized` sets them.
    pub beside: [f64; 2],
    /// The expected FPR when all keys are inserted.
    pub fpr: f64,
}

impl Sizing {
    pub fn bits_per_key(&self) -> f64 {
        8.0 * (self.payload_bytes + self.beside[0]) / self.keys as f64
    }

    /// The memory of all filters of the workload together, in bytes.
    pub fn bytes(&self, workload: &Workload) -> f64 {
        (self.payload_bytes + self.beside[0]) * workload.filters as f64
    }
}

/// Sizes the candidate for the workload and a target FPR.
///
/// # Errors
///
/// The size is impossible, or the hash does not allow so low an FPR.
pub fn sizing(candidate: Candidate, workload: &Workload, target_fpr: f64) -> Result<Sizing> {
    fn of<V: FilterInfo>() -> SizingFn {
        V::SIZING
    }
    let (keys, at_first) = (workload.final_keys(), workload.capacity);
    let spec = Spec::new(keys, target_fpr)?;
    let own = |at: usize| {
        for_each_filter!(of)
            .get(at)
            .copied()
            .context("no such filter")
    };
    let ours = match candidate {
        Candidate::Ours(at) => Some(own(at)?(at_first, &spec)?),
        Candidate::InShards(at) => {
            let grows = candidate.facts().grows;
            Some(in_shards::sizing(own(at)?, grows, at_first, &spec)?)
        }
        _ => None,
    };
    let (bits, fpr) = match &ours {
        Some(own) => (own.size_bits, (own.fpr)(keys).unwrap_or(1.0)),
        None => unsized_bits(candidate, workload)?,
    };
    Ok(Sizing {
        candidate,
        target_fpr: if ours.is_some() { target_fpr } else { fpr },
        keys,
        payload_bytes: bits / 8.0,
        beside: [0.0; 2],
        fpr,
    })
}

/// The bits and the FPR of a candidate that cannot be sized for a target FPR.
fn unsized_bits(candidate: Candidate, workload: &Workload) -> Result<(f64, f64)> {
    let n = workload.final_keys() as f64;
    let below = workload.integers_below.map(|below| below as f64);
    let key_bytes = allocated(workload.key_bytes);
    let bytes = match (candidate, below) {
        (Candidate::None, _) => return Ok((0.0, 1.0)),
        (Candidate::HashSet, _) if workload.integers => table_bytes(n, 8.0),
        (Candidate::HashSet, _) => table_bytes(n, 16.0) + n * key_bytes,
        (Candidate::SortedArray, _) if workload.integers => 8.0 * n,
        (Candidate::SortedArray, _) => n * (16.0 + key_bytes),
        (Candidate::Bitmap, Some(below)) if below > MAX_SIZE_BITS as f64 => {
            bail!(SpecError::TooLarge { size_bits: below })
        }
        (Candidate::Bitmap, Some(below)) => (below / 64.0).ceil() * 8.0,
        (Candidate::Roaring, Some(below)) => roaring_bytes(n, below),
        _ => bail!("its size depends on integers-below, which is not given"),
    };
    Ok((8.0 * bytes, 0.0))
}

/// Makes a filter and returns its bytes beside the payload, in memory and in a file. They are used
/// for filters of all sizes, since only the padding to a cache line varies.
fn overhead(candidate: Candidate, workload: &Workload) -> Result<[f64; 2]> {
    let all = workload.final_keys();
    let made = Made {
        kind: Kind::U64,
        // From 64,000 keys on, the overhead does not depend on the capacity: the number of shards
        // is constant, and a filter that grows has one stage at first.
        capacity: candidate.capacity(workload.capacity, all).min(64_000),
        target_fpr: 0.01,
        keyed: workload.hostile,
        below: 0,
    };
    let bytes = make_set(candidate.name(), &made)?.bytes();
    let bytes = bytes.unwrap_or_default();
    Ok([bytes.allocated, bytes.stored].map(|all| all as f64 - bytes.payload as f64))
}

/// The heap memory of a key of `length` bytes: with 8 bytes of the allocator, rounded up to a
/// multiple of 16, and at least 32.
fn allocated(length: f64) -> f64 {
    (((length + 8.0) / 16.0).ceil() * 16.0).max(32.0)
}

/// The bytes of the table of `std`'s hash set (hashbrown). The number of buckets is a power of two,
/// at most seven eighths of them are filled, and each takes one byte more than its entry.
fn table_bytes(keys: f64, entry_bytes: f64) -> f64 {
    let buckets = (keys * 8.0 / 7.0).max(4.0).log2().ceil().exp2();
    buckets * (entry_bytes + 1.0) + 16.0
}

/// The bytes of a Roaring bitmap of random keys below a bound (Lemire et al. 2016). A container
/// covers 65,536 values. It takes 32 bytes, plus two bytes per key (up to 4,096 keys) or 8 KiB.
fn roaring_bytes(keys: f64, below: f64) -> f64 {
    let containers = (below / 65_536.0).ceil();
    let own = keys / containers;
    if own < 1.0 {
        keys * (2.0 + 32.0)
    } else if own <= 4_096.0 {
        containers * (2.0 * own + 32.0)
    } else {
        containers * (8_192.0 + 32.0)
    }
}

/// The maximum bits per key if neither an FPR nor a memory limit is given.
const MOST_BITS: f64 = 32.0;
/// Without a target FPR, FPRs from 2^-1 to about 2^-`HALVINGS` are tried, in this many steps per
/// halving. A step takes about a third of a bit per key.
const A_HALVING: i32 = 4;
const HALVINGS: i32 = 30;
/// The possible sizes of a candidate.
///
/// # Errors
///
/// If no size is possible, all reasons why.
pub fn sizes(candidate: Candidate, workload: &Workload) -> Result<Vec<Sizing>, Vec<String>> {
    let against = objections(candidate, workload);
    if !against.is_empty() {
        return Err(against.into_iter().map(str::to_owned).collect());
    }
    let found = match candidate.is_sized() {
        true => sized(candidate, workload),
        false => fixed(candidate, workload).map(|sizing| vec![sizing]),
    };
    found.map_err(|error| vec![format!("{error:#}")])
}

/// Rejects a size that takes more memory than the limit. If neither a limit nor a target FPR is
/// given, the limit is [`MOST_BITS`] per key.
fn check_fits(sizing: &Sizing, workload: &Workload) -> Result<()> {
    let most = MOST_BITS / 8.0 * sizing.keys as f64 + sizing.beside[0];
    let has_bound = workload.fpr.is_none() && sizing.candidate.is_sized();
    let bound = has_bound.then_some(most * workload.filters as f64);
    let bytes = sizing.bytes(workload);
    if let Some(memory) = workload.memory.or(bound).filter(|memory| bytes > *memory) {
        let (bytes, bits, memory) = (Bytes(bytes), sizing.bits_per_key(), Bytes(memory));
        bail!("takes at least {bytes} ({bits:.1} bits per key), but only {memory} are available");
    }
    Ok(())
}

/// The size of a candidate that cannot be sized for a target FPR.
fn fixed(candidate: Candidate, workload: &Workload) -> Result<Sizing> {
    if candidate == Candidate::Bitmap && workload.memory.is_none() {
        let table = sizing(Candidate::HashSet, workload, 0.5)?.bytes(workload);
        let bits = workload.integers_below.unwrap_or(0) as f64 * workload.filters as f64;
        if bits / 8.0 > table {
            let [own, table] = [bits / 8.0, table].map(Bytes);
            bail!("takes {own}, more than the {table} of a hash set: the keys are too sparse");
        }
    }
    let own = sizing(candidate, workload, 0.5)?;
    if let Some(fpr) = workload.fpr.filter(|fpr| own.target_fpr > *fpr)
        && candidate != Candidate::None
    {
        bail!("has an FPR of {:.2e}, above {fpr:?}", own.target_fpr);
    }
    check_fits(&own, workload)?;
    Ok(own)
}

/// The sizes of a candidate that can be sized for any FPR: one for the target FPR or, if there is
/// no target, one for each of several FPRs.
fn sized(candidate: Candidate, workload: &Workload) -> Result<Vec<Sizing>> {
    let beside = overhead(candidate, workload)?;
    let step = |step: i32| (-f64::from(step) / f64::from(A_HALVING)).exp2();
    let targets: Vec<f64> = match workload.fpr {
        Some(fpr) => vec![fpr],
        None => (A_HALVING..A_HALVING * HALVINGS).map(step).collect(),
    };
    let mut found = Vec::new();
    for target in targets {
        let sizing = sizing(candidate, workload, target).and_then(|own| {
            let sizing = Sizing { beside, ..own };
            check_fits(&sizing, workload).map(|()| sizing)
        });
        match sizing {
            Ok(sizing) => found.push(sizing),
            Err(error) if found.is_empty() => return Err(error),
            Err(_) => break,
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advise::workload;
    use bouquet_measure::speed::StoredKeys;

    fn of(capacity: u64) -> Workload {
        let below = capacity * 100;
        workload(&format!("capacity = {capacity}\nintegers-below = {below}"))
    }

    #[test]
    fn computed_and_made_filter_have_the_same_size() {
        for capacity in [1, 700, 20_000] {
            let workload = of(capacity);
            let keys = StoredKeys::Integers((0..capacity).collect());
            for candidate in Candidate::all().into_iter().filter(|one| one.is_sized()) {
                // Some filters cannot be sized for the lowest of these FPRs.
                for target_fpr in [0.1, 0.001, 1e-9, 1e-12] {
                    let made = Made {
                        kind: Kind::U64,
                        capacity,
                        target_fpr,
                        keyed: false,
                        below: 0,
                    };
                    let name = format!("{} {capacity} {target_fpr}", candidate.name());
                    let mut real = make_set(candidate.name(), &made);
                    // A static filter has the size of its keys.
                    if candidate.is_static()
                        && let Ok(set) = &mut real
                    {
                        set.insert_stored(&keys, 0..capacity as usize);
                        real = set.finish().and(real);
                    }
                    let Ok(sizing) = sizing(candidate, &workload, target_fpr) else {
                        assert!(real.is_err() && target_fpr < 1e-8, "{name}");
                        continue;
                    };
                    let real = real.unwrap().bytes().unwrap();
                    assert_eq!(sizing.payload_bytes.ceil(), real.payload as f64, "{name}");
                    assert!(sizing.fpr <= target_fpr, "{name}");
                }
            }
        }
    }

    #[test]
    fn a_bitmap_of_a_sparse_range_is_out() {
        let bitmap = |below: u64, memory: Option<f64>| {
            let text = format!("capacity = 1e6\nintegers-below = {below}");
            let workload = Workload {
                memory,
                ..workload(&text)
            };
            sizes(Candidate::Bitmap, &workload).map(|sizings| sizings[0].payload_bytes)
        };
        assert_eq!(bitmap(8_000_000, None), Ok(1e6));
        // A bitmap must be smaller than a hash set, which has 2^21 buckets of nine bytes: 18.9 MB.
        assert_eq!(bitmap(150_000_000, None), Ok(18.75e6));
        assert!(bitmap(160_000_000, None).unwrap_err()[0].contains("hash set"));
        assert_eq!(bitmap(160_000_000, Some(30e6)), Ok(20e6));
        assert!(bitmap(160_000_000, Some(10e6)).is_err());
        assert!(bitmap(1_000_000_000_000_000_000, None).is_err());
        assert!(bitmap(1_000_000_000_000_000_000, Some(1e18)).is_err());
    }
}
