//! The slots of a cluster: names of shards that spread over them, and which node has which.

use std::collections::BTreeMap;

use redis::{Value, cmd};

use crate::{Error, Result, wire::Wire};

/// The slots of a cluster.
const SLOTS: u32 = 16_384;

/// The longest name: a shard's has up to 16 bytes more.
const LONGEST: usize = 4080;

/// A shard's name is that of the filter and its number, as one tag.
pub(super) fn check(name: &[u8]) -> Result<()> {
    // First: what is done with a name takes as long as it is.
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

/// `{name:i}`, or `{name:i:j}` with the least j that puts it into the i-th part of all
/// slots: nodes with as many slots have as many shards.
pub(super) fn shard_name(name: &[u8], shard: u32, shards: u32) -> Vec<u8> {
    let mut ends = ends(name, shard);
    let found = ends.find(|(_, slot)| slot * shards / SLOTS == shard);
    tagged(name, found.map(|(end, _)| end).unwrap_or_default())
}

fn tagged(name: &[u8], end: String) -> Vec<u8> {
    [b"{", name, end.as_bytes(), b"}"].concat()
}

/// What a shard's tag may end with, and the slot that it has with it.
fn ends(name: &[u8], shard: u32) -> impl Iterator<Item = (String, u32)> {
    let begun = crc(0, name);
    // Each of 16,384 values of the sum of some digits comes before long.
    (0u32..1 << 20).map(move |j| {
        let end = match j {
            0 => format!(":{shard}"),
            j => format!(":{shard}:{j}"),
        };
        let slot = u32::from(crc(begun, end.as_bytes())) % SLOTS;
        (end, slot)
    })
}

/// The names that the first shard may have, whatever the number of shards.
pub(super) fn first_names(name: &[u8]) -> Result<Vec<Vec<u8>>> {
    check(name)?;
    let (mut all, mut named) = (Vec::new(), 0);
    for (end, slot) in ends(name, 0) {
        // It is in the first part of so many, and is the name if none before was.
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

/// The slot of a tag.
fn slot(tag: &[u8]) -> u16 {
    crc(0, tag) % SLOTS as u16
}

/// CRC-16/XMODEM, continued.
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

/// Which of these names one pipeline can hold.
pub(super) async fn by_node<W: Wire>(wire: &mut W, names: &[&[u8]]) -> Vec<Vec<usize>> {
    let reply = wire.one(cmd("CLUSTER").arg("SLOTS")).await;
    let Ok(Value::Array(ranges)) = reply else {
        // One server, or one that does not answer; then each key is rejected and retried.
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

/// First slot, last slot, and the node that has them.
fn range(reply: Value) -> Option<(i64, i64, String)> {
    let Value::Array(parts) = reply else {
        return None;
    };
    let [Value::Int(first), Value::Int(last), Value::Array(node), ..] = &parts[..] else {
        return None;
    };
    // Host and port.
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
