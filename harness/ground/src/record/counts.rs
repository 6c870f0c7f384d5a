//! Columns of counts that no run counts: their sums would overflow.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

/// Columns of whole numbers that are no counts, and are never added up.
const NO_COUNTS: [&str; 3] = ["seed", "slots", "slots_wanted"];
/// What a column comes to at most. Past it a few columns together could overflow.
const MOST: u64 = 1 << 60;

/// The first row, counted from 0 on, and the column by which more is counted than anything can.
pub fn beyond<R: Serialize>(rows: &[R]) -> serde_json::Result<Option<(usize, String)>> {
    let mut sums: BTreeMap<String, u64> = BTreeMap::new();
    for (number, row) in rows.iter().enumerate() {
        let Value::Object(row) = serde_json::to_value(row)? else {
            continue;
        };
        for (column, value) in row {
            if let Some(count) = value.as_u64()
                && !NO_COUNTS.contains(&column.as_str())
            {
                let sum = sums.entry(column.clone()).or_default();
                *sum = sum.saturating_add(count);
                if *sum > MOST {
                    return Ok(Some((number, column)));
                }
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Counted {
        seed: u64,
        found: u64,
        some: Option<u64>,
        rate: f64,
    }

    fn counted(found: u64, some: Option<u64>) -> Counted {
        Counted {
            seed: u64::MAX,
            found,
            some,
            rate: 1e300,
        }
    }

    #[test]
    fn sums_past_what_anything_counts_are_found_by_their_column() {
        let beyond = |rows: &[Counted]| beyond(rows).unwrap();
        assert_eq!(beyond(&[]), None);
        let most = counted(MOST, Some(MOST));
        assert_eq!(beyond(&[counted(0, None), most]), None);
        let found = beyond(&[counted(MOST, None), counted(1, None)]);
        assert_eq!(found, Some((1, "found".to_owned())));
        let some = beyond(&[counted(1, Some(u64::MAX))]);
        assert_eq!(some, Some((0, "some".to_owned())));
    }
}
