//! Filters that can be halved after they were filled.

use core::{error::Error, fmt};

use crate::{Inspect, Spec, SpecError};

/// A filter that can be halved and keeps its members.
///
/// # For users
///
/// A filter with room to spare, sized for keys that never came, can be made
/// smaller without them: in each step two neighbouring slots (of a blocked
/// filter two blocks) become one. The fill rises and with it the FPR; no key becomes a
/// false negative.
///
/// # Implementor contract
///
/// The result is, bit for bit, the filter that the same keys make in half the
/// slots with as many hashes: so it can be united with such a one, and be halved
/// again. Locations that are the high word of a product with m have this: where
/// m is even, halving m halves every location. The capacity is half of what it
/// was, at the same target FPR.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be folded",
    note = "make a smaller one, and insert the keys again where you have them"
)]
pub trait Fold: Sized {
    /// The filter of the same keys in half the slots. Costs a pass over them,
    /// and the memory of the result.
    ///
    /// # Errors
    ///
    /// [`FoldError::Odd`], and [`FoldError::Spec`] without memory.
    fn halved(&self) -> Result<Self, FoldError>;

    /// Halves the filter as often as its [estimated
    /// FPR](Inspect::estimated_fpr) stays at or below `target_fpr` and its slots
    /// can be halved, possibly not at all.
    ///
    /// # Errors
    ///
    /// [`FoldError::Spec`] without memory.
    fn fold_to(self, target_fpr: f64) -> Result<Self, FoldError>
    where
        Self: Inspect,
    {
        let mut filter = self;
        loop {
            match filter.halved() {
                Ok(half) if half.estimated_fpr() <= target_fpr => filter = half,
                Ok(_) | Err(FoldError::Odd { .. }) => return Ok(filter),
                Err(error) => return Err(error),
            }
        }
    }
}

/// Why a filter cannot be halved.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum FoldError {
    /// There is an odd number of what is paired.
    Odd {
        /// What: bits, blocks.
        of: &'static str,
        /// How many.
        count: u64,
    },
    /// The half cannot be made: its memory could not be allocated.
    Spec(SpecError),
}

impl FoldError {
    /// The spec of a half: half the keys at the same target FPR.
    ///
    /// # Errors
    ///
    /// None: a capacity of 1 stays 1.
    pub fn half_spec(spec: &Spec) -> Result<Spec, Self> {
        Ok(Spec::new((spec.capacity() / 2).max(1), spec.target_fpr())?)
    }

    /// Half of `count`, if it is even.
    ///
    /// # Errors
    ///
    /// [`FoldError::Odd`].
    pub const fn half_of(of: &'static str, count: u64) -> Result<u64, Self> {
        if count.is_multiple_of(2) && count > 0 {
            Ok(count / 2)
        } else {
            Err(Self::Odd { of, count })
        }
    }
}

impl fmt::Display for FoldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Odd { of, count } => write!(
                f,
                "{count} {of} cannot be halved: only an even number can; make a new filter of the \
                 keys"
            ),
            Self::Spec(error) => write!(f, "the half cannot be made: {error}"),
        }
    }
}

impl Error for FoldError {}

impl From<SpecError> for FoldError {
    fn from(error: SpecError) -> Self {
        Self::Spec(error)
    }
}
