//! Filters written by other systems are recognised, give the same answers, and are written again
//! byte for byte.

use serde_json::Value;

use crate::{
    files::vectors::{KeySets, bin, bytes, integer, records, text, unhex},
    support::{Folder, lines, stderr},
};

/// Builds a filter from the keys of `record`, a test vector, with `flags`. Asserts that it has the
/// vector's bytes and gives the vector's answers, including false positives. `read` has the flags
/// for reading the file.
fn same(
    folder: &Folder,
    keys: &KeySets,
    record: &Value,
    want: &[u8],
    (format, flags): (&str, &str),
    read: &str,
) {
    let name = text(&record["bin"]);
    let added = keys.added(record);
    folder.file("keys", in_lines(&added));
    folder.good(&format!(
        "build --hex --quiet --to {format} {flags} -o f keys"
    ));
    assert!(folder.bytes("f") == want, "{format} {name}");
    let facts = folder.facts(&format!("{read} f"));
    assert_eq!(facts["format"], format, "{name}");
    if !added.is_empty() {
        assert_eq!(
            folder.count(&format!("--hex {read} f keys")),
            added.len() as u64
        );
    }
    answers(folder, keys, record, read);
}

fn in_lines(keys: &[String]) -> String {
    keys.iter().map(|key| format!("{key}\n")).collect()
}

fn answers(folder: &Folder, keys: &KeySets, record: &Value, read: &str) {
    let probes = keys.hex(&record["probe"]);
    let from = integer(&record["probe"]["from"]);
    let positives = record["probe"]["positives"].as_array().unwrap();
    let want: Vec<&str> = positives
        .iter()
        .map(|i| probes[(integer(i) - from) as usize].as_str())
        .collect();
    folder.file("probes", in_lines(&probes));
    let output = folder.run(&format!("check --hex {read} f probes"));
    let code = i32::from(want.is_empty());
    assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
    let found = String::from_utf8(output.stdout).unwrap();
    assert_eq!(found.lines().collect::<Vec<_>>(), want, "{}", record["bin"]);
}

#[test]
fn bits_and_blooms() {
    let (folder, keys) = (Folder::new(), KeySets::load());
    let mut built = 0;
    for record in records("bits-and-blooms/filters.jsonl") {
        let want = bin("bits-and-blooms", &record);
        let size = match text(&record["ctor"]["fn"]) {
            "NewWithEstimates" => format!(
                "--capacity {} --fpr {}",
                record["ctor"]["n"], record["ctor"]["p"]
            ),
            "New" if record["ctor"]["m"] != 0 => {
                format!(
                    "--bits {} --hashes {}",
                    text(&record["m"]),
                    text(&record["k"])
                )
            }
            _ => {
                folder.file("f", &want);
                assert_eq!(folder.facts("f")["format"], "go");
                continue;
            }
        };
        same(&folder, &keys, &record, &want, ("go", &size), "");
        built += 1;
        // For large filters, the test vector contains no JSON.
        let Some(json) = record["json"].as_str().map(str::as_bytes) else {
            continue;
        };
        same(&folder, &keys, &record, json, ("go-json", &size), "");
        folder.file("f", &want);
        folder.good("union --to go-json -o j f");
        assert_eq!(folder.bytes("j"), json);
        folder.good("union --to go -o g j");
        assert_eq!(folder.bytes("g"), want);
    }
    assert!(built > 20, "{built}");
}

#[test]
fn guava() {
    let (folder, keys) = (Folder::new(), KeySets::load());
    let mut built = 0;
    for record in records("guava/filters.jsonl") {
        let by_bytes = ["byteArray", "stringUtf8", "long"].contains(&text(&record["funnel"]));
        if !by_bytes || text(&record["ctor"]["fn"]) != "create" {
            continue;
        }
        let format = match text(&record["strategy"]) {
            "MURMUR128_MITZ_32" => "guava32",
            _ => "guava",
        };
        let size = format!("--bits {} --hashes {}", record["bit_size"], record["k"]);
        let want = bin("guava", &record);
        same(&folder, &keys, &record, &want, (format, &size), "");
        built += 1;
    }
    assert!(built > 12, "{built}");
    // From capacity and FPR, `build` must compute the size that Guava's `create` computes.
    let record = &records("guava/filters.jsonl")[3];
    let size = ("guava", "--capacity 100 --fpr 0.01");
    same(&folder, &keys, record, &bin("guava", record), size, "");
}

#[test]
fn parquet() {
    let (folder, keys) = (Folder::new(), KeySets::load());
    let mut built = 0;
    for record in records("parquet/filters.jsonl") {
        let kind = record["type"].as_str().unwrap_or("BYTE_ARRAY");
        let folded = text(&record["bin"]).contains("folded");
        if folded || !["BYTE_ARRAY", "INT64"].contains(&kind) {
            continue;
        }
        let size = format!("--bits {}", 256 * integer(&record["blocks"]));
        let want = bin("parquet", &record);
        same(&folder, &keys, &record, &want, ("parquet", &size), "");
        built += 1;
    }
    assert!(built > 12, "{built}");
    folder.file("keys", lines(0..9));
    folder.good("build --to parquet --capacity 1000 --fpr 0.01 -o f keys");
    assert_eq!(folder.facts("f")["parts"], "64 blocks");
}

#[test]
fn redisbloom() {
    let (folder, keys) = (Folder::new(), KeySets::load());
    let mut built = 0;
    for record in records("redisbloom/chains.jsonl") {
        let header = unhex(text(&record["header"]));
        let want = [header, bin("redisbloom", &record)].concat();
        folder.file("f", &want);
        assert_eq!(folder.facts("f")["format"], "redisbloom");
        answers(&folder, &keys, &record, "");
        let reserve: Vec<&str> = match record["reserve"].as_array() {
            Some(words) => words.iter().map(text).collect(),
            None => vec!["0.01", "100"],
        };
        let filter = match reserve[2..] {
            [] => "",
            ["NONSCALING"] => "--filter standard",
            _ => continue,
        };
        let flags = format!("--fpr {} --capacity {} {filter}", reserve[0], reserve[1]);
        if record["refused_at"]
            .as_array()
            .is_some_and(|at| !at.is_empty())
        {
            folder.file("keys", in_lines(&keys.added(&record)));
            let build = format!("build --hex --to redisbloom {flags} -o g keys");
            folder.rejects(&build, &["full", "does not grow"]);
            continue;
        }
        same(&folder, &keys, &record, &want, ("redisbloom", &flags), "");
        built += 1;
    }
    assert!(built >= 7, "{built}");
}

#[test]
fn bitmaps_of_redis_are_read_with_the_sizes_that_they_lack() {
    let (folder, keys) = (Folder::new(), KeySets::load());
    for record in records("go-zero/filters.jsonl") {
        let flags = format!("--bits {}", record["bits"]);
        let read = format!("--as go-zero {flags}");
        let want = bin("go-zero", &record);
        same(&folder, &keys, &record, &want, ("go-zero", &flags), &read);
    }
    for record in records("redisson/filters.jsonl") {
        let (capacity, fpr) = (&record["expectedInsertions"], &record["falseProbability"]);
        let flags = format!("--capacity {capacity} --fpr {fpr}");
        let (bits, hashes) = (&record["size"], &record["hashIterations"]);
        let read = format!("--as redisson --bits {bits} --hashes {hashes}");
        let want = bin("redisson", &record);
        same(&folder, &keys, &record, &want, ("redisson", &flags), &read);
    }
    folder.file("f", bytes("go-zero/b2000.bin"));
    folder.rejects(
        "inspect f",
        &["f: not a filter file", "--as go-zero --bits M"],
    );
    folder.rejects("inspect --bits 2000 f", &["--as <FORMAT>"]);
    folder.rejects("inspect --as go-zero f", &["--bits"]);
    folder.rejects("inspect --as redisson --bits 2000 f", &["--hashes"]);
    folder.rejects("inspect --as go-zero --bits 1000 f", &["byte 125"]);
}

#[test]
fn unions_are_those_of_the_systems() {
    let folder = Folder::new();
    for system in ["bits-and-blooms", "guava"] {
        for part in ["merge-a", "merge-b"] {
            folder.file(part, bytes(&format!("{system}/{part}.bin")));
        }
        folder.good("union -o all merge-a merge-b");
        assert_eq!(
            folder.bytes("all"),
            bytes(&format!("{system}/merge-ab.bin"))
        );
    }
    let bitmap = "--to go-zero --bits 4000 --quiet";
    for (name, keys) in [("a", 0..50), ("b", 50..100), ("both", 0..100)] {
        folder.file("keys", lines(keys));
        folder.good(&format!("build {bitmap} -o {name} keys"));
    }
    folder.good("union --as go-zero --bits 4000 -o all a b");
    assert_eq!(folder.bytes("all"), folder.bytes("both"));
    folder.file("keys", lines(0..50));
    folder.good("build --to redisbloom -o a keys");
    folder.rejects("union -o all a a", &["cannot be united"]);
}

#[test]
fn no_filter_is_turned_into_another_hashing() {
    let folder = Folder::new();
    folder.file("keys", lines(0..50));
    folder.good("build -o ours keys");
    folder.good("build --to go -o theirs keys");
    for (file, format) in [("ours", "go"), ("theirs", "native"), ("theirs", "guava")] {
        folder.rejects(
            &format!("union --to {format} -o out {file}"),
            &["hashes keys otherwise", "from its keys", "--to"],
        );
    }
    folder.rejects("inspect --as guava theirs", &["as guava"]);
    folder.rejects("inspect --as guava32 ours", &["as guava32"]);
    assert_eq!(folder.names(), ["keys", "ours", "theirs"]);
}

#[test]
fn a_filter_is_no_list_of_keys() {
    let folder = Folder::new();
    folder.file("keys", lines(0..50));
    folder.good("build -o f keys");
    let words = "f is a filter (native)";
    for command in [
        "build -o g f",
        "build --capacity 9 -o g keys f",
        "check f f",
    ] {
        folder.rejects(command, &[words]);
    }
    let piped = folder.feed("build --capacity 100 -o g", folder.bytes("f"));
    assert!(stderr(&piped).contains("standard input is a filter"));
}

/// Flags for the size are accepted only with --as and a format whose files do not contain it.
#[test]
fn sizes_that_a_file_has_are_not_given() {
    let folder = Folder::new();
    folder.file("keys", lines(0..50));
    for format in ["native", "go", "parquet"] {
        folder.good(&format!("build --to {format} -o f keys"));
        for command in ["check --bits 4000 f keys", "union --hashes 3 -o g f"] {
            folder.rejects(command, &["--as <FORMAT>"]);
        }
    }
    folder.good("build --to go-zero --bits 4000 -o f keys");
    let read = "check --count --as go-zero --bits 4000";
    folder.good(&format!("{read} f keys"));
    folder.good(&format!("{read} --hashes 14 f keys"));
    folder.rejects(&format!("{read} --hashes 3 f keys"), &["14, always"]);
}

#[test]
fn what_a_format_cannot_hold_is_rejected_with_the_reason() {
    let folder = Folder::new();
    folder.file("keys", lines(0..50));
    for (flags, words) in [
        ("--to go --filter cuckoo", "go cannot hold it"),
        ("--to parquet --filter standard", "--to native"),
        ("--to redisbloom --filter blocked", "cannot hold it"),
        (
            "--to redisbloom --bits 9 --hashes 3",
            "follow from --capacity",
        ),
        ("--to go-zero --bits 1000 --hashes 3", "has 14"),
        ("--to guava --bits 1000 --hashes 3", "960 or 1024"),
        ("--to guava --bits 1024 --hashes 300", "300 hashes: "),
        ("--to parquet --bits 1000", "768 or 1024"),
        ("--to parquet --bits 100", "take 256"),
        ("--to go --bits 1000", "--hashes"),
        ("--to go --seed 3", "one hash"),
        ("--to go-zero --capacity 1e10", "200000000000 bits"),
        ("--to guava --capacity 1e10 --fpr 1e-3", "1.438e11 bits"),
        ("--to parquet --bits 2^48", "than the format parquet"),
        ("--to redisson --capacity 1e10", "lower the capacity"),
        ("--bits 2^49 --hashes 3", "fewer --bits"),
        ("--to go --bits 2^49 --hashes 3", "fewer --bits"),
    ] {
        folder.rejects(&format!("build {flags} -o f keys"), &[words]);
    }
    assert_eq!(folder.names(), ["keys"]);
}

/// These bytes are valid as a file of Guava and as a file of RedisBloom. Real files are not, since
/// such a RedisBloom filter has about 2^41 keys.
#[test]
fn bytes_that_fit_two_formats_are_left_to_the_user() {
    let folder = Folder::new();
    let link_bytes = 5u64;
    let longs = (20 + 53 + link_bytes - 6) / 8;
    let mut keys = [0, 3, 0, 0, 0, longs as u8, 0, 0];
    keys[0] = 1;
    let (fpr, keys) = (0.01f64, u64::from_le_bytes(keys));
    let per_key = fpr.ln().abs() / 0.480_453_013_918_201;
    let mut bytes = keys.to_le_bytes().to_vec();
    for field in [1u32, 5, 2] {
        bytes.extend(field.to_le_bytes());
    }
    for field in [link_bytes, 8 * link_bytes, keys] {
        bytes.extend(field.to_le_bytes());
    }
    bytes.extend(fpr.to_le_bytes());
    bytes.extend(per_key.to_le_bytes());
    bytes.extend(7u32.to_le_bytes());
    bytes.extend(100u64.to_le_bytes());
    bytes.extend([0; 6]);
    folder.file("f", &bytes);
    folder.rejects("inspect f", &["ambiguous", "guava and redisbloom", "--as"]);
    assert_eq!(folder.facts("--as guava f")["hashes"], 3);
    assert_eq!(folder.facts("--as redisbloom f")["hashes"], 7);
}

/// In a format without checksum, a filter that was overwritten with zeros is still readable.
/// `inspect` warns that it is empty, and with --keys reports that keys are absent.
#[test]
fn a_filter_that_was_zeroed_out_is_shown_by_keys() {
    let folder = Folder::new();
    folder.file("keys", lines(0..50));
    for (format, header) in [("go", 24), ("guava", 6), ("native", 96)] {
        folder.good(&format!("build --to {format} -o f keys"));
        let mut bytes = folder.bytes("f");
        let has_checksum = format == "native";
        let unchecked = "readable; no checksum: pass --keys to check";
        assert_eq!(folder.facts("f")["verdict"] == unchecked, !has_checksum);
        assert_eq!(folder.facts("--keys keys f")["verdict"], "has 50 keys");
        bytes[header..].fill(0);
        folder.file("f", bytes);
        let read = folder.run("inspect f");
        if has_checksum {
            assert_eq!(read.status.code(), Some(2));
            continue;
        }
        assert_eq!(read.status.code(), Some(0));
        assert!(stderr(&read).contains("warning: f: all slots are empty"));
        let asked = folder.run("inspect --keys keys f");
        assert_eq!(asked.status.code(), Some(1));
        let said = stderr(&asked);
        assert!(said.contains("f: lacks line 1: key 0"), "{said}");
    }
    folder.file("none", "");
    folder.good("build -o f keys");
    folder.rejects("inspect --keys none f", &["none: there are no keys in it"]);
    // The keys on standard input can be read for the first filter only.
    let piped = folder.feed("inspect --keys - f f", "key 0\n");
    assert!(stderr(&piped).contains("standard input can be read once"));
    // The file does not contain its size. With another size, `check` would find no key.
    let built = folder.run("build --to go-zero --capacity 50 -o f keys");
    let sizes = "--as go-zero --bits 1000 --hashes 14";
    assert!(stderr(&built).contains(sizes), "{}", stderr(&built));
    folder.good(&format!("inspect {sizes} --keys keys f"));
}
