//! Opens the filter in a file, in any format.

use std::{
    fs::{self, File},
    io::{self, Read, Seek},
    path::Path,
};

use anyhow::{Context, Result, anyhow, bail, ensure};
use bouquet_catalogue::{CatalogueFilter, Hasher, Load, Variant, every};
use bouquet_core::{KeyHash, KeyHasher, USER_HASHER_IDS};
use bouquet_format::{Decode, HEADER_BYTES, Header, MAGIC};
use bouquet_ground::detailed::Detailed;
use bouquet_interop::ReadError;

use super::{
    AnyFilter, Facts, Format, HashKey, Hashing, SecretArgs,
    foreign::{Bitmap, Foreign},
    hashing::Origin,
    native::{Native, kind, of_header},
};

/// A filter that was read from a file.
pub struct Opened {
    pub filter: Box<dyn AnyFilter>,
    pub file_bytes: u64,
    /// For a native filter that cannot answer lookups, since its hasher is missing: the facts in
    /// its header, with the reason as the note.
    closed: Option<Facts>,
}

impl Opened {
    /// Statistics of its current contents, as [`AnyFilter::facts`] returns.
    pub fn facts(&self, target_fpr: Option<f64>) -> Facts {
        let facts = self.filter.facts(target_fpr);
        match self.closed.clone() {
            None => facts,
            Some(Facts {
                hash, seed, note, ..
            }) => Facts {
                hash,
                seed,
                note,
                ..facts
            },
        }
    }
}

/// How to open files; all files are opened in the same way.
#[derive(clap::Args, Clone, Debug)]
pub struct Opener {
    /// The format of the file that is read. [default: recognised by its bytes]
    #[arg(long = "as", value_enum, value_name = "FORMAT")]
    as_format: Option<Format>,
    #[command(flatten)]
    bitmap: Bitmap,
    #[command(flatten)]
    pub secret: SecretArgs,
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
        if let Some(Facts { hash, note, .. }) = &opened.closed {
            let (path, note) = (path.display(), note.unwrap_or_default());
            bail!("{path}: its keys are hashed with {hash}: {note}");
        }
        Ok(opened)
    }

    /// Opens a filter with its own hashing. The filter is in memory once; input from a pipe is also
    /// kept unchanged while it is read.
    ///
    /// # Errors
    ///
    /// The file cannot be read; it is not a filter, with the position that shows it; its format
    /// cannot be recognised; or the key is not the filter's.
    pub fn open_for_inspection(&self, path: &Path) -> Result<Opened> {
        let shown = path.display();
        let source = Source::open(path).with_context(|| format!("cannot read {shown}"))?;
        let (filter, closed) = self.read(&source).with_context(|| shown.to_string())?;
        let format = filter.format();
        ensure!(
            self.secret.hash_key_file.is_none() || format == Format::Native,
            "{shown}: --hash-key-file: {format} has no hash with a secret key"
        );
        Ok(Opened {
            filter,
            file_bytes: source.len,
            closed,
        })
    }

    fn read(&self, source: &Source) -> Result<(Box<dyn AnyFilter>, Option<Facts>)> {
        // Half of the signature suffices: a damaged native file is more likely than another format.
        let same = source.start.iter().zip(&MAGIC).filter(|(a, b)| a == b);
        let is_ours = same.count() >= 4;
        let foreign = match self.as_format {
            None | Some(Format::Native) if is_ours => {
                return ours_of(source, self.secret.hash_key_file.as_ref());
            }
            Some(Format::Native) => {
                bail!("not a Bouquet file: no signature; leave out --as, or name another format")
            }
            None => recognised(source)?,
            Some(format) => {
                let read = source.foreign(format, &self.bitmap);
                let read = read.and_then(|own| {
                    let other = own.format;
                    ensure!(other == format, "byte 0: the file is {other}");
                    Ok(own)
                });
                // Bitmaps have no structure by which another format could be recognised.
                let advice = match format {
                    Format::GoZero | Format::Redisson => "",
                    _ => "; leave out --as, or name another format",
                };
                read.map_err(|error| anyhow!("as {format}: {error:#}{advice}"))?
            }
        };
        Ok((Box::new(foreign), None))
    }
}

/// The formats of other systems that can be recognised by their bytes.
const RECOGNISED: [Format; 5] = [
    Format::Go,
    Format::GoJson,
    Format::Guava,
    Format::Parquet,
    Format::Redisbloom,
];

/// Reads the file in the first format of another system that its bytes fit.
fn recognised(source: &Source) -> Result<Foreign> {
    let mut errors = Vec::new();
    for format in RECOGNISED {
        match source.foreign(format, &Bitmap::default()) {
            Ok(filter) => return Ok(filter),
            Err(error) => match error.downcast()? {
                ReadError::Source(error) => return Err(io::Error::into(error)),
                ReadError::Decode(error) => errors.push(format!("as {format}: {error}")),
            },
        }
    }
    let start: Vec<String> = source
        .start
        .iter()
        .take(4)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    bail!(Detailed::new(
        format!(
            "not a complete filter file (first bytes: {}). A Redis bitmap has no signature: pass \
             --as go-zero --bits M, or --as redisson --bits M --hashes K",
            start.join(" ")
        ),
        errors.join("\n")
    ))
}

/// Decodes a native file, which checks all of it. If its hasher or the secret key is not available,
/// also returns what the header says.
fn ours_of(source: &Source, key: Option<&HashKey>) -> Result<(Box<dyn AnyFilter>, Option<Facts>)> {
    let Some(header) = source.header(0) else {
        // The error says where the header is wrong.
        of_hasher(None, source, Placeholder)?;
        bail!("the header cannot be read");
    };
    let id = header.hasher();
    let known = Hashing::of_id(id);
    if let Some(hashing) = known
        && let Some(filter) = (hashing.open)(&header, source, key)?
    {
        return Ok((filter, None));
    }
    ensure!(
        known.is_some() || USER_HASHER_IDS.contains(&id),
        "at byte 12: there is no hasher {id}: a later release wrote the file, or it is no filter"
    );
    let closed = Facts {
        note: Some(match known {
            Some(_) => "the file does not contain the secret key: give --hash-key-file FILE",
            None => "this program does not know the hash: use `decode_with` in a program",
        }),
        ..of_header(&header, inner_of(source))
    };
    Ok((of_hasher(Some(&header), source, Placeholder)?, Some(closed)))
}

/// The header of the first part of a filter that consists of several.
fn inner_of(source: &Source) -> Option<Header> {
    let (facts, _) = kind(&source.header(0)?)?;
    source.header(facts.inner_header?)
}

/// Reads a file with this header; `None` if the key of its hash is needed and not given.
pub fn opened<H: Hasher, O: Origin<H>>(
    header: &Header,
    source: &Source,
    key: Option<&HashKey>,
) -> Result<Option<Box<dyn AnyFilter>>> {
    let hasher: Option<H> = O::hasher(0, Some(header), key)?;
    let opened = hasher.map(|hasher| of_hasher(Some(header), source, hasher));
    opened.transpose()
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

/// A file, or the bytes that came through a pipe, which can be read several times to recognise the
/// format.
pub struct Source {
    /// The file, unless all of its bytes are in `start`.
    file: Option<File>,
    /// The first bytes: at least three native headers, or the whole file if it is shorter.
    start: Vec<u8>,
    len: u64,
}

impl Source {
    fn open(path: &Path) -> io::Result<Self> {
        let is_stdin = path.as_os_str() == "-";
        let (mut file, mut start) = (None, Vec::new());
        if is_stdin {
            io::stdin().read_to_end(&mut start)?;
        } else if fs::metadata(path)?.is_file() {
            let opened = file.insert(File::open(path)?);
            opened.take(3 * HEADER_BYTES).read_to_end(&mut start)?;
        } else {
            File::open(path)?.read_to_end(&mut start)?;
        }
        let len = match &file {
            Some(file) => file.metadata()?.len(),
            None => start.len() as u64,
        };
        Ok(Self { file, start, len })
    }

    /// A reader of all bytes from the beginning.
    fn reader(&self) -> io::Result<Box<dyn Read + '_>> {
        Ok(match &self.file {
            Some(file) => {
                let mut file = file;
                file.rewind()?;
                Box::new(io::BufReader::with_capacity(1 << 18, file))
            }
            None => Box::new(&self.start[..]),
        })
    }

    /// The filter of another system in the file.
    fn foreign(&self, format: Format, bitmap: &Bitmap) -> Result<Foreign> {
        Foreign::read(format, self.len, &mut self.reader()?, bitmap)
    }

    /// The native header with index `i` from the start of the file, if there is one.
    fn header(&self, i: usize) -> Option<Header> {
        let (headers, _) = self.start.as_chunks();
        Header::from_bytes(headers.get(i)?, 0).ok()
    }
}
