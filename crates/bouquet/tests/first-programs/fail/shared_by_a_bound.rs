//~ `StandardBloom` cannot be inserted into by several threads at once
//~ `AtomicBloom` or `ShardedBloom`

use bouquet::{ConcurrentInsert, StandardBloom};

fn fill(_: &impl ConcurrentInsert) {}

fn main() {
    fill(&StandardBloom::new(10, 0.01).unwrap());
}
