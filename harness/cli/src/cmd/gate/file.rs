//! A file, judged by its own header.

use std::path::Path;

use anyhow::{Context, Result};
use bouquet_files::Promise;

use super::{
    super::files::{grouped, percent},
    Args,
};
use crate::output::{Format, NEGATIVE};
use bouquet_ground::Outcome;
use bouquet_render::columns::Table;

pub fn run(args: &Args, path: &Path) -> Result<u8> {
    let filter = args.file_flags.opener()?.open(path)?.filter;
    let keys = args.key_flags.keys(&args.keys);
    let promise = Promise::of(&*filter, keys).with_context(|| path.display().to_string())?;
    let format = args.flags.run.format;
    let judged = judged(&promise);
    format.print(&match format {
        Format::Table => judged
            .iter()
            .map(|(outcome, words)| format!("{} {}  {words}\n", outcome.mark(), outcome.word()))
            .collect(),
        format => {
            let table = Table::answer(&judged)
                .column("verdict", |(outcome, _)| *outcome)
                .column("what", |(_, words)| words);
            let outcome = Outcome::fails_if(!promise.is_kept());
            format.text(&table.table(), Some(outcome))?
        }
    })?;
    Ok(if promise.is_kept() { 0 } else { NEGATIVE })
}

fn judged(promise: &Promise) -> [(Outcome, String); 3] {
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
    [
        (promise.false_negatives > 0, answered),
        (promise.is_overfull(), capacity),
        (promise.is_over_target(), fpr),
    ]
    .map(|(fails, words)| (Outcome::fails_if(fails), words))
}
