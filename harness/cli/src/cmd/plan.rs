//! `bouquet plan`: beyond one machine, on paper.

use anyhow::{Result, bail};

use super::{
    Format, print,
    sheet::{Cell, Sheet},
};
use bouquet_advise::beyond::{Checked, Cluster, FORMULAS, Node, check, nodes, structures};
use bouquet_advise::recommend::{Bytes, Candidate, Count, Fpr, Times, share_words};
use bouquet_ground::{Outcome, units::time};

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
    if let Some(below) = args.integers_below
        && below.0 < keys
    {
        let below = below.0;
        bail!("there are no {keys} different integers below {below}: raise --integers-below");
    }
    let cluster = Cluster {
        keys,
        fpr: args.fpr.0,
        key_bytes: match (args.key_bytes, args.integers_below) {
            (Some(Count(bytes)), _) => bytes,
            (None, Some(_)) => 8,
            (None, None) => 16,
        },
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
        Format::Csv => plain(args, planned).text(Format::Csv),
        Format::Json => {
            let parsed = |sheet: Sheet| -> Result<serde_json::Value> {
                Ok(serde_json::from_str(&sheet.text(Format::Json)?)?)
            };
            let all = serde_json::json!({
                "schema_version": 1,
                "capacity": args.capacity.0,
                "target_fpr": args.fpr.0,
                "formulas": FORMULAS,
                "structures": parsed(plain(args, planned))?,
                "impossible": impossible,
                "check": parsed(check_sheet(checks))?,
            });
            Ok(serde_json::to_string_pretty(&all)? + "\n")
        }
        format => {
            let mut out = sheet(args, planned).text(format)?;
            for line in impossible {
                out += &format!("\n{line}\n");
            }
            out += "\nFormulas, with n keys on S nodes:\n";
            for formula in FORMULAS {
                out += &format!("- {formula}\n");
            }
            out += "\nThe same formulas for 720,000 keys on 8 nodes at 5 %, and what was made and \
                    measured:\n\n";
            out += &check_sheet(checks).text(format)?;
            Ok(out)
        }
    }
}

fn words(words: impl Into<String>) -> Cell {
    Cell::Words(words.into())
}

fn name(candidate: Candidate) -> &'static str {
    match candidate {
        Candidate::SortedArray => "list (sorted)",
        Candidate::HashSet => "map",
        other => other.name(),
    }
}

/// For people.
fn sheet(args: &Args, planned: &[Node]) -> Sheet {
    let row = |node: &Node| {
        vec![
            words(name(node.candidate)),
            Cell::Number((node.bits_per_key * 100.0).round() / 100.0),
            words(Bytes(node.bytes * node.nodes as f64).to_string()),
            Cell::Count(node.nodes),
            Cell::Count(node.keys),
            words(Bytes(node.bytes).to_string()),
            words(share_words(node.fpr_one)),
            words(share_words(node.fpr_all)),
            words(Bytes(node.refresh_bytes).to_string()),
            words(time(node.refresh_bytes / args.link.0 * 1e9)),
            node.rebuild_s
                .map_or(Cell::Nothing, |seconds| words(time(seconds * 1e9))),
        ]
    };
    Sheet {
        columns: vec![
            "structure",
            "bits per key",
            "memory",
            "nodes",
            "keys per node",
            "memory per node",
            "FPR, one asked",
            "FPR, all asked",
            "refresh",
            "over the link",
            "rebuild of a node",
        ],
        rows: planned.iter().map(row).collect(),
    }
}

/// For programs.
fn plain(args: &Args, planned: &[Node]) -> Sheet {
    let row = |node: &Node| {
        vec![
            words(node.candidate.name()),
            Cell::Number(node.bits_per_key),
            Cell::Count(node.nodes),
            Cell::Count(node.keys),
            Cell::Count(node.room),
            Cell::Number(node.bytes),
            Cell::Number(node.payload_bytes),
            Cell::Number(node.fpr_one),
            Cell::Number(node.fpr_all),
            Cell::Number(node.refresh_bytes),
            Cell::Number(node.refresh_bytes / args.link.0),
            node.rebuild_s.map_or(Cell::Nothing, Cell::Number),
        ]
    };
    Sheet {
        columns: vec![
            "structure",
            "bits_per_key",
            "nodes",
            "keys_per_node",
            "room_per_node",
            "bytes_per_node",
            "payload_bytes_per_node",
            "fpr_one_asked",
            "fpr_all_asked",
            "refresh_bytes",
            "refresh_s",
            "rebuild_s",
        ],
        rows: planned.iter().map(row).collect(),
    }
}

fn check_sheet(checks: &[Checked]) -> Sheet {
    let row = |check: &Checked| {
        vec![
            words(name(check.candidate)),
            words(check.what),
            Cell::Number(check.formula),
            Cell::Number(check.measured),
            check
                .agrees
                .map_or_else(|| words("not judged"), Cell::YesNo),
        ]
    };
    Sheet {
        columns: vec!["structure", "what", "formula", "measured", "agrees"],
        rows: checks.iter().map(row).collect(),
    }
}
