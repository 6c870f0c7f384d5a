//! Filters that are built under another name and then renamed: every new filter, and new
//! generations of old ones.

use std::time::Instant;

use redis::{ConnectionLike, pipe};

use crate::key::{Takes, all_bytes_of};
use crate::{
    Inserted, RemoteBitmap, Result, Retry, Scheme,
    marked::Marked,
    name::Name,
    ours::{Kind, must_be_ours},
    publish::{LIFETIME, Publication, expire, put_settings},
    settings::{Fields, Settings, check_size},
    wire::{Attempts, Blocking, Wire, now},
    witness,
};

/// The most bytes that a string grows by at once: the server fills them with zeros, and
/// serves no client meanwhile.
const STEP: u64 = 16 << 20;

/// A filter that is being built under a temporary name.
///
/// No client reads it until [`publish`](Self::publish), which puts it in the place of the old
/// one in one step. If the process ends before, the old one is untouched and the new
/// one expires after an hour.
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
    /// Begins to rebuild this filter, with this scheme: with room for more keys, or
    /// without those that are no longer wanted.
    ///
    /// # Errors
    ///
    /// [`Error::OtherType`](crate::Error::OtherType) if a key of another type is in its place.
    pub fn rebuild(&self, connection: &mut impl ConnectionLike, scheme: S) -> Result<Draft<S>> {
        now(self.rebuild_on(&mut Blocking(connection), scheme))
    }

    pub(crate) async fn rebuild_on(&self, wire: &mut impl Wire, scheme: S) -> Result<Draft<S>> {
        check_size(scheme.size_bits())?;
        must_be_ours(wire, &self.name, Kind::Bitmap).await?;
        let settings = Settings::new(scheme, Some(self.settings.lineage));
        let mut draft = Draft::begin(wire, self.name.clone(), settings, true).await?;
        draft.bitmap.retry = self.retry;
        Ok(draft)
    }
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
        let bytes = settings.scheme.string_bytes() + witness::BYTES;
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
        write.add_command(settings.witness().mark(&draft.string));
        put_settings(&mut write, &draft, &settings.to_fields(&target.string));
        attempts.many(wire, "BITFIELD", &write).await?;
        Ok(Self {
            target,
            bitmap: RemoteBitmap::of(draft, settings, true),
            replaces,
            refreshed: Instant::now(),
        })
    }

    pub(crate) fn scheme(&self) -> &S {
        self.bitmap.scheme()
    }

    /// Inserts keys into the new filter.
    ///
    /// # Errors
    ///
    /// As [`RemoteBitmap::insert_batch`]; [`Error::FilterLost`](crate::Error::FilterLost) if nothing was inserted for
    /// an hour.
    pub fn insert_batch<K>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
    ) -> Result<Vec<Inserted>>
    where
        S: Takes<K>,
    {
        now(self.insert_on(&mut Blocking(connection), &all_bytes_of::<S, _>(keys)))
    }

    pub(crate) async fn insert_on<K: AsRef<[u8]>>(
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
        // A draft that is gone comes back by this, without the mark.
        let mut all = self.bitmap.transaction();
        let string = self.bitmap.name();
        all.cmd("SETRANGE").arg(string).arg(offset).arg(bytes);
        let replies = self.bitmap.transact(wire, "SETRANGE", &all);
        replies.await.map(drop)
    }

    /// Puts the new filter in its place: readers see either the old or the new one.
    /// The time at which the old one expires is the new one's.
    ///
    /// # Errors
    ///
    /// [`Error::FilterLost`](crate::Error::FilterLost) if the new one is gone, as after an hour
    /// without inserts: then the old one is as it was. [`Error`](crate::Error);
    /// [`Error::Exists`](crate::Error::Exists) if another client created one of this name meanwhile.
    pub fn publish(self, connection: &mut impl ConnectionLike) -> Result<RemoteBitmap<S>> {
        now(self.publish_on(&mut Blocking(connection)))
    }

    pub(crate) async fn publish_on(self, wire: &mut impl Wire) -> Result<RemoteBitmap<S>> {
        if self.replaces {
            // The old one gives way to a whole one only, which lasts until it is in its place.
            self.bitmap.expire_on(wire, LIFETIME).await?;
        }
        let (target, settings, retry) = (self.target, self.bitmap.settings, self.bitmap.retry);
        let config = target.config.as_ref().map(|_| {
            let mut fields = Fields::new(&target.string);
            settings.scheme.put(&mut fields);
            fields
        });
        let publication = Publication {
            draft: &self.bitmap.name,
            target: &target,
            generation: settings.generation,
            config,
        };
        if self.replaces {
            publication.replace(wire, retry, Kind::Bitmap).await?;
        } else {
            publication.first(wire, retry).await?;
        }
        Ok(RemoteBitmap::of(target, settings, false).with_retry(retry))
    }
}
