//! `bouquet recommend --nodes`: beyond one machine, on paper.

use anyhow::{Context, Result, bail, ensure};

use super::Args;
use crate::cmd::{Format, print};
use bouquet_advise::beyond::{Checked, Cluster, FORMULAS, Node, check, nodes, structures};
use bouquet_advise::recommend::{Bytes, Candidate, Count, Times, Wishes, share_words};
use bouquet_ground::{Outcome, units::time};
use bouquet_render::columns::{Table, Value};

/// How times are come by, and where they go: a plan measures none.
const NOT_PLANNED: [&str; 5] = ["workload", "filters", "no_measure", "measure_again", "out"];

#[derive(clap::Args, Clone, Debug)]
#[group(id = "cluster", multiple = true, conflicts_with_all = NOT_PLANNED)]
#[command(next_help_heading = "Beyond one machine, on paper")]
pub struct Asked {
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
    /// Bytes a second over the network, for a refresh; 1.25GB is 10 Gbit.
    #[arg(
        long,
        value_name = "BYTES",
        default_value = "1.25GB",
        requires = "planned"
    )]
    link: Bytes,
}

impl Asked {
    /// Whether nodes are asked for at all.
    pub fn is_some(&self) -> bool {
        self.nodes.is_some() || self.node_memory.is_some()
    }
}

/// The FPR that a node is made for, if none is given.
const USUAL_FPR: f64 = 0.01;
/// The most keys that a plan is made for.
const MOST_KEYS: u64 = 1_000_000_000_000;

pub fn run(args: &Args) -> Result<u8> {
    let (wishes, asked) = (&args.wishes, &args.cluster);
    let planned = Wishes {
        capacity: wishes.capacity,
        fpr: wishes.fpr,
        integers_below: wishes.integers_below,
        ..Wishes::default()
    };
    ensure!(
        *wishes == planned,
        "--nodes and --node-memory plan with --capacity, --fpr and --integers-below: leave out what \
         else is said of the workload"
    );
    let Count(keys) = wishes
        .capacity
        .context("give the number of keys with --capacity")?;
    ensure!(
        keys <= MOST_KEYS,
        "--capacity {keys}: a plan is made for up to 1e12 keys"
    );
    if let Some(Count(below)) = wishes.integers_below
        && below < keys
    {
        bail!("there are no {keys} different integers below {below}: raise --integers-below");
    }
    let usual_bytes = wishes.integers_below.map_or(16, |_| 8);
    let memory = asked.node_memory.map_or(f64::INFINITY, |bytes| bytes.0);
    let cluster = Cluster {
        keys,
        fpr: wishes.fpr.map_or(USUAL_FPR, |fpr| fpr.0),
        key_bytes: asked.key_bytes.map_or(usual_bytes, |bytes| bytes.0),
        integers_below: wishes.integers_below.map(|below| below.0),
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
        bail!("nothing can be planned: {}", impossible.join("; "));
    }
    let checks = check(&wanted, &Times::committed("u64", false)?)?;
    let failed = checks.iter().any(|check| check.agrees == Some(false));
    print(&text(args, &cluster, &planned, &impossible, &checks)?)?;
    Ok(Outcome::fails_if(failed).exit_code(false))
}

fn text(
    args: &Args,
    cluster: &Cluster,
    planned: &[Node],
    impossible: &[String],
    checks: &[Checked],
) -> Result<String> {
    match args.run.format {
        Format::Csv => plain(args, planned).csv(),
        Format::Json => Value::Object(vec![
            ("schema_version", 1_u32.into()),
            ("capacity", cluster.keys.into()),
            ("target_fpr", cluster.fpr.into()),
            ("formulas", Value::List(FORMULAS.map(Value::from).into())),
            ("structures", plain(args, planned).into()),
            (
                "impossible",
                Value::List(impossible.iter().map(Value::from).collect()),
            ),
            ("check", checked(checks).into()),
        ])
        .json(),
        format => {
            let mut out = format.text(&for_people(args, planned))?;
            for line in impossible {
                out += &format!("\n{line}\n");
            }
            out += "\nFormulas, with n keys on S nodes:\n";
            for formula in FORMULAS {
                out += &format!("- {formula}\n");
            }
            out += "\nThe same formulas for 720,000 keys on 8 nodes at 5 %, and what was made and \
                    measured:\n\n";
            out += &format.text(&checked(checks))?;
            Ok(out)
        }
    }
}

fn name(candidate: Candidate) -> &'static str {
    match candidate {
        Candidate::SortedArray => "list (sorted)",
        Candidate::HashSet => "map",
        other => other.name(),
    }
}

fn for_people(args: &Args, planned: &[Node]) -> Table {
    let bytes = |bytes: f64| Bytes(bytes).to_string();
    Table::answer(planned)
        .column("structure", |node| name(node.candidate))
        .column("bits per key", |node| {
            (node.bits_per_key * 100.0).round() / 100.0
        })
        .column("memory", |node| bytes(node.bytes * node.nodes as f64))
        .column("nodes", |node| node.nodes)
        .column("keys per node", |node| node.keys)
        .column("memory per node", |node| bytes(node.bytes))
        .column("FPR, one asked", |node| share_words(node.fpr_one))
        .column("FPR, all asked", |node| share_words(node.fpr_all))
        .column("refresh", |node| bytes(node.refresh_bytes))
        .column("over the link", |node| {
            time(node.refresh_bytes / args.cluster.link.0 * 1e9)
        })
        .column("rebuild of a node", |node| {
            node.rebuild_s.map(|s| time(s * 1e9))
        })
        .table()
}

/// For programs.
fn plain(args: &Args, planned: &[Node]) -> Table {
    Table::answer(planned)
        .column("structure", |node| node.candidate.name())
        .column("bits_per_key", |node| node.bits_per_key)
        .column("nodes", |node| node.nodes)
        .column("keys_per_node", |node| node.keys)
        .column("room_per_node", |node| node.room)
        .column("bytes_per_node", |node| node.bytes)
        .column("payload_bytes_per_node", |node| node.payload_bytes)
        .column("fpr_one_asked", |node| node.fpr_one)
        .column("fpr_all_asked", |node| node.fpr_all)
        .column("refresh_bytes", |node| node.refresh_bytes)
        .column("refresh_s", |node| node.refresh_bytes / args.cluster.link.0)
        .column("rebuild_s", |node| node.rebuild_s)
        .table()
}

fn checked(checks: &[Checked]) -> Table {
    let agrees = |agrees: Option<bool>| agrees.map_or("not judged".into(), Value::from);
    Table::answer(checks)
        .column("structure", |check| name(check.candidate))
        .column("what", |check| check.what)
        .column("formula", |check| check.formula)
        .column("measured", |check| check.measured)
        .column("agrees", |check| agrees(check.agrees))
        .table()
}
