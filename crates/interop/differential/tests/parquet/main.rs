//! Differential tests of bouquet-interop against the crate `parquet`.

mod files;
mod filters;
mod value;
