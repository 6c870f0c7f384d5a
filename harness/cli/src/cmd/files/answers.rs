//! What `check` prints of keys.

use anyhow::Result;

use super::{Lines, on_terminal};
use crate::output::{Format, NEGATIVE, print};
use bouquet_files::Chunk;
use bouquet_render::columns::Table;

/// Which keys are printed, and how.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct AnswerFlags {
    /// The keys that are definitely absent, instead of those that may be present.
    #[arg(long)]
    absent: bool,
    /// Their number alone.
    #[arg(short, long)]
    count: bool,
    /// Print a table, at the end: the keys each with its answer. [default: the keys as they
    /// come, one per line]
    #[arg(long, value_enum)]
    format: Option<Format>,
}

impl AnswerFlags {
    /// Whether a bar would be among keys that are looked at.
    pub fn hides_bar(self) -> bool {
        on_terminal() && !self.count && self.format.is_none()
    }
}

/// Answers on their way to standard output.
pub struct Answers {
    flags: AnswerFlags,
    lines: Lines,
    /// The keys of a table.
    chosen: Vec<String>,
    keys: u64,
    hits: u64,
}

impl Answers {
    /// Of keys that end so.
    pub fn new(flags: AnswerFlags, end: u8) -> Self {
        Self {
            flags,
            lines: Lines::new(end),
            chosen: Vec::new(),
            keys: 0,
            hits: 0,
        }
    }

    /// Takes what was found; false if nobody reads it any more.
    pub fn take(&mut self, chunk: &Chunk, found: &[bool]) -> Result<bool> {
        let wanted = !self.flags.absent;
        self.keys += chunk.len() as u64;
        let chosen = (0..found.len()).filter(|at| found[*at] == wanted);
        self.hits += chosen.clone().count() as u64;
        match (self.flags.count, self.flags.format) {
            (true, _) => Ok(true),
            (false, None) => self.lines.chosen(chunk, found, wanted),
            (false, Some(_)) => {
                let words = |at| String::from_utf8_lossy(chunk.lines(at..at + 1)).into_owned();
                self.chosen.extend(chosen.map(words));
                Ok(true)
            }
        }
    }

    /// What is printed at the end, and the exit code.
    pub fn finish(self) -> Result<u8> {
        // The lock on standard output.
        drop(self.lines);
        let count = |format: Format| {
            let table = Table::answer([()])
                .column("keys", |()| self.keys)
                .column("count", |()| self.hits);
            format.text(&table.table(), None)
        };
        let each = |format: Format| {
            let table = Table::answer(&self.chosen)
                .column("key", |key| key)
                .column("may_be_present", |_| !self.flags.absent);
            format.text(&table.table(), None)
        };
        match (self.flags.count, self.flags.format) {
            (true, None) => print(&format!("{}\n", self.hits))?,
            (false, None) => {}
            (true, Some(format)) => format.print(&count(format)?)?,
            (false, Some(format)) => format.print(&each(format)?)?,
        }
        Ok(if self.hits > 0 { 0 } else { NEGATIVE })
    }
}
