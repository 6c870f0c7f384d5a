//! Groups of filters that a definition can name.

use std::sync::Arc;

use bouquet_catalogue::{Judged, composed};

use super::{Entry, ours};

/// Filters of ours that are made of others.
pub fn composed() -> Vec<Entry> {
    fn composed<J: Judged>() -> Entry {
        Entry {
            is_composed: true,
            ..ours::entry::<J>()
        }
    }
    composed!(composed)
}

/// Names with those in place of a group's that belong to it: `ours`, and of these
/// `removing`, `growing` and `not-growing`; and `composed`, which are made of ours. So a
/// definition has a new filter without naming it.
pub fn members<'a>(filters: &'a [Arc<Entry>], names: &'a [String]) -> Vec<&'a str> {
    let mut members = Vec::new();
    for name in names {
        let belongs: fn(&Entry) -> bool = match name.as_str() {
            "ours" => |_| true,
            "removing" => |entry| entry.removes,
            "growing" => |entry| entry.grows,
            "not-growing" => |entry| !entry.grows,
            "composed" => |entry| entry.is_composed,
            name => {
                members.push(name);
                continue;
            }
        };
        let is_one = |entry: &&Arc<Entry>| entry.is_composed == (name == "composed");
        let ours = filters.iter().filter(|entry| entry.role == "ours");
        let ours = ours.filter(is_one);
        members.extend(ours.filter(|entry| belongs(entry)).map(|entry| entry.name));
    }
    members
}
