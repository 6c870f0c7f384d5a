//! The standard deviation of the counts in a histogram to which each key adds several counts.

/// The standard deviation of a bin's count, averaged over the bins. There are `keys` independent
/// keys, and each adds `each` counts to `bins` equal bins. `pairs_together` is the number of pairs
/// of counts that one key adds to one bin, summed over all keys and bins.
///
/// The counts of one key may depend on each other in any way: the result needs only the second
/// moment of what a key adds to a bin, which follows from the number of pairs.
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

    /// A pseudo-random number less than `below`.
    fn draw(state: &mut u64, below: u64) -> u64 {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (*state >> 33) % below
    }

    /// For every key, draws `each` bins at random from `width` consecutive bins. Returns the
    /// standard deviation of the bin counts, and how many pairs of draws of a key hit the same bin.
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
            // With 512 bins, the measured value has a standard error of about 3 %.
            assert!(
                (expected / deviation - 1.0).abs() < 0.12,
                "{expected} {deviation}"
            );
        }
        assert_eq!(bin_deviation(0, 7, 64, 0), 0.0);
    }
}
