//! `bouquet peers`: the scoreboard.

#[cfg(feature = "peers")]
mod run;

#[cfg(feature = "peers")]
pub use run::{join, run};

use crate::flags::{Effort, Jobs, Run, with};
use bouquet_theory as theory;

const WORDS: &str = "\
quick: Under 20 seconds, for a first look: one target and few replicates
full: Four times the hits, and a lower target, for figures that are to be quoted
seed: Where all randomness comes from, as far as the crates let one say
out: reports/latest-peers
format: How the tables go to standard output";

#[derive(clap::Args, Clone, Debug)]
#[command(mut_args(with(WORDS)))]
pub struct Args {
    /// Only these filters.
    #[arg(long, alias = "filter", value_delimiter = ',', value_name = "NAME,…")]
    filters: Vec<String>,
    /// Only these key sets.
    #[arg(long, alias = "dataset", value_delimiter = ',', value_name = "NAME,…")]
    datasets: Vec<String>,
    /// Keys that the filters are sized for.
    #[arg(long, value_name = "NUMBER", value_parser = theory::whole::<u64>)]
    capacity: Option<u64>,
    /// The target FPR, as a share.
    #[arg(long, value_name = "SHARE", value_parser = theory::share)]
    fpr: Option<f64>,
    #[command(flatten)]
    effort: Effort,
    #[command(flatten)]
    run: Run,
    #[command(flatten)]
    jobs: Jobs,
}

#[cfg(not(feature = "peers"))]
pub fn run(_args: &Args) -> anyhow::Result<u8> {
    anyhow::bail!(
        "this program was built without the peers; build it with them: \
         cargo run --release --features peers -- peers"
    )
}
