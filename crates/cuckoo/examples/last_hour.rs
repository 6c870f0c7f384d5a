//! The ids of the last hour: each minute inserts its own ids and removes those of an hour ago. The
//! memory never grows.
//!
//! cargo run --example last_hour

use std::error::Error;

use bouquet_cuckoo::{CuckooFilter, Inspect};

const PER_MINUTE: u64 = 200;
const WINDOW: u64 = 60;

fn ids(minute: u64) -> impl Iterator<Item = u64> {
    minute * PER_MINUTE..(minute + 1) * PER_MINUTE
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut recent = CuckooFilter::new((PER_MINUTE * WINDOW) as usize, 0.001)?;
    let bytes = recent.memory_bytes();
    let minutes = 24 * 60;
    for minute in 0..minutes {
        if minute >= WINDOW {
            for id in ids(minute - WINDOW) {
                if !recent.remove(&id) {
                    return Err(format!("{id} was inserted and is absent").into());
                }
            }
        }
        for id in ids(minute) {
            recent.insert(&id)?;
        }
    }
    let stored = minutes - WINDOW..minutes;
    if let Some(id) = stored.flat_map(ids).find(|id| !recent.contains(id)) {
        return Err(format!("{id} is of the last hour and absent").into());
    }
    let old = (0..minutes - WINDOW).flat_map(ids);
    let wrong = old.filter(|id| recent.contains(id)).count();
    println!(
        "{} ids in a day, {} of the last hour stored",
        minutes * PER_MINUTE,
        recent.keys()
    );
    println!("{wrong} older ids are reported as recent; {bytes} bytes all day");
    if recent.memory_bytes() != bytes || wrong as u64 * 500 > (minutes - WINDOW) * PER_MINUTE {
        return Err("it grew, or its rate did".into());
    }
    Ok(())
}
