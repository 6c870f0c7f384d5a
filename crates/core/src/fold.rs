//! Filters that can be folded to half their size after keys were inserted.

use core::{error::Error, fmt};

use crate::{Inspect, Spec, SpecError};

/// A filter that can be folded to half its size and keeps its members.
///
/// # For users
///
/// A filter that was sized for more keys than were inserted can be made smaller without access
/// to the keys: each step combines two neighbouring slots (in a blocked filter, two blocks)
/// into one. The fill ratio rises and with it the FPR; no member becomes a false negative.
///
/// # Implementor contract
///
/// The result equals, bit for bit, the filter that the same keys produce with half the slots
/// and the same number of hashes, so it can be united with such a filter and be halved again.
/// Locations that are the high word of a product with m satisfy this: if m is even, halving m
/// halves every location. The capacity becomes half of what it was, at the same target FPR.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be folded",
    note = "make a smaller one, and insert the keys again where you have them"
)]
pub trait Fold: Sized {
    /// Returns a filter of the same keys with half the slots. Scans all slots, and allocates
    /// the memory of the result.
    ///
    /// # Errors
    ///
    /// [`FoldError::Odd`] if the number of slots or blocks is odd, and [`FoldError::Spec`] if
    /// memory cannot be allocated.
    fn halved(&self) -> Result<Self, FoldError>;

    /// Halves the filter as many times as possible while its [estimated
    /// FPR](Inspect::estimated_fpr) stays at or below `target_fpr` and the number of slots is
    /// even; possibly not at all.
    ///
    /// # Errors
    ///
    /// [`FoldError::Spec`] if memory cannot be allocated.
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
    /// The number of units that would be combined in pairs is odd.
    Odd {
        /// The name of the unit: bits or blocks.
        of: &'static str,
        /// The number of units.
        count: u64,
    },
    /// The folded filter cannot be created: its memory could not be allocated.
    Spec(SpecError),
}

impl FoldError {
    /// The spec of a folded filter: half the capacity at the same target FPR.
    ///
    /// # Errors
    ///
    /// None in practice: a capacity of 1 stays 1.
    pub fn half_spec(spec: &Spec) -> Result<Spec, Self> {
        Ok(Spec::new((spec.capacity() / 2).max(1), spec.target_fpr())?)
    }

    /// Returns half of `count`, if `count` is even and not 0.
    ///
    /// # Errors
    ///
    /// [`FoldError::Odd`] otherwise.
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
