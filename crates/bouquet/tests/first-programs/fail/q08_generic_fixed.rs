//~ `contains_bytes`
use bouquet::{Filter, FilterExt, StandardBloom, CuckooFilter};
fn hit_rate<F: Filter>(f: &F, keys: &[String]) -> f64 {
    keys.iter().filter(|k| f.contains_key(*k)).count() as f64 / keys.len() as f64
}
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let keys: Vec<String> = (0..100).map(|i| i.to_string()).collect();
    let f = StandardBloom::from_keys(&keys, 0.01)?;
    let mut c = CuckooFilter::new(100, 0.01)?;
    for k in &keys { c.insert(k)?; }
    println!("{} {}", hit_rate(&f, &keys), hit_rate(&c, &keys));
    Ok(())
}
