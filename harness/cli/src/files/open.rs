//! Opens the filter in a file, in any format.

use std::{
    fs::{self, File},
    io::{self, Read, Seek},
    path::Path,
};

use anyhow::{Context, Result, anyhow, bail, ensure};
use bouquet_catalogue::{CatalogueFilter, FilterInfo, Hasher, Load, for_each_filter};
use bouquet_format::{Decode, HEADER_BYTES, Header, MAGIC};
use bouquet_hash::Folded;
use bouquet_interop::ReadError;
use bouquet_record::{detailed::Detailed, units::hex};

use super::{
    AnyFilter, Format, HashKey, Hashing, SecretArgs,
    foreign::{Bitmap, Foreign},
    hashing::Origin,
    native::{Native, kind},
};

/// Flags for opening filter files. They apply to all files of the command.
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
    /// Opens a filter; also returns the length of its file. Input from a pipe takes memory twice
    /// while it is decoded: its bytes, and the filter.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is not a filter, or has an unknown format or hash; or the secret
    /// key is missing or wrong.
    pub fn open(&self, path: &Path) -> Result<(Box<dyn AnyFilter>, u64)> {
        let shown = path.display();
        let source = Source::open(path).with_context(|| format!("cannot read {shown}"))?;
        let filter = self.read(&source).with_context(|| shown.to_string())?;
        let format = filter.format();
        if self.secret.hash_key_file.is_some() && format != Format::Native {
            bail!("{shown}: --hash-key-file: {format} has no hash with a secret key");
        }
        Ok((filter, source.len))
    }

    fn read(&self, source: &Source) -> Result<Box<dyn AnyFilter>> {
        // A file with half of our signature is more likely a damaged file of ours than a file of
        // another format.
        let same = source.start.iter().zip(&MAGIC).filter(|(a, b)| a == b);
        let (is_ours, key) = (same.count() >= 4, self.secret.hash_key_file.as_ref());
        let foreign = match self.as_format {
            None | Some(Format::Native) if is_ours => return ours_of(source, key),
            Some(Format::Native) => {
                bail!("not a Bouquet file: no signature; leave out --as, or name another format")
            }
            None => recognised(source)?,
            Some(format) => {
                let read = source.foreign(format, &self.bitmap).and_then(|own| {
                    ensure!(own.format == format, "byte 0: the file is {}", own.format);
                    Ok(own)
                });
                // A bitmap needs `--as`, so it would be wrong to advise to leave that out.
                let advice = match format {
                    Format::GoZero | Format::Redisson => "",
                    _ => "; leave out --as, or name another format",
                };
                read.map_err(|error| anyhow!("as {format}: {error:#}{advice}"))?
            }
        };
        Ok(Box::new(foreign))
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

/// Reads the file in the only format of `RECOGNISED` that its bytes fit.
fn recognised(source: &Source) -> Result<Foreign> {
    let (mut found, mut errors) = (None::<Foreign>, Vec::new());
    for format in RECOGNISED {
        match source.foreign(format, &Bitmap::default()) {
            Ok(filter) => {
                // In the wrong format, lookups would not find the keys, so the user must choose.
                if let Some(Foreign { format: first, .. }) = found.replace(filter) {
                    bail!("ambiguous: fits {first} and {format}; choose with --as");
                }
            }
            Err(error) => match error.downcast()? {
                ReadError::Source(error) => return Err(io::Error::into(error)),
                ReadError::Decode(error) => errors.push(format!("as {format}: {error}")),
            },
        }
    }
    let first = hex(&source.start[..source.start.len().min(4)]);
    let words = format!(
        "not a filter file, or one that is cut short (first bytes: {first}). If it is a Redis bitmap, \
         pass --as go-zero --bits M, or --as redisson --bits M --hashes K"
    );
    found.ok_or_else(|| Detailed::new(words, errors.join("\n")).into())
}

/// Decodes a file in our format. This checks the whole file.
fn ours_of(source: &Source, key: Option<&HashKey>) -> Result<Box<dyn AnyFilter>> {
    let Some(header) = source.header(0) else {
        // The header is invalid, so decoding fails, with an error that says what is wrong.
        return of_hasher(None, source, Folded::default());
    };
    let id = header.hasher();
    let hashing = Hashing::of_id(id).with_context(|| {
        format!("at byte 12: this program does not know hasher {id}: use the program that wrote it")
    })?;
    (hashing.open)(&header, source, key)
}

/// Reads the filter in a file whose header names the hasher `H`.
pub fn opened<H: Hasher, O: Origin<H>>(
    header: &Header,
    source: &Source,
    key: Option<&HashKey>,
) -> Result<Box<dyn AnyFilter>> {
    of_hasher(Some(header), source, O::hasher(0, Some(header), key)?)
}

/// Reads the filter in a file with this header and hasher.
fn of_hasher<H: Hasher>(
    header: Option<&Header>,
    source: &Source,
    hasher: H,
) -> Result<Box<dyn AnyFilter>> {
    type Reader<H> = fn(Option<&Header>, &Reading<'_, H>) -> Result<Box<dyn AnyFilter>>;
    fn reader<V: FilterInfo, H: Hasher>() -> (fn(&Header) -> bool, Reader<H>) {
        let read: Reader<H> = |inner, reading| V::load(inner, reading);
        (|header| V::stored(header).is_some(), read)
    }
    let readers = for_each_filter!(reader, H);
    let is_own = |(is_own, _): &&(fn(&Header) -> bool, _)| header.is_some_and(is_own);
    // For an unknown variant, any reader serves: it fails, and its error has the variant's number.
    let own = readers.iter().find(is_own).or(readers.first());
    let (_, read) = own.context("no filter is known")?;
    // The header of the first part, such as a shard, if the filter has several parts.
    let facts = source.header(0).and_then(|header| Some(kind(&header)?.0));
    let inner = facts.and_then(|facts| source.header(facts.inner_header?));
    read(inner.as_ref(), &Reading { source, hasher })
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
        let filter = F::decode_from_with(reader, len, self.hasher.clone())?;
        Ok(Box::new(Native(filter)))
    }
}

/// The bytes of a file or a pipe. They can be read several times, to recognise the format.
pub struct Source {
    /// The file; `None` if all of its bytes are in `start`.
    file: Option<File>,
    /// The first bytes, at least as many as in three native headers; all bytes if there are fewer.
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

    /// Reads the file as a filter of another system.
    fn foreign(&self, format: Format, bitmap: &Bitmap) -> Result<Foreign> {
        Foreign::read(format, self.len, &mut self.reader()?, bitmap)
    }

    /// Parses the start of the file as consecutive native headers; returns the one with index `i`.
    fn header(&self, i: usize) -> Option<Header> {
        let (headers, _) = self.start.as_chunks();
        Header::from_bytes(headers.get(i)?, 0).ok()
    }
}
