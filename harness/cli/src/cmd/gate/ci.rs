//! What the gate takes from the project that runs it in its CI, and shows there.

use std::{
    env,
    path::Path,
    process::{Command, Stdio},
};

use super::place;
use crate::output::tell;
use bouquet_measure::gate::Definition;
use bouquet_record::GateDocument;
use bouquet_report::gate as report;

/// The commit of the project in which the program runs, with `-dirty` if its files differ from it;
/// outside of a repository, the revision of the program.
pub fn project_revision(document: &GateDocument) -> String {
    let mut git = Command::new("git");
    git.args("describe --always --dirty --abbrev=12 --exclude=*".split(' '));
    let found = git.stdin(Stdio::null()).output().ok();
    let found = found.filter(|output| output.status.success());
    let own = || document.fact("revision").to_owned();
    found.map_or_else(own, |output| {
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    })
}

/// On GitHub Actions, marks the failed filters in the definition.
pub fn annotate(define: Option<&Path>, definition: &Definition, document: &GateDocument) {
    if env::var_os("GITHUB_ACTIONS").is_none_or(|value| value != "true") {
        return;
    }
    let at = |name: &str| {
        let file = define?;
        // GitHub wants the path from the root of the checkout.
        let (root, full) = (env::var_os("GITHUB_WORKSPACE"), place(file));
        let inside = root.and_then(|root| full.strip_prefix(place(Path::new(&root))).ok());
        let file = inside.unwrap_or(file).display().to_string();
        // A filter that was deleted has no line.
        Some((file, definition.line(name).unwrap_or(1)))
    };
    let words = report::annotations(document, at);
    if !words.is_empty() {
        tell(&words);
    }
}
