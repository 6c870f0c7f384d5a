use bouquet::interop::ParquetBloom;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut column = ParquetBloom::with_capacity(1_000, 0.01)?;
    for id in 0..1_000i64 {
        column.insert(&id);
    }
    let bytes = column.to_bytes();
    let again = ParquetBloom::from_bytes(&bytes)?;
    assert!((0..1_000i64).all(|id| again.contains(&id)));
    assert!(ParquetBloom::from_bytes(&bytes[..20]).is_err());
    Ok(())
}
