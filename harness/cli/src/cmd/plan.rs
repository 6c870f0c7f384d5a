//! `bouquet plan`: beyond one machine, on paper.

use anyhow::{Result, bail};

use super::{Format, print};
use bouquet_advise::beyond::{Checked, Cluster, FORMULAS, Node, check, nodes, structures};
use bouquet_advise::recommend::{Bytes, Candidate, Count, Fpr, Times, share_words};
use bouquet_ground::{Outcome, units::time};
use bouquet_render::columns::{Table, Value};

const HELP: &str = "\
Nothing is measured but the small case: formulas, and the times of an insert that came with the
program, which are of one machine and of at most 4,000,000 keys; out of the caches an insert takes
longer, so a rebuild does too. A list, a map and a bitmap hold keys exactly. Filters of xorf are
built of all keys at once.

Exit codes: 0 planned, and the formulas agree with the small case; 1 one does not; 2 wrong usage.

Examples:
  bouquet plan --capacity 1e12 --fpr 0.01
  bouquet plan --capacity 1e10 --nodes 16 --key-bytes 60
  bouquet plan --capacity 1e9 --integers-below 4294967296 --format json";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// Keys in all, up to 1e12.
    #[arg(long, value_name = "N")]
    capacity: Count,
    /// The FPR that a node is made for, a share.
    #[arg(long, value_name = "P", default_value = "0.01")]
    fpr: Fpr,
    /// Nodes that there are. [default: the fewest that suffice]
    #[arg(long, value_name = "S")]
    nodes: Option<Count>,
    /// What a node has for the set.
    #[arg(
        long,
        value_name = "BYTES",
        default_value = "64GiB",
        conflicts_with = "nodes"
    )]
    node_memory: Bytes,
    /// Bytes of a key, for a list and a map; 8 is an integer. [default: 16, and 8
    /// with --integers-below]
    #[arg(long, value_name = "N")]
    key_bytes: Option<Count>,
    /// Keys are integers below this, for a bitmap.
    #[arg(long, value_name = "N")]
    integers_below: Option<Count>,
    /// Bytes a second over the network, for a refresh; 1.25GB is 10 Gbit.
    #[arg(long, value_name = "BYTES", default_value = "1.25GB")]
    link: Bytes,
    /// How the table goes to standard output; JSON and CSV have plain numbers.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// The most keys that a plan is made for.
const MOST_KEYS: u64 = 1_000_000_000_000;

pub fn run(args: &Args) -> Result<u8> {
    let keys = args.capacity.0;
    if keys > MOST_KEYS {
        bail!("--capacity {keys}: a plan is made for up to 1e12 keys");
    }
    if let Some(Count(below)) = args.integers_below
        && below < keys
    {
        bail!("there are no {keys} different integers below {below}: raise --integers-below");
    }
    let usual_bytes = if args.integers_below.is_some() { 8 } else { 16 };
    let cluster = Cluster {
        keys,
        fpr: args.fpr.0,
        key_bytes: args.key_bytes.map_or(usual_bytes, |bytes| bytes.0),
        integers_below: args.integers_below.map(|below| below.0),
    };
    let times = Times::committed(if cluster.key_bytes == 8 { "u64" } else { "url" }, false)?;
    let wanted: Vec<Candidate> = structures(&cluster).collect();
    let mut planned = Vec::new();
    let mut impossible = Vec::new();
    for candidate in &wanted {
        let node = match args.nodes {
            Some(Count(nodes)) => cluster.node(*candidate, nodes.min(keys), &times),
            None => nodes(&cluster, *candidate, args.node_memory.0, &times),
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
    print(&text(args, &planned, &impossible, &checks)?)?;
    Ok(Outcome::fails_if(failed).exit_code(false))
}

fn text(
    args: &Args,
    planned: &[Node],
    impossible: &[String],
    checks: &[Checked],
) -> Result<String> {
    match args.format {
        Format::Csv => plain(args, planned).csv(),
        Format::Json => Value::Object(vec![
            ("schema_version", 1_u32.into()),
            ("capacity", args.capacity.0.into()),
            ("target_fpr", args.fpr.0.into()),
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
            time(node.refresh_bytes / args.link.0 * 1e9)
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
        .column("refresh_s", |node| node.refresh_bytes / args.link.0)
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
