//! New generations of a filter, which are built under another name.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use crate::{
    Error, Inserted, Lost, RemoteBitmap, Result, Scheme,
    bitmap::whole,
    calls::calls,
    create::make,
    error::{lost, shown},
    key::{Takes, all_bytes_of},
    mark::Mark,
    name::Name,
    scripts,
    trailer::Settings,
    wire::{Attempts, Wire},
};

/// How long a draft stays on the server after its last insert.
pub(crate) const LIFETIME: Duration = Duration::from_secs(3600);

/// A filter that is being built under a temporary name.
///
/// No client reads it until [`publish`](Self::publish) replaces the old filter with it in one
/// atomic step. If the process ends before that, the old filter is unchanged and the draft expires
/// after an hour.
///
/// Keys that other clients insert into the old filter in the meantime are missing from the new one.
/// Either stop all writers before you read the keys, or insert the keys again that were added
/// later.
#[derive(Debug)]
pub struct Draft<S: Scheme> {
    target: RemoteBitmap<S>,
    /// The mark of the filter that the draft will replace. If it is `None`, the name must be
    /// unused.
    replaced: Option<Mark>,
    bitmap: RemoteBitmap<S>,
    refreshed: Mutex<Instant>,
}

calls! {
    impl [S: Scheme] RemoteBitmap[S] {
        /// Begins to rebuild this filter with `scheme`: to make room for more keys, to drop keys
        /// that are no longer wanted, or after the filter was lost.
        ///
        /// # Errors
        ///
        /// As [`create`](Self::create).
        fn rebuild[](&self, scheme: S) -> Draft<S> { |wire| self.rebuild_on(wire, scheme).await }
    }
}

impl<S: Scheme> RemoteBitmap<S> {
    pub(crate) async fn rebuild_on(&self, wire: &mut impl Wire, scheme: S) -> Result<Draft<S>> {
        let known = self.known();
        let settings = known.settings.next(scheme);
        let replaced = Some(known.settings.mark());
        Draft::begin(wire, self.clone(), replaced, settings).await
    }
}

calls! {
    impl [S: Scheme] Draft[S] {
        /// Inserts keys into the new filter.
        ///
        /// # Errors
        ///
        /// As [`RemoteBitmap::insert_batch`]; [`Error::FilterLost`] if nothing was inserted for
        /// an hour.
        fn insert_batch[K](&self, keys: &[K]) -> Vec<Inserted> where [S: Takes<K>] {
            |wire| self.insert_on(wire, &all_bytes_of::<S, _>(keys)).await
        }

        /// Replaces the old filter: readers see either the old or the new one. The new filter takes
        /// over the expiry time of the old one.
        ///
        /// # Errors
        ///
        /// [`Error::FilterLost`] if the new filter does not exist any more, for example after an
        /// hour without inserts; then the old one is unchanged. [`Error::Exists`] if another client
        /// published a filter meanwhile. [`Error`].
        fn publish[](self) -> RemoteBitmap<S> { publish_on }
    }
}

impl<S: Scheme> Draft<S> {
    pub(crate) async fn begin(
        wire: &mut impl Wire,
        target: RemoteBitmap<S>,
        replaced: Option<Mark>,
        settings: Settings<S>,
    ) -> Result<Self> {
        let name = target.name.draft(settings.generation);
        make(wire, &name, &settings, LIFETIME.as_millis() as u64).await?;
        let retry = target.retry;
        Ok(Self {
            target,
            replaced,
            bitmap: RemoteBitmap::of(Arc::new(name), settings, true).with_retry(retry),
            refreshed: Mutex::new(Instant::now()),
        })
    }

    pub(crate) fn scheme(&self) -> S {
        self.bitmap.scheme()
    }

    pub(crate) async fn insert_on<K: AsRef<[u8]>>(
        &self,
        wire: &mut impl Wire,
        keys: &[K],
    ) -> Result<Vec<Inserted>> {
        if is_due(&self.refreshed) {
            self.bitmap.expire_on(wire, LIFETIME).await?;
        }
        self.bitmap.insert_on(wire, keys).await
    }

    /// Overwrites bytes of the string from `offset` on. If this fails, the draft is deleted.
    pub(crate) async fn fill(&self, wire: &mut impl Wire, offset: u64, bytes: &[u8]) -> Result<()> {
        const COMMAND: &str = "SETRANGE";
        let offset = offset.to_string().into_bytes();
        let string = self.bitmap.name.string.clone();
        let words = [COMMAND.into(), string, offset, bytes.to_vec()];
        let why = match self.bitmap.guarded(wire, COMMAND, &words).await {
            Ok(Some(_)) => return Ok(()),
            Ok(None) => lost(&self.bitmap.name, Lost::Gone),
            Err(why) => why,
        };
        // If this fails too, the draft expires after an hour.
        let _ = self.bitmap.delete_on(wire).await;
        Err(why)
    }

    pub(crate) async fn publish_on(self, wire: &mut impl Wire) -> Result<RemoteBitmap<S>> {
        const COMMAND: &str = "EVAL";
        let target: &Name = &self.target.name;
        let settings = self.bitmap.known().settings.clone();
        let config = settings.scheme.config();
        let draft = (&self.bitmap.name.string[..], settings.mark());
        let publish = scripts::publish(target, draft, self.replaced, &config);
        let mut attempts = Attempts::new(self.target.retry);
        let reply = attempts.one(wire, target, COMMAND, &publish).await;
        if let Err(Error::OtherType { .. }) = reply {
            // If this fails too, the draft expires after an hour.
            let _ = self.bitmap.delete_on(wire).await;
        }
        match whole(COMMAND, &reply?)? {
            0 => {
                self.target.learn(settings);
                Ok(self.target)
            }
            1 => Err(Error::Exists {
                name: shown(&target.string),
                what: "something that another client put there since",
            }),
            _ => Err(lost(&self.bitmap.name, Lost::Gone)),
        }
    }
}

/// Whether it is time to extend the draft's lifetime.
pub(crate) fn is_due(refreshed: &Mutex<Instant>) -> bool {
    let mut refreshed = refreshed.lock().unwrap_or_else(PoisonError::into_inner);
    let is_due = refreshed.elapsed() > LIFETIME / 10;
    if is_due {
        *refreshed = Instant::now();
    }
    is_due
}
