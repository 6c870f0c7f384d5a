//! "Is this name taken?" at sign-up: only names that may be taken are looked up in the database.
//! Anyone can choose names, so the hash has a secret key.
//!
//! cargo run --example signup
//!
//! The names are those of `datasets/packages.txt`. Every other name is taken.

use std::{collections::HashSet, error::Error, fs};

use bouquet::{Inspect, SipKeyed, Spec, StandardBloom};

/// The names of the users, and the number of lookups.
#[derive(Default)]
struct Database {
    names: HashSet<String>,
    lookups: usize,
}

impl Database {
    fn has(&mut self, name: &str) -> bool {
        self.lookups += 1;
        self.names.contains(name)
    }
}

/// The sign-up service with its filter and the database.
struct Signup {
    known: StandardBloom<SipKeyed>,
    database: Database,
}

impl Signup {
    /// Registers the name if it is free.
    fn sign_up(&mut self, name: &str) -> bool {
        if self.known.contains(name) && self.database.has(name) {
            return false;
        }
        self.known.insert(name);
        self.database.names.insert(name.to_owned());
        true
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets/packages.txt");
    let names = fs::read_to_string(path)?;
    let (taken, free) = (names.lines().step_by(2), names.lines().skip(1).step_by(2));
    let spec = Spec::new(names.lines().count() as u64, 0.01)?;
    let mut site = Signup {
        known: StandardBloom::with_hasher(spec, SipKeyed::random())?,
        database: Database::default(),
    };
    for name in taken.clone() {
        site.sign_up(name);
    }

    site.database.lookups = 0;
    let (mut requests, mut signed_up) = (0, 0);
    let mut asked_again = taken.clone();
    // One of five requests is for a name that is taken.
    for (i, name) in free.clone().enumerate() {
        requests += 1;
        signed_up += usize::from(site.sign_up(name));
        if i % 4 == 0 {
            let Some(theirs) = asked_again.next() else {
                break;
            };
            requests += 1;
            if site.sign_up(theirs) {
                return Err(format!("{theirs} was taken and is given away").into());
            }
        }
    }
    if signed_up != free.count() {
        return Err("a free name was not given".into());
    }
    println!("{requests} requests, {signed_up} signed up");
    println!(
        "{} lookups in the database in place of {requests}",
        site.database.lookups
    );
    println!(
        "{} bytes for {} names",
        site.known.memory_bytes(),
        site.database.names.len()
    );
    if site.database.lookups * 2 > requests {
        return Err("the filter saves less than half".into());
    }
    Ok(())
}
