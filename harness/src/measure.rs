//! Measuring: one cell of an experiment in, raw rows out.

mod fpr;
mod memory;
mod uniformity;

pub use fpr::FprCell;
pub use memory::MemoryCell;
pub use uniformity::{MakeLocator, UniformityCell};

use crate::record::{FprRow, MemoryRow, UniformityRow};

/// What a cell yields.
pub enum Rows {
    Uniformity(Vec<UniformityRow>),
    Fpr(FprRow),
    Memory(MemoryRow),
}

/// The smallest piece of work: measured in one go, on one thread, from its own
/// seed, so that a run gives the same rows on any number of threads.
pub enum Cell {
    Uniformity(UniformityCell),
    Fpr(FprCell),
    Memory(MemoryCell),
}

impl Cell {
    /// The filter or scheme that is measured.
    pub fn subject(&self) -> &str {
        match self {
            Self::Uniformity(cell) => cell.subject,
            Self::Fpr(cell) => cell.filter.name,
            Self::Memory(cell) => cell.filter.name,
        }
    }

    pub fn measure(&self) -> Rows {
        match self {
            Self::Uniformity(cell) => Rows::Uniformity(cell.measure()),
            Self::Fpr(cell) => Rows::Fpr(cell.measure()),
            Self::Memory(cell) => Rows::Memory(cell.measure()),
        }
    }
}

/// Runs code of others. A panic there is an error in a row, not the end of the
/// run.
fn guarded<T>(work: impl FnOnce() -> anyhow::Result<T>) -> Result<T, String> {
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)) {
        Ok(result) => result.map_err(|error| format!("{error:#}")),
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(ToString::to_string);
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            Err(format!("panicked: {}", text.unwrap_or_default()))
        }
    }
}
