//! Apache Parquet's split block Bloom filter, which Impala, Arrow and others also use.
//!
//! This describes the format specification, and was tested with parquet-rs 60.1, pyarrow 26.0 and
//! DuckDB 2.0.
//!
//! - **Hash**: XXH64 with seed 0 of the plain value: [`ParquetHash`].
//! - **Scheme**: [`Scheme`]: one bit in each of the eight 32-bit words of one
//!   block of 32 bytes.
//! - **Filter and bytes**: [`ParquetBloom`].
//! - **Sizing**: [`blocks_for`], as in parquet-rs.
//!
//! A key is a value of a column: [`ParquetKey`].
//!
//! # Pitfalls
//!
//! - The filter does not record the column's type. A number of another width is another key:
//!   `42i64` is never found in the filter of an INT32 column.
//! - Any number of blocks is allowed, but writers use powers of two.
//! - A value that the writer did not insert, such as a null, is absent.

// First, because rustdoc shows the methods of a type in the order of the modules.
mod filter;

mod header;
mod key;
mod scheme;
mod sizing;

pub use filter::ParquetBloom;
pub use key::ParquetKey;
pub use scheme::{ParquetHash, SALTS, Scheme};
pub use sizing::blocks_for;
