//! `bouquet build`: writes a file with a filter of keys.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::files::{KeyFlags, in_short, note, warn_of};
use crate::advise::share_words;
use crate::files::{self, Chunk, Facts, Format, Request};
use bouquet_report::number::{count, plural};

/// Above this FPR, a filter whose size was given in bits counts as overfull.
const MOST_FPR: f64 = 0.5;

const HELP: &str = "\
Sizes: --capacity and --fpr, or --bits (such as 2^20) and --hashes. If none is
given, the keys in the files are counted first, with duplicates. Formats of
other systems are sized as their own libraries do it; go-zero and redisson are
Redis strings without m and k.

If others choose the keys that are inserted or looked up, use --hasher sip-keyed
with a secret key (umask 077; openssl rand -hex 16 > FILE), which check, inspect
and union need too.

Examples:
  bouquet build -o seen.bouquet urls.txt
  zcat urls.gz | bouquet build --capacity 1e7 --filter blocked -o seen.bouquet
  bouquet build --to guava --fpr 0.01 -o seen.guava urls.txt";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// Files of keys, one per line; standard input if none or `-`.
    #[arg(value_name = "KEYFILE")]
    keys: Vec<PathBuf>,
    /// The file to write; `-` is standard output.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    request: Request,
    #[command(flatten)]
    key_flags: KeyFlags,
}

pub fn run(args: &Args) -> Result<u8> {
    let output = args.output.display();
    let mut request = args.request.clone();
    request.check()?;
    // If standard input is a file, which `/dev/stdin` links to, the output must not overwrite it.
    let is_stdin = |path: &PathBuf| path.as_os_str() == "-";
    let reads_stdin = args.keys.is_empty() || args.keys.iter().any(is_stdin);
    let read = reads_stdin.then_some(Path::new("/dev/stdin")).into_iter();
    let secret = request.secret.hash_key_file.iter().map(|key| &*key.path);
    let read = read.chain(args.keys.iter().map(PathBuf::as_path));
    files::check_save(&args.output, read.chain(secret))?;
    let mut keys = args.key_flags.keys(&args.keys);
    if !request.is_sized() && (!request.grows() || files::once(&args.keys).is_none()) {
        let total = keys.count()?;
        let names: Vec<_> = args
            .keys
            .iter()
            .map(|path| path.to_string_lossy())
            .collect();
        if total == 0 {
            bail!(
                "{}: there are no keys to size it for: give --capacity",
                names.join(", ")
            );
        }
        note(&format!("{}, duplicates counted", plural(total, "key")));
        request.capacity = Some(total);
    }
    let mut filter = files::make(&request)?;
    keys = keys.hashed(filter.hash());
    let (mut chunk, mut inserted) = (Chunk::default(), 0);
    while keys.fill(&mut chunk)? {
        filter.insert(&chunk).with_context(|| {
            let larger = match args.request.capacity {
                Some(capacity) => format!("--capacity above {capacity}"),
                None => "a larger --capacity".to_owned(),
            };
            format!("{output}: not written; give {larger}")
        })?;
        inserted += chunk.len() as u64;
    }
    warn_of(keys);
    filter.finish()?;
    let facts = filter.facts(None);
    files::save(&args.output, |out| filter.write(request.format, out))?;
    let short = in_short(request.format, &facts);
    note(&format!("{output}: {} keys; {short}", count(inserted)));
    if let (Format::GoZero | Format::Redisson, Some(hashes)) = (request.format, facts.hashes) {
        // The file does not contain m and k. With other values, lookups would not find the keys.
        let (to, bits) = (request.format, facts.size_bits);
        note(&format!(
            "read it with --as {to} --bits {bits} --hashes {hashes}"
        ));
    }
    if is_overfull(&request, inserted, &facts) {
        let (fpr, keys) = (share_words(facts.estimated_fpr), count(inserted));
        let size = request
            .size_bits
            .map_or("", |_| " instead of --bits and --hashes");
        note(&format!(
            "warning: FPR {fpr}: {keys} keys are more than it is for; give --capacity {inserted}{size}"
        ));
    }
    Ok(0)
}

/// Whether a filter has more keys than it is sized for, and an FPR above its target. A high FPR
/// alone is not enough: at capacity, the FPR of about half of all filters is above the target. A
/// filter whose size is given in bits has no target, so `MOST_FPR` is used.
fn is_overfull(request: &Request, inserted: u64, facts: &Facts) -> bool {
    let (capacity, most) = match request.size_bits {
        Some(_) => (None, MOST_FPR),
        None => (request.capacity.or(facts.capacity), request.fpr()),
    };
    let has_room = capacity.is_some_and(|capacity| inserted <= capacity);
    !has_room && facts.estimated_fpr > most && !request.grows() && !request.forgets()
}
