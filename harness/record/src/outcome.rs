//! The outcome of a check: one type for all commands.

use serde::{Deserialize, Serialize};

/// The outcome of a check, in ascending order of severity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Pass,
    /// Nothing failed, but there is not enough evidence to pass.
    Inconclusive,
    Fail,
    /// All results are invalid, because a control was not detected. A control is a deliberate fault
    /// that the run must detect.
    Void,
}

impl Outcome {
    /// [`Fail`](Self::Fail) if `failed`, else [`Pass`](Self::Pass).
    pub fn fails_if(failed: bool) -> Self {
        if failed { Self::Fail } else { Self::Pass }
    }

    /// The name, the mark, the word in reports, and the ANSI code of the colour.
    const fn facts(self) -> (&'static str, char, &'static str, u8) {
        match self {
            Self::Pass => ("pass", '✓', "Pass", 32),
            Self::Inconclusive => ("inconclusive", '?', "Inconclusive", 33),
            Self::Fail => ("fail", '✗', "Fail", 31),
            Self::Void => ("void", '∅', "Invalid run", 31),
        }
    }

    /// The symbol that is printed before the word.
    pub const fn mark(self) -> char {
        self.facts().1
    }

    pub const fn word(self) -> &'static str {
        self.facts().0
    }

    /// The first line of every report.
    pub fn headline(self, words: &str) -> String {
        let (_, mark, word, _) = self.facts();
        format!("{mark} {word}: {words}")
    }

    pub const fn colour(self) -> u8 {
        self.facts().3
    }

    pub const fn exit_code(self, strict: bool) -> u8 {
        match self {
            Self::Pass => 0,
            Self::Fail | Self::Void => 1,
            Self::Inconclusive if strict => 3,
            Self::Inconclusive => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_its_words_code_and_colour() {
        let all = [
            (Outcome::Pass, "✓ Pass: x", [0, 0], 32),
            (Outcome::Inconclusive, "? Inconclusive: x", [0, 3], 33),
            (Outcome::Fail, "✗ Fail: x", [1, 1], 31),
            (Outcome::Void, "∅ Invalid run: x", [1, 1], 31),
        ];
        assert!(all.is_sorted_by(|one, next| one.0 < next.0));
        for (outcome, headline, codes, colour) in all {
            assert_eq!(outcome.headline("x"), headline);
            assert_eq!([false, true].map(|strict| outcome.exit_code(strict)), codes);
            assert_eq!(outcome.colour(), colour);
            let word = format!("{:?}", outcome.word());
            assert_eq!(serde_json::to_string(&outcome).unwrap(), word);
        }
    }
}
