//! Evaluates the server's replies for each key of a batch.

use std::fmt;

use redis::{RedisError, Value};

use crate::{Inserted, Result, batch::array, error::unexpected};

/// The result of inserting one key of a batch.
pub type BfInserted = std::result::Result<Inserted, NotInserted>;

/// Why a key was not inserted. The filter may contain it nevertheless: query it with
/// [`contains`](crate::RemoteBf::contains).
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotInserted {
    /// The filter has reached its capacity and does not grow.
    #[error("the filter is full and does not grow: make a larger one or one that grows")]
    Full,
    /// An earlier key of the batch failed, and the server did not process the later ones.
    #[error("the server stopped at a key before this one: insert it again when that is fixed")]
    NotTried,
    /// The server's error for this key.
    #[error("the server did not insert the key: {0}")]
    Server(String),
}

/// Prints the same text as `Display`, so that an error returned from `main` is shown as a sentence.
impl fmt::Debug for NotInserted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Parses one answer, in the format of RESP2 or RESP3.
fn bit(command: &'static str, value: &Value) -> Result<bool> {
    match value {
        Value::Int(bit @ 0..=1) => Ok(*bit == 1),
        Value::Boolean(bit) => Ok(*bit),
        other => Err(unexpected(command, other)),
    }
}

/// Parses a reply that must contain `count` answers.
pub(super) fn bits(command: &'static str, reply: Value, count: usize) -> Result<Vec<bool>> {
    let answers = array(command, reply)?;
    if answers.len() != count {
        return Err(unexpected(command, &Value::Array(answers)));
    }
    answers.iter().map(|value| bit(command, value)).collect()
}

/// Parses the results of `count` keys. The array may contain errors and may end early.
pub(super) fn inserted(
    command: &'static str,
    reply: Value,
    count: usize,
    lost_reply: bool,
) -> Result<Vec<BfInserted>> {
    let answers = array(command, reply)?;
    let has_failed = answers
        .iter()
        .any(|answer| matches!(answer, Value::ServerError(_)));
    if answers.len() > count || answers.len() < count && !has_failed {
        return Err(unexpected(command, &Value::Array(answers)));
    }
    let mut all = Vec::with_capacity(count);
    for answer in answers {
        all.push(match answer {
            Value::ServerError(error) => Err(of_key(&error.into())),
            answer => Ok(match (bit(command, &answer)?, lost_reply) {
                (true, _) => Inserted::New,
                (false, false) => Inserted::MayHaveBeenPresent,
                (false, true) => Inserted::Unsure,
            }),
        });
    }
    all.resize(count, Err(NotInserted::NotTried));
    Ok(all)
}

fn of_key(error: &RedisError) -> NotInserted {
    let text = error.to_string();
    // RedisBloom and valkey-bloom both use these words.
    if text.contains("non scaling filter is full") {
        return NotInserted::Full;
    }
    NotInserted::Server(text)
}

/// Whether this is the server's error for a filter that does not exist.
pub(super) fn is_not_found(error: &RedisError) -> bool {
    error.to_string().contains("not found")
}
