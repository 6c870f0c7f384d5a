//! What may be deleted or replaced: keys of the types that a filter has.

use redis::{Value, cmd, pipe};

use crate::{
    Error, Result, Retry,
    bitmap::whole,
    error::{shown, unexpected},
    name::Name,
    wire::{Attempts, Wire, ask},
};

/// What the key of a filter's name is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// A string with the bits.
    Bitmap,
    /// What a module makes.
    Module,
}

impl Kind {
    /// The types as `TYPE` says them.
    fn types(self) -> &'static [&'static str] {
        match self {
            Self::Bitmap => &["string"],
            // RedisBloom's and valkey-bloom's.
            Self::Module => &["MBbloom--", "bloomfltr"],
        }
    }
}

/// Checks that there is no key of another program in the place of a filter's: none of its
/// keys may have another type. One that comes between this and what follows is not noticed.
/// Returns whether any of them is there.
pub(crate) async fn must_be_ours(wire: &mut impl Wire, name: &Name, kind: Kind) -> Result<bool> {
    const COMMAND: &str = "TYPE";
    let mut all = pipe();
    for key in name.all() {
        all.cmd(COMMAND).arg(key);
    }
    let mut attempts = Attempts::new(Retry::default());
    let replies = attempts.many(wire, COMMAND, &all).await?;
    let beside: &[&str] = &["hash"];
    let expected = [kind.types(), beside, beside];
    let mut is_any_there = false;
    for ((key, reply), expected) in name.all().zip(replies).zip(expected) {
        let there = match reply {
            Value::SimpleString(there) => there,
            other => return Err(unexpected(COMMAND, &other)),
        };
        if there != "none" && !expected.contains(&&there[..]) {
            let name = shown(key);
            return Err(Error::OtherType { name, there });
        }
        is_any_there |= there != "none";
    }
    Ok(is_any_there)
}

/// Deletes whatever is left of a filter; returns whether anything existed.
pub(crate) async fn delete(wire: &mut impl Wire, name: &Name, kind: Kind) -> Result<bool> {
    let was_there = must_be_ours(wire, name, kind).await?;
    let mut all = cmd("UNLINK");
    for key in name.all() {
        all.arg(key);
    }
    let reply = ask(wire, Retry::default(), "UNLINK", &all).await?;
    // After a lost reply the second command finds nothing.
    Ok(whole("UNLINK", &reply)? > 0 || was_there)
}
