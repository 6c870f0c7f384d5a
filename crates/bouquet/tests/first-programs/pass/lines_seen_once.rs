// Removes repeated lines, as with a `HashSet`.
use bouquet::StandardBloom;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut seen = StandardBloom::new(1_000, 0.001)?;
    let lines = ["rose", "tulip", "rose", "daisy", "tulip"];
    let first: Vec<&str> = lines.into_iter().filter(|line| seen.insert(line)).collect();
    assert_eq!(first, ["rose", "tulip", "daisy"]);
    assert!(lines.iter().all(|line| seen.contains(line)));
    Ok(())
}
