//! `bouquet verify`: whether files are whole.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::files::{FileFlags, MemberFlags, Opener, Verdict, note};
use crate::output::{
    Format as Printed, NEGATIVE, UNUSABLE, in_words, print_words, screen, tell_error,
};
use bouquet_files::Format;
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

/// A file, and what was found: its format, its filter and the verdict.
struct Checked {
    path: String,
    found: Result<(Format, String, Verdict)>,
}

impl Checked {
    fn lacks(&self) -> bool {
        matches!(self.found, Ok((_, _, Verdict::Lacks(_))))
    }

    fn words(&self) -> String {
        match &self.found {
            Ok((_, _, verdict)) => verdict.words(),
            Err(error) => format!("damaged or none: {}", in_words(error)),
        }
    }
}

pub fn run(args: &Args) -> Result<u8> {
    let opener = args.file_flags.opener()?;
    let check = |path: &PathBuf| Checked {
        path: path.display().to_string(),
        found: look(args, &opener, path),
    };
    let all: Vec<Checked> = args.files.iter().map(check).collect();
    let errors = || all.iter().filter_map(|one| one.found.as_ref().err());
    let lacking = || all.iter().filter(|one| one.lacks());
    let (damaged, lacks) = (errors().count(), lacking().count());
    let verdict = Outcome::fails_if(damaged + lacks > 0);
    // A table is looked at beside the errors.
    let is_shown = |one: &&Checked| args.format != Printed::Table || one.found.is_ok();
    let shown: Vec<&Checked> = all.iter().filter(is_shown).collect();
    if !shown.is_empty() {
        if args.format == Printed::Table {
            let files = plural(all.len() as u64, "file");
            let words = match (damaged, lacks) {
                (0, 0) => format!("{files} readable"),
                (0, some) => format!("{some} of {files} without a key that must be there"),
                (some, _) => format!("{some} of {files} damaged, or no filter"),
            };
            print_words(&terminal::verdict(&words, verdict, screen()))?;
        }
        let text = args.format.text(&table(&shown), Some(verdict))?;
        args.format.print(&text)?;
    }
    errors().for_each(tell_error);
    lacking().for_each(|one| note(&format!("{} {}", one.path, one.words())));
    Ok(match (damaged, lacks) {
        (0, 0) => 0,
        (0, _) => NEGATIVE,
        _ => UNUSABLE,
    })
}

fn look(args: &Args, opener: &Opener, path: &Path) -> Result<(Format, String, Verdict)> {
    let opened = args.member_flags.open(opener, path)?;
    let facts = opened.facts(None);
    let verdict = args
        .member_flags
        .verdict(path, &opened, facts.load.fill_ratio)?;
    Ok((opened.filter.format(), facts.filter, verdict))
}

fn table(all: &[&Checked]) -> Table {
    Table::answer(all.iter().copied())
        .column("file", |one| &one.path)
        .column("verdict", Checked::words)
        .kept(1)
        .column("format", |one| {
            one.found.as_ref().ok().map(|(format, ..)| format.name())
        })
        .column("filter", |one| {
            one.found.as_ref().ok().map(|(_, filter, _)| filter.clone())
        })
        .table()
}
