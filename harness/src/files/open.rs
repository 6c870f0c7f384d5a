//! From a file to the filter in it, whatever it is.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use anyhow::{Context, Result, anyhow, bail};
use bouquet_blocked::{BlockedBloom, Line, Words32, Words64};
use bouquet_core::{Inner, KeyHasher as _, SeededHasher};
use bouquet_counting::CountingBloom;
use bouquet_cuckoo::CuckooFilter;
use bouquet_format::{Decode, Document, HEADER_BYTES, Header, MAGIC, variant};
use bouquet_hash::{Xxh3, Xxh3Wide};
use bouquet_partitioned::PartitionedBloom;
use bouquet_scalable::ScalableBloom;
use bouquet_sharded::ShardedBloom;
use bouquet_standard::StandardBloom;

use super::{
    Facts, Format, Held, foreign,
    native::{Native, Variant, of_header},
};

/// m and k of a bitmap, which has neither in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bitmap {
    pub size_bits: Option<u64>,
    pub hashes: Option<u32>,
}

/// A filter from a file.
pub struct Opened {
    pub held: Box<dyn Held>,
    pub file_bytes: u64,
}

/// What a file is, as far as it can be told here.
pub enum Found {
    /// A filter that can be asked.
    Filter(Opened),
    /// A whole and undamaged file of ours whose keys cannot be asked for: the
    /// hasher is a user's own or has a secret key.
    Closed { facts: Facts, file_bytes: u64 },
}

/// Opens a filter, in its own hashing. Without a format that is recognised by
/// the bytes.
///
/// Needs the memory of the filter and a buffer; for a format of another system
/// also that of the file while it is read.
///
/// # Errors
///
/// A file that cannot be read, that is no filter (saying where that shows), and
/// bytes that do not tell of which format they are.
pub fn open(path: &Path, format: Option<Format>, bitmap: Bitmap) -> Result<Opened> {
    match look(path, format, bitmap)? {
        Found::Filter(opened) => Ok(opened),
        Found::Closed { facts, .. } => bail!(
            "{}: its keys are hashed with {}, which is not in the file and cannot be given here: \
             ask it in a program, with `decode_with`",
            path.display(),
            facts.hash
        ),
    }
}

/// The same, with files that can be looked at and not be asked.
///
/// # Errors
///
/// As [`open`].
pub fn look(path: &Path, format: Option<Format>, bitmap: Bitmap) -> Result<Found> {
    let shown = path.display().to_string();
    let mut source = Source::open(path).with_context(|| format!("cannot read {shown}"))?;
    let file_bytes = source.len;
    let ours = format == Some(Format::Native) || (format.is_none() && looks_ours(&source.start));
    if ours {
        return ours_of(source).with_context(|| shown);
    }
    let bytes = source
        .bytes()
        .with_context(|| format!("cannot read {shown}"))?;
    let held = match format {
        Some(format) => {
            foreign::read(format, &bytes, bitmap).map_err(|error| anyhow!("as {format}: {error:#}"))
        }
        None => recognised(&bytes, bitmap),
    };
    let held = held.with_context(|| shown)?;
    Ok(Found::Filter(Opened { held, file_bytes }))
}

/// Enough of the mark is there for damage to be likelier than another format.
fn looks_ours(start: &[u8]) -> bool {
    let same = start.iter().zip(&MAGIC).filter(|(a, b)| a == b);
    same.count() >= 4
}

/// The one format of another system that the bytes are of.
fn recognised(bytes: &[u8], bitmap: Bitmap) -> Result<Box<dyn Held>> {
    let mut fitting = Vec::new();
    let mut errors = Vec::new();
    for format in foreign::RECOGNISED {
        match foreign::structure(format, bytes) {
            Ok(held) => fitting.push((held.format(), held)),
            Err(error) => errors.push((error.offset, format!("as {format}: {error}"))),
        }
    }
    if let [_] = fitting[..]
        && let Some((_, held)) = fitting.pop()
    {
        return Ok(held);
    }
    if !fitting.is_empty() {
        let names: Vec<&str> = fitting.iter().map(|(format, _)| format.name()).collect();
        bail!(
            "ambiguous: the bytes fit {}; tell which with --as",
            names.join(" and ")
        );
    }
    // The reader that came furthest is likely to be the right one.
    errors.sort_by_key(|(offset, _)| std::cmp::Reverse(*offset));
    let errors: Vec<String> = errors.into_iter().map(|(_, error)| error).collect();
    let bitmap = match (bitmap.size_bits, bitmap.hashes) {
        (None, None) => "a bitmap from Redis has nothing to know it by",
        _ => "ambiguous: with these sizes it may be a bitmap of go-zero or of Redisson",
    };
    bail!(
        "no filter is recognised by its bytes. ({bitmap}: tell with --as go-zero --bits M or --as \
         redisson --bits M --hashes K.) Read {}",
        errors.join("; ")
    )
}

/// A file of which the first bytes were looked at.
struct Source {
    start: Vec<u8>,
    rest: Box<dyn Read>,
    len: u64,
}

/// Headers of a filter and of two within it.
const START: u64 = 3 * HEADER_BYTES;

impl Source {
    fn open(path: &Path) -> io::Result<Self> {
        let there = if path.as_os_str() == "-" {
            None
        } else {
            Some(fs::metadata(path)?)
        };
        let (mut rest, len): (Box<dyn Read>, _) = match there {
            Some(there) if there.is_file() => {
                let file = io::BufReader::with_capacity(1 << 18, File::open(path)?);
                (Box::new(file), there.len())
            }
            // Its length shows when it has been read.
            pipe => {
                let mut bytes = Vec::new();
                match pipe {
                    Some(_) => File::open(path)?.read_to_end(&mut bytes)?,
                    None => io::stdin().read_to_end(&mut bytes)?,
                };
                let len = bytes.len() as u64;
                (Box::new(io::Cursor::new(bytes)), len)
            }
        };
        let mut start = Vec::new();
        rest.by_ref().take(START).read_to_end(&mut start)?;
        Ok(Self { start, rest, len })
    }

    fn reader(self) -> impl Read {
        io::Cursor::new(self.start).chain(self.rest)
    }

    fn bytes(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = std::mem::take(&mut self.start);
        self.rest.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Header number `i` from the start of the file, if there is one.
    fn header(&self, i: usize) -> Option<Header> {
        let (headers, _) = self.start.as_chunks();
        Header::from_bytes(headers.get(i)?, 0).ok()
    }
}

/// A file of ours, decoded: all of it is checked.
fn ours_of(mut source: Source) -> Result<Found> {
    let Some(header) = source.header(0) else {
        // It says where it is wrong.
        StandardBloom::<Xxh3>::decode(&source.bytes()?)?;
        bail!("the header cannot be read");
    };
    match header.hasher() {
        Xxh3::ID => of_hasher::<Xxh3>(header, source),
        Xxh3Wide::ID => of_hasher::<Xxh3Wide>(header, source),
        _ => closed(source),
    }
}

/// A file whose hasher is not here: all but the slots is checked.
fn closed(mut source: Source) -> Result<Found> {
    let inner = inner_of(&source);
    let bytes = source.bytes()?;
    let document = Document::open(&bytes)?;
    document.verify()?;
    Ok(Found::Closed {
        facts: Facts {
            note: Some("the hash is not in the file: only what the header says is shown"),
            ..of_header(&document.record.header, inner)
        },
        file_bytes: bytes.len() as u64,
    })
}

/// The header of the first filter that another is made of.
fn inner_of(source: &Source) -> Option<Header> {
    match source.header(0)?.variant() {
        variant::SCALABLE => source.header(2),
        variant::SHARDED => source.header(1),
        _ => None,
    }
}

fn of_hasher<H: SeededHasher + 'static>(header: Header, source: Source) -> Result<Found> {
    let inner = inner_of(&source);
    let layout = |header: &Header| header.parameters()[1];
    match header.variant() {
        variant::COUNTING => load::<CountingBloom<H>>(source),
        variant::PARTITIONED => load::<PartitionedBloom<H>>(source),
        variant::BLOCKED => match layout(&header) {
            2 => load::<BlockedBloom<Words32, H>>(source),
            3 => load::<BlockedBloom<Line, H>>(source),
            _ => load::<BlockedBloom<Words64, H>>(source),
        },
        variant::CUCKOO => load::<CuckooFilter<H>>(source),
        variant::SCALABLE | variant::SHARDED => {
            let grows = header.variant() == variant::SCALABLE;
            match inner.map(|inner| (inner.variant(), layout(&inner))) {
                Some((variant::COUNTING, _)) => nested::<CountingBloom<H>>(grows, source),
                Some((variant::PARTITIONED, _)) => nested::<PartitionedBloom<H>>(grows, source),
                Some((variant::BLOCKED, 2)) => nested::<BlockedBloom<Words32, H>>(grows, source),
                Some((variant::BLOCKED, 3)) => nested::<BlockedBloom<Line, H>>(grows, source),
                Some((variant::BLOCKED, _)) => nested::<BlockedBloom<Words64, H>>(grows, source),
                _ => nested::<StandardBloom<H>>(grows, source),
            }
        }
        // Any other is refused by its number.
        _ => load::<StandardBloom<H>>(source),
    }
}

fn nested<F>(grows: bool, source: Source) -> Result<Found>
where
    F: Inner + Variant + Decode<Hasher = <F as Inner>::Hasher>,
    <F as Inner>::Hasher: SeededHasher,
    ShardedBloom<F>: Variant,
{
    if grows {
        load::<ScalableBloom<F>>(source)
    } else {
        load::<ShardedBloom<F>>(source)
    }
}

fn load<F: Variant + Decode<Hasher: SeededHasher>>(source: Source) -> Result<Found> {
    let file_bytes = source.len;
    let filter = F::decode_from(source.reader(), file_bytes)?;
    Ok(Found::Filter(Opened {
        held: Box::new(Native(filter)),
        file_bytes,
    }))
}
