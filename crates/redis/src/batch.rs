//! A batch of keys as commands, and their replies.

use redis::{Cmd, Pipeline, RedisResult, Value, cmd, pipe};

use crate::{
    Inserted, Lost, Result,
    error::{Tried, unexpected},
    mark::Mark,
    name::Name,
    scheme::Scheme,
    scripts,
};

/// The most locations of one command, so that it keeps other clients waiting for about a
/// millisecond at most.
const LOCATIONS: usize = 2048;

/// Keys of a blocked filter from which on a `GETRANGE` for each is faster than one `BITFIELD_RO`.
const RANGES_FROM: usize = 3;

/// What a command queries besides its keys.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    pub(crate) mark: Mark,
    /// A bit that this client's last insert found clear. Bits are never cleared, so that
    /// in whatever is older than that insert it is 0.
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

    /// Splits the marks' answers from those of a command.
    fn check(&self, command: &'static str, answers: &mut impl Iterator<Item = Value>) -> Tried<()> {
        self.mark.check(number(command, answers.next())?)?;
        match self.last_set {
            Some(_) if !bit(command, answers.next())? => Err(Lost::RolledBack.into()),
            _ => Ok(()),
        }
    }

    /// Only checks whether the filter exists.
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

/// How the locations of one key follow each other: of each part of a chain so many. A key is
/// contained if all of one part are set, and is inserted into the last.
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

    /// Locations before those of the last part.
    pub(crate) fn only_read(&self) -> usize {
        self.0[..self.0.len() - 1].iter().sum()
    }

    /// Whether a key with these bits may be contained.
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

    /// Keys that go into one command.
    pub(crate) fn keys_a_command(&self) -> usize {
        (LOCATIONS / self.of_key()).max(1)
    }
}

/// The locations of some keys, one after another.
pub(crate) fn locations<S: Scheme, K: AsRef<[u8]>>(scheme: &S, keys: &[K]) -> Vec<u64> {
    let mut all = Vec::with_capacity(keys.len() * Shape::of(scheme).of_key());
    for key in keys {
        scheme.visit(key.as_ref(), &mut |location| all.push(location));
    }
    all
}

/// A command about this string with room for so many words more.
fn with_room(command: &str, string: &[u8], words: usize) -> Cmd {
    /// Bytes of most words: a location has ten digits at most.
    const BYTES: usize = 5;
    let marks = 6;
    let mut begun = Cmd::with_capacity(2 + marks + words, string.len() + 64 + BYTES * words);
    begun.arg(command).arg(string);
    begun
}

/// The commands of a transaction with one `BITFIELD`, if the filter is there: it sets the last part of each key
/// and returns all old bits.
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
    /// The last location that was clear.
    pub(crate) last_set: Option<u64>,
}

/// The reply to a command between those to its guard, once these are no errors: what the guard said first.
pub(crate) fn guarded(replies: Vec<Value>) -> Tried<(Value, Value)> {
    let [guard, reply, unguard] = <[Value; 3]>::try_from(replies)
        .map_err(|other| unexpected("EXEC", &Value::Array(other)))?;
    unguard.extract_error()?;
    Ok((guard.extract_error()?, reply))
}

/// The replies to [`insert`].
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
        // What is there instead is found out by whoever follows it.
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
            // The bits may be those of the attempt whose reply was lost.
            (true, true) => Inserted::Unsure,
        });
    }
    nothing_more(COMMAND, answers)?;
    Ok(Took { inserted, last_set })
}

/// Whether the blocks of so many keys are asked for, rather than their bits.
pub(crate) fn is_by_blocks<S: Scheme>(keys: usize) -> bool {
    S::IS_BLOCKED && keys >= RANGES_FROM
}

/// A `GETRANGE` of 32 bytes per key, in one transaction with the marks.
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

/// `BITFIELD_RO`: reads all.
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

/// The reply to [`ask_bits`].
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

/// The replies to [`ask_blocks`].
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
            // Cut short, though the mark is there.
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

/// The replies to a pipeline, if none of them is an error.
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
