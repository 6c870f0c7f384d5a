// Text as `str`, `String`, `Cow`, `Box`, `Rc` behind a reference, and as bytes.
use std::{borrow::Cow, rc::Rc};

use bouquet::StandardBloom;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut seen = StandardBloom::new(100, 1e-6)?;
    let owned = String::from("rose");
    assert!(seen.insert(&owned));
    assert!(seen.contains("rose"));
    assert!(seen.contains(owned.as_str()));
    assert!(seen.contains(&Cow::Borrowed("rose")));
    assert!(seen.contains(&Box::<str>::from("rose")));
    assert!(seen.contains(&*Rc::<str>::from("rose")));
    assert!(seen.contains(b"rose"));
    assert!(seen.contains(b"rose".as_slice()));
    assert!(seen.contains(&owned.into_bytes()));
    Ok(())
}
