//! A plan as a report.

use std::time::Instant;

use anyhow::Result;

use super::{
    FORMULAS, SMALL_CASE,
    tables::{checked, for_people, name, plain},
};
use crate::study::{self, Study};
use bouquet_advise::beyond::{Checked, Cluster, Node};
use bouquet_advise::recommend::{Bytes, share_words};
use bouquet_ground::{
    folder::write as write_new,
    machine,
    record::{Records, RunRow},
    units::grouped,
};
use bouquet_render::{
    advice::{HEADING, take},
    columns::Table,
    document::{Block, Document, Text},
    number::plural,
    sections, write_pages,
};

pub struct Planned<'a> {
    pub cluster: &'a Cluster,
    pub link: Bytes,
    pub planned: &'a [Node],
    pub impossible: &'a [String],
    pub checks: &'a [Checked],
}

/// The page with the plan and the check of the formulas, which are beside it as CSV.
pub fn write(plan: &Planned<'_>, mut study: Study, seed: u64, started: Instant) -> Result<()> {
    let csv = |name: &str, table: &Table| {
        write_new(&study.path().join("records").join(name), &table.csv()?)
    };
    csv("plan.csv", &plain(plan.link, plan.planned))?;
    csv("check.csv", &checked(plan.checks))?;
    let mut facts = study::facts(None, seed, started);
    facts.extend(machine::memory());
    let run: Vec<RunRow> = facts.into_iter().map(RunRow::from).collect();
    study.rows.write(&run)?;
    let about = Records {
        run,
        ..Records::default()
    };
    write_pages(&document(plan, &about), study.path())?;
    study.commit()
}

fn document(plan: &Planned<'_>, about: &Records) -> Document {
    let mut blocks = vec![
        Block::heading(2, "At a glance"),
        Block::Table(for_people(plan.link, plan.planned).of_a_report()),
    ];
    let impossible = plan.impossible.iter().map(|line| line.as_str().into());
    blocks.extend(Block::listed(
        2,
        "What cannot be planned",
        impossible.collect(),
    ));
    blocks.extend(Block::listed(2, HEADING, choices(plan.planned)));
    let formulas = FORMULAS.iter().map(|&formula| formula.into());
    blocks.extend(Block::listed(
        2,
        "Formulas, with n keys on S nodes",
        formulas.collect(),
    ));
    blocks.extend([
        Block::heading(2, "The formulas checked"),
        Block::Paragraph(format!("{SMALL_CASE}.").into()),
        Block::Table(checked(plan.checks).of_a_report()),
    ]);
    blocks.extend(Block::section(2, "Details", sections::grounds(about)));
    let command = Block::Code(about.fact("command").to_owned());
    blocks.extend(Block::section(2, "How this was made", [command]));
    let keys = grouped(plan.cluster.keys, ',');
    let most = plan.planned.iter().map(|node| node.nodes).max();
    Document {
        title: format!(
            "{keys} keys at {} on up to {}",
            share_words(plan.cluster.fpr),
            plural(most.unwrap_or(0), "node")
        ),
        blocks,
    }
}

/// By the memory of all nodes, and by what one holds that is never wrong.
fn choices(planned: &[Node]) -> Vec<Text> {
    let memory = |node: &Node| node.bytes * node.nodes as f64;
    let least = |is_fit: fn(&Node) -> bool| {
        let fit = planned.iter().filter(|node| is_fit(node));
        fit.min_by(|a, b| memory(a).total_cmp(&memory(b)))
    };
    let line = |need: &str, node: &Node| {
        let nodes = plural(node.nodes, "node");
        let by = format!("{} in all on {nodes}", Bytes(memory(node)));
        take(need, name(node.candidate), &by)
    };
    let all = least(|_| true).map(|node| line("want the least memory above all", node));
    let exact = least(|node| node.fpr_all == 0.0).map(|node| line("need exact answers", node));
    all.into_iter().chain(exact).collect()
}
