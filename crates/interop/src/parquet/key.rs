//! Which values a column has.

use crate::keys::{little_endian, text_and_bytes};

/// A value of a Parquet column, as its physical type has it.
///
/// | column | a key here | bytes |
/// | --- | --- | --- |
/// | BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY | `str`, `[u8]` and their owners, `[u8; N]` | themselves |
/// | INT32, with INT_8, INT_16, UINT_8, UINT_16, UINT_32, DATE or none | `i32`, `i8`, `i16`, `u8`, `u16`, `u32` | four, little-endian; narrower ones are extended |
/// | INT64, with UINT_64, a time or none | `i64`, `u64` | eight, little-endian |
/// | FLOAT, DOUBLE | `f32`, `f64` | four and eight, little-endian |
///
/// A column of integers has one physical type, and the file says which: a value of an INT64 column is
/// asked with `i64`, also where it fits an `i32`. What no column feeds is no key: `bool` (a BOOLEAN
/// column has no filter), `usize`, `char`, tuples.
///
/// - **Zeros and NaN** are their bits: `-0.0` and `0.0` are two keys, and so are NaNs of different bits.
///   A reader that asks for `0.0` asks for both.
/// - **DECIMAL** is its unscaled number: an `i32` or `i64` in an INT32 or INT64 column; as
///   FIXED_LEN_BYTE_ARRAY its big-endian bytes, as many as the column has; as BYTE_ARRAY the fewest.
///
/// ```
/// use bouquet_interop::ParquetBloom;
///
/// let mut column = ParquetBloom::new(8)?;
/// column.insert(&42i32);
/// assert!(column.contains(&42u8), "both are INT32");
/// assert!(!column.contains(&42i64), "of an INT64 column");
/// # Ok::<(), bouquet_interop::SpecError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no value of a Parquet column",
    label = "no column feeds it to its filter",
    note = "give the column's own type: `i32` for INT32 (`DATE` too), `i64` for INT64 (`value as i64`), `f32`, `f64`, text or bytes"
)]
pub trait ParquetKey {
    /// Calls `f` with the bytes that are hashed, and returns what it returned.
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R;
}

text_and_bytes!(ParquetKey);
little_endian!(ParquetKey: i8 as i32, i16 as i32, i32 as i32, u8 as u32, u16 as u32, u32 as u32);
little_endian!(ParquetKey: i64 as i64, u64 as u64, f32 as f32, f64 as f64);
