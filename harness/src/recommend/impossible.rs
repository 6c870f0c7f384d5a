//! Wishes that nothing can grant: why not, and what would do.

use anyhow::{Result, bail};
use bouquet_core::math::hash_floor;

use super::{
    advice::Rejected,
    candidates::{Candidate, Class},
    capability::objections,
    paper::{HASH_BITS, overhead, paper},
    value::{Bytes, Growth, share_words},
    workload::Workload,
};

/// Refuses what no candidate need be asked for.
///
/// # Errors
///
/// Why it cannot be, and what would do.
pub fn check(workload: &Workload) -> Result<()> {
    let keys = workload.final_keys();
    if let Some(fpr) = workload.fpr {
        let floor = hash_floor(keys, HASH_BITS);
        if fpr <= floor {
            bail!(
                "--fpr {fpr:?}: {keys} keys with hashes of {HASH_BITS} bits have strangers that \
                 share a whole hash with a member, {floor:.2e} of all, and no number of bits tells \
                 those apart. What would do: an --fpr above {floor:.2e}; the hasher Xxh3Wide, of \
                 128 bits, which a filter of ours takes by `with_hasher`; or a set of the keys \
                 themselves, which is never wrong (without --fpr it takes part here)"
            );
        }
    }
    if let (Growth::Unknown, Some(memory)) = (workload.growth, workload.memory) {
        bail!(
            "--growth unknown in a --memory of {}: whatever holds any number of keys takes any \
             amount of memory. What would do: a bound, such as --growth 4 (the filter is made for \
             four times the keys at once), or no --memory",
            Bytes(memory)
        );
    }
    if let (Some(fpr), Some(memory)) = (workload.fpr, workload.memory) {
        let bits = 8.0 * memory / (keys as f64 * workload.filters as f64);
        let least = -fpr.log2();
        if bits < least && workload.integers_below.is_none() {
            bail!(
                "--fpr {fpr:?} in {bits:.2} bits for each of {keys} keys: no filter of any kind \
                 takes less than log2(1/FPR) = {least:.2} bits a key, and Bloom filters take 1.44 \
                 times that. What would do: {}, or an --fpr of {} and more",
                Bytes(1.5 * least * keys as f64 * workload.filters as f64 / 8.0),
                share_words((-bits / 1.5).exp2())
            );
        }
    }
    Ok(())
}

/// Why nothing is left, and the nearest that would do.
pub fn nothing_left(workload: &Workload, rejected: &[Rejected]) -> String {
    let mut words = String::from("nothing can do all of this:\n");
    for one in rejected {
        words += &format!("  {}: {}\n", one.candidate.name(), one.reasons.join("; "));
    }
    words += "What would do: ";
    words += &remedy(workload);
    words
}

/// The least memory that would do, or the wish that leaves nobody.
fn remedy(workload: &Workload) -> String {
    let target = workload.fpr.unwrap_or(0.01);
    let mut best: Option<(f64, f64, Candidate)> = None;
    for candidate in Candidate::ALL {
        if candidate.class() == Class::Nothing || !objections(candidate, workload).is_empty() {
            continue;
        }
        if let (Ok(paper), Ok(over)) = (
            paper(candidate, workload, target),
            overhead(candidate, workload, target),
        ) {
            let sets = workload.filters as f64;
            let bytes = (paper.payload_bytes + over.memory) * sets;
            if best.is_none_or(|(least, ..)| bytes < least) {
                best = Some((bytes, paper.bits_per_key(), candidate));
            }
        }
    }
    match best {
        Some((bytes, bits, candidate)) => format!(
            "{} for {}, which takes {bits:.1} bits a key at an FPR of {}{}",
            Bytes(bytes),
            candidate.name(),
            share_words(target),
            match (workload.deletes, candidate) {
                (true, Candidate::Cuckoo) => {
                    "; to remove a key, a filter must hold more of it than a bit: a fingerprint, of \
                     8 bits at least"
                }
                (true, _) => {
                    "; to remove a key, a filter must hold more of it than a bit: counters take four \
                     for each"
                }
                _ => "",
            }
        ),
        None => "leave out the wish that stands against those you could do with".into(),
    }
}
