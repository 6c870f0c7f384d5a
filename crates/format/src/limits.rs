//! How much a file from outside may make of itself.

use crate::{DecodeError, Header, Problem, variant};

/// The most that a filter from outside may take: its bytes and, of a series, its stages.
///
/// Decoding takes no more memory than there are bytes, whatever a file says. Without a limit
/// that is as much as whoever sends it likes; and a file of many small stages makes each query
/// slow, since every stage is asked.
///
/// By default a gibibyte and 64 stages: a filter that doubles, from a first stage for one key on,
/// has fewer before it has all memory.
///
/// ```
/// use bouquet_format::{Document, Limits};
///
/// let limits = Limits::new().max_bytes(1 << 20).max_stages(20);
/// // For a view, or a hasher with a secret key: by the header, before anything else is read.
/// let checked = |bytes| limits.check(&Document::open(bytes)?.record.header);
/// assert!(checked(b"no filter").is_err());
/// ```
///
/// **What comes later is not limited by it**: a series of stages grows as its file says, with
/// the first key past its capacity to a thousand times as many bytes. Set the most that it may
/// take, by `ScalableBloom::set_max_bytes`, before inserting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    bytes: u64,
    stages: u64,
}

impl Limits {
    /// A gibibyte, 64 stages.
    pub const fn new() -> Self {
        Self {
            bytes: 1 << 30,
            stages: 64,
        }
    }

    /// The most bytes of the whole file, which are also the most that decoding it takes.
    #[must_use]
    pub const fn max_bytes(mut self, bytes: u64) -> Self {
        self.bytes = bytes;
        self
    }

    /// The most stages of a `ScalableBloom`: each is asked by every query for an absent key.
    #[must_use]
    pub const fn max_stages(mut self, stages: u64) -> Self {
        self.stages = stages;
        self
    }

    /// Checks what a header says of the whole.
    ///
    /// # Errors
    ///
    /// [`Problem::OverLimit`].
    pub const fn check(&self, header: &Header) -> Result<(), DecodeError> {
        let (what, found, max) = if header.file_bytes() > self.bytes {
            ("bytes", header.file_bytes(), self.bytes)
        } else if header.variant() == variant::SCALABLE && header.parts() > self.stages {
            ("stages", header.parts(), self.stages)
        } else {
            return Ok(());
        };
        let problem = Problem::OverLimit { what, found, max };
        Err(DecodeError::new(header.offset(), problem))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
    }
}
