use bouquet::{BlockedBloom, CountingBloom, SpecError, StandardBloom};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    assert_eq!(StandardBloom::new(0, 0.01), Err(SpecError::ZeroCapacity));
    let error = StandardBloom::new(10, 1.0).unwrap_err().to_string();
    assert!(error.contains("0.01 for 1 %"), "{error}");
    assert!(StandardBloom::new(10, f64::NAN).is_err());
    assert!(StandardBloom::new(usize::MAX, 1e-9).is_err());

    let folder = std::env::temp_dir();
    let error = StandardBloom::load(folder.join("no such filter")).unwrap_err();
    assert!(error.to_string().contains("no such filter"), "{error}");
    assert!(StandardBloom::load(&folder).is_err());
    assert!(StandardBloom::from_bytes(&[]).is_err());

    let bytes = BlockedBloom::from_keys(["rose"], 0.01)?.encode();
    let error = StandardBloom::from_bytes(&bytes).unwrap_err().to_string();
    assert!(
        error.contains("use the type `BlockedBloom<Words64, Folded>`"),
        "{error}"
    );
    assert!(CountingBloom::from_bytes(&bytes).is_err());
    Ok(())
}
