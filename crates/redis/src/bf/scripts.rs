//! Lua scripts that the server executes atomically on filters of a module.
//!
//! Such a filter has no room for its settings, one line of text, so they are stored in a second
//! Redis key. Four keys made from the settings are inserted into the filter and show that it
//! belongs to them: in the scripts `has` queries them and `mark` inserts them.

use redis::Cmd;

use super::{Known, MARKS, RESERVED};
use crate::{name::Name, scripts::eval};

/// Creates a filter if there is none. If ARGV 2 is '-', an existing filter is left unchanged.
/// Otherwise it is left unchanged only if its marks are complete and it either has other settings
/// than ARGV 2 or still contains the key ARGV 3; if not, it gets the new settings. KEYS: filter,
/// settings. ARGV: new settings; settings of the lost filter or '-'; a key of the lost filter or
/// ''; size in bytes; the arguments of `BF.RESERVE`. Returns 0 if the new settings are in force, 1
/// if a filter was left unchanged, or the server's memory figures if the filter does not fit.
const CREATE: &str = concat!(
    include_str!("../scripts/full.lua"),
    include_str!("scripts/helpers.lua"),
    include_str!("scripts/create.lua")
);

/// Stores settings for a filter that has none. Returns 0, or 1 if it already has settings, or 2 if
/// there is no filter.
const ADOPT: &str = concat!(
    include_str!("scripts/helpers.lua"),
    include_str!("scripts/adopt.lua")
);

/// Executes one command on the filter and on the settings, if the filter exists. ARGV: the filter's
/// settings, the command, its remaining arguments. Returns 1 if it exists, otherwise 0.
const BOTH: &str = concat!(
    include_str!("scripts/helpers.lua"),
    include_str!("scripts/both.lua")
);

/// Runs before an insert: if the filter does not exist, renames the key that is there instead, so
/// that the insert finds no filter. ARGV: the new name, then the keys that recognise the filter.
/// Returns which of these keys are present.
const GUARD: &str = include_str!("scripts/guard.lua");

/// Runs after an insert: renames that key back.
const UNGUARD: &str = include_str!("scripts/unguard.lua");

/// The arguments of `BF.RESERVE`, and the size of the filter in bytes.
pub(super) struct Reserve {
    pub(super) capacity: u64,
    pub(super) target_fpr: f64,
    pub(super) expansion: Option<u32>,
    pub(super) bytes: u64,
}

/// The call of the script `CREATE`. `lost` is the filter that the new one replaces.
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

/// The commands of a transaction: guard, insert, end of the guard. The second reply is that to
/// `insert`.
pub(super) fn guarded(name: &Name, marks: &[Vec<u8>], insert: Cmd) -> [Cmd; 3] {
    let aside = name.aside();
    let mut guard = eval(GUARD, &[&name.string]);
    guard.arg(&aside).arg(marks);
    let mut unguard = eval(UNGUARD, &[&name.string]);
    unguard.arg(&aside);
    [guard, insert, unguard]
}

impl Known {
    /// The keys that recognise the filter, and the last new key, which shows that its state is not
    /// older than this client's last insert.
    pub(super) fn marks(&self) -> Vec<Vec<u8>> {
        let settings = self.settings();
        (1..=MARKS)
            .map(|i| format!("{RESERVED}{i} {settings}").into_bytes())
            .chain(self.last_new())
            .collect()
    }
}
