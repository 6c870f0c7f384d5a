//! `bouquet theory`: the calculator.

use anyhow::{Context, Result, anyhow};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::output::{Format, say};
use bouquet_catalogue as catalogue;
use bouquet_ground::unknown::quoted;
use bouquet_render::columns::{Table, Value};
use bouquet_theory::{self as theory, Answer, FIELDS, Flags, Form};

/// Of a word that a filter's bits may be kept in.
const WORD_BITS: u64 = 32;

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
have every quantity of --explain under its name there, with all digits of an
f64, and null or nothing where a filter has none. FPRs and fills are shares:
0.01 is 1 %.

Examples:
  bouquet theory --capacity 1e6 --fpr 0.01
  bouquet theory --capacity 1e3..1e9 --fpr 0.01
  bouquet theory --filter standard,cuckoo --capacity 1e6 --bits-per-key 6..20
  bouquet theory --filter counting --capacity 1e6 --fpr 0.01 --counter-bits 2..8
  bouquet theory --filter scalable --fpr 0.01 --tightening 0.5..0.9 --stages 10
  bouquet theory --capacity 1..1e6 --fpr 0.01 --columns capacity,exact_fpr
  bouquet theory --explain";

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
    /// Show every quantity with its unit and the source of its formula.
    #[arg(long)]
    explain: bool,
    /// Only these quantities, or `all`; a table of several answers has the main
    /// ones by default.
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    columns: Vec<String>,
    /// How the answer goes to standard output.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// A filter's form by its name.
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
    let table = if args.explain {
        explained()
    } else {
        let columns = columns(args)?;
        let requests = args.flags.requests(&args.filter, args.hash_bits)?;
        let answers: Result<Vec<Answer>> = requests.iter().map(theory::answer).collect();
        let blocks = requests.iter().filter_map(|request| request.block_bits);
        if let Some(bits) = blocks.filter(|bits| bits % WORD_BITS != 0).min() {
            say(&format!(
                "note: blocks of {bits} bits are no whole words of {WORD_BITS}; size_bits is what \
                 theory takes, and what is allocated is more"
            ));
        }
        answered(&answers?, &columns, args.format)
    };
    args.format.print(&args.format.text(&table, None)?)?;
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
                let name = quoted(name);
                anyhow!("no quantity is called {name}: --explain shows them all, or say `all`")
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
