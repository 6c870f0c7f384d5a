//! Filters with a secret key: built, opened with the key, and rejected without it.

use std::fs;

use bouquet_standard::{SipKeyed, Spec, StandardBloom};

use crate::files::native::KINDS;
use crate::support::{Folder, lines, root, stderr};

const HEX: &str = "000102030405060708090a0b0c0d0e0f";
const SECRET: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// A folder with keys, a secret key in both notations, and a different secret key.
fn with_keys() -> Folder {
    let folder = Folder::new();
    folder.file("keys", lines(0..2_000));
    folder.file("others", lines(1_000_000..1_002_000));
    folder.file("secret", format!("{HEX}\n"));
    folder.file("raw", SECRET);
    folder.file("wrong", HEX.replace('f', "e"));
    folder
}

const BUILD: &str = "build --hasher sip-keyed --hash-key-file secret --fpr 0.01";

#[test]
fn every_variant_is_built_and_opened_with_its_key() {
    let folder = with_keys();
    for kind in KINDS {
        folder.good(&format!("{BUILD} --filter {kind} -o f keys"));
        for secret in ["secret", "raw"] {
            let with = format!("--hash-key-file {secret} f");
            assert_eq!(folder.count(&format!("{with} keys")), 2_000, "{kind}");
            let wrong = folder.count(&format!("{with} others"));
            assert!(wrong < 50, "{kind}: {wrong}");
            let facts = folder.facts(&with);
            assert_eq!(facts["filter"], kind);
            assert!(facts["seed"].is_null(), "{facts}");
            assert_eq!(facts["verdict"], "good");
        }
        // Without the key, everything except lookups works.
        folder.rejects("check f keys", &["f: ", "SipHash", "--hash-key-file FILE"]);
        folder.rejects(
            "check --hash-key-file wrong f keys",
            &["f: ", "is not the one", "--hash-key-file"],
        );
        let wrong = "inspect --hash-key-file wrong f";
        folder.rejects(wrong, &["f: ", "is not the one"]);
    }
}

/// If the secret key were overwritten, the filter could never be used again.
#[test]
fn the_secret_key_is_not_overwritten() {
    let folder = with_keys();
    folder.good(&format!("{BUILD} -o f keys"));
    let words = ["secret is a file of keys", "would be overwritten"];
    folder.rejects(&format!("{BUILD} -o secret keys"), &words);
    folder.rejects("union --hash-key-file secret -o ./secret f f", &words);
    folder.good("check --hash-key-file secret f keys");
}

#[test]
fn a_file_is_what_the_library_writes_and_the_key_is_not_in_it() {
    let folder = with_keys();
    folder.good(&format!("{BUILD} -o f keys"));
    let spec = Spec::new(2_000, 0.01).unwrap();
    let mut filter = StandardBloom::with_hasher(spec, SipKeyed::with_key(SECRET)).unwrap();
    for line in lines(0..2_000).lines() {
        filter.insert(line);
    }
    let bytes = folder.bytes("f");
    assert_eq!(bytes, filter.encode());
    assert!(!bytes.windows(16).any(|part| part == SECRET));
    // A file that the library wrote with a different secret key.
    let golden = root().join("crates/standard/tests/data/sip_keyed.bouquet");
    folder.file("golden", bouquet_testkit::golden::GOLDEN_SECRET);
    folder.file("f", fs::read(golden).unwrap());
    let said = folder.good("inspect --hash-key-file golden f");
    assert!(!said.contains("not in the file"), "{said}");
}

#[test]
fn a_union_takes_the_key_and_keeps_it() {
    let folder = with_keys();
    let build = |more: &str| {
        folder.good(&format!("{BUILD} --bits 65536 --hashes 3 {more}").replace("--fpr 0.01 ", ""))
    };
    build("-o a keys");
    build("-o b others");
    folder.good("union --hash-key-file secret -o both a b");
    for keys in ["keys", "others"] {
        let count = folder.count(&format!("--hash-key-file raw both {keys}"));
        assert_eq!(count, 2_000);
    }
    folder.good("build --hasher sip-keyed --hash-key-file wrong --bits 65536 --hashes 3 -o c keys");
    folder.rejects(
        "union --hash-key-file secret -o all a c",
        &["c: ", "is not the one"],
    );
    folder.rejects("union -o all a b", &["a: ", "--hash-key-file FILE"]);
    assert!(!folder.names().contains(&"all".to_owned()));
}

#[test]
fn a_key_that_is_none_or_has_no_place_is_rejected() {
    let folder = with_keys();
    folder.file("short", &HEX[2..]);
    folder.file("long", [7; 17]);
    folder.file("empty", "");
    for name in ["short", "long", "empty"] {
        let build = format!("build --hasher sip-keyed --hash-key-file {name} -o f keys");
        folder.rejects(&build, &[name, "is no key", "32 hex digits"]);
        // The message must not reveal the secret key.
        assert!(!stderr(&folder.run(&build)).contains("0102"));
    }
    let build = |more: &str| format!("build {more} -o f keys");
    for (more, words) in [
        ("--hasher sip-keyed", ["--hash-key-file", "openssl"]),
        (
            "--hasher sip-keyed --hash-key-file nowhere",
            ["nowhere", ""],
        ),
        (
            "--hasher sip-keyed --hash-key-file secret --seed 7",
            ["--seed", "--hash-key-file"],
        ),
        (
            "--hash-key-file secret",
            ["no secret key", "--hasher sip-keyed"],
        ),
        (
            "--to go --hash-key-file secret",
            ["--hash-key-file", "go has one hash"],
        ),
    ] {
        folder.rejects(&build(more), &words);
    }
    assert!(!folder.names().contains(&"f".to_owned()));
    folder.good("build -o f keys");
    folder.good("build --to go -o g keys");
    for (file, words) in [("f", "no secret key"), ("g", "no hash with a secret key")] {
        let check = format!("check --hash-key-file secret {file} keys");
        folder.rejects(&check, &[&format!("{file}: "), words, "--hash-key-file"]);
    }
}

#[test]
fn dedup_takes_every_hash_and_a_key_by_chance() {
    let folder = with_keys();
    let twice = lines((0..20_000).chain(0..20_000));
    let want = lines(0..20_000);
    for flags in [
        "--hasher folded",
        "--hasher xxh3",
        "--hasher xxh3-wide",
        "--hasher sip-keyed",
    ] {
        let output = folder.feed(&format!("dedup --fpr 1e-9 {flags}"), &twice);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{flags}: {}",
            stderr(&output)
        );
        assert!(output.stdout == want.as_bytes(), "{flags}");
    }
    folder.rejects("dedup --hasher nothing", &["sip-keyed"]);
}
