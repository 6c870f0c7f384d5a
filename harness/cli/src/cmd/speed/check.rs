//! What no flags may ask for.

use anyhow::{Result, bail};

use super::Args;

pub fn check(args: &Args) -> Result<()> {
    // Indexes of members and of strangers must not meet.
    let most = u64::from(u32::MAX);
    if let Some(capacity) = args.capacity.iter().find(|&&n| !(2..=most).contains(&n)) {
        bail!("--capacity {capacity}: give 2 to {most} keys");
    }
    if let Some(fpr) = args.fpr.iter().find(|&&fpr| !(fpr > 0.0 && fpr < 1.0)) {
        bail!("--fpr {fpr}: give a share between 0 and 1, such as 0.01");
    }
    Ok(())
}
