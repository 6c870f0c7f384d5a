//! Scripts of a few lines that the server executes atomically. They are always sent with `EVAL`,
//! because a server that took over after a failover may not know a script that is only named by its
//! hash. The scripts call `HLEN` on the key of Redisson's settings, so that they fail before they
//! write anything if that key has another type.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use redis::{Cmd, cmd, pipe};

use crate::{
    Lost,
    batch::all_good,
    error::{Tried, of_failure},
    mark::Mark,
    name::Name,
    trailer::MAGIC,
    wire::Wire,
};

// The Lua function `full` checks whether a string of so many bytes fits into memory: it returns
// nothing, or else `maxmemory` and the bytes in use. A string may take a quarter more memory than
// its length. Memory that the server may free by eviction counts as free: all of it, or the share
// of the keys that expire.

/// Creates a filter, if its name is unused. KEYS: the string, Redisson's settings. ARGV: number of
/// bytes of the bits, the trailer behind them, milliseconds until expiry or 0, Redisson's settings.
/// Returns 0, 1 if the string exists, 2 if other settings of Redisson exist, or the memory figures
/// if the filter does not fit.
const CREATE: &str = concat!(
    include_str!("scripts/full.lua"),
    include_str!("scripts/create.lua")
);

/// Creates another filter in place of a lost one, unless a complete filter exists. A string that
/// another program's inserts have begun there is kept if the scheme is that program's, because its
/// bits are those of members. KEYS as for `CREATE`. ARGV: number of bytes of the bits, the trailer
/// behind them, the largest length of a string without settings that is kept, the lost filter's
/// mark and its byte offset, a bit that the client's last insert set or -1, the bytes with which
/// settings end, Redisson's settings. Returns 0, 1 if there is a filter to join, 2 if there is
/// another string, or the memory figures if the filter does not fit.
const REPLACE: &str = concat!(
    include_str!("scripts/full.lua"),
    include_str!("scripts/replace.lua")
);

/// Writes settings behind another program's string, if it has none and is not longer than the
/// scheme's size. KEYS: the string. ARGV: number of bytes of the bits, the trailer behind them, the
/// bytes with which settings end. Returns 0, 1 if there is a filter to join, 2 if the string is
/// longer, 3 if there is no string.
const ADOPT: &str = include_str!("scripts/adopt.lua");

/// Replaces a filter with the draft built for it, and takes over its expiry, unless another client
/// has published since. KEYS: the string, the draft, Redisson's settings. ARGV: the draft's mark
/// and its byte offset, the mark and the offset of the filter that it replaces or two empty strings
/// if there was none, the bytes with which settings end, Redisson's settings. Returns 0, 1 if
/// something else has the name, 2 if the draft does not exist.
const PUBLISH: &str = include_str!("scripts/publish.lua");

/// Executes one command, if the filter exists. ARGV: the filter's mark, its byte offset, the words
/// of the command. Returns the reply in an array, or 0.
const GUARDED: &str = include_str!("scripts/guarded.lua");

/// Runs before a command that writes: if the filter does not exist, puts a list in its place, so
/// that the command fails and neither creates the string again nor writes into another filter. (A
/// script that executes the command itself would take twice the server's time.)
const GUARD: &str = include_str!("scripts/guard.lua");

/// Fails if the server does not allow the commands that the guard needs when the filter does not
/// exist.
const PROBE: &str = include_str!("scripts/probe.lua");

/// Runs after that command: restores what the guard moved away.
const UNGUARD: &str = include_str!("scripts/unguard.lua");

pub(crate) fn eval(script: &str, keys: &[&[u8]]) -> Cmd {
    let mut eval = cmd("EVAL");
    eval.arg(script).arg(keys.len()).arg(keys);
    eval
}

fn string_and_config(name: &Name) -> Vec<&[u8]> {
    [&name.string]
        .into_iter()
        .chain(&name.config)
        .map(Vec::as_slice)
        .collect()
}

/// What is written to create a filter: number of bytes of the bits, the trailer behind them, and
/// Redisson's settings.
pub(crate) struct New<'a> {
    pub(crate) bytes: u64,
    pub(crate) trailer: &'a [u8],
    pub(crate) config: &'a [(&'static str, String)],
}

pub(crate) fn create(name: &Name, new: &New<'_>, lifetime_ms: u64) -> Cmd {
    let mut call = eval(CREATE, &string_and_config(name));
    call.arg((new.bytes, new.trailer, lifetime_ms))
        .arg(new.config);
    call
}

/// The call of the script `REPLACE`. `bare`: the size in bytes of another program's string that is
/// kept.
pub(crate) fn replace(
    name: &Name,
    new: &New<'_>,
    bare: u64,
    (lost, last_set): (Mark, Option<u64>),
) -> Cmd {
    let mut call = eval(REPLACE, &string_and_config(name));
    let last_set = last_set.map_or(-1, |bit| bit as i64);
    call.arg((new.bytes, new.trailer, bare))
        .arg((&lost.bytes(), lost.byte, last_set, MAGIC));
    call.arg(new.config);
    call
}

pub(crate) fn adopt(name: &Name, new: &New<'_>) -> Cmd {
    let mut call = eval(ADOPT, &[&name.string]);
    call.arg((new.bytes, new.trailer, MAGIC));
    call
}

pub(crate) fn publish(
    name: &Name,
    (draft, mark): (&[u8], Mark),
    replaced: Option<Mark>,
    config: &[(&'static str, String)],
) -> Cmd {
    let mut keys = string_and_config(name);
    keys.insert(1, draft);
    let mut call = eval(PUBLISH, &keys);
    call.arg((&mark.bytes(), mark.byte));
    match replaced {
        Some(mark) => call.arg((&mark.bytes(), mark.byte)),
        None => call.arg(("", "")),
    };
    call.arg(MAGIC).arg(config);
    call
}

/// A call that executes a command only if the filter exists.
pub(crate) fn guarded(name: &Name, mark: Mark, words: &[Vec<u8>]) -> Cmd {
    let mut call = eval(GUARDED, &string_and_config(name));
    call.arg((&mark.bytes(), mark.byte)).arg(words);
    call
}

/// Like `guarded`, for a long command: the commands of a transaction, whose second reply is that of
/// `command`.
pub(crate) fn guarded_bits(name: &Name, mark: Mark, command: Cmd) -> [Cmd; 3] {
    let aside = name.aside();
    let mut guard = eval(GUARD, &[&name.string]);
    guard.arg((&mark.bytes(), mark.byte, &aside));
    let mut unguard = eval(UNGUARD, &[&name.string]);
    unguard.arg(&aside);
    [guard, command, unguard]
}

/// Before a client's first insert into this filter: checks that the server supports the commands of
/// the guard.
pub(crate) async fn check_may_insert(
    wire: &mut impl Wire,
    name: &Name,
    may_insert: &AtomicBool,
) -> Tried<()> {
    if may_insert.load(Relaxed) {
        return Ok(());
    }
    let mut probe = pipe();
    probe.atomic();
    probe.add_command(eval(PROBE, &[&name.string]).arg(name.aside()).to_owned());
    match wire.many(&probe).await.and_then(all_good) {
        Err(error) if error.to_string().contains("no such key") => Err(Lost::Gone.into()),
        Err(error) if error.to_string().contains("called from script") => {
            let after = Default::default();
            Err(of_failure("RENAME, LPUSH or DEL", 1, after, error).into())
        }
        Err(error) => Err(error.into()),
        Ok(_) => {
            may_insert.store(true, Relaxed);
            Ok(())
        }
    }
}
