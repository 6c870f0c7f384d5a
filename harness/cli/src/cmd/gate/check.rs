//! What no flags may ask for.

use anyhow::{Result, ensure};

use super::Args;
use crate::study::place;

pub fn check(args: &Args) -> Result<()> {
    for (flag, tolerance) in [
        ("--tolerance", args.tolerance),
        ("--tolerance-elsewhere", args.tolerance_elsewhere),
    ] {
        ensure!(
            tolerance > 1.0 && tolerance.is_finite(),
            "{flag} {tolerance}: give a factor above 1, such as 1.3"
        );
    }
    // Each is replaced as a whole, and with it what is in it.
    let (out, baseline) = (args.out(), &*args.baseline);
    let [out_at, baseline_at] = [place(out), place(baseline)];
    ensure!(
        !out_at.starts_with(&baseline_at) && !baseline_at.starts_with(&out_at),
        "--out {} and --baseline {} are one in the other, and each takes the place of all that is \
         there: name another folder for one of them",
        out.display(),
        baseline.display()
    );
    let reason = args.reason.as_deref();
    ensure!(
        reason.is_none_or(|reason| !reason.trim().is_empty()),
        "--reason: say why the figures may be what they are"
    );
    Ok(())
}
