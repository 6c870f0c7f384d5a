use std::sync::Arc;

use bouquet_core::{KeyHash, KeyHasher as _};
use bouquet_hash::Folded;

use super::*;

fn all(text: &[u8], end: u8, hex: bool) -> Result<(Vec<Vec<u8>>, usize)> {
    let mut file = tempfile::NamedTempFile::new()?;
    io::Write::write_all(&mut file, text)?;
    let mut keys = Keys::new(&[file.path().to_path_buf()], end, hex);
    let (mut found, mut chunk) = (Vec::new(), Chunk::default());
    while keys.fill(&mut chunk)? {
        assert_eq!(chunk.len(), chunk.keys().count());
        found.extend(chunk.keys().map(<[u8]>::to_vec));
    }
    Ok((found, keys.warnings.len()))
}

#[test]
fn bytes_are_kept_and_the_last_end_may_be_missing() {
    let lf = |text: &[u8]| all(text, b'\n', false).unwrap().0;
    assert_eq!(lf(b"a\nb\n"), [b"a", b"b"]);
    assert_eq!(lf(b"a\nb"), [b"a", b"b"]);
    assert_eq!(lf(b"\xff\n\na\r"), [&b"\xff"[..], b"", b"a\r"]);
    assert_eq!(lf(b"\n"), [b""]);
    assert!(lf(b"").is_empty());
    assert_eq!(all(b"a\nb\0c", 0, false).unwrap().0, [&b"a\nb"[..], b"c"]);
}

#[test]
fn lines_longer_than_what_is_read_at_a_time_are_whole() {
    for length in [CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK] {
        let long = vec![b'x'; length];
        let text = [b"a\n", &long[..], b"\nb"].concat();
        let (found, _) = all(&text, b'\n', false).unwrap();
        assert_eq!(found, [b"a", &long[..], b"b"], "{length}");
    }
}

#[test]
fn hex_gives_any_bytes_and_names_the_line_that_is_none() {
    let hex = |text: &[u8]| all(text, b'\n', true);
    assert_eq!(hex(b"00fF\n\n0a").unwrap().0, [&[0, 255][..], &[], &[10]]);
    for (text, line) in [(&b"00\n0"[..], "line 2"), (b"zz", "line 1")] {
        let error = format!("{:#}", hex(text).unwrap_err());
        assert!(error.contains(line), "{error}");
    }
}

#[test]
fn hex_says_what_is_wrong_with_a_line() {
    for (text, words) in [
        (&b"0a\r\n0b\r\n"[..], "CR"),
        (b"0ab\n", "an even number"),
        (b"0ab\r\n", "CR"),
        (b"0x0a\n", "0-9 and a-f"),
    ] {
        let error = format!("{:#}", all(text, b'\n', true).unwrap_err());
        assert!(error.contains(words), "{text:?}: {error}");
    }
}

#[test]
fn a_line_without_end_is_rejected_with_its_number() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let long = vec![b'x'; 3 * CHUNK];
    io::Write::write_all(&mut file, &[b"a\nb\n", &long[..]].concat()).unwrap();
    let limited = |longest| {
        let mut keys = Keys::new(&[file.path().to_path_buf()], b'\n', false);
        keys.longest = longest;
        let (mut count, mut chunk) = (0, Chunk::default());
        while keys.fill(&mut chunk)? {
            count += chunk.len();
        }
        Ok::<usize, anyhow::Error>(count)
    };
    assert_eq!(limited(3 * CHUNK).unwrap(), 3);
    let error = limited(CHUNK).unwrap_err().to_string();
    let name = file.path().display().to_string();
    for words in [&name, "line 3", "longer than any key", "-0"] {
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn lines_from_windows_are_reported() {
    assert_eq!(all(b"a\r\nb\r\n", b'\n', false).unwrap().1, 1);
    assert_eq!(all(b"a\r\nb\n", b'\n', false).unwrap().1, 0);
    assert_eq!(all(b"", b'\n', false).unwrap().1, 0);
}

#[test]
fn a_filter_is_no_key_file() {
    let error = all(&[&MAGIC[..], b"more"].concat(), b'\n', false).unwrap_err();
    assert!(format!("{error:#}").contains("is a filter"), "{error:#}");
}

/// The output of `gzip -n` for `a`, LF, `b`, LF.
const PACKED: &[u8] = &[
    0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b, 0xe4, 0x4a, 0xe2, 2, 0, 0x97, 0x2a, 0x57, 0x18, 4, 0,
    0, 0,
];

#[test]
fn keys_in_gzip_are_read_and_counted() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    io::Write::write_all(&mut file, PACKED).unwrap();
    let paths = [file.path().to_path_buf()];
    assert_eq!(all(PACKED, b'\n', false).unwrap().0, [b"a", b"b"]);
    assert_eq!(Keys::new(&paths, b'\n', false).count().unwrap(), 2);
}

#[test]
fn text_with_a_mark_of_its_encoding_is_rejected_by_name() {
    for (text, words) in [
        (&b"\xef\xbb\xbfa\n"[..], "byte-order mark"),
        (b"\xff\xfea\0\n\0", "UTF-16"),
    ] {
        let error = format!("{:#}", all(text, b'\n', false).unwrap_err());
        assert!(
            error.contains("cannot read the keys in /") && error.contains(words),
            "{error}"
        );
    }
}

#[test]
fn lines_are_given_as_they_stand() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    io::Write::write_all(&mut file, b"0a\n\n0B0c\n00").unwrap();
    let mut keys = Keys::new(&[file.path().to_path_buf()], b'\n', true);
    let mut chunk = Chunk::default();
    assert!(keys.fill(&mut chunk).unwrap());
    assert_eq!(chunk.lines(0..1), b"0a");
    assert_eq!(chunk.lines(1..3), b"\n0B0c");
    assert_eq!(chunk.lines(0..3), b"0a\n\n0B0c");
    let found: Vec<&[u8]> = chunk.keys().collect();
    assert_eq!(found, [&[10][..], &[], &[11, 12]]);
    assert!(keys.fill(&mut chunk).unwrap());
    assert_eq!(chunk.lines(0..1), b"00");
    assert!(!keys.fill(&mut chunk).unwrap());
}

/// Files with short and long lines; the last line has no line end.
fn files() -> (Vec<tempfile::NamedTempFile>, Vec<PathBuf>, Vec<Vec<u8>>) {
    let long = vec![b'y'; 1 << 20];
    let many: Vec<String> = (0..100_000).map(|i| format!("key {i}")).collect();
    let texts = [
        Vec::new(),
        many.join("\n").into_bytes(),
        [b"a\n\n", &long[..], b"\nb"].concat(),
        b"last\n".to_vec(),
    ];
    let mut want: Vec<Vec<u8>> = many.into_iter().map(String::into_bytes).collect();
    want.extend([
        b"a".to_vec(),
        Vec::new(),
        long,
        b"b".to_vec(),
        b"last".to_vec(),
    ]);
    let write = |text: Vec<u8>| {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        io::Write::write_all(&mut file, &text).unwrap();
        file
    };
    let files: Vec<_> = texts.into_iter().map(write).collect();
    let paths = files.iter().map(|file| file.path().to_path_buf()).collect();
    (files, paths, want)
}

#[test]
fn keys_of_several_files_come_in_order_with_their_hashes() {
    let (_files, mut paths, want) = files();
    let hasher = Folded::with_seed(3);
    let hash: Arc<Hash> = Arc::new(move |keys, hashes| hasher.hash_batch(keys, hashes));
    let mut keys = Keys::new(&paths, b'\n', false).hashed(Some(hash));
    let (mut found, mut chunk): (Vec<Vec<u8>>, _) = (Vec::new(), Chunk::default());
    while keys.fill(&mut chunk).unwrap() {
        let hashes: Vec<KeyHash> = chunk.keys().map(|key| hasher.hash(key)).collect();
        assert!(chunk.hashes().unwrap() == hashes);
        found.extend(chunk.keys().map(<[u8]>::to_vec));
    }
    assert!(found == want);
    let count = Keys::new(&paths, b'\n', false).count().unwrap();
    assert_eq!(count, want.len() as u64);
    // The third file does not exist: the error comes after the keys of the first two. Unhashed keys
    // must not have hashes that are left over from an earlier chunk.
    paths.insert(2, "nowhere/at/all".into());
    let (mut keys, mut found) = (Keys::new(&paths, b'\n', false), 0);
    let error = loop {
        match keys.fill(&mut chunk) {
            Ok(_) => found += chunk.len(),
            Err(error) => break error,
        }
        assert!(chunk.hashes().is_err());
    };
    assert_eq!(found, want.len() - 5);
    assert!(format!("{error:#}").contains("nowhere"), "{error:#}");
}
