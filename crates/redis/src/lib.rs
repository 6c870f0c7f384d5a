#![doc = include_str!("../README.md")]

#[cfg(feature = "async")]
mod asynchronous;
mod batch;
mod bf;
mod bitmap;
mod create;
mod draft;
mod error;
mod manage;
mod marked;
mod name;
mod publish;
mod reconnecting;
mod scheme;
mod settings;
mod sharded;
mod tiered;
mod wire;
mod witness;

pub use bf::{BfInfo, BfInserted, Dialect, NotInserted, RemoteBf};
pub use bitmap::{Inserted, RemoteBitmap};
pub use bouquet_core::{Key, SpecError};
pub use draft::Draft;
pub use error::{Error, Lost, Result};
pub use manage::Info;
pub use reconnecting::{Connect, Reconnecting};
pub use redis;
pub use scheme::{GoZero, Native, Redisson, Scheme};
pub use sharded::ShardedBitmap;
pub use tiered::{TieredFilter, Tiers};
pub use wire::Retry;
