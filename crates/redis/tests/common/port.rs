//! Free ports for servers.

use std::{
    net::TcpListener,
    process::id,
    sync::atomic::{AtomicU16, Ordering::Relaxed},
};

/// Below the ports that systems give to clients and to listeners at port 0: one of those
/// can be taken by anybody between this answer and the server's start.
const FIRST: u16 = 10_240;
const PORTS: u16 = 12_000;
/// A cluster's node listens this far above its port too.
const BUS: u16 = 10_000;

/// A port that is free, as is that of its bus, and that this process is given once: tests
/// run side by side, and two servers of one port would be one server of both.
pub fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Test programs that run at the same time begin at different places.
    let begin = (id().wrapping_mul(97) % u32::from(PORTS)) as u16;
    loop {
        let port = FIRST + (begin + NEXT.fetch_add(1, Relaxed) % PORTS) % PORTS;
        let is_free = |port| TcpListener::bind(("127.0.0.1", port)).is_ok();
        if is_free(port) && is_free(port + BUS) {
            return port;
        }
    }
}
