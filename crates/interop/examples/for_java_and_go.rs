//! Stores one list of names as a Guava filter and as a Go bits-and-blooms filter, and reads both
//! back.
//!
//! cargo run --example for_java_and_go

use std::{env, error::Error, fs, process};

use bouquet_interop::{GoBloom, GuavaBloom, guava::Release};

fn main() -> Result<(), Box<dyn Error>> {
    let names: Vec<String> = (0..10_000).map(|id| format!("user-{id}")).collect();
    let count = names.len() as u64;
    let mut java = GuavaBloom::create(Release::V33, count, 0.01)?;
    let mut go = GoBloom::with_estimates(count, 0.01)?;
    for name in &names {
        java.insert(name);
        go.insert(name);
    }
    let file = env::temp_dir().join(format!("bouquet-for-go-{}", process::id()));
    fs::write(&file, go.to_bytes())?;
    let read = fs::read(&file)?;
    fs::remove_file(&file)?;

    let (java, go) = (
        GuavaBloom::from_bytes(&java.to_bytes())?,
        GoBloom::from_bytes(&read)?,
    );
    if let Some(name) = names
        .iter()
        .find(|name| !java.contains(*name) || !go.contains(*name))
    {
        return Err(format!("{name} is a false negative").into());
    }
    let absent: Vec<String> = (0..10_000).map(|id| format!("guest-{id}")).collect();
    let wrong = [
        absent.iter().filter(|name| java.contains(*name)).count(),
        absent.iter().filter(|name| go.contains(*name)).count(),
    ];
    println!(
        "Guava: {} bits, k = {}, {} false positives of 10000",
        java.size_bits(),
        java.hashes(),
        wrong[0]
    );
    println!(
        "Go: {} bits, k = {}, {} false positives of 10000",
        go.size_bits(),
        go.hashes(),
        wrong[1]
    );
    Ok(())
}
