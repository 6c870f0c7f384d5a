//! Limits for filters from untrusted sources.

use crate::{DecodeError, Header, Problem, variant};

/// The largest filter to accept from an untrusted source: its size in bytes and, for a scalable
/// filter, its number of stages.
///
/// Decoding allocates no more memory than there are bytes, whatever the file states. But
/// without a limit the sender decides how many bytes there are, and a file of many small stages
/// makes each query slow, because a query visits every stage.
///
/// The defaults are 1 GiB and 64 stages: a scalable filter whose stages double, starting from
/// one key, fills all memory before it has 64 stages.
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
/// **The limits do not apply to later growth**: a scalable filter grows as its file states, and
/// the first key past its capacity may add a stage a thousand times as large. Set its largest
/// size with `ScalableBloom::set_max_bytes` before you insert.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    bytes: u64,
    stages: u64,
}

impl Limits {
    /// The default limits: 1 GiB and 64 stages.
    pub const fn new() -> Self {
        Self {
            bytes: 1 << 30,
            stages: 64,
        }
    }

    /// Sets the largest size of the whole file in bytes, which is also the largest amount of
    /// memory that decoding allocates.
    #[must_use]
    pub const fn max_bytes(mut self, bytes: u64) -> Self {
        self.bytes = bytes;
        self
    }

    /// Sets the largest number of stages of a `ScalableBloom`: a query for an absent key visits
    /// every stage.
    #[must_use]
    pub const fn max_stages(mut self, stages: u64) -> Self {
        self.stages = stages;
        self
    }

    /// Checks whether the whole filter, as its header describes it, is within the limits.
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
