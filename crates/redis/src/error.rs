//! Errors, which are never taken for an answer.

use std::{fmt, time::Duration};

use bouquet_core::SpecError;
use redis::{ErrorKind, RedisError, ServerErrorKind, Value};

use crate::{name::Name, scheme::Difference};

/// Why a call gave no answer.
///
/// Nothing here is ever turned into "definitely not present".
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
// No source: what is displayed has all of it, and would be printed twice.
pub enum Error {
    /// The filter that this client joined no longer exists. Nothing is known about its
    /// keys: [`replace`](crate::RemoteBitmap::replace) it and insert them again.
    #[error(
        "the filter {name:?} is lost ({how}): its keys are unknown; call `replace` and insert them again"
    )]
    FilterLost {
        /// Its name.
        name: String,
        /// What was found in its place.
        how: Lost,
    },
    /// There is no filter of this name.
    #[error("there is no filter {name:?} on the server: create it")]
    NotFound {
        /// The name.
        name: String,
    },
    /// There is something of this name already.
    #[error(
        "there is {what} of the name {name:?} already: join it, delete it or take another name"
    )]
    Exists {
        /// The name.
        name: String,
        /// What is there.
        what: &'static str,
    },
    /// There is something of this name without settings: of another program, which may have begun it again
    /// after it was lost, or cut or padded.
    #[error(
        "{name:?} has no settings: another program made it, or began it again after it was lost, or it was cut. \
             `adopt` it only if you know that it has all its keys; otherwise delete it"
    )]
    Bare {
        /// The name.
        name: String,
    },
    /// A key of another type is in the place of one of the filter's: it is neither replaced
    /// nor deleted.
    #[error(
        "a key of the filter {name:?} is of another type than a filter's: rename or delete it yourself if nothing \
             needs it"
    )]
    OtherType {
        /// The name of the filter.
        name: String,
    },
    /// The filter there differs from the requested one.
    #[error("the filter {name:?} differs in {parameter}: {here} requested, {there} on the server")]
    Incompatible {
        /// The name.
        name: String,
        /// In what.
        parameter: &'static str,
        /// As requested.
        here: String,
        /// As on the server.
        there: String,
    },
    /// What the server has beside the string is not a filter's settings.
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
        /// Why, and what to do.
        why: &'static str,
    },
    /// No filter can be made of these sizes.
    #[error("{0}")]
    Spec(SpecError),
    /// It does not fit into the server's memory; nothing was begun.
    #[error(
        "the filter {name:?} of {bytes} bytes does not fit: the server uses {used} of its maxmemory of {max} bytes. \
             Raise that, or make a smaller filter"
    )]
    Full {
        /// The name.
        name: String,
        /// Bytes of the filter.
        bytes: u64,
        /// Bytes in use on the server.
        used: u64,
        /// Its `maxmemory`.
        max: u64,
    },
    /// More bits than a string of the server can have.
    #[error(
        "{size_bits} bits are more than the {max} of one string: spread them over several by a ShardedBitmap, \
             lower the capacity or raise the FPR"
    )]
    TooLarge {
        /// The requested bits.
        size_bits: u64,
        /// The most possible.
        max: u64,
    },
    /// Too few bits to notice that an older state was restored.
    #[error("{size_bits} bits are too few: give {min} or more")]
    TooSmall {
        /// The requested bits.
        size_bits: u64,
        /// The fewest possible.
        min: u64,
    },
    /// The server does not know a command, or is configured to hide it.
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
    /// The server gave a reply that this command does not give.
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
        /// How often it was sent.
        attempts: u32,
        /// After what time this call gave up.
        after: Duration,
        /// The last failure.
        error: RedisError,
    },
}

/// What was found in the place of a filter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Lost {
    /// Nothing, or no mark behind its bits: evicted, expired, deleted or flushed.
    #[error("evicted, expired, deleted or flushed")]
    Gone,
    /// Another filter.
    #[error("replaced by another")]
    Replaced,
    /// The same, as it was before this client's last insert: restored from an older dump
    /// or a replica that was behind.
    #[error("an older state of it was restored")]
    RolledBack,
    /// A key of another type.
    #[error("a key of another type is in its place")]
    OtherType,
}

impl Error {
    /// That a filter is not the requested one.
    pub(crate) fn differs(name: &[u8], (parameter, here, there): Difference) -> Self {
        let name = shown(name);
        Self::Incompatible {
            name,
            parameter,
            here,
            there,
        }
    }

    /// What has become of a filter where this was found in its place.
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

/// What is said of a failure of the connection or the server.
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

/// The same: what `?` shows from `main` is a sentence.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What to do about an error of the server, if that is clear.
fn advice(code: &str, said: &str) -> &'static str {
    match code {
        // Redis and Valkey word it differently.
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
    /// The filter is not there.
    Lost(Lost),
    /// The connection or the server failed.
    Failed(RedisError),
    /// What no other attempt would change.
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

/// A name for messages.
pub(crate) fn shown(name: &[u8]) -> String {
    const MOST: usize = 80;
    let text = String::from_utf8_lossy(&name[..name.len().min(MOST)]).into_owned();
    if name.len() > MOST {
        text + "…"
    } else {
        text
    }
}

/// That a filter is lost.
pub(crate) fn lost(name: &Name, how: Lost) -> Error {
    let name = shown(&name.string);
    Error::FilterLost { name, how }
}

/// That what is there is no filter.
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

/// What a failure means for the caller.
pub(crate) fn of_failure(
    command: &'static str,
    attempts: u32,
    after: Duration,
    error: RedisError,
) -> Error {
    let text = error.to_string();
    let lower = text.to_ascii_lowercase();
    // The second is what a script says.
    if lower.contains("unknown command") || lower.contains("unknown redis command") {
        // Of a transaction it may be another one; a script does not say which.
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

/// Whether the same may succeed a moment later.
pub(crate) fn is_passing(error: &RedisError) -> bool {
    match error.kind() {
        ErrorKind::Io | ErrorKind::ClusterConnectionNotFound => true,
        // Of a non-blocking connection that ended within a reply, which is read no further.
        ErrorKind::Parse => true,
        // A script that runs too long: a code without a kind of its own.
        _ if error.code() == Some("BUSY") => true,
        // A script's key is in a slot that moves.
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

/// Whether the server may have executed it all the same.
pub(crate) fn may_be_done(error: &RedisError) -> bool {
    !matches!(error.kind(), ErrorKind::Server(_)) && !error.is_connection_refusal()
}

/// Whether it is the answer to a key of another type.
pub(crate) fn is_wrong_type(error: &RedisError) -> bool {
    error.code() == Some("WRONGTYPE")
}
