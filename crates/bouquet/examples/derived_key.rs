//! Structs as keys: counts each visit of a user to a page only once per day.
//!
//! cargo run -p bouquet --features derive --example derived_key

use std::{collections::HashSet, error::Error};

use bouquet::{BlockedBloom, Key};

/// One visit. Its fields in their order are the key.
#[derive(Clone, PartialEq, Eq, Hash, Key)]
struct Visit {
    day: u16,
    user: u32,
    page: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    // The first third of the visits occurs twice.
    let visits = (0..60_000u32).chain(0..20_000).map(|i| Visit {
        day: (i % 3) as u16,
        user: i % 5_000,
        page: format!("/page/{}", i / 3 % 7),
    });
    let mut seen = BlockedBloom::new(60_000, 0.001)?;
    let mut exact = HashSet::new();
    let (mut all, mut first) = (0, 0);
    for visit in visits {
        let (is_new, is_really_new) = (seen.insert(&visit), exact.insert(visit.clone()));
        if is_new && !is_really_new {
            return Err(format!("user {} came before and counts as new", visit.user).into());
        }
        all += 1;
        first += usize::from(is_new);
    }
    println!("{all} visits, {first} counted once, {} really", exact.len());
    // The key has the same bytes as the tuple of its fields.
    let as_tuple = |visit: &Visit| seen.contains(&(visit.day, visit.user, visit.page.as_str()));
    if !exact.iter().all(as_tuple) {
        return Err("a struct and the tuple of its fields are two keys".into());
    }
    if (exact.len() - first) * 500 > exact.len() {
        return Err("more than twice the target".into());
    }
    Ok(())
}
