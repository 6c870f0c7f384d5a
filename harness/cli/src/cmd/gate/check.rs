//! What no flags may ask for.

use anyhow::{Result, bail};

use super::Args;
use crate::study::place;

pub fn check(args: &Args) -> Result<()> {
    for (flag, tolerance) in [
        ("--tolerance", args.tolerance),
        ("--tolerance-elsewhere", args.tolerance_elsewhere),
    ] {
        if !(tolerance > 1.0 && tolerance.is_finite()) {
            bail!("{flag} {tolerance}: give a factor above 1, such as 1.3");
        }
    }
    check_folders(args)?;
    if args
        .reason
        .as_ref()
        .is_some_and(|reason| reason.trim().is_empty())
    {
        bail!("--reason: say why the figures may be what they are");
    }
    Ok(())
}

/// A folder that is written is replaced as a whole, and with it what is in it.
fn check_folders(args: &Args) -> Result<()> {
    let (out, baseline) = (args.out(), &*args.baseline);
    let [out_at, baseline_at] = [place(out), place(baseline)];
    let (out, baseline) = (out.display(), baseline.display());
    if out_at == baseline_at {
        bail!(
            "--out and --baseline are both {out}: the report would take the place of the baseline"
        );
    }
    if args.accept && baseline_at.starts_with(&out_at) {
        bail!(
            "--baseline {baseline} is in --out {out}, which the report takes the place of: name \
             another folder for one of them"
        );
    }
    // Everything is in the root, which is no folder for a baseline anyway.
    let is_root = baseline_at.parent().is_none();
    if args.accept && !is_root && out_at.starts_with(&baseline_at) {
        bail!(
            "--out {out} is in --baseline {baseline}, which the baseline takes the place of: name \
             another folder for one of them"
        );
    }
    Ok(())
}
