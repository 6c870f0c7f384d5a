//! No bit beyond the FPR that was asked for, and nothing for being below it.

use super::{
    candidates::{Candidate, Class},
    impossible::Rejected,
    sizing::Sizing,
    workload::Workload,
};

/// A filter sized for an FPR has at least this share of it: what is left are whole bits
/// of fingerprints, and whole words.
pub const LEAST_SHARE: f64 = 0.4;

/// Those that are far below the target FPR, and larger than the smallest filter:
/// nobody asked for the difference. To name a candidate is to ask for it. None, unless
/// the FPR is one to be sized for.
pub fn spent<'a>(
    sizings: impl Iterator<Item = &'a Sizing> + Clone,
    workload: &Workload,
) -> Vec<Rejected> {
    let Some(fpr) = workload.fpr.filter(|_| workload.fpr_is_target) else {
        return Vec::new();
    };
    let is_far = |sizing: &Sizing| {
        let own = sizing.fpr(sizing.keys).unwrap_or(1.0);
        own < LEAST_SHARE * fpr
    };
    let Some(least) = least_bits(sizings.clone()) else {
        return Vec::new();
    };
    let is_spent = |sizing: &&Sizing| {
        sizing.candidate != Candidate::None
            && !workload.only.contains(&sizing.candidate)
            && is_far(sizing)
            && sizing.bits_per_key() > least
    };
    let reject = |sizing: &Sizing| Rejected {
        candidate: sizing.candidate,
        reasons: vec![format!(
            "takes {:.1} bits per key for an FPR far below the target, where {least:.1} keep that \
             (--fpr-at-most)",
            sizing.bits_per_key()
        )],
    };
    sizings.filter(is_spent).map(reject).collect()
}

/// Of the filters that can be sized for any FPR, the bits per key of the smallest.
fn least_bits<'a>(sizings: impl Iterator<Item = &'a Sizing>) -> Option<f64> {
    let filters = sizings.filter(|sizing| sizing.candidate.is_sized());
    filters.map(Sizing::bits_per_key).min_by(f64::total_cmp)
}

/// Has the expected cost of filters counted at the target FPR, if they are below it by the
/// steps that their sizes come in: others would be as low or lower with as many bits, and
/// stay at the target. What comes in one size alone is counted so where it is larger
/// than the smallest filter. An exact set has no FPR.
pub fn count_at_target(sizings: &mut [&mut Sizing], workload: &Workload) {
    let Some(fpr) = workload.fpr.filter(|_| workload.fpr_is_target) else {
        return;
    };
    let least = least_bits(sizings.iter().map(|sizing| &**sizing));
    for sizing in sizings {
        let is_counted = match sizing.candidate.class() {
            Class::Ours => true,
            Class::Other => least.is_some_and(|least| sizing.bits_per_key() > least),
            Class::Exact | Class::Nothing => false,
        };
        if is_counted {
            sizing.counted_fpr = fpr;
        }
    }
}
