//! Counts that threads do not contend for.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use super::Tiers;

/// Counters in memory of their own, so that no two threads of a few write to the same.
#[derive(Default, Debug)]
pub(super) struct Counts([Stripe; 16]);

#[derive(Default, Debug)]
#[repr(align(128))]
struct Stripe {
    local: AtomicU64,
    remote: AtomicU64,
}

impl Counts {
    pub(super) fn add(&self, local: u64, remote: u64) {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        thread_local! {
            static MINE: usize = NEXT.fetch_add(1, Relaxed);
        }
        let stripe = &self.0[MINE.with(|mine| mine % self.0.len())];
        stripe.local.fetch_add(local, Relaxed);
        if remote > 0 {
            stripe.remote.fetch_add(remote, Relaxed);
        }
    }

    pub(super) fn all(&self) -> Tiers {
        let mut all = Tiers::default();
        for stripe in &self.0 {
            all.local += stripe.local.load(Relaxed);
            all.remote += stripe.remote.load(Relaxed);
        }
        all
    }
}
