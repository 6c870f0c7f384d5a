//! The keys with which the laws are tested. Members and non-members are disjoint by construction,
//! so every hit on a non-member is a false positive.

use std::collections::HashSet;

use crate::rng::{Rng, mix};

/// The i-th member: eight pseudo-random bytes. All members are different, and none is a
/// [`non_member`]. `i` must be below 2^63.
pub const fn member(i: u64) -> [u8; 8] {
    mix(2 * i).to_le_bytes()
}

/// The i-th non-member: eight pseudo-random bytes that are never a [`member`]. `i` must be below
/// 2^63.
pub const fn non_member(i: u64) -> [u8; 8] {
    mix(2 * i + 1).to_le_bytes()
}

/// Different keys that expose faults of implementations: the empty key, every single byte, runs of
/// one byte, prefixes of one another, integers of several widths, text in several scripts, keys
/// that differ in one late byte, and at the end two keys of 1 MiB that differ only in the last bit.
pub fn odd() -> Vec<Vec<u8>> {
    let mut keys: Vec<Vec<u8>> = vec![Vec::new()];
    keys.extend((0..=255).map(|byte| vec![byte]));
    for run in [0x00, 0xff, b'a'] {
        keys.extend(
            (2..=70)
                .chain([127, 128, 129, 255, 256, 257])
                .map(|len| vec![run; len]),
        );
    }
    let text = Rng::new(0x0dd).bytes(300);
    keys.extend(
        (2..=70)
            .chain([240, 241, 299, 300])
            .map(|len| text[..len].to_vec()),
    );
    // Keys with the same length and the same beginning.
    keys.extend([128, 200, 299].map(|last| {
        let mut other = text.clone();
        other[last] ^= 1;
        other
    }));
    for number in [42, 0x8000_0000, u32::MAX] {
        keys.push(number.to_le_bytes().to_vec());
        keys.push(u64::from(number).to_le_bytes().to_vec());
        keys.push(u128::from(number).to_le_bytes().to_vec());
        keys.push(number.to_be_bytes().to_vec());
    }
    let words = [
        "tulip",
        "Tulip",
        "tulip ",
        "tulip\n",
        "tulip\0",
        "тюльпан",
        "チューリップ",
        "🌷",
        "é",
        "e\u{301}",
    ];
    keys.extend(words.map(|word| word.as_bytes().to_vec()));

    let mut big = vec![0x5a; 1 << 20];
    keys.push(big.clone());
    if let Some(last) = big.last_mut() {
        *last ^= 1;
    }
    keys.push(big);

    let mut seen = HashSet::new();
    keys.retain(|key| seen.insert(key.clone()));
    keys
}

/// Formats a key for a failure message: its first bytes and its length.
pub fn show(key: &[u8]) -> String {
    let mut shown = String::from("0x");
    for byte in key.iter().take(16) {
        shown.push_str(&format!("{byte:02x}"));
    }
    if key.len() > 16 {
        shown.push('…');
    }
    format!("{shown} ({} bytes)", key.len())
}

/// A secret key for `SipHash`, made from a law's seed.
pub fn secret(seed: u64) -> [u8; 16] {
    let mut key = [0x5e; 16];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_and_non_members_are_disjoint() {
        let members: HashSet<_> = (0..10_000).map(member).collect();
        assert_eq!(members.len(), 10_000);
        assert!(
            (0..10_000)
                .map(non_member)
                .all(|key| !members.contains(&key))
        );
    }

    #[test]
    fn odd_keys_are_many_and_end_with_the_big_ones() {
        let keys = odd();
        assert!(keys.len() > 500, "{}", keys.len());
        assert!(keys[0].is_empty());
        assert!(
            keys[keys.len() - 2..]
                .iter()
                .all(|key| key.len() == 1 << 20)
        );
    }

    #[test]
    fn shown_keys_are_short() {
        assert_eq!(show(&[0, 0xff]), "0x00ff (2 bytes)");
        assert!(show(&[7; 1_000]).ends_with("07… (1000 bytes)"));
    }
}
