//! Laws about bytes that are not a filter.

use std::fmt::Debug;

use bouquet_core::{Spec, TryInsert};
use bouquet_format::{DecodeError, Encode, HEADER_BYTES, MAGIC, VERSION};

use super::{Verdict, codec::small};
use crate::{Rng, forge};

/// Damaged bytes lead to an error that names a byte, and never to a panic: bytes truncated at any
/// place, extended, with any bit flipped, or with any header byte replaced by any other value.
/// Random bytes lead to an error as well.
///
/// (The law [`canonical`](super::canonical) tests forgeries with correct checksums.)
///
/// # Errors
///
/// The input that was accepted, or an error that names a byte outside the input.
pub fn hostile_bytes<F>(
    make: impl Fn(Spec, u64) -> F,
    decode: impl Fn(&[u8], u64) -> Result<F, DecodeError>,
) -> Verdict
where
    F: TryInsert<Error: Debug> + Encode,
{
    hostile(small(&make)?, decode)
}

/// The same for the bytes of some filters.
pub(super) fn hostile<F>(
    filters: Vec<Vec<u8>>,
    decode: impl Fn(&[u8], u64) -> Result<F, DecodeError>,
) -> Verdict {
    let rejected = |bytes: &[u8], what: &str| -> Verdict {
        match decode(bytes, 50) {
            Ok(_) => Err(format!("{what}: accepted")),
            Err(error) => {
                ensure!(
                    error.offset <= bytes.len() as u64,
                    "{what}: the error points to byte {} of {}",
                    error.offset,
                    bytes.len()
                );
                Ok(())
            }
        }
    };
    for bytes in filters {
        for end in 0..bytes.len() {
            rejected(&bytes[..end], &format!("cut to {end} bytes"))?;
        }
        for more in [1, 7, 8, 64, 136] {
            for filling in [0, 0xff] {
                let mut longer = bytes.clone();
                longer.resize(bytes.len() + more, filling);
                rejected(&longer, &format!("with {more} bytes more"))?;
            }
        }
        let mut twice = bytes.clone();
        twice.extend_from_slice(&bytes);
        rejected(&twice, "with itself after it")?;
        forge::each_flip(&bytes, rejected)?;
        forge::each_header_byte(&bytes, rejected)?;
    }
    noise(rejected)
}

/// Tests random bytes, and random bytes after a correct beginning.
fn noise(rejected: impl Fn(&[u8], &str) -> Verdict) -> Verdict {
    let mut rng = Rng::new(52);
    for len in 0..300 {
        let mut bytes = rng.bytes(len);
        rejected(&bytes, "noise")?;
        let start: Vec<u8> = MAGIC.into_iter().chain(VERSION.to_le_bytes()).collect();
        if let Some(beginning) = bytes.get_mut(..start.len()) {
            beginning.copy_from_slice(&start);
            rejected(&bytes, "noise after the right beginning")?;
        }
        if len >= HEADER_BYTES as usize {
            forge::seal(&mut bytes);
            rejected(&bytes, "noise with the right checksums")?;
        }
    }
    Ok(())
}
