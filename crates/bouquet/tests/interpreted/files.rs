//! Tests the file format: every truncation, every damaged byte, and saving to a file.

use std::path::Path;

use bouquet::{Folded, LoadError, ScalableBloom, StandardBloom, StandardView, View};

#[test]
fn no_cut_and_no_damaged_byte_is_taken() {
    let mut filter = StandardBloom::from_parts(127, 3, Folded::with_seed(5)).unwrap();
    filter.extend(["rose", "tulip"]);
    let bytes = filter.encode();
    for at in 0..bytes.len() {
        assert!(StandardBloom::from_bytes(&bytes[..at]).is_err(), "{at}");
        assert!(StandardView::<Folded>::open(&bytes[..at]).is_err(), "{at}");
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(StandardBloom::from_bytes(&damaged).is_err(), "{at}");
        assert!(StandardView::<Folded>::verify(&damaged).is_err(), "{at}");
        // If a view opens these bytes, queries must not panic, whatever the slots contain.
        if let Ok(view) = StandardView::<Folded>::open(&damaged) {
            let _ = view.contains("rose");
        }
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(StandardBloom::from_bytes(&longer).is_err());
    // The bytes of one kind of filter do not decode as another kind.
    assert!(ScalableBloom::from_bytes(&bytes).is_err());
}

#[test]
// Miri does not support the system call that changes the owner of a file.
#[cfg_attr(miri, ignore)]
fn a_file_is_saved_and_loaded() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("interpreted.bloom");
    let mut filter = StandardBloom::new(100, 0.01).unwrap();
    filter.insert("rose");
    for _ in 0..2 {
        filter.save(&path).unwrap();
        assert_eq!(StandardBloom::load(&path).unwrap(), filter);
    }
    std::fs::write(&path, b"no filter").unwrap();
    assert!(matches!(
        StandardBloom::load(&path),
        Err(LoadError::Decode(_))
    ));
}
