//! `bouquet theory`: the calculator.

mod asks;

use anyhow::{Result, anyhow};

use super::{Format, print, tell};
use bouquet_render::columns::{Table, Value};
use bouquet_theory::{self as theory, Answer, FIELDS, Filter, Range, Steps};

/// Of a word that a filter's bits may be kept in.
const WORD_BITS: u64 = 32;

const HELP: &str = "\
What settles a filter (standard, partitioned, blocked, split-block, counting, sharded):
  --capacity --fpr                     the size: that of our own filter, with the best k
  --capacity --fpr --hashes            the smallest size with this k
  --capacity --bits [--hashes]         the FPR (k: the best, unless given)
  --capacity --bits-per-key [--hashes] the same
  --bits --bits-per-key [--hashes]     the capacity, and the FPR
  --bits --fpr [--hashes]              the most keys that keep the FPR
  with a size and --fpr                whether the target is kept, and the size that keeps it
cuckoo: one of --fingerprint-bits, --bits-per-key, --fpr, or --capacity with --bits
scalable: --stages, and --fpr or --first-fpr; with --capacity (of the first stage) also our sizes

Numbers: 1000000, 1_000_000, 1e6, 1.5M, 64Ki, 2^20, 0.01, 1%. Several: a,b,c. Ranges: a..b, both
ends included, up or down. --capacity, --bits, --fpr and --first-fpr go by decades; --shards,
--bucket and --block-bits by doubling; --bits-per-key, --hashes, --fingerprint-bits,
--counter-bits, --growth and --stages by 1; --tightening by 0.1, --load by 0.05. Ranges multiply.

JSON is an array of objects, one an answer; CSV has the same columns. Both have every quantity of
--explain under its name there, with all digits of an f64, and null or nothing where a filter has
none. FPRs and fills are shares: 0.01 is 1 %.

Examples:
  bouquet theory --capacity 1e6 --fpr 0.01
  bouquet theory --capacity 1e3..1e9 --fpr 0.01
  bouquet theory --filter standard,blocked,split-block,cuckoo --capacity 1e6 --bits-per-key 6..20
  bouquet theory --filter counting --capacity 1e6 --fpr 0.01 --counter-bits 2..8 --format md
  bouquet theory --filter scalable --fpr 0.01 --tightening 0.5..0.9 --stages 10
  bouquet theory --capacity 1..1e6 --fpr 0.01 --columns capacity,textbook_size_over_target
  bouquet theory --explain";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// The filter; several beside each other: a,b,c.
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Filter::Standard])]
    filter: Vec<Filter>,
    /// Keys (n); of a scalable filter those of its first stage.
    #[arg(long, value_name = "N", value_parser = theory::counts::<u64>(Steps::Decades))]
    capacity: Option<Range<u64>>,
    /// Bits of storage in all (m).
    #[arg(long, value_name = "M", value_parser = theory::counts::<u64>(Steps::Decades))]
    bits: Option<Range<u64>>,
    /// Bits of storage a key.
    #[arg(long, value_name = "BITS", value_parser = theory::reals(Steps::By(1.0)))]
    bits_per_key: Option<Range<f64>>,
    /// Probes a key (k); of split-block, words in a block.
    #[arg(long, value_name = "K", value_parser = theory::counts::<u32>(Steps::By(1.0)))]
    hashes: Option<Range<u32>>,
    /// Target false-positive rate, a share.
    #[arg(long, value_name = "P", value_parser = theory::shares(Steps::Decades))]
    fpr: Option<Range<f64>>,
    /// The probes of a key never repeat: standard, blocked.
    #[arg(long)]
    distinct: bool,
    /// Bits of a block: blocked, split-block. [default: 512]
    #[arg(long, value_name = "BITS", value_parser = theory::counts::<u64>(Steps::Doubling))]
    block_bits: Option<Range<u64>>,
    /// Bits of a counter, 1 to 8: counting. [default: 4]
    #[arg(long, value_name = "BITS", value_parser = theory::counts::<u32>(Steps::By(1.0)))]
    counter_bits: Option<Range<u32>>,
    /// Shards: sharded. [default: 64]
    #[arg(long, value_name = "S", value_parser = theory::counts::<u32>(Steps::Doubling))]
    shards: Option<Range<u32>>,
    /// Full stages: scalable.
    #[arg(long, value_name = "STAGES", value_parser = theory::counts::<u32>(Steps::By(1.0)))]
    stages: Option<Range<u32>>,
    /// Target FPR of a stage over that of the one before: scalable. [default: 0.8]
    #[arg(long, value_name = "R", value_parser = theory::reals(Steps::By(0.1)))]
    tightening: Option<Range<f64>>,
    /// Keys of a stage over those of the one before: scalable. [default: 2]
    #[arg(long, value_name = "G", value_parser = theory::counts::<u32>(Steps::By(1.0)))]
    growth: Option<Range<u32>>,
    /// Target FPR of the first stage: scalable. [default: FPR * (1 - TIGHTENING)]
    #[arg(long, value_name = "P0", value_parser = theory::shares(Steps::Decades))]
    first_fpr: Option<Range<f64>>,
    /// Bits of a fingerprint: cuckoo.
    #[arg(long, value_name = "BITS", value_parser = theory::counts::<u32>(Steps::By(1.0)))]
    fingerprint_bits: Option<Range<u32>>,
    /// Slots of a bucket: cuckoo. [default: 4]
    #[arg(long, value_name = "SLOTS", value_parser = theory::counts::<u32>(Steps::Doubling))]
    bucket: Option<Range<u32>>,
    /// Share of slots taken: cuckoo. [default: 0.95]
    #[arg(long, value_name = "SHARE", value_parser = theory::shares(Steps::By(0.05)))]
    load: Option<Range<f64>>,
    /// Bits of hash a key, for the hash floor.
    #[arg(long, value_name = "BITS", default_value = "64", value_parser = theory::whole::<u32>)]
    hash_bits: u32,
    /// Show every quantity with its unit and the source of its formula.
    #[arg(long)]
    explain: bool,
    /// Only these quantities, or `all`; a table of several answers has the main
    /// ones unless told otherwise.
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    columns: Vec<String>,
    /// How the answer goes to standard output.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

pub fn run(args: &Args) -> Result<u8> {
    let table = if args.explain {
        explained()
    } else {
        let columns = columns(args)?;
        let asks = asks::asks(args)?;
        let answers: Result<Vec<Answer>> = asks.iter().map(theory::answer).collect();
        let blocks = asks.iter().filter_map(|ask| ask.block_bits);
        if let Some(bits) = blocks.filter(|bits| bits % WORD_BITS != 0).min() {
            tell(&format!(
                "note: blocks of {bits} bits are no whole words of {WORD_BITS}; size_bits is what \
                 theory takes, and what is allocated is more"
            ));
        }
        answered(&answers?, &columns, args.format)
    };
    print(&args.format.text(&table)?)?;
    Ok(0)
}

/// Which of [`FIELDS`] were asked for; none: whatever the format takes.
fn columns(args: &Args) -> Result<Vec<usize>> {
    if args.columns == ["all"] {
        return Ok((0..FIELDS.len()).collect());
    }
    let find = |name: &String| {
        FIELDS
            .iter()
            .position(|field| field.name == name)
            .ok_or_else(|| {
                anyhow!("no quantity is called {name:?}: --explain shows them all, or say `all`")
            })
    };
    args.columns.iter().map(find).collect()
}

fn explained() -> Table {
    Table::answer(FIELDS.iter())
        .column("quantity", |field| field.name)
        .column("unit", |field| field.unit)
        .column("about", |field| field.about)
        .table()
}

/// One answer for people is a list, several are a table of what matters most.
fn answered(answers: &[Answer], columns: &[usize], format: Format) -> Table {
    let for_people = matches!(format, Format::Table | Format::Md);
    let all: Vec<usize> = (0..FIELDS.len()).collect();
    let main = || all.iter().copied().filter(|at| FIELDS[*at].headline);
    match (answers, columns) {
        ([answer], []) if for_people => list(answer, &all),
        ([answer], columns) if for_people => list(answer, columns),
        (_, []) if for_people => {
            table(answers, &main().collect::<Vec<_>>()).without_empty_columns()
        }
        (_, columns) if for_people => table(answers, columns).without_empty_columns(),
        (_, []) => table(answers, &all),
        (_, columns) => table(answers, columns),
    }
}

fn table(answers: &[Answer], columns: &[usize]) -> Table {
    let mut table = Table::answer(answers);
    for at in columns {
        table = table.column(FIELDS[*at].name, |answer| value(&answer.values()[*at]));
    }
    table.table()
}

fn list(answer: &Answer, columns: &[usize]) -> Table {
    let values = answer.values();
    let full = |at: &&usize| values[**at] != theory::Value::Nothing;
    Table::answer(columns.iter().filter(full))
        .column("quantity", |at| FIELDS[*at].name)
        .column("value", |at| value(&values[*at]))
        .column("unit", |at| FIELDS[*at].unit)
        .table()
}

fn value(value: &theory::Value) -> Value {
    match value {
        theory::Value::Count(count) => (*count).into(),
        theory::Value::Number(number) => (*number).into(),
        theory::Value::Words(words) => words.clone().into(),
        theory::Value::YesNo(yes) => (*yes).into(),
        theory::Value::Nothing => Value::Nothing,
    }
}
