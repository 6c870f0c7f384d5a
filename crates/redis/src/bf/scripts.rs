//! What the server does in one step, with filters of a module.
//!
//! A filter's settings, one line of text, are in a second key, because such a filter has no room for them;
//! and it has four keys made of them, which show that it is theirs: `has` looks for them, `mark` inserts them.

use redis::Cmd;

use super::{Known, MARKS, RESERVED};
use crate::{name::Name, scripts::eval};

/// A filter, if there is none, or with ARGV 2 other than '-' none but the one of those settings or
/// one without. KEYS: filter, settings; ARGV: new settings, lost settings, a key of the lost filter or
/// '', bytes, the words of `BF.RESERVE`. Returns 0, 1 if there is one, or why it does not fit.
const CREATE: &str = concat!(
    include_str!("../scripts/full.lua"),
    include_str!("scripts/helpers.lua"),
    include_str!("scripts/create.lua")
);

/// Settings for a filter that has none. Returns 0, 1 if it has, 2 if there is no filter.
const ADOPT: &str = concat!(
    include_str!("scripts/helpers.lua"),
    include_str!("scripts/adopt.lua")
);

/// One command about filter and settings, each by itself, if the filter is there. ARGV: its settings, the
/// command, its last words. Returns 0 or 1.
const BOTH: &str = concat!(
    include_str!("scripts/helpers.lua"),
    include_str!("scripts/both.lua")
);

/// Before an insert: if the filter is not there, puts aside what is, so that the insert finds
/// nothing. ARGV: where to, the keys that show that it is there. Returns which of them are.
const GUARD: &str = include_str!("scripts/guard.lua");

/// After it: puts it back.
const UNGUARD: &str = include_str!("scripts/unguard.lua");

/// What `BF.RESERVE` is given, and the bytes that it takes.
pub(super) struct Reserve {
    pub(super) capacity: u64,
    pub(super) target_fpr: f64,
    pub(super) expansion: Option<u32>,
    pub(super) bytes: u64,
}

/// `lost`: what it takes the place of.
pub(super) fn create(name: &Name, new: &Known, lost: Option<&Known>, reserve: &Reserve) -> Cmd {
    let mut call = eval(CREATE, &[&name.string, &name.meta]);
    call.arg(new.settings());
    match lost {
        Some(lost) => call
            .arg(lost.settings())
            .arg(lost.last_new().unwrap_or_default()),
        None => call.arg("-").arg(""),
    };
    call.arg(reserve.bytes);
    call.arg(reserve.target_fpr)
        .arg(reserve.capacity.saturating_add(MARKS as u64));
    match reserve.expansion {
        Some(expansion) => call.arg("EXPANSION").arg(expansion),
        None => call.arg("NONSCALING"),
    };
    call
}

pub(super) fn adopt(name: &Name, new: &Known) -> Cmd {
    let mut call = eval(ADOPT, &[&name.string, &name.meta]);
    call.arg(new.settings());
    call
}

pub(super) fn both(name: &Name, known: &Known, command: &str, words: &[u64]) -> Cmd {
    let mut call = eval(BOTH, &[&name.string, &name.meta]);
    call.arg(known.settings()).arg(command).arg(words);
    call
}

/// The commands of a transaction, whose second reply is that to `insert`.
pub(super) fn guarded(name: &Name, marks: &[Vec<u8>], insert: Cmd) -> [Cmd; 3] {
    let aside = name.aside();
    let mut guard = eval(GUARD, &[&name.string]);
    guard.arg(&aside).arg(marks);
    let mut unguard = eval(UNGUARD, &[&name.string]);
    unguard.arg(&aside);
    [guard, insert, unguard]
}

impl Known {
    /// The keys that show that the filter is there, and no older than its last insert.
    pub(super) fn marks(&self) -> Vec<Vec<u8>> {
        let settings = self.settings();
        (1..=MARKS)
            .map(|i| format!("{RESERVED}{i} {settings}").into_bytes())
            .chain(self.last_new())
            .collect()
    }
}
