//! Prints the headers of filter files, and shows that damage to a file is detected.
//!
//! cargo run --example whats_in_it [FILE ...]
//!
//! Without a file argument, uses the golden files of the standard filter.

use std::{env, error::Error, fs, path::PathBuf};

use bouquet_format::{Document, Header};

/// The files given as arguments, or else the golden files of the tests.
fn files() -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let given: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    if !given.is_empty() {
        return Ok(given);
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../standard/tests/data");
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "bouquet") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn describe(header: &Header) -> String {
    format!(
        "variant {}, hasher {}{}, {} keys at {}, {} bytes of slots",
        header.variant(),
        header.hasher(),
        if header.keyed() {
            " with a secret key"
        } else {
            ""
        },
        header.spec().capacity(),
        header.spec().target_fpr(),
        header.payload_bytes()
    )
}

fn main() -> Result<(), Box<dyn Error>> {
    let files = files()?;
    if files.is_empty() {
        return Err("there is no file".into());
    }
    for path in files {
        let mut bytes = fs::read(&path)?;
        let document = Document::open(&bytes)?;
        document.verify()?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        println!("{name}: {}", describe(&document.record.header));

        // Flips one bit in the middle, as a faulty disk might do.
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        if Document::open(&bytes)
            .and_then(|damaged| damaged.verify())
            .is_ok()
        {
            return Err(format!("{name}: damage at byte {middle} goes unnoticed").into());
        }
    }
    Ok(())
}
