//! What a judgement comes to: the one type that says so.

use serde::{Deserialize, Serialize};

/// The gravest last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Pass,
    /// Nothing failed, and not enough is known.
    Inconclusive,
    Fail,
    /// A fault that must be found was not: nothing counts.
    Void,
}

impl Outcome {
    /// Fail if this is so, else pass.
    pub fn fails_if(failed: bool) -> Self {
        if failed { Self::Fail } else { Self::Pass }
    }

    /// Pass, fail, or inconclusive where nothing decides.
    pub fn of(passes: Option<bool>) -> Self {
        match passes {
            Some(true) => Self::Pass,
            Some(false) => Self::Fail,
            None => Self::Inconclusive,
        }
    }

    /// Its word, the mark and the word that it is reported by, the ANSI code of its
    /// colour.
    const fn facts(self) -> (&'static str, char, &'static str, u8) {
        match self {
            Self::Pass => ("pass", '✓', "Pass", 32),
            Self::Inconclusive => ("inconclusive", '?', "Inconclusive", 33),
            Self::Fail => ("fail", '✗', "Fail", 31),
            Self::Void => ("void", '∅', "Invalid run", 31),
        }
    }

    /// What it is seen by before a word is read.
    pub const fn mark(self) -> char {
        self.facts().1
    }

    pub const fn word(self) -> &'static str {
        self.facts().0
    }

    /// What is said of it, as every report begins.
    pub fn headline(self, words: &str) -> String {
        let (_, mark, word, _) = self.facts();
        format!("{mark} {word}: {words}")
    }

    pub const fn colour(self) -> u8 {
        self.facts().3
    }

    /// What the program exits with.
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
