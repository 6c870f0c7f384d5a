//! Errors, which are never taken for an answer.

use std::{error, fmt};

use bouquet_core::SpecError;
use redis::{ErrorKind, RedisError, ServerErrorKind, Value};

/// Why a call gave no answer.
///
/// Nothing here is ever turned into "definitely not present".
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The filter that this client joined no longer exists. Nothing is known about its
    /// keys: delete what is left of it (its settings, or a string that an insert began), create
    /// it and insert them again.
    FilterLost {
        /// Its name.
        name: String,
        /// What was found in its place.
        how: Lost,
    },
    /// There is no filter of this name.
    NotFound {
        /// The name.
        name: String,
    },
    /// There is something of this name already.
    Exists {
        /// The name.
        name: String,
        /// What is there.
        what: &'static str,
    },
    /// There is a string of this name without settings beside it: one of another
    /// program, whose size is unknown.
    Bare {
        /// The name.
        name: String,
    },
    /// A key of another type is in the place of one of the filter's: it is neither replaced
    /// nor deleted.
    OtherType {
        /// The name of the key.
        name: String,
        /// Its type.
        there: String,
    },
    /// The filter there differs from the requested one.
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
    Damaged {
        /// The name.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// The name cannot be used.
    BadName {
        /// Why, and what to do.
        why: &'static str,
    },
    /// No filter can be made of these sizes.
    Spec(SpecError),
    /// More bits than a string of the server can have.
    TooLarge {
        /// The requested bits.
        size_bits: u64,
        /// The most possible.
        max: u64,
    },
    /// Too few bits to notice that an older state was restored.
    TooSmall {
        /// The requested bits.
        size_bits: u64,
        /// The fewest possible.
        min: u64,
    },
    /// A scheme gave a location that its size does not have; nothing was sent.
    OutOfRange {
        /// The location.
        location: u64,
        /// The number of bits.
        size_bits: u64,
    },
    /// The server does not know a command, or is configured to hide it.
    Unsupported {
        /// The command.
        command: &'static str,
        /// The server's reply.
        reply: String,
    },
    /// The server gave a reply that this command does not give.
    Unexpected {
        /// The command.
        command: &'static str,
        /// The reply.
        reply: String,
    },
    /// The connection or the server failed, and retries were not allowed or failed
    /// until the deadline.
    Redis {
        /// The command.
        command: &'static str,
        /// How often it was sent.
        attempts: u32,
        /// The last failure.
        error: RedisError,
    },
}

/// What was found in the place of a filter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Lost {
    /// Nothing, or no mark behind its bits: evicted, expired, deleted or flushed.
    Gone,
    /// Another filter.
    Replaced,
    /// The same, as it was before this client's last insert: restored from an older dump
    /// or a replica that was behind.
    RolledBack,
    /// A key of another type.
    OtherType,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gone => "evicted, expired, deleted or flushed",
            Self::Replaced => "replaced by another",
            Self::RolledBack => "an older state of it was restored",
            Self::OtherType => "a key of another type is in its place",
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FilterLost { name, how } => write!(
                f,
                "the filter {name:?} is lost ({how}): its keys are unknown; delete what is \
                 left of it, create it and insert them again"
            ),
            Self::NotFound { name } => {
                write!(f, "there is no filter {name:?} on the server: create it")
            }
            Self::Exists { name, what } => write!(
                f,
                "there is {what} of the name {name:?} already: join it, delete it or take another \
                 name"
            ),
            Self::Bare { name } => write!(
                f,
                "{name:?} is a filter without settings, made by another program: adopt it, a string \
                 with the size that its program uses"
            ),
            Self::OtherType { name, there } => write!(
                f,
                "the key {name:?} is of the type {there}, which no filter has here: rename or \
                 delete it yourself if nothing needs it"
            ),
            Self::Incompatible {
                name,
                parameter,
                here,
                there,
            } => write!(
                f,
                "the filter {name:?} differs in {parameter}: {here} requested, {there} on the server"
            ),
            Self::Damaged { name, why } => {
                write!(
                    f,
                    "what is stored of the filter {name:?} is no such filter: {why}"
                )
            }
            Self::BadName { why } => f.write_str(why),
            Self::Spec(error) => error.fmt(f),
            Self::TooLarge { size_bits, max } => write!(
                f,
                "{size_bits} bits are more than the {max} of one string: spread them over several by \
                 a ShardedBitmap, lower the capacity or raise the FPR"
            ),
            Self::TooSmall { size_bits, min } => {
                write!(f, "{size_bits} bits are too few: give {min} or more")
            }
            Self::OutOfRange {
                location,
                size_bits,
            } => write!(
                f,
                "location {location} is not below the size of {size_bits} bits: nothing was sent"
            ),
            Self::Unsupported { command, reply } => write!(
                f,
                "the server does not offer {command} ({reply}): it is too old, lacks a module, or \
                 the command was renamed or disabled there"
            ),
            Self::Unexpected { command, reply } => {
                write!(f, "unexpected reply to {command}: {reply}")
            }
            Self::Redis {
                command,
                attempts,
                error,
            } => {
                let times = if *attempts == 1 { "" } else { "s" };
                write!(f, "{command} failed after {attempts} attempt{times}: ")?;
                match error.code() {
                    Some(code) => {
                        let said = error.detail().unwrap_or_default();
                        write!(f, "the server said {code} {said}{}", advice(code))
                    }
                    None => error.fmt(f),
                }
            }
        }
    }
}

/// What to do about an error of the server, if that is clear.
fn advice(code: &str) -> &'static str {
    match code {
        "READONLY" => ": this is a replica; write to its master",
        "OOM" => ": raise its maxmemory, or have it evict",
        "NOAUTH" | "WRONGPASS" => ": check user and password",
        "NOPERM" => {
            ": to check, the user needs the rights to BITFIELD_RO, GETRANGE, HGETALL, EXISTS, MULTI \
             and EXEC; to insert, BITFIELD too; for statistics and copies, BITCOUNT and PTTL; to \
             make, rebuild and delete filters, STRLEN, TYPE, PTTL and the category write; for \
             shards, CLUSTER SLOTS; for filters of a module, its BF commands"
        }
        "MOVED" | "ASK" | "CROSSSLOT" => {
            ": this is a node of a cluster; use a connection to the cluster"
        }
        "LOADING" => ": it is still loading its data; retry later or with a longer deadline",
        "MISCONF" => ": it cannot write its data to disk",
        _ => "",
    }
}

// No source: what is displayed has all of it, and would be printed twice.
impl error::Error for Error {}

impl From<SpecError> for Error {
    fn from(error: SpecError) -> Self {
        Self::Spec(error)
    }
}

/// The result of a call.
pub type Result<T> = std::result::Result<T, Error>;

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

pub(crate) fn unexpected(command: &'static str, reply: &Value) -> Error {
    let mut reply = format!("{reply:?}");
    if let Some((at, _)) = reply.char_indices().nth(200) {
        reply.truncate(at);
    }
    Error::Unexpected { command, reply }
}

/// What a failure means for the caller.
pub(crate) fn of_failure(command: &'static str, attempts: u32, error: RedisError) -> Error {
    let text = error.to_string();
    if text.to_ascii_lowercase().contains("unknown command") {
        return Error::Unsupported {
            command,
            reply: text,
        };
    }
    Error::Redis {
        command,
        attempts,
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
