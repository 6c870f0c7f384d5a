//! Requirements that nothing can meet: why not, and what would do.

use anyhow::{Result, bail};
use bouquet_catalogue::HASH_BITS;
use bouquet_core::math::hash_floor;

use super::{
    candidates::{Candidate, Class},
    sizes::sizes,
    sizing::Sizing,
    value::{Bytes, Growth, share_words},
    workload::Workload,
};
use bouquet_ground::{detailed::Detailed, units::bytes_up};

/// A candidate that is out, and why.
#[derive(Clone, Debug)]
pub struct Rejected {
    pub candidate: Candidate,
    pub reasons: Vec<String>,
}

/// Rejects what no candidate need be asked for.
///
/// # Errors
///
/// Why it cannot be, and what would do.
pub fn check(workload: &Workload) -> Result<()> {
    let keys = workload.final_keys();
    let floor = hash_floor(keys, HASH_BITS);
    if let Some(fpr) = workload.fpr.filter(|fpr| *fpr <= floor) {
        bail!(
            "--fpr {fpr:?}: with hashes of {HASH_BITS} bits, {keys} keys have an FPR of {floor:.2e} at \
             the least. What would do: an --fpr of {} and more, or the hash xxh3-wide (build --hasher)",
            fpr_up(2.0 * floor)
        );
    }
    if let (Growth::Unknown, Some(memory)) = (workload.growth, workload.memory) {
        bail!(
            "--growth unknown takes any amount of memory, and --memory (or bits-per-key) is {}. What \
             would do: a bound, such as --growth 4, or neither",
            Bytes(memory)
        );
    }
    Ok(())
}

/// Why nothing is left, and the nearest that would do; of each filter why among the details.
pub fn nothing_left(workload: &Workload, rejected: &[Rejected]) -> Detailed {
    let keys = workload.final_keys();
    let target = workload.fpr.unwrap_or(0.01);
    let free = Workload {
        fpr: Some(target),
        memory: None,
        ..workload.clone()
    };
    let nearest = remedies(&free).min_by(|a, b| a.0.total_cmp(&b.0));
    let (why, mut remedy) = match (nearest, workload.memory) {
        (Some((bytes, sizing)), Some(memory)) => {
            let words = format!(
                "{} for {}, which takes {:.1} bits per key at an FPR of {}",
                Bytes(bytes_up(bytes)),
                sizing.candidate.name(),
                sizing.bits_per_key(),
                share_words(sizing.target_fpr),
            );
            let why = format!("--memory {} is too little for {keys} keys", Bytes(memory));
            (why, words)
        }
        _ => (
            "no filter can do all of this".into(),
            "leave out a requirement".into(),
        ),
    };
    if workload.fpr.is_some() && workload.memory.is_some() {
        let free = Workload {
            fpr: None,
            ..workload.clone()
        };
        let targets = remedies(&free).map(|(_, sizing)| sizing.target_fpr);
        if let Some(least) = targets.min_by(f64::total_cmp) {
            remedy += &format!("; or an --fpr of {} and more", fpr_up(least));
        }
    }
    let reasons = rejected.iter().map(|one| {
        let reasons = one.reasons.join("; ");
        format!("{}: {reasons}", one.candidate.name())
    });
    let details = reasons.collect::<Vec<_>>().join("\n");
    Detailed::new(format!("{why}. What would do: {remedy}"), details)
}

/// Every size that can do it, with its bytes.
fn remedies(workload: &Workload) -> impl Iterator<Item = (f64, Sizing)> {
    let filters = workload.candidates();
    let filters = filters.filter(|one| one.class() != Class::Nothing);
    let able = filters.filter_map(|one| sizes(one, workload).ok());
    able.flatten()
        .map(|sizing| (sizing.bytes(workload), sizing))
}

/// With two digits and no less, as it can be given.
fn fpr_up(fpr: f64) -> String {
    let step = 10f64.powf(fpr.log10().floor() - 1.0);
    // What is whole but for rounding stays.
    format!("{:.1e}", (fpr / step - 1e-9).ceil() * step)
}
