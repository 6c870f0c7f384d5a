// One function for every filter whose inserts cannot fail.
use bouquet::{AtomicBloom, BlockedBloom, Insert, StandardBloom};

fn distinct(words: &[&str], seen: &mut impl Insert) -> usize {
    words.iter().filter(|word| seen.insert(*word)).count()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words = ["rose", "tulip", "rose"];
    assert_eq!(distinct(&words, &mut StandardBloom::new(10, 1e-6)?), 2);
    assert_eq!(distinct(&words, &mut BlockedBloom::new(10, 1e-6)?), 2);
    assert_eq!(distinct(&words, &mut AtomicBloom::new(10, 1e-6)?), 2);
    Ok(())
}
