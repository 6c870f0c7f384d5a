//! What is built under another name and then renamed: every new filter, and new
//! generations of old ones.

use std::time::{Duration, Instant};

use bouquet_core::Key;
use redis::{Cmd, ConnectionLike, Pipeline, Value, cmd, pipe};

use crate::{
    Inserted, RemoteBitmap, Result, Retry, Scheme,
    bitmap::whole,
    create::exists,
    error::unexpected,
    name::Name,
    settings::{Fields, Settings, check_size},
    wire::{Attempts, Blocking, Wire, now},
};

/// The most bytes that a string grows by at once: the server fills them with zeros, and
/// serves nobody meanwhile.
const STEP: u64 = 16 << 20;

/// How long what is being built stays on the server after its last insert.
const LIFETIME: Duration = Duration::from_secs(3600);

/// A filter that is being built under a temporary name.
///
/// Nobody reads it until [`publish`](Self::publish), which puts it in the place of the old
/// one in one step. If the process ends before, the old one is untouched and what was
/// built expires after an hour.
///
/// Keys that other clients insert into the old filter in the meantime are not in the new
/// one: read the keys after all writers have stopped, or insert those again that came
/// later.
#[derive(Debug)]
pub struct Draft<S: Scheme> {
    target: Name,
    bitmap: RemoteBitmap<S>,
    replaces: bool,
    refreshed: Instant,
}

impl<S: Scheme> RemoteBitmap<S> {
    /// Begins to build this filter anew, of this scheme: with room for more keys, or
    /// without those that are not wanted any more.
    ///
    /// # Errors
    ///
    /// [`Error`].
    pub fn rebuild(&self, connection: &mut impl ConnectionLike, scheme: S) -> Result<Draft<S>> {
        now(self.rebuild_on(&mut Blocking(connection), scheme))
    }

    pub(crate) async fn rebuild_on(&self, wire: &mut impl Wire, scheme: S) -> Result<Draft<S>> {
        check_size(scheme.size_bits())?;
        let settings = Settings::new(scheme, Some(self.settings.lineage));
        let mut draft = Draft::begin(wire, self.name.clone(), settings, true).await?;
        draft.bitmap.retry = self.retry;
        Ok(draft)
    }
}

/// Sets the bits of the mark, and leaves others as they are.
pub(crate) fn mark<S: Scheme>(string: &[u8], settings: &Settings<S>) -> Cmd {
    let mut set = cmd("BITFIELD");
    set.arg(string);
    for bit in settings.witness().bits() {
        set.arg("SET").arg("u1").arg(bit).arg("1");
    }
    set
}

fn put_fields(write: &mut Pipeline, key: &[u8], fields: &Fields) {
    let put = write.cmd("HSET").arg(key);
    for (field, value) in fields.pairs() {
        put.arg(field).arg(value);
    }
}

/// Settings under the temporary name, which expire.
pub(crate) fn put_settings(write: &mut Pipeline, draft: &Name, fields: &Fields) {
    put_fields(write, &draft.meta, fields);
    expire(write, &draft.meta);
}

fn expire(write: &mut Pipeline, key: &[u8]) {
    let lifetime = LIFETIME.as_millis() as u64;
    write.cmd("PEXPIRE").arg(key).arg(lifetime);
}

impl<S: Scheme> Draft<S> {
    pub(crate) async fn begin(
        wire: &mut impl Wire,
        target: Name,
        settings: Settings<S>,
        replaces: bool,
    ) -> Result<Self> {
        let draft = target.draft(settings.generation);
        let mut attempts = Attempts::new(Retry::default());
        let bytes = settings.scheme.string_bytes();
        let mut end = 0;
        while end < bytes {
            end = (end + STEP).min(bytes);
            let mut grow = pipe();
            grow.cmd("SETRANGE")
                .arg(&draft.string)
                .arg(end - 1)
                .arg(&b"\0"[..]);
            expire(&mut grow, &draft.string);
            attempts.many(wire, "SETRANGE", &grow).await?;
        }
        let mut write = pipe();
        write.add_command(mark(&draft.string, &settings));
        put_settings(&mut write, &draft, &settings.to_fields(&target.string));
        attempts.many(wire, "BITFIELD", &write).await?;
        Ok(Self {
            target,
            bitmap: RemoteBitmap::of(draft, settings, true),
            replaces,
            refreshed: Instant::now(),
        })
    }

    /// Inserts keys into the new filter.
    ///
    /// # Errors
    ///
    /// As [`RemoteBitmap::insert_batch`]; [`Error::FilterLost`] if nothing was inserted for
    /// an hour.
    pub fn insert_batch<K: Key>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
    ) -> Result<Vec<Inserted>> {
        now(self.insert_on(&mut Blocking(connection), keys))
    }

    pub(crate) async fn insert_on<K: Key>(
        &mut self,
        wire: &mut impl Wire,
        keys: &[K],
    ) -> Result<Vec<Inserted>> {
        if self.refreshed.elapsed() > LIFETIME / 10 {
            let mut both = pipe();
            expire(&mut both, &self.bitmap.name.string);
            expire(&mut both, &self.bitmap.name.meta);
            Attempts::new(self.bitmap.retry)
                .many(wire, "PEXPIRE", &both)
                .await?;
            self.refreshed = Instant::now();
        }
        self.bitmap.insert_on(wire, keys).await
    }

    /// Writes bytes of the string, from `offset` on, over what is there.
    pub(crate) async fn fill(
        &mut self,
        wire: &mut impl Wire,
        offset: u64,
        bytes: &[u8],
    ) -> Result<()> {
        let mut both = pipe();
        let string = &self.bitmap.name.string;
        both.cmd("SETRANGE").arg(string).arg(offset).arg(bytes);
        both.add_command(mark(string, &self.bitmap.settings));
        let mut attempts = Attempts::new(self.bitmap.retry);
        attempts.many(wire, "SETRANGE", &both).await.map(drop)
    }

    /// Puts the new filter in its place: readers see the old or the new and nothing else.
    /// The time at which the old one expires is the new one's.
    ///
    /// # Errors
    ///
    /// [`Error`]; [`Error::Exists`] if another client created one of this name meanwhile.
    pub fn publish(self, connection: &mut impl ConnectionLike) -> Result<RemoteBitmap<S>> {
        now(self.publish_on(&mut Blocking(connection)))
    }

    pub(crate) async fn publish_on(self, wire: &mut impl Wire) -> Result<RemoteBitmap<S>> {
        let (target, settings) = (self.target, self.bitmap.settings);
        let (draft, retry) = (self.bitmap.name, self.bitmap.retry);
        let mut attempts = Attempts::new(retry);
        let rename = if self.replaces {
            let left = cmd("PTTL").arg(&target.string).to_owned();
            let left = whole("PTTL", &attempts.one(wire, "PTTL", &left).await?)?;
            replace(&draft, &target, &settings, left)
        } else {
            first(&draft, &target, &settings)
        };
        let published = RemoteBitmap::of(target, settings, false).with_retry(retry);
        loop {
            let failure = match wire.many(&rename).await {
                Ok(replies) if self.replaces => {
                    let refused = replies
                        .into_iter()
                        .skip(1)
                        .find_map(|r| r.extract_error().err());
                    let Some(error) = refused else { break };
                    error
                }
                Ok(replies) => match as_first(&replies)? {
                    (1, 1) => break,
                    (made_settings, made_string) => {
                        // Take back what was made of the two: it is ours.
                        let mut undo = cmd("UNLINK");
                        undo.arg(&draft.string).arg(&draft.meta);
                        if made_settings == 1 {
                            undo.arg(&published.name.meta);
                        }
                        if made_string == 1 {
                            undo.arg(&published.name.string);
                        }
                        attempts.one(wire, "UNLINK", &undo).await?;
                        return Err(exists(&published.name, "a filter or another key"));
                    }
                },
                Err(error) => error,
            };
            // Done already, and the reply was lost.
            let is_lost_reply = attempts.lost_reply || crate::error::may_be_done(&failure);
            if is_lost_reply && published.is_there(wire).await {
                break;
            }
            published
                .failed(wire, &mut attempts, "RENAME", failure)
                .await?;
        }
        Ok(published)
    }
}

impl<S: Scheme> RemoteBitmap<S> {
    /// Whether the filter of this name is of this generation.
    async fn is_there(&self, wire: &mut impl Wire) -> bool {
        let fields = Self::fields(wire, &self.name, self.retry).await;
        let found = fields.and_then(|fields| Settings::<S>::of_fields(&fields));
        found.is_ok_and(|found| found.generation == self.settings.generation)
    }
}

/// The transaction that gives a new filter its name, if nobody has it.
fn first<S: Scheme>(draft: &Name, target: &Name, settings: &Settings<S>) -> Pipeline {
    let mut all = pipe();
    all.atomic();
    all.cmd("PERSIST").arg(&draft.string);
    all.cmd("PERSIST").arg(&draft.meta);
    all.cmd("RENAMENX").arg(&draft.meta).arg(&target.meta);
    all.cmd("RENAMENX").arg(&draft.string).arg(&target.string);
    put_config(&mut all, target, settings);
    all
}

fn as_first(replies: &[Value]) -> Result<(i64, i64)> {
    let [_, _, settings, string, ..] = replies else {
        return Err(unexpected("RENAMENX", &Value::Array(replies.to_vec())));
    };
    Ok((whole("RENAMENX", settings)?, whole("RENAMENX", string)?))
}

/// The transaction that puts a new generation in the place of the old one. Its first reply
/// may be an error: that there is no old one.
fn replace<S: Scheme>(
    draft: &Name,
    target: &Name,
    settings: &Settings<S>,
    left_ms: i64,
) -> Pipeline {
    let old = [&draft.string[..], b":old"].concat();
    let mut all = pipe();
    all.atomic();
    all.cmd("RENAME").arg(&target.string).arg(&old);
    all.cmd("RENAME").arg(&draft.string).arg(&target.string);
    all.cmd("RENAME").arg(&draft.meta).arg(&target.meta);
    // RENAME would free the old one at once, and keep others waiting.
    all.cmd("UNLINK").arg(&old);
    put_config(&mut all, target, settings);
    for key in target.all() {
        if left_ms > 0 {
            all.cmd("PEXPIRE").arg(key).arg(left_ms);
        } else {
            all.cmd("PERSIST").arg(key);
        }
    }
    all
}

/// What Redisson reads.
fn put_config<S: Scheme>(all: &mut Pipeline, target: &Name, settings: &Settings<S>) {
    if let Some(config) = &target.config {
        let mut fields = Fields::new(&target.string);
        settings.scheme.put(&mut fields);
        put_fields(all, config, &fields);
    }
}
