//! `bouquet splice`: the figures of a report, put into a Markdown file between
//! two marks, so that no figure there is typed by hand.

use std::{fs, path::PathBuf};

use anyhow::{Context, Result, bail};

use super::NEGATIVE;
use crate::{record::Records, render};

const BEGIN: &str = "<!-- figures: begin -->";
const END: &str = "<!-- figures: end -->";

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The report whose figures to put in.
    #[arg(value_name = "REPORT")]
    report: PathBuf,
    /// The file with the marks `<!-- figures: begin -->` and `<!-- figures: end -->`.
    #[arg(value_name = "FILE.md")]
    file: PathBuf,
    /// Change nothing; exit with 1 if the file is not up to date.
    #[arg(long)]
    check: bool,
}

pub fn run(args: &Args) -> Result<u8> {
    let records = Records::read(&args.report.join("records"))?;
    let file = args.file.display();
    let text = fs::read_to_string(&args.file).with_context(|| format!("cannot read {file}"))?;
    let spliced = splice(&text, &render::headline_table(&records))
        .with_context(|| format!("cannot splice into {file}"))?;
    if spliced == text {
        return Ok(0);
    }
    if args.check {
        eprintln!(
            "bouquet: {file} does not have the figures of {}",
            args.report.display()
        );
        return Ok(NEGATIVE);
    }
    let aside = args.file.with_extension("md.tmp");
    let written = fs::write(&aside, spliced).and_then(|()| fs::rename(&aside, &args.file));
    if written.is_err() {
        // What there is of it helps nobody.
        let _ = fs::remove_file(&aside);
    }
    written.with_context(|| format!("cannot write {file}"))?;
    Ok(0)
}

/// `text` with `figures` between the marks.
fn splice(text: &str, figures: &str) -> Result<String> {
    let Some((before, rest)) = text.split_once(BEGIN) else {
        bail!("the mark {BEGIN} is missing")
    };
    let Some((_, after)) = rest.split_once(END) else {
        bail!("the mark {END} is missing after {BEGIN}")
    };
    Ok(format!("{before}{BEGIN}\n{}\n{END}{after}", figures.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_go_between_the_marks_and_nowhere_else() {
        let text = format!("a\n{BEGIN}\nold\n{END}\nb\n");
        let once = splice(&text, "| new |\n").unwrap();
        assert_eq!(once, format!("a\n{BEGIN}\n| new |\n{END}\nb\n"));
        assert_eq!(splice(&once, "| new |").unwrap(), once);
        assert!(splice("a", "x").is_err());
        assert!(splice(BEGIN, "x").is_err());
    }
}
