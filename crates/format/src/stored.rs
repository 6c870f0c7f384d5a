//! The bytes of words in memory, in the form in which a file stores them.

#![allow(
    unsafe_code,
    reason = "words are seen as bytes nowhere in the standard library without it"
)]

use core::slice;

/// The little-endian bytes of words, borrowed if the memory has the same byte order; `None` on
/// big-endian machines.
pub(crate) fn in_place(words: &[u64]) -> Option<&[u8]> {
    // SAFETY: these are the bytes of initialised words, borrowed for as long as the words are;
    // any address is aligned for a byte, and any byte is valid.
    let bytes = unsafe { slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) };
    cfg!(target_endian = "little").then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::in_place;

    #[test]
    fn bytes_are_those_of_each_word() {
        let words = [0x0102_0304_0506_0708, u64::MAX, 0, 1 << 63];
        for words in [&words[..], &words[..1], &[]] {
            let each = words.iter().flat_map(|word| word.to_le_bytes());
            let each: alloc::vec::Vec<u8> = each.collect();
            let expected = cfg!(target_endian = "little").then_some(&each[..]);
            assert_eq!(in_place(words), expected);
        }
    }
}
