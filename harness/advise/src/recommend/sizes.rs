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
/// The FPRs that sizes are tried for where none is given: so many for each halving, a third of a bit
/// per key apart.
const A_HALVING: i32 = 4;
const HALVINGS: i32 = 30;
/// Of the filter whose header is counted.
const USUAL_FPR: f64 = 0.01;

/// The targets that sizes are tried for: the one that is given, or a range of them.
fn targets(workload: &Workload) -> Vec<f64> {
    let step = |step: i32| (-f64::from(step) / f64::from(A_HALVING)).exp2();
    match workload.fpr {
        Some(fpr) => vec![fpr],
        None => (A_HALVING..A_HALVING * HALVINGS).map(step).collect(),
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

fn fits(sizing: &Sizing, workload: &Workload) -> bool {
    match workload.memory {
        Some(memory) => sizing.bytes(workload) <= memory,
        None => {
            let payload_bits = 8.0 * sizing.payload_bytes / sizing.keys as f64;
            workload.fpr.is_some() || !sizing.candidate.is_sized() || payload_bits <= MOST_BITS
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
    let mut found = Vec::new();
    for target in targets(workload) {
        let mut sizing = match sizing(candidate, workload, target) {
            Ok(sizing) => sizing,
            Err(error) if found.is_empty() => return Err(error),
            Err(_) => break,
        };
        sizing.over = over;
        match fits(&sizing, workload) {
            true => found.push(sizing),
            false if found.is_empty() => bail!("{}", too_large(&sizing, workload)),
            false => break,
        }
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
    use super::*;
    use crate::recommend::workload;

    #[test]
    fn a_bitmap_of_a_sparse_range_is_out() {
        let bitmap = |below: u64, memory: Option<f64>| {
            let text = format!("capacity = 1e6\nintegers-below = {below}");
            let workload = Workload {
                memory,
                ..workload(&text)
            };
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
