// A memory-mapped file, which may be larger than the memory: only the queried parts are read.
use bouquet::{Mapped, StandardBloom, StandardView, View};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = format!("first-mapped-{}", std::process::id());
    let path = std::env::temp_dir().join(name);

    StandardBloom::from_keys(["rose", "tulip"], 1e-6)?.save(&path)?;
    // SAFETY: nobody writes into the file; whoever changes the filter saves another.
    let mapped = unsafe { Mapped::open(&path) }?;
    let view: StandardView<'_> = View::open(&mapped)?;
    assert!(view.contains("rose") && !view.contains("lily"));

    // Another file replaces it; the mapped contents do not change.
    StandardBloom::from_keys(["lily"], 1e-6)?.save(&path)?;
    assert!(view.contains("rose") && !view.contains("lily"));
    std::fs::remove_file(&path)?;
    assert!(view.contains("tulip"));

    let folder = std::env::temp_dir();
    for (path, why) in [
        (path.as_path(), "cannot map "),
        (&folder, "it is a folder; give the path of a file"),
        ("".as_ref(), "the path is empty; give that of a file"),
    ] {
        // SAFETY: none of these paths is a file that can be mapped.
        let error = unsafe { Mapped::open(path) }.unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
        assert!(error.contains(&path.display().to_string()), "{error}");
    }
    std::fs::write(&path, [])?;
    // SAFETY: no other program knows the file.
    let nothing = unsafe { Mapped::open(&path) }?;
    let view: Result<StandardView<'_>, _> = View::open(&nothing);
    assert!(view.is_err());
    std::fs::remove_file(&path)?;
    Ok(())
}
