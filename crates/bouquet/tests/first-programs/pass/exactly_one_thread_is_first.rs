use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use bouquet::ShardedBloom;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let claimed = ShardedBloom::new(10_000, 1e-9)?;
    let first = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let new = (0..1_000u64).filter(|job| claimed.insert(job)).count();
                first.fetch_add(new, Ordering::Relaxed);
            });
        }
    });
    assert_eq!(first.into_inner(), 1_000);
    Ok(())
}
