//~ trait `WriteContainsBytes` which provides
use bouquet::{Filter, StandardBloom, BlockedBloom};
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut s = StandardBloom::new(100, 0.01)?; s.insert("a");
    let b = BlockedBloom::new(100, 0.01)?;
    let all: Vec<Box<dyn Filter>> = vec![Box::new(s), Box::new(b)];
    for f in &all { println!("{}", f.contains("a")); }
    Ok(())
}
