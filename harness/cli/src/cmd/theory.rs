//! `bouquet theory`: computes sizes and FPRs of filters.

use anyhow::Result;

use crate::output::{Format, print};
use bouquet_catalogue::{
    self as catalogue,
    theory::{self, Answer, Filter, Flags, Quantity},
};
use bouquet_measure::workload::named;
use bouquet_report::columns::{Table, Value};

const HELP: &str = "\
Two of --capacity, --fpr and a size (--bits or --bits-per-key) give the third;
with all three, whether the target is kept. --hashes sets k, which is otherwise
the best. --capacity and --fpr alone give the size that our filter has for
them; a static filter takes only these, and a growing one these and --stages.

Numbers: 1000000, 1_000_000, 1e6, 1.5M, 64Ki, 2^20, 0.01, 1%. Several: a,b,c.
Ranges: a..b, both ends included, up or down. --capacity, --bits and --fpr go by
decades, the others by 1. Ranges multiply.

JSON and CSV have every quantity with all digits. FPRs and fills are shares:
0.01 is 1 %. The FPR includes the collisions of a hash of 64 bits.

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

pub fn run(args: &Args) -> Result<u8> {
    let all = theory::filters();
    let of = |name: &String| Ok(*named("filter", name, &all, |filter| filter.facts.name)?);
    let filters = args
        .filter
        .iter()
        .map(of)
        .collect::<Result<Vec<Filter>>>()?;
    let answers = args.flags.answers(&filters)?;
    // The table and Markdown formats show one answer as a list, and several as a table of the main
    // quantities; JSON and CSV contain every quantity.
    let for_people = matches!(args.format, Format::Table | Format::Md);
    let table = match &answers[..] {
        [answer] if for_people => list(answer),
        all if for_people => table(all, |quantity| quantity.is_main).without_empty_columns(),
        all => table(all, |_| true),
    };
    print(&args.format.text(&table, None)?)?;
    Ok(0)
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
    let is_given = |of: &&Quantity| of.value != theory::Value::Nothing;
    let given = answer.iter().filter(is_given);
    Table::answer(given)
        .column("quantity", |of| of.name)
        .column("value", |of| value(&of.value))
        .column("unit", |of| of.unit)
        .table()
}

fn value(value: &theory::Value) -> Value {
    match *value {
        theory::Value::Count(count) => count.into(),
        theory::Value::Number(number) => number.into(),
        theory::Value::Words(words) => words.into(),
        theory::Value::YesNo(yes) => yes.into(),
        theory::Value::Nothing => Value::Nothing,
    }
}
