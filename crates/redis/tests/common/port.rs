//! Free ports for servers.

use std::{
    net::TcpListener,
    process::id,
    sync::atomic::{AtomicU16, Ordering::Relaxed},
};

/// The first port to use. These ports are below those that systems give to clients and to listeners
/// on port 0, which any process could take between this check and the server's start.
const FIRST: u16 = 10_240;
const PORTS: u16 = 12_000;
/// A node of a cluster also listens on its port plus this number.
const BUS: u16 = 10_000;

/// Returns a port that is free together with its cluster bus port. Each call in this process
/// returns another port, because tests run in parallel and two tests must not share a server.
pub fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Test programs that run at the same time start their search at different ports.
    let begin = (id().wrapping_mul(97) % u32::from(PORTS)) as u16;
    loop {
        let port = FIRST + (begin + NEXT.fetch_add(1, Relaxed) % PORTS) % PORTS;
        let is_free = |port| TcpListener::bind(("127.0.0.1", port)).is_ok();
        if is_free(port) && is_free(port + BUS) {
            return port;
        }
    }
}
