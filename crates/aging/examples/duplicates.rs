//! Events that come several times, each to be counted once an hour.
//!
//! cargo run --example duplicates

use std::error::Error;

use bouquet_aging::AgingBloom;

const HOUR: u64 = 3_600;

fn main() -> Result<(), Box<dyn Error>> {
    // In seconds; at most 10,000 events in an hour.
    let mut seen = AgingBloom::lasting(HOUR, 10_000, 0.001)?;
    let (mut counted, mut events) = (0, 0);
    // Each second two events of the last hour or so come, of which every second one is a repeat.
    for second in 0..24 * HOUR {
        seen.advance(second);
        for event in [second, second.saturating_sub(second % 1_800)] {
            counted += u64::from(seen.insert_if_absent(&event));
            events += 1;
        }
    }
    println!("{counted} of {events} events counted");
    if !(24 * HOUR * 99 / 100..=25 * HOUR).contains(&counted) {
        return Err("an event was lost or counted twice".into());
    }
    Ok(())
}
