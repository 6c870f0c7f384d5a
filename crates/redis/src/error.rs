//! Errors. No error is ever reported as an answer about a key.

use std::{fmt, time::Duration};

use bouquet_core::SpecError;
use redis::{ErrorKind, RedisError, ServerErrorKind, Value};

use crate::{name::Name, scheme::Difference};

/// Why a call gave no answer.
///
/// No failure is ever reported as "definitely not present".
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
// No variant has a `source`: the displayed text already contains it, and it would be printed twice.
pub enum Error {
    /// The filter that this client joined no longer exists, so nothing is known about its keys:
    /// call [`replace`](crate::RemoteBitmap::replace) and insert them again.
    #[error(
        "the filter {name:?} is lost ({how}): its keys are unknown; call `replace` and insert them again"
    )]
    FilterLost {
        /// The name of the filter.
        name: String,
        /// What was found in the place of the filter.
        how: Lost,
    },
    /// There is no filter with this name.
    #[error("there is no filter {name:?} on the server: create it")]
    NotFound {
        /// The name.
        name: String,
    },
    /// The name is already in use.
    #[error(
        "there is {what} of the name {name:?} already: join it, delete it or take another name"
    )]
    Exists {
        /// The name.
        name: String,
        /// A description of what has this name.
        what: &'static str,
    },
    /// There is a string or a filter of this name, but without settings: another program made it,
    /// perhaps again after it was lost, or it was truncated or padded.
    #[error(
        "{name:?} has no settings: another program made it, or began it again after it was lost, or it was cut. \
             `adopt` it only if you know that it has all its keys; otherwise delete it"
    )]
    Bare {
        /// The name.
        name: String,
    },
    /// A Redis key of another type has the name of one of the filter's keys. It is neither replaced
    /// nor deleted.
    #[error(
        "a key of the filter {name:?} is of another type than a filter's: rename or delete it yourself if nothing \
             needs it"
    )]
    OtherType {
        /// The name of the filter.
        name: String,
    },
    /// The filter on the server differs from the requested one.
    #[error("the filter {name:?} differs in {parameter}: {here} requested, {there} on the server")]
    Incompatible {
        /// The name.
        name: String,
        /// The parameter that differs.
        parameter: &'static str,
        /// The requested value.
        here: String,
        /// The value on the server.
        there: String,
    },
    /// The settings or the data stored on the server are not those of a filter.
    #[error("what is stored of the filter {name:?} is no such filter: {why}")]
    Damaged {
        /// The name.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// The name cannot be used.
    #[error("{why}")]
    BadName {
        /// The reason, and what to do.
        why: &'static str,
    },
    /// No filter can have these parameters.
    #[error("{0}")]
    Spec(SpecError),
    /// The filter does not fit into the server's memory; nothing was written.
    #[error(
        "the filter {name:?} of {bytes} bytes does not fit: the server uses {used} of its maxmemory of {max} bytes. \
             Raise that, or make a smaller filter"
    )]
    Full {
        /// The name.
        name: String,
        /// Size of the filter in bytes.
        bytes: u64,
        /// Bytes that the server already uses.
        used: u64,
        /// The server's `maxmemory` in bytes.
        max: u64,
    },
    /// The filter needs more bits than a string on the server can have.
    #[error(
        "{size_bits} bits are more than the {max} of one string: spread them over several by a ShardedBitmap, \
             lower the capacity or raise the FPR"
    )]
    TooLarge {
        /// The requested number of bits.
        size_bits: u64,
        /// The maximum number of bits.
        max: u64,
    },
    /// The filter has too few bits for the client to notice that an older state was restored.
    #[error("{size_bits} bits are too few: give {min} or more")]
    TooSmall {
        /// The requested number of bits.
        size_bits: u64,
        /// The minimum number of bits.
        min: u64,
    },
    /// The server does not know a command, or its configuration disables it.
    #[error(
        "the server does not offer {command} ({reply}): it is too old, lacks a module, or the command was renamed \
             or disabled there. Enable it"
    )]
    Unsupported {
        /// The command.
        command: &'static str,
        /// The server's reply.
        reply: String,
    },
    /// The reply does not have the format that this command returns.
    #[error("unexpected reply to {command}: {reply}")]
    Unexpected {
        /// The command.
        command: &'static str,
        /// The reply.
        reply: String,
    },
    /// The connection or the server failed, and retries were not allowed or failed
    /// until the deadline.
    #[error("{}", said(command, *attempts, *after, error))]
    Redis {
        /// The command.
        command: &'static str,
        /// How often the command was sent.
        attempts: u32,
        /// How long the call tried before it returned this error.
        after: Duration,
        /// The error of the last attempt.
        error: RedisError,
    },
}

/// What was found in the place of a filter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Lost {
    /// No filter, or a string without the mark: evicted, expired, deleted or flushed.
    #[error("evicted, expired, deleted or flushed")]
    Gone,
    /// Another filter is in its place.
    #[error("replaced by another")]
    Replaced,
    /// The same filter in a state from before this client's last insert: restored from an older
    /// dump, or from a replica that was behind.
    #[error("an older state of it was restored")]
    RolledBack,
    /// A key of another type is in its place.
    #[error("a key of another type is in its place")]
    OtherType,
}

impl Error {
    /// The error for a filter that differs from the requested one.
    pub(crate) fn differs(name: &[u8], (parameter, here, there): Difference) -> Self {
        let name = shown(name);
        Self::Incompatible {
            name,
            parameter,
            here,
            there,
        }
    }

    /// If this error was found when the filter was read again: how the filter was lost.
    pub(crate) fn as_lost(&self) -> Option<Lost> {
        match self {
            Self::NotFound { .. } => Some(Lost::Gone),
            Self::OtherType { .. } => Some(Lost::OtherType),
            Self::Bare { .. } | Self::Incompatible { .. } | Self::Damaged { .. } => {
                Some(Lost::Replaced)
            }
            _ => None,
        }
    }
}

/// The message for a failure of the connection or the server.
fn said(command: &str, attempts: u32, after: Duration, error: &RedisError) -> String {
    let times = if attempts == 1 { "" } else { "s" };
    if error.is_timeout() {
        let seconds = (after.as_secs_f64() * 10.0).round() / 10.0;
        return format!("{command} timed out after {seconds} s ({attempts} attempt{times})");
    }
    let why = match (error.code(), error.detail().unwrap_or_default()) {
        (Some(code), said) => format!("the server said {code} {said}{}", advice(code, said)),
        (None, _) if error.kind() == ErrorKind::InvalidClientConfig => {
            format!(
                "{error}: write redis://[user:password@]host:port/, and %40 for an @ in the password"
            )
        }
        (None, _) => error.to_string(),
    };
    format!("{command} failed after {attempts} attempt{times}: {why}")
}

/// Prints the same text as `Display`, so that an error returned from `main` is shown as a sentence.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Advice for an error of the server, or "" if there is none.
fn advice(code: &str, said: &str) -> &'static str {
    match code {
        // Redis and Valkey word this error differently.
        "ERR" if said.contains("user executing the script") || said.contains("ACL failure") => {
            advice("NOPERM", "")
        }
        "READONLY" => ": this is a replica; write to its master",
        "OOM" => ": raise its maxmemory, or have it evict",
        "NOAUTH" | "WRONGPASS" => ": check user and password",
        "NOPERM" => {
            ": to check, the user needs the rights to BITFIELD_RO, GETRANGE and STRLEN; for statistics and \
             copies, BITCOUNT and PTTL; to insert, make, rebuild and delete filters, MULTI, EXEC, EVAL \
             and the categories read and write; for shards, CLUSTER SLOTS; for filters of a module, its BF \
             commands, TYPE and GET; and the keys NAME and {NAME}:bouquet*"
        }
        "MOVED" | "ASK" | "CROSSSLOT" => {
            ": this is a node of a cluster; use a connection to the cluster"
        }
        "LOADING" => ": it is still loading its data; retry later or with a longer deadline",
        "MISCONF" => ": it cannot write its data to disk",
        _ => "",
    }
}

impl From<SpecError> for Error {
    fn from(error: SpecError) -> Self {
        Self::Spec(error)
    }
}

/// The result of a call.
pub type Result<T> = std::result::Result<T, Error>;

/// Why one attempt gave no answer.
pub(crate) enum Trouble {
    /// The filter does not exist.
    Lost(Lost),
    /// The connection or the server failed.
    Failed(RedisError),
    /// An error that another attempt would not change.
    Fatal(Error),
}

/// The result of one attempt.
pub(crate) type Tried<T> = std::result::Result<T, Trouble>;

impl From<Lost> for Trouble {
    fn from(how: Lost) -> Self {
        Self::Lost(how)
    }
}

impl From<RedisError> for Trouble {
    fn from(error: RedisError) -> Self {
        if is_wrong_type(&error) {
            Self::Lost(Lost::OtherType)
        } else {
            Self::Failed(error)
        }
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Fatal(error)
    }
}

/// The name as it is shown in messages: at most 80 bytes.
pub(crate) fn shown(name: &[u8]) -> String {
    const MOST: usize = 80;
    let text = String::from_utf8_lossy(&name[..name.len().min(MOST)]).into_owned();
    if name.len() > MOST {
        text + "…"
    } else {
        text
    }
}

/// The error for a lost filter.
pub(crate) fn lost(name: &Name, how: Lost) -> Error {
    let name = shown(&name.string);
    Error::FilterLost { name, how }
}

/// The error for data on the server that are not a filter.
pub(crate) fn damaged(name: &[u8], why: String) -> Error {
    let name = shown(name);
    Error::Damaged { name, why }
}

pub(crate) fn unexpected(command: &'static str, reply: &Value) -> Error {
    let mut reply = format!("{reply:?}");
    if let Some((at, _)) = reply.char_indices().nth(200) {
        reply.truncate(at);
    }
    Error::Unexpected { command, reply }
}

/// Converts a failure of the client library to the error that the caller gets.
pub(crate) fn of_failure(
    command: &'static str,
    attempts: u32,
    after: Duration,
    error: RedisError,
) -> Error {
    let text = error.to_string();
    let lower = text.to_ascii_lowercase();
    // The second wording is that of a command within a script.
    if lower.contains("unknown command") || lower.contains("unknown redis command") {
        // In a transaction the unknown command may be another one than `command`; a script does not
        // name it.
        let named = ["EVAL", "MULTI", "BITFIELD"].into_iter().find(|named| {
            let named = named.to_ascii_lowercase();
            lower.contains(&format!("'{named}'")) || lower.contains(&format!("`{named}`"))
        });
        return Error::Unsupported {
            command: named.unwrap_or(command),
            reply: text,
        };
    }
    Error::Redis {
        command,
        attempts,
        after,
        error,
    }
}

/// Whether the same command may succeed a moment later.
pub(crate) fn is_passing(error: &RedisError) -> bool {
    match error.kind() {
        ErrorKind::Io | ErrorKind::ClusterConnectionNotFound => true,
        // A non-blocking connection reports this error when it ends in the middle of a reply.
        ErrorKind::Parse => true,
        // A script has been running for too long: the code `BUSY` has no `ErrorKind` of its own.
        _ if error.code() == Some("BUSY") => true,
        // The key of a script is in a slot that is moving to another node.
        _ if error.to_string().contains("access a non local key") => true,
        ErrorKind::Server(kind) => matches!(
            kind,
            ServerErrorKind::BusyLoading
                | ServerErrorKind::TryAgain
                | ServerErrorKind::ClusterDown
                | ServerErrorKind::MasterDown
                | ServerErrorKind::Moved
                | ServerErrorKind::Ask
        ),
        _ => false,
    }
}

/// Whether the server may have executed the command although it failed here.
pub(crate) fn may_be_done(error: &RedisError) -> bool {
    !matches!(error.kind(), ErrorKind::Server(_)) && !error.is_connection_refusal()
}

/// Whether this is the server's error for a key of another type.
pub(crate) fn is_wrong_type(error: &RedisError) -> bool {
    error.code() == Some("WRONGTYPE")
}
