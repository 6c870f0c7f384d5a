//! Keys written in hexadecimal.

use anyhow::{Result, bail, ensure};

/// Decodes lines in hex; the first has line number `first` in the file, and all lines together have
/// `digits` digits. Returns the concatenated bytes of the keys, and the end of each key.
pub fn unhex_all<'a>(
    lines: impl Iterator<Item = &'a [u8]>,
    digits: usize,
    name: &str,
    first: u64,
) -> Result<(Vec<u8>, Vec<usize>)> {
    let (mut decoded, mut ends) = (Vec::new(), Vec::new());
    if decoded.try_reserve(digits / 2).is_err() {
        bail!("{name}, line {first}: no memory for a key of {digits} digits");
    }
    for (line, number) in lines.zip(first..) {
        let (pairs, odd) = line.as_chunks::<2>();
        for [high, low] in pairs {
            match (digit(*high), digit(*low)) {
                (Some(high), Some(low)) => decoded.push(16 * high + low),
                _ => bail!("{name}, line {number}: {}", not_hex(line)),
            }
        }
        ensure!(odd.is_empty(), "{name}, line {number}: {}", not_hex(line));
        ends.push(decoded.len());
    }
    Ok((decoded, ends))
}

/// The value of a hexadecimal digit.
pub fn digit(byte: u8) -> Option<u8> {
    (byte as char).to_digit(16).map(|digit| digit as u8)
}

/// Why a line is not valid.
fn not_hex(line: &[u8]) -> &'static str {
    let all_hex = |line: &[u8]| line.iter().all(u8::is_ascii_hexdigit);
    match line {
        [digits @ .., b'\r'] if all_hex(digits) => {
            "not hex: it ends in CR, as lines from Windows do; take the CRs out (tr -d '\\r')"
        }
        line if all_hex(line) => "not hex: an odd number of digits; give two a byte",
        _ => "not hex: give two digits of 0-9 and a-f a byte, or leave out --hex",
    }
}
