// Threads visit pages of which nobody knows how many there are.

use std::{sync::Arc, thread};

use bouquet::SharedScalable;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let visited = Arc::new(SharedScalable::new(1_000, 0.01)?);
    let threads: Vec<_> = (0..4)
        .map(|thread| {
            let visited = Arc::clone(&visited);
            thread::spawn(move || {
                (0..5_000).filter(|page| visited.insert(&format!("/{thread}/{page}"))).count()
            })
        })
        .collect();
    let new: usize = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
    assert!(new > 19_800 && visited.keys() as usize == new);
    assert!(visited.contains("/3/4999"));
    Ok(())
}
