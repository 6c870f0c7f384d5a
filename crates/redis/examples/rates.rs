//! Keys per second of go-zero's own two scripts and of this crate's commands, in turn and
//! in one run: `rates URL [ROUNDS]`. Takes the keys `{rates}*` of that server.

use std::{
    error::Error,
    hint::black_box,
    time::{Duration, Instant},
};

use bouquet_interop::go_zero::{self, GoZeroHash};
use bouquet_redis::{
    GoZero, Native, RemoteBitmap, Scheme,
    redis::{Client, Connection, Value, cmd, pipe},
};

const CAPACITY: u64 = 1_000_000;
const TARGET: f64 = 0.01;
/// As go-zero writes them.
const SET: &str =
    "for _, offset in ipairs(ARGV) do\n\tredis.call(\"setbit\", KEYS[1], offset, 1)\nend";
const TEST: &str = "for _, offset in ipairs(ARGV) do\n\tif tonumber(redis.call(\"getbit\", KEYS[1], offset)) == 0 then\n\t\treturn false\n\tend\nend\nreturn true";

type Done<T> = Result<T, Box<dyn Error>>;

/// go-zero's way: one script per key, `keys` of them in flight.
fn scripts(
    connection: &mut Connection,
    (script, name): (&str, &str),
    scheme: go_zero::Scheme,
    keys: &[u64],
) -> Done<()> {
    let mut all = pipe();
    for key in keys {
        let call = all.cmd("EVALSHA").arg(script).arg(1).arg(name);
        for location in scheme.locations(GoZeroHash::of(&key.to_le_bytes())) {
            call.arg(location);
        }
    }
    black_box(all.query::<Vec<Value>>(connection)?);
    Ok(())
}

/// Keys per second of calls with `size` keys each.
fn rate(size: usize, first: &mut u64, mut call: impl FnMut(&[u64]) -> Done<()>) -> Done<f64> {
    let (began, mut done) = (Instant::now(), 0);
    while began.elapsed() < Duration::from_millis(100) {
        let keys: Vec<u64> = (0..size as u64).map(|i| (*first + i) % CAPACITY).collect();
        *first += size as u64;
        call(&keys)?;
        done += size;
    }
    Ok(done as f64 / began.elapsed().as_secs_f64())
}

fn fresh<S: Scheme>(connection: &mut Connection, name: &str, scheme: S) -> Done<RemoteBitmap<S>> {
    RemoteBitmap::<S>::delete(connection, name)?;
    Ok(RemoteBitmap::create(connection, name, scheme)?)
}

/// The longest that another client waits for one `PING` while `work` is done.
fn stall(url: &str, work: impl FnOnce() -> Done<()>) -> Done<Duration> {
    use std::sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    };
    let mut other = Client::open(url)?.get_connection()?;
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = stop.clone();
    let waiting = std::thread::spawn(move || {
        let mut longest = Duration::ZERO;
        while !stopped.load(Relaxed) {
            let began = Instant::now();
            if cmd("PING").exec(&mut other).is_err() {
                break;
            }
            longest = longest.max(began.elapsed());
        }
        longest
    });
    let done = work();
    stop.store(true, Relaxed);
    done?;
    waiting.join().map_err(|_| "the other client ended".into())
}

fn main() -> Done<()> {
    let mut args = std::env::args().skip(1);
    let url = args.next().ok_or("give the address of a server")?;
    let rounds: usize = args.next().map_or(Ok(9), |rounds| rounds.parse())?;
    let connection = &mut Client::open(&url[..])?.get_connection()?;
    let load = |script: &str, connection: &mut Connection| -> Done<String> {
        Ok(cmd("SCRIPT").arg("LOAD").arg(script).query(connection)?)
    };
    let (set, test) = (load(SET, connection)?, load(TEST, connection)?);
    let scheme = GoZero::for_target(CAPACITY, TARGET)?;
    let theirs = go_zero::Scheme::new(scheme.size_bits())?;
    let mut go = fresh(connection, "{rates}go", scheme)?;
    let mut native = fresh(connection, "{rates}native", Native::new(CAPACITY, TARGET)?)?;
    // All keys that are asked for are members: a script ends at the first bit that is 0.
    let members: Vec<u64> = (0..CAPACITY).collect();
    for members in members.chunks(50_000) {
        go.insert_batch(connection, members)?;
        native.insert_batch(connection, members)?;
    }
    for size in [16, 100] {
        let mut best = [0.0f64; 6];
        let mut first = 0;
        for _ in 0..rounds {
            let name = "{rates}go";
            let rates = [
                rate(size, &mut first, |k| {
                    scripts(connection, (&set, name), theirs, k)
                })?,
                rate(size, &mut first, |k| {
                    Ok(drop(go.insert_batch(connection, k)?))
                })?,
                rate(size, &mut first, |k| {
                    Ok(drop(native.insert_batch(connection, k)?))
                })?,
                rate(size, &mut first, |k| {
                    scripts(connection, (&test, name), theirs, k)
                })?,
                rate(size, &mut first, |k| {
                    Ok(drop(go.contains_batch(connection, k)?))
                })?,
                rate(size, &mut first, |k| {
                    Ok(drop(native.contains_batch(connection, k)?))
                })?,
            ];
            for (best, rate) in best.iter_mut().zip(rates) {
                *best = best.max(rate);
            }
        }
        println!("{size} keys at a time, keys/s (best of {rounds}), and times go-zero's scripts");
        for (what, rates) in [("add", &best[..3]), ("check", &best[3..])] {
            for (who, rate) in ["go-zero's script", "GoZero", "Native"].iter().zip(rates) {
                println!("{what:5} {who:16} {rate:9.0} {:5.2}", rate / rates[0]);
            }
        }
    }
    let idle = stall(&url, || Ok(std::thread::sleep(Duration::from_millis(500))))?;
    let name = "{rates}large";
    RemoteBitmap::<GoZero>::delete(connection, name)?;
    let made = stall(&url, || {
        Ok(drop(RemoteBitmap::create(
            connection,
            name,
            GoZero::new(1 << 32)?,
        )?))
    })?;
    println!("longest PING of another client: idle {idle:?}, while 512 MiB are created {made:?}");
    for name in ["{rates}go", "{rates}native", "{rates}large"] {
        cmd("UNLINK")
            .arg(name)
            .arg(format!("{name}:bouquet"))
            .exec(connection)?;
    }
    Ok(())
}
