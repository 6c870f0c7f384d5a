//! Keys chosen by an adversary: what he reaches against each hash function, and
//! whether the keyed one keeps him to what chance gives.
//!
//! He knows all but a secret key. Where he must search he hashes keys at home,
//! on a copy of the filter, within a budget of trials; where a function can be
//! inverted he computes.

mod bloom;
mod case;
mod collision;
mod cost;
mod definition;
mod deletion;
mod figures;
mod folded;
mod forging;
mod keys;
mod murmur;
mod pieces;
mod pollution;
mod removing;
mod run;
#[cfg(test)]
mod tests;
mod verdict;
mod xxh3;

pub use self::{
    definition::{Definition, Plans},
    figures::{Figure, measured_fpr, success_rate, trials_per_key},
    run::run,
    verdict::verdict,
};
