//! The failures of a run as GitHub Actions shows them beside the lines of a file.

use bouquet_record::{GateDocument, Outcome, groups::distinct};

use super::news::changes;

/// An `::error` line for each filter that failed. `place` is the file of the definition, and the
/// line of a filter in it; without one, the annotation is of the run as a whole.
pub fn annotations(
    document: &GateDocument,
    place: impl Fn(&str) -> Option<(String, usize)>,
) -> String {
    let failed = document
        .rows
        .iter()
        .filter(|row| row.standing >= Outcome::Fail);
    let lines = distinct(failed.map(|row| &*row.subject))
        .into_iter()
        .map(|subject| {
            let at = place(subject).map_or_else(String::new, |(file, line)| {
                let file = escaped(&file).replace(':', "%3A").replace(',', "%2C");
                format!("file={file},line={line},")
            });
            let words = format!("{subject}: {}", changes(&document.rows, subject).join(", "));
            format!("::error {at}title=bouquet gate::{}", escaped(&words))
        });
    lines.collect::<Vec<_>>().join("\n")
}

/// The characters that GitHub's format encodes everywhere.
fn escaped(words: &str) -> String {
    let words = words.replace('%', "%25");
    words.replace('\r', "%0D").replace('\n', "%0A")
}
