//! Starts servers for the tests on free ports, and ends each of them when its `Server` is dropped.
#![allow(dead_code, reason = "each test program has its own part of it")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

pub mod cluster;
pub mod filter;
pub mod liar;
pub mod port;
pub mod proxy;
pub mod repeated;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio, id},
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    thread::sleep,
    time::{Duration, Instant},
};

use redis::{Client, Connection, cmd};

pub use port::free_port;

/// A server that runs until this value is dropped.
pub struct Server {
    child: Child,
    pub port: u16,
    pub folder: PathBuf,
    program: PathBuf,
    args: Vec<String>,
}

/// The path of a file that scripts/install downloaded, if it exists.
pub fn fetched(name: &str) -> Option<PathBuf> {
    let path = Path::new(&env::var_os("BOUQUET_SERVERS")?).join(name);
    path.exists().then_some(path)
}

/// The server programs that are installed, with their names.
pub fn programs() -> Vec<(&'static str, PathBuf)> {
    let mut all = Vec::new();
    if let Some(program) = redis() {
        all.push(("redis", program));
    }
    for name in ["valkey-8", "valkey-9"] {
        match fetched(name) {
            Some(program) => all.push((name, program)),
            None => eprintln!("SKIPPED: {name} is not here: run scripts/install --all"),
        }
    }
    all
}

/// The path of the system's Redis, if it is installed.
pub fn redis() -> Option<PathBuf> {
    let found = env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join("redis-server"))
        .find(|path| path.exists());
    if found.is_none() {
        eprintln!("SKIPPED: there is no redis-server here: install it");
    }
    found
}

impl Server {
    /// Starts the system's Redis with these arguments; `None` if it is not installed.
    pub fn redis(args: &[&str]) -> Option<Self> {
        Some(Self::start(&redis()?, args))
    }

    /// Starts each installed server with RedisBloom loaded.
    pub fn with_bloom() -> Vec<(&'static str, Self)> {
        let Some(module) = fetched("redisbloom.so") else {
            eprintln!("SKIPPED: redisbloom.so is not here: run scripts/install --all");
            return Vec::new();
        };
        let args = ["--loadmodule", module.to_str().unwrap()];
        let start = |(name, program): (_, PathBuf)| (name, Self::start(&program, &args));
        programs().into_iter().map(start).collect()
    }

    pub fn start(program: &Path, args: &[&str]) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Relaxed);
        let folder = env::temp_dir().join(format!("bouquet-redis-{}-{number}", id()));
        fs::create_dir_all(&folder).unwrap();
        let args = args.iter().map(|arg| (*arg).to_owned()).collect();
        let port = free_port();
        let child = Self::spawn(program, port, &folder, &args);
        let program = program.to_owned();
        let mut server = Self {
            child,
            port,
            folder,
            program,
            args,
        };
        // Another process may have taken the port in the meantime; then another port is tried.
        while !server.is_up() {
            server.port = free_port();
            server.restart_at_once();
        }
        server
    }

    fn spawn(program: &Path, port: u16, folder: &Path, args: &Vec<String>) -> Child {
        Command::new(program)
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1"])
            .args(["--save", "", "--dir"])
            .arg(folder)
            .args(args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    /// Waits until the server answers; returns `false` if it ended instead.
    fn is_up(&mut self) -> bool {
        let end = Instant::now() + Duration::from_secs(30);
        loop {
            let pong = self.client().get_connection().and_then(|mut connection| {
                let reply = cmd("PING").query::<redis::Value>(&mut connection);
                match reply {
                    Err(error) if error.code() == Some("NOAUTH") => Ok(redis::Value::Nil),
                    other => other,
                }
            });
            let is_answered = match &pong {
                Ok(_) => true,
                Err(error) => format!("{error}").contains("uthentication"),
            };
            // If this server has ended, the answer came from another process on the port.
            if self.child.try_wait().unwrap().is_some() {
                return false;
            }
            if is_answered {
                return true;
            }
            assert!(Instant::now() < end, "the server did not come up: {pong:?}");
            sleep(Duration::from_millis(20));
        }
    }

    /// Kills the server, as in a crash.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts the server again with the same port and files, and waits until it answers.
    pub fn restart(&mut self) {
        self.restart_at_once();
        assert!(self.is_up(), "the server did not start again");
    }

    /// Starts the server again, but does not wait until it answers.
    pub fn restart_at_once(&mut self) {
        self.child = Self::spawn(&self.program, self.port, &self.folder, &self.args);
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    pub fn client(&self) -> Client {
        Client::open(self.url()).unwrap()
    }

    pub fn connect(&self) -> Connection {
        self.client().get_connection().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// One key for each number of the range.
pub fn keys(range: std::ops::Range<u32>) -> Vec<String> {
    range.map(|i| format!("key:{i}")).collect()
}
