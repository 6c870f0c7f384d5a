//! Reads single filters and whole chains that RedisBloom wrote, and expects the same bytes and the
//! same answers.
use crate::common::{
    KeySets, answers, float, hostile, integer, list, path, records, span, text, unhex,
};
use bouquet_interop::{
    Locate, RedisBloom, SpecError, Term,
    redisbloom::{Full, MAX_EXPANSION, RedisBloomHash, Rounding, Sizing},
};
use serde_json::Value;

fn bin(record: &Value) -> Vec<u8> {
    std::fs::read(path(&format!("redisbloom/{}", text(&record["bin"])))).unwrap()
}

/// Filters of `bloom.c`, which are not in a chain: their bits are compared by means of the scheme.
#[test]
fn every_link() {
    let keys = KeySets::load();
    let records = records("redisbloom/filters.jsonl");
    assert_eq!(records.len(), 11);
    for record in &records {
        let rounding = match integer(&record["n2"]) {
            0 => Rounding::Words,
            _ => Rounding::PowerOfTwo,
        };
        let capacity = match integer(&record["options"]) {
            6 => 100,
            _ => integer(&record["entries_asked"]),
        };
        let sizing = Sizing::new(capacity, float(&record["error_bits"]), rounding).unwrap();
        let scheme = sizing.scheme().unwrap();
        let hash = |key: &[u8]| match integer(&record["hash"]) {
            32 => RedisBloomHash::narrow(key),
            _ => RedisBloomHash::wide(key),
        };
        let mut bytes = vec![0u8; (sizing.size_bits / 8) as usize];
        let mut present = Vec::new();
        let added = record["added"].as_array().unwrap().iter().flat_map(span);
        for (ordinal, (set, i)) in (0u64..).zip(added) {
            let before = bytes.clone();
            scheme.locate(&hash(&keys.bytes(set, i)), &mut |slot| {
                bytes[(slot / 8) as usize] |= 1 << (slot % 8);
            });
            if bytes == before {
                present.push(ordinal);
            }
        }
        assert_eq!(bytes, bin(record), "{}", record["id"]);
        assert_eq!(present, list(&record["already_there_at"], integer));
        let positives: Vec<u64> = span(&record["probe"])
            .filter(|(set, i)| {
                let hash = hash(&keys.bytes(set, *i));
                let mut slots = scheme.locations(hash);
                slots.all(|slot| bytes[(slot / 8) as usize] >> (slot % 8) & 1 != 0)
            })
            .map(|(_, i)| i)
            .collect();
        assert_eq!(positives, list(&record["probe"]["positives"], integer));
    }
}

/// The chunks of a chain as the server dumped it: iterators and data.
fn dump(record: &Value) -> Vec<(i64, Vec<u8>)> {
    let bits = bin(record);
    let mut at = 0;
    let mut chunks = vec![(1, unhex(text(&record["header"])))];
    for chunk in record["chunks"].as_array().unwrap() {
        let len = integer(&chunk[1]) as usize;
        chunks.push((chunk[0].as_i64().unwrap(), bits[at..at + len].to_vec()));
        at += len;
    }
    assert_eq!(at, bits.len());
    chunks
}

fn load(chunks: &[(i64, Vec<u8>)]) -> Result<RedisBloom, bouquet_interop::ForeignDecodeError> {
    let chunks: Vec<(i64, &[u8])> = chunks.iter().map(|(i, data)| (*i, &data[..])).collect();
    RedisBloom::from_chunks(&chunks)
}

fn reserved(record: &Value) -> RedisBloom {
    let Some(arguments) = record["reserve"].as_array() else {
        return RedisBloom::reserve(0.01, 100, Some(2)).unwrap();
    };
    let expansion = match arguments.get(2).map(text) {
        None => Some(2),
        Some("NONSCALING") => None,
        Some(_) => Some(integer(&arguments[3]) as u32),
    };
    let error = text(&arguments[0]).parse().unwrap();
    RedisBloom::reserve(error, integer(&arguments[1]), expansion).unwrap()
}

#[test]
fn every_chain() {
    let keys = KeySets::load();
    let records = records("redisbloom/chains.jsonl");
    assert_eq!(records.len(), 12);
    for record in &records {
        let id = text(&record["id"]);
        let chunks = dump(record);
        let filter = load(&chunks).unwrap();
        assert!(filter.chunks().eq(chunks.iter().cloned()), "{id}");
        let joined: Vec<u8> = chunks.iter().flat_map(|(_, data)| data.clone()).collect();
        assert_eq!(filter.to_bytes(), joined, "{id}");
        assert_eq!(
            RedisBloom::from_bytes(&joined).as_ref(),
            Ok(&filter),
            "{id}"
        );

        let info = &record["info"];
        assert_eq!(filter.capacity(), integer(&info["Capacity"]), "{id}");
        assert_eq!(
            filter.keys(),
            integer(&info["Number of items inserted"]),
            "{id}"
        );
        assert_eq!(
            filter.links().len() as u64,
            integer(&info["Number of filters"]),
            "{id}"
        );
        let expansion = filter.expansion().map(u64::from);
        assert_eq!(expansion, info["Expansion rate"].as_u64(), "{id}");

        if record["refused_at"].as_array().unwrap().is_empty() {
            answers(&keys, record, &filter);
        }
        for asked in record["scandump_at"].as_array().unwrap() {
            let (next, data) = filter.scan_dump(asked[0].as_i64().unwrap());
            assert_eq!(next, asked[1].as_i64().unwrap(), "{id} {asked}");
            assert_eq!(data.len() as u64, integer(&asked[2]), "{id} {asked}");
            let header = chunks[0].1.len();
            let from = header + asked[0].as_u64().map_or(0, |iter| iter as usize - 1);
            assert!(
                data.is_empty() || joined[from..].starts_with(&data),
                "{id} {asked}"
            );
        }
        for iter in [i64::MIN, -1, i64::MAX] {
            assert_eq!(filter.scan_dump(iter), (0, Vec::new()));
        }
    }
}

/// Inserts the record's keys into a new filter, and expects the same answers, links and bytes.
#[test]
fn every_chain_again() {
    let keys = KeySets::load();
    for record in &records("redisbloom/chains.jsonl") {
        let mut filter = reserved(record);
        let (mut not_new, mut rejected) = (Vec::new(), Vec::new());
        let added = record["added"].as_array().unwrap().iter().flat_map(span);
        for (ordinal, (set, i)) in (0u64..).zip(added) {
            match filter.insert(&keys.bytes(set, i)) {
                Ok(true) => {}
                Ok(false) => not_new.push(ordinal),
                Err(error) => {
                    let capacity = filter.capacity();
                    assert_eq!(error, Full::NonScaling { capacity });
                    rejected.push(ordinal);
                }
            }
        }
        assert_eq!(
            not_new,
            list(&record["not_new_at"], integer),
            "{}",
            record["id"]
        );
        assert_eq!(
            rejected,
            list(&record["refused_at"], integer),
            "{}",
            record["id"]
        );
        assert!(filter.chunks().eq(dump(record)), "{}", record["id"]);
        let positives: Vec<u64> = span(&record["probe"])
            .filter(|(set, i)| filter.contains(&keys.bytes(set, *i)))
            .map(|(_, i)| i)
            .collect();
        assert_eq!(positives, list(&record["probe"]["positives"], integer));
    }
}

#[test]
fn chunks_of_at_most_16_mib() {
    let mut filter = RedisBloom::reserve(0.01, 20_000_000, None).unwrap();
    assert_eq!(filter.insert("rose"), Ok(true));
    let chunks: Vec<_> = filter.chunks().collect();
    let lens: Vec<usize> = chunks.iter().map(|(_, data)| data.len()).collect();
    assert_eq!(lens, [73, 16 << 20, 23_962_648 - (16 << 20)]);
    assert_eq!(chunks[1].0, (16 << 20) + 1);
    assert_eq!(load(&chunks).as_ref(), Ok(&filter));
    let (next, data) = filter.scan_dump(23_962_648);
    assert_eq!((next, data.len()), (23_962_649, 1));
}

/// A filter with options 0: from before 64-bit hashes, and without `NOROUND`.
#[test]
fn old_links() {
    let keys = KeySets::load();
    let mut read = 0;
    for record in records("redisbloom/filters.jsonl") {
        let options = integer(&record["options"]) as u32;
        if options & 2 != 0 {
            continue;
        }
        let added = record["added"].as_array().unwrap().iter().flat_map(span);
        let present =
            added.count() as u64 - list(&record["already_there_at"], integer).len() as u64;
        let mut bytes = Vec::new();
        bytes.extend(present.to_le_bytes());
        for number in [1, options, 2] {
            bytes.extend(number.to_le_bytes());
        }
        for name in ["bytes", "bits"] {
            bytes.extend(integer(&record[name]).to_le_bytes());
        }
        bytes.extend(present.to_le_bytes());
        bytes.extend(float(&record["error_bits"]).to_le_bytes());
        bytes.extend(float(&record["bpe_bits"]).to_le_bytes());
        bytes.extend((integer(&record["hashes"]) as u32).to_le_bytes());
        bytes.extend(integer(&record["entries"]).to_le_bytes());
        bytes.push(integer(&record["n2"]) as u8);
        bytes.extend(bin(&record));
        let filter = RedisBloom::from_bytes(&bytes).unwrap();
        assert_eq!(filter.to_bytes(), bytes, "{}", record["id"]);
        answers(&keys, &record, &filter);
        read += 1;
    }
    assert_eq!(read, 10);
}

#[test]
fn hostile_bytes() {
    let mut filter = RedisBloom::reserve(0.1, 10, Some(2)).unwrap();
    for key in 0..40u32 {
        filter.insert(&key).unwrap();
    }
    let bytes = filter.to_bytes();
    let header = 20 + 53 * filter.links().len();
    hostile(&bytes, header, |bytes| {
        RedisBloom::from_bytes(bytes).map(|f| f.to_bytes())
    });

    for (at, value, offset, field) in [
        (0, u64::MAX, 0, "keys in all links"),
        (8, 0, 8, "number of links"),
        (8, 1_025, 8, "number of links"),
        (8, 1_024, 20, "links"),
        (12, 16, 12, "options"),
        (16, 0, 16, "growth"),
        (16, 32_769, 16, "growth"),
        (16, u32::MAX.into(), 16, "growth"),
        (20, 0, 20, "bytes"),
        (20, 1 << 50, 20, "bytes"),
        (20, 1 << 44, 28, "bits"),
        (28, 1 << 44, 28, "bits"),
        (36, u64::MAX, 0, "keys in all links"),
        (44, f64::NAN.to_bits(), 44, "error"),
        (44, 0f64.to_bits(), 44, "error"),
        (44, 1f64.to_bits(), 44, "error"),
        (52, f64::INFINITY.to_bits(), 52, "bits per key"),
        (52, 1e9f64.to_bits(), 52, "bits per key"),
        (60, 1_000, 60, "hashes (k)"),
        (64, 0, 64, "capacity"),
        (72, 64, 72, "log2 of the bits"),
        (72, 7, 72, "log2 of the bits"),
    ] {
        let mut forged = bytes.clone();
        let width = match at {
            8 | 12 | 16 | 60 => 4,
            72 => 1,
            _ => 8,
        };
        forged[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
        let error = RedisBloom::from_bytes(&forged).unwrap_err();
        assert_eq!((error.offset, error.field), (offset, field), "{at} {error}");
    }
}

#[test]
fn hostile_chunks() {
    let mut filter = RedisBloom::reserve(0.1, 10, Some(2)).unwrap();
    for key in 0..40u32 {
        filter.insert(&key).unwrap();
    }
    let chunks: Vec<_> = filter.chunks().collect();
    assert!(chunks.len() > 2);
    for end in 0..chunks.len() {
        assert!(load(&chunks[..end]).is_err(), "{end}");
    }
    let mut swapped = chunks.clone();
    swapped.swap(1, 2);
    assert_eq!(load(&swapped).unwrap_err().field, "iterator of the chunk");
    for iter in [i64::MIN, -1, 0, 2, i64::MAX] {
        let mut forged = chunks.clone();
        forged[1].0 = iter;
        let error = load(&forged).unwrap_err();
        assert_eq!(error.found, Term::Number(iter.into()));
    }
    // Two chunks are joined to one that contains bytes of two links.
    let mut joined = chunks.clone();
    let (iter, data) = joined.remove(2);
    joined[1].0 = iter;
    joined[1].1.extend(data);
    assert_eq!(load(&joined).unwrap_err().field, "chunk");
    // Chunks smaller than those of a server are accepted.
    let mut smaller = chunks.clone();
    let (iter, data) = smaller.remove(1);
    let (first, second) = data.split_at(3);
    smaller.insert(1, (iter, second.to_vec()));
    smaller.insert(1, (4, first.to_vec()));
    assert_eq!(load(&smaller), Ok(filter));
}

/// A dump with one full link that was made for ten keys but claims `capacity`, and grows by
/// `expansion`.
fn greedy(capacity: u64, expansion: u32) -> Vec<u8> {
    let mut bytes = RedisBloom::reserve(0.01, 10, Some(2)).unwrap().to_bytes();
    bytes[16..20].copy_from_slice(&expansion.to_le_bytes());
    for keys_or_capacity in [0, 36, 64] {
        bytes[keys_or_capacity..][..8].copy_from_slice(&capacity.to_le_bytes());
    }
    bytes
}

#[test]
fn a_dump_is_not_a_memory_bomb() {
    for (capacity, expansion) in [
        (1_000_000, MAX_EXPANSION),
        (1_000_000_000, 2),
        (1 << 50, 1),
        (100_000_000, 1),
    ] {
        let bytes = greedy(capacity, expansion);
        let mut filter = RedisBloom::from_bytes(&bytes).unwrap();
        let before = filter.clone();
        let full = filter.insert("rose").unwrap_err();
        let max = 64 << 20;
        assert!(
            matches!(full, Full::Bytes { max: m, needed } if m == max && needed > max),
            "{full}"
        );
        assert!(full.to_string().contains("set_max_bytes"));
        assert!(filter == before && !filter.contains("rose"));
    }
}

#[test]
fn the_limit_is_the_callers_to_set() {
    // The next link needs 5.1 MB.
    let bytes = greedy(100, 32_768);
    let mut filter = RedisBloom::from_bytes(&bytes).unwrap();
    assert_eq!(filter.max_bytes(), Some(64 << 20));
    filter.set_max_bytes(Some(4 << 20));
    let full = filter.insert("rose").unwrap_err();
    assert!(
        matches!(full, Full::Bytes { max, .. } if max == 4 << 20),
        "{full}"
    );
    filter.set_max_bytes(Some(6 << 20));
    assert_eq!(filter.insert("rose"), Ok(true));
    assert!(filter.size_bits() / 8 > 4 << 20);
    // Existing links are kept even above the limit, and keys can be added to them.
    filter.set_max_bytes(Some(0));
    assert_eq!(filter.insert("tulip"), Ok(true));
    assert!(filter.contains("rose") && filter.contains("tulip"));
    // The limit is neither stored nor compared.
    let again = RedisBloom::from_bytes(&filter.to_bytes()).unwrap();
    assert!(again == filter);
    assert_eq!(again.max_bytes(), Some(64 << 20));
    filter.set_max_bytes(None);
    assert_eq!(filter.max_bytes(), None);
    // The limit of a large filter is 8 times its size in bytes.
    let large = RedisBloom::reserve(0.01, 10_000_000, Some(2)).unwrap();
    let again = RedisBloom::from_bytes(&large.to_bytes()).unwrap();
    assert_eq!(again.max_bytes(), Some(large.size_bits()));
}

#[test]
fn a_dump_that_doubles_never_reaches_the_limit() {
    let mut filter = RedisBloom::reserve(0.01, 10, Some(2)).unwrap();
    let mut key = 0u64;
    for _ in 0..14 {
        filter = RedisBloom::from_bytes(&filter.to_bytes()).unwrap();
        let links = filter.links().len();
        while filter.links().len() == links {
            filter.insert(&key).unwrap();
            key += 1;
        }
    }
}

#[test]
fn expansion_is_what_a_server_accepts() {
    let filter = RedisBloom::reserve(0.01, 10, Some(MAX_EXPANSION)).unwrap();
    let again = RedisBloom::from_bytes(&filter.to_bytes()).unwrap();
    assert_eq!(again.expansion(), Some(32_768));
    let growth = MAX_EXPANSION + 1;
    let error = RedisBloom::reserve(0.01, 10, Some(growth)).unwrap_err();
    assert_eq!(
        error,
        SpecError::GrowthOutOfRange {
            growth,
            max: 32_768
        }
    );
    assert!(error.to_string().contains("from 1 to 32768"));
}
