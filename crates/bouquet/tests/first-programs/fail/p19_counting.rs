//~ trait `WriteRemove` which provides
//~ trait `WriteEstimatedKeys` which provides
use bouquet::{CountingBloom, CuckooFilter};
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut c = CountingBloom::new(1000, 0.01)?;
    c.insert("a"); c.insert("a");
    println!("{}", c.count("a"));
    c.remove("a");
    assert!(c.contains("a"));
    let mut k = CuckooFilter::new(1000, 0.01)?;
    k.insert("a");
    assert!(k.remove("a"));
    assert!(k.delete("b") == false);
    println!("{} of {}", k.len(), k.capacity());
    Ok(())
}
