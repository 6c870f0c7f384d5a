//! The slots of a cluster: chooses names that spread the shards over the slots, and finds the node
//! of each slot.

use std::collections::BTreeMap;

use redis::{Value, cmd};

use crate::{Error, Result, wire::Wire};

/// Number of slots of a cluster.
const SLOTS: u32 = 16_384;

/// The maximum length of a filter's name in bytes: the name of a shard is up to 16 bytes longer.
const LONGEST: usize = 4080;

/// Checks the name of a filter: together with a shard's number it must be one hash tag.
pub(super) fn check(name: &[u8]) -> Result<()> {
    // The length is checked first, because the time of every other step depends on it.
    if name.len() > LONGEST {
        return Err(Error::BadName {
            why: "the name of a filter over shards is longer than 4080 bytes: give a shorter one",
        });
    }
    if name.is_empty() || name.contains(&b'{') || name.contains(&b'}') {
        return Err(Error::BadName {
            why: "the name of a filter over shards becomes a {tag}: give one of at least one byte \
                  without braces",
        });
    }
    Ok(())
}

/// The name of a shard with index i: `{name:i}`, or `{name:i:j}` with the smallest j for which the
/// slot is in the i-th of `shards` equal parts of all slots. So nodes with the same number of slots
/// have about the same number of shards.
pub(super) fn shard_name(name: &[u8], shard: u32, shards: u32) -> Vec<u8> {
    let mut ends = ends(name, shard);
    let found = ends.find(|(_, slot)| slot * shards / SLOTS == shard);
    tagged(name, found.map(|(end, _)| end).unwrap_or_default())
}

fn tagged(name: &[u8], end: String) -> Vec<u8> {
    [b"{", name, end.as_bytes(), b"}"].concat()
}

/// The possible ends of a shard's hash tag, each with the resulting slot.
fn ends(name: &[u8], shard: u32) -> impl Iterator<Item = (String, u32)> {
    let begun = crc(0, name);
    // Varying these few digits reaches each of the 16,384 slots soon.
    (0u32..1 << 20).map(move |j| {
        let end = match j {
            0 => format!(":{shard}"),
            j => format!(":{shard}:{j}"),
        };
        let slot = u32::from(crc(begun, end.as_bytes())) % SLOTS;
        (end, slot)
    })
}

/// All names that the first shard can have, over all numbers of shards.
pub(super) fn first_names(name: &[u8]) -> Result<Vec<Vec<u8>>> {
    check(name)?;
    let (mut all, mut named) = (Vec::new(), 0);
    for (end, slot) in ends(name, 0) {
        // With this name the first shard is in the first of up to `parts` parts. The name is used
        // for all numbers of shards for which no earlier name fits.
        let parts = (SLOTS - 1).checked_div(slot).unwrap_or(SLOTS);
        if parts > named {
            all.push(tagged(name, end));
            named = parts;
        }
        if named >= super::MAX_SHARDS {
            break;
        }
    }
    Ok(all)
}

/// The slot of a hash tag.
fn slot(tag: &[u8]) -> u16 {
    crc(0, tag) % SLOTS as u16
}

/// Continues a CRC-16/XMODEM with more bytes.
fn crc(mut crc: u16, bytes: &[u8]) -> u16 {
    for byte in bytes {
        crc ^= u16::from(*byte) << 8;
        for _ in 0..8 {
            let carry = if crc >> 15 == 1 { 0x1021 } else { 0 };
            crc = crc << 1 ^ carry;
        }
    }
    crc
}

/// Groups these names so that one pipeline can contain all names of a group.
pub(super) async fn by_node<W: Wire>(wire: &mut W, names: &[&[u8]]) -> Vec<Vec<usize>> {
    let reply = wire.one(cmd("CLUSTER").arg("SLOTS")).await;
    let Ok(Value::Array(ranges)) = reply else {
        // A single server, or a server that does not answer; in the latter case each rejected key
        // is retried.
        return vec![(0..names.len()).collect()];
    };
    if !W::HAS_PIPELINES_TO_NODES {
        return (0..names.len()).map(|i| vec![i]).collect();
    }
    let ranges: Vec<(i64, i64, String)> = ranges.into_iter().filter_map(range).collect();
    let mut groups: BTreeMap<Option<&str>, Vec<usize>> = BTreeMap::new();
    for (i, name) in names.iter().enumerate() {
        let tag = name.get(1..name.len().saturating_sub(1));
        let slot = i64::from(slot(tag.unwrap_or_default()));
        let mut owners = ranges.iter();
        let owner = owners.find(|(first, last, _)| (*first..=*last).contains(&slot));
        let owner = owner.map(|(_, _, node)| &node[..]);
        groups.entry(owner).or_default().push(i);
    }
    groups.into_values().collect()
}

/// Parses one range of slots: the first slot, the last slot and the node that has them.
fn range(reply: Value) -> Option<(i64, i64, String)> {
    let Value::Array(parts) = reply else {
        return None;
    };
    let [Value::Int(first), Value::Int(last), Value::Array(node), ..] = &parts[..] else {
        return None;
    };
    // The node is identified by its host and port.
    Some((*first, *last, format!("{:?}", node.get(..2)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_those_of_the_specification() {
        assert_eq!(slot(b"123456789"), 0x31c3);
        assert_eq!(slot(b""), 0);
    }

    #[test]
    fn shards_are_in_equal_parts_of_all_slots() {
        for shards in [1, 2, 3, 12, 100, 1_024] {
            for shard in 0..shards {
                let name = shard_name(b"roses", shard, shards);
                let tag = &name[1..name.len() - 1];
                assert_eq!(u32::from(slot(tag)) * shards / SLOTS, shard);
                assert!(tag.starts_with(format!("roses:{shard}").as_bytes()));
            }
        }
        assert!(check(b"a{b").is_err() && check(b"").is_err() && check(b"a b").is_ok());
        let names = first_names(b"roses").unwrap_or_default();
        assert!(names.len() < 40, "{}", names.len());
        for shards in 1..=1_024 {
            assert!(names.contains(&shard_name(b"roses", 0, shards)));
        }
    }
}
