//! The Bloom filter in which the k slots of a key are always distinct. None of our filters works
//! this way; some filters of other libraries do, as did Bloom's original filter (CACM 13(7), 1970).

/// The exact FPR of a filter with m = `slots` slots after `keys` distinct keys with k = `hashes`
/// distinct slots each (k is at most m).
///
/// # Method
///
/// Consider the k slots of one non-member. If s of them are set, the next key sets x more with the
/// hypergeometric probability C(k-s, x) C(m-k+s, k-x) / C(m, k). This is one step of a Markov chain
/// with k + 1 states. The n-th power of its matrix is computed by repeated squaring. All terms are
/// positive, so the result is exact up to rounding. On the diagonal, an error would double with
/// each squaring, so the diagonal is computed directly as a power.
pub fn expected_fpr(slots: u64, hashes: u32, keys: u64) -> f64 {
    let k = hashes as usize;
    if u64::from(hashes) > slots {
        return f64::NAN;
    }
    let mut step = Step::one_key(slots, k);
    let mut state = vec![0.0; k + 1];
    state[0] = 1.0;
    let mut left = keys;
    while left > 0 {
        if left & 1 == 1 {
            state = step.apply(&state);
        }
        left >>= 1;
        if left > 0 {
            step = step.doubled();
        }
    }
    state[k].min(1.0)
}

/// The transitions of the Markov chain after `keys` keys: `cells[s][t]` is the probability that the
/// number of set slots has changed from s to t.
struct Step {
    /// At index s: the logarithm of the probability that one key leaves the state s unchanged.
    log_stay: Vec<f64>,
    keys: f64,
    cells: Vec<Vec<f64>>,
}

impl Step {
    fn one_key(slots: u64, k: usize) -> Self {
        let m = slots as f64;
        let mut cells = vec![vec![0.0; k + 1]; k + 1];
        let mut log_stay = vec![0.0; k + 1];
        for set in 0..=k {
            // The key draws its k slots one by one. `met[i]` is the probability that i of the clear
            // slots have been drawn so far.
            let clear = k - set;
            let mut met = vec![0.0; clear + 1];
            met[0] = 1.0;
            for drawn in 0..k {
                let left = m - drawn as f64;
                for hit in (0..=clear).rev() {
                    let misses = (left - (clear - hit) as f64).max(0.0) / left;
                    let from_below = if hit > 0 {
                        met[hit - 1] * (clear - (hit - 1)) as f64 / left
                    } else {
                        0.0
                    };
                    met[hit] = met[hit] * misses + from_below;
                }
            }
            log_stay[set] = (0..k)
                .map(|drawn| (-(clear as f64) / (m - drawn as f64)).max(-1.0).ln_1p())
                .sum();
            cells[set][set..].copy_from_slice(&met);
        }
        Self {
            log_stay,
            keys: 1.0,
            cells,
        }
    }

    fn doubled(&self) -> Self {
        let size = self.cells.len();
        let mut cells = vec![vec![0.0; size]; size];
        for (from, row) in cells.iter_mut().enumerate() {
            for (to, cell) in row.iter_mut().enumerate().skip(from + 1) {
                *cell = (from..=to)
                    .map(|through| self.cells[from][through] * self.cells[through][to])
                    .sum();
            }
            row[from] = (2.0 * self.keys * self.log_stay[from]).exp();
        }
        Self {
            log_stay: self.log_stay.clone(),
            keys: 2.0 * self.keys,
            cells,
        }
    }

    fn apply(&self, state: &[f64]) -> Vec<f64> {
        (0..state.len())
            .map(|to| {
                (0..=to)
                    .map(|from| state[from] * self.cells[from][to])
                    .sum()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Enumerates all pairs of slots that two inserted keys and a non-member can have.
    #[test]
    fn two_probes_match_enumeration() {
        for m in 2..6u32 {
            let pairs: Vec<u32> = (0..m)
                .flat_map(|a| (0..a).map(move |b| 1 << a | 1 << b))
                .collect();
            let two_keys = pairs.iter().flat_map(|a| pairs.iter().map(move |b| a | b));
            let (mut hits, mut all) = (0u32, 0u32);
            for set in two_keys {
                hits += pairs.iter().filter(|pair| set & **pair == **pair).count() as u32;
                all += pairs.len() as u32;
            }
            let want = f64::from(hits) / f64::from(all);
            let got = expected_fpr(m.into(), 2, 2);
            assert!((got / want - 1.0).abs() < 1e-14, "m={m}: {got} {want}");
        }
    }

    #[test]
    fn edges() {
        assert_eq!(expected_fpr(8, 3, 0), 0.0);
        assert_eq!(expected_fpr(3, 3, 1), 1.0);
        assert!(expected_fpr(2, 3, 1).is_nan());
        assert!((expected_fpr(64, 4, u64::MAX) - 1.0).abs() < 1e-12);
    }
}
