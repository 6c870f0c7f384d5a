//! What words must be to hold so many bits.

use crate::WordsError;

/// Fails unless these are as many words as `len` bits take, and no bit past
/// them is set.
pub(crate) fn check_words(words: &[u64], len: u64) -> Result<(), WordsError> {
    let expected = len.div_ceil(64);
    let found = words.len() as u64;
    if found != expected {
        return Err(WordsError::Count {
            len,
            expected,
            found,
        });
    }
    if let Some(&last) = words.last() {
        let used = len - 64 * (expected - 1);
        let stray = last & !(u64::MAX >> (64 - used));
        if stray != 0 {
            let bit = 64 * (expected - 1) + u64::from(stray.trailing_zeros());
            return Err(WordsError::StrayBit { len, bit });
        }
    }
    Ok(())
}
