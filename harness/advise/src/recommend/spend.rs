//! No bit beyond the FPR that was asked for.

use super::{candidates::Candidate, impossible::Rejected, sizing::Sizing, workload::Workload};

/// A filter sized for an FPR has at least this share of it: what is left are whole bits
/// of fingerprints, and whole words.
const LEAST_SHARE: f64 = 0.4;

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
    let filters = sizings.clone().filter(|sizing| sizing.candidate.is_sized());
    let least = filters.map(Sizing::bits_per_key).min_by(f64::total_cmp);
    let Some(least) = least else {
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
            "takes {:.1} bits per key for an FPR far below the one asked for, where {least:.1} keep that \
             (--fpr-at-most)",
            sizing.bits_per_key()
        )],
    };
    sizings.filter(is_spent).map(reject).collect()
}
