use std::{sync::Arc, thread};

use bouquet::AtomicBloom;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let filter = Arc::new(AtomicBloom::new(100_000, 0.01)?);
    let workers: Vec<_> = (0..4u64)
        .map(|worker| {
            let filter = Arc::clone(&filter);
            thread::spawn(move || {
                for key in 0..1_000 {
                    filter.insert(&(worker * 1_000 + key));
                }
            })
        })
        .collect();
    for worker in workers {
        worker.join().map_err(|_| "a worker panicked")?;
    }
    assert!((0..4_000u64).all(|key| filter.contains(&key)));
    Ok(())
}
