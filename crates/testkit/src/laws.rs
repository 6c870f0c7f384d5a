//! The laws as plain functions. Each takes a function that makes the filter from a [`Spec`] and a
//! seed, and returns an error if the filter violates the law.
//!
//! All randomness is seeded, so a verdict depends only on the code, except for the interleaving of
//! threads in the concurrent laws. Statistical laws allow five standard deviations, which means
//! about one false alarm in two million.

mod agreement;
mod built;
mod capacity;
mod codec;
mod concurrent;
mod counts;
mod far;
mod fold;
mod hasher;
mod hostile;
mod identity;
mod inspect;
mod limit;
mod locate;
mod membership;
mod names;
mod races;
mod rejection;
mod remove;
mod sequences;
mod sets;
mod statistics;
mod stream;

use std::fmt::Debug;

use bouquet_core::{Spec, TryInsert};

pub use agreement::{Counted, agreement, keys, typed_batch, typed_key};
pub use built::{built_empty, built_hostile_bytes, built_members, built_repeats, built_round_trip};
pub use capacity::{keys_left, over_capacity};
pub use codec::{Asked, Statistics, asked, canonical, encode_round_trip, view};
pub use concurrent::{concurrent, concurrent_exact};
pub use counts::counts;
pub use far::far;
pub use fold::fold;
pub use hasher::{hasher, seeds, user_id};
pub use hostile::hostile_bytes;
pub use identity::{clear, clone, debug, determinism, equality, extend, order_free};
pub use inspect::{inspect, sizing};
pub use limit::max_bytes;
pub use locate::locate;
pub use membership::{answers, empty, members, repeats};
pub use names::{CODEC_LAWS, FILTER_LAWS, HASHER_LAWS, STATIC_LAWS};
pub use races::{concurrent_absent, concurrent_new, concurrent_once};
pub use rejection::rejection;
pub use remove::{remove, remove_absent};
pub use sequences::{Alphabet, drawn_sequences, sequences};
pub use sets::{intersect, other_key, union};
pub use statistics::{estimated_fpr, estimated_keys, expected_fpr};
pub use stream::stream;

/// Public only for the macros.
#[doc(hidden)]
pub use names::listed;

/// `Ok` if the law holds; otherwise a description of the violation with the key, the seed and the
/// numbers.
pub type Verdict = Result<(), String>;

/// Compiles only for types that can be sent to other threads and shared between them.
///
/// ```compile_fail
/// bouquet_testkit::laws::assert_send_sync::<std::rc::Rc<u8>>();
/// ```
pub const fn assert_send_sync<T: Send + Sync>() {}

/// Like [`assert_send_sync`], for the type of a value.
pub const fn assert_send_sync_val<T: Send + Sync>(_: &T) {}

/// The specs of the filters under test. Small filters reveal faults that large ones hide; every law
/// about single keys is tested with all specs.
fn specs() -> Result<Vec<Spec>, String> {
    [
        (1, 0.5),
        (3, 0.9),
        (10, 0.01),
        (63, 0.1),
        (64, 1e-6),
        (100, 0.01),
        (500, 0.03),
    ]
    .into_iter()
    .map(|(capacity, target_fpr)| spec(capacity, target_fpr))
    .collect()
}

fn spec(capacity: u64, target_fpr: f64) -> Result<Spec, String> {
    Spec::new(capacity, target_fpr).map_err(|error| error.to_string())
}

/// Inserts a key; an error violates the law, because the filter has room for it.
fn must_insert<F>(filter: &mut F, key: &[u8]) -> Result<bool, String>
where
    F: TryInsert<Error: Debug>,
{
    filter.try_insert(key).map_err(|error| {
        format!(
            "a key within capacity was rejected: {} {error:?}",
            crate::keys::show(key)
        )
    })
}

/// Inserts keys; an error violates the law, because the filter has room for them.
fn fill<F, K>(filter: &mut F, keys: impl IntoIterator<Item = K>) -> Verdict
where
    F: TryInsert<Error: Debug>,
    K: AsRef<[u8]>,
{
    for key in keys {
        must_insert(filter, key.as_ref())?;
    }
    Ok(())
}

/// Returns an error unless all keys are present.
fn all_present<F, K>(filter: &F, keys: impl IntoIterator<Item = K>, when: &str) -> Verdict
where
    F: bouquet_core::Filter,
    K: AsRef<[u8]>,
{
    for (index, key) in keys.into_iter().enumerate() {
        let key = key.as_ref();
        ensure!(
            filter.contains_bytes(key),
            "false negative {when}: key {index}, {}",
            crate::keys::show(key)
        );
    }
    Ok(())
}
