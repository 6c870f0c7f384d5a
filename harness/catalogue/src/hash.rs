//! The hash functions that take a seed. The macro `seeded` lists them.

use anyhow::{Context, Result};
use bouquet_core::{KeyHash, SeededHasher, StreamHasher};
pub use bouquet_hash::{Folded, Xxh3, Xxh3Wide};

use crate::Hasher;

/// Texts that describe a hash function to the user.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// The name by which a user selects it.
    pub name: &'static str,
    pub about: &'static str,
    /// The name of the hash function in the description of a filter.
    pub described: &'static str,
}

pub const fn words(name: &'static str, about: &'static str, described: &'static str) -> Words {
    Words {
        name,
        about,
        described,
    }
}

pub trait Seeded: Hasher + SeededHasher + StreamHasher {}

impl<H: Hasher + SeededHasher + StreamHasher> Seeded for H {}

/// Lists the hash functions; the first is the default. Calls the given function once per hasher,
/// with the hasher as its type argument and the texts about the hasher as its argument. Returns the
/// results as an array, to which the optional last argument is appended.
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

/// The entry with this name in `list`; the first entry if no name is given. Fails if no entry has
/// this name.
pub fn pick<T: Copy>(list: &[(&'static str, T)], name: Option<&str>) -> Result<T> {
    let mut all = list.iter();
    let own = all.find(|(own, _)| name.is_none_or(|name| name == *own));
    let own = own.with_context(|| format!("no hash is called {}", name.unwrap_or_default()))?;
    Ok(own.1)
}

pub type HashKey = Box<dyn Fn(&[u8]) -> KeyHash>;
type Make = fn(u64) -> HashKey;

/// The name of each hash function, with a function that makes the hash function from a seed.
fn all() -> Vec<(&'static str, Make)> {
    fn make<H: Seeded>(words: Words) -> (&'static str, Make) {
        (words.name, |seed| {
            let hasher = H::from_seed(seed);
            Box::new(move |key| hasher.hash(key))
        })
    }
    seeded!(make).into()
}

pub fn names() -> impl Iterator<Item = &'static str> {
    all().into_iter().map(|(name, _)| name)
}

/// The hash function with this name and seed; the default one if no name is given. Fails if no hash
/// function has this name.
pub fn of_name(name: Option<&str>, seed: u64) -> Result<HashKey> {
    Ok(pick(&all(), name)?(seed))
}
