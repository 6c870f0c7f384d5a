use bouquet::{KeyIterator, StandardBloom};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut seen = StandardBloom::new(1_000, 1e-6)?;
    let ids = vec![3u64, 1, 3, 2, 1];
    let new: Vec<u64> = ids.into_iter().filter_new(&mut seen).collect();
    assert_eq!(new, [3, 1, 2]);
    for id in [2u64, 4].into_iter().filter_new(&mut seen) {
        assert_eq!(id, 4);
    }
    Ok(())
}
