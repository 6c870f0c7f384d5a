//! `bouquet theory`: computes sizes and rates of filters.

use anyhow::{Context, Result};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::output::{Format, print};
use bouquet_catalogue as catalogue;
use bouquet_render::columns::{Table, Value};
use bouquet_theory::{self as theory, Answer, FIELDS, Field, Flags, Form};

const HELP: &str = "\
What settles a filter (standard, partitioned, blocked, split-block, counting,
sharded):
  --capacity --fpr                     the size: that of our own filter, with
                                       the best k
  --capacity --fpr --hashes            the smallest size with this k
  --capacity --bits [--hashes]         the FPR (k: the best, unless given)
  --capacity --bits-per-key [--hashes] the same
  --bits --bits-per-key [--hashes]     the capacity, and the FPR
  --bits --fpr [--hashes]              the most keys that keep the FPR
  with a size and --fpr                whether the target is kept, and the size
                                       that keeps it
cuckoo: one of --fingerprint-bits, --bits-per-key, --fpr, or --capacity with
--bits
scalable: --stages, and --fpr or --first-fpr; with --capacity (of the first
stage) also our sizes

Numbers: 1000000, 1_000_000, 1e6, 1.5M, 64Ki, 2^20, 0.01, 1%. Several: a,b,c.
Ranges: a..b, both ends included, up or down. --capacity, --bits, --fpr and
--first-fpr go by decades; --shards, --bucket and --block-bits by doubling;
--bits-per-key, --hashes, --fingerprint-bits, --counter-bits, --growth and
--stages by 1; --tightening by 0.1, --load by 0.05. Ranges multiply.

JSON has an object for each answer in `rows`; CSV has the same columns. Both
have every quantity with all digits of an f64, and null or nothing where a filter
has none. FPRs and fills are shares: 0.01 is 1 %.

Examples:
  bouquet theory --capacity 1e6 --fpr 0.01
  bouquet theory --capacity 1e3..1e9 --fpr 0.01
  bouquet theory --filter standard,cuckoo --capacity 1e6 --bits-per-key 6..20
  bouquet theory --filter counting --capacity 1e6 --fpr 0.01 --counter-bits 2..8
  bouquet theory --filter scalable --fpr 0.01 --tightening 0.5..0.9 --stages 10
  bouquet theory --capacity 1..1e6 --fpr 0.01 --format csv";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// The filter; several beside each other: a,b,c.
    #[arg(long, value_delimiter = ',', default_value = catalogue::FIRST.name, value_parser = form())]
    filter: Vec<Form>,
    #[command(flatten)]
    flags: Flags,
    /// Bits of hash per key, for the hash-collision floor.
    #[arg(long, value_name = "BITS", default_value = "64", value_parser = theory::whole::<u32>)]
    hash_bits: u32,
    /// How the answer goes to standard output.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// Parses the name of a filter.
fn form() -> impl TypedValueParser<Value = Form> {
    let forms = || {
        catalogue::facts()
            .into_iter()
            .filter_map(|facts| facts.form)
    };
    let value = |form: Form| PossibleValue::new(form.name).help(form.about);
    PossibleValuesParser::new(forms().map(value)).try_map(move |name| {
        forms()
            .find(|form| form.name == name)
            .context("no such filter")
    })
}

pub fn run(args: &Args) -> Result<u8> {
    let requests = args.flags.requests(&args.filter, args.hash_bits)?;
    let answers: Result<Vec<Answer>> = requests.iter().map(theory::answer).collect();
    let table = answered(&answers?, args.format);
    print(&args.format.text(&table, None)?)?;
    Ok(0)
}

/// For people, one answer is shown as a list, and several as a table of the main quantities; for
/// programs, every quantity is included.
fn answered(answers: &[Answer], format: Format) -> Table {
    let for_people = matches!(format, Format::Table | Format::Md);
    match answers {
        [answer] if for_people => list(answer),
        _ if for_people => table(answers, |field| field.headline).without_empty_columns(),
        _ => table(answers, |_| true),
    }
}

fn table(answers: &[Answer], is_shown: impl Fn(&Field) -> bool) -> Table {
    let mut table = Table::answer(answers);
    for (at, field) in FIELDS
        .iter()
        .enumerate()
        .filter(|(_, field)| is_shown(field))
    {
        table = table.column(field.name, |answer| value(&answer.values()[at]));
    }
    table.table()
}

fn list(answer: &Answer) -> Table {
    let all = FIELDS.iter().zip(answer.values());
    Table::answer(all.filter(|(_, value)| **value != theory::Value::Nothing))
        .column("quantity", |(field, _)| field.name)
        .column("value", |(_, own)| value(own))
        .column("unit", |(field, _)| field.unit)
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
