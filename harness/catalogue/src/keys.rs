//! Keys that the benchmark loop generates. If it read them from memory, the time of reading them
//! would be measured too.

use std::{borrow::Borrow, ops::Range};

use bouquet_core::Key;
use bouquet_record::DatasetRow;
use clap::ValueEnum;
use serde::Deserialize;

/// A bijection of 64-bit words without visible structure: the output function of SplitMix64
/// (Steele, Lea and Flood 2014).
pub fn mix(word: u64) -> u64 {
    let z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The number of keys that are generated at a time and then passed to a filter; also the size of a
/// batch.
pub const CHUNK: usize = 128;

bouquet_record::named! {
    /// A kind of key.
    #[derive(Deserialize, ValueEnum)]
    #[serde(rename_all = "lowercase")]
    pub enum Kind {
        U64 = "u64",
        Url = "url",
        #[value(skip)]
        Among = "u64 among filters",
    }
}

impl Kind {
    pub const ALL: [Self; 3] = [Self::U64, Self::Url, Self::Among];

    pub fn about(self) -> &'static str {
        match self {
            Self::U64 => "Integers of 64 bits, a bijection of a counter (SplitMix64)",
            Self::Url => "URLs of 59 bytes, with 16 hexadecimal digits that say a mixed counter",
            Self::Among => "Integers as u64, each in one of 1,000 filters of equal size",
        }
    }

    pub fn bytes(self) -> u64 {
        match self {
            Self::U64 | Self::Among => 8,
            Self::Url => URL.len() as u64,
        }
    }

    pub fn row(self) -> DatasetRow {
        DatasetRow {
            dataset: self.name().into(),
            about: self.about().into(),
            keys: 0,
            duplicates_dropped: 0,
            key_bytes: self.bytes(),
            sha256: String::new(),
            generator: "in the loop".into(),
        }
    }
}

/// A buffer for one chunk of keys of one kind.
pub trait Keys {
    /// The borrowed form of a key, `u64` or `[u8]`; a filter must be `Insertable` for it.
    type Target: ?Sized;
    type Item<'a>: Key + Copy + Borrow<Self::Target>
    where
        Self: 'a;
    type Items<'a>: AsRef<[Self::Item<'a>]>
    where
        Self: 'a;

    fn room() -> Self;
    /// Makes one key from each word, at most [`CHUNK`] keys. Different words give different keys.
    ///
    /// Implementations must not be inlined. Otherwise the compiler keeps their constants in vector
    /// registers while the keys are passed to a filter, and loads them again after every call that
    /// is not inlined.
    fn make(&mut self, words: impl Iterator<Item = u64>);
    /// The keys of the last call of `make`. If these are fewer than [`CHUNK`], older keys follow
    /// them.
    fn items(&self) -> Self::Items<'_>;
    /// A bit of the key. It replaces the answer of a filter when a loop is timed without a filter.
    fn bit(key: &Self::Item<'_>) -> bool;
    /// The number of stored keys in `range` for which `is_one` is true; 0 if the stored keys are of
    /// another kind.
    fn count_stored(
        keys: &StoredKeys,
        range: Range<usize>,
        is_one: impl FnMut(&Self::Target) -> bool,
    ) -> u64;
}

/// Distinct keys in memory.
#[derive(Clone, Debug)]
pub enum StoredKeys {
    Integers(Vec<u64>),
    /// All keys as one sequence of bytes, and the end of each key.
    Bytes(Vec<u8>, Vec<usize>),
}

impl StoredKeys {
    pub fn len(&self) -> usize {
        match self {
            Self::Integers(keys) => keys.len(),
            Self::Bytes(_, ends) => ends.len(),
        }
    }

    /// `Integers` stores only the first eight bytes of a key, and ignores keys of fewer bytes.
    pub fn push(&mut self, key: &[u8]) {
        match self {
            Self::Integers(keys) => {
                keys.extend(key.first_chunk().map(|bytes| u64::from_le_bytes(*bytes)));
            }
            Self::Bytes(bytes, ends) => {
                bytes.extend_from_slice(key);
                ends.push(bytes.len());
            }
        }
    }
}

pub struct Integers([u64; CHUNK]);

impl Keys for Integers {
    type Target = u64;
    type Item<'a> = u64;
    type Items<'a> = &'a [u64];

    fn room() -> Self {
        Self([0; CHUNK])
    }

    #[inline(never)]
    fn make(&mut self, words: impl Iterator<Item = u64>) {
        for (slot, word) in self.0.iter_mut().zip(words) {
            *slot = word;
        }
    }

    #[inline(always)]
    fn items(&self) -> &[u64] {
        &self.0
    }

    #[inline(always)]
    fn bit(key: &u64) -> bool {
        key & 1 == 1
    }

    #[inline(always)]
    fn count_stored(
        keys: &StoredKeys,
        range: Range<usize>,
        mut is_one: impl FnMut(&u64) -> bool,
    ) -> u64 {
        let StoredKeys::Integers(keys) = keys else {
            return 0;
        };
        keys[range].iter().map(|key| u64::from(is_one(key))).sum()
    }
}

const URL: &[u8; 59] = b"https://example.org/en/articles/0123456789abcdef/index.html";
/// The position of the digits in the URL.
const DIGITS: usize = 32;

pub struct Urls {
    bytes: [[u8; URL.len()]; CHUNK],
    /// The length of a URL. It is a field and not a constant, so that the compiler does not know
    /// it, as in real programs.
    len: usize,
}

impl Keys for Urls {
    type Target = [u8];
    type Item<'a> = &'a [u8];
    type Items<'a> = [&'a [u8]; CHUNK];

    fn room() -> Self {
        Self {
            bytes: [*URL; CHUNK],
            len: std::hint::black_box(URL.len()),
        }
    }

    #[inline(never)]
    fn make(&mut self, words: impl Iterator<Item = u64>) {
        for (url, word) in self.bytes.iter_mut().zip(words) {
            let digits = [(word >> 32) as u32, word as u32].map(hexadecimal);
            url[DIGITS..DIGITS + 8].copy_from_slice(&digits[0]);
            url[DIGITS + 8..DIGITS + 16].copy_from_slice(&digits[1]);
        }
    }

    #[inline(always)]
    fn items(&self) -> [&[u8]; CHUNK] {
        std::array::from_fn(|i| &self.bytes[i][..self.len])
    }

    #[inline(always)]
    fn bit(key: &&[u8]) -> bool {
        key.len() & 1 == 1
    }

    #[inline(always)]
    fn count_stored(
        keys: &StoredKeys,
        range: Range<usize>,
        mut is_one: impl FnMut(&[u8]) -> bool,
    ) -> u64 {
        let StoredKeys::Bytes(bytes, ends) = keys else {
            return 0;
        };
        let mut start = range.start.checked_sub(1).map_or(0, |before| ends[before]);
        let mut count = 0;
        for &end in &ends[range] {
            count += u64::from(is_one(&bytes[start..end]));
            start = end;
        }
        count
    }
}

/// Computes the eight hexadecimal digits of `word`: moves each group of four bits to a byte of its
/// own and adds the code of `0`, and another 39 if the value is above 9, which gives a letter.
#[inline(always)]
fn hexadecimal(word: u32) -> [u8; 8] {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let mut digits = u64::from(word);
    digits = (digits | digits << 16) & 0x0000_ffff_0000_ffff;
    digits = (digits | digits << 8) & 0x00ff_00ff_00ff_00ff;
    digits = (digits | digits << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    let letters = ((digits + 6 * ONES) >> 4) & ONES;
    (digits + u64::from(b'0') * ONES + letters * 39).to_be_bytes()
}

/// A sequence of keys, which are computed from consecutive indexes. The indexes of members are
/// below [`NON_MEMBERS`].
#[derive(Clone, Copy, Debug)]
pub struct Stream {
    pub seed: u64,
    /// The index of the first key.
    pub from: u64,
    pub count: u64,
    /// When the sequence reaches this index, it continues at index 0.
    pub end: u64,
    pub mixed: Option<Mixed>,
}

impl Stream {
    /// The first eighth of the stream, for a warm-up before timing.
    pub fn warm(&self) -> Self {
        Self {
            count: self.count / 8,
            ..*self
        }
    }
}

/// Replaces members of a stream by non-members, each with probability 1/2.
#[derive(Clone, Copy, Debug)]
pub struct Mixed {
    pub coins: u64,
    /// The index of the non-member that may replace the key at position 0; at position i, the index
    /// is `away + i`.
    pub away: u64,
}

/// The index of the first non-member.
pub const NON_MEMBERS: u64 = 1 << 40;

/// Makes the keys of a stream chunk by chunk, passes them to `take` and sums the results.
#[inline(always)]
pub fn each_chunk<K: Keys>(stream: &Stream, mut take: impl FnMut(&[K::Item<'_>]) -> u64) -> u64 {
    let mut keys = K::room();
    let seed = mix(stream.seed);
    let (mut index, mut left, mut sum) = (stream.from, stream.count, 0);
    while left > 0 {
        let count = left.min(CHUNK as u64).min(stream.end - index);
        let indexes = index..index + count;
        match stream.mixed {
            None => keys.make(indexes.map(|index| mix(index ^ seed))),
            // Whether a key is a member depends on its position in the stream, not on its index.
            // Otherwise, if a few members are repeated, the branch predictor would learn the order
            // of the answers.
            Some(Mixed { coins, away }) => {
                let placed = indexes.zip(stream.count - left..);
                keys.make(placed.map(|(index, place)| {
                    // A mask, computed without a branch: all ones for a non-member, else all zeros.
                    let heads = (mix(place ^ coins) >> 63).wrapping_neg();
                    mix(index ^ ((index ^ (away + place)) & heads) ^ seed)
                }));
            }
        }
        sum += take(&keys.items().as_ref()[..count as usize]);
        left -= count;
        index += count;
        if index == stream.end {
            index = 0;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn keys<K: Keys>(stream: &Stream) -> Vec<Vec<u8>> {
        let mut all = Vec::new();
        each_chunk::<K>(stream, |chunk| {
            all.extend(chunk.iter().map(|key| key.with_bytes(<[u8]>::to_vec)));
            chunk.len() as u64
        });
        all
    }

    const SOME: Stream = Stream {
        seed: 1,
        from: 700,
        count: 1_000,
        end: 1_000,
        mixed: None,
    };

    #[test]
    fn digits_are_hexadecimal() {
        for word in [0, 0x0123_4567, 0x89ab_cdef, u32::MAX] {
            assert_eq!(hexadecimal(word), format!("{word:08x}").as_bytes());
        }
    }

    #[test]
    fn every_member_comes_once_a_round() {
        for keys in [keys::<Integers>(&SOME), keys::<Urls>(&SOME)] {
            assert_eq!(keys.len(), 1_000);
            assert_eq!(keys.iter().collect::<HashSet<_>>().len(), 1_000);
        }
        let all: Vec<_> = (0..1_000u64)
            .map(|i| mix(i ^ mix(1)).to_le_bytes())
            .collect();
        assert_eq!(keys::<Integers>(&SOME)[..300], all[700..]);
    }

    #[test]
    fn a_url_has_the_digits_of_its_word() {
        let url = String::from_utf8(keys::<Urls>(&SOME)[0].clone()).unwrap();
        let word = mix(700 ^ mix(1));
        let want = format!("https://example.org/en/articles/{word:016x}/index.html");
        assert_eq!(url, want);
        assert_eq!(url.len() as u64, Kind::Url.bytes());
    }

    #[test]
    fn half_of_a_mixed_stream_are_members_in_no_order() {
        let mixed = Some(Mixed {
            coins: 9,
            away: NON_MEMBERS,
        });
        let members: HashSet<_> = keys::<Integers>(&SOME).into_iter().collect();
        let keys = keys::<Integers>(&Stream { mixed, ..SOME });
        let found: Vec<bool> = keys.iter().map(|key| members.contains(key)).collect();
        let many = found.iter().filter(|found| **found).count();
        assert!((400..600).contains(&many), "{many}");
        let changes = found.windows(2).filter(|two| two[0] != two[1]).count();
        assert!((400..600).contains(&changes), "{changes}");
        // In the second 1,000 keys, members are at other positions than in the first 1,000.
        let two_rounds = Stream {
            count: 2_000,
            mixed,
            ..SOME
        };
        let keys = self::keys::<Integers>(&two_rounds);
        let found: Vec<bool> = keys.iter().map(|key| members.contains(key)).collect();
        let same = (0..1_000).filter(|i| found[*i] == found[i + 1_000]).count();
        assert!((400..600).contains(&same), "{same}");
    }
}
