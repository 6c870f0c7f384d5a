//! `bouquet list`: what there is to choose from.

use anyhow::Result;

use crate::output::{Format, screen};
use bouquet_lab::experiment::Experiment;
use bouquet_lab::plan::Catalogue;
use bouquet_lab::workload::Manifest;
use bouquet_render::{
    columns::{Columns, Table, Value},
    terminal,
};

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// How the list goes to standard output.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// A line of the list.
struct Item {
    kind: &'static str,
    name: String,
    about: String,
    /// Quick, default, full; of experiments.
    seconds: Option<[f64; 3]>,
}

pub fn run(args: &Args) -> Result<u8> {
    let items = items()?;
    args.format.print(&match args.format {
        Format::Table => table(&items),
        Format::Json => json(&items)?,
        Format::Csv => csv(&items)?,
        Format::Md => Format::Md.text(&named(&items).column("about", about).table(), None)?,
    })?;
    Ok(0)
}

fn items() -> Result<Vec<Item>> {
    let item = |kind, name: &str, about: &str| Item {
        kind,
        name: name.into(),
        about: about.into(),
        seconds: None,
    };
    let (experiments, catalogue, manifest) =
        (Experiment::shipped()?, Catalogue::new(), Manifest::find()?);
    let experiments = experiments.iter().map(|one| Item {
        seconds: Some(one.seconds.each()),
        ..item("experiment", &one.name, &one.title)
    });
    let filters = catalogue.filters.iter();
    let filters = filters.map(|one| item("filter", one.name, one.about));
    let schemes = catalogue.schemes.iter();
    let schemes = schemes.map(|one| item("scheme", one.name, one.about));
    let datasets = manifest.about();
    let datasets = datasets.map(|(name, about)| item("dataset", name, about));
    let all = experiments.chain(filters).chain(schemes).chain(datasets);
    Ok(all.collect())
}

/// What it is, and how long it takes.
fn about(item: &Item) -> String {
    let time = item.seconds.map(|[quick, default, full]| {
        format!(" (about {default} s on two cores; --quick {quick} s, --full {full} s)")
    });
    item.about.clone() + &time.unwrap_or_default()
}

/// A table a kind, under its name.
fn table(items: &[Item]) -> String {
    let kinds = items.chunk_by(|one, next| one.kind == next.kind);
    let tables = kinds.map(|all| {
        let kind = all.first().map_or("", |item| item.kind);
        let table = Table::answer(all)
            .column(kind, |item| &item.name)
            .column("about", about);
        terminal::table(&table.table(), screen())
    });
    tables.collect::<Vec<_>>().join("\n")
}

/// Only experiments have seconds.
fn json(items: &[Item]) -> Result<String> {
    let object = |item: &Item| {
        let mut fields = vec![
            ("kind", item.kind.into()),
            ("name", (&item.name).into()),
            ("about", (&item.about).into()),
        ];
        fields.extend(item.seconds.map(|[quick, default, full]| {
            let each = [("quick", quick), ("default", default), ("full", full)];
            (
                "seconds",
                Value::Object(each.map(|(name, s)| (name, s.into())).into()),
            )
        }));
        Value::Object(fields)
    };
    let rows = Value::List(items.iter().map(object).collect());
    Value::answer(None, Vec::new(), rows).json()
}

fn csv(items: &[Item]) -> Result<String> {
    let seconds = |item: &Item, at: usize| item.seconds.map(|seconds| seconds[at].to_string());
    named(items)
        .column("about", |item| &item.about)
        .column("quick_s", |item| seconds(item, 0))
        .column("default_s", |item| seconds(item, 1))
        .column("full_s", |item| seconds(item, 2))
        .table()
        .csv()
}

fn named(items: &[Item]) -> Columns<&Item> {
    Table::answer(items)
        .column("kind", |item| item.kind)
        .column("name", |item| &item.name)
}
