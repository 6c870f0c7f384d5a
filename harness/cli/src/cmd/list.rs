//! `bouquet list`: what there is to choose from.

use anyhow::Result;
use serde_json::{Value, json};

use super::{Format, print};
use bouquet_lab::experiment::Experiment;
use bouquet_lab::plan::Catalogue;
use bouquet_lab::workload::Manifest;

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// How the list goes to standard output; JSON is an array of objects.
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
    print(&match args.format {
        Format::Table => table(&items),
        Format::Json => json(&items)?,
        Format::Csv => csv(&items)?,
        Format::Md => markdown(&items),
    })?;
    Ok(0)
}

fn items() -> Result<Vec<Item>> {
    let mut items = Vec::new();
    for experiment in Experiment::shipped()? {
        items.push(Item {
            kind: "experiment",
            name: experiment.name.clone(),
            about: experiment.title.clone(),
            seconds: Some(experiment.seconds.each()),
        });
    }
    let item = |kind, name: &str, about: &str| Item {
        kind,
        name: name.into(),
        about: about.into(),
        seconds: None,
    };
    let catalogue = Catalogue::new();
    items.extend(
        catalogue
            .filters
            .iter()
            .map(|f| item("filter", f.name, f.about)),
    );
    items.extend(
        catalogue
            .schemes
            .iter()
            .map(|s| item("scheme", s.name, s.about)),
    );
    for (name, about) in Manifest::find()?.about() {
        items.push(item("dataset", name, about));
    }
    Ok(items)
}

fn time(item: &Item) -> String {
    item.seconds
        .map_or_else(String::new, |[quick, default, full]| {
            format!(" (about {default} s on two cores; --quick {quick} s, --full {full} s)")
        })
}

fn table(items: &[Item]) -> String {
    let mut out = String::new();
    let mut kind = "";
    for item in items {
        if item.kind != kind {
            kind = item.kind;
            out += &format!("{}{kind}s\n", if out.is_empty() { "" } else { "\n" });
        }
        out += &format!("  {:<24} {}{}\n", item.name, item.about, time(item));
    }
    out
}

fn json(items: &[Item]) -> Result<String> {
    let object = |item: &Item| -> Value {
        let mut object = json!({"kind": item.kind, "name": item.name, "about": item.about});
        if let Some([quick, default, full]) = item.seconds {
            object["seconds"] = json!({"quick": quick, "default": default, "full": full});
        }
        object
    };
    let objects: Vec<Value> = items.iter().map(object).collect();
    Ok(serde_json::to_string_pretty(&objects)? + "\n")
}

fn csv(items: &[Item]) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["kind", "name", "about", "quick_s", "default_s", "full_s"])?;
    for item in items {
        let seconds = item
            .seconds
            .map(|s| s.map(|s| s.to_string()))
            .unwrap_or_default();
        let [quick, default, full] = &seconds;
        writer.write_record([item.kind, &item.name, &item.about, quick, default, full])?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

fn markdown(items: &[Item]) -> String {
    let mut out = String::from("| kind | name | about |\n| --- | --- | --- |\n");
    for item in items {
        let about = bouquet_render::markdown::bars(&(item.about.clone() + &time(item)));
        out += &format!("| {} | {} | {about} |\n", item.kind, item.name);
    }
    out
}
