//! `bouquet verify`: whether files are whole.

use std::path::PathBuf;

use anyhow::Result;

use super::files::FileFlags;
use crate::output::{UNUSABLE, print, tell};
use bouquet_files::{Format, Opened};
use bouquet_ground::line::clean;

const HELP: &str = "\
Of a native file both checksums, every number and every slot are checked; of the formats of
others, which have no checksum, what their structure tells: a bit turned in their slots is not
found. Exit code 2 if a file is not whole; all are read.";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// The filters; `-` is standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    file_flags: FileFlags,
}

pub fn run(args: &Args) -> Result<u8> {
    let opener = args.file_flags.opener()?;
    let mut code = 0;
    for path in &args.files {
        match opener.open_for_inspection(path) {
            Ok(found) => print(&format!(
                "{}: {}\n",
                clean(&path.display().to_string()),
                words(&found)
            ))?,
            Err(error) => {
                tell(&format!("bouquet: {error:#}"));
                code = UNUSABLE;
            }
        }
    }
    Ok(code)
}

fn words(found: &Opened) -> String {
    let (format, filter) = (found.filter.format(), found.facts(None).filter);
    let checked = match (format, found.is_closed()) {
        (Format::Native, false) => "checksums, header and slots are right",
        (Format::Native, _) => {
            "checksums, header and slots are right; its hash is not in the file, or its key"
        }
        _ => "structure is right; the format has no checksum",
    };
    format!("good: {format}, {filter}: {checked}")
}
