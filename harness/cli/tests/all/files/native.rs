//! Native filters: every variant is written and read again.

use std::fs;

use bouquet_standard::StandardBloom;
use bouquet_testkit::forge;

use crate::support::{Folder, lines, root, stderr};

/// The filter variants that `build` can make.
pub const KINDS: [&str; 9] = [
    "standard",
    "counting",
    "partitioned",
    "blocked",
    "blocked-words32",
    "blocked-line",
    "scalable",
    "sharded",
    "cuckoo",
];

/// A folder with keys and with non-members.
fn with_keys() -> Folder {
    let folder = Folder::new();
    folder.file("keys", lines(0..3_000));
    folder.file("non-members", lines(1_000_000..1_003_000));
    folder
}

#[test]
fn every_variant_holds_its_keys_and_tells_what_it_is() {
    let folder = with_keys();
    for kind in KINDS {
        for hasher in ["xxh3", "xxh3-wide"] {
            folder.good(&format!(
                "build --filter {kind} --hasher {hasher} --seed 7 --fpr 0.01 -o f keys"
            ));
            assert_eq!(folder.count("f keys"), 3_000, "{kind}");
            assert_eq!(folder.count("--absent f keys"), 0, "{kind}");
            let wrong = folder.count("f non-members");
            assert!(wrong < 60, "{kind}: {wrong}");
            let facts = folder.facts("f");
            assert_eq!(facts["format"], "native");
            assert_eq!(facts["filter"], kind);
            assert_eq!(facts["seed"], 7);
            assert_eq!(facts["capacity"], 3_000, "{kind}");
            let keys = facts["estimated_keys"].as_f64().unwrap();
            assert!((keys - 3_000.0).abs() < 90.0, "{kind}: {keys}");
            let fpr = facts["estimated_fpr"].as_f64().unwrap();
            assert!(fpr > 0.0 && fpr < 0.013, "{kind}: {fpr}");
            assert_eq!(facts["verdict"], "good");
        }
    }
}

#[test]
fn a_file_is_what_the_library_writes() {
    let folder = with_keys();
    folder.good("build --fpr 0.001 -o f keys");
    let mut filter = StandardBloom::new(3_000, 0.001).unwrap();
    for line in lines(0..3_000).lines() {
        filter.insert(line);
    }
    assert_eq!(folder.bytes("f"), filter.encode());
}

#[test]
fn sizes_can_be_given_instead_of_keys() {
    let folder = with_keys();
    for (kind, bits, hashes) in [
        ("standard", 30_001, "--hashes 6"),
        ("counting", 40_000, "--hashes 3"),
        ("partitioned", 30_000, "--hashes 5"),
        ("blocked", 512 * 60, ""),
        ("blocked-words32", 256 * 120, "--hashes 8"),
        ("blocked-line", 512 * 60, "--hashes 5"),
    ] {
        folder.good(&format!(
            "build --filter {kind} --bits {bits} {hashes} -o f keys"
        ));
        assert_eq!(folder.facts("f")["size_bits"], bits, "{kind}");
        assert_eq!(folder.count("f keys"), 3_000);
    }
    let build = |more: &str| format!("build -o g keys {more}");
    for (flags, words) in [
        ("--bits 1000", "--hashes"),
        ("--bits 1000 --capacity 10", "--capacity"),
        ("--hashes 3", "--bits"),
        ("--bits 1000 --filter blocked", "512 or 1024"),
        ("--bits 1024 --hashes 7 --filter blocked", "8"),
        ("--bits 1024 --hashes 7 --filter cuckoo", "--capacity"),
        ("--capacity 0", "give the number of keys"),
        ("--capacity 1e15 --fpr 1e-9", "bits"),
    ] {
        folder.rejects(&build(flags), &[words]);
    }
    assert!(!folder.names().contains(&"g".to_owned()));
}

#[test]
fn every_golden_file_is_opened() {
    let folder = Folder::new();
    folder.file("secret", bouquet_testkit::golden::GOLDEN_SECRET);
    let mut seen = 0;
    for krate in fs::read_dir(root().join("crates")).unwrap() {
        let krate = krate.unwrap().path();
        let Ok(files) = fs::read_dir(krate.join("tests/data")) else {
            continue;
        };
        for file in files {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|end| end != "bouquet") {
                continue;
            }
            let is_keyed = path.ends_with("sip_keyed.bouquet");
            let secret = if is_keyed {
                "--hash-key-file secret"
            } else {
                ""
            };
            let path = path.display();
            let facts = folder.facts(&format!("{secret} {path}"));
            assert_eq!(facts["format"], "native");
            assert!(facts["size_bits"].as_u64().unwrap() > 0, "{path}: {facts}");
            assert_eq!(facts["verdict"], "good");
            seen += 1;
        }
    }
    assert!(seen >= 20, "{seen}");
    let inner = root().join("crates/sharded/tests/data/blocked.bouquet");
    let facts = folder.facts(&inner.display().to_string());
    assert_eq!(facts["filter"], "sharded of blocked");
}

/// The golden file of a filter with a secret key and 100 keys.
fn keyed() -> Vec<u8> {
    fs::read(root().join("crates/standard/tests/data/sip_keyed.bouquet")).unwrap()
}

/// The forged files have correct checksums, so that only their contents can be rejected.
#[test]
fn a_file_without_its_hasher_or_key_is_rejected() {
    let folder = Folder::new();
    folder.file("secret", bouquet_testkit::golden::GOLDEN_SECRET);
    folder.file("f", keyed());
    for command in ["inspect f", "check f f", "union -o all f f"] {
        folder.rejects(command, &["f: ", "SipHash", "--hash-key-file"]);
    }
    let forged = |changes: &[(usize, u8)]| {
        let mut bytes = keyed();
        for (at, value) in changes {
            bytes[*at] = *value;
        }
        forge::seal(&mut bytes);
        folder.file("f", bytes);
    };
    for (changes, words) in [
        (&[(48, 0)][..], "f: at byte "),
        (&[(10, 11)], "variant 11"),
        // The file's hasher needs a secret key, but its flags say that it has none.
        (&[(14, 0)], "secret key"),
        (&[(12, 5)], "hasher 5"),
        // A hasher defined by a user.
        (&[(12, 1), (13, 0x80), (14, 0)], "hasher 32769"),
    ] {
        forged(changes);
        folder.rejects("inspect --hash-key-file secret f", &[words]);
    }
}

#[test]
fn a_union_is_the_filter_of_all_keys() {
    let folder = Folder::new();
    folder.file("a", lines(0..2_000));
    folder.file("b", lines(1_000..3_000));
    folder.file("both", lines(0..3_000));
    let build = |more: &str, from: &str, to: &str| {
        folder.good(&format!("build --capacity 3000 {more} -o {to} {from}"));
    };
    for kind in KINDS {
        let filter = format!("--filter {kind}");
        build(&filter, "a", "fa");
        build(&filter, "b", "fb");
        if ["scalable", "cuckoo"].contains(&kind) {
            folder.rejects("union -o all fa fb", &["cannot be united", "fb"]);
            continue;
        }
        folder.good("union -o all fa fb");
        assert_eq!(folder.count("all both"), 3_000);
        if kind != "counting" {
            build(&filter, "both", "want");
            assert_eq!(folder.bytes("all"), folder.bytes("want"), "{kind}");
        }
    }
    build("", "a", "fa");
    let _ = fs::remove_file(folder.at("all"));
    for (more, words) in [
        ("--seed 1", "seed"),
        ("--fpr 0.02", "differ in"),
        ("--filter partitioned", "same --filter"),
        ("--hasher xxh3-wide", "same --hasher"),
        ("--to go", "same --to"),
    ] {
        build(more, "b", "fb");
        folder.rejects("union -o all fa fb", &["fa and fb", words]);
    }
    assert!(!folder.names().contains(&"all".to_owned()));
}

#[test]
fn inspect_gives_verdicts_and_keys_left() {
    let folder = with_keys();
    folder.good("build --capacity 6000 --fpr 0.01 -o f keys");
    let left = folder.facts("f")["keys_left"].as_u64().unwrap();
    assert!((2_800..3_200).contains(&left), "{left}");
    assert_eq!(folder.facts("--fpr 1e-5 f")["keys_left"], 0);
    for (bound, code) in [
        ("--fail-above-fpr 0.01", 0),
        ("--fail-above-fpr 0.0001", 1),
        ("--fail-above-fill 0.5", 0),
        ("--fail-above-fill 0.1", 1),
    ] {
        let output = folder.run(&format!("inspect {bound} f"));
        assert_eq!(output.status.code(), Some(code), "{bound}");
        assert_eq!(stderr(&output).contains("is above"), code == 1);
        // In spite of the exit code, the results are printed.
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("keys_left"), "{text}");
        assert!(!text.contains('\u{1b}'));
    }
    let csv = folder.good("inspect --format csv f f");
    assert_eq!(csv.lines().count(), 3);
    assert!(folder.good("inspect --format md f").contains("| ---"));
    // A file that cannot be read does not prevent the output of the others.
    let output = folder.run("inspect --format csv nowhere f");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("nowhere"));
    assert_eq!(
        output.stdout.iter().filter(|byte| **byte == b'\n').count(),
        2
    );
}
