#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;

mod algebra;
mod array;
#[cfg(target_has_atomic = "64")]
mod atomic;
mod bytes;
mod counters;
mod error;
mod fold;
mod many;
mod memory;
mod ones;
mod prefetch;
mod read;
mod rows;
mod scaled;
mod set;
#[cfg(all(feature = "bitvec", target_pointer_width = "64"))]
mod view;
mod words;

pub use array::BitArray;
#[cfg(target_has_atomic = "64")]
pub use atomic::AtomicBitArray;
pub use bytes::ByteArray;
pub use counters::{CounterArray, CounterBits, CountersMismatch};
pub use error::{GrowError, LengthMismatch, OutOfMemory, WordsError};
pub use ones::Ones;
pub use read::{Counters, Words};
#[cfg(feature = "roaring")]
pub use roaring::RoaringBitmap;
pub use set::BitSet;
