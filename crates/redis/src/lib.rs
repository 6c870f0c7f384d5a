#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod any;
#[cfg(feature = "async")]
mod asynchronous;
mod batch;
mod bf;
mod bitmap;
mod create;
mod draft;
mod error;
mod first_few;
mod key;
mod manage;
mod marked;
mod name;
mod ours;
mod publish;
mod reconnecting;
mod scheme;
mod settings;
mod sharded;
mod tiered;
#[cfg(feature = "tls")]
mod tls;
mod wire;
mod witness;

pub use any::AnyFilter;
pub use bf::{BfDraft, BfInfo, BfInserted, Dialect, NotInserted, RemoteBf};
pub use bitmap::{Inserted, RemoteBitmap};
pub use bouquet_core::{Key, SpecError};
pub use bouquet_interop::{GoKey, RedisBloom, RedisKey};
pub use draft::Draft;
pub use error::{Error, Lost, Result};
pub use key::Takes;
pub use manage::Info;
pub use reconnecting::{Connect, Reconnecting};
pub use redis;
pub use scheme::{GoZero, Native, Redisson, Scheme};
pub use sharded::{ShardedBitmap, ShardedDraft};
pub use tiered::{FileTier, TieredFilter, Tiers};
#[cfg(feature = "tls")]
pub use tls::tls_client;
pub use wire::Retry;
