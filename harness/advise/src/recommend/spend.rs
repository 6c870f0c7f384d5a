//! No bit beyond the FPR that was asked for.

use super::{candidates::Candidate, impossible::Rejected, paper::Paper, workload::Workload};

/// A filter made for an FPR has at least this share of it: what is left are whole bits
/// of fingerprints, and whole words.
const LEAST_SHARE: f64 = 0.4;

/// Those that are far below the FPR asked for, and larger than the smallest filter:
/// nobody asked for the difference. To name a candidate is to ask for it. None, unless
/// the FPR is one to be made for.
pub fn spent<'a>(
    papers: impl Iterator<Item = &'a Paper> + Clone,
    workload: &Workload,
) -> Vec<Rejected> {
    let Some(fpr) = workload.fpr.filter(|_| workload.fpr_is_target) else {
        return Vec::new();
    };
    let is_far = |paper: &Paper| {
        let own = paper.fpr(paper.keys).unwrap_or(1.0);
        own < LEAST_SHARE * fpr
    };
    let filters = papers.clone().filter(|paper| paper.candidate.is_sized());
    let least = filters.map(Paper::bits_per_key).min_by(f64::total_cmp);
    let Some(least) = least else {
        return Vec::new();
    };
    let is_spent = |paper: &&Paper| {
        paper.candidate != Candidate::None
            && !workload.only.contains(&paper.candidate)
            && is_far(paper)
            && paper.bits_per_key() > least
    };
    let reject = |paper: &Paper| Rejected {
        candidate: paper.candidate,
        reasons: vec![format!(
            "takes {:.1} bits a key for an FPR far below the one asked for, where {least:.1} keep that \
             (--fpr-at-most)",
            paper.bits_per_key()
        )],
    };
    papers.filter(is_spent).map(reject).collect()
}
