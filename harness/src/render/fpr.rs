//! What `bouquet fpr` shows: rates against theory, ceilings of low ones, and the
//! phases of a filter's life.

mod plain;
mod tables;

use anyhow::Result;

use super::{document::Table, judge, markdown, terminal};
use crate::record::Records;

/// Verdict, what failed, the tables. ANSI colour only if asked for.
pub fn summary(records: &Records, colour: bool) -> String {
    let judgement = judge::judge(records);
    let mut out = terminal::verdict(records, &judgement, colour);
    for (title, table) in tables::all(&judgement) {
        out.push_str(&format!("\n{title}\n{}", terminal::table(&table)));
    }
    out.push('\n');
    for line in theories(records) {
        out.push_str(&format!("{line}\n"));
    }
    out
}

/// The tables in Markdown.
pub fn in_markdown(records: &Records) -> String {
    let judgement = judge::judge(records);
    let section = |(title, table): &(&str, Table)| format!("{title}\n\n{}", markdown::table(table));
    let tables: Vec<String> = tables::all(&judgement).iter().map(section).collect();
    tables.join("\n")
}

/// Everything in plain numbers, rates as shares.
pub fn in_json(records: &Records) -> Result<String> {
    let judgement = judge::judge(records);
    let all = plain::all(records, &judgement);
    Ok(serde_json::to_string_pretty(&all)? + "\n")
}

/// The points in CSV: the phases are in the records.
pub fn in_csv(records: &Records) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let judgement = judge::judge(records);
    for point in plain::all(records, &judgement).points {
        writer.serialize(point)?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// The formula behind each filter's expectation.
fn theories(records: &Records) -> Vec<String> {
    let filters = records.subjects.iter().filter(|s| s.kind == "filter");
    filters
        .map(|s| format!("theory of {}: {}", s.subject, s.theory))
        .collect()
}
