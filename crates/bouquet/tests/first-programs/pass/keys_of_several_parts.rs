// Tuples, arrays, `char` and `bool` as keys.
use bouquet::StandardBloom;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut seen = StandardBloom::new(1_000, 1e-6)?;
    assert!(seen.insert(&(7u32, "rose")));
    assert!(seen.insert(&("ab", "c")));
    assert!(!seen.contains(&("a", "bc")));
    assert!(seen.insert(&('é', true, [1u32, 2, 3])));
    assert!(seen.insert(&[10i64, 20]));
    assert!(seen.insert(&['a', 'b']) && seen.insert(&[true, false, true]));
    assert!(seen.insert(&'x'));
    assert!(seen.insert(&true));
    assert!(seen.contains(&(7u64, String::from("rose"))));
    Ok(())
}
