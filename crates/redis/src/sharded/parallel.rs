//! Batches that go to all nodes at once, over several connections.

use std::thread;

use bouquet_core::Key;
use redis::{ConnectionLike, Pipeline};

use super::{
    ShardedBitmap,
    ask::{Part, Sent, send},
};
use crate::{
    Inserted, Result,
    wire::{Blocking, now},
};

impl ShardedBitmap {
    /// [`insert_batch`](Self::insert_batch) over several connections at once, each of them
    /// to the whole cluster: a node's pipeline does not wait for that of another.
    ///
    /// # Errors
    ///
    /// Its own.
    pub fn insert_batch_over<C: ConnectionLike + Send, K: Key>(
        &mut self,
        connection: &mut C,
        more: &mut [C],
        keys: &[K],
    ) -> Result<Vec<Inserted>> {
        let parts = self.parts(keys)?;
        let pipelines = parts.iter().map(|parts| self.inserts(parts)).collect();
        let sent = at_once(connection, more, pipelines, &parts);
        now(self.insert_rest(&mut Blocking(connection), keys, parts, sent))
    }

    /// [`contains_batch`](Self::contains_batch) over several connections at once.
    ///
    /// # Errors
    ///
    /// Its own.
    pub fn contains_batch_over<C: ConnectionLike + Send, K: Key>(
        &mut self,
        connection: &mut C,
        more: &mut [C],
        keys: &[K],
    ) -> Result<Vec<bool>> {
        let parts = self.parts(keys)?;
        let pipelines = parts.iter().map(|parts| self.questions(parts)).collect();
        let sent = at_once(connection, more, pipelines, &parts);
        now(self.contains_rest(&mut Blocking(connection), keys, parts, sent))
    }
}

/// Sends each pipeline over one of the connections, as many at once as there are of these.
fn at_once<C: ConnectionLike + Send>(
    connection: &mut C,
    more: &mut [C],
    pipelines: Vec<Pipeline>,
    parts: &[Vec<Part>],
) -> Vec<Sent> {
    let mut sent: Vec<Option<Sent>> = vec![None; pipelines.len()];
    let connections = 1 + more.len();
    let mut turns: Vec<Vec<Job<'_>>> = (0..connections).map(|_| Vec::new()).collect();
    let jobs = pipelines.iter().zip(parts).zip(&mut sent);
    for (i, ((pipeline, parts), sent)) in jobs.enumerate() {
        turns[i % connections].push(Job {
            pipeline,
            replies: parts.len(),
            sent,
        });
    }
    let mut turns = turns.into_iter();
    let first = turns.next().unwrap_or_default();
    thread::scope(|scope| {
        for (connection, jobs) in more.iter_mut().zip(turns) {
            if !jobs.is_empty() {
                scope.spawn(move || work(connection, jobs));
            }
        }
        work(connection, first);
    });
    // Each was sent; what is left over would be sent again like any that has no reply.
    let lost = |parts: &Vec<Part>| (vec![None; parts.len()], true);
    let sent = sent.into_iter().zip(parts);
    sent.map(|(sent, parts)| sent.unwrap_or_else(|| lost(parts)))
        .collect()
}

/// What one node is asked, and the place of what it says.
struct Job<'a> {
    pipeline: &'a Pipeline,
    replies: usize,
    sent: &'a mut Option<Sent>,
}

fn work<C: ConnectionLike>(connection: &mut C, jobs: Vec<Job<'_>>) {
    for job in jobs {
        let wire = &mut Blocking(&mut *connection);
        *job.sent = Some(now(send(wire, job.pipeline, job.replies)));
    }
}
