//! Keys that are read and hashed beside whatever is done with them.

use std::{
    mem,
    num::NonZero,
    panic,
    sync::{
        Arc,
        mpsc::{Receiver, SendError, Sender, SyncSender, TrySendError, channel, sync_channel},
    },
    thread::{self, JoinHandle},
};

use anyhow::{Error, Result, anyhow};

use super::Keys;
use crate::chunk::{Chunk, Hash};

/// Chunks that are read ahead. Two more are under way, one on each side.
const AHEAD: usize = 2;

/// The keys of files, chunk by chunk and in order. On a machine of several processors
/// a thread of their own reads the next ones while some are at work. It hashes them too where
/// it is ahead; where it is not, they are hashed here, by whoever would wait for it.
pub struct Reading {
    source: Source,
    hash: Option<Arc<Hash>>,
    /// The chunk that was given last.
    chunk: Chunk,
    warnings: Vec<String>,
}

/// Where keys are read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Where {
    Here,
    Beside,
}

enum Source {
    Here(Box<Reader>),
    Beside {
        chunks: Receiver<Message>,
        /// Where chunks go to be used again.
        spent: Sender<Chunk>,
        /// Left alone if the rest of the keys is not wanted: it may wait for a line
        /// that never comes, and ends with the process.
        thread: Option<JoinHandle<()>>,
    },
    Ended,
}

enum Message {
    Keys(Chunk),
    /// The last, with what is probably not meant.
    End(Vec<String>),
    Failed(Error),
}

impl Reading {
    /// Begins to read. With a hash every chunk has the hashes of its keys.
    pub fn new(keys: Keys, hash: Option<Arc<Hash>>) -> Self {
        let one = NonZero::<usize>::MIN;
        let place = match thread::available_parallelism() {
            Ok(count) if count > one => Where::Beside,
            _ => Where::Here,
        };
        Self::new_at(place, keys, hash)
    }

    pub(super) fn new_at(place: Where, keys: Keys, hash: Option<Arc<Hash>>) -> Self {
        let reader = Reader {
            keys,
            hash: hash.clone(),
        };
        Self {
            source: match place {
                Where::Beside => reader.beside(),
                Where::Here => Source::Here(Box::new(reader)),
            },
            hash,
            chunk: Chunk::default(),
            warnings: Vec::new(),
        }
    }

    /// The next keys, those of one read: what comes by a pipe goes on at once.
    ///
    /// # Errors
    ///
    /// Those of [`Keys::fill`]. After one nothing more comes.
    pub fn next_chunk(&mut self) -> Result<Option<&Chunk>> {
        let message = match &mut self.source {
            Source::Here(reader) => reader.next(mem::take(&mut self.chunk)),
            Source::Beside {
                chunks,
                spent,
                thread,
            } => {
                // Of no use any more once the last has been read.
                let _ = spent.send(mem::take(&mut self.chunk));
                match (chunks.recv(), thread.take()) {
                    (Ok(message), same) => {
                        *thread = same;
                        message
                    }
                    (Err(_), thread) => Message::Failed(fault(thread)),
                }
            }
            Source::Ended => return Ok(None),
        };
        match message {
            Message::Keys(mut chunk) => {
                hash_once(&mut chunk, self.hash.as_deref());
                self.chunk = chunk;
                return Ok(Some(&self.chunk));
            }
            Message::End(warnings) => self.warnings = warnings,
            Message::Failed(error) => {
                self.source = Source::Ended;
                return Err(error);
            }
        }
        self.source = Source::Ended;
        Ok(None)
    }

    /// What is probably not meant, of the files that are done, once all are.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

/// Hashes keys, if that is wanted and was not done.
fn hash_once(chunk: &mut Chunk, hash: Option<&Hash>) {
    if let Some(hash) = hash
        && chunk.hashes().is_err()
    {
        chunk.hash(hash);
    }
}

/// What became of a thread that said nothing at its end.
fn fault(thread: Option<JoinHandle<()>>) -> Error {
    match thread.map(JoinHandle::join) {
        Some(Err(panicked)) => panic::resume_unwind(panicked),
        _ => anyhow!("the keys were not read to their end"),
    }
}

/// What reads, and hashes where it is ahead.
struct Reader {
    keys: Keys,
    hash: Option<Arc<Hash>>,
}

impl Reader {
    fn next(&mut self, mut chunk: Chunk) -> Message {
        match self.keys.fill(&mut chunk) {
            Ok(true) => Message::Keys(chunk),
            Ok(false) => Message::End(self.keys.take_warnings()),
            Err(error) => Message::Failed(error),
        }
    }

    /// In a thread of its own, if one can be had.
    fn beside(self) -> Source {
        let (give, chunks) = sync_channel(AHEAD);
        let (spent, reuse) = channel();
        // Handed over once there is a thread, so that it is still here if there is none.
        let (hand_over, taken) = channel::<Self>();
        let work = move || {
            if let Ok(reader) = taken.recv() {
                reader.run(&give, &reuse);
            }
        };
        let thread = thread::Builder::new().name("keys".to_owned()).spawn(work);
        let Ok(thread) = thread else {
            return Source::Here(Box::new(self));
        };
        match hand_over.send(self) {
            Ok(()) => Source::Beside {
                chunks,
                spent,
                thread: Some(thread),
            },
            Err(SendError(reader)) => Source::Here(Box::new(reader)),
        }
    }

    /// Until the end, or until nobody wants more.
    fn run(mut self, give: &SyncSender<Message>, reuse: &Receiver<Chunk>) {
        loop {
            let message = self.next(reuse.try_recv().unwrap_or_default());
            let more = matches!(message, Message::Keys(_));
            let given = match give.try_send(message) {
                // As many are waiting as may: time to hash this one.
                Err(TrySendError::Full(Message::Keys(mut chunk))) => {
                    hash_once(&mut chunk, self.hash.as_deref());
                    give.send(Message::Keys(chunk)).is_ok()
                }
                Err(TrySendError::Full(last)) => give.send(last).is_ok(),
                other => other.is_ok(),
            };
            if !given || !more {
                return;
            }
        }
    }
}
