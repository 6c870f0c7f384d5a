//! The FPR of [`Line`](crate::Line) with many slots, from a table of the FPRs of one block: a closed
//! form has no digits left for so low an FPR, and to compute those FPRs takes ten times as long as
//! the rest of a search.

use libm::log1p;

use super::closed::exp_of_negative;

/// The first number of slots in the table, and the last, for targets down to about 1e-9.
const FIRST: usize = 13;
const LAST: usize = 27;
const ROWS: usize = LAST - FIRST + 1;
/// So many throws are of more keys in a block than matter where so many slots are best.
const THROWS: usize = 1_800;
const SLOTS: f64 = 512.0;

/// Above the relative rounding errors of a mean.
pub(super) const ROUNDING: f64 = 1e-12;

/// For each number of slots from [`FIRST`] on, the FPRs of a block with 0, 1, 2 … keys.
static OF_ONE_BLOCK: [[f64; THROWS / FIRST]; ROWS] = line();

/// The FPRs of a block for this many slots.
pub(crate) fn of_line(hashes: u32) -> Option<&'static [f64]> {
    let row = OF_ONE_BLOCK.get((hashes as usize).checked_sub(FIRST)?)?;
    row.get(..THROWS / hashes as usize)
}

/// By the recurrences of [`LineLoads`](crate::loads::LineLoads).
const fn line() -> [[f64; THROWS / FIRST]; ROWS] {
    let mut share = [0.0; LAST + 1];
    // Element j: the probability that the probes of a key hit j different slots, for each number of
    // probes, and that j given slots are all set.
    let mut met = [[0.0; LAST + 1]; LAST + 1];
    let mut set = [0.0; LAST + 1];
    (met[0][0], set[0]) = (1.0, 1.0);
    let mut k = 1;
    while k <= LAST {
        share[k] = k as f64 / SLOTS;
        let mut j = 1;
        while j <= k {
            met[k][j] = met[k - 1][j] * share[j] + met[k - 1][j - 1] * (1.0 - share[j - 1]);
            j += 1;
        }
        k += 1;
    }
    let mut rows = [[0.0; THROWS / FIRST]; ROWS];
    let mut throws = 0;
    while throws < THROWS {
        let mut k = FIRST;
        while k <= LAST {
            if throws % k == 0 && throws / k < THROWS / k {
                let (mut fpr, mut j) = (0.0, 1);
                while j <= k {
                    fpr += met[k][j] * set[j];
                    j += 1;
                }
                // All slots come from one word, which may be equal.
                let equal = (throws / k) as f64 / (1_u128 << 64) as f64;
                rows[k - FIRST][throws / k] = fpr + equal - fpr * equal;
            }
            k += 1;
        }
        let mut j = LAST;
        while j > 0 {
            set[j] += (set[j - 1] - set[j]) * share[j];
            j -= 1;
        }
        throws += 1;
    }
    rows
}

/// The mean over Binomial(`keys`, 1/`blocks`) keys in a block; `None` if more keys than the table
/// has matter.
pub(super) fn mean(of_one: &[f64], keys: u64, blocks: u64) -> Option<f64> {
    if blocks <= 1 {
        return of_one.get(usize::try_from(keys).ok()?).copied();
    }
    let (keys, others) = (keys as f64, (blocks - 1) as f64);
    let mut weight = exp_of_negative(keys * log1p(-1.0 / blocks as f64));
    let (mut sum, mut load) = (0.0, 0.0);
    for fpr in of_one {
        sum += weight * fpr;
        weight *= (keys - load) / ((load + 1.0) * others);
        load += 1.0;
        // From there on a weight is less than half of the one before it.
        if weight <= ROUNDING / 4.0 * sum && keys < others * load / 2.0 {
            return Some(sum);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Line, math::Curves};

    #[test]
    fn it_is_the_mean_over_loads() {
        for hashes in FIRST as u32..=LAST as u32 {
            let of_one = of_line(hashes).unwrap();
            let mut curve = Curves::alone(Line::new(hashes).unwrap());
            for blocks in [1, 3, 10, 1_000, 1 << 40] {
                for load in [0.1, 1.0, 5.0, 12.0, 25.0] {
                    let keys = (load * blocks as f64) as u64;
                    let want = curve.expected_fpr(hashes, keys, blocks);
                    let Some(got) = mean(of_one, keys, blocks) else {
                        assert!(load > 20.0 || blocks < 10, "{hashes} {blocks} {load}");
                        continue;
                    };
                    assert!(
                        (got - want).abs() <= ROUNDING * want,
                        "{hashes} {blocks} {load}"
                    );
                }
            }
        }
        assert!(of_line(FIRST as u32 - 1).is_none() && of_line(LAST as u32 + 1).is_none());
    }
}
