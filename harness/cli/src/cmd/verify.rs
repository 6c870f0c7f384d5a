//! `bouquet verify`: whether files are whole.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::files::{FileFlags, MemberFlags, Opener, Verdict, note};
use crate::output::{
    Format as Printed, NEGATIVE, UNUSABLE, in_words, print_words, screen, tell_error,
};
use bouquet_files::{Format, Opened};
use bouquet_ground::Outcome;
use bouquet_render::{columns::Table, number::plural, terminal};

const HELP: &str = "\
Of a native file both checksums, every number and every slot are checked. The
formats of others have no checksum, and a bit turned in their slots does not
show in them: --keys looks up keys that must be there. Exit code 1 if one is
absent, 2 if a file is not whole; all are read.";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// The filters; `-` is standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    member_flags: MemberFlags,
    #[command(flatten)]
    file_flags: FileFlags,
    /// How what was found goes to standard output.
    #[arg(long, value_enum, default_value = "table")]
    format: Printed,
}

/// A file, and what was found.
struct Checked {
    path: String,
    found: Result<Found>,
}

struct Found {
    format: Format,
    filter: String,
    verdict: Verdict,
    checked: &'static str,
}

pub fn run(args: &Args) -> Result<u8> {
    let opener = args.file_flags.opener()?;
    let check = |path: &PathBuf| Checked {
        path: path.display().to_string(),
        found: look(args, &opener, path),
    };
    let all: Vec<Checked> = args.files.iter().map(check).collect();
    let found = || all.iter().filter_map(|one| one.found.as_ref().ok());
    let errors = || all.iter().filter_map(|one| one.found.as_ref().err());
    let is_damaged = errors().next().is_some();
    let lacks = found().any(|found| found.verdict.is_bad());
    let verdict = Outcome::fails_if(is_damaged || lacks);
    // A table is looked at beside the errors.
    let is_shown = |one: &&Checked| args.format != Printed::Table || one.found.is_ok();
    let shown: Vec<&Checked> = all.iter().filter(is_shown).collect();
    if !shown.is_empty() {
        if args.format == Printed::Table {
            let words = in_short(&all, args.member_flags.is_given());
            print_words(&terminal::verdict(&words, verdict, screen()))?;
        }
        let text = args.format.text(&table(&shown), Some(verdict))?;
        args.format.print(&text)?;
    }
    for Checked { path, found } in &all {
        match found {
            Ok(found) if found.verdict.is_bad() => {
                note(&format!("{path} {}", found.verdict.words()));
            }
            Ok(_) => {}
            Err(error) => tell_error(error),
        }
    }
    Ok(match (is_damaged, lacks) {
        (true, _) => UNUSABLE,
        (false, true) => NEGATIVE,
        (false, false) => 0,
    })
}

fn look(args: &Args, opener: &Opener, path: &Path) -> Result<Found> {
    let opened = opener.open_for_inspection(path)?;
    let opened = args.member_flags.askable(opened, path)?;
    let facts = opened.facts(None);
    let fill_ratio = facts.load.fill_ratio;
    Ok(Found {
        format: opened.filter.format(),
        filter: facts.filter,
        verdict: args.member_flags.verdict(path, &opened, fill_ratio)?,
        checked: words(&opened),
    })
}

/// What of the files is to be said first.
fn in_short(all: &[Checked], is_asked: bool) -> String {
    let files = plural(all.len() as u64, "file");
    let count = |is: fn(&Result<Found>) -> bool| all.iter().filter(|one| is(&one.found)).count();
    let damaged = count(Result::is_err);
    let lacking = count(|found| found.as_ref().is_ok_and(|found| found.verdict.is_bad()));
    let unchecked = count(|found| {
        let found = found.as_ref().ok();
        found.is_some_and(|found| matches!(found.verdict, Verdict::NoChecksum))
    });
    match (damaged, lacking, unchecked) {
        (0, 0, 0) if is_asked => format!("{files} with all of the keys"),
        (0, 0, 0) => format!("{files} whole"),
        (0, 0, some) => format!("{files} readable, {some} without a checksum"),
        (0, some, _) => format!("{some} of {files} without a key that must be there"),
        (some, ..) => format!("{some} of {files} damaged, or no filter"),
    }
}

fn table(all: &[&Checked]) -> Table {
    Table::answer(all.iter().copied())
        .column("file", |one| &one.path)
        .column("verdict", |one| match &one.found {
            Ok(found) => found.verdict.words(),
            Err(_) => "damaged or none".into(),
        })
        .kept(1)
        .column("format", |one| {
            let found = one.found.as_ref().ok();
            found.map(|found| found.format.name())
        })
        .column("filter", |one| {
            let found = one.found.as_ref().ok();
            found.map(|found| found.filter.clone())
        })
        .column("checked", |one| match &one.found {
            Ok(found) => found.checked.to_owned(),
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
