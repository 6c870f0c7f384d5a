//! Modifies the bytes of encoded filters, with or without correcting the checksums.

use bouquet_format::{HEADER_BYTES, TRAILER_BYTES, checksum};

use crate::Verdict;

const HEADER: usize = HEADER_BYTES as usize;
const TRAILER: usize = TRAILER_BYTES as usize;
/// Offsets in a header: the number of parts, the number of payload bytes, and the checksum.
const PARTS: usize = 88;
const PAYLOAD_BYTES: usize = 96;
const CHECKSUM: usize = 120;

/// Recomputes all checksums: first that of each header, then the one at the end.
pub fn seal(bytes: &mut [u8]) {
    for header in headers(bytes) {
        let sum = checksum(&bytes[header..header + CHECKSUM]);
        bytes[header + CHECKSUM..header + HEADER].copy_from_slice(&sum.to_le_bytes());
    }
    if let Some((body, trailer)) = bytes.split_last_chunk_mut::<TRAILER>() {
        *trailer = checksum(body).to_le_bytes();
    }
}

/// The offsets of all headers: that of the whole filter, those of its parts, and those of their
/// parts.
fn headers(bytes: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    let end = bytes.len().saturating_sub(TRAILER);
    record(bytes, 0, end, &mut found);
    found
}

/// Finds the headers of the record at `at` and returns the offset of its end. Parts are searched
/// only within their enclosing record; otherwise bytes that claim to be parts of each other would
/// take exponential time.
fn record(bytes: &[u8], at: usize, end: usize, found: &mut Vec<usize>) -> usize {
    let first = at.saturating_add(HEADER);
    if first > end {
        return end;
    }
    found.push(at);
    let payload = usize::try_from(word(bytes, at + PAYLOAD_BYTES)).unwrap_or(usize::MAX);
    let end = first.saturating_add(payload).min(end);
    let mut next = first;
    for _ in 0..word(bytes, at + PARTS) {
        if next >= end {
            break;
        }
        next = record(bytes, next, end, found);
    }
    end
}

fn word(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

/// Calls `judge` with every forgery of `bytes`: each header byte replaced by each other value, each
/// bit of the payload flipped, and the payload resized. All checksums are correct.
pub(crate) fn each(bytes: &[u8], mut judge: impl FnMut(&[u8], &str) -> Verdict) -> Verdict {
    let mut forged = bytes.to_vec();
    for header in headers(bytes) {
        for at in header..header + CHECKSUM {
            for change in 1..=255u8 {
                forged[at] = bytes[at] ^ change;
                seal(&mut forged);
                let value = forged[at];
                judge(&forged, &format!("byte {at} forged to {value:#04x}"))?;
                forged.copy_from_slice(bytes);
            }
        }
    }
    for at in HEADER..bytes.len() - TRAILER {
        for bit in 0..8 {
            forged[at] = bytes[at] ^ (1 << bit);
            seal(&mut forged);
            judge(&forged, &format!("bit {bit} of byte {at} forged"))?;
            forged.copy_from_slice(bytes);
        }
    }
    resized(bytes, judge)
}

/// Calls `judge` with a payload that is longer or shorter, and a header that states this length.
fn resized(bytes: &[u8], mut judge: impl FnMut(&[u8], &str) -> Verdict) -> Verdict {
    let end = bytes.len() - TRAILER;
    let payload = end - HEADER;
    let sized = |payload: usize| {
        let mut forged = bytes[..end.min(HEADER + payload)].to_vec();
        forged.resize(HEADER + payload + TRAILER, 0);
        forged[PAYLOAD_BYTES..PAYLOAD_BYTES + 8].copy_from_slice(&(payload as u64).to_le_bytes());
        seal(&mut forged);
        forged
    };
    judge(&sized(payload + 64), "a payload forged to a line more")?;
    judge(&sized(payload + 8), "a payload forged to a word more")?;
    judge(
        &sized(payload + 192),
        "a payload forged to three lines more",
    )?;
    if payload >= 64 {
        judge(&sized(payload - 64), "a payload forged to a line less")?;
    }
    judge(&sized(0), "a payload forged to nothing")
}

/// Calls `judge` with each bit flipped. The checksums are not corrected.
pub(crate) fn each_flip(bytes: &[u8], mut judge: impl FnMut(&[u8], &str) -> Verdict) -> Verdict {
    let mut flipped = bytes.to_vec();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            flipped[at] ^= 1 << bit;
            judge(&flipped, &format!("bit {bit} of byte {at} flipped"))?;
            flipped[at] = bytes[at];
        }
    }
    Ok(())
}

/// Calls `judge` with each header byte replaced by each other value. The checksums are not
/// corrected.
pub(crate) fn each_header_byte(
    bytes: &[u8],
    mut judge: impl FnMut(&[u8], &str) -> Verdict,
) -> Verdict {
    let mut changed = bytes.to_vec();
    for header in headers(bytes) {
        for at in header..header + HEADER {
            for change in 1..=255u8 {
                changed[at] = bytes[at] ^ change;
                let value = changed[at];
                judge(&changed, &format!("byte {at} set to {value:#04x}"))?;
            }
            changed[at] = bytes[at];
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_that_claim_to_be_parts_of_each_other_are_found_in_no_time() {
        let mut bytes = vec![0; 40 * HEADER + TRAILER];
        for header in bytes.chunks_exact_mut(HEADER) {
            header[PARTS] = u8::MAX;
        }
        // Only the first header claims a payload; the other headers lie within it.
        bytes[PAYLOAD_BYTES + 1] = u8::MAX;
        seal(&mut bytes);
        assert_eq!(headers(&bytes).len(), 40);
    }

    #[test]
    fn nested_headers_are_found_each_once() {
        let mut bytes = vec![0; 4 * HEADER + TRAILER];
        for (at, parts, payload) in [(0, 2, 3 * HEADER), (HEADER, 1, HEADER), (3 * HEADER, 0, 0)] {
            bytes[at + PARTS] = parts;
            bytes[at + PAYLOAD_BYTES..at + PAYLOAD_BYTES + 2]
                .copy_from_slice(&(payload as u16).to_le_bytes());
        }
        assert_eq!(headers(&bytes), [0, HEADER, 2 * HEADER, 3 * HEADER]);
    }
}
