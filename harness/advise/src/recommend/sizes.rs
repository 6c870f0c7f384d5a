//! The sizes that a candidate may have: those that keep the FPR and fit the
//! memory.

use anyhow::{bail, ensure};

use super::{
    candidates::Candidate,
    capability::objections,
    sizing::{Sizing, overhead, sizing},
    value::Bytes,
    workload::Workload,
};

/// The most bits per key where neither an FPR nor a memory is given.
const MOST_BITS: f64 = 32.0;
/// The FPRs that sizes are first tried for are halves of each other, down to this.
const LEAST_FPR: f64 = 1e-9;
/// And from this on where none is asked for.
const MOST_FPR: f64 = 0.5;
/// Of the filter whose header is counted.
const USUAL_FPR: f64 = 0.01;
/// Halvings between the largest size that fits and the next.
const FITTING: u32 = 10;

/// The targets that sizes are tried for: what is asked for, and its halves where it is
/// a bound or there is none.
fn targets(workload: &Workload) -> Vec<f64> {
    let from = workload.fpr.unwrap_or(MOST_FPR);
    let halves = std::iter::successors(Some(from), |fpr| Some(fpr / 2.0));
    halves
        .take_while(|fpr| *fpr >= LEAST_FPR.min(from))
        .collect()
}

/// Those of them that times are needed for: as far as the memory goes.
pub fn candidate_targets(workload: &Workload) -> Vec<f64> {
    let targets = targets(workload);
    let keys = workload.final_keys() as f64 * workload.filters as f64;
    let bits = workload
        .memory
        .map_or(MOST_BITS, |memory| 8.0 * memory / keys);
    // No filter gets more out of its bits.
    let least = (-bits / 1.3).exp2();
    let reachable = targets.iter().copied().filter(|fpr| *fpr >= least);
    let reachable: Vec<f64> = reachable.collect();
    if reachable.is_empty() {
        targets[..1].to_vec()
    } else {
        reachable
    }
}

/// The sizes that a candidate may have.
///
/// # Errors
///
/// There is none: why.
pub fn sizes(candidate: Candidate, workload: &Workload) -> Result<Vec<Sizing>, Vec<String>> {
    let against = objections(candidate, workload);
    if !against.is_empty() {
        return Err(against.into_iter().map(str::to_owned).collect());
    }
    let found = match candidate.is_sized() {
        true => sized(candidate, workload),
        false => fixed(candidate, workload).map(|sizing| vec![sizing]),
    };
    found.map_err(|error| vec![format!("{error:#}")])
}

/// Another size of the same candidate; `None` where it is none to choose: out of the
/// range that is searched, or of the memory.
pub fn resized(like: &Sizing, workload: &Workload, target_fpr: f64) -> Option<Sizing> {
    let most = workload.fpr.unwrap_or(MOST_FPR);
    if !(LEAST_FPR.min(most)..=most).contains(&target_fpr) {
        return None;
    }
    let mut sizing = sizing(like.candidate, workload, target_fpr).ok()?;
    sizing.over = like.over;
    fits(&sizing, workload).then_some(sizing)
}

fn fits(sizing: &Sizing, workload: &Workload) -> bool {
    match (workload.memory, workload.fpr) {
        (Some(memory), _) => sizing.bytes(workload) <= memory,
        // The size that was asked for by its FPR may be above it.
        (None, Some(fpr)) if sizing.target_fpr >= fpr => true,
        (None, _) => {
            let payload_bits = 8.0 * sizing.payload_bytes / sizing.keys as f64;
            !sizing.candidate.is_sized() || payload_bits <= MOST_BITS
        }
    }
}

/// What comes in one size.
fn fixed(candidate: Candidate, workload: &Workload) -> anyhow::Result<Sizing> {
    if candidate == Candidate::Bitmap && workload.memory.is_none() {
        too_sparse(workload)?;
    }
    let sizing = sizing(candidate, workload, 0.5)?;
    if let Some(fpr) = workload.fpr.filter(|fpr| sizing.target_fpr > *fpr)
        && candidate != Candidate::None
    {
        bail!("has an FPR of {:.2e}, above {fpr:?}", sizing.target_fpr);
    }
    ensure!(fits(&sizing, workload), "{}", too_large(&sizing, workload));
    Ok(sizing)
}

/// A bitmap that takes more than the keys would is none to think of.
fn too_sparse(workload: &Workload) -> anyhow::Result<()> {
    let bits = workload.integers_below.unwrap_or(0) as f64 / 8.0;
    let table = sizing(Candidate::HashSet, workload, 0.5)?.payload_bytes;
    let [all_bits, all_tables] = [bits, table].map(|bytes| Bytes(bytes * workload.filters as f64));
    ensure!(
        bits <= table,
        "takes {all_bits}, more than a hash set's {all_tables}: the keys lie too far apart"
    );
    Ok(())
}

/// What can be sized for any FPR.
fn sized(candidate: Candidate, workload: &Workload) -> anyhow::Result<Vec<Sizing>> {
    // One filter is made to count what it takes beside its bits, whatever the target.
    let over = overhead(candidate, workload, USUAL_FPR)?;
    let at = |target| -> anyhow::Result<_> {
        let mut sizing = sizing(candidate, workload, target)?;
        sizing.over = over;
        Ok(sizing)
    };
    if workload.fpr_is_target
        && let Some(fpr) = workload.fpr
    {
        let sizing = at(fpr)?;
        ensure!(fits(&sizing, workload), "{}", too_large(&sizing, workload));
        return Ok(vec![sizing]);
    }
    let mut found: Vec<Sizing> = Vec::new();
    for target in targets(workload) {
        let Ok(sizing) = at(target) else {
            break;
        };
        if fits(&sizing, workload) {
            found.push(sizing);
            continue;
        }
        let Some(last) = found.last().map(|sizing| sizing.target_fpr) else {
            bail!("{}", too_large(&sizing, workload));
        };
        // The one that fills the memory.
        let (mut holds, mut fails) = (last, target);
        for _ in 0..FITTING {
            let middle = (holds * fails).sqrt();
            match at(middle) {
                Ok(sizing) if fits(&sizing, workload) => holds = middle,
                _ => fails = middle,
            }
        }
        found.push(at(holds)?);
        break;
    }
    if found.is_empty() {
        at(workload.fpr.unwrap_or(0.5))?;
        bail!("has no size for this");
    }
    Ok(found)
}

fn too_large(sizing: &Sizing, workload: &Workload) -> String {
    let given = workload.memory.map(Bytes);
    format!(
        "takes {} ({:.1} bits per key) at the least{}",
        Bytes(sizing.bytes(workload)),
        sizing.bits_per_key(),
        given.map_or(String::new(), |memory| format!(", and there are {memory}"))
    )
}

#[cfg(test)]
mod tests {
    use super::{
        super::{requirements::Requirements, value::Count},
        *,
    };

    #[test]
    fn a_bitmap_of_a_sparse_range_is_out() {
        let bitmap = |below: u64, memory: Option<f64>| {
            let requirements = Requirements {
                capacity: Some(Count(1_000_000)),
                integers_below: Some(Count(below)),
                memory: memory.map(Bytes),
                ..Requirements::default()
            };
            let workload = Workload::new(&requirements, None, None).unwrap();
            sizes(Candidate::Bitmap, &workload).map(|sizings| sizings[0].payload_bytes)
        };
        assert_eq!(bitmap(8_000_000, None), Ok(1e6));
        // A hash set takes 2^21 buckets of nine bytes, 18.9 MB.
        assert_eq!(bitmap(150_000_000, None), Ok(18.75e6));
        assert!(bitmap(160_000_000, None).unwrap_err()[0].contains("hash set"));
        assert_eq!(bitmap(160_000_000, Some(30e6)), Ok(20e6));
        assert!(bitmap(160_000_000, Some(10e6)).is_err());
        assert!(bitmap(1_000_000_000_000_000_000, None).is_err());
        assert!(bitmap(1_000_000_000_000_000_000, Some(1e18)).is_err());
    }
}
