//! Apache Parquet's split block Bloom filter, which Impala, Arrow and others
//! have too.
//!
//! Facts of the format specification, tried with parquet-rs 60.1, pyarrow 26.0
//! and DuckDB 2.0.
//!
//! - **Hash**: XXH64, seed 0, of the plain value: [`ParquetHash`].
//! - **Scheme**: [`Scheme`]: one bit in each of the eight 32-bit words of one
//!   block of 32 bytes.
//! - **Filter and bytes**: [`ParquetBloom`].
//! - **Sizing**: [`blocks_for`], that of parquet-rs.
//!
//! The keys are values of columns: [`ParquetKey`].
//!
//! # Pitfalls
//!
//! - The filter does not state the column's type. A number queried in the
//!   wrong width is another key: `42i64` is no value of an INT32 column.
//! - Any number of blocks is allowed, though writers take powers of two.
//! - A key that a writer left out of the filter (a null) is absent.

mod filter;
mod header;
mod key;
mod scheme;
mod sizing;

pub use filter::ParquetBloom;
pub use key::ParquetKey;
pub use scheme::{ParquetHash, SALTS, Scheme};
pub use sizing::blocks_for;
