//! A proxy between client and server that causes failures on request.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

/// A proxy in front of a server's port.
pub struct Proxy {
    pub port: u16,
    faults: Arc<Faults>,
}

#[derive(Default)]
struct Faults {
    /// The number of bytes that may still pass, in both directions together. When it is used up,
    /// the connection ends.
    left: AtomicI64,
    /// Delay of each piece of a reply, in milliseconds.
    delay_ms: AtomicU64,
}

impl Proxy {
    pub fn new(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let faults = Arc::new(Faults::default());
        faults.left.store(i64::MAX, Relaxed);
        let shared = faults.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else {
                    continue;
                };
                let (client_too, server_too) =
                    (client.try_clone().unwrap(), server.try_clone().unwrap());
                let (there, back) = (shared.clone(), shared.clone());
                thread::spawn(move || pass(client, server, &there, false));
                thread::spawn(move || pass(server_too, client_too, &back, true));
            }
        });
        Self { port, faults }
    }

    /// Ends the connection after `bytes` more bytes. The next connection is not affected.
    pub fn cut_after(&self, bytes: i64) {
        self.faults.left.store(bytes, Relaxed);
    }

    pub fn delay(&self, delay: Duration) {
        self.faults
            .delay_ms
            .store(delay.as_millis() as u64, Relaxed);
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, faults: &Faults, is_reply: bool) {
    let mut buffer = [0; 1 << 14];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        if is_reply {
            thread::sleep(Duration::from_millis(faults.delay_ms.load(Relaxed)));
        }
        let left = faults.left.fetch_sub(count as i64, Relaxed);
        if left < count as i64 {
            // The first part of this piece still passes.
            let _ = to.write_all(&buffer[..left.max(0) as usize]);
            faults.left.store(i64::MAX, Relaxed);
            break;
        }
        if to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
