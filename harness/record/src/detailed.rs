//! An error of one sentence, with details that are shown on request.

use std::fmt;

/// An error. `words` say what is wrong and what to do.
#[derive(Debug)]
pub struct Detailed {
    words: String,
    details: String,
}

impl Detailed {
    pub fn new(words: impl Into<String>, details: impl Into<String>) -> Self {
        Self {
            words: words.into(),
            details: details.into(),
        }
    }

    /// The details of an error, if it has some.
    pub fn of(error: &anyhow::Error) -> Option<&str> {
        let mut chain = error.chain();
        let own = chain.find_map(|error| error.downcast_ref::<Self>());
        own.map(|own| &*own.details)
    }
}

impl fmt::Display for Detailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl std::error::Error for Detailed {}

#[cfg(test)]
mod tests {
    use anyhow::{Context, Error};

    use super::*;

    #[test]
    fn details_are_found_under_what_was_added() {
        let error: anyhow::Result<()> = Err(Detailed::new("no filter", "as go: byte 8").into());
        let error = error.context("notes.txt").unwrap_err();
        assert_eq!(format!("{error:#}"), "notes.txt: no filter");
        assert_eq!(Detailed::of(&error), Some("as go: byte 8"));
        assert_eq!(Detailed::of(&Error::msg("plain")), None);
    }
}
