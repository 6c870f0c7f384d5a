//! Commands that read keys: add, check, rebuild.

use anyhow::{Result, bail};
use bouquet_redis::{
    AnyFilter, BfDraft, BfInserted, Draft, GoZero, Inserted, Native, Redisson, RemoteBf,
    RemoteBitmap, Scheme as Located,
};

use super::{Add, Check, KeyFiles, Rebuild, Size, connect::Connection};
use crate::cmd::files::{Answers, grouped, progress, warn_of};
use bouquet_files::{Chunk, Reading};

/// Reads keys chunk by chunk; `take` says whether it wants more.
fn read(
    keys: &KeyFiles,
    (doing, hidden): (&'static str, bool),
    mut take: impl FnMut(&Chunk) -> Result<bool>,
) -> Result<()> {
    let bar = progress(hidden, &keys.files)?.with_message(doing);
    let mut reading = Reading::new(keys.flags.keys(&keys.files), None);
    while let Some(chunk) = reading.next_chunk()? {
        if !take(chunk)? {
            break;
        }
        bar.set_position(chunk.bytes_read());
    }
    bar.finish_and_clear();
    warn_of(&reading);
    Ok(())
}

/// What became of keys that were inserted.
#[derive(Default)]
struct Tally {
    keys: u64,
    new: u64,
}

impl Tally {
    /// Counts what was inserted.
    ///
    /// # Errors
    ///
    /// The first key that was not.
    fn take(&mut self, outcomes: Vec<BfInserted>) -> Result<()> {
        for outcome in outcomes {
            match outcome {
                Ok(inserted) => self.new += u64::from(inserted == Inserted::New),
                Err(error) => bail!("after {} keys: {error}", self.keys),
            }
            self.keys += 1;
        }
        Ok(())
    }

    fn words(&self) -> String {
        let (keys, new) = (grouped(self.keys), grouped(self.new));
        format!("{keys} keys inserted, {new} of them new")
    }
}

pub fn add(args: &Add) -> Result<u8> {
    let (mut connection, mut filter) = args.server.join()?;
    let mut tally = Tally::default();
    read(&args.keys, ("inserting", false), |chunk| {
        let keys: Vec<&[u8]> = chunk.keys().collect();
        tally.take(filter.insert_batch(&mut connection, &keys)?)?;
        Ok(true)
    })?;
    args.server.note(&tally.words());
    Ok(0)
}

pub fn check(args: &Check) -> Result<u8> {
    args.answers.check_output(&args.keys.files)?;
    let (mut connection, mut filter) = args.server.join()?;
    let mut answers = Answers::new(args.answers, args.keys.flags.end());
    let hidden = args.answers.hides_bar();
    read(&args.keys, ("checking", hidden), |chunk| {
        let keys: Vec<&[u8]> = chunk.keys().collect();
        let found = filter.contains_batch(&mut connection, &keys)?;
        answers.take(chunk, &found)
    })?;
    answers.finish()
}

/// A filter that is being built in the place of another.
trait Building: Sized {
    fn insert(&mut self, connection: &mut Connection, keys: &[&[u8]]) -> Result<Vec<BfInserted>>;

    fn publish(self, connection: &mut Connection) -> Result<()>;
}

impl<S: Located> Building for Draft<S> {
    fn insert(&mut self, connection: &mut Connection, keys: &[&[u8]]) -> Result<Vec<BfInserted>> {
        let inserted = self.insert_batch(connection, keys)?;
        Ok(inserted.into_iter().map(Ok).collect())
    }

    fn publish(self, connection: &mut Connection) -> Result<()> {
        Ok(self.publish(connection).map(drop)?)
    }
}

impl Building for BfDraft {
    fn insert(&mut self, connection: &mut Connection, keys: &[&[u8]]) -> Result<Vec<BfInserted>> {
        Ok(self.insert_batch(connection, keys)?)
    }

    fn publish(self, connection: &mut Connection) -> Result<()> {
        Ok(self.publish(connection).map(drop)?)
    }
}

pub fn rebuild(args: &Rebuild) -> Result<u8> {
    let (mut connection, filter) = args.server.join()?;
    let Size { capacity, fpr } = args.size;
    match filter {
        AnyFilter::GoZero(old) => {
            let new = GoZero::for_target(capacity, fpr)?;
            build(args, bitmap(&old, new, &mut connection)?, connection)
        }
        AnyFilter::Redisson(old) => {
            let new = Redisson::new(capacity, fpr)?;
            build(args, bitmap(&old, new, &mut connection)?, connection)
        }
        AnyFilter::Native(old) => {
            let new = Native::new(capacity, fpr)?;
            build(args, bitmap(&old, new, &mut connection)?, connection)
        }
        AnyFilter::Bf(old) => {
            let draft = chain(&old, args, &mut connection)?;
            build(args, draft, connection)
        }
        other => bail!(
            "filters of the scheme {} are not rebuilt here",
            other.scheme()
        ),
    }
}

fn bitmap<S: Located>(
    old: &RemoteBitmap<S>,
    new: S,
    connection: &mut Connection,
) -> Result<Draft<S>> {
    Ok(old.rebuild(connection, new)?)
}

/// One that grows as the old one does.
fn chain(old: &RemoteBf, args: &Rebuild, connection: &mut Connection) -> Result<BfDraft> {
    let expansion = old.info(connection)?.expansion;
    let expansion = expansion.map(u32::try_from).transpose()?;
    Ok(old.rebuild(connection, args.size.capacity, args.size.fpr, expansion)?)
}

fn build(args: &Rebuild, mut draft: impl Building, mut connection: Connection) -> Result<u8> {
    let mut tally = Tally::default();
    read(&args.keys, ("inserting", false), |chunk| {
        let keys: Vec<&[u8]> = chunk.keys().collect();
        tally.take(draft.insert(&mut connection, &keys)?)?;
        Ok(true)
    })?;
    draft.publish(&mut connection)?;
    let keys = grouped(tally.keys);
    args.server.note(&format!("rebuilt of {keys} keys"));
    Ok(0)
}
