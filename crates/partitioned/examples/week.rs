//! The visitors of seven days in seven filters: the union of the filters gives the number of
//! visitors in the week, without any list of names.
//!
//! cargo run --example week

use std::{collections::HashSet, error::Error};

use bouquet_partitioned::PartitionedBloom;

const VISITS: u64 = 20_000;

/// The visitors of a day: some come every day, the others are random.
fn visitors(day: u64) -> impl Iterator<Item = u64> {
    (0..VISITS).map(move |visit| match visit {
        0..5_000 => visit,
        _ => (visit ^ day << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40,
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut week = PartitionedBloom::new((7 * VISITS) as usize, 0.01)?;
    let mut exact = HashSet::new();
    for day in 0..7 {
        let mut today = PartitionedBloom::new((7 * VISITS) as usize, 0.01)?;
        today.extend(visitors(day));
        week.union_with(&today)?;
        exact.extend(visitors(day));
    }
    if let Some(visitor) = exact.iter().find(|visitor| !week.contains(*visitor)) {
        return Err(format!("visitor {visitor} is missing from the week").into());
    }
    let (estimate, count) = (week.estimated_keys(), exact.len() as f64);
    println!("{count} visitors in the week, {estimate:.0} by the bits of the union");
    if (estimate / count - 1.0).abs() > 0.02 {
        return Err("the estimate is off by more than 2 %".into());
    }
    Ok(())
}
