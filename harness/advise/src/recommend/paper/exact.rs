//! Bytes of sets that hold keys, and slots of static filters, by formulas.

/// What a key on the heap takes, by its length: rounded to 16 bytes, 24 at
/// least, with the allocator's 8.
pub fn allocated(length: f64) -> f64 {
    (((length + 8.0) / 16.0).ceil() * 16.0).max(32.0)
}

/// `std`'s table (hashbrown): a power of two of buckets, at most seven eighths
/// full, each with a byte beside it.
pub fn table_bytes(keys: f64, entry_bytes: f64) -> f64 {
    let buckets = (keys * 8.0 / 7.0).max(4.0).log2().ceil().exp2();
    buckets * (entry_bytes + 1.0) + 16.0
}

/// Keys at random below a bound: containers of 65,536 values, of two bytes a key
/// up to 4,096 keys, else of 8 KiB (Lemire et al. 2016), and 32 bytes a
/// container.
pub fn roaring_bytes(keys: f64, below: f64) -> f64 {
    let containers = (below / 65_536.0).ceil();
    let own = keys / containers;
    if own < 1.0 {
        keys * (2.0 + 32.0)
    } else if own <= 4_096.0 {
        containers * (2.0 * own + 32.0)
    } else {
        containers * (8_192.0 + 32.0)
    }
}

/// Slots of a binary fuse filter with three probes (Graf and Lemire 2022,
/// section 3), as the crate xorf makes it.
pub fn fuse_slots(keys: f64) -> f64 {
    let keys = keys.max(2.0);
    let segment = (keys.ln() / 3.33_f64.ln() + 2.25)
        .floor()
        .exp2()
        .min(262_144.0);
    let factor = (0.875 + 0.25 * 1e6_f64.ln() / keys.ln()).max(1.125);
    let wanted = (keys * factor).round();
    let segments = ((wanted / segment).ceil() - 2.0).max(1.0);
    (segments + 2.0) * segment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fuse_filters_take_what_their_paper_says() {
        let per_key = |n: f64| fuse_slots(n) / n;
        assert!((1.12..1.14).contains(&per_key(1e6)), "{}", per_key(1e6));
        assert!((1.12..1.14).contains(&per_key(1e8)), "{}", per_key(1e8));
        assert!(per_key(1e3) > 1.2);
    }
}
