//! The kinds of filters, described by plain numbers.

use super::{Array, Moments};

/// The properties of a filter that determine its FPR and its fill ratio.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Form {
    Array(Array),
    /// Stages and their capacities in keys. Keys fill the stages in this order.
    Stages(Vec<(Array, u64)>),
    /// Buckets with slots for the fingerprints of keys; a fingerprint has one of `values` values.
    Fingerprints {
        buckets: u64,
        bucket_slots: u64,
        values: u64,
    },
}

/// The expected values of a filter; `None` stands for an unknown value. Standard deviations
/// describe the random differences between filters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Expected {
    pub fpr: f64,
    pub fpr_sd: Option<f64>,
    pub fill: Option<Moments>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OfBits {
    pub fill: f64,
    pub fpr: f64,
}

impl Form {
    /// The expected values of a filter with this number of keys, all accepted, and with hashes of
    /// this many bits.
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
                // The filter can store one key more than it has slots.
                let stored = keys.min(buckets * bucket_slots + 1);
                (of_fingerprints(*buckets, *values, stored), None, None)
            }
        };
        // A non-member that has the same hash as a member is a false positive. This probability is
        // far below 1, so it can be taken as proportional to the number of keys.
        let floor = keys as f64 * 2f64.powi(-(hash_bits as i32));
        Expected {
            fpr: fpr + (1.0 - fpr) * floor.min(1.0),
            fpr_sd: sd,
            fill,
        }
    }

    /// The fill ratio and the FPR that follow from a filter's bits. `parts` has one list of words
    /// per shard or stage, or one for the whole filter. `None` if the filter does not consist of
    /// bits.
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

/// The FPR of one array of slots with this fill ratio, if a lookup makes `throws` probes.
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

/// The probability that at least one of several filters gives a false positive, computed from the
/// probability that none does.
pub(super) fn any(fprs: impl IntoIterator<Item = f64>) -> f64 {
    let log_none: f64 = fprs.into_iter().map(|fpr| (-fpr).ln_1p()).sum();
    -log_none.exp_m1()
}

/// The probability that at least one of the keys has the same fingerprint as a given non-member and
/// is in one of the non-member's two buckets.
fn of_fingerprints(buckets: u64, values: u64, keys: u64) -> f64 {
    let places = buckets as f64 * values as f64;
    let met = |buckets_met: f64| -(keys as f64 * (-buckets_met / places).ln_1p()).exp_m1();
    if buckets.is_multiple_of(2) {
        return met(2.0);
    }
    // If the number of buckets is odd, a key's two buckets are the same with this probability.
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
