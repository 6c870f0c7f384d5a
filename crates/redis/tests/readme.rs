//! Compiles the programs shown in README.md and runs each of them twice.
#![cfg(all(feature = "async", feature = "cluster"))]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use common::{Server, cluster::Cluster};

/// Includes a file as a module, and defines a function that checks that README.md shows this file.
macro_rules! shown {
    ($name:ident, $file:literal) => {
        mod $name {
            include!($file);

            pub fn is_in_readme() {
                let readme = include_str!("../README.md");
                let shown = format!("```rust,ignore\n{}```", include_str!($file));
                assert!(readme.contains(&shown), "README.md differs from {}", $file);
            }

            pub use seen as run;
        }
    };
}
shown!(sync, "readme/sync.rs");
shown!(aio, "readme/aio.rs");
shown!(pool, "readme/pool.rs");
shown!(cluster, "readme/cluster.rs");

#[test]
fn examples_run_twice() {
    sync::is_in_readme();
    aio::is_in_readme();
    pool::is_in_readme();
    cluster::is_in_readme();
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let url = &server.url();
    for _ in 0..2 {
        assert!(sync::run(url, "rose").unwrap());
        assert!(!sync::run(url, "tulip").unwrap());
        assert!(pool::run(url, "rose").unwrap());
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().build().unwrap();
        assert!(runtime.block_on(aio::run(url, "rose")).unwrap());
    }
    let Some(nodes) = Cluster::start() else {
        return;
    };
    for _ in 0..2 {
        assert!(cluster::run(nodes.urls(), "rose").unwrap());
        assert!(!cluster::run(nodes.urls(), "tulip").unwrap());
    }
}
