use bouquet::interop::{GoZeroBloom, RedisBloom};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The same as `BF.RESERVE seen 0.01 1000` in Redis.
    let mut seen = RedisBloom::reserve(0.01, 1_000, Some(2))?;
    assert!(seen.insert("rose")?);
    assert!(seen.contains("rose"));

    let mut bitmap = GoZeroBloom::for_target(1_000, 0.01)?;
    bitmap.insert("rose");
    let again = GoZeroBloom::from_bytes(&bitmap.to_bytes(), bitmap.size_bits())?;
    assert!(again.contains("rose"));
    Ok(())
}
