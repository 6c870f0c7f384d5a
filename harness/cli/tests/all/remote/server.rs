//! A server of the test's own, on a free port, that ends with its guard.

use std::{
    env, fs,
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio, id},
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    thread::sleep,
    time::{Duration, Instant},
};

// The client's own tests start servers as these do.
#[path = "../../../../../crates/redis/tests/common/port.rs"]
mod port;

/// A Redis that runs until this is dropped.
pub struct Server {
    child: Child,
    pub port: u16,
    pub has_bloom: bool,
    folder: PathBuf,
}

impl Server {
    /// `None` if there is no Redis here.
    pub fn start() -> Option<Self> {
        Self::of(&[])
    }

    /// With a password.
    pub fn with_password(password: &str) -> Option<Self> {
        Self::of(&["--requirepass", password])
    }

    /// With RedisBloom, which scripts/install fetches.
    pub fn with_bloom() -> Option<Self> {
        let module = Path::new(&env::var_os("BOUQUET_SERVERS")?).join("redisbloom.so");
        let mut server = Self::of(&["--loadmodule", module.exists().then_some(module)?.to_str()?])?;
        server.has_bloom = true;
        Some(server)
    }

    fn of(args: &[&str]) -> Option<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Relaxed);
        let folder = env::temp_dir().join(format!("bouquet-remote-{}-{number}", id()));
        fs::create_dir_all(&folder).unwrap();
        let port = port::free_port();
        let child = Command::new("redis-server")
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1"])
            .args(["--save", "", "--dir"])
            .arg(&folder)
            .args(args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(child) = child else {
            eprintln!("SKIPPED: there is no redis-server here: install it");
            return None;
        };
        let mut server = Self {
            child,
            port,
            has_bloom: false,
            folder,
        };
        let end = Instant::now() + Duration::from_secs(15);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < end, "the server did not come up");
            sleep(Duration::from_millis(20));
        }
        let ended = server.child.try_wait().unwrap();
        assert_eq!(ended, None, "another process took the port");
        Some(server)
    }

    /// Has the server's own client say something.
    pub fn cli(&self, command: &str) {
        let done = Command::new("redis-cli")
            .args(["-p", &self.port.to_string()])
            .args(command.split_whitespace())
            .output()
            .unwrap();
        assert!(done.status.success(), "{command}");
    }

    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}
