//! `bouquet dedup`: a stream without the lines that came before.

use std::fs;

use anyhow::{Result, ensure};

use super::files::{KeyFlags, Lines, SecretFlags, grouped, note, percent, warn_of};
use bouquet_files::{Chunk, Hashing, Reading, Stream};
use bouquet_theory as theory;

/// Lines to begin with room for where nothing is known of them: some 12 MB at 0.001.
const ROOM: u64 = 1 << 22;
/// Nor is room for more than these taken before they come: some 400 MB at 0.001.
const MOST: u64 = 1 << 27;
/// The first lines are a sample.
const MARGIN: f64 = 1.05;
/// The FPR is worked out again with this part of the lines more, which takes longer than
/// to read some.
const STEP: u64 = 16;

const HELP: &str = "\
Memory grows with the different lines, by some 20 to 90 bits each at 0.001; the
lines are not kept. Of a file there is room for all its lines from the start, as
many as its size says by its first ones.

A line that came before is always dropped. One that did not is dropped with
probability at most --fpr, however many there are. What was dropped is reported
on standard error at the end.

The default hash is no secret, so that the same lines give the same output in
every run. With --hasher sip-keyed nobody can choose lines that are dropped
wrongly: take it for lines that others write. Its key is a random one if no file
gives it, and nothing of it is kept.

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
    /// Different lines to begin with room for. [default: by the size of a file, else 2^22]
    #[arg(long, value_name = "N", value_parser = theory::whole::<u64>)]
    capacity: Option<u64>,
    /// The hash of the lines. [default: folded]
    #[arg(long, value_enum)]
    hasher: Option<Hashing>,
    #[command(flatten)]
    secret_flags: SecretFlags,
    #[command(flatten)]
    key_flags: KeyFlags,
}

/// What came, and what of it was new.
#[derive(Default)]
struct Tally {
    lines: u64,
    kept: u64,
    /// New lines that are likely to have been dropped, of all but the last few kept.
    wrongly: f64,
    /// How many kept ones that is of, and for each the dropped ones at the last of them.
    weighed: u64,
    dropped_each: f64,
    /// The reader of standard output went away before the end.
    cut: bool,
}

pub fn run(args: &Args) -> Result<u8> {
    let hashing = args.hasher.unwrap_or_default();
    let key = hashing.key_for_once(args.secret_flags.key()?)?;
    // What is wrong with them is said before anything is read.
    ensure!(args.capacity != Some(0), "--capacity 0: give at least 1");
    let room = args.capacity.unwrap_or(1);
    let mut stream = Stream::new(room, args.fpr, hashing, key.as_ref())?;
    let mut keys = stream.read(args.key_flags.keys(&[]));
    let tally = args.copy(&mut stream, &mut keys)?;
    warn_of(&keys);
    note(&tally.words(args.fpr));
    Ok(0)
}

impl Args {
    fn copy(&self, stream: &mut Stream, keys: &mut Reading) -> Result<Tally> {
        let mut lines = Lines::new(self.key_flags.end());
        let mut tally = Tally::default();
        while let Some(chunk) = keys.next_chunk()? {
            if tally.lines == 0 && self.capacity.is_none() {
                stream.begin_with(room_for(chunk))?;
            }
            tally.lines += chunk.len() as u64;
            let new = stream.are_new(chunk)?;
            let kept = new.iter().filter(|new| **new).count() as u64;
            tally.kept += kept;
            tally.cut = !lines.chosen(chunk, new, true)?;
            if tally.kept - tally.weighed > tally.weighed / STEP {
                tally.weigh(stream);
            }
            if tally.cut {
                break;
            }
        }
        tally.weigh(stream);
        Ok(tally)
    }
}

/// Lines that a file on standard input has, if all are as long as the first ones; the
/// default where it is no file. More or fewer may come: the filter grows.
fn room_for(first: &Chunk) -> u64 {
    let bytes = first.lines(0..first.len()).len() + 1;
    let file = fs::metadata("/dev/stdin")
        .ok()
        .filter(fs::Metadata::is_file);
    file.map_or(ROOM, |file| {
        let lines = file.len() as f64 / bytes as f64 * first.len() as f64;
        // Casting saturates.
        ((MARGIN * lines) as u64).clamp(1, MOST)
    })
}

impl Tally {
    /// Estimates how many new lines were dropped among those that came since the last time,
    /// by the mean of the FPR then and now.
    fn weigh(&mut self, stream: &Stream) {
        let fpr = stream.expected_fpr();
        // Those that were kept are what the filter did not report as present.
        let each = fpr / (1.0 - fpr);
        let kept = (self.kept - self.weighed) as f64;
        self.wrongly += kept * (self.dropped_each + each) / 2.0;
        (self.weighed, self.dropped_each) = (self.kept, each);
    }

    fn words(&self, target_fpr: f64) -> String {
        let different = self.kept as f64 + self.wrongly;
        let cut = if self.cut {
            "standard output was closed before the end: of the lines read till then "
        } else {
            ""
        };
        format!(
            "{cut}{} of {} lines dropped; of the {} different ones about {:.1} wrongly ({}, at most {} \
             promised)",
            grouped(self.lines - self.kept),
            grouped(self.lines),
            grouped(different.round() as u64),
            self.wrongly,
            percent(self.wrongly / different.max(1.0)),
            percent(target_fpr)
        )
    }
}
