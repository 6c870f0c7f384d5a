//! The hash functions of ours that a seed settles, a line each.

use anyhow::{Context, Result};
use bouquet_core::{KeyHash, SeededHasher, StreamHasher};
pub use bouquet_hash::{Folded, Xxh3, Xxh3Wide};

use crate::Hasher;

/// What is said of a hash.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// As whoever asks for it writes it.
    pub name: &'static str,
    pub about: &'static str,
    /// Where a filter is described.
    pub described: &'static str,
}

pub const fn words(name: &'static str, about: &'static str, described: &'static str) -> Words {
    Words {
        name,
        about,
        described,
    }
}

/// A hasher that filters are made with from a seed.
pub trait Seeded: Hasher + SeededHasher + StreamHasher {}

impl<H: Hasher + SeededHasher + StreamHasher> Seeded for H {}

/// The list: what a function, called with the type of each hash and with the words for it,
/// gives for it, and then what is given here for others. The first is that of whoever names
/// none.
#[macro_export]
macro_rules! seeded {
    ($of:ident $(, $more:ty)* $(; $other:expr)?) => {
        [
            $of::<$crate::hash::Folded $(, $more)*>($crate::hash::words(
                "folded",
                "64 bits, the fastest",
                "folded multiplications",
            )),
            $of::<$crate::hash::Xxh3 $(, $more)*>($crate::hash::words(
                "xxh3",
                "64 bits, published and widely used",
                "XXH3",
            )),
            $of::<$crate::hash::Xxh3Wide $(, $more)*>($crate::hash::words(
                "xxh3-wide",
                "128 bits, for targets that 64 do not reach",
                "XXH3, 128 bits",
            )),
            $($other)?
        ]
    };
}

/// What one of the list has; the first for no name.
///
/// # Errors
///
/// None has this name.
pub fn pick<T: Copy>(list: &[(&'static str, T)], name: Option<&str>) -> Result<T> {
    let mut all = list.iter();
    let own = all.find(|(own, _)| name.is_none_or(|name| name == *own));
    let own = own.with_context(|| format!("no hash is called {}", name.unwrap_or_default()))?;
    Ok(own.1)
}

/// From a key to its hash.
pub type HashKey = Box<dyn Fn(&[u8]) -> KeyHash>;
type Make = fn(u64) -> HashKey;

/// Each hash by its name, made of a seed.
fn all() -> Vec<(&'static str, Make)> {
    fn make<H: Seeded>(words: Words) -> (&'static str, Make) {
        (words.name, |seed| {
            let hasher = H::from_seed(seed);
            Box::new(move |key| hasher.hash(key))
        })
    }
    seeded!(make).into()
}

/// Their names, in the order of the list.
pub fn names() -> impl Iterator<Item = &'static str> {
    all().into_iter().map(|(name, _)| name)
}

/// The hash of this name with a seed; the first for no name.
///
/// # Errors
///
/// None has this name.
pub fn of_name(name: Option<&str>, seed: u64) -> Result<HashKey> {
    Ok(pick(&all(), name)?(seed))
}
