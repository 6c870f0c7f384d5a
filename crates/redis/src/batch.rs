//! A batch of keys as commands, and their replies.

use redis::{Cmd, Pipeline, Value, cmd, pipe};

use crate::{Error, Inserted, Lost, Result, error::unexpected, scheme::Scheme, witness::Witness};

/// The most locations of one command, so that it keeps other clients waiting for about a
/// millisecond at most.
pub(crate) const LOCATIONS: usize = 2048;

/// Keys of a blocked filter from which on a transaction of `GETRANGE` is faster than one
/// `BITFIELD_RO`.
const RANGES_FROM: usize = 3;

/// What a command queries besides its keys.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    pub(crate) witness: Witness,
    /// A bit that this client's last insert found clear. Bits are never cleared, so that
    /// in whatever is older than that insert it is 0.
    pub(crate) last_set: Option<u64>,
}

impl Marks {
    fn ask<'a>(&self, cmd: &'a mut Cmd) -> &'a mut Cmd {
        cmd.arg("GET").arg("u63").arg(self.witness.offset);
        if let Some(bit) = self.last_set {
            cmd.arg("GET").arg("u1").arg(bit);
        }
        cmd
    }

    /// Splits the marks' answers from those of a command.
    fn check(
        &self,
        command: &'static str,
        answers: &mut impl Iterator<Item = Value>,
    ) -> Result<std::result::Result<(), Lost>> {
        let found = number(command, answers.next())?;
        let last = match self.last_set {
            Some(_) => bit(command, answers.next())?,
            None => true,
        };
        Ok(self.witness.check(found).and(match last {
            false => Err(Lost::RolledBack),
            true => Ok(()),
        }))
    }

    /// Only checks whether the filter exists.
    pub(crate) fn alone(&self, string: &[u8]) -> Cmd {
        let mut asked = cmd("BITFIELD_RO");
        self.ask(asked.arg(string));
        asked
    }

    pub(crate) fn check_alone(&self, reply: Value) -> Result<std::result::Result<(), Lost>> {
        let mut answers = array("BITFIELD_RO", reply)?.into_iter();
        self.check("BITFIELD_RO", &mut answers)
    }
}

/// The locations of some keys, one after another, checked against the size.
pub(crate) fn locations<S: Scheme, K: AsRef<[u8]>>(scheme: &S, keys: &[K]) -> Result<Vec<u64>> {
    let mut all = Vec::with_capacity(keys.len() * scheme.hashes() as usize);
    for key in keys {
        scheme.visit(key.as_ref(), &mut |location| all.push(location));
    }
    let size_bits = scheme.size_bits();
    match all.iter().find(|location| **location >= size_bits) {
        None => Ok(all),
        Some(&location) => Err(Error::OutOfRange {
            location,
            size_bits,
        }),
    }
}

/// Keys that go into one command.
pub(crate) fn keys_a_command<S: Scheme>(scheme: &S) -> usize {
    (LOCATIONS / scheme.hashes() as usize).max(1)
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

/// `BITFIELD`: sets all and returns the old bits.
pub(crate) fn insert(string: &[u8], marks: Marks, locations: &[u64]) -> Cmd {
    let mut set = with_room("BITFIELD", string, 4 * locations.len());
    marks.ask(&mut set);
    for location in locations {
        set.arg("SET").arg("u1").arg(*location).arg("1");
    }
    set
}

/// The result of an insert.
pub(crate) struct Took {
    pub(crate) inserted: Vec<Inserted>,
    /// The last location that was clear.
    pub(crate) last_set: Option<u64>,
}

/// The reply to [`insert`].
pub(crate) fn inserted(
    reply: Value,
    marks: Marks,
    locations: &[u64],
    hashes: usize,
    lost_reply: bool,
) -> Result<std::result::Result<Took, Lost>> {
    const COMMAND: &str = "BITFIELD";
    let mut answers = array(COMMAND, reply)?.into_iter();
    if let Err(lost) = marks.check(COMMAND, &mut answers)? {
        return Ok(Err(lost));
    }
    let (mut inserted, mut last_set) = (Vec::with_capacity(locations.len() / hashes), None);
    for locations in locations.chunks(hashes) {
        let mut is_new = false;
        for location in locations {
            if !bit(COMMAND, answers.next())? {
                is_new = true;
                last_set = Some(*location);
            }
        }
        inserted.push(match (is_new, lost_reply) {
            (true, _) => Inserted::New,
            (false, false) => Inserted::MayHaveBeenPresent,
            // The bits may be those of the attempt whose reply was lost.
            (false, true) => Inserted::Unsure,
        });
    }
    nothing_more(COMMAND, answers)?;
    Ok(Ok(Took { inserted, last_set }))
}

/// A query of some keys.
pub(crate) enum Question {
    /// One command: [`ask_bits`].
    Bits,
    /// Blocks of 32 bytes, in one transaction with the marks.
    Blocks(Pipeline),
}

/// Queries all locations. `in_one` forbids a transaction.
pub(crate) fn question(
    string: &[u8],
    marks: Marks,
    locations: &[u64],
    hashes: usize,
    is_blocked: bool,
    in_one: bool,
) -> Question {
    if is_blocked && !in_one && locations.len() >= RANGES_FROM * hashes {
        let mut all = pipe();
        all.atomic();
        all.add_command(marks.alone(string));
        for of_key in locations.chunks(hashes) {
            let first = of_key[0] / BLOCK_BITS * BLOCK_BYTES;
            all.cmd("GETRANGE")
                .arg(string)
                .arg(first)
                .arg(first + BLOCK_BYTES - 1);
        }
        return Question::Blocks(all);
    }
    Question::Bits
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

/// The reply to [`Question::Bits`].
pub(crate) fn found_by_bits(
    reply: Value,
    marks: Marks,
    locations: &[u64],
    hashes: usize,
) -> Result<std::result::Result<Vec<bool>, Lost>> {
    const COMMAND: &str = "BITFIELD_RO";
    let mut answers = array(COMMAND, reply)?.into_iter();
    if let Err(lost) = marks.check(COMMAND, &mut answers)? {
        return Ok(Err(lost));
    }
    let mut found = Vec::with_capacity(locations.len() / hashes);
    for of_key in locations.chunks(hashes) {
        let mut all = true;
        for _ in of_key {
            all &= bit(COMMAND, answers.next())?;
        }
        found.push(all);
    }
    nothing_more(COMMAND, answers)?;
    Ok(Ok(found))
}

/// The replies to [`Question::Blocks`].
pub(crate) fn found_by_blocks(
    replies: Vec<Value>,
    marks: Marks,
    locations: &[u64],
    hashes: usize,
) -> Result<std::result::Result<Vec<bool>, Lost>> {
    const COMMAND: &str = "GETRANGE";
    let mut replies = replies.into_iter();
    let first = replies.next().unwrap_or_default();
    if let Err(lost) = marks.check_alone(first)? {
        return Ok(Err(lost));
    }
    let mut found = Vec::with_capacity(locations.len() / hashes);
    for of_key in locations.chunks(hashes) {
        let block = match replies.next() {
            Some(Value::BulkString(block)) if block.len() as u64 == BLOCK_BYTES => block,
            // Cut short, though the mark is there.
            Some(Value::BulkString(_)) => return Ok(Err(Lost::Replaced)),
            other => return Err(unexpected(COMMAND, &other.unwrap_or_default())),
        };
        let is_set = |location: &u64| {
            let bit = location % BLOCK_BITS;
            block[(bit / 8) as usize] >> (7 - bit % 8) & 1 == 1
        };
        found.push(of_key.iter().all(is_set));
    }
    nothing_more(COMMAND, replies)?;
    Ok(Ok(found))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{scheme::sealed::Sealed, settings::Fields};

    /// Takes the bytes of a key as locations, within the size or not.
    #[derive(Clone, PartialEq, Debug)]
    struct AsGiven;

    impl Scheme for AsGiven {
        const NAME: &'static str = "as given";

        fn size_bits(&self) -> u64 {
            100
        }

        fn hashes(&self) -> u32 {
            2
        }
    }

    impl<K: AsRef<[u8]> + ?Sized> crate::Takes<K> for AsGiven {
        fn bytes_of(key: &K) -> Vec<u8> {
            key.as_ref().to_vec()
        }
    }

    impl Sealed for AsGiven {
        fn visit(&self, key: &[u8], visit: &mut dyn FnMut(u64)) {
            key.iter().for_each(|byte| visit((*byte).into()));
        }

        fn string_bytes(&self) -> u64 {
            13
        }

        fn fpr_now(&self, _: f64) -> f64 {
            unreachable!()
        }

        fn put(&self, _: &mut Fields) {}

        fn take(_: &Fields) -> Result<Self> {
            Ok(Self)
        }

        fn difference(&self, _: &Self) -> Option<(&'static str, String, String)> {
            None
        }
    }

    #[test]
    fn a_location_past_the_size_is_sent_nowhere() {
        let within = locations(&AsGiven, &[[0u8, 99], [7, 98]]);
        assert_eq!(within.ok(), Some(vec![0, 99, 7, 98]));
        for beyond in [[0u8, 100], [255, 0]] {
            let error = locations(&AsGiven, &[[0, 1], beyond]);
            assert!(matches!(
                error,
                Err(Error::OutOfRange { size_bits: 100, .. })
            ));
        }
    }
}
