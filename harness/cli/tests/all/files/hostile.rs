//! Files that were cut or damaged: an error that says where, and nothing else.

use crate::files::{
    common::{Folder, lines, stderr},
    vectors::bytes,
};

/// Runs everything that reads a filter; every call ends with one of these codes.
fn read_all(folder: &Folder, codes: &[i32], what: &str) -> String {
    let mut said = String::new();
    for command in ["inspect f", "check f keys", "union -o out f"] {
        let output = folder.run(&format!("{command} -v"));
        let text = stderr(&output);
        let code = output.status.code();
        assert!(
            code.is_some_and(|code| codes.contains(&code)),
            "{command} of {what}: {code:?} {text}"
        );
        if code == Some(2) {
            assert!(text.contains("f: "), "{command} of {what}: {text}");
            said = text;
        }
    }
    said
}

/// Bytes by which a file of ours is known.
const SIGNATURE: usize = 8;

/// Every so many bytes up to the length.
fn places(len: usize) -> impl Iterator<Item = usize> {
    (0..len).step_by(len.div_ceil(9))
}

#[test]
fn a_file_of_ours_is_rejected_wherever_it_was_cut_or_turned() {
    let folder = Folder::new("damaged");
    folder.write("keys", lines(0..100));
    for kind in ["standard", "scalable", "sharded", "cuckoo"] {
        folder.good(&format!("build --filter {kind} -o whole keys"));
        let whole = folder.read("whole");
        for end in places(whole.len()) {
            folder.write("f", &whole[..end]);
            let said = read_all(&folder, &[2], &format!("{kind} up to {end}"));
            assert!(said.contains("byte"), "{said}");
        }
        for at in places(whole.len()) {
            let mut turned = whole.clone();
            turned[at] ^= 0x10;
            folder.write("f", &turned);
            let said = read_all(&folder, &[2], &format!("{kind} turned at {at}"));
            let words = if at < SIGNATURE {
                "no signature"
            } else {
                "at byte"
            };
            assert!(said.contains(words), "{said}");
        }
        folder.write("f", [&whole[..], b"\n"].concat());
        let said = read_all(&folder, &[2], "longer");
        assert!(said.contains("alone"), "{said}");
        assert!(!folder.names().contains(&"out".to_owned()));
    }
}

#[test]
fn a_file_of_others_is_rejected_where_it_was_cut() {
    let folder = Folder::new("cut");
    folder.write("keys", lines(0..100));
    folder.good("build --to redisbloom -o chain keys");
    folder.good("build --to go-json -o json keys");
    for (format, whole) in [
        ("go", bytes("bits-and-blooms/ne-100-0.01.bin")),
        ("go-json", folder.read("json")),
        ("guava", bytes("guava/b64-100-0.01.bin")),
        ("parquet", bytes("parquet/rs-7blocks-tails.bin")),
        ("redisbloom", folder.read("chain")),
    ] {
        for end in places(whole.len()) {
            folder.write("f", &whole[..end]);
            let said = read_all(&folder, &[2], &format!("{format} up to {end}"));
            assert!(said.contains(&format!("as {format}: byte ")), "{said}");
        }
        // Its slots have no checksum: of a bit there nobody knows.
        for at in places(whole.len().min(80)) {
            let mut turned = whole.clone();
            turned[at] ^= 0x10;
            folder.write("f", &turned);
            read_all(&folder, &[0, 1, 2], &format!("{format} turned at {at}"));
        }
    }
}

#[test]
fn what_is_no_filter_is_no_filter() {
    let folder = Folder::new("nothing");
    folder.write("keys", lines(0..100));
    for what in [&b""[..], b"\n", b"{}", b"PAR1", &[0; 64], &[0xff; 64]] {
        folder.write("f", what);
        let said = read_all(&folder, &[2], &format!("{what:?}"));
        assert!(said.contains("not a filter file ("), "{said}");
    }
    folder.rejects("inspect nowhere", &["nowhere"]);
    folder.rejects("inspect .", &["."]);
    folder.rejects("check nowhere keys", &["nowhere"]);
    // Sizes that no memory has are rejected before it is asked for.
    let mut huge = bytes("bits-and-blooms/ne-100-0.01.bin");
    huge[17] = 0x7f;
    folder.write("f", huge);
    read_all(&folder, &[2], "huge");
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_is_not_read() {
    let folder = Folder::new("device");
    for device in ["/dev/zero", "/dev/null"] {
        folder.rejects(&format!("inspect {device}"), &[device, "is a device"]);
    }
}

/// The standard library pads no word to more than 65,535.
#[test]
fn a_key_is_shown_however_long() {
    let folder = Folder::new("long-key");
    folder.write("keys", lines(0..10));
    folder.good("build -q -o f keys");
    for length in [65_535, 65_536, 1 << 20] {
        let key = "k".repeat(length);
        folder.write("long", format!("short\n{key}\n"));
        for wide in ["", "--wide"] {
            let output = folder.run(&format!("check f long --absent --format table {wide}"));
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            let shown = String::from_utf8(output.stdout).unwrap();
            assert!(shown.contains(&key) && shown.len() < length + 10_000);
        }
    }
}
