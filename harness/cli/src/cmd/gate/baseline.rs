//! The baseline that a run is compared with, or becomes.

use anyhow::{Context, Result, bail};
use bouquet_ground::{
    folder::NewFolder,
    record::{GATE_FILE, GateDocument, Tier},
};
use bouquet_render::gate as report;

use super::Args;
use crate::output::say;

/// The baseline; only who makes one may be without, and replaces one of an older version.
pub fn read(args: &Args) -> Result<Option<GateDocument>> {
    let folder = args.baseline.display();
    if !args.baseline.join(GATE_FILE).exists() {
        if args.accept {
            return Ok(None);
        }
        bail!(
            "no baseline in {folder}; the first is made by: bouquet gate --accept --reason \"…\""
        );
    }
    let read = if args.accept {
        GateDocument::read(&args.baseline)
    } else {
        GateDocument::read_current(&args.baseline).map(Some)
    };
    let read = read.with_context(|| format!("the baseline cannot be used; {}", way_out(args)))?;
    if read.as_ref().is_some_and(|read| read.acceptance.is_none()) {
        bail!("{folder} has the report of a run, which nobody accepted: move it away");
    }
    Ok(read)
}

/// The folder that is to become the baseline.
pub fn begin(args: &Args) -> Result<NewFolder> {
    NewFolder::begin(&args.baseline).with_context(|| format!("--baseline; {}", way_out(args)))
}

/// What helps where a baseline is not as it was written, say after a merge by hand.
fn way_out(args: &Args) -> String {
    let folder = args.baseline.display();
    format!("restore {folder} whole (git checkout), or move it away and accept again")
}

/// Makes the run the baseline.
pub fn accept(
    args: &Args,
    document: GateDocument,
    old: Option<&GateDocument>,
) -> Result<GateDocument> {
    let reason = args.reason.as_deref().unwrap_or_default();
    if args.tiers().contains(&Tier::Time) && !report::has_figures(&document, Tier::Time) {
        say("this build or this machine cannot measure times: those of the baseline before stay");
    }
    let accepted = report::accept(document, old, reason);
    let folder = begin(args)?;
    report::write_baseline(&accepted, folder.path())?;
    folder.commit()?;
    say(&format!("the baseline is in {}", args.baseline.display()));
    Ok(accepted)
}
