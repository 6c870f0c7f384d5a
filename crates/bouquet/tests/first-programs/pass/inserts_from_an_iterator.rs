use bouquet::{FilterExt, StandardBloom};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut seen = StandardBloom::new(1_000, 1e-6)?;
    let words = "a rose is a rose".split(' ');
    let new: Vec<bool> = seen.insert_iter(words).collect();
    assert_eq!(new, [true, true, true, false, false]);
    Ok(())
}
