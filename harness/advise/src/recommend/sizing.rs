//! Size and FPR of a candidate, from its crate's own arithmetic, without any
//! memory for it.

use std::rc::Rc;

use anyhow::{Context, Result, bail};
use bouquet_catalogue::{Fpr, SizingFn, Variant, every, in_shards};
use bouquet_core::{MAX_SIZE_BITS, Spec, SpecError};

use super::{candidates::Candidate, workload::Workload};
use bouquet_lab::registry::{Made, make_set};

/// What a candidate is, sized for a target.
#[derive(Clone)]
pub struct Sizing {
    pub candidate: Candidate,
    /// What it was sized for; 0 of a set that is exact.
    pub target_fpr: f64,
    /// Keys that the bits are for.
    pub keys: u64,
    /// Of what holds the keys, without the value itself and its header.
    pub payload_bytes: f64,
    /// What it takes beside that; nothing unless it was counted.
    pub over: Overhead,
    fpr: Fpr,
}

impl Sizing {
    /// The FPR with so many keys; `None` if it does not take them.
    pub fn fpr(&self, keys: u64) -> Option<f64> {
        (self.fpr)(keys)
    }

    pub fn bits_per_key(&self) -> f64 {
        8.0 * self.memory_bytes() / self.keys as f64
    }

    /// Of one set, all in all.
    pub fn memory_bytes(&self) -> f64 {
        self.payload_bytes + self.over.memory
    }

    /// Of all sets.
    pub fn bytes(&self, workload: &Workload) -> f64 {
        self.memory_bytes() * workload.filters as f64
    }
}

/// The candidate sized for the workload and a target.
///
/// # Errors
///
/// None is so large, or the target is below what its hash can keep.
pub fn sizing(candidate: Candidate, workload: &Workload, target_fpr: f64) -> Result<Sizing> {
    let keys = workload.final_keys();
    let spec = Spec::new(keys, target_fpr)?;
    let at_first = workload.capacity;
    let ours = match candidate {
        Candidate::Ours(at) => Some(sizing_of(at)?(at_first, &spec)?),
        Candidate::InShards(at) => {
            let grows = candidate.facts().grows;
            Some(in_shards::sizing(sizing_of(at)?, grows, at_first, &spec)?)
        }
        _ => None,
    };
    let (bits, fpr, target_fpr) = match ours {
        Some((bits, fpr)) => (bits, fpr, target_fpr),
        None => fixed(candidate, workload)?,
    };
    Ok(Sizing {
        candidate,
        target_fpr,
        keys,
        payload_bytes: bits / 8.0,
        over: Overhead::default(),
        fpr,
    })
}

/// The arithmetic of a filter of ours.
fn sizing_of(at: usize) -> Result<SizingFn> {
    fn of<V: Variant>() -> SizingFn {
        V::SIZING
    }
    every!(of).get(at).copied().context("no such filter")
}

/// What comes in one size: its bits, the FPR, and what that is of a full one.
fn fixed(candidate: Candidate, workload: &Workload) -> Result<(f64, Fpr, f64)> {
    let keys = workload.final_keys();
    let (n, below) = (
        keys as f64,
        workload.integers_below.map(|below| below as f64),
    );
    let exact = |bytes: f64| -> (f64, Fpr, f64) { (8.0 * bytes, Rc::new(|_| Some(0.0)), 0.0) };
    let fuse = |bits: f64| -> (f64, Fpr, f64) {
        let fpr = (-bits).exp2();
        // A filter of all its keys at once takes no more.
        let built = move |asked| (asked <= keys).then_some(fpr);
        (bits * fuse_slots(n), Rc::new(built), fpr)
    };
    Ok(match (candidate, below) {
        (Candidate::None, _) => (0.0, Rc::new(|_| Some(1.0)), 1.0),
        (Candidate::HashSet, _) if workload.integers => exact(table_bytes(n, 8.0)),
        (Candidate::HashSet, _) => exact(table_bytes(n, 16.0) + n * allocated(workload.key_bytes)),
        (Candidate::SortedArray, _) if workload.integers => exact(8.0 * n),
        (Candidate::SortedArray, _) => exact(n * (16.0 + allocated(workload.key_bytes))),
        (Candidate::Bitmap, Some(below)) if below > MAX_SIZE_BITS as f64 => {
            bail!(SpecError::TooLarge { size_bits: below })
        }
        (Candidate::Bitmap, Some(below)) => exact((below / 64.0).ceil() * 8.0),
        (Candidate::Roaring, Some(below)) => exact(roaring_bytes(n, below)),
        (Candidate::Bitmap | Candidate::Roaring, None) => {
            bail!("its size is not known without integers-below")
        }
        (Candidate::Fuse8, _) => fuse(8.0),
        (Candidate::Fuse16, _) => fuse(16.0),
        (ours, _) => bail!("{} has no size of its own", ours.name()),
    })
}

/// Bytes that a filter takes beside its bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overhead {
    /// In memory: the value itself, and what it takes to begin on a cache line.
    pub memory: f64,
    /// In a file: the header, check sums and all.
    pub stored: f64,
}

/// The same, of one that is really sized for the target; of other sets it is in
/// their formulas. From one size to the next it differs by what fills a line.
///
/// # Errors
///
/// It cannot be made.
pub fn overhead(candidate: Candidate, workload: &Workload, target_fpr: f64) -> Result<Overhead> {
    if !candidate.is_sized() {
        return Ok(Overhead::default());
    }
    let made = Made {
        // The number of shards goes by the keys; from 64,000 on it is the same. A
        // set that grows begins with one stage.
        capacity: match candidate.begins_small() {
            true => workload.capacity,
            false => workload.final_keys(),
        }
        .min(64_000),
        target_fpr,
        keyed: workload.hostile,
        below: 0,
    };
    let bytes = make_set(candidate.name(), &made)?.bytes();
    Ok(bytes.map_or(Overhead::default(), |bytes| Overhead {
        memory: bytes.allocated as f64 - bytes.payload as f64,
        stored: bytes.stored as f64 - bytes.payload as f64,
    }))
}

/// What a key on the heap takes, by its length: rounded to 16 bytes, 24 at
/// least, with the allocator's 8.
fn allocated(length: f64) -> f64 {
    (((length + 8.0) / 16.0).ceil() * 16.0).max(32.0)
}

/// `std`'s table (hashbrown): a power of two of buckets, at most seven eighths
/// full, each with a byte beside it.
fn table_bytes(keys: f64, entry_bytes: f64) -> f64 {
    let buckets = (keys * 8.0 / 7.0).max(4.0).log2().ceil().exp2();
    buckets * (entry_bytes + 1.0) + 16.0
}

/// Keys at random below a bound: containers of 65,536 values, of two bytes per key
/// up to 4,096 keys, else of 8 KiB (Lemire et al. 2016), and 32 bytes a
/// container.
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

/// Slots of a binary fuse filter with three probes (Graf and Lemire 2022,
/// section 3), as the crate xorf makes it.
fn fuse_slots(keys: f64) -> f64 {
    let keys = keys.max(2.0);
    let segment = (keys.ln() / 3.33_f64.ln() + 2.25)
        .floor()
        .exp2()
        .min(262_144.0);
    let factor = (0.875 + 0.25 * 1e6_f64.ln() / keys.ln()).max(1.125);
    let wanted = (keys * factor).round();
    let segments = ((wanted / segment).ceil() - 2.0).max(1.0);
    (segments + 2.0) * segment
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recommend::workload;

    fn of(capacity: u64) -> Workload {
        let below = capacity * 100;
        workload(&format!("capacity = {capacity}\nintegers-below = {below}"))
    }

    #[test]
    fn computed_and_made_filter_have_the_same_size() {
        for capacity in [1, 700, 20_000] {
            let workload = of(capacity);
            for candidate in Candidate::all().into_iter().filter(|one| one.is_sized()) {
                // The lowest are below what some can have.
                for target_fpr in [0.1, 0.001, 1e-9, 1e-12] {
                    let made = Made {
                        capacity,
                        target_fpr,
                        keyed: false,
                        below: 0,
                    };
                    let name = format!("{} {capacity} {target_fpr}", candidate.name());
                    let real = make_set(candidate.name(), &made);
                    let Ok(sizing) = sizing(candidate, &workload, target_fpr) else {
                        assert!(real.is_err() && target_fpr < 1e-8, "{name}");
                        continue;
                    };
                    let real = real.unwrap().bytes().unwrap();
                    assert_eq!(sizing.payload_bytes.ceil(), real.payload as f64, "{name}");
                    assert!(sizing.fpr(capacity).unwrap() <= target_fpr, "{name}");
                }
            }
        }
    }

    #[test]
    fn more_keys_than_it_is_for_raise_the_rate_by_the_rule() {
        // Near n, the FPR goes with n to the power 0.69 k.
        let sizing = sizing(Candidate::PLAIN, &of(1_000_000), 0.01).unwrap();
        let times = sizing.fpr(1_050_000).unwrap() / sizing.fpr(1_000_000).unwrap();
        assert!((1.25..1.29).contains(&times), "{times}");
    }

    #[test]
    fn fuse_filters_take_what_their_publication_says() {
        let per_key = |n: f64| fuse_slots(n) / n;
        assert!((1.12..1.14).contains(&per_key(1e6)), "{}", per_key(1e6));
        assert!((1.12..1.14).contains(&per_key(1e8)), "{}", per_key(1e8));
        assert!(per_key(1e3) > 1.2);
    }
}
