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
/// `removing`, `growing` and `not-growing`; `composed`, which are made of ours; and `peers`, the
/// crates of others, with `removing-peers` and `growing-peers`. So a definition has a new filter
/// without naming it.
pub fn members<'a>(filters: &'a [Arc<Entry>], names: &'a [String]) -> Vec<&'a str> {
    let mut members = Vec::new();
    for name in names {
        let (role, belongs): (&str, fn(&Entry) -> bool) = match name.as_str() {
            "ours" => ("ours", |_| true),
            "removing" => ("ours", |entry| entry.removes),
            "growing" => ("ours", |entry| entry.grows),
            "not-growing" => ("ours", |entry| !entry.grows),
            "composed" => ("ours", |entry| entry.is_composed),
            "peers" => ("peer", |_| true),
            "removing-peers" => ("peer", |entry| entry.removes),
            "growing-peers" => ("peer", |entry| entry.grows),
            name => {
                members.push(name);
                continue;
            }
        };
        let is_one = |entry: &&Arc<Entry>| {
            entry.role == role && entry.is_composed == (name == "composed") && belongs(entry)
        };
        members.extend(filters.iter().filter(is_one).map(|entry| entry.name));
    }
    members
}
