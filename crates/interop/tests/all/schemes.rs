//! Checks every hash and every location of the golden data, and the contract of `Locate`.
use crate::common::{KeySets, integer, list, path, records, span, text, unhex, word};
use bouquet_interop::{
    Locate, SpecError, bits_and_blooms, go_zero,
    guava::{self, GuavaHash},
    parquet::{self, ParquetHash},
    rbloom,
    redisbloom::{self, RedisBloomHash},
};

/// Checks the contract of `Locate` and returns the slots that it visits.
fn visited<L: Locate>(scheme: &L, hash: &L::Hash) -> Vec<u64> {
    let mut slots = Vec::new();
    scheme.locate(hash, &mut |slot| slots.push(slot));
    assert_eq!(slots.len(), scheme.probes() as usize);
    assert!(slots.iter().all(|slot| *slot < scheme.slots()), "{slots:?}");
    slots
}

#[test]
fn bits_and_blooms() {
    let keys = KeySets::load();
    let records = records("bits-and-blooms/hashes.jsonl");
    assert_eq!(records.len(), 277);
    for record in records {
        let hash = bits_and_blooms::four_words(&keys.of(&record));
        assert_eq!(hash.to_vec(), list(&record["h"], word), "{record}");
        let words = list(&record["loc"], word);
        for (i, word) in (0..).zip(&words) {
            assert_eq!(bits_and_blooms::Scheme::word(&hash, i), *word, "{record}");
        }
        let scheme = bits_and_blooms::Scheme::new(1_021, words.len() as u32).unwrap();
        let slots: Vec<u64> = words.iter().map(|word| word % 1_021).collect();
        assert_eq!(visited(&scheme, &hash), slots, "{record}");
    }
}

/// Parses a hash as Guava prints it.
fn printed(hash: &str) -> GuavaHash {
    let bytes = unhex(hash);
    let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    GuavaHash {
        low: word(0),
        high: word(8),
    }
}

#[test]
fn guava_funnels() {
    let keys = KeySets::load();
    let records = records("guava/hashes.jsonl");
    assert_eq!(records.len(), 502);
    let mut chars = 0;
    for record in records {
        if text(&record["set"]) == "ints" {
            let key = keys.number("ints", integer(&record["i"]));
            let long = printed(text(&record["long_funnel"]));
            assert_eq!(GuavaHash::of_long(key), long, "{record}");
            let integer = printed(text(&record["integer_funnel_of_low32"]));
            assert_eq!(GuavaHash::of_integer(key as i32), integer, "{record}");
            continue;
        }
        let key = keys.of(&record);
        let raw = printed(text(&record["murmur3_128"]));
        assert_eq!(GuavaHash::of_bytes(&key), raw, "{record}");
        if let Some(hash) = record.get("unencoded_chars") {
            let units = str::from_utf8(&key).unwrap().encode_utf16();
            assert_eq!(GuavaHash::of_chars(units), printed(text(hash)), "{record}");
            chars += 1;
        }
    }
    assert_eq!(chars, 54);
}

#[test]
fn guava_strategies_are_the_formulas_of_their_source() {
    for i in 0..200u64 {
        let hash = GuavaHash::of_bytes(&i.to_le_bytes());
        for longs in [1, 2, 3, 225, 1 << 25, (1 << 31) - 1] {
            let m = 64 * u64::from(longs);
            let wide = guava::Mitz64::new(longs, 255).unwrap();
            let want = (0..255u64).map(|i| {
                let x = hash.low.wrapping_add(i.wrapping_mul(hash.high));
                (x & i64::MAX as u64) % m
            });
            assert!(visited(&wide, &hash).into_iter().eq(want), "{longs}");

            let narrow = guava::Mitz32::new(longs, 255).unwrap();
            let (low, high) = (hash.low as i32, (hash.low >> 32) as i32);
            let want = (1..=255i32).map(|i| {
                let x = low.wrapping_add(i.wrapping_mul(high));
                (if x < 0 { !x } else { x }) as u64 % m
            });
            assert!(visited(&narrow, &hash).into_iter().eq(want), "{longs}");
        }
    }
}

#[test]
fn parquet() {
    let keys = KeySets::load();
    let records = records("parquet/hashes.jsonl");
    assert_eq!(records.len(), 502);
    for record in records {
        let check = |key: &[u8], hash| assert_eq!(ParquetHash::of(key).0, word(hash), "{record}");
        if text(&record["set"]) == "ints" {
            let key = keys.number("ints", integer(&record["i"]));
            check(&key.to_le_bytes(), &record["INT64"]);
            check(&(key as i32).to_le_bytes(), &record["INT32"]);
            check(&(key as f64).to_le_bytes(), &record["DOUBLE"]);
        } else {
            check(&keys.of(&record), &record["xxh64"]);
        }
    }
}

#[test]
fn parquet_blocks_are_the_formula_of_the_specification() {
    for blocks in [1, 2, 3, 100, (1 << 26) - 1] {
        let scheme = parquet::Scheme::new(blocks).unwrap();
        for i in 0..200u64 {
            let hash = ParquetHash::of(&i.to_le_bytes());
            let block = ((u128::from(hash.0 >> 32) * u128::from(blocks)) >> 32) as u64;
            let want = parquet::SALTS.iter().zip(0..).map(|(salt, word)| {
                let product = ((hash.0 & 0xffff_ffff) * u64::from(*salt)) & 0xffff_ffff;
                256 * block + 32 * word + (product >> 27)
            });
            assert!(visited(&scheme, &hash).into_iter().eq(want), "{blocks}");
        }
    }
}

#[test]
fn redisbloom() {
    let keys = KeySets::load();
    let records = records("redisbloom/hashes.jsonl");
    assert_eq!(records.len(), 176);
    for record in records {
        let key = keys.of(&record);
        let words = |hash: RedisBloomHash| vec![hash.start, hash.step];
        let wide = RedisBloomHash::wide(&key);
        assert_eq!(words(wide), list(&record["h64"], word), "{record}");
        let narrow = words(RedisBloomHash::narrow(&key));
        assert_eq!(narrow, list(&record["h32"], word), "{record}");
        for m in [64, 1_152, 1 << 20, u64::MAX] {
            let scheme = redisbloom::Scheme::new(m, 20).unwrap();
            let want = (0..20u64).map(|i| wide.start.wrapping_add(i.wrapping_mul(wide.step)) % m);
            assert!(visited(&scheme, &wide).into_iter().eq(want), "{record}");
        }
    }
}

#[test]
fn go_zero() {
    let keys = KeySets::load();
    let records = records("go-zero/locations.jsonl");
    assert_eq!(records.len(), 176);
    let mut hashes = 0;
    for record in records {
        let hash = go_zero::GoZeroHash::of(&keys.of(&record));
        let scheme = go_zero::Scheme::new(integer(&record["bits"])).unwrap();
        let locations = list(&record["locations"], integer);
        assert_eq!(visited(&scheme, &hash), locations, "{record}");
        if let Some(words) = record.get("hash64") {
            let got: Vec<u64> = (0..14).map(|i| hash.word(i)).collect();
            assert_eq!(got, list(words, word), "{record}");
            hashes += 1;
        }
    }
    assert_eq!(hashes, 109);
}

#[cfg(feature = "redisson")]
#[test]
fn redisson() {
    use bouquet_interop::redisson::{RedissonHash, Scheme};

    let keys = KeySets::load();
    let records = records("redisson/locations.jsonl");
    assert_eq!(records.len(), 277);
    for record in records {
        let hash = RedissonHash::of(&keys.of(&record));
        let words = list(&record["highway128"], word);
        assert_eq!([hash.low, hash.high].to_vec(), words, "{record}");
        let iterations = integer(&record["iterations"]) as u32;
        let scheme = Scheme::new(integer(&record["size"]), iterations).unwrap();
        let indexes = list(&record["indexes"], integer);
        assert_eq!(visited(&scheme, &hash), indexes, "{record}");
    }
}

/// These records contain no locations. They name files: 8 bytes of k, then the bits.
#[test]
fn rbloom() {
    use sha2::{Digest, Sha256};

    let keys = KeySets::load();
    let records = records("rbloom/filters.jsonl");
    assert_eq!(records.len(), 4);
    for record in records {
        let file = std::fs::read(path(&format!("rbloom/{}", text(&record["bin"])))).unwrap();
        let (k, bits) = file.split_first_chunk::<8>().unwrap();
        let k = u64::from_le_bytes(*k) as u32;
        let scheme = rbloom::Scheme::new(8 * bits.len() as u64, k).unwrap();
        let hash = |key: Vec<u8>| {
            let digest = Sha256::digest(key);
            let first = digest.first_chunk().unwrap();
            rbloom::RbloomHash::from(i128::from_be_bytes(*first))
        };
        let mut again = vec![0u8; bits.len()];
        for (set, i) in record["added"].as_array().unwrap().iter().flat_map(span) {
            for slot in visited(&scheme, &hash(keys.bytes(set, i))) {
                again[(slot / 8) as usize] |= 1 << (slot % 8);
            }
        }
        assert_eq!(again, bits, "{}", record["id"]);
        let is_set = |slot: u64| bits[(slot / 8) as usize] >> (slot % 8) & 1 != 0;
        let positives: Vec<u64> = span(&record["probe"])
            .filter(|(set, i)| scheme.locations(hash(keys.bytes(set, *i))).all(is_set))
            .map(|(_, i)| i)
            .collect();
        assert_eq!(positives, list(&record["probe"]["positives"], integer));
    }
}

#[test]
fn impossible_sizes_are_rejected() {
    let hashes = |hashes, max| Err(SpecError::HashesOutOfRange { hashes, max });
    let none = Err(SpecError::ZeroSizeBits);
    let large = |size_bits| Err(SpecError::TooLarge { size_bits });

    let mitz64 = |longs, k| guava::Mitz64::new(longs, k).map(|_| ());
    let mitz32 = |longs, k| guava::Mitz32::new(longs, k).map(|_| ());
    for mitz in [mitz64, mitz32] {
        assert_eq!(mitz(0, 1), none);
        assert_eq!(mitz(1, 0), hashes(0, 255));
        assert_eq!(mitz(1, 256), hashes(256, 255));
        assert_eq!(mitz(1 << 31, 1), large(137_438_953_472.0));
        assert_eq!(mitz((1 << 31) - 1, 255), Ok(()));
    }
    let blocks = |blocks| parquet::Scheme::new(blocks).map(|_| ());
    assert_eq!(blocks(0), none);
    assert_eq!(blocks(1 << 26), large(17_179_869_184.0));
    assert_eq!(blocks((1 << 26) - 1), Ok(()));

    let link = |m, k| redisbloom::Scheme::new(m, k).map(|_| ());
    let rbloom = |m, k| rbloom::Scheme::new(m, k).map(|_| ());
    for scheme in [link, rbloom] {
        assert_eq!(scheme(0, 1), none);
        assert_eq!(scheme(1, 0), hashes(0, u32::MAX));
        assert_eq!(scheme(u64::MAX, u32::MAX), Ok(()));
    }
    assert_eq!(go_zero::Scheme::new(0).map(|_| ()), none);
}
