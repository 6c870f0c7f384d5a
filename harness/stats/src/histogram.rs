//! Counts in bins to which each key adds several at once.

/// The standard deviation of a bin's count, on the mean over the bins, when `keys`
/// keys fall independently of each other and each adds `each` to some of `bins`
/// equal bins, of which `pairs_together` pairs of one key fell into one bin.
///
/// The additions of one key may depend on each other as they will: the second
/// moment of what it adds to one bin is that of the counts, and the pairs give it.
pub fn bin_deviation(keys: u64, each: u32, bins: u64, pairs_together: u64) -> f64 {
    let (n, k, b) = (keys as f64, f64::from(each), bins as f64);
    if keys == 0 || bins == 0 {
        return 0.0;
    }
    let square = (k + 2.0 * pairs_together as f64 / n) / b;
    (n * (square - (k / b).powi(2)).max(0.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in no order.
    fn draw(state: &mut u64, below: u64) -> u64 {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (*state >> 33) % below
    }

    /// The deviation of the counts, and the pairs, of keys that add `each` around
    /// a place of their own, within `width` bins.
    fn seen(each: u32, width: u64) -> (f64, u64) {
        const BINS: u64 = 512;
        let (mut counts, mut pairs, mut state) = ([0u64; BINS as usize], 0, 1);
        for _ in 0..KEYS {
            let place = draw(&mut state, BINS);
            let mut own: Vec<u64> = Vec::new();
            for _ in 0..each {
                let bin = (place + draw(&mut state, width)) % BINS;
                pairs += own.iter().filter(|other| **other == bin).count() as u64;
                own.push(bin);
                counts[bin as usize] += 1;
            }
        }
        let mean = (KEYS * u64::from(each)) as f64 / BINS as f64;
        let square = counts.iter().map(|n| (*n as f64 - mean).powi(2));
        ((square.sum::<f64>() / BINS as f64).sqrt(), pairs)
    }

    const KEYS: u64 = 20_000;

    #[test]
    fn it_is_that_of_counts_of_keys_that_stay_together_or_do_not() {
        for (each, width) in [(1, 1), (7, 512), (7, 1), (4, 3)] {
            let (deviation, pairs) = seen(each, width);
            let expected = bin_deviation(KEYS, each, 512, pairs);
            // Of 512 bins it is known to some 3 %, a standard deviation.
            assert!(
                (expected / deviation - 1.0).abs() < 0.12,
                "{expected} {deviation}"
            );
        }
        assert_eq!(bin_deviation(0, 7, 64, 0), 0.0);
    }
}
