//! A list of forbidden passwords, shipped to every client as a filter in a file. A client queries
//! the server only for passwords that the filter may contain.
//!
//! cargo run --example blocklist
//!
//! The list is `datasets/words.txt`: dictionary words make bad passwords.

use std::{collections::HashSet, env, error::Error, fs, process};

use bouquet::StandardBloom;

/// The server, which has the whole list.
struct Server<'a> {
    list: HashSet<&'a str>,
    asked: usize,
}

impl Server<'_> {
    fn is_blocked(&mut self, password: &str) -> bool {
        self.asked += 1;
        self.list.contains(password)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let words = fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../datasets/words.txt"
    ))?;
    let mut server = Server {
        list: words.lines().collect(),
        asked: 0,
    };
    // The publisher writes the file. With this FPR 1 in 1,000 allowed passwords causes an
    // unnecessary request.
    let path = env::temp_dir().join(format!("bouquet-blocklist-{}", process::id()));
    StandardBloom::from_keys(words.lines(), 0.001)?.save(&path)?;
    let shipped = fs::metadata(&path)?.len();

    // The client has only the file.
    let blocked = StandardBloom::load(&path)?;
    fs::remove_file(&path)?;
    let good = (0..50_000).map(|i| format!("{i:x}-correct-{}", i * 7));
    let bad = words.lines().step_by(7).map(str::to_owned);
    let (mut chosen, mut rejected) = (0, 0);
    for password in good.chain(bad) {
        chosen += 1;
        let is_bad = blocked.contains(&password) && server.is_blocked(&password);
        if !is_bad && server.list.contains(password.as_str()) {
            return Err(format!("{password} is on the list and passes").into());
        }
        rejected += usize::from(is_bad);
    }
    let unnecessary = server.asked - rejected;
    println!("{shipped} bytes shipped; the list is {} bytes", words.len());
    println!("{chosen} passwords chosen, {rejected} of them on the list and rejected");
    println!(
        "{} requests to the server in place of {chosen}; {unnecessary} were false positives",
        server.asked
    );
    if unnecessary > 100 {
        return Err("more than twice the target".into());
    }
    Ok(())
}
