//! What `bouquet recommend` says follows from the table beside it: over a grid of
//! workloads each sentence is read to its end, and each number and comparison in it
//! made again from the rows and lines of the machine's format.
#![allow(
    clippy::unwrap_used,
    reason = "clippy sees tests only in what is marked as one"
)]

mod answer;
mod asked;
mod grid;
mod reader;
mod reasons;
mod refusals;
mod sentences;
mod table;
mod ties;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use self::{answer::Answer, asked::Asked};

fn check(args: &str) {
    let answer = Answer::of(Asked::new(args));
    table::check(&answer);
    table::choice(&answer);
    table::envelope(&answer);
    table::printed(&answer);
    sentences::check(&answer);
    reasons::check(&answer);
}

/// Those of the workloads whose answer is not as it should be.
fn failing(grid: &[String]) -> Vec<&str> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut failed = Vec::new();
        while let Some(args) = grid.get(next.fetch_add(1, Ordering::Relaxed)) {
            if catch_unwind(AssertUnwindSafe(|| check(args))).is_err() {
                failed.push(args.as_str());
            }
        }
        failed
    };
    thread::scope(|scope| {
        let threads = [scope.spawn(work), scope.spawn(work)];
        let failed = threads.into_iter().flat_map(|one| one.join().unwrap());
        failed.collect()
    })
}

#[test]
fn every_sentence_follows_from_its_table() {
    let grid = grid::grid();
    assert!(grid.len() >= 60);
    let failed = failing(&grid);
    assert!(
        failed.is_empty(),
        "{} of {}: {failed:#?}",
        failed.len(),
        grid.len()
    );
}
