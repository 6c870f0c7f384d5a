//! Hashes a key that is read from a reader.

use std::io::{ErrorKind, Read, Result};

use bouquet_core::{HashStream, KeyHash, StreamHasher};

/// The number of bytes read from the reader at a time, into a buffer on the stack.
const CHUNK: usize = 8 * 1024;

/// The hash of all bytes of `reader` as one key, for example of a file's content.
///
/// The result equals `hasher.hash` of those bytes, but they are not all kept in memory. Needs
/// the feature `std`.
///
/// # Errors
///
/// The first error of the reader that is not [`ErrorKind::Interrupted`];
/// [`ErrorKind::InvalidData`] if the reader reports more bytes than the buffer can hold.
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
