//! A trait for filters of all schemes, so that one test covers them all.

use std::time::Duration;

use bouquet_redis::{Error, GoZero, Lost, Native, Redisson, RemoteBitmap, Scheme};
use redis::Connection;

use super::keys;

pub fn how<T: std::fmt::Debug>(result: bouquet_redis::Result<T>) -> Lost {
    match result {
        Err(Error::FilterLost { how, .. }) => how,
        other => panic!("{other:?}"),
    }
}

pub fn each_scheme(connection: &mut Connection, test: fn(&mut dyn Filter, &mut Connection)) {
    test(
        &mut made(connection, "a", GoZero::for_target(1_000, 0.01).unwrap()),
        connection,
    );
    test(
        &mut made(connection, "b", Redisson::new(1_000, 0.01).unwrap()),
        connection,
    );
    test(
        &mut made(connection, "c", Native::new(1_000, 0.01).unwrap()),
        connection,
    );
}

pub fn made<S: Scheme>(connection: &mut Connection, name: &str, scheme: S) -> RemoteBitmap<S> {
    let filter = RemoteBitmap::create(connection, name, scheme).unwrap();
    filter.insert_batch(connection, &keys(0..500)).unwrap();
    filter
}

/// A filter with any scheme.
pub trait Filter {
    fn name(&self) -> String;
    fn ask(&mut self, connection: &mut Connection, count: u32) -> bouquet_redis::Result<Vec<bool>>;
    fn add(&mut self, connection: &mut Connection) -> bouquet_redis::Result<()>;
    fn left(&self, connection: &mut Connection) -> bouquet_redis::Result<Option<Duration>>;
    fn again(&self, connection: &mut Connection);
    fn renew(&self, connection: &mut Connection);
}

impl<S: Scheme> Filter for RemoteBitmap<S> {
    fn name(&self) -> String {
        String::from_utf8(self.name().to_vec()).unwrap()
    }

    fn ask(&mut self, connection: &mut Connection, count: u32) -> bouquet_redis::Result<Vec<bool>> {
        self.contains_batch(connection, &keys(0..count))
    }

    fn add(&mut self, connection: &mut Connection) -> bouquet_redis::Result<()> {
        self.insert(connection, "one more").map(drop)
    }

    fn left(&self, connection: &mut Connection) -> bouquet_redis::Result<Option<Duration>> {
        self.ttl(connection)
    }

    fn again(&self, connection: &mut Connection) {
        assert!(self.delete(connection).unwrap());
        Self::create(connection, self.name(), self.scheme()).unwrap();
    }

    fn renew(&self, connection: &mut Connection) {
        self.replace(connection).unwrap();
    }
}

/// Batch sizes: one key, a few keys and many keys are queried with different commands.
pub const COUNTS: [u32; 3] = [1, 2, 500];
