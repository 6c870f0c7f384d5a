//! Size and FPR of a candidate, from its crate's own arithmetic, without any
//! memory for it.

use std::rc::Rc;

use anyhow::{Result, bail};
use bouquet_blocked::{BlockedBloom, Line, Words32, Words64};
use bouquet_core::{Inner, MAX_SIZE_BITS, Spec, math::with_hash_floor};
use bouquet_counting::CountingBloom;
use bouquet_hash::Xxh3;
use bouquet_partitioned::PartitionedBloom;
use bouquet_scalable::math::{compound_fpr, first_fpr};
use bouquet_sharded::{KEYS_PER_SHARD, MAX_DEFAULT_SHARDS, math::mean_over_loads};
use bouquet_standard::{Geometry, StandardBloom};

use super::{candidates::Candidate, workload::Workload};
use crate::registry::{Made, hold};

/// From so many keys a shard on, that their loads differ costs less than one
/// part in ten thousand of the FPR.
const EVEN_SHARD: u64 = 1 << 20;

/// Bits of hash a key of the default hasher and of the keyed one.
pub const HASH_BITS: u32 = 64;

/// What a candidate is, made for a target.
#[derive(Clone)]
pub struct Paper {
    pub candidate: Candidate,
    /// What it was made for; 0 of a set that is exact.
    pub target_fpr: f64,
    /// Keys that the bits are for.
    pub keys: u64,
    /// Of what holds the keys, without the value itself and its header.
    pub payload_bytes: f64,
    fpr: Rc<dyn Fn(u64) -> Option<f64>>,
}

impl Paper {
    /// The FPR with so many keys; `None` if it does not take them.
    pub fn fpr(&self, keys: u64) -> Option<f64> {
        (self.fpr)(keys)
    }

    pub fn bits_per_key(&self) -> f64 {
        8.0 * self.payload_bytes / self.keys as f64
    }
}

/// The candidate made for the workload and a target.
///
/// # Errors
///
/// None is so large, or the target is below what its hash can keep.
pub fn paper(candidate: Candidate, workload: &Workload, target_fpr: f64) -> Result<Paper> {
    let keys = workload.final_keys();
    let all = |bits: f64, fpr: Rc<dyn Fn(u64) -> Option<f64>>, target_fpr: f64| Paper {
        candidate,
        target_fpr,
        keys,
        payload_bytes: bits / 8.0,
        fpr,
    };
    let exact = |bytes: f64| all(8.0 * bytes, Rc::new(|_| Some(0.0)), 0.0);
    let spec = Spec::new(keys, target_fpr)?;
    let n = keys as f64;
    Ok(match candidate {
        Candidate::None => all(0.0, Rc::new(|_| Some(1.0)), 1.0),
        Candidate::Standard | Candidate::Atomic => whole::<StandardBloom>(all, &spec)?,
        Candidate::Partitioned => whole::<PartitionedBloom>(all, &spec)?,
        Candidate::Blocked => whole::<BlockedBloom<Words64>>(all, &spec)?,
        Candidate::BlockedWords32 => whole::<BlockedBloom<Words32>>(all, &spec)?,
        Candidate::BlockedLine => whole::<BlockedBloom<Line>>(all, &spec)?,
        Candidate::Counting => whole::<CountingBloom>(all, &spec)?,
        Candidate::Sharded => shards::<StandardBloom>(all, &spec)?,
        Candidate::ShardedCounting => shards::<CountingBloom>(all, &spec)?,
        Candidate::Scalable => {
            let (bits, stages) = stages(workload.capacity, keys, target_fpr)?;
            let fpr = move |keys| Some(fpr_of_stages(&stages, keys));
            all(bits, Rc::new(fpr), target_fpr)
        }
        Candidate::Cuckoo => {
            let geometry = bouquet_cuckoo::Geometry::from_spec(&spec.for_bits::<Xxh3>()?)?;
            let (buckets, width) = (geometry.buckets(), geometry.fingerprint_bits().bits());
            let fpr = move |keys| {
                let fits = keys <= bouquet_cuckoo::math::capacity_of(buckets);
                let fpr = bouquet_cuckoo::math::expected_fpr(buckets, width, keys);
                fits.then(|| with_hash_floor(fpr, keys, HASH_BITS))
            };
            all(geometry.size_bits() as f64, Rc::new(fpr), target_fpr)
        }
        Candidate::HashSet => exact(table_bytes(n, workload)),
        Candidate::SortedArray => exact(if workload.integers {
            8.0 * n
        } else {
            n * (16.0 + allocated(workload.key_bytes))
        }),
        Candidate::Bitmap => match workload.integers_below {
            Some(below) => exact((below as f64 / 64.0).ceil() * 8.0),
            None => bail!("a bitmap needs to know how large keys can be"),
        },
        Candidate::Roaring => match workload.integers_below {
            Some(below) => exact(roaring_bytes(n, below as f64)),
            None => bail!("Roaring's size is not known without --integers-below"),
        },
        Candidate::Fuse8 => all(
            8.0 * fuse_slots(n),
            built_for(keys, 1.0 / 256.0),
            1.0 / 256.0,
        ),
        Candidate::Fuse16 => all(
            16.0 * fuse_slots(n),
            built_for(keys, 1.0 / 65_536.0),
            1.0 / 65_536.0,
        ),
    })
}

/// A filter of all its keys at once takes no more.
fn built_for(keys: u64, fpr: f64) -> Rc<dyn Fn(u64) -> Option<f64>> {
    Rc::new(move |asked| (asked <= keys).then_some(fpr))
}

/// A filter that is all one piece.
fn whole<F: Inner>(
    all: impl Fn(f64, Rc<dyn Fn(u64) -> Option<f64>>, f64) -> Paper,
    spec: &Spec,
) -> Result<Paper>
where
    F::Geometry: 'static,
{
    let geometry = F::geometry_for(spec)?;
    let fpr = move |keys| {
        Some(with_hash_floor(
            F::expected_fpr_of(geometry, keys),
            keys,
            HASH_BITS,
        ))
    };
    Ok(all(
        F::size_bits_of(geometry) as f64,
        Rc::new(fpr),
        spec.target_fpr(),
    ))
}

/// Shards that keep the target as a whole: for the least more keys than their
/// share that does.
fn shards<F: Inner>(
    all: impl Fn(f64, Rc<dyn Fn(u64) -> Option<f64>>, f64) -> Paper,
    spec: &Spec,
) -> Result<Paper>
where
    F::Geometry: 'static,
{
    let shards = (spec.capacity() / KEYS_PER_SHARD).clamp(1, MAX_DEFAULT_SHARDS.into()) as u32;
    let share = spec.capacity().div_ceil(shards.into());
    let mean = move |geometry: F::Geometry, keys: u64| {
        let of = |load| F::expected_fpr_of(geometry, load);
        if keys / u64::from(shards) >= EVEN_SHARD {
            of(keys / u64::from(shards))
        } else {
            mean_over_loads(keys, shards, of)
        }
    };
    let geometry = |more: u64| F::geometry_for(&Spec::new(share + more, spec.target_fpr())?);
    let keeps = |more: u64| -> Result<bool> {
        Ok(mean(geometry(more)?, spec.capacity()) <= spec.target_fpr())
    };
    let (mut fails, mut holds) = (0, 0);
    while !keeps(holds)? && holds < share {
        (fails, holds) = (holds, 2 * holds + 1);
    }
    while holds > fails + 1 {
        let middle = fails + (holds - fails) / 2;
        if keeps(middle)? {
            holds = middle;
        } else {
            fails = middle;
        }
    }
    let geometry = geometry(holds)?;
    let bits = F::size_bits_of(geometry) as f64 * f64::from(shards);
    if bits > MAX_SIZE_BITS as f64 {
        bail!("{bits:e} bits are more than 2^48");
    }
    let fpr = move |keys| Some(with_hash_floor(mean(geometry, keys), keys, HASH_BITS));
    Ok(all(bits, Rc::new(fpr), spec.target_fpr()))
}

/// A stage: its geometry, its keys.
type Stage = (Geometry, u64);

/// Stages for so many keys, by the default policy: each twice as large as the
/// one before and with 0.8 of its FPR (Almeida et al. 2007).
fn stages(first: u64, keys: u64, target_fpr: f64) -> Result<(f64, Vec<Stage>)> {
    let (mut stages, mut held, mut bits): (Vec<Stage>, u64, f64) = (Vec::new(), 0, 0.0);
    let (mut fpr, mut room) = (first_fpr(target_fpr, 0.8), first);
    while held < keys {
        let geometry = <StandardBloom>::geometry_for(&Spec::new(room, fpr)?)?;
        bits += geometry.size_bits() as f64;
        stages.push((geometry, room));
        held = held.saturating_add(room);
        (room, fpr) = (room.saturating_mul(2), 0.8 * fpr);
    }
    Ok((bits, stages))
}

/// All stages full in turn; more than they hold goes to stages as good as the
/// last one.
fn fpr_of_stages(stages: &[Stage], keys: u64) -> f64 {
    let mut left = keys;
    let own = stages.iter().map(|(geometry, room)| {
        let here = left.min(*room);
        left -= here;
        StandardBloom::<Xxh3>::expected_fpr_of(*geometry, here)
    });
    with_hash_floor(compound_fpr(own.collect::<Vec<_>>()), keys, HASH_BITS)
}

/// What a key on the heap takes, by its length: rounded to 16 bytes, 24 at
/// least, with the allocator's 8.
fn allocated(length: f64) -> f64 {
    (((length + 8.0) / 16.0).ceil() * 16.0).max(32.0)
}

/// `std`'s table (hashbrown): a power of two of buckets, at most seven eighths
/// full, each with a byte beside it.
fn table_bytes(keys: f64, workload: &Workload) -> f64 {
    let buckets = (keys * 8.0 / 7.0).max(4.0).log2().ceil().exp2();
    if workload.integers {
        buckets * 9.0 + 16.0
    } else {
        buckets * 17.0 + 16.0 + keys * allocated(workload.key_bytes)
    }
}

/// Keys at random below a bound: containers of 65,536 values, of two bytes a key
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

/// Bytes that a filter takes beside its bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overhead {
    /// In memory: the value itself, and what it takes to begin on a cache line.
    pub memory: f64,
    /// In a file: the header, check sums and all.
    pub stored: f64,
}

/// The same, of one that is really made for the target; of other sets it is in
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
        // The number of shards goes by the keys; from 64,000 on it is the same.
        capacity: workload.capacity.min(64_000),
        target_fpr,
        keyed: workload.hostile,
        below: 0,
    };
    let bytes = hold(candidate.name(), &made)?.bytes();
    Ok(bytes.map_or(Overhead::default(), |bytes| Overhead {
        memory: bytes.allocated as f64 - bytes.payload as f64,
        stored: bytes.stored as f64 - bytes.payload as f64,
    }))
}

#[cfg(test)]
mod tests {
    use super::{
        super::{value::Count, workload::Wishes},
        *,
    };

    fn workload(capacity: u64) -> Workload {
        let wishes = Wishes {
            capacity: Some(Count(capacity)),
            integers_below: Some(Count(capacity * 100)),
            ..Wishes::default()
        };
        Workload::new(&wishes, None, None).unwrap()
    }

    #[test]
    fn paper_and_filter_have_the_same_size() {
        for capacity in [1, 700, 20_000] {
            let workload = workload(capacity);
            for candidate in Candidate::ALL.into_iter().filter(|one| one.is_sized()) {
                for target_fpr in [0.1, 0.001] {
                    let paper = paper(candidate, &workload, target_fpr).unwrap();
                    let made = Made {
                        capacity,
                        target_fpr,
                        keyed: false,
                        below: 0,
                    };
                    let real = hold(candidate.name(), &made).unwrap().bytes().unwrap();
                    let name = candidate.name();
                    assert_eq!(
                        paper.payload_bytes.ceil(),
                        real.payload as f64,
                        "{name} {capacity}"
                    );
                    assert!(
                        paper.fpr(capacity).unwrap() <= target_fpr,
                        "{name} {capacity}"
                    );
                }
            }
        }
    }

    #[test]
    fn more_keys_than_it_is_for_raise_the_rate_by_the_rule() {
        // Near n, the FPR goes with n to the power 0.69 k.
        let paper = paper(Candidate::Standard, &workload(1_000_000), 0.01).unwrap();
        let times = paper.fpr(1_050_000).unwrap() / paper.fpr(1_000_000).unwrap();
        assert!((1.25..1.29).contains(&times), "{times}");
    }

    #[test]
    fn fuse_filters_take_what_their_paper_says() {
        let per_key = |n: f64| fuse_slots(n) / n;
        assert!((1.12..1.14).contains(&per_key(1e6)), "{}", per_key(1e6));
        assert!((1.12..1.14).contains(&per_key(1e8)), "{}", per_key(1e8));
        assert!(per_key(1e3) > 1.2);
    }
}
