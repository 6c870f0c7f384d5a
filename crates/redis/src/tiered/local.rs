//! What is known locally about a string.

use std::time::{Duration, Instant};

use bouquet_core::SpecError;

/// Bytes of the string that are fetched at a time.
pub(super) const PIECE: u64 = 64 << 10;

/// The string as known locally.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) bytes: Vec<u8>,
    /// When each piece was last requested.
    pub(super) fetched: Vec<Option<Instant>>,
    /// The piece that comes next.
    pub(super) next: usize,
}

impl Local {
    pub(super) fn new(bytes: u64) -> Result<Self, SpecError> {
        let mut all = Vec::new();
        let size = usize::try_from(bytes).map_err(|_| SpecError::OutOfMemory { bytes })?;
        all.try_reserve_exact(size)
            .map_err(|_| SpecError::OutOfMemory { bytes })?;
        all.resize(size, 0);
        Ok(Self {
            bytes: all,
            fetched: vec![None; bytes.div_ceil(PIECE) as usize],
            next: 0,
        })
    }

    pub(super) fn clear(&mut self) {
        self.bytes.fill(0);
        self.fetched.fill(None);
        self.next = 0;
    }

    pub(super) fn has(&self, location: u64) -> bool {
        let byte = self.bytes.get((location / 8) as usize);
        byte.is_some_and(|byte| byte >> (7 - location % 8) & 1 == 1)
    }

    pub(super) fn set(&mut self, location: u64) {
        if let Some(byte) = self.bytes.get_mut((location / 8) as usize) {
            *byte |= 1 << (7 - location % 8);
        }
    }

    /// Whether its piece is no older than this.
    pub(super) fn is_within(&self, location: u64, max_age: Duration) -> bool {
        let fetched = self.fetched.get((location / 8 / PIECE) as usize);
        matches!(fetched, Some(Some(then)) if then.elapsed() <= max_age)
    }
}
