//! The key types that correspond to the types of columns.

use crate::keys::{little_endian, text_and_bytes};

/// A value of a Parquet column, in the column's physical type.
///
/// | column | key type here | bytes that are hashed |
/// | --- | --- | --- |
/// | BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY | `str`, `[u8]`, their owned forms, `[u8; N]` | the bytes |
/// | INT32, with INT_8, INT_16, UINT_8, UINT_16, UINT_32, DATE or none | `i32`, `i8`, `i16`, `u8`, `u16`, `u32` | four, little-endian; narrower ones are extended |
/// | INT64, with UINT_64, a time or none | `i64`, `u64` | eight, little-endian |
/// | FLOAT, DOUBLE | `f32`, `f64` | four and eight, little-endian |
///
/// A column of integers has one physical type, which the file states. Query an INT64 column with
/// `i64`, even if the value would fit an `i32`. Types that no column's filter contains are not
/// keys: `bool` (BOOLEAN columns have no filter), `usize`, `char` and tuples.
///
/// - **Zeros and NaN** are compared by their bits: `-0.0` and `0.0` are two keys, and so are NaNs
///   with different bits. To look up zero, query both `0.0` and `-0.0`.
/// - **DECIMAL** is its unscaled number: an `i32` or `i64` for an INT32 or INT64 column, its
///   big-endian bytes in the column's length for FIXED_LEN_BYTE_ARRAY, and the fewest possible
///   big-endian bytes for BYTE_ARRAY.
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
    /// Calls `f` with the bytes that are hashed, and returns the result of `f`.
    fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R;
}

text_and_bytes!(ParquetKey);
little_endian!(ParquetKey: i8 as i32, i16 as i32, i32 as i32, u8 as u32, u16 as u32, u32 as u32);
little_endian!(ParquetKey: i64 as i64, u64 as u64, f32 as f32, f64 as f64);
