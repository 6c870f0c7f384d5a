//! Text between marks of a Markdown file.

#[cfg(test)]
mod tests;

use anyhow::{Result, bail};

/// What belongs between a pair of marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part<'a> {
    Figures,
    /// Of the filter of this name.
    Cost(&'a str),
    Speed,
}

impl<'a> Part<'a> {
    /// The part whose `: begin` or `: end` is all of this line.
    fn at(line: &'a str, edge: &str) -> Option<Self> {
        let mark = line.trim().strip_prefix("<!-- ")?.strip_suffix(" -->")?;
        let name = mark.strip_suffix(edge)?;
        match (name, name.strip_prefix("cost of ")) {
            ("figures", _) => Some(Self::Figures),
            ("speed", _) => Some(Self::Speed),
            (_, filter) => filter.map(Self::Cost),
        }
    }
}

/// `text` with what `content` gives between each pair of marks; what it gives
/// nothing for stays. Its lines end as the mark before them does.
///
/// # Errors
///
/// Those of `content`; a mark without its end, and no mark that `content` gives something for.
pub fn splice(text: &str, content: impl Fn(Part<'_>) -> Result<Option<String>>) -> Result<String> {
    let mut out = String::new();
    let mut lines = text.split_inclusive('\n');
    let mut any = false;
    while let Some(line) = lines.next() {
        out.push_str(line);
        let Some(part) = Part::at(line, ": begin") else {
            continue;
        };
        let mut old = String::new();
        let end = loop {
            match lines.next() {
                Some(line) if Part::at(line, ": end") == Some(part) => break line,
                // Else what is between two pairs would be deleted.
                Some(line) if Part::at(line, ": begin").is_none() => old.push_str(line),
                _ => bail!("marker {:?} is not closed: add its end", line.trim()),
            }
        };
        match content(part)? {
            Some(new) => {
                any = true;
                let ending = if line.ends_with("\r\n") { "\r\n" } else { "\n" };
                for line in new.trim().lines() {
                    out.push_str(line);
                    out.push_str(ending);
                }
            }
            None => out.push_str(&old),
        }
        out.push_str(end);
    }
    if !any {
        bail!(
            "there is no mark in it that this report has figures for, such as \
             \"<!-- figures: begin -->\""
        );
    }
    Ok(out)
}
