//! What a set that `bouquet recommend` measures is made of.

use std::hash::{BuildHasher, RandomState};

use anyhow::Result;

use crate::speed::SetLoops;

/// What a set is sized for.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    pub capacity: u64,
    pub target_fpr: f64,
    /// Hashed under a secret key.
    pub keyed: bool,
    /// Integers are below this; of a set of bits alone.
    pub below: u64,
}

pub type Make = fn(&Made) -> Result<Box<dyn SetLoops>>;

/// From the system's random source, by way of the keys of `std`'s hash tables.
pub fn secret() -> [u8; 16] {
    let half = || RandomState::new().hash_one(0u8).to_le_bytes();
    let mut secret = [0; 16];
    secret[..8].copy_from_slice(&half());
    secret[8..].copy_from_slice(&half());
    secret
}
