//! Pseudo-random numbers for randomised tests.

/// A pseudo-random number in (0, 1), computed from a seed and names. The same seed and names always
/// give the same number.
pub fn uniform(seed: u64, names: &[&str]) -> f64 {
    // FNV-1a, followed by the finaliser of SplitMix64.
    let bytes = names.iter().flat_map(|name| name.bytes().chain([0xff]));
    let hash = bytes.fold(seed ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let z = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (((z ^ (z >> 31)) >> 12) as f64 + 0.5) / (1u64 << 52) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_and_names_matter_and_the_mean_is_a_half() {
        assert_eq!(uniform(1, &["a", "b"]), uniform(1, &["a", "b"]));
        assert_ne!(uniform(1, &["a", "b"]), uniform(2, &["a", "b"]));
        assert_ne!(uniform(1, &["ab"]), uniform(1, &["a", "b"]));
        let mean = (0..10_000).map(|i| uniform(i, &["x"])).sum::<f64>() / 1e4;
        assert!((mean - 0.5).abs() < 0.015, "{mean}");
    }
}
