//! Operations on a filter as a whole.

use std::time::Duration;

use bouquet_format::{Document, checksum};
use redis::{Value, cmd};

use crate::{
    Error, Native, RemoteBitmap, Result, Scheme,
    bitmap::whole,
    calls::calls,
    draft::Draft,
    error::{damaged, lost, unexpected},
    marked::following,
    name::Name,
    trailer::Settings,
    wire::Wire,
};

/// Number of bytes that are read or counted at a time, so that other clients never wait long.
const PIECE: u64 = 1 << 20;

/// Statistics of the current contents.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Info {
    /// The number of bits m that a key's probes range over.
    pub size_bits: u64,
    /// Probes per key (k).
    pub hashes: u32,
    /// The number of bits that are set.
    pub ones: u64,
    /// The current FPR, estimated from the set bits.
    pub estimated_fpr: f64,
    /// The time until the filter expires, if it does.
    pub ttl: Option<Duration>,
}

impl Info {
    /// The share of the bits that are set.
    pub fn fill_ratio(&self) -> f64 {
        self.ones as f64 / self.size_bits as f64
    }

    /// The number of keys that most likely set this number of bits.
    pub fn estimated_keys(&self) -> f64 {
        bouquet_core::math::estimated_keys(self.size_bits, self.hashes, self.fill_ratio())
    }

    /// Whether more than half of the bits are set. If so, rebuild the filter with a larger
    /// capacity.
    pub fn is_full(&self) -> bool {
        self.fill_ratio() > 0.5
    }
}

calls! {
    impl [S: Scheme] RemoteBitmap[S] {
        /// Makes the filter expire after the given time.
        ///
        /// # Errors
        ///
        /// [`Error::FilterLost`] if the filter does not exist; [`Error`].
        fn expire[](&self, after: Duration) -> () { |wire| self.expire_on(wire, after).await }

        /// The time until the filter expires; `None` if it does not expire.
        ///
        /// # Errors
        ///
        /// [`Error`].
        fn ttl[](&self) -> Option<Duration> { |wire| self.ttl_on(wire).await }

        /// Counts the set bits, one mebibyte at a time.
        ///
        /// # Errors
        ///
        /// [`Error`].
        fn info[](&self) -> Info { |wire| self.info_on(wire).await }

        /// Copies the filter's bits from the server. For go-zero and Redisson this is the content
        /// of their string.
        ///
        /// # Errors
        ///
        /// [`Error`].
        fn string[](&self) -> Vec<u8> { |wire| self.string_on(wire).await }

        /// Creates a filter with the bits of this string.
        ///
        /// # Errors
        ///
        /// As [`create`](Self::create); [`Error::Incompatible`] if the string is longer than the
        /// scheme's bits.
        fn create_of[](name: impl AsRef<[u8]>, scheme: S, string: &[u8]) -> Self {
            |wire| crate::RemoteBitmap::create_of_on(wire, name, scheme, string).await
        }
    }
}

impl<S: Scheme> RemoteBitmap<S> {
    pub(crate) async fn expire_on(&self, wire: &mut impl Wire, after: Duration) -> Result<()> {
        following!(self, wire, self.expire_once(wire, after))
    }

    async fn expire_once(&self, wire: &mut impl Wire, after: Duration) -> Result<()> {
        let after = millis(after).to_string().into_bytes();
        for key in [&self.name.string].into_iter().chain(&self.name.config) {
            let words = [b"PEXPIRE".to_vec(), key.clone(), after.clone()];
            if self.guarded(wire, "PEXPIRE", &words).await?.is_none() {
                return Err(lost(&self.name, crate::Lost::Gone));
            }
        }
        Ok(())
    }

    pub(crate) async fn ttl_on(&self, wire: &mut impl Wire) -> Result<Option<Duration>> {
        following!(self, wire, self.ttl_once(wire))
    }

    async fn ttl_once(&self, wire: &mut impl Wire) -> Result<Option<Duration>> {
        const COMMAND: &str = "PTTL";
        let asked = cmd(COMMAND).arg(self.name()).to_owned();
        let left = whole(COMMAND, &self.read_marked(wire, COMMAND, &asked).await?)?;
        Ok((left >= 0).then(|| Duration::from_millis(left as u64)))
    }

    pub(crate) async fn info_on(&self, wire: &mut impl Wire) -> Result<Info> {
        following!(self, wire, self.info_once(wire))
    }

    async fn info_once(&self, wire: &mut impl Wire) -> Result<Info> {
        const COMMAND: &str = "BITCOUNT";
        let (scheme, mut ones, mut fills) = (self.scheme(), 0, Vec::new());
        for part in scheme.part_bytes() {
            let slots = 8 * (part.end - part.start);
            let mut of_part = 0;
            for (first, last) in pieces(part) {
                let mut count = cmd(COMMAND);
                count.arg(self.name()).arg(first).arg(last);
                let count = self.read_marked(wire, COMMAND, &count).await?;
                let count = whole(COMMAND, &count)?.clamp(0, 1 << 32);
                of_part += count as u64;
            }
            fills.push(of_part as f64 / slots as f64);
            ones += of_part;
        }
        // The last byte can have more bits than `size_bits`, so the fill ratio is computed from
        // `size_bits`.
        let size_bits = scheme.size_bits();
        if let [fill] = &mut fills[..] {
            *fill = ones as f64 / size_bits as f64;
        }
        Ok(Info {
            size_bits,
            hashes: scheme.hashes(),
            ones,
            estimated_fpr: scheme.fpr_now(&fills),
            ttl: self.ttl_once(wire).await?,
        })
    }

    /// Reads the bytes of the bits. Keys that are inserted meanwhile may or may not be included.
    pub(crate) async fn string_on(&self, wire: &mut impl Wire) -> Result<Vec<u8>> {
        const COMMAND: &str = "GETRANGE";
        let scheme = self.scheme();
        let bytes = scheme.string_bytes();
        let mut string = Vec::new();
        if string.try_reserve_exact(bytes as usize).is_err() {
            return Err(Error::Spec(bouquet_core::SpecError::OutOfMemory { bytes }));
        }
        for (first, last) in pieces(0..bytes) {
            let range = cmd(COMMAND)
                .arg(self.name())
                .arg(first)
                .arg(last)
                .to_owned();
            match self.read_marked(wire, COMMAND, &range).await? {
                Value::BulkString(piece) if piece.len() as u64 == last - first + 1 => {
                    string.extend_from_slice(&piece);
                }
                other => return Err(unexpected(COMMAND, &other)),
            }
        }
        Ok(string)
    }

    pub(crate) async fn create_of_on(
        wire: &mut impl Wire,
        name: impl AsRef<[u8]>,
        scheme: S,
        string: &[u8],
    ) -> Result<Self> {
        let target = std::sync::Arc::new(Name::new(name.as_ref(), S::HAS_CONFIG)?);
        let most = scheme.string_bytes();
        if string.len() as u64 > most {
            let (here, there) = (string.len().to_string(), format!("at most {most}"));
            return Err(Error::differs(
                name.as_ref(),
                ("size in bytes", here, there),
            ));
        }
        let settings = Settings::new(scheme);
        let draft = Draft::begin(
            wire,
            Self::of(target, settings.clone(), false),
            None,
            settings,
        );
        let draft = draft.await?;
        for (piece, i) in string.chunks(PIECE as usize).zip(0..) {
            draft.fill(wire, i * PIECE, piece).await?;
        }
        draft.publish_on(wire).await
    }
}

/// The number of milliseconds for `PEXPIRE`.
pub(crate) fn millis(after: Duration) -> u64 {
    u64::try_from(after.as_millis())
        .unwrap_or(u64::MAX)
        .clamp(1, 1 << 50)
}

/// Splits a range of bytes into pieces: the first and the last byte of each.
fn pieces(bytes: std::ops::Range<u64>) -> impl Iterator<Item = (u64, u64)> {
    let starts = bytes.clone().step_by(PIECE as usize);
    starts.map(move |first| (first, (first + PIECE).min(bytes.end) - 1))
}

calls! {
    impl [] RemoteBitmap[Native] {
        /// Returns the filter as a file in this project's format, which all its readers open.
        ///
        /// # Errors
        ///
        /// [`Error`].
        fn dump[](&self) -> Vec<u8> { |wire| following!(self, wire, self.dump_once(wire)) }

        /// Creates a filter from a file in this project's format.
        ///
        /// # Errors
        ///
        /// As [`create`](Self::create); [`Error::Damaged`] if the bytes are not such a file.
        fn restore[](name: impl AsRef<[u8]>, file: &[u8]) -> Self {
            |wire| {
                let damaged = |why| damaged(name.as_ref(), why);
                let document = Document::open(file).map_err(|error| damaged(error.to_string()))?;
                document.verify().map_err(|error| damaged(error.to_string()))?;
                let scheme = Native::of_header(&document.record.header).map_err(damaged)?;
                crate::RemoteBitmap::create_of_on(wire, &name, scheme, document.record.payload).await
            }
        }
    }
}

impl RemoteBitmap<Native> {
    async fn dump_once(&self, wire: &mut impl Wire) -> Result<Vec<u8>> {
        let mut file = self.scheme().header().to_bytes().to_vec();
        file.extend(self.string_on(wire).await?);
        let sum = checksum(&file);
        file.extend(sum.to_le_bytes());
        Ok(file)
    }
}
