//! The hash functions of filters in our own file format.

use std::{fmt, fs::File, io::Read, path::PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use bouquet_catalogue::{Hasher, hash::Words};
use bouquet_core::SeededHasher;
use bouquet_format::Header;
use bouquet_hash::SipKeyed;
use clap::{
    ValueEnum,
    builder::{PathBufValueParser, PossibleValue, TypedValueParser as _},
};

use crate::output::in_words;

use super::{
    AnyFilter, Kind, Request,
    keys::unhex,
    make::made,
    open::{Source, opened},
};

type Open = fn(&Header, &Source, Option<&HashKey>) -> Result<Box<dyn AnyFilter>>;

/// A hash function of native filters.
#[derive(Clone, Copy, Debug)]
pub struct Hashing {
    id: u16,
    /// Whether the hash function has a secret key instead of a seed.
    pub keyed: bool,
    pub words: Words,
    /// Makes a filter with this hash.
    pub make: fn(&Request, &Kind) -> Result<Box<dyn AnyFilter>>,
    /// Opens a file whose header names this hash.
    pub open: Open,
}

/// All hash functions; the first is the default.
static ALL: &[Hashing] = &bouquet_catalogue::seeded!(hashing, Seeded; hashing::<SipKeyed, Keyed>(
    bouquet_catalogue::hash::words(
        "sip-keyed",
        "64 bits under a secret key, for adversarial keys; slower",
        "SipHash-1-3 with a secret key",
    ),
));

const fn hashing<H: Hasher, O: Origin<H>>(words: Words) -> Hashing {
    Hashing {
        id: H::ID,
        keyed: H::KEYED,
        words,
        make: made::<H, O>,
        open: opened::<H, O>,
    }
}

impl Hashing {
    /// The hash function with this number, which is stored in files.
    pub fn of_id(id: u16) -> Option<&'static Self> {
        ALL.iter().find(|hashing| hashing.id == id)
    }

    /// Checks that a seed or a secret key is given only for a hash that takes it, and that a key is
    /// given for a hash that needs one.
    ///
    /// # Errors
    ///
    /// The message says what to give instead.
    pub fn check(&self, seed: Option<u64>, key: Option<&HashKey>) -> Result<()> {
        let name = self.words.name;
        match (self.keyed, seed, key) {
            (true, _, None) => bail!(
                "--hasher {name} needs a secret key: give --hash-key-file FILE ({})",
                HashKey::HOW
            ),
            (true, Some(_), _) => {
                bail!("--seed: the hash {name} has --hash-key-file and no seed: leave it out")
            }
            (false, _, Some(_)) => {
                bail!("--hash-key-file: the hash {name} has no secret key: add --hasher sip-keyed")
            }
            _ => Ok(()),
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
    /// Creates the hasher of the filter in the file with this header or, without a header, of a new
    /// filter with this seed.
    fn hasher(seed: u64, header: Option<&Header>, key: Option<&HashKey>) -> Result<H>;
}

/// Creates a hasher from a seed. Only the header's seed is used here; what else the header says
/// about the hasher is checked when the filter is decoded.
pub struct Seeded;

impl<H: SeededHasher> Origin<H> for Seeded {
    fn hasher(seed: u64, header: Option<&Header>, key: Option<&HashKey>) -> Result<H> {
        if key.is_some() {
            bail!("its hash has no secret key: leave out --hash-key-file");
        }
        Ok(H::from_seed(header.map_or(seed, |header| header.seed())))
    }
}

/// Creates a hasher from a secret key.
pub struct Keyed;

impl Origin<SipKeyed> for Keyed {
    fn hasher(_: u64, header: Option<&Header>, key: Option<&HashKey>) -> Result<SipKeyed> {
        if let Some(header) = header {
            header.expect_hasher_type::<SipKeyed>()?;
        }
        let key = key.context(
            "its keys are hashed by SipHash with a secret key, which the file does not contain: give \
             --hash-key-file FILE",
        )?;
        let hasher = SipKeyed::with_key(key.secret);
        if header.is_some_and(|header| header.expect_hasher(&hasher).is_err()) {
            bail!("the key in --hash-key-file is not the one it was built with: give that one");
        }
        Ok(hasher)
    }
}

/// The secret key, for a hash that needs one.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct SecretArgs {
    /// A file with the secret key of the hash sip-keyed: 32 hex digits, or 16 bytes.
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().try_map(HashKey::read))]
    pub hash_key_file: Option<HashKey>,
}

#[derive(Clone)]
pub struct HashKey {
    secret: [u8; 16],
    /// The file that the key was read from; empty for a random key.
    pub path: PathBuf,
}

impl HashKey {
    /// How to make a key file.
    pub const HOW: &str = "openssl rand -hex 16 > FILE makes one";

    /// Reads a key from a file of 16 bytes, or of 32 hex digits with or without a line break. The
    /// error does not show the contents.
    fn read(path: PathBuf) -> Result<Self, String> {
        let (mut bytes, name) = (Vec::new(), path.display().to_string());
        let read = File::open(&path).and_then(|file| file.take(64).read_to_end(&mut bytes));
        let read = read.with_context(|| format!("cannot read the key in {name}"));
        read.map_err(|error| in_words(&error))?;
        let secret = Self::of_bytes(&bytes).ok_or_else(|| {
            let how = Self::HOW;
            format!("{name} is no key: give a file of 32 hex digits or of 16 bytes ({how})")
        })?;
        Ok(Self { secret, path })
    }

    fn of_bytes(bytes: &[u8]) -> Option<[u8; 16]> {
        if let Ok(secret) = bytes.try_into() {
            return Some(secret);
        }
        let line = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let mut decoded = Vec::new();
        unhex(line.strip_suffix(b"\r").unwrap_or(line), &mut decoded).ok()?;
        decoded.try_into().ok()
    }

    /// Creates a key from the system's random source, for a filter that is not saved.
    ///
    /// # Errors
    ///
    /// The system has no random source.
    pub fn random() -> Result<Self> {
        let mut secret = [0; 16];
        getrandom::fill(&mut secret).map_err(|error| anyhow!("no random key: {error}"))?;
        let path = PathBuf::new();
        Ok(Self { secret, path })
    }
}

/// Does not print the secret key.
impl fmt::Debug for HashKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HashKey")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_its_bytes_or_its_digits() {
        let of_bytes = HashKey::of_bytes;
        let want: [u8; 16] = std::array::from_fn(|i| 17 * i as u8);
        let hex = "00112233445566778899aAbBcCdDeEfF";
        for bytes in [hex.to_owned(), format!("{hex}\n"), format!("{hex}\r\n")] {
            assert_eq!(of_bytes(bytes.as_bytes()), Some(want), "{bytes:?}");
        }
        assert_eq!(of_bytes(&want), Some(want));
        assert_eq!(of_bytes(b"0123456789abcdef"), Some(*b"0123456789abcdef"));
        for bytes in [
            String::new(),
            "\n".to_owned(),
            hex[1..].to_owned(),
            format!("{hex}0"),
            format!("{hex}00"),
            format!("{hex}\n\n"),
            format!(" {hex}"),
            hex.replace('f', "g"),
            hex.replace('F', "\u{e9}"),
        ] {
            assert_eq!(of_bytes(bytes.as_bytes()), None, "{bytes:?}");
        }
    }

    #[test]
    fn it_is_not_shown_and_not_the_same_twice() {
        assert_eq!(format!("{:?}", HashKey::random().unwrap()), "HashKey");
        let [one, other] = [(); 2].map(|()| HashKey::random().unwrap().secret);
        assert_ne!(one, other);
    }
}
