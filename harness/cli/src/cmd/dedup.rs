//! `bouquet dedup`: removes duplicate lines from a stream.

use anyhow::Result;

use super::files::{KeyFlags, Lines, SecretFlags, grouped, note, warn_of};
use bouquet_files::{self as files, Chunk, Format, Hashing, Kind, Request};
use bouquet_theory as theory;

const HELP: &str = "\
Memory grows with the different lines; the lines are not kept. A line that came
before is always dropped. One that did not is dropped with probability at most
--fpr, however many there are.

With --hasher sip-keyed nobody can choose lines that are dropped wrongly: take
it for lines that others write. Its key is a random one if no file gives it.

Examples:
  crawl | bouquet dedup > new-urls
  crawl | bouquet dedup --hasher sip-keyed > new-urls
  bouquet dedup --fpr 1e-6 < urls > distinct";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// The share of new lines that may be dropped.
    #[arg(long, value_name = "P", value_parser = theory::fpr, default_value = "0.001")]
    fpr: f64,
    /// Different lines to begin with room for.
    #[arg(long, value_name = "N", value_parser = theory::whole::<u64>, default_value = "2^22")]
    capacity: u64,
    /// The hash of the lines. [default: folded]
    #[arg(long, value_enum)]
    hasher: Option<Hashing>,
    #[command(flatten)]
    secret_flags: SecretFlags,
    #[command(flatten)]
    key_flags: KeyFlags,
}

pub fn run(args: &Args) -> Result<u8> {
    let hashing = args.hasher.unwrap_or_default();
    let request = Request {
        format: Format::Native,
        filter: Kind::growing(),
        hasher: args.hasher,
        seed: None,
        key: hashing.key_for_once(args.secret_flags.key()?)?,
        capacity: Some(args.capacity),
        fpr: Some(args.fpr),
        size_bits: None,
        hashes: None,
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
    let [lines, dropped] = [lines, dropped].map(grouped);
    note(&format!("{dropped} of {lines} lines dropped"));
    Ok(0)
}
