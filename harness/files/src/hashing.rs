//! The hash functions of native files, in one list.

use anyhow::{Context, Result, bail, ensure};
use bouquet_catalogue::hash::Words;
use bouquet_core::{KeyHasher, SeededHasher};
use bouquet_format::Header;
use bouquet_hash::SipKeyed;
use clap::{ValueEnum, builder::PossibleValue};

use super::secret::HashKey;

/// The list of hash functions. Calls the function `$of` with the type of each hasher, the
/// [`Origin`] that creates such a hasher, and its names, and lists the results. The first hasher is
/// the default.
macro_rules! hashers {
    ($of:ident) => {{
        use bouquet_hash::SipKeyed;

        use $crate::hashing::{Keyed, Seeded};
        bouquet_catalogue::seeded!($of, Seeded; $of::<SipKeyed, Keyed>(bouquet_catalogue::hash::words(
            "sip-keyed",
            "64 bits under a secret key, for adversarial keys; slower",
            "SipHash-1-3 with a secret key",
        )))
    }};
}
pub(crate) use hashers;

/// A hash function of native filters.
#[derive(Clone, Copy, Debug)]
pub struct Hashing {
    id: u16,
    keyed: bool,
    words: Words,
}

/// All hash functions, in the order of the list.
static ALL: &[Hashing] = &hashers!(hashing);

const fn hashing<H: KeyHasher, O: Origin<H>>(words: Words) -> Hashing {
    Hashing {
        id: H::ID,
        keyed: H::KEYED,
        words,
    }
}

impl Hashing {
    /// The hash function with this number, by which files refer to it.
    pub fn of_id(id: u16) -> Option<&'static Self> {
        ALL.iter().find(|hashing| hashing.id == id)
    }

    /// Picks this hash function's element from a list of pairs of a number and a value.
    ///
    /// # Errors
    ///
    /// The list lacks it, which no list made by `hashers!` does.
    pub fn pick<T: Copy>(&self, list: &[(u16, T)]) -> Result<T> {
        let own = list.iter().find(|(id, _)| *id == self.id);
        own.map(|(_, found)| *found).context("no hash is known")
    }

    /// The name in the description of a filter.
    pub fn described(&self) -> &'static str {
        self.words.described
    }

    /// Checks that a seed or key is given only if the hash has one, and a key if it needs one.
    ///
    /// # Errors
    ///
    /// The message says what to give instead.
    pub fn check(&self, seed: Option<u64>, key: Option<&HashKey>) -> Result<()> {
        let name = self.words.name;
        match (self.keyed, seed, key) {
            (true, Some(_), _) => bail!(
                "--seed: the hash {name} has a secret key in place of a seed: give \
                 --hash-key-file FILE"
            ),
            (false, _, Some(_)) => bail!(
                "--hash-key-file: the hash {name} has no secret key: give --hasher sip-keyed \
                 with it"
            ),
            (true, None, None) => bail!(
                "--hasher {name}: it has a secret key: give --hash-key-file FILE ({})",
                HashKey::HOW
            ),
            _ => Ok(()),
        }
    }

    /// The given key, or a random one if the hash needs a key and none was given. For a filter that
    /// is not saved.
    ///
    /// # Errors
    ///
    /// The system has no random source.
    pub fn key_for_once(&self, given: Option<HashKey>) -> Result<Option<HashKey>> {
        match (self.keyed, given) {
            (true, None) => Ok(Some(HashKey::random()?)),
            (_, given) => Ok(given),
        }
    }
}

impl Default for Hashing {
    fn default() -> Self {
        ALL[0]
    }
}

impl ValueEnum for Hashing {
    fn value_variants<'a>() -> &'a [Self] {
        ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.words.name).help(self.words.about))
    }
}

/// How the hasher of a filter is created.
pub trait Origin<H> {
    /// The hasher of a new filter; `key` must be given if the hash needs one.
    fn fresh(seed: u64, key: Option<&HashKey>) -> Result<H>;

    /// The hasher of the stored filter with this header; `None` if it needs a key and none was
    /// given.
    fn stored(header: &Header, key: Option<&HashKey>) -> Result<Option<H>>;
}

/// A hasher made from its seed alone.
pub struct Seeded;

impl<H: SeededHasher> Origin<H> for Seeded {
    fn fresh(seed: u64, _: Option<&HashKey>) -> Result<H> {
        Ok(H::from_seed(seed))
    }

    fn stored(header: &Header, key: Option<&HashKey>) -> Result<Option<H>> {
        ensure!(
            key.is_none(),
            "its hash has no secret key: leave out --hash-key-file"
        );
        // Whether the header has other fields of this hasher's type is checked when the file is
        // read.
        Ok(Some(H::from_seed(header.seed())))
    }
}

/// A hasher made from a secret key.
pub struct Keyed;

impl Origin<SipKeyed> for Keyed {
    fn fresh(_: u64, key: Option<&HashKey>) -> Result<SipKeyed> {
        let key = key.context("no secret key for a hash that has one")?;
        Ok(SipKeyed::with_key(key.secret()))
    }

    fn stored(header: &Header, key: Option<&HashKey>) -> Result<Option<SipKeyed>> {
        header.expect_hasher_type::<SipKeyed>()?;
        let Some(key) = key else {
            return Ok(None);
        };
        let hasher = SipKeyed::with_key(key.secret());
        ensure!(
            header.expect_hasher(&hasher).is_ok(),
            "the key of --hash-key-file is not the one that it was built with, for their check \
             values differ: give that one"
        );
        Ok(Some(hasher))
    }
}
