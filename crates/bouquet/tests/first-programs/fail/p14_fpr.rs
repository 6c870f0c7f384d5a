//~ trait `WriteFillRatio` which provides
use bouquet::StandardBloom;
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut a = StandardBloom::new(1000, 0.01)?;
    for i in 0..2000 { a.insert(&i); }
    println!("bits {} k {} cap {}", a.size_bits(), a.hashes(), a.capacity());
    println!("keys {} fpr {} fill {}", a.estimated_keys(), a.estimated_fpr(), a.fill());
    println!("over {}", a.is_over_capacity());
    println!("{a:?}");
    Ok(())
}
