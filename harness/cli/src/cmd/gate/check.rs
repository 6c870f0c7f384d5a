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
    if place(args.out()) == place(&args.baseline) {
        bail!(
            "--out and --baseline are both {}: the report would take the place of the baseline",
            args.out().display()
        );
    }
    if args
        .reason
        .as_ref()
        .is_some_and(|reason| reason.trim().is_empty())
    {
        bail!("--reason: say why the figures may be what they are");
    }
    Ok(())
}
