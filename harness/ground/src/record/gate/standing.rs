//! What came of a tier, or of all, in a word: `skipped` where nothing was asked for.

use serde::{Deserialize, Deserializer, Serializer, de::IntoDeserializer};

use crate::Outcome;

const SKIPPED: &str = "skipped";

pub fn word(standing: Option<Outcome>) -> &'static str {
    standing.map_or(SKIPPED, Outcome::word)
}

pub fn serialize<S: Serializer>(standing: &Option<Outcome>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(word(*standing))
}

pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Option<Outcome>, D::Error> {
    match String::deserialize(from)?.as_str() {
        SKIPPED => Ok(None),
        word => Outcome::deserialize(word.into_deserializer()).map(Some),
    }
}
