//! What the server does in one step: scripts of a few lines, each run with `EVAL`, since one that is
//! only named may be unknown to a server that took over. `HLEN` fails where what is in the place of
//! Redisson's settings is not such, before anything is written.

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

// `full` says whether a string of so many bytes fits: nothing, or `maxmemory` and the bytes in use. A string may
// take a quarter more than its length. What the server may evict counts as free: all, or the share of the keys
// that expire.

/// A new filter, if there is nothing of its name. KEYS: the string, and Redisson's settings; ARGV: bytes of
/// its bits, what is behind them, milliseconds until it expires or 0, Redisson's settings.
/// Returns 0, or which of the keys is there, or why it does not fit.
const CREATE: &str = concat!(
    include_str!("scripts/full.lua"),
    include_str!("scripts/create.lua")
);

/// Another filter in the place of a lost one, unless there is a whole one. What another
/// program's inserts have begun there is kept, if the scheme is its: those bits are its members'. KEYS as for
/// `CREATE`; ARGV: bytes of the bits, what is behind them, the longest string without settings that is kept, the
/// lost filter's mark and the byte where it was, a bit that its last insert set or -1, how settings end,
/// Redisson's settings.
/// Returns 0, 1 if there is a filter to join, 2 for another string, or why it does not fit.
const REPLACE: &str = concat!(
    include_str!("scripts/full.lua"),
    include_str!("scripts/replace.lua")
);

/// Settings behind another program's string, if there are none and it is no longer than its size.
/// KEYS: the string; ARGV: bytes of its bits, what is behind them, how that ends.
/// Returns 0, 1 if there is a filter to join, 2 for a longer string, 3 if there is none.
const ADOPT: &str = include_str!("scripts/adopt.lua");

/// What was built in the place of what it was built for, whose expiry it takes over, if nobody else published
/// since. KEYS: the string, the draft, Redisson's settings; ARGV: the draft's mark and the byte where it is, those
/// of the filter that it was built for or two empty ones if there was none, how settings end, Redisson's settings.
/// Returns 0, 1 if there is something else, 2 if the draft is gone.
const PUBLISH: &str = include_str!("scripts/publish.lua");

/// One command, if the filter is there. ARGV: its mark, the byte where it is, the words of the
/// command. Returns its reply in an array, or 0.
const GUARDED: &str = include_str!("scripts/guarded.lua");

/// Before a command that writes: if the filter is not there, puts a list in its place, so that the
/// command fails and neither begins the string again nor writes into another filter. A script that
/// sends the command itself takes twice the server's time.
const GUARD: &str = include_str!("scripts/guard.lua");

/// Fails where a guard could not do what it does if the filter is not there.
const PROBE: &str = include_str!("scripts/probe.lua");

/// After it: puts back what was there.
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

/// What is written: bytes of bits, what comes behind them, and Redisson's settings.
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

/// `bare`: the bytes of another program's string that is kept.
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

/// A command that is executed only if the filter is there.
pub(crate) fn guarded(name: &Name, mark: Mark, words: &[Vec<u8>]) -> Cmd {
    let mut call = eval(GUARDED, &string_and_config(name));
    call.arg((&mark.bytes(), mark.byte)).arg(words);
    call
}

/// The same for a long one: the commands of a transaction, whose second reply is the command's.
pub(crate) fn guarded_bits(name: &Name, mark: Mark, command: Cmd) -> [Cmd; 3] {
    let aside = name.aside();
    let mut guard = eval(GUARD, &[&name.string]);
    guard.arg((&mark.bytes(), mark.byte, &aside));
    let mut unguard = eval(UNGUARD, &[&name.string]);
    unguard.arg(&aside);
    [guard, command, unguard]
}

/// Before a client's first insert into this filter: whether the server has what guards it.
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
