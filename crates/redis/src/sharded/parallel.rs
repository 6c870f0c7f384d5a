//! Batches that go to all nodes at once, over several connections.

use std::thread;

use bouquet_core::Key;
use redis::{Cmd, ConnectionLike};

use super::{
    ShardedBitmap,
    ask::{Part, Sent, send},
};
use crate::Native;
use crate::key::all_bytes_of;
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
        let keys = &all_bytes_of::<Native, _>(keys);
        let parts = self.parts(keys)?;
        let sent = at_once(connection, more, &parts, &|part| self.insertion(part));
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
        let keys = &all_bytes_of::<Native, _>(keys);
        let parts = self.parts(keys)?;
        let sent = at_once(connection, more, &parts, &|part| self.question(part));
        now(self.contains_rest(&mut Blocking(connection), keys, parts, sent))
    }
}

/// Makes the command for a part.
type Command<'a> = &'a (dyn Fn(&Part) -> Cmd + Sync);

/// Sends what each node is asked over one of the connections, as many at once as there are
/// of these.
fn at_once<C: ConnectionLike + Send>(
    connection: &mut C,
    more: &mut [C],
    parts: &[Vec<Part>],
    command: Command<'_>,
) -> Vec<Sent> {
    let mut sent: Vec<Sent> = vec![Sent::new(); parts.len()];
    let connections = 1 + more.len();
    let mut turns: Vec<Vec<Job<'_>>> = (0..connections).map(|_| Vec::new()).collect();
    for (i, (parts, sent)) in parts.iter().zip(&mut sent).enumerate() {
        turns[i % connections].push(Job { parts, sent });
    }
    let mut turns = turns.into_iter();
    let first = turns.next().unwrap_or_default();
    thread::scope(|scope| {
        for (connection, jobs) in more.iter_mut().zip(turns) {
            if !jobs.is_empty() {
                scope.spawn(move || work(connection, jobs, command));
            }
        }
        work(connection, first, command);
    });
    sent
}

/// What one node is asked, and the place of what it says.
struct Job<'a> {
    parts: &'a [Part],
    sent: &'a mut Sent,
}

fn work<C: ConnectionLike>(connection: &mut C, jobs: Vec<Job<'_>>, command: Command<'_>) {
    for job in jobs {
        let wire = &mut Blocking(&mut *connection);
        *job.sent = now(send(wire, job.parts, command));
    }
}
