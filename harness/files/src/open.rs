//! From a file to the filter in it, whatever it is.

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

/// A filter from a file.
pub struct Opened {
    pub filter: Box<dyn AnyFilter>,
    pub file_bytes: u64,
    closed: Option<Closed>,
}

/// Of a filter of ours whose keys cannot be asked for.
struct Closed {
    /// What the header says.
    header: Facts,
    /// What it would take: a secret key that was not given, or a hasher of a user's own.
    lacks_key: bool,
}

impl Opened {
    /// Statistics of its current contents, as [`AnyFilter::facts`].
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

/// What is known of files before they are read: all of them are opened alike.
#[derive(Clone, Debug, Default)]
pub struct Opener {
    /// The format; none if it is to be recognised by the bytes.
    pub format: Option<Format>,
    pub bitmap: Bitmap,
    /// That of a filter of ours whose hash has one; without it such a filter is for inspection
    /// only.
    pub key: Option<HashKey>,
}

impl Opener {
    /// Opens a filter that is to answer for keys.
    ///
    /// # Errors
    ///
    /// As of [`open_for_inspection`](Self::open_for_inspection), and of a filter whose hasher is
    /// not here.
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

    /// Opens a filter, in its own hashing. It is in memory once; what comes by a pipe is also
    /// kept as it came, while it is read.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, that is no filter (saying where that shows), bytes that
    /// do not say of which format they are, and a key that is not the filter's.
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

/// What to do where a format was named that the file does not have; a bitmap has no structure
/// that could be another's.
fn instead(format: Format) -> &'static str {
    match format {
        Format::GoZero | Format::Redisson => "",
        _ => "; leave out --as, or name another format",
    }
}

/// Enough of the mark is there for damage to be likelier than another format.
fn may_be_ours(start: &[u8]) -> bool {
    let same = start.iter().zip(&MAGIC).filter(|(a, b)| a == b);
    same.count() >= 4
}

/// The one format of another system that the bytes are of.
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

/// A file of ours, decoded: all of it is checked. With what its header says if its
/// hasher, or the key of that, is not here.
fn ours_of(source: &Source, key: Option<&HashKey>) -> Result<(Box<dyn AnyFilter>, Option<Closed>)> {
    let Some(header) = source.header(0) else {
        // It says where it is wrong.
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

/// The header of the first filter that another is made of.
fn inner_of(source: &Source) -> Option<Header> {
    let (facts, _) = kind(&source.header(0)?)?;
    source.header(facts.inner_header?)
}

/// Reads a file with this header, if the key of its hash is given or it has none.
type OpenFile = fn(&Header, &Source, Option<&HashKey>) -> Result<Option<Box<dyn AnyFilter>>>;

fn opened<H: Hasher, O: Origin<H>>(_: Words) -> (u16, OpenFile) {
    (H::ID, |header, source, key| {
        let hasher: Option<H> = O::stored(header, key)?;
        let opened = hasher.map(|hasher| of_hasher(Some(header), source, hasher));
        opened.transpose()
    })
}

/// The filter in a file with this header, of this hasher.
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
    // Any other is rejected by its number, by each.
    let (_, read) = own.or(readers.first()).context("no filter is known")?;
    read(inner_of(source).as_ref(), &Reading { source, hasher })
}

/// A file and its hasher.
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

/// In the place of a hasher that is not here, or whose key is not: filters are decoded and
/// measured without a key being hashed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placeholder;

impl KeyHasher for Placeholder {
    /// Of the users' range; in no file.
    const ID: u16 = 0xffff;
    const HASH_BITS: u32 = 64;

    fn seed(&self) -> u64 {
        0
    }

    fn hash(&self, _: &[u8]) -> KeyHash {
        KeyHash::new(0, 0)
    }
}
