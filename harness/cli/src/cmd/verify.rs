//! `bouquet verify`: whether files are whole.

use std::path::PathBuf;

use anyhow::Result;

use super::files::FileFlags;
use crate::output::{Format as Printed, UNUSABLE, in_words, print_words, screen, tell_error};
use bouquet_files::{Format, Opened};
use bouquet_ground::Outcome;
use bouquet_render::{columns::Table, number::plural, terminal};

const HELP: &str = "\
Of a native file both checksums, every number and every slot are checked; of the
formats of others, which have no checksum, what their structure tells: a bit
turned in their slots is not found. Exit code 2 if a file is not whole; all are
read.";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// The filters; `-` is standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    file_flags: FileFlags,
    /// How what was found goes to standard output.
    #[arg(long, value_enum, default_value = "table")]
    format: Printed,
}

/// A file, and what was found.
struct Checked {
    path: String,
    found: Result<Opened>,
}

pub fn run(args: &Args) -> Result<u8> {
    let opener = args.file_flags.opener()?;
    let check = |path: &PathBuf| Checked {
        path: path.display().to_string(),
        found: opener.open_for_inspection(path),
    };
    let all: Vec<Checked> = args.files.iter().map(check).collect();
    let errors = || all.iter().filter_map(|one| one.found.as_ref().err());
    let is_damaged = errors().next().is_some();
    let verdict = Outcome::fails_if(is_damaged);
    // A table is looked at beside the errors.
    let is_shown = |one: &&Checked| args.format != Printed::Table || one.found.is_ok();
    let shown: Vec<&Checked> = all.iter().filter(is_shown).collect();
    if !shown.is_empty() {
        if args.format == Printed::Table {
            let words = in_short(all.len(), errors().count());
            print_words(&terminal::verdict(&words, verdict, screen()))?;
        }
        let text = args.format.text(&table(&shown), Some(verdict))?;
        args.format.print(&text)?;
    }
    errors().for_each(tell_error);
    Ok(if is_damaged { UNUSABLE } else { 0 })
}

/// How many of the files are whole.
fn in_short(all: usize, damaged: usize) -> String {
    let files = plural(all as u64, "file");
    match damaged {
        0 => format!("{files} whole"),
        some => format!("{some} of {files} damaged, or no filter"),
    }
}

fn table(all: &[&Checked]) -> Table {
    Table::answer(all.iter().copied())
        .column("file", |one| &one.path)
        .column("verdict", |one| match one.found {
            Ok(_) => "good",
            Err(_) => "damaged or none",
        })
        .kept(1)
        .column("format", |one| {
            let found = one.found.as_ref().ok();
            found.map(|found| found.filter.format().name())
        })
        .column("filter", |one| {
            one.found
                .as_ref()
                .ok()
                .map(|found| found.facts(None).filter)
        })
        .column("checked", |one| match &one.found {
            Ok(found) => words(found).to_owned(),
            Err(error) => in_words(error),
        })
        .table()
}

fn words(found: &Opened) -> &'static str {
    match (found.filter.format(), found.is_closed()) {
        (Format::Native, false) => "checksums, header and slots are right",
        (Format::Native, _) => {
            "checksums, header and slots are right; its hash is not in the file, or its key"
        }
        _ => "structure is right; the format has no checksum",
    }
}
