//! `bouquet theory`: computes sizes and rates of filters.

use anyhow::{Context, Result};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::output::{Format, print};
use bouquet_catalogue as catalogue;
use bouquet_render::columns::{Table, Value};
use bouquet_theory::{self as theory, Answer, FIELDS, Field, Flags, Form};

const HELP: &str = "\
A bit-array filter is determined by any two of --capacity, --fpr and a size (--bits
or --bits-per-key); --hashes is the best number if not given. With all three the
answer says whether the target is kept, and the size that keeps it. A cuckoo
filter needs --fingerprint-bits, --bits-per-key, --fpr, or --capacity with --bits;
a scalable one --stages, and --fpr or --first-fpr.

Numbers: 1000000, 1_000_000, 1e6, 1.5M, 64Ki, 2^20, 0.01, 1%. Lists: a,b,c.
Ranges, which multiply: a..b, by decades (--capacity, --bits, --fpr, --first-fpr),
by doubling (--shards, --bucket, --block-bits), by 0.1 (--tightening), by 0.05
(--load) or by 1. FPRs and fills are shares: 0.01 is 1 %.

Examples:
  bouquet theory --capacity 1e6 --fpr 0.01
  bouquet theory --filter standard,cuckoo --capacity 1e6 --bits-per-key 6..20
  bouquet theory --filter counting --capacity 1e6 --fpr 0.01 --counter-bits 2..8
  bouquet theory --filter scalable --fpr 0.01 --tightening 0.5..0.9 --stages 10
  bouquet theory --capacity 1..1e6 --fpr 0.01 --format csv";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// The filter, or several: a,b,c.
    #[arg(long, value_delimiter = ',', default_value = catalogue::FIRST.name, value_parser = form())]
    filter: Vec<Form>,
    #[command(flatten)]
    flags: Flags,
    /// Bits of hash per key, for the hash-collision floor.
    #[arg(long, value_name = "BITS", default_value = "64", value_parser = theory::whole::<u32>)]
    hash_bits: u32,
    /// The format of the output.
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
