//! `bouquet theory`: computes sizes and rates of filters.

use anyhow::{Context, Result};

use crate::output::{Format, print};
use bouquet_catalogue::{
    self as catalogue,
    theory::{self, Answer, Filter, Flags, Quantity},
};
use bouquet_record::unknown::unknown;
use bouquet_report::columns::{Table, Value};

const HELP: &str = "\
What determines a filter:
  --capacity --fpr                     the size that our filter has for it
  --capacity --fpr --hashes            the smallest size with this k
  --capacity --bits [--hashes]         the FPR (k: the best, unless given)
  --capacity --bits-per-key [--hashes] the same
  --bits --bits-per-key [--hashes]     the capacity, and the FPR
  --bits --fpr [--hashes]              the most keys that keep the FPR
  with a size and --fpr                whether the target is kept, and the size
                                       for the target
A growing filter takes --capacity and --fpr, with --stages the number of its
full stages. A static one takes --capacity and --fpr.

Numbers: 1000000, 1_000_000, 1e6, 1.5M, 64Ki, 2^20, 0.01, 1%. Several: a,b,c.
Ranges: a..b, both ends included, up or down. --capacity, --bits and --fpr go by
decades, the others by 1. Ranges multiply.

JSON has an object for each answer in `rows`; CSV has the same columns. Both
have every quantity with all digits of an f64, and null or nothing where a filter
has none. FPRs and fills are shares: 0.01 is 1 %. The FPR includes the collisions
of a hash of 64 bits.

Examples:
  bouquet theory --capacity 1e6 --fpr 0.01
  bouquet theory --filter standard,cuckoo --capacity 1e6 --bits-per-key 6..20
  bouquet theory --filter scalable --capacity 1e4 --fpr 0.01 --stages 1..8
  bouquet theory --capacity 1..1e6 --fpr 0.01 --format csv";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// The filter, or several: a,b,c.
    #[arg(long, value_delimiter = ',', default_value = catalogue::FIRST.name)]
    filter: Vec<String>,
    #[command(flatten)]
    flags: Flags,
    /// The format of the output.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// The filters with these names.
fn filters(names: &[String]) -> Result<Vec<Filter>> {
    let all = theory::filters();
    let known: Vec<&str> = all.iter().map(|filter| filter.facts.name).collect();
    let named = |name: &String| {
        let named = all.iter().find(|filter| filter.facts.name == name);
        let hint = "`bouquet evaluate --help` shows all";
        named
            .copied()
            .with_context(|| unknown("filter", name, &known, hint))
    };
    names.iter().map(named).collect()
}

pub fn run(args: &Args) -> Result<u8> {
    let answers = args.flags.answers(&filters(&args.filter)?)?;
    let table = answered(&answers, args.format);
    print(&args.format.text(&table, None)?)?;
    Ok(0)
}

/// For people, one answer is shown as a list, and several as a table of the main quantities; for
/// programs, every quantity is included.
fn answered(answers: &[Answer], format: Format) -> Table {
    let for_people = matches!(format, Format::Table | Format::Md);
    match answers {
        [answer] if for_people => list(answer),
        _ if for_people => table(answers, |quantity| quantity.is_main).without_empty_columns(),
        _ => table(answers, |_| true),
    }
}

fn table(answers: &[Answer], is_shown: impl Fn(&Quantity) -> bool) -> Table {
    let mut table = Table::answer(answers);
    for (at, quantity) in answers[0].iter().enumerate() {
        if is_shown(quantity) {
            table = table.column(quantity.name, move |answer| value(&answer[at].value));
        }
    }
    table.table()
}

fn list(answer: &[Quantity]) -> Table {
    let given = answer
        .iter()
        .filter(|of| of.value != theory::Value::Nothing);
    Table::answer(given)
        .column("quantity", |of| of.name)
        .column("value", |of| value(&of.value))
        .column("unit", |of| of.unit)
        .table()
}

fn value(value: &theory::Value) -> Value {
    match value {
        theory::Value::Count(count) => (*count).into(),
        theory::Value::Number(number) => (*number).into(),
        theory::Value::Words(words) => (*words).into(),
        theory::Value::YesNo(yes) => (*yes).into(),
        theory::Value::Nothing => Value::Nothing,
    }
}
