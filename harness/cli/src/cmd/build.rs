//! `bouquet build`: writes a file with a filter of keys.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::files::{KeyFlags, SecretFlags, grouped, in_short, note, percent, progress, warn_of};
use crate::output::{NEGATIVE, tell as say};
use bouquet_files::{self as files, AnyFilter, Chunk, Facts, Format, Hashing, Keys, Kind, Request};
use bouquet_render::number::plural;
use bouquet_theory as theory;

/// With this many times its capacity in keys, a filter answers "may contain" for almost every key,
/// so it is not written.
const HOPELESS: u64 = 10;
/// The FPR above which a filter of a given size in bits is useless.
const MOST_FPR: f64 = 0.5;

const HELP: &str = "\
Sizes: --capacity and --fpr, or --bits (2^20 is one too) and --hashes. Without
any, the keys of files are counted first; repeats count too. Formats of others
are sized as their own libraries do it.

What holds what:
  native               every --filter
  go, go-json          one array of bits (Go's bits-and-blooms v3)
  guava, guava32       one array of bits; keys as stringFunnel(UTF_8) or
                       byteArrayFunnel feeds them
  parquet              blocks of 256 bits; keys as plain values
  redisbloom           a chain that grows, or with --filter standard one that
                       does not
  go-zero, redisson    one array of bits, a Redis string; keep m and k beside it

A filter that others may ask, or fill with keys of their choice, takes --hasher
sip-keyed and a secret key, which check and union need again: `umask 077;
openssl rand -hex 16 > FILE` makes one.

With ten times the keys that it is sized for, or more, nothing is written and
the exit code is 1.

Examples:
  bouquet build -o seen.bouquet urls.txt
  zcat urls.gz | bouquet build --capacity 1e7 --filter blocked -o seen.bouquet
  bouquet build --hasher sip-keyed --hash-key-file key -o seen.bouquet urls.txt
  bouquet build --to guava --fpr 0.01 -o seen.guava urls.txt
  bouquet build --hex --to parquet -o seen.sbbf hex.txt";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// Files of keys, one per line; standard input if none or `-`.
    #[arg(value_name = "KEYFILE")]
    keys: Vec<PathBuf>,
    /// The file to write; `-` is standard output.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The format of the file that is written.
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "native")]
    to: Format,
    /// The variant. [default: standard, or what the format holds]
    #[arg(long, value_enum)]
    filter: Option<Kind>,
    /// Keys to size it for (n).
    #[arg(long, value_name = "N", value_parser = theory::whole::<u64>)]
    capacity: Option<u64>,
    /// Target false-positive rate, a share. [default: 0.01]
    #[arg(long, value_name = "P", value_parser = theory::fpr)]
    fpr: Option<f64>,
    /// Bits of storage in all (m).
    #[arg(long, value_name = "M", value_parser = theory::whole::<u64>, conflicts_with_all = ["capacity", "fpr"])]
    bits: Option<u64>,
    /// Probes per key (k).
    #[arg(long, value_name = "K", requires = "bits", value_parser = theory::whole::<u32>)]
    hashes: Option<u32>,
    /// The hash of a native filter. [default: folded]
    #[arg(long, value_enum)]
    hasher: Option<Hashing>,
    /// The seed of that hash. [default: 0]
    #[arg(long, value_name = "S", value_parser = theory::whole::<u64>)]
    seed: Option<u64>,
    #[command(flatten)]
    secret_flags: SecretFlags,
    #[command(flatten)]
    key_flags: KeyFlags,
}

pub fn run(args: &Args) -> Result<u8> {
    let mut request = Request {
        format: args.to,
        filter: args.filter,
        hasher: args.hasher,
        seed: args.seed,
        key: args.secret_flags.key()?,
        capacity: args.capacity,
        fpr: args.fpr,
        size_bits: args.bits,
        hashes: args.hashes,
    };
    request.check()?;
    // If standard input is a file, this path leads to it.
    let stdin = reads_standard_input(&args.keys).then_some(Path::new("/dev/stdin"));
    let keys = args.keys.iter().map(PathBuf::as_path).chain(stdin);
    args.secret_flags.check_output(&args.output, keys)?;
    let keys = args.key_flags.keys(&args.keys);
    if !request.is_sized() && (!request.grows() || files::once(&args.keys).is_none()) {
        request.capacity = Some(counted(args, &keys)?);
    }
    let mut filter = files::make(&request)?;
    let inserted = insert(args, keys, &mut *filter)?;
    let facts = filter.facts(None);
    let overfull = overfull(&request, inserted, &facts);
    if let Some((words, true)) = &overfull {
        say(&format!(
            "bouquet: {}: not written: {words}",
            args.output.display()
        ));
        return Ok(NEGATIVE);
    }
    files::save(&args.output, |out| filter.write(args.to, out))?;
    let (keys, short) = (grouped(inserted), in_short(args.to, &facts));
    note(&format!("{}: {keys} keys; {short}", args.output.display()));
    if let (Format::GoZero | Format::Redisson, Some(hashes)) = (args.to, facts.hashes) {
        // The file does not contain these numbers, and with other numbers every key would be
        // absent.
        let (to, bits) = (args.to, facts.size_bits);
        note(&format!(
            "to be read by --as {to} --bits {bits} --hashes {hashes}"
        ));
    }
    if let Some((words, _)) = overfull {
        note(&format!("warning: {words}"));
    }
    Ok(0)
}

/// Whether a filter has more keys than it is sized for: the warning, and whether nobody can want
/// such a filter. No warning up to its capacity, where the FPR is above the target about as often
/// as below, nor for a size in bits, which has no target FPR, up to [`MOST_FPR`].
fn overfull(request: &Request, inserted: u64, facts: &Facts) -> Option<(String, bool)> {
    let fpr = facts.load.estimated_fpr;
    let in_bits = request.size_bits.is_some();
    let target = facts.target_fpr.or(request.target_fpr());
    let most = target.unwrap_or(if in_bits { MOST_FPR } else { 0.0 });
    let capacity = request.capacity.or(facts.capacity);
    let capacity = capacity.filter(|_| target.is_some() || !in_bits);
    let has_room = capacity.is_some_and(|capacity| inserted <= capacity);
    if has_room || fpr <= most || request.grows() {
        return None;
    }
    let words = format!(
        "FPR {}: {} keys are more than it is for; give --capacity {inserted}{}",
        percent(fpr),
        grouped(inserted),
        if in_bits {
            " instead of --bits and --hashes"
        } else {
            ""
        },
    );
    let is_hopeless = capacity.is_some_and(|capacity| inserted / HOPELESS >= capacity);
    Some((words, is_hopeless))
}

fn reads_standard_input(keys: &[PathBuf]) -> bool {
    keys.is_empty() || keys.iter().any(|path| path.as_os_str() == "-")
}

fn counted(args: &Args, keys: &Keys) -> Result<u64> {
    let bar = progress(false, &args.keys)?.with_message("counting keys");
    let total = keys.count(|bytes| bar.set_position(bytes))?;
    bar.finish_and_clear();
    if total == 0 {
        let files: Vec<_> = args
            .keys
            .iter()
            .map(|path| path.to_string_lossy())
            .collect();
        let files = files.join(", ");
        bail!("{files}: there are no keys to size it for: give --capacity");
    }
    note(&format!("{}, repeats counted", plural(total, "key")));
    Ok(total)
}

fn insert(args: &Args, keys: Keys, filter: &mut dyn AnyFilter) -> Result<u64> {
    let bar = progress(false, &args.keys)?.with_message("inserting");
    let mut keys = keys.hashed(filter.hash());
    let (mut chunk, mut inserted) = (Chunk::default(), 0);
    while keys.fill(&mut chunk)? {
        filter.insert(&chunk).with_context(|| {
            let larger = match args.capacity {
                Some(capacity) => format!("--capacity above {capacity}"),
                None => "a larger --capacity".to_owned(),
            };
            format!("{}: not written; give {larger}", args.output.display())
        })?;
        inserted += chunk.len() as u64;
        bar.set_position(chunk.bytes_read());
    }
    bar.finish_and_clear();
    warn_of(keys);
    filter.finish()?;
    Ok(inserted)
}
