//! Converts a batch of keys to commands, and evaluates the replies.

use redis::{Cmd, Pipeline, RedisResult, Value, cmd, pipe};

use crate::{
    Inserted, Lost, Result,
    error::{Tried, unexpected},
    mark::Mark,
    name::Name,
    scheme::Scheme,
    scripts,
};

/// The largest number of locations in one command, so that it blocks other clients for at most
/// about a millisecond.
const LOCATIONS: usize = 2048;

/// From this number of keys, one `GETRANGE` per key is faster for a blocked filter than one
/// `BITFIELD_RO` for all keys.
const RANGES_FROM: usize = 3;

/// What every command reads in addition to its keys, to check that the filter still exists.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    pub(crate) mark: Mark,
    /// A bit that this client's last insert found clear and set. Bits are never cleared, so this
    /// bit is 0 only in a state of the filter from before that insert.
    pub(crate) last_set: Option<u64>,
}

impl Marks {
    fn ask<'a>(&self, cmd: &'a mut Cmd) -> &'a mut Cmd {
        cmd.arg("GET").arg("u63").arg(8 * self.mark.byte);
        if let Some(bit) = self.last_set {
            cmd.arg("GET").arg("u1").arg(bit);
        }
        cmd
    }

    /// Takes the answers for the marks from the front of `answers` and checks them.
    fn check(&self, command: &'static str, answers: &mut impl Iterator<Item = Value>) -> Tried<()> {
        self.mark.check(number(command, answers.next())?)?;
        match self.last_set {
            Some(_) if !bit(command, answers.next())? => Err(Lost::RolledBack.into()),
            _ => Ok(()),
        }
    }

    /// The command that checks only whether the filter exists.
    pub(crate) fn alone(&self, string: &[u8]) -> Cmd {
        let mut asked = cmd("BITFIELD_RO");
        self.ask(asked.arg(string));
        asked
    }

    pub(crate) fn check_alone(&self, reply: Value) -> Tried<()> {
        let mut answers = array("BITFIELD_RO", reply)?.into_iter();
        self.check("BITFIELD_RO", &mut answers)
    }
}

/// The number of locations of one key in each part of the string, where the parts are the links of
/// a chain. A key may be contained if all its locations in one part are set; it is inserted into
/// the last part.
#[derive(Debug)]
pub(crate) struct Shape(Vec<usize>);

impl Shape {
    pub(crate) fn of<S: Scheme>(scheme: &S) -> Self {
        Self(scheme.parts())
    }

    pub(crate) fn parts(&self) -> impl Iterator<Item = usize> {
        self.0.iter().copied()
    }

    fn of_key(&self) -> usize {
        self.0.iter().sum()
    }

    /// The number of a key's locations in all parts but the last: they are read and never set.
    pub(crate) fn only_read(&self) -> usize {
        self.0[..self.0.len() - 1].iter().sum()
    }

    /// Whether a key may be contained, given its bits in order.
    pub(crate) fn holds(&self, mut is_set: impl FnMut() -> Result<bool>) -> Result<bool> {
        let mut holds = false;
        for part in &self.0 {
            let mut all = true;
            for _ in 0..*part {
                all &= is_set()?;
            }
            holds |= all;
        }
        Ok(holds)
    }

    /// The number of keys in one command.
    pub(crate) fn keys_a_command(&self) -> usize {
        (LOCATIONS / self.of_key()).max(1)
    }
}

/// The concatenated locations of all `keys`.
pub(crate) fn locations<S: Scheme, K: AsRef<[u8]>>(scheme: &S, keys: &[K]) -> Vec<u64> {
    let mut all = Vec::with_capacity(keys.len() * Shape::of(scheme).of_key());
    for key in keys {
        scheme.visit(key.as_ref(), &mut |location| all.push(location));
    }
    all
}

/// Begins a command on this string, with memory for `words` more arguments.
fn with_room(command: &str, string: &[u8], words: usize) -> Cmd {
    /// Size that is reserved per argument; a location has at most ten digits.
    const BYTES: usize = 5;
    let marks = 6;
    let mut begun = Cmd::with_capacity(2 + marks + words, string.len() + 64 + BYTES * words);
    begun.arg(command).arg(string);
    begun
}

/// The commands of a transaction with one `BITFIELD`, which is executed only if the filter exists.
/// It sets each key's bits in the last part and returns all old bits.
pub(crate) fn insert(name: &Name, marks: Marks, locations: &[u64], shape: &Shape) -> [Cmd; 3] {
    let mut set = with_room("BITFIELD", &name.string, 4 * locations.len());
    marks.ask(&mut set);
    for of_key in locations.chunks(shape.of_key()) {
        let (read, written) = of_key.split_at(shape.only_read());
        for location in read {
            set.arg("GET").arg("u1").arg(*location);
        }
        for location in written {
            set.arg("SET").arg("u1").arg(*location).arg("1");
        }
    }
    scripts::guarded_bits(name, marks.mark, set)
}

/// The result of an insert.
pub(crate) struct Took {
    pub(crate) inserted: Vec<Inserted>,
    /// The last location that was clear before the insert.
    pub(crate) last_set: Option<u64>,
}

/// Takes apart the replies of a transaction in which a guard script runs before and after a
/// command. Returns the replies of the first script and of the command, unless a script failed.
pub(crate) fn guarded(replies: Vec<Value>) -> Tried<(Value, Value)> {
    let [guard, reply, unguard] = <[Value; 3]>::try_from(replies)
        .map_err(|other| unexpected("EXEC", &Value::Array(other)))?;
    unguard.extract_error()?;
    Ok((guard.extract_error()?, reply))
}

/// Evaluates the replies to the commands of [`insert`].
pub(crate) fn inserted(
    replies: Vec<Value>,
    marks: Marks,
    locations: &[u64],
    shape: &Shape,
    lost_reply: bool,
) -> Tried<Took> {
    const COMMAND: &str = "BITFIELD";
    let (guard, reply) = guarded(replies)?;
    if !bit("EVAL", Some(guard))? {
        // The caller will read what exists instead of the filter.
        return Err(Lost::Gone.into());
    }
    let mut answers = array(COMMAND, reply.extract_error()?)?.into_iter();
    marks.check(COMMAND, &mut answers)?;
    let mut inserted = Vec::with_capacity(locations.len() / shape.of_key());
    let mut last_set = None;
    for of_key in locations.chunks(shape.of_key()) {
        let mut of_key = of_key.iter();
        let was_there = shape.holds(|| {
            let is_set = bit(COMMAND, answers.next())?;
            let location = of_key.next();
            if !is_set && of_key.len() < shape.of_key() - shape.only_read() {
                last_set = location.copied();
            }
            Ok(is_set)
        })?;
        inserted.push(match (was_there, lost_reply) {
            (false, _) => Inserted::New,
            (true, false) => Inserted::MayHaveBeenPresent,
            // All bits were set, perhaps by the earlier attempt whose reply was lost.
            (true, true) => Inserted::Unsure,
        });
    }
    nothing_more(COMMAND, answers)?;
    Ok(Took { inserted, last_set })
}

/// Whether a query for this number of keys reads their whole blocks instead of single bits.
pub(crate) fn is_by_blocks<S: Scheme>(keys: usize) -> bool {
    S::IS_BLOCKED && keys >= RANGES_FROM
}

/// A transaction with a `GETRANGE` of the 32-byte block of each key, and with the marks.
pub(crate) fn ask_blocks(
    string: &[u8],
    marks: Marks,
    locations: &[u64],
    shape: &Shape,
) -> Pipeline {
    let mut all = pipe();
    all.atomic();
    all.add_command(marks.alone(string));
    for of_key in locations.chunks(shape.of_key()) {
        let first = of_key[0] / BLOCK_BITS * BLOCK_BYTES;
        let block = all.cmd("GETRANGE").arg(string);
        block.arg(first).arg(first + BLOCK_BYTES - 1);
    }
    all
}

/// A `BITFIELD_RO` that reads the marks and all locations.
pub(crate) fn ask_bits(string: &[u8], marks: Marks, locations: &[u64]) -> Cmd {
    let mut asked = with_room("BITFIELD_RO", string, 3 * locations.len());
    marks.ask(&mut asked);
    for location in locations {
        asked.arg("GET").arg("u1").arg(*location);
    }
    asked
}

const BLOCK_BYTES: u64 = 32;
const BLOCK_BITS: u64 = 8 * BLOCK_BYTES;

/// Evaluates the reply to [`ask_bits`].
pub(crate) fn found_by_bits(
    reply: Value,
    marks: Marks,
    locations: &[u64],
    shape: &Shape,
) -> Tried<Vec<bool>> {
    const COMMAND: &str = "BITFIELD_RO";
    let mut answers = array(COMMAND, reply)?.into_iter();
    marks.check(COMMAND, &mut answers)?;
    let keys = 0..locations.len() / shape.of_key();
    let found: Result<_> = keys
        .map(|_| shape.holds(|| bit(COMMAND, answers.next())))
        .collect();
    nothing_more(COMMAND, answers)?;
    Ok(found?)
}

/// Evaluates the replies to [`ask_blocks`].
pub(crate) fn found_by_blocks(
    replies: Vec<Value>,
    marks: Marks,
    locations: &[u64],
    shape: &Shape,
) -> Tried<Vec<bool>> {
    const COMMAND: &str = "GETRANGE";
    let mut replies = all_good(replies)?.into_iter();
    marks.check_alone(replies.next().unwrap_or_default())?;
    let mut found = Vec::with_capacity(locations.len() / shape.of_key());
    for of_key in locations.chunks(shape.of_key()) {
        let block = match replies.next() {
            Some(Value::BulkString(block)) if block.len() as u64 == BLOCK_BYTES => block,
            // The mark exists, but the string is too short: it is another filter's.
            Some(Value::BulkString(_)) => return Err(Lost::Replaced.into()),
            other => return Err(unexpected(COMMAND, &other.unwrap_or_default()).into()),
        };
        let is_set = |location: &u64| {
            let bit = location % BLOCK_BITS;
            block[(bit / 8) as usize] >> (7 - bit % 8) & 1 == 1
        };
        found.push(of_key.iter().all(is_set));
    }
    nothing_more(COMMAND, replies)?;
    Ok(found)
}

/// The replies of a pipeline, or the first error among them.
pub(crate) fn all_good(replies: Vec<Value>) -> RedisResult<Vec<Value>> {
    replies.into_iter().map(Value::extract_error).collect()
}

pub(crate) fn array(command: &'static str, reply: Value) -> Result<Vec<Value>> {
    match reply {
        Value::Array(answers) => Ok(answers),
        other => Err(unexpected(command, &other)),
    }
}

fn number(command: &'static str, answer: Option<Value>) -> Result<u64> {
    match answer {
        Some(Value::Int(number)) if number >= 0 => Ok(number as u64),
        other => Err(unexpected(command, &other.unwrap_or_default())),
    }
}

fn bit(command: &'static str, answer: Option<Value>) -> Result<bool> {
    match answer {
        Some(Value::Int(bit @ 0..=1)) => Ok(bit == 1),
        other => Err(unexpected(command, &other.unwrap_or_default())),
    }
}

fn nothing_more(command: &'static str, mut answers: impl Iterator<Item = Value>) -> Result<()> {
    match answers.next() {
        None => Ok(()),
        Some(more) => Err(unexpected(command, &more)),
    }
}
