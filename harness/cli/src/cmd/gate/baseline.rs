//! The baseline that a run is compared with, or becomes.

use anyhow::{Error, Result, anyhow, bail};
use bouquet_ground::{
    detailed::Detailed,
    folder::NewFolder,
    record::{GATE_FILE, GateDocument, Tier},
};
use bouquet_render::gate as report;

use super::Args;
use crate::output::{in_words, say};

/// The baseline; only who makes one may be without.
pub fn read(args: &Args) -> Result<Option<GateDocument>> {
    if args.accept && !args.baseline.join(GATE_FILE).exists() {
        return Ok(None);
    }
    if let Some(version) = GateDocument::version_before(&args.baseline).filter(|_| args.accept) {
        let folder = args.baseline.display();
        say(&format!(
            "the baseline in {folder} is of version {version} of the gate's schema: a new one takes \
             its place, and is not compared with it"
        ));
        return Ok(None);
    }
    let folder = args.baseline.display();
    if !args.baseline.join(GATE_FILE).exists() {
        bail!(
            "no baseline in {folder}; the first is made by: bouquet gate --accept --reason \"…\""
        );
    }
    let read = GateDocument::read(&args.baseline).map_err(|error| {
        anyhow!(
            "the baseline in {folder} cannot be used: {}; {}",
            in_words(&error),
            way_out(args)
        )
    })?;
    if read.acceptance.is_none() {
        bail!(
            "{folder} has the report of a run, which nobody accepted: take it away, and write a \
             baseline with: bouquet gate --accept --reason \"…\""
        );
    }
    Ok(Some(read))
}

/// The folder that is to become the baseline.
pub fn begin(args: &Args) -> Result<NewFolder> {
    NewFolder::begin(&args.baseline).map_err(|error| {
        let has_baseline = args.baseline.join(GATE_FILE).exists();
        match has_baseline {
            true => anyhow!("{}; {}", in_words(&error), way_out(args)),
            // What is wrong is the folder that was named.
            false => error.context("--baseline"),
        }
    })
}

/// What helps where a baseline is not as it was written, say after a merge by hand.
fn way_out(args: &Args) -> String {
    let folder = args.baseline.display();
    format!(
        "if an edit or a merge changed the baseline, take one of its versions whole (git checkout \
         REVISION -- {folder}), or move {folder} away and begin again with bouquet gate --accept \
         --reason \"…\""
    )
}

/// Why there is none: the first reason, and all of them for those who ask.
pub fn none_written(reasons: &[String]) -> Error {
    let words = |reasons: &str| format!("no baseline was written: {reasons}");
    match reasons {
        [first, others @ .., _] => {
            let others = others.len() + 1;
            let first = words(&format!("{first}; and {others} more"));
            Detailed::new(first, reasons.join("\n")).into()
        }
        all => Error::msg(words(&all.concat())),
    }
}

/// Makes the run the baseline and says so in its verdict, unless it has what no
/// baseline may have: that is given back.
pub fn accept(
    args: &Args,
    document: &mut GateDocument,
    old: Option<&GateDocument>,
) -> Result<Vec<String>> {
    let rejected = report::unacceptable(document);
    if !rejected.is_empty() {
        return Ok(rejected);
    }
    let reason = args.reason.as_deref().unwrap_or_default();
    let lacks_times =
        args.tiers().contains(&Tier::Time) && !report::has_figures(document, Tier::Time);
    let accepted = report::accept(document.clone(), old, reason);
    let folder = begin(args)?;
    report::write_baseline(&accepted, folder.path())?;
    folder.commit()?;
    document.verdict.sentence = report::acceptance(&accepted, old);
    if lacks_times {
        say(if report::has_figures(&accepted, Tier::Time) {
            "its times are the old ones: this build or this machine cannot measure them"
        } else {
            "it has no times: this build or this machine cannot measure them"
        });
    }
    say(&format!("the baseline is in {}", args.baseline.display()));
    Ok(Vec::new())
}
