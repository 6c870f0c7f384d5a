//! The filters that there are, as plain numbers.

use super::{Array, Moments};

/// A filter, as far as its FPR and its fill go.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Form {
    Array(Array),
    /// Filled one after the other, each with as many keys as it is sized for.
    Stages(Vec<(Array, u64)>),
    /// Buckets of slots for the fingerprints of keys, of so many different values.
    Fingerprints {
        buckets: u64,
        bucket_slots: u64,
        values: u64,
    },
}

/// What to expect of a filter; where it differs from one to the next by a law that is
/// known, with that.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Expected {
    pub fpr: f64,
    pub fpr_sd: Option<f64>,
    pub fill: Option<Moments>,
}

/// What the bits of a filter give.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OfBits {
    pub fill: f64,
    pub fpr: f64,
}

impl Form {
    /// Of a filter with so many keys, all accepted, by hashes of so many bits.
    pub fn expected(&self, keys: u64, hash_bits: u32) -> Expected {
        let (fpr, sd, fill) = match self {
            Self::Array(array) => {
                let fpr = array.fpr(keys);
                (fpr.mean, Some(fpr.sd), Some(array.fill(keys)))
            }
            Self::Stages(stages) => (of_stages(stages, keys), None, None),
            Self::Fingerprints {
                buckets,
                bucket_slots,
                values,
            } => {
                // There is a place for one key more than there are slots.
                let stored = keys.min(buckets * bucket_slots + 1);
                (of_fingerprints(*buckets, *values, stored), None, None)
            }
        };
        // A key that shares a member's hash cannot be distinguished from it. Far below 1, so that it
        // is as good as the sum over the keys.
        let floor = keys as f64 * 2f64.powi(-(hash_bits as i32));
        Expected {
            fpr: fpr + (1.0 - fpr) * floor.min(1.0),
            fpr_sd: sd,
            fill,
        }
    }

    /// By the bits of its parts: shards or stages, or all in one. `None` where bits do
    /// not tell.
    pub fn of_bits(&self, parts: &[Vec<u64>]) -> Option<OfBits> {
        match self {
            Self::Array(array) => {
                let (fill, fpr) = array.of_bits(parts);
                Some(OfBits { fill, fpr })
            }
            Self::Stages(stages) => {
                let (mut set, mut slots, mut fprs) = (0.0, 0.0, Vec::new());
                for ((array, _), words) in stages.iter().zip(parts) {
                    let (fill, fpr) = array.of_bits(std::slice::from_ref(words));
                    set += fill * array.size() as f64;
                    slots += array.size() as f64;
                    fprs.push(fpr);
                }
                let fill = set / slots;
                let fpr = any(fprs);
                Some(OfBits { fill, fpr })
            }
            Self::Fingerprints { .. } => None,
        }
    }
}

/// The FPR of one array of slots of which this share is set.
pub fn fpr_at_fill(fill: f64, throws: u32) -> f64 {
    (0..throws).fold(1.0, |fpr, _| fpr * fill)
}

fn of_stages(stages: &[(Array, u64)], keys: u64) -> f64 {
    let mut left = keys;
    any(stages.iter().map(|(array, room)| {
        let here = left.min(*room);
        left -= here;
        array.fpr(here).mean
    }))
}

/// The chance that one of several errs, by that of none to.
pub(super) fn any(fprs: impl IntoIterator<Item = f64>) -> f64 {
    let log_none: f64 = fprs.into_iter().map(|fpr| (-fpr).ln_1p()).sum();
    -log_none.exp_m1()
}

/// The chance that one of so many keys has the fingerprint of another and is in one of
/// its two buckets.
fn of_fingerprints(buckets: u64, values: u64, keys: u64) -> f64 {
    let places = buckets as f64 * values as f64;
    let met = |buckets_met: f64| -(keys as f64 * (-buckets_met / places).ln_1p()).exp_m1();
    if buckets.is_multiple_of(2) {
        return met(2.0);
    }
    // The two of one in so many are the same.
    let alone = 1.0 / buckets as f64;
    alone * met(1.0) + (1.0 - alone) * met(2.0)
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_probe_has_to_meet_a_slot_that_is_set() {
        assert_eq!(super::fpr_at_fill(0.5, 3), 0.125);
        assert_eq!(super::fpr_at_fill(0.3, 0), 1.0);
    }
}
