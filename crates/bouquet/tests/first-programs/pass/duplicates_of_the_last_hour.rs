// Messages come more than once, but never more than an hour apart.

use bouquet::{AgingBloom, SharedAging};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut seen = AgingBloom::lasting(3_600, 100_000, 0.001)?;
    let mut twice = Vec::new();
    for (second, id) in [(0, "a"), (30, "b"), (1_200, "a"), (9_000, "b")] {
        seen.advance(second);
        if !seen.insert(id) {
            twice.push(id);
        }
    }
    assert_eq!(twice, ["a"]);

    // The same by threads, for the last messages, however long they take.
    let last = SharedAging::new(10_000, 0.001)?;
    std::thread::scope(|scope| {
        for thread in 0..4_u64 {
            let last = &last;
            scope.spawn(move || {
                for i in 0..5_000 {
                    last.insert(&(thread, i));
                }
            });
        }
    });
    assert!(last.capacity() == 10_000 && !last.contains("a"));
    Ok(())
}
