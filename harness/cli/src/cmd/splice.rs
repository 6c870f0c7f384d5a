//! `bouquet splice`: the figures of a report, put into a Markdown file between
//! marks, so that no figure there is typed by hand.
//!
//! Between `<!-- figures: begin -->` and `<!-- figures: end -->` goes the table
//! at a glance, between `<!-- cost of NAME: begin -->` and its end what the
//! filter NAME costs, between `<!-- speed: begin -->` and its end, of a report of
//! speed, ours beside other crates, and between `<!-- peers: begin -->` and its end, of a
//! scoreboard, its headline. A mark stands on a line of its own; what belongs
//! to another kind of report is left as it is.

#[cfg(test)]
mod tests;

use std::{fs, path::PathBuf, slice};

use anyhow::{Context, Result, bail};

use crate::output::{NEGATIVE, tell};
use bouquet_files::save;
use bouquet_ground::record::{Kind, Source};
use bouquet_ground::staging::recover;
use bouquet_render as render;

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The report whose figures to put in.
    #[arg(value_name = "REPORT")]
    report: PathBuf,
    /// The file with marks: `<!-- figures: begin -->` and `<!-- figures: end -->` around the
    /// table at a glance, `<!-- cost of NAME: begin -->` and its end around the cost of a filter,
    /// `<!-- speed: begin -->` and its end around the tables of a report of speed,
    /// `<!-- peers: begin -->` and its end around the headline of a scoreboard.
    #[arg(value_name = "FILE.md")]
    file: PathBuf,
    /// Change nothing; exit with 1 if the file is not up to date.
    #[arg(long)]
    check: bool,
}

pub fn run(args: &Args) -> Result<u8> {
    recover(&args.report);
    let records = &Source::new(slice::from_ref(&args.report))?.read()?;
    let file = args.file.display();
    // A pipe would be waited for, and what is read from it could not be put back.
    if fs::metadata(&args.file).is_ok_and(|there| !there.is_file()) {
        bail!("{file} is no file: name a Markdown file with marks");
    }
    let text = fs::read_to_string(&args.file).with_context(|| format!("cannot read {file}"))?;
    let report = args.report.display().to_string();
    let report = report.trim_end_matches('/');
    let spliced = splice(&text, |part| match (part, records.kind) {
        (Part::Figures, Kind::Evaluation) => Ok(Some(render::headline_table(records))),
        (Part::Cost(filter), Kind::Evaluation) => {
            render::cost_table(records, filter, report).map(Some)
        }
        (Part::Speed, Kind::Speed) => Ok(Some(render::speed::headline_tables(records))),
        (Part::Peers, Kind::Scoreboard) => Ok(Some(render::peers::headline_words(records))),
        _ => Ok(None),
    })
    .with_context(|| format!("cannot splice into {file}"))?;
    if spliced == text {
        return Ok(0);
    }
    if args.check {
        tell(&format!(
            "bouquet: {file} does not have the figures of {}",
            args.report.display()
        ));
        return Ok(NEGATIVE);
    }
    save(&args.file, |out| out.write_all(spliced.as_bytes()))?;
    Ok(0)
}

/// What belongs between a pair of marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part<'a> {
    Figures,
    /// Of the filter of this name.
    Cost(&'a str),
    Speed,
    Peers,
}

impl<'a> Part<'a> {
    /// The part whose `: begin` or `: end` is all of this line.
    fn at(line: &'a str, edge: &str) -> Option<Self> {
        let mark = line.trim().strip_prefix("<!-- ")?.strip_suffix(" -->")?;
        let name = mark.strip_suffix(edge)?;
        match (name, name.strip_prefix("cost of ")) {
            ("figures", _) => Some(Self::Figures),
            ("speed", _) => Some(Self::Speed),
            ("peers", _) => Some(Self::Peers),
            (_, filter) => filter.map(Self::Cost),
        }
    }
}

/// `text` with what `content` gives between each pair of marks; what it gives
/// nothing for stays.
fn splice(text: &str, content: impl Fn(Part<'_>) -> Result<Option<String>>) -> Result<String> {
    let mut out = String::new();
    let mut lines = text.split_inclusive('\n');
    let mut any = false;
    while let Some(line) = lines.next() {
        out.push_str(line);
        let Some(part) = Part::at(line, ": begin") else {
            continue;
        };
        let mut old = String::new();
        let end = loop {
            match lines.next() {
                Some(line) if Part::at(line, ": end") == Some(part) => break line,
                // Else what is between two pairs would be deleted.
                Some(line) if Part::at(line, ": begin").is_none() => old.push_str(line),
                _ => bail!("marker {:?} is not closed: add its end", line.trim()),
            }
        };
        match content(part)? {
            Some(new) => {
                any = true;
                out.push_str(new.trim());
                out.push('\n');
            }
            None => out.push_str(&old),
        }
        out.push_str(end);
    }
    if !any {
        bail!(
            "there is no mark in it that this report has figures for, such as \
             \"<!-- figures: begin -->\""
        );
    }
    Ok(out)
}
