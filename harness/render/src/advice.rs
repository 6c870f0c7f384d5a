//! The words of "If you … take …": the same of every report.

use super::document::Text;

/// Above the lines.
pub const HEADING: &str = "Which one to take";

/// What someone needs, the same words wherever it is answered.
pub const FIXED: &str = "have a fixed set of keys";
pub const COMES: &str = "insert keys as they come";
pub const DELETES: &str = "must delete keys";
pub const GROWS: &str = "do not know how many keys will come";
pub const SHARES: &str = "share it between many threads";
pub const SPEED: &str = "want speed above all";
pub const MEMORY: &str = "want the least memory above all";

/// Of records without times: what has them. No link, for a report lies where its user
/// wants it, alone or beside others.
pub fn timed() -> Text {
    see(SPEED, "what was timed", "bouquet speed")
}

/// Of records without sizes: what has them.
pub fn sized() -> Text {
    see(MEMORY, "what was allocated", "bouquet evaluate")
}

fn see(need: &str, what: &str, command: &str) -> Text {
    Text::from(format!("If you {need}, see {what} by "))
        .code(command)
        .plain(".")
}

/// One line: what someone needs, and the figure that chose.
pub fn take(need: &str, name: &str, by: &str) -> Text {
    Text::from(format!("If you {need}, take "))
        .strong(name)
        .plain(format!(" ({by})."))
}
