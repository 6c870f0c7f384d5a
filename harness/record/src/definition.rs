//! Reads TOML that users write, and says what is wrong with it.

use anyhow::{Result, anyhow};
use serde::de::DeserializeOwned;

use crate::detailed::Detailed;

/// Reads TOML.
///
/// # Errors
///
/// The message names the line and the mistake. The list of allowed fields is only in the details of
/// [`Detailed`].
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T> {
    toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let line = 1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count();
        let message = error.message().lines().next().unwrap_or_default();
        // The list of allowed fields may be long, so the message leaves it out.
        let message = match message.split_once(", expected ") {
            Some((wrong, _)) if wrong.starts_with("unknown field") => {
                format!("{wrong}; leave it out")
            }
            _ => message.to_owned(),
        };
        anyhow!(Detailed::new(
            format!("line {line}: {message}"),
            error.to_string().trim_end()
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "read to fail")]
    struct Shape {
        name: String,
        size: u64,
        other: Option<u64>,
    }

    #[test]
    fn an_error_is_one_line_and_the_names_that_there_are_its_details() {
        let error = read::<Shape>("name = \"a\"\nsise = 3\n").unwrap_err();
        let words = "line 2: unknown field `sise`; leave it out";
        assert_eq!(error.to_string(), words);
        let details = Detailed::of(&error).unwrap();
        assert!(details.contains("expected one of `name`, `size`"));
    }
}
