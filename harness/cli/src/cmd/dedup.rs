//! `bouquet dedup`: removes duplicate lines from a stream.

use anyhow::Result;

use super::files::{KeyFlags, Lines, note, warn_of};
use crate::files::{self, Chunk, HashKey, Hashing, Kind, Request, SecretArgs};
use bouquet_catalogue::theory;
use bouquet_report::number::count;

const HELP: &str = "\
Memory grows with the number of distinct lines, which are not stored. A
duplicate is always removed; a new line is removed with probability at most
--fpr. Use --hasher sip-keyed, which has a random key, for lines that others
write: nobody can choose lines that are wrongly removed.

Examples:
  crawl | bouquet dedup > new-urls
  bouquet dedup --fpr 1e-6 --hasher sip-keyed < urls > distinct";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// The share of new lines that may be wrongly removed.
    #[arg(long, value_name = "P", value_parser = theory::fpr, default_value = "0.001")]
    fpr: f64,
    /// The number of distinct lines that there is room for at first.
    #[arg(long, value_name = "N", value_parser = theory::whole::<u64>, default_value = "2^22")]
    capacity: u64,
    /// The hash of the lines. [default: folded]
    #[arg(long, value_enum)]
    hasher: Option<Hashing>,
    #[command(flatten)]
    key_flags: KeyFlags,
}

pub fn run(args: &Args) -> Result<u8> {
    let hash_key_file = match args.hasher {
        Some(own) if own.keyed => Some(HashKey::random()?),
        _ => None,
    };
    let request = Request {
        filter: Kind::growing(),
        hasher: args.hasher,
        secret: SecretArgs { hash_key_file },
        capacity: Some(args.capacity),
        fpr: Some(args.fpr),
        ..Request::default()
    };
    let mut filter = files::make(&request)?;
    let mut keys = args.key_flags.keys(&[]).hashed(filter.hash());
    let mut out = Lines::new(args.key_flags.end());
    let (mut chunk, mut new, mut lines, mut dropped) = (Chunk::default(), Vec::new(), 0, 0);
    while keys.fill(&mut chunk)? {
        let taken = filter.insert_new(&chunk, &mut new);
        taken.map_err(|error| request.in_flags(error))?;
        lines += new.len() as u64;
        dropped += new.iter().filter(|new| !**new).count() as u64;
        if !out.chosen(&chunk, &new, true)? {
            break;
        }
    }
    warn_of(keys);
    let [dropped, lines] = [dropped, lines].map(count);
    note(&format!("{dropped} of {lines} lines removed"));
    Ok(0)
}
