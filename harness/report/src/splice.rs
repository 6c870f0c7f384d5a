//! Replaces text between marks in a Markdown file.

#[cfg(test)]
mod tests;

use anyhow::{Result, bail};

/// The name in a mark such as `<!-- speed: begin -->`: `figures`, `speed`, or `cost of` and a
/// filter. `edge` is `: begin` or `: end`. `None` if the line is not a mark with this edge.
fn mark<'a>(line: &'a str, edge: &str) -> Option<&'a str> {
    let mark = line.trim().strip_prefix("<!-- ")?.strip_suffix(" -->")?;
    let is_part =
        |name: &&str| matches!(*name, "figures" | "speed") || name.starts_with("cost of ");
    mark.strip_suffix(edge).filter(is_part)
}

/// Replaces the text between each begin mark and its end mark by what `content` returns for the
/// name in the marks. If it returns `None`, the old text stays. The new lines end like the line of
/// the begin mark.
///
/// Fails if `content` fails, if a begin mark has no end mark, or if no text was replaced.
pub fn splice(text: &str, content: impl Fn(&str) -> Result<Option<String>>) -> Result<String> {
    let mut out = String::new();
    let mut lines = text.split_inclusive('\n');
    let mut any = false;
    while let Some(line) = lines.next() {
        out.push_str(line);
        let Some(part) = mark(line, ": begin") else {
            continue;
        };
        let mut old = String::new();
        let end = loop {
            match lines.next() {
                Some(line) if mark(line, ": end") == Some(part) => break line,
                // A second begin mark before the end mark is an error: the next end mark may belong
                // to it, and the text between the two pairs of marks would be deleted.
                Some(line) if mark(line, ": begin").is_none() => old.push_str(line),
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
