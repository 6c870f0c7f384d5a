//! `bouquet peers`: the scoreboard.

#[cfg(feature = "peers")]
mod run;

#[cfg(feature = "peers")]
pub use run::join;

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::Format;
use bouquet_ground::{Outcome, record::Records};
use bouquet_render::peers;
use bouquet_theory as theory;

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Only these filters.
    #[arg(long, alias = "filter", value_delimiter = ',', value_name = "NAME,…")]
    filters: Vec<String>,
    /// Only these key sets.
    #[arg(long, alias = "dataset", value_delimiter = ',', value_name = "NAME,…")]
    datasets: Vec<String>,
    /// Keys that the filters are made for.
    #[arg(long, value_name = "NUMBER", value_parser = theory::whole::<u64>)]
    capacity: Option<u64>,
    /// The FPR that is asked for, as a share.
    #[arg(long, value_name = "SHARE", value_parser = theory::share)]
    fpr: Option<f64>,
    /// Under 20 seconds, for a first look: one target and few replicates.
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Four times the hits, and a lower target, for figures that are to be quoted.
    #[arg(long)]
    full: bool,
    /// Where all randomness comes from, as far as the crates let one say.
    #[arg(long, default_value_t = 1, value_name = "NUMBER", value_parser = theory::whole::<u64>)]
    seed: u64,
    /// Threads that measure; all cores if not given.
    #[arg(long, value_name = "NUMBER", value_parser = theory::whole::<usize>)]
    jobs: Option<usize>,
    /// The folder of the report.
    #[arg(long, default_value = "reports/latest-peers", value_name = "DIR")]
    out: PathBuf,
    /// Nothing on standard error but errors.
    #[arg(long)]
    quiet: bool,
    /// How the tables go to standard output.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

#[cfg(feature = "peers")]
pub fn run(args: &Args) -> Result<u8> {
    run::run(args)
}

#[cfg(not(feature = "peers"))]
pub fn run(_args: &Args) -> Result<u8> {
    anyhow::bail!(
        "this program was built without the peers; build it with them: \
         cargo run --release --features peers -- peers"
    )
}

/// Writes the report of these records, and gives what it comes to and the tables:
/// ours may not deny a key, whatever the others do.
pub fn report(records: &Records, folder: &Path, format: Format) -> Result<(Outcome, String)> {
    let outcome = peers::write_report(records, folder)?;
    let text = match format {
        Format::Table => peers::text(records),
        Format::Json => peers::lines(records).json()?,
        Format::Csv => peers::lines(records).csv()?,
        Format::Md => peers::markdown_tables(records),
    };
    Ok((outcome, text))
}
