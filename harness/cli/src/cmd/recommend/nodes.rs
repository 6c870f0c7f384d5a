//! `bouquet recommend --nodes`: beyond one machine, by formulas.

mod page;
mod tables;

use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use self::tables::{checked, for_people, plain};
use super::Args;
use crate::output::{Format, say};
use crate::study::Study;
use bouquet_advise::beyond::{Checked, Cluster, FORMULAS, Node, check, nodes, structures};
use bouquet_advise::recommend::{Bytes, Candidate, Count, Requirements, Times};
use bouquet_ground::{Outcome, detailed::Detailed};
use bouquet_render::columns::Value;

/// How times are come by: a plan measures none.
const NOT_PLANNED: [&str; 4] = ["workload", "filters", "no_measure", "measure_again"];

#[derive(clap::Args, Clone, Debug)]
#[group(id = "cluster", multiple = true, conflicts_with_all = NOT_PLANNED)]
#[command(next_help_heading = "Beyond one machine, by formulas")]
pub struct ClusterFlags {
    /// Nodes that share the keys: shows what each structure takes on them.
    #[arg(long, value_name = "S", group = "planned")]
    nodes: Option<Count>,
    /// What a node has for its keys: the same on the fewest nodes that suffice.
    #[arg(long, value_name = "BYTES", group = "planned")]
    node_memory: Option<Bytes>,
    /// Bytes of a key, for a list and a map; 8 is an integer. [default: 16, and 8
    /// with --integers-below]
    #[arg(long, value_name = "N", requires = "planned")]
    key_bytes: Option<Count>,
    /// Bytes per second over the network, for a refresh; 1.25GB is 10 Gbit.
    #[arg(
        long,
        value_name = "BYTES",
        default_value = "1.25GB",
        requires = "planned"
    )]
    link: Bytes,
}

impl ClusterFlags {
    /// Whether nodes are asked for at all.
    pub fn is_some(&self) -> bool {
        self.nodes.is_some() || self.node_memory.is_some()
    }
}

/// The FPR that a node is sized for, if none is given.
const USUAL_FPR: f64 = 0.01;
/// The most keys of a plan.
const MOST_KEYS: u64 = 1_000_000_000_000;

/// What the formulas are checked by.
const SMALL_CASE: &str =
    "The same formulas for 720,000 keys on 8 nodes at 5 %, and what was made and measured";

pub fn run(args: &Args) -> Result<u8> {
    let started = Instant::now();
    let (requirements, asked) = (&args.requirements, &args.cluster);
    let planned = Requirements {
        capacity: requirements.capacity,
        fpr: requirements.fpr,
        integers_below: requirements.integers_below,
        ..Requirements::default()
    };
    ensure!(
        *requirements == planned,
        "--nodes and --node-memory plan with --capacity, --fpr and --integers-below: leave out what \
         else is said of the workload"
    );
    let Count(keys) = requirements
        .capacity
        .context("give the number of keys with --capacity")?;
    ensure!(
        keys <= MOST_KEYS,
        "--capacity {keys}: a plan has at most 1e12 keys; give no more"
    );
    if let Some(Count(below)) = requirements.integers_below
        && below < keys
    {
        bail!("there are no {keys} different integers below {below}: raise --integers-below");
    }
    let usual_bytes = requirements.integers_below.map_or(16, |_| 8);
    let memory = asked.node_memory.map_or(f64::INFINITY, |bytes| bytes.0);
    let cluster = Cluster {
        keys,
        fpr: requirements.fpr.map_or(USUAL_FPR, |fpr| fpr.0),
        key_bytes: asked.key_bytes.map_or(usual_bytes, |bytes| bytes.0),
        integers_below: requirements.integers_below.map(|below| below.0),
    };
    let times = Times::committed(if cluster.key_bytes == 8 { "u64" } else { "url" }, false)?;
    let wanted: Vec<Candidate> = structures(&cluster).collect();
    let mut planned = Vec::new();
    let mut impossible = Vec::new();
    for candidate in &wanted {
        let node = match asked.nodes {
            Some(Count(nodes)) => cluster.node(*candidate, nodes.min(keys), &times),
            None => nodes(&cluster, *candidate, memory, &times),
        };
        match node {
            Ok(node) => planned.push(node),
            Err(error) => impossible.push(format!("{}: {error:#}", candidate.name())),
        }
    }
    if planned.is_empty() {
        let words = match asked.node_memory {
            Some(memory) => format!(
                "--node-memory {memory} is too little for {keys} keys, of which no structure \
                 can be planned; give more"
            ),
            None => format!(
                "no structure can be planned for {keys} keys on these nodes; give more --nodes"
            ),
        };
        bail!(Detailed::new(words, impossible.join("\n")));
    }
    // Before anything is made: a folder that cannot be written is known now.
    let study = args.run.out.as_deref();
    let study = study.map(Study::begin).transpose()?;
    let checks = check(&wanted, &Times::committed("u64", false)?)?;
    let failed = checks.iter().any(|check| check.agrees == Some(false));
    let outcome = Outcome::fails_if(failed);
    if let Some(study) = study {
        let plan = page::Planned {
            cluster: &cluster,
            link: asked.link,
            planned: &planned,
            impossible: &impossible,
            checks: &checks,
        };
        page::write(&plan, study, args.run.seed, started)?;
        if let Some(out) = &args.run.out {
            say(&format!("the report is in {}", out.display()));
        }
    }
    let text = text(args, &cluster, &planned, &impossible, (&checks, outcome))?;
    args.run.format.print(&text)?;
    Ok(outcome.exit_code(false))
}

fn text(
    args: &Args,
    cluster: &Cluster,
    planned: &[Node],
    impossible: &[String],
    (checks, outcome): (&[Checked], Outcome),
) -> Result<String> {
    let link = args.cluster.link;
    match args.run.format {
        Format::Csv => plain(link, planned).csv(),
        Format::Json => {
            let impossible = impossible.iter().map(Value::from).collect();
            let more = vec![
                ("capacity", cluster.keys.into()),
                ("target_fpr", cluster.fpr.into()),
                ("formulas", Value::List(FORMULAS.map(Value::from).into())),
                ("impossible", Value::List(impossible)),
                ("check", checked(checks).into()),
            ];
            Value::answer(Some(outcome), more, plain(link, planned)).json()
        }
        format => {
            let mut out = format.text(&for_people(link, planned), None)?;
            for line in impossible {
                out += &format!("\n{line}\n");
            }
            out += "\nFormulas, with n keys on S nodes:\n";
            for formula in FORMULAS {
                out += &format!("- {formula}\n");
            }
            out += &format!("\n{SMALL_CASE}:\n\n");
            out += &format.text(&checked(checks), None)?;
            Ok(out)
        }
    }
}
