//! What is in the window is present, and what is past the bound is forgotten.

use std::{
    collections::VecDeque,
    sync::atomic::{AtomicU64, Ordering},
};

use bouquet_aging::{AgingBloom, SharedAging, SpecError};
use bouquet_testkit::Rng;

/// Inserts, ticks, saves and loads in random orders. Every key of the window is present after every
/// step; of the keys that are past the bound at most a share is, by false positives.
fn remembers(mut filter: AgingBloom, steps: u64, seed: u64) {
    let geometry = filter.geometry();
    let (window, span) = (filter.capacity(), filter.span());
    let mut rng = Rng::new(seed);
    let mut kept: VecDeque<(u64, u64)> = VecDeque::new();
    let (mut key, mut now) = (seed << 32, 0_u64);
    let (mut old, mut found) = (0_u64, 0_u64);
    for step in 0..steps {
        match rng.below(50) {
            0 => filter = AgingBloom::from_bytes(&filter.encode()).unwrap(),
            1..10 if span.is_some() => {
                // Also backwards, which is as if it stood still.
                let to = if rng.below(4) == 0 {
                    now.saturating_sub(3)
                } else {
                    now + rng.below(9)
                };
                filter.advance(to);
                now = now.max(to);
            }
            _ => {
                key += 1;
                filter.insert(&key);
                let time = if span.is_some() { now } else { key };
                kept.push_back((time, key));
            }
        }
        let clock = if span.is_some() { now } else { key };
        // The last n insertions, or those of the last span ticks; and what is past the bound.
        let young = |time: u64| match span {
            Some(span) => clock - time <= span,
            None => clock - time < window,
        };
        let bound = match span {
            Some(span) => span + span.div_ceil(geometry.generations().into()) + 1,
            None => u64::from(geometry.generations() + 1) * geometry.generation_keys(),
        };
        if step % 97 == 0 {
            for (time, key) in &kept {
                if young(*time) {
                    assert!(
                        filter.contains(key),
                        "{key} of {time}, at {clock}: {filter:?}"
                    );
                } else if clock - time > bound {
                    old += 1;
                    found += u64::from(filter.contains(key));
                }
            }
        }
        while kept.len() as u64 > 20 * window {
            kept.pop_front();
        }
    }
    let most = 3.0 * filter.target_fpr() * old as f64 + 20.0;
    assert!(
        old == 0 || (found as f64) < most,
        "{found} of {old} are not forgotten"
    );
    assert!(old > 1_000, "{old}");
}

#[test]
fn the_last_insertions_are_remembered() {
    for (window, fpr) in [(1, 0.3), (2, 0.1), (10, 0.01), (100, 0.01), (257, 0.001)] {
        for seed in 1..4 {
            remembers(AgingBloom::new(window, fpr).unwrap(), 20_000, seed);
        }
    }
}

#[test]
fn the_last_while_is_remembered() {
    for (span, capacity, fpr) in [
        (1, 50, 0.01),
        (2, 50, 0.1),
        (60, 400, 0.01),
        (100, 300, 0.001),
    ] {
        for seed in 1..4 {
            let filter = AgingBloom::lasting(span, capacity, fpr).unwrap();
            remembers(filter, 30_000, seed);
        }
    }
}

#[test]
fn a_clock_that_stands_still_jumps_or_runs_back() {
    let mut filter = AgingBloom::lasting(100, 10, 0.001).unwrap();
    filter.advance(1_000);
    filter.insert("rose");
    for now in [1_000, 1_000, 7, 0, 1_100] {
        filter.advance(now);
        assert!(filter.contains("rose"), "{now}");
    }
    // A snapshot that is loaded a year later.
    let mut later = AgingBloom::from_bytes(&filter.encode()).unwrap();
    assert!(later.contains("rose"));
    later.advance(1_000 + 365 * 86_400);
    assert!(!later.contains("rose") && later.is_empty());
    later.insert("tulip");
    later.advance(u64::MAX);
    assert!(later.is_empty());
    later.insert("iris");
    later.advance(0);
    later.advance(u64::MAX);
    assert!(later.contains("iris"));
}

#[test]
fn a_hit_is_refreshed_by_choice() {
    let (mut by_last, mut by_first) = (
        AgingBloom::new(100, 0.001).unwrap(),
        AgingBloom::new(100, 0.001).unwrap(),
    );
    for i in 0..1_000_u64 {
        by_last.insert("rose");
        by_last.insert(&i);
        by_first.insert_if_absent("rose");
        by_first.insert_if_absent(&i);
    }
    assert!(by_last.contains("rose"));
    let mut forgotten = 0;
    for i in 1_000..2_000_u64 {
        forgotten += u64::from(by_first.insert_if_absent("rose"));
        by_first.insert_if_absent(&i);
    }
    assert!((5..=10).contains(&forgotten), "{forgotten}");
}

#[test]
fn windows_out_of_range() {
    assert_eq!(
        AgingBloom::new(0, 0.01).err(),
        Some(SpecError::ZeroCapacity)
    );
    assert_eq!(
        AgingBloom::lasting(0, 10, 0.01).err(),
        Some(SpecError::ZeroSpan)
    );
    for window in [1 << 63, 1 << 50, usize::MAX] {
        let error = AgingBloom::new(window, 0.01).err();
        assert!(
            matches!(error, Some(SpecError::TooLarge { .. })),
            "{error:?}"
        );
    }
    assert!(AgingBloom::new(10, f64::MIN_POSITIVE).is_err());
    assert!(AgingBloom::lasting(1 << 63, 10, 0.01).is_ok());
}

#[test]
fn threads_lose_no_key_of_the_window() {
    let window = 4_000_u64;
    let filter = SharedAging::new(window as usize, 0.01).unwrap();
    let inserted = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for thread in 0..8_u64 {
            let (filter, inserted) = (&filter, &inserted);
            scope.spawn(move || {
                for i in 0..20_000_u64 {
                    let before = inserted.fetch_add(1, Ordering::SeqCst);
                    filter.insert(&(thread, i));
                    let is_present = filter.contains(&(thread, i));
                    // Only if this thread did not wait while others inserted a whole window.
                    if inserted.load(Ordering::SeqCst) - before < window {
                        assert!(is_present, "{thread} {i}");
                    }
                }
            });
        }
    });
    // The last keys that anyone inserted.
    filter.insert("rose");
    for i in 0..window - 1 {
        filter.insert(&i);
    }
    assert!(filter.contains("rose"));
}

#[test]
fn threads_forget_by_the_clock() {
    let filter = SharedAging::lasting(10, 1_000, 0.001).unwrap();
    filter.advance(5);
    filter.insert("rose");
    filter.advance(15);
    assert!(filter.contains("rose"));
    filter.advance(40);
    assert!(!filter.contains("rose"));
}
