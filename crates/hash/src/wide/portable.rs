//! What the target guarantees, and no more.

use super::Work;

/// Does the work in the only way there is.
#[inline]
pub(crate) fn widest(work: impl Work) {
    work.run();
}

/// Proof that the processor has vectors that multiply and turn words of 64 bits:
/// here there is none.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WordVectors {}

impl WordVectors {
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        None
    }

    #[inline]
    pub(crate) fn run(self, _: impl Work) {
        match self {}
    }
}
