//! `cargo bench -p bouquet-fuse`: a first impression of the speed of each operation.

use std::{hint::black_box, time::Instant};

use bouquet_fuse::FuseFilter;

const KEYS: u64 = 1_000_000;

fn main() -> Result<(), bouquet_fuse::BuildError> {
    let timed = |what: &str, run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        let each = start.elapsed().as_nanos() as f64 / KEYS as f64;
        println!("{what}: {each:.1} ns per key");
    };
    let mut filter = FuseFilter::from_keys(0..KEYS)?;
    timed("build", &mut || {
        filter = FuseFilter::from_keys(0..KEYS).unwrap_or(filter.clone());
    });
    for (what, from) in [("hit", 0), ("miss", KEYS)] {
        timed(what, &mut || {
            let found = (from..from + KEYS)
                .filter(|key| filter.contains(key))
                .count();
            black_box(found);
        });
    }
    Ok(())
}
