//! Requirements that nothing can meet: why not, and what would do.

use anyhow::{Result, bail};
use bouquet_catalogue::HASH_BITS;
use bouquet_core::math::hash_floor;

use super::{
    candidates::{Candidate, Class, Facts},
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
    if let Some(fpr) = workload.fpr {
        let floor = hash_floor(keys, HASH_BITS);
        if fpr <= floor {
            let whole = format!(
                "--fpr {fpr:?}: {keys} keys with hashes of {HASH_BITS} bits have non-members that \
                 share a whole hash with a member, {floor:.2e} of all, and no number of bits \
                 distinguishes those. What would do: an --fpr of {} and more; the hash xxh3-wide, of 128 \
                 bits (in code `Xxh3Wide`, by `with_hasher`; --hasher xxh3-wide of build); or a set of the keys \
                 themselves, which is never wrong (without --fpr it takes part here)",
                fpr_up(2.0 * floor)
            );
            let words = format!(
                "--fpr {fpr:?}: a hash of {HASH_BITS} bits does not tell {keys} keys from others \
                 so well. What would do: an --fpr of {} and more, or --hasher xxh3-wide of build",
                fpr_up(2.0 * floor)
            );
            bail!(Detailed::new(words, whole));
        }
    }
    if let (Growth::Unknown, Some(memory)) = (workload.growth, workload.memory) {
        let whole = format!(
            "--growth unknown in a --memory (or --bits-per-key) of {}: whatever holds any number of keys takes any \
             amount of memory. What would do: a bound, such as --growth 4 (the filter is sized for \
             four times the keys at once), or no --memory",
            Bytes(memory)
        );
        let words = format!(
            "--growth unknown takes any amount of memory, and --memory (or --bits-per-key) is {}. \
             What would do: a bound, such as --growth 4, or neither",
            Bytes(memory)
        );
        bail!(Detailed::new(words, whole));
    }
    if let (Some(fpr), Some(memory)) = (workload.fpr, workload.memory) {
        let bits = 8.0 * memory / (keys as f64 * workload.filters as f64);
        let least = -fpr.log2();
        if bits < least && workload.integers_below.is_none() {
            let remedies = format!(
                "What would do: {}{}",
                remedy(workload).0,
                least_fpr(workload).map_or_else(String::new, |fpr| format!(
                    "; or an --fpr of {} and more",
                    fpr_up(fpr)
                ))
            );
            let whole = format!(
                "{} of memory is too little for {keys} keys: {bits:.2} bits per key, and an FPR of \
                 {} takes at least log2(1/FPR) = {least:.2}. {remedies}",
                Bytes(memory),
                share_words(fpr),
            );
            let words = format!(
                "--memory {} is too little for {keys} keys. {remedies}",
                Bytes(memory)
            );
            bail!(Detailed::new(words, whole));
        }
    }
    Ok(())
}

/// Why there is no answer by the times that came along: what else is left would win for want
/// of one of a filter.
pub const NO_TIME: &str = "no times came with the program for filters of so low an FPR. What would \
                           do: to measure, without --no-measure";

/// Why nothing is left, and the nearest that would do; of each filter why among the details.
pub fn nothing_left(workload: &Workload, rejected: &[Rejected]) -> Detailed {
    let mut whole = String::from("nothing can do all of this:\n");
    if rejected.is_empty() {
        whole += "  nothing but none was asked for, which every answer is compared with anyway\n";
    }
    for one in rejected {
        whole += &format!("  {}: {}\n", one.candidate.name(), one.reasons.join("; "));
    }
    let (remedy, why) = remedy(workload);
    whole += &format!("What would do: {remedy}{why}");
    let within = workload.memory.map_or_else(String::new, |memory| {
        format!(" in --memory {}", Bytes(memory))
    });
    Detailed::new(
        format!("no filter can do all of this{within}. What would do: {remedy}"),
        whole,
    )
}

/// Every size that would do if only these were given, with its bytes.
fn remedies(workload: &Workload) -> Vec<(f64, Sizing)> {
    let filters = workload.candidates();
    let filters = filters.filter(|one| one.class() != Class::Nothing);
    let able = filters.filter_map(|one| sizes(one, workload).ok());
    let with_bytes = |sizing: Sizing| (sizing.bytes(workload), sizing);
    able.flatten().map(with_bytes).collect()
}

/// The least FPR that fits the memory.
fn least_fpr(workload: &Workload) -> Option<f64> {
    let free = Workload {
        fpr: None,
        fpr_is_target: false,
        ..workload.clone()
    };
    let all = remedies(&free).into_iter();
    all.map(|(_, sizing)| sizing.target_fpr)
        .min_by(f64::total_cmp)
}

/// With two digits and no less, as it can be given.
fn fpr_up(fpr: f64) -> String {
    let step = 10f64.powf(fpr.log10().floor() - 1.0);
    // What is whole but for rounding stays.
    format!("{:.1e}", (fpr / step - 1e-9).ceil() * step)
}

/// The least memory that would do, or that a requirement must go; and why it is so much.
fn remedy(workload: &Workload) -> (String, &'static str) {
    let target = workload.fpr.unwrap_or(0.01);
    let free = Workload {
        fpr: Some(target),
        fpr_is_target: true,
        memory: None,
        ..workload.clone()
    };
    let all = remedies(&free).into_iter();
    let Some((bytes, sizing)) = all.min_by(|a, b| a.0.total_cmp(&b.0)) else {
        return ("leave out a requirement".into(), "");
    };
    let keys = (sizing.keys * workload.filters) as f64;
    let words = format!(
        "{} for {}, which takes {:.1} bits per key at an FPR of {}",
        Bytes(bytes_up(bytes)),
        sizing.candidate.name(),
        8.0 * bytes / keys,
        share_words(sizing.target_fpr),
    );
    let why = match sizing.candidate.facts() {
        Facts { counts: true, .. } if workload.deletes => {
            "; to remove a key, a filter must store more of it than a bit: counters take four for \
             each"
        }
        Facts {
            class: Class::Ours,
            removes: true,
            ..
        } if workload.deletes => {
            "; to remove a key, a filter must store more of it than a bit: a fingerprint, of 8 \
             bits at least"
        }
        _ => "",
    };
    (words, why)
}
