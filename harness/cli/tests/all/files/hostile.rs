//! If a file was cut off or damaged, commands print only an error, which says where.

use crate::{
    files::vectors::bytes,
    support::{Folder, lines, stderr},
};

/// Runs every command that reads a filter, and asserts that each ends with one of `codes`.
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

/// The length of the signature by which a native file is recognised.
const SIGNATURE: usize = 8;

/// About nine positions, evenly spaced below the length.
fn places(len: usize) -> impl Iterator<Item = usize> {
    (0..len).step_by(len.div_ceil(9))
}

#[test]
fn a_file_of_ours_is_rejected_wherever_it_was_cut_or_turned() {
    let folder = Folder::new();
    folder.file("keys", lines(0..100));
    for kind in ["standard", "scalable", "sharded", "cuckoo"] {
        folder.good(&format!("build --filter {kind} -o whole keys"));
        let whole = folder.bytes("whole");
        for end in places(whole.len()) {
            folder.file("f", &whole[..end]);
            let said = read_all(&folder, &[2], &format!("{kind} up to {end}"));
            assert!(said.contains("byte"), "{said}");
        }
        for at in places(whole.len()) {
            let mut turned = whole.clone();
            turned[at] ^= 0x10;
            folder.file("f", &turned);
            let said = read_all(&folder, &[2], &format!("{kind} turned at {at}"));
            let words = if at < SIGNATURE {
                "no signature"
            } else {
                "at byte"
            };
            assert!(said.contains(words), "{said}");
        }
        folder.file("f", [&whole[..], b"\n"].concat());
        let said = read_all(&folder, &[2], "longer");
        assert!(said.contains("alone"), "{said}");
        assert!(!folder.names().contains(&"out".to_owned()));
    }
}

#[test]
fn a_file_of_others_is_rejected_where_it_was_cut() {
    let folder = Folder::new();
    folder.file("keys", lines(0..100));
    folder.good("build --to redisbloom -o chain keys");
    folder.good("build --to go-json -o json keys");
    for (format, whole) in [
        ("go", bytes("bits-and-blooms/ne-100-0.01.bin")),
        ("go-json", folder.bytes("json")),
        ("guava", bytes("guava/b64-100-0.01.bin")),
        ("parquet", bytes("parquet/rs-7blocks-tails.bin")),
        ("redisbloom", folder.bytes("chain")),
    ] {
        for end in places(whole.len()) {
            folder.file("f", &whole[..end]);
            let said = read_all(&folder, &[2], &format!("{format} up to {end}"));
            assert!(said.contains(&format!("as {format}: byte ")), "{said}");
        }
        // The slots have no checksum, so a changed bit may go undetected; but no command may crash.
        for at in places(whole.len().min(80)) {
            let mut turned = whole.clone();
            turned[at] ^= 0x10;
            folder.file("f", &turned);
            read_all(&folder, &[0, 1, 2], &format!("{format} turned at {at}"));
        }
    }
}

#[test]
fn what_is_no_filter_is_no_filter() {
    let folder = Folder::new();
    folder.file("keys", lines(0..100));
    for what in [&b""[..], b"\n", b"{}", b"PAR1", &[0; 64], &[0xff; 64]] {
        folder.file("f", what);
        let said = read_all(&folder, &[2], &format!("{what:?}"));
        assert!(said.contains("not a filter file"), "{said}");
    }
    folder.rejects("inspect nowhere", &["nowhere"]);
    folder.rejects("inspect .", &["."]);
    folder.rejects("check nowhere keys", &["nowhere"]);
    // A size that exceeds the machine's memory is rejected before memory is allocated.
    let mut huge = bytes("bits-and-blooms/ne-100-0.01.bin");
    huge[17] = 0x7f;
    folder.file("f", huge);
    read_all(&folder, &[2], "huge");
}
