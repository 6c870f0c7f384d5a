//! Opens the filter in a file, in any format.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use bouquet_catalogue::{CatalogueFilter, Hasher, Load, Variant, every, hash::Words};
use bouquet_core::{KeyHash, KeyHasher, USER_HASHER_IDS};
use bouquet_format::{Decode, Header, MAGIC};
use bouquet_ground::detailed::Detailed;
use bouquet_interop::ReadError;

use super::{
    AnyFilter, Facts, Format, HashKey, Hashing,
    foreign::{self, Bitmap},
    hashing::{Origin, hashers},
    native::{Native, kind, of_header},
    source::Source,
};

/// A filter that was read from a file.
pub struct Opened {
    pub filter: Box<dyn AnyFilter>,
    pub file_bytes: u64,
    closed: Option<Closed>,
}

/// For a native filter that cannot answer lookups, since its hasher is missing.
struct Closed {
    /// The statistics according to the header.
    header: Facts,
    /// Whether a secret key is missing; otherwise a hasher defined by a user is.
    lacks_key: bool,
}

impl Opened {
    /// Statistics of its current contents, as [`AnyFilter::facts`] returns.
    pub fn facts(&self, target_fpr: Option<f64>) -> Facts {
        let facts = self.filter.facts(target_fpr);
        match &self.closed {
            None => facts,
            Some(Closed { header, lacks_key }) => Facts {
                hash: header.hash.clone(),
                seed: header.seed,
                note: Some(match lacks_key {
                    true => "the key of its hash is not in the file: --hash-key-file gives it",
                    false => "its hash is not known here: it cannot be asked",
                }),
                ..facts
            },
        }
    }
}

/// Options for opening files; all files are opened with the same.
#[derive(Clone, Debug, Default)]
pub struct Opener {
    /// The format; `None` to recognise it by the bytes.
    pub format: Option<Format>,
    pub bitmap: Bitmap,
    /// The secret key for a native filter whose hash needs one; without the key such a filter can
    /// only be inspected.
    pub key: Option<HashKey>,
}

impl Opener {
    /// Opens a filter for lookups.
    ///
    /// # Errors
    ///
    /// As for [`open_for_inspection`](Self::open_for_inspection), or the hasher of the filter is
    /// not available.
    pub fn open(&self, path: &Path) -> Result<Opened> {
        let opened = self.open_for_inspection(path)?;
        match &opened.closed {
            None => Ok(opened),
            Some(Closed { header, lacks_key }) => bail!(
                "{}: its keys are hashed with {}, which is not in the file{}",
                path.display(),
                header.hash,
                match lacks_key {
                    true => ": give --hash-key-file FILE, with the key that it was built with",
                    false => " and cannot be given here: ask it in a program, with `decode_with`",
                }
            ),
        }
    }

    /// Opens a filter with its own hashing. The filter is in memory once; input from a pipe is also
    /// kept unchanged while it is read.
    ///
    /// # Errors
    ///
    /// The file cannot be read; it is not a filter, with the position that shows it; its format
    /// cannot be recognised; or the key is not the filter's.
    pub fn open_for_inspection(&self, path: &Path) -> Result<Opened> {
        let shown = path.display().to_string();
        let source = Source::open(path).with_context(|| format!("cannot read {shown}"))?;
        let marked = may_be_ours(source.start());
        let found = match self.format {
            Some(Format::Native) if !marked => Err(anyhow!(
                "not a Bouquet file: no signature; leave out --as, or name another format"
            )),
            None if !marked => recognised(&source, self.bitmap).map(|filter| (filter, None)),
            None | Some(Format::Native) => ours_of(&source, self.key.as_ref()),
            Some(format) => foreign::read(format, (source.len, &mut source.reader()?), self.bitmap)
                .map(|filter| (filter, None))
                .map_err(|error| anyhow!("as {format}: {error:#}{}", instead(format))),
        };
        let (filter, closed) = found.with_context(|| shown.clone())?;
        let format = filter.format();
        let lacks_sizes = matches!(format, Format::GoZero | Format::Redisson);
        if self.bitmap != Bitmap::default() && !lacks_sizes {
            bail!(
                "{shown}: --bits and --hashes are for bitmaps from Redis, which lack them; this is \
                 {format}, and has them in it; leave both out"
            );
        }
        if self.key.is_some() && format != Format::Native {
            bail!("{shown}: --hash-key-file: {format} has no hash with a secret key");
        }
        Ok(Opened {
            filter,
            file_bytes: source.len,
            closed,
        })
    }
}

/// Advice if the file does not have the format that the user named. A bitmap has no structure by
/// which another format could be recognised.
fn instead(format: Format) -> &'static str {
    match format {
        Format::GoZero | Format::Redisson => "",
        _ => "; leave out --as, or name another format",
    }
}

/// Whether so many bytes of the signature are right that a damaged native file is more likely than
/// another format.
fn may_be_ours(start: &[u8]) -> bool {
    let same = start.iter().zip(&MAGIC).filter(|(a, b)| a == b);
    same.count() >= 4
}

/// Reads the file in the only format of another system that its bytes fit.
fn recognised(source: &Source, bitmap: Bitmap) -> Result<Box<dyn AnyFilter>> {
    let (mut fit, mut errors) = (Vec::new(), Vec::new());
    for format in foreign::RECOGNISED {
        match foreign::structure(format, (source.len, &mut source.reader()?)) {
            Err(ReadError::Source(error)) => return Err(error.into()),
            Err(ReadError::Decode(error)) => errors.push(format!("as {format}: {error}")),
            Ok(filter) => fit.push(filter),
        }
    }
    if let [first, second, ..] = &fit[..] {
        bail!(
            "ambiguous: the bytes fit {} and {}; choose with --as",
            first.format(),
            second.format()
        );
    }
    if let Some(filter) = fit.pop() {
        return Ok(filter);
    }
    if bitmap != Bitmap::default() {
        bail!(
            "ambiguous: with these sizes it may be a bitmap of go-zero or of Redisson; choose with \
             --as go-zero or --as redisson"
        );
    }
    let start = source.start().iter().take(4);
    let start: Vec<String> = start.map(|byte| format!("{byte:02x}")).collect();
    let begins = match start.is_empty() {
        true => "it is empty".to_owned(),
        false => format!("first bytes {}", start.join(" ")),
    };
    bail!(Detailed::new(
        format!(
            "not a filter file, or not a whole one ({begins}). A Redis bitmap has no signature: pass \
             --as go-zero --bits M, or --as redisson --bits M --hashes K"
        ),
        errors.join("\n")
    ))
}

/// Decodes a native file, which checks all of it. If its hasher or the secret key is not available,
/// also returns what the header says.
fn ours_of(source: &Source, key: Option<&HashKey>) -> Result<(Box<dyn AnyFilter>, Option<Closed>)> {
    let Some(header) = source.header(0) else {
        // The error says where the header is wrong.
        of_hasher(None, source, Placeholder)?;
        bail!("the header cannot be read");
    };
    let id = header.hasher();
    let known = Hashing::of_id(id);
    if let Some(hashing) = known
        && let Some(filter) = hashing.pick(&hashers!(opened))?(&header, source, key)?
    {
        return Ok((filter, None));
    }
    ensure!(
        known.is_some() || USER_HASHER_IDS.contains(&id),
        "at byte 12: there is no hasher {id}: this was written by a later release, or not by a filter"
    );
    let closed = Closed {
        header: of_header(&header, inner_of(source)),
        lacks_key: known.is_some(),
    };
    Ok((of_hasher(Some(&header), source, Placeholder)?, Some(closed)))
}

/// The header of the first part of a filter that consists of several.
fn inner_of(source: &Source) -> Option<Header> {
    let (facts, _) = kind(&source.header(0)?)?;
    source.header(facts.inner_header?)
}

/// Reads a file with this header; `None` if the key of its hash is needed and not given.
type OpenFile = fn(&Header, &Source, Option<&HashKey>) -> Result<Option<Box<dyn AnyFilter>>>;

fn opened<H: Hasher, O: Origin<H>>(_: Words) -> (u16, OpenFile) {
    (H::ID, |header, source, key| {
        let hasher: Option<H> = O::stored(header, key)?;
        let opened = hasher.map(|hasher| of_hasher(Some(header), source, hasher));
        opened.transpose()
    })
}

/// Reads the filter in a file with this header and hasher.
fn of_hasher<H: Hasher>(
    header: Option<&Header>,
    source: &Source,
    hasher: H,
) -> Result<Box<dyn AnyFilter>> {
    type Reader<H> = fn(Option<&Header>, &Reading<'_, H>) -> Result<Box<dyn AnyFilter>>;
    fn reader<V: Variant, H: Hasher>() -> (fn(&Header) -> bool, Reader<H>) {
        (
            |header| V::stored(header).is_some(),
            |inner, reading| V::load(inner, reading),
        )
    }
    let readers = every!(reader, H);
    let own = readers
        .iter()
        .find(|(is_own, _)| header.is_some_and(is_own));
    // A file with an unknown variant is rejected by any reader, with the variant's number.
    let (_, read) = own.or(readers.first()).context("no filter is known")?;
    read(inner_of(source).as_ref(), &Reading { source, hasher })
}

/// A file, and the hasher for the filter in it.
struct Reading<'a, H> {
    source: &'a Source,
    hasher: H,
}

impl<H: Hasher> Load for Reading<'_, H> {
    type Loaded = Box<dyn AnyFilter>;
    type Hasher = H;

    fn load<F: CatalogueFilter + Decode<Hasher = H>>(&self) -> Result<Box<dyn AnyFilter>> {
        let (reader, len) = (self.source.reader()?, self.source.len);
        let hasher = self.hasher.clone();
        let filter = if H::ID == Placeholder::ID {
            F::decode_for_inspection(reader, len, hasher)
        } else {
            F::decode_from_with(reader, len, hasher)
        };
        Ok(Box::new(Native(filter?)))
    }
}

/// Stands for a hasher that is not available, or whose key is not: filters can be decoded and
/// inspected without hashing a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placeholder;

impl KeyHasher for Placeholder {
    /// A number from the range for user-defined hashers; no file contains it.
    const ID: u16 = 0xffff;
    const HASH_BITS: u32 = 64;

    fn seed(&self) -> u64 {
        0
    }

    fn hash(&self, _: &[u8]) -> KeyHash {
        KeyHash::new(0, 0)
    }
}
