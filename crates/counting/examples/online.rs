//! Tracks which users are online: users log in and out, some from several devices. That needs
//! removal, which a filter of bits does not support.
//!
//! cargo run --example online

use std::{collections::HashMap, error::Error};

use bouquet_counting::{CountingBloom, Inspect};

const USERS: u64 = 50_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut filter = CountingBloom::new(USERS as usize, 0.001)?;
    let mut exact: HashMap<u64, u32> = HashMap::new();
    for event in 0..400_000u64 {
        let user = event.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let user = user % USERS;
        let devices = exact.entry(user).or_default();
        // Only a user who is online logs out, so only inserted keys are removed.
        if *devices > 0 && event % 2 == 0 {
            *devices -= 1;
            filter.remove(&user);
        } else {
            *devices += 1;
            filter.insert(&user);
        }
    }
    let (mut online, mut wrong) = (0, 0);
    for user in 0..USERS {
        let is_online = exact.get(&user).is_some_and(|devices| *devices > 0);
        match (is_online, filter.contains(&user)) {
            (true, false) => return Err(format!("user {user} is online and absent").into()),
            (true, true) => online += 1,
            (false, found) => wrong += usize::from(found),
        }
    }
    let offline = USERS - online;
    println!("{online} users online; of {offline} offline {wrong} are reported as online");
    println!(
        "{} bytes, {} counters saturated",
        filter.memory_bytes(),
        filter.saturated()
    );
    Ok(())
}
