//! Creates, fills, queries and copies a filter on a server. Run it in `crates/redis`:
//!
//! cargo run --example remote -- create seen 1000000 0.01
use std::{
    env::{self, VarError},
    error::Error,
    fs::{self, File},
    io::{self, BufRead, BufReader, BufWriter, Write},
    process::ExitCode,
};

use bouquet_redis::{Inserted, Native, Reconnecting, RemoteBitmap, connect};

const USAGE: &str = "\
usage: remote [--server URL] COMMAND

  create NAME CAPACITY FPR  makes an empty filter for so many keys, at this FPR
  add NAME                  inserts the lines of standard input
  check NAME                prints the lines of standard input that the filter may contain, as
                            `bouquet check` does of a file: all others are definitely absent
  dump NAME FILE            writes the filter into a new file, which `bouquet check` opens

The server is that of --server, of REDIS_URL, or redis://127.0.0.1/. A password belongs in REDIS_URL,
for other users see a command line. Exit codes: 0 good; 1 if `check` printed no line, as grep; 2 for
an error, which is never taken for \"definitely absent\".";

/// The maximum number of keys in one call.
const BATCH: usize = 4_096;

type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

fn main() -> ExitCode {
    ExitCode::from(run().unwrap_or_else(|error| {
        eprintln!("{error}");
        2
    }))
}

fn run() -> Result<u8> {
    let words = env::args_os().skip(1).map(|word| word.into_string());
    let words = words.collect::<Result<Vec<_>, _>>();
    let words = words.map_err(|word| format!("{} is not UTF-8", word.display()))?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (url, command) = match (&words[..], env::var("REDIS_URL")) {
        (["--server", url, command @ ..], _) => ((*url).to_owned(), command),
        (command, Ok(url)) => (url, command),
        (command, Err(VarError::NotPresent)) => ("redis://127.0.0.1/".to_owned(), command),
        (_, Err(VarError::NotUnicode(_))) => return Err("REDIS_URL is not UTF-8".into()),
    };
    let server = || connect(url.as_str());
    match command {
        ["create", name, capacity, fpr] => {
            let capacity = capacity
                .parse()
                .map_err(|error| format!("CAPACITY: {error}"))?;
            let fpr = fpr.parse().map_err(|error| format!("FPR: {error}"))?;
            let scheme = Native::new(capacity, fpr)?;
            RemoteBitmap::create(&mut server()?, name, scheme)?;
            Ok(0)
        }
        ["add", name] => add(&mut server()?, name),
        ["check", name] => check(&mut server()?, name),
        ["dump", name, file] => dump(&mut server()?, name, file),
        _ => Err(USAGE.into()),
    }
}

fn add(server: &mut Reconnecting, name: &str) -> Result<u8> {
    let filter = RemoteBitmap::<Native>::join(server, name)?;
    let (mut input, mut all, mut new) = (BufReader::new(io::stdin()), 0, 0);
    while let Some(keys) = batch(&mut input)? {
        let inserted = filter.insert_batch(server, &keys)?;
        all += keys.len();
        new += inserted.iter().filter(|of| **of == Inserted::New).count();
    }
    eprintln!("{name}: {all} keys inserted, {new} of them new");
    Ok(0)
}

fn check(server: &mut Reconnecting, name: &str) -> Result<u8> {
    let filter = RemoteBitmap::<Native>::join(server, name)?;
    let (mut input, mut output) = (BufReader::new(io::stdin()), BufWriter::new(io::stdout()));
    let mut code = 1;
    while let Some(keys) = batch(&mut input)? {
        let answers = filter.contains_batch(server, &keys)?;
        for (key, _) in keys.iter().zip(answers).filter(|(_, is_hit)| *is_hit) {
            output.write_all(key)?;
            output.write_all(b"\n")?;
            code = 0;
        }
        output.flush()?;
    }
    Ok(code)
}

fn dump(server: &mut Reconnecting, name: &str, file: &str) -> Result<u8> {
    let named = |error| format!("{file}: {error}");
    let bytes = RemoteBitmap::<Native>::join(server, name)?.dump(server)?;
    let mut new = File::create_new(file).map_err(named)?;
    if let Err(error) = new.write_all(&bytes).and_then(|()| new.sync_all()) {
        // A partly written file is deleted.
        fs::remove_file(file).map_err(named)?;
        return Err(named(error).into());
    }
    Ok(0)
}

/// Reads the lines that are already buffered, or waits for the next one. So a sender that sends one
/// line at a time gets an answer to each.
fn batch(input: &mut BufReader<io::Stdin>) -> io::Result<Option<Vec<Vec<u8>>>> {
    let mut keys = Vec::new();
    while keys.is_empty() || (keys.len() < BATCH && !input.buffer().is_empty()) {
        let mut key = Vec::new();
        if input.read_until(b'\n', &mut key)? == 0 {
            break;
        }
        key.pop_if(|last| *last == b'\n');
        keys.push(key);
    }
    Ok((!keys.is_empty()).then_some(keys))
}
