//! The words of "If you … take …": the same of every report.

use super::document::Text;

/// Above the lines.
pub const HEADING: &str = "Which one to take";

/// One line: what someone needs, and the figure that chose.
pub fn take(need: &str, name: &str, by: &str) -> Text {
    Text::from(format!("If you {need}, take "))
        .strong(name)
        .plain(format!(" ({by})."))
}
