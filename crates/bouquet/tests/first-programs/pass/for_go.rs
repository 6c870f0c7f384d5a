// The same as `bloom.NewWithEstimates(1000, 0.01)`, `AddString` and `WriteTo` in Go.
use bouquet::interop::GoBloom;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut filter = GoBloom::with_estimates(1_000, 0.01)?;
    filter.insert("Love");
    assert!(filter.contains("Love"));
    let mut file = Vec::new();
    filter.write_to(|piece| std::io::Write::write_all(&mut file, piece))?;
    assert_eq!(file, filter.to_bytes());
    assert_eq!(GoBloom::from_bytes(&file)?, filter);
    Ok(())
}
