//! Keys that come from a reader.

use std::io::{ErrorKind, Read, Result};

use bouquet_core::{HashStream, KeyHash, StreamHasher};

/// Bytes taken from the reader at a time, on the stack.
const CHUNK: usize = 8 * 1024;

/// The hash of all bytes of `reader`, as one key: a file's content, say.
///
/// The same as `hasher.hash` of those bytes, without keeping them all in memory. Needs
/// the feature `std`.
///
/// # Errors
///
/// The first error of the reader that is not [`ErrorKind::Interrupted`];
/// [`ErrorKind::InvalidData`] if it claims to have read more than it was given
/// room for.
///
/// ```
/// use bouquet_core::KeyHasher;
/// use bouquet_hash::{Xxh3, hash_reader};
///
/// let hasher = Xxh3::new();
/// let content = b"all bytes of a file";
/// assert_eq!(hash_reader(&hasher, &content[..])?, hasher.hash(content));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn hash_reader<H: StreamHasher>(hasher: &H, mut reader: impl Read) -> Result<KeyHash> {
    let mut stream = hasher.stream();
    let mut chunk = [0; CHUNK];
    loop {
        match reader.read(&mut chunk) {
            Ok(0) => return Ok(stream.finish()),
            Ok(count) => match chunk.get(..count) {
                Some(part) => stream.write(part),
                None => return Err(ErrorKind::InvalidData.into()),
            },
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
