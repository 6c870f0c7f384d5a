//! Operations on a filter as a whole.

use std::time::Duration;

use bouquet_format::{Document, checksum};
use redis::{ConnectionLike, Value};

use crate::{
    Error, Native, RemoteBitmap, Result, Scheme,
    bitmap::whole,
    draft::Draft,
    error::{shown, unexpected},
    marked::{Marked, following},
    name::Name,
    ours::{Kind, delete},
    settings::{Settings, check_size},
    wire::{Blocking, Wire, now},
};

/// Bytes that are read or counted at a time, so that no client waits long for it.
const PIECE: u64 = 1 << 20;

/// The fill past which a filter should be rebuilt.
const FULL: f64 = 0.5;

/// Statistics of the current contents.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Info {
    /// Bits that keys are located in (m).
    pub size_bits: u64,
    /// Probes per key (k).
    pub hashes: u32,
    /// Bits set.
    pub ones: u64,
    /// The false-positive rate now, from the bits.
    pub estimated_fpr: f64,
    /// The time left, if it expires.
    pub ttl: Option<Duration>,
}

impl Info {
    /// Bits set over bits.
    pub fn fill_ratio(&self) -> f64 {
        self.ones as f64 / self.size_bits as f64
    }

    /// The number of keys that most likely set so many bits.
    pub fn estimated_keys(&self) -> f64 {
        bouquet_core::math::estimated_keys(self.size_bits, self.hashes, self.fill_ratio())
    }

    /// Whether more than half of the bits are set: rebuild it for more keys.
    pub fn is_full(&self) -> bool {
        self.fill_ratio() > FULL
    }
}

impl<S: Scheme> RemoteBitmap<S> {
    /// Makes the filter expire, string and settings together.
    ///
    /// # Errors
    ///
    /// [`Error::FilterLost`] if one of the two is not there; [`Error`].
    pub fn expire(&self, connection: &mut impl ConnectionLike, after: Duration) -> Result<()> {
        now(self.expire_on(&mut Blocking(connection), after))
    }

    /// The time left until the filter expires: that of the key that expires first.
    ///
    /// # Errors
    ///
    /// [`Error`].
    pub fn ttl(&self, connection: &mut impl ConnectionLike) -> Result<Option<Duration>> {
        now(self.ttl_on(&mut Blocking(connection)))
    }

    /// Deletes the filter, string and settings together, whatever is left of it; returns whether
    /// anything existed.
    ///
    /// # Errors
    ///
    /// [`Error::OtherType`] if one of its keys is of another type, and not a filter's.
    pub fn delete(connection: &mut impl ConnectionLike, name: impl AsRef<[u8]>) -> Result<bool> {
        let name = Name::new(name.as_ref(), S::HAS_CONFIG)?;
        now(delete(&mut Blocking(connection), &name, Kind::Bitmap))
    }

    /// Counts the bits, a mebibyte at a time.
    ///
    /// # Errors
    ///
    /// [`Error`].
    pub fn info(&self, connection: &mut impl ConnectionLike) -> Result<Info> {
        now(self.info_on(&mut Blocking(connection)))
    }

    pub(crate) async fn info_on(&self, wire: &mut impl Wire) -> Result<Info> {
        following!(self, wire, |filter| filter.info_once(wire))
    }

    async fn info_once(&self, wire: &mut impl Wire) -> Result<Info> {
        let mut ones = 0;
        for (first, last) in self.pieces() {
            let mut all = self.transaction();
            all.cmd("BITCOUNT").arg(self.name()).arg(first).arg(last);
            for reply in self.transact(wire, "BITCOUNT", &all).await? {
                ones += whole("BITCOUNT", &reply)?.max(0) as u64;
            }
        }
        let size_bits = self.scheme().size_bits();
        Ok(Info {
            size_bits,
            hashes: self.scheme().hashes(),
            ones,
            estimated_fpr: self.scheme().fpr_now(ones as f64 / size_bits as f64),
            ttl: self.ttl_once(wire).await?,
        })
    }

    /// First and last byte of each piece of the string.
    fn pieces(&self) -> impl Iterator<Item = (u64, u64)> + use<S> {
        let bytes = self.scheme().string_bytes();
        (0..bytes.div_ceil(PIECE)).map(move |i| (i * PIECE, ((i + 1) * PIECE).min(bytes) - 1))
    }

    /// The bytes of the string. Keys that are inserted meanwhile may be in it.
    pub(crate) async fn string_on(&self, wire: &mut impl Wire) -> Result<Vec<u8>> {
        let bytes = self.scheme().string_bytes() as usize;
        let mut string = Vec::new();
        if string.try_reserve_exact(bytes).is_err() {
            let bytes = bytes as u64;
            return Err(Error::Spec(bouquet_core::SpecError::OutOfMemory { bytes }));
        }
        for (first, last) in self.pieces() {
            let mut all = self.transaction();
            all.cmd("GETRANGE").arg(self.name()).arg(first).arg(last);
            for reply in self.transact(wire, "GETRANGE", &all).await? {
                let Value::BulkString(piece) = reply else {
                    return Err(unexpected("GETRANGE", &reply));
                };
                string.extend_from_slice(&piece);
                // A string of another program ends with its last byte that is not 0.
                string.resize((last + 1) as usize, 0);
            }
        }
        Ok(string)
    }

    /// The filter's string: for go-zero and Redisson the contents of their files.
    ///
    /// # Errors
    ///
    /// [`Error`].
    pub fn string(&self, connection: &mut impl ConnectionLike) -> Result<Vec<u8>> {
        now(self.string_on(&mut Blocking(connection)))
    }

    /// A new filter with the bits of this string.
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create); [`Error::Incompatible`] if the string is longer than
    /// the scheme's.
    pub fn create_of(
        connection: &mut impl ConnectionLike,
        name: impl AsRef<[u8]>,
        scheme: S,
        string: &[u8],
    ) -> Result<Self> {
        let wire = &mut Blocking(connection);
        now(Self::create_of_on(wire, name.as_ref(), scheme, string))
    }

    pub(crate) async fn create_of_on(
        wire: &mut impl Wire,
        name: &[u8],
        scheme: S,
        string: &[u8],
    ) -> Result<Self> {
        let target = Name::new(name, S::HAS_CONFIG)?;
        check_size(scheme.size_bits())?;
        let most = scheme.string_bytes();
        if string.len() as u64 > most {
            return Err(Error::Incompatible {
                name: shown(name),
                parameter: "size in bytes",
                here: string.len().to_string(),
                there: format!("at most {most}"),
            });
        }
        crate::create::must_be_free(wire, &target).await?;
        let mut draft = Draft::begin(wire, target, Settings::new(scheme, None), false).await?;
        for (piece, i) in string.chunks(PIECE as usize).zip(0..) {
            draft.fill(wire, i * PIECE, piece).await?;
        }
        draft.publish_on(wire).await
    }
}

impl RemoteBitmap<Native> {
    /// The filter as a file of the project's format, which any of its readers opens.
    ///
    /// # Errors
    ///
    /// [`Error`].
    pub fn dump(&self, connection: &mut impl ConnectionLike) -> Result<Vec<u8>> {
        now(self.dump_on(&mut Blocking(connection)))
    }

    pub(crate) async fn dump_on(&self, wire: &mut impl Wire) -> Result<Vec<u8>> {
        following!(self, wire, |filter| filter.dump_once(wire))
    }

    async fn dump_once(&self, wire: &mut impl Wire) -> Result<Vec<u8>> {
        let mut file = self.scheme().header().to_bytes().to_vec();
        file.extend(self.string_on(wire).await?);
        let sum = checksum(&file);
        file.extend(sum.to_le_bytes());
        Ok(file)
    }

    /// A new filter from a file of the project's format.
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create); [`Error::Damaged`] for bytes that are not such a file.
    pub fn restore(
        connection: &mut impl ConnectionLike,
        name: impl AsRef<[u8]>,
        file: &[u8],
    ) -> Result<Self> {
        let damaged = |why| Error::Damaged {
            name: shown(name.as_ref()),
            why,
        };
        let document = Document::open(file).map_err(|error| damaged(error.to_string()))?;
        document
            .verify()
            .map_err(|error| damaged(error.to_string()))?;
        let scheme = Native::of_header(&document.record.header).map_err(damaged)?;
        Self::create_of(connection, name.as_ref(), scheme, document.record.payload)
    }
}
