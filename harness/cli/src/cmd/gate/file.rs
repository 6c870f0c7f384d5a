//! A file, judged by what it says of itself.

use std::path::Path;

use anyhow::{Context, Result};
use bouquet_files::Promise;

use super::{
    super::files::{grouped, percent},
    Args,
};
use crate::output::{NEGATIVE, print};

pub fn run(args: &Args, path: &Path) -> Result<u8> {
    let filter = args.file_flags.opener()?.open(path)?.filter;
    let keys = args.key_flags.keys(&args.keys);
    let promise = Promise::of(&*filter, keys).with_context(|| path.display().to_string())?;
    print(&words(&promise))?;
    Ok(if promise.is_kept() { 0 } else { NEGATIVE })
}

fn words(promise: &Promise) -> String {
    let line = |fails: bool, words: String| {
        let sign = if fails { "fail" } else { "pass" };
        format!("{sign}  {words}\n")
    };
    let answered = match promise.false_negatives {
        0 => format!("all {} keys are answered", grouped(promise.keys)),
        missing => format!(
            "false negatives for {} of {} keys: it was built from other keys, or in another way",
            grouped(missing),
            grouped(promise.keys)
        ),
    };
    let different = grouped(promise.different);
    let capacity = match promise.capacity {
        Some(capacity) => format!(
            "{different} different keys, sized for {}",
            grouped(capacity)
        ),
        None => format!("{different} different keys, and it grows"),
    };
    let fpr = format!(
        "{} of {} absent keys are reported as present, {}; sized for an FPR of {}",
        grouped(promise.hits),
        grouped(promise.absent),
        percent(promise.hits as f64 / promise.absent as f64),
        percent(promise.target_fpr)
    );
    line(promise.false_negatives > 0, answered)
        + &line(promise.is_overfull(), capacity)
        + &line(promise.is_over_target(), fpr)
}
