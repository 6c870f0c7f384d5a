//! From a file to the filter in it, whatever it is.

use std::{io, path::Path};

use anyhow::{Context, Result, anyhow, bail};
use bouquet_catalogue::{File, Hasher, Judged, Load, hash::Words, judged};
use bouquet_core::{KeyHasher as _, USER_HASHER_IDS};
use bouquet_format::{Decode, Header, MAGIC, USER_VARIANT_IDS};
use bouquet_ground::detailed::Detailed;
use bouquet_interop::{DecodeError, ReadError, Term};

use super::{
    AnyFilter, Facts, Format, HashKey, Hashing,
    closed::Placeholder,
    foreign::{self, Bitmap},
    hashing::{Origin, hashers},
    kind::kind,
    native::{Native, of_header},
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
    /// Rejects what cannot be asked.
    ///
    /// # Errors
    ///
    /// Its hasher is not here.
    pub fn asked(self, path: &Path) -> Result<Self> {
        match &self.closed {
            None => Ok(self),
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

/// Opens a filter, in its own hashing, also one for inspection only.
/// Without a format that is recognised by the bytes. The key is that of a filter of ours
/// whose hash has one; without it such a filter is for inspection only.
///
/// Needs the memory of the filter and a buffer; what comes by a pipe is also kept
/// as it came, while it is read.
///
/// # Errors
///
/// A file that cannot be read, that is no filter (saying where that shows), bytes that
/// do not say of which format they are, and a key that is not the filter's.
pub fn open_for_inspection(
    path: &Path,
    format: Option<Format>,
    bitmap: Bitmap,
    key: Option<&HashKey>,
) -> Result<Opened> {
    let shown = path.display().to_string();
    let cannot = || format!("cannot read {shown}");
    let mut source = Source::open(path).with_context(cannot)?;
    let marked = may_be_ours(source.start());
    if marked || format.is_some() || may_be_theirs(&source).with_context(cannot)? {
        source.read_on().with_context(cannot)?;
    }
    let ours = format == Some(Format::Native) || (format.is_none() && marked);
    let found = if ours && !marked {
        Err(anyhow!(
            "not a Bouquet file: no signature; leave out --as, or name another format"
        ))
    } else if ours {
        ours_of(&source, key)
    } else {
        theirs_of(&source, format, bitmap).map(|filter| (filter, None))
    };
    let (filter, closed) = found.with_context(|| shown.clone())?;
    let format = filter.format();
    let lacks_sizes = matches!(format, Format::GoZero | Format::Redisson);
    if bitmap != Bitmap::default() && !lacks_sizes {
        bail!(
            "{shown}: --bits and --hashes are for bitmaps from Redis, which lack them; this is \
             {format}, and has them in it; leave both out"
        );
    }
    if key.is_some() && format != Format::Native {
        bail!("{shown}: --hash-key-file: {format} has no hash with a secret key");
    }
    Ok(Opened {
        filter,
        file_bytes: source.len,
        closed,
    })
}

/// What to do where a format was named that the file does not have; a bitmap has no structure
/// that could be another's.
fn instead(format: Format) -> &'static str {
    match format {
        Format::GoZero | Format::Redisson => "",
        _ => "; leave out --as, or name another format",
    }
}

/// A file of another system, in a format that was named or is recognised.
fn theirs_of(
    source: &Source,
    format: Option<Format>,
    bitmap: Bitmap,
) -> Result<Box<dyn AnyFilter>> {
    match format {
        Some(format) => foreign::read(format, (source.len, &mut source.reader()?), bitmap)
            .map_err(|error| anyhow!("as {format}: {error:#}{}", instead(format))),
        None => recognised(source, bitmap),
    }
}

/// What filter a file is, if it is one that is known by its bytes.
///
/// Costs a look at its first bytes, and a pass over all if it is one.
///
/// # Errors
///
/// A file that cannot be read.
pub fn recognise(source: &Source) -> io::Result<Option<Format>> {
    if source.start().starts_with(&MAGIC) {
        return Ok(Some(Format::Native));
    }
    let all = read_by_all(source)?.into_iter();
    Ok(all.filter_map(|(_, read)| Some(read.ok()?.format())).next())
}

/// Enough of the mark is there for damage to be likelier than another format.
fn may_be_ours(start: &[u8]) -> bool {
    let same = start.iter().zip(&MAGIC).filter(|(a, b)| a == b);
    same.count() >= 4
}

/// Whether some of the first bytes, or all, can be one that others made.
fn may_be_theirs(source: &Source) -> io::Result<bool> {
    let all = read_by_all(source)?;
    let may_be = |(_, read): &Read| match read {
        Ok(_) => true,
        Err(error) => wrong_length(error, source.len).is_some(),
    };
    Ok(all.iter().any(may_be))
}

/// Fewer bytes tell no format: those of a text are fields of some.
const SHORTEST: u64 = 16;

/// What is wrong, where that is only how many bytes there are: the first fields are right.
fn wrong_length(error: &DecodeError, len: u64) -> Option<&'static str> {
    // Blanks may be before the first field, and a field may be missing.
    if len < SHORTEST
        || error.offset == 0
        || error.wanted == Term::Words("{")
        || error.found == Term::Words("nothing")
    {
        return None;
    }
    match (error.found, error.wanted) {
        (Term::Bytes(found), Term::Bytes(wanted)) if found < wanted => Some("cut short"),
        (Term::Bytes(_), _) => Some("too long"),
        (_, Term::Bytes(_)) if error.found == Term::Words("less text") => Some("cut short"),
        _ if error.offset == len => Some("cut short"),
        _ if error.field == "end" => Some("too long"),
        _ => None,
    }
}

/// The one format of another system that the bytes are of.
fn recognised(source: &Source, bitmap: Bitmap) -> Result<Box<dyn AnyFilter>> {
    let (mut fit, mut not) = (Vec::new(), Vec::new());
    for (format, read) in read_by_all(source)? {
        match read {
            Ok(filter) => fit.push(filter),
            Err(error) => not.push((format, error)),
        }
    }
    if let [first, also @ ..] = &fit[..]
        && !also.is_empty()
    {
        let names: Vec<String> = also.iter().map(|filter| filter.format().name()).collect();
        bail!(
            "ambiguous: the bytes fit {} and {}; choose with --as",
            first.format(),
            names.join(" and ")
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
    // The reader that came furthest is likely to be the right one.
    not.sort_by_key(|(_, error)| std::cmp::Reverse(error.offset));
    let errors = not
        .iter()
        .map(|(format, error)| format!("as {format}: {error}"));
    let errors: Vec<String> = errors.collect();
    let begins = match start.is_empty() {
        true => "it is empty".to_owned(),
        false => format!("first bytes {}", start.join(" ")),
    };
    if source.start().starts_with(&GZIP) {
        bail!("not a filter file but packed by gzip: unpack it (gzip -dc)");
    }
    let likely = not.iter().find_map(|(format, error)| {
        let what = wrong_length(error, source.len)?;
        Some(format!(
            "likely {format}, and {what} ({error}): use a complete copy, of the filter alone"
        ))
    });
    if let Some(likely) = likely {
        bail!(Detailed::new(likely, errors.join("\n")));
    }
    bail!(Detailed::new(
        format!(
            "not a filter file ({begins}). A Redis bitmap has no signature: pass --as go-zero \
             --bits M, or --as redisson --bits M --hashes K"
        ),
        errors.join("\n")
    ))
}

/// How a file of gzip begins.
const GZIP: [u8; 3] = [0x1f, 0x8b, 8];

/// What the readers of others' formats make of some bytes: a filter, or why they cannot.
type Read = (Format, Result<Box<dyn AnyFilter>, DecodeError>);

fn read_by_all(source: &Source) -> io::Result<Vec<Read>> {
    let read = |format| {
        let filter = match foreign::structure(format, (source.len, &mut source.reader()?)) {
            Err(ReadError::Source(error)) => return Err(error),
            Err(ReadError::Decode(error)) => Err(error),
            Ok(filter) => Ok(filter),
        };
        Ok((format, filter))
    };
    foreign::RECOGNISED.into_iter().map(read).collect()
}

/// A file of ours, decoded: all of it is checked. With what its header says if its
/// hasher, or the key of that, is not here.
fn ours_of(source: &Source, key: Option<&HashKey>) -> Result<(Box<dyn AnyFilter>, Option<Closed>)> {
    let Some(header) = source.header(0) else {
        // It says where it is wrong.
        of_hasher(None, source, Placeholder)?;
        bail!("the header cannot be read");
    };
    if USER_VARIANT_IDS.contains(&header.variant()) && kind(&header).is_none() {
        bail!(
            "at byte 10: variant {} is a user's own: only the program that wrote it can read it",
            header.variant()
        );
    }
    let id = header.hasher();
    let known = Hashing::of_id(id);
    match known {
        Some(hashing) => {
            if let Some(filter) = hashing.pick(&hashers!(opened))?(&header, source, key)? {
                return Ok((filter, None));
            }
        }
        None if !USER_HASHER_IDS.contains(&id) => bail!(
            "at byte 12: there is no hasher {id}: this was written by a later release, or not by \
             a filter"
        ),
        None if key.is_some() => bail!(
            "its hash is a user's own, whose key cannot be given here: leave out --hash-key-file"
        ),
        None => {}
    }
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
    fn reader<J: Judged, H: Hasher>() -> (fn(&Header) -> bool, Reader<H>) {
        (
            |header| J::stored(header).is_some(),
            |inner, reading| J::load(inner, reading),
        )
    }
    let readers = judged!(reader, H);
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

    fn load<F: File + Decode<Hasher = H>>(&self) -> Result<Box<dyn AnyFilter>> {
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
