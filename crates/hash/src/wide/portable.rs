//! Uses only the instructions that the target guarantees.

use super::Work;

/// Does the work in the only available version.
#[inline]
pub(crate) fn widest(work: impl Work) {
    work.run();
}

/// Proof that the processor has vectors that multiply and rotate 64-bit words. This version has
/// no such proof, so the type has no values.
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
