//! Tests replies that a command never gives: they must lead to an error or to another attempt, and
//! never to "definitely not present".
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use std::time::{Duration, Instant};

use bouquet_redis::{
    Error, GoZero, Inserted, Native, Reconnecting, Redisson, RemoteBitmap, Retry, Scheme,
};
use common::{Server, keys, liar::Liar};

/// Replies that none of the commands used here can get.
const NONSENSE: [&str; 19] = [
    "+OK\r\n",
    ":0\r\n",
    ":1\r\n",
    "$-1\r\n",
    "$5\r\nroses\r\n",
    "*-1\r\n",
    "*0\r\n",
    "*1\r\n:0\r\n",
    "*1\r\n$1\r\n0\r\n",
    "*2\r\n:9223372036854775807\r\n$-1\r\n",
    "*2\r\n:9223372036854775807\r\n:-1\r\n",
    "*2\r\n:9223372036854775807\r\n*0\r\n",
    "*3\r\n:1\r\n$3\r\nabc\r\n:0\r\n",
    "*3\r\n:1\r\n*1\r\n:1\r\n:0\r\n",
    "*3\r\n:1\r\n-ERR inside\r\n:0\r\n",
    "*3\r\n-ERR inside\r\n:0\r\n:0\r\n",
    "-ERR value is not an integer or out of range\r\n",
    "HTTP/1.1 200 OK\r\n",
    "\r\n\r\n",
];

/// Replacements for the last `:1` of an otherwise correct reply.
const LAST: [&str; 6] = ["$-1", ":2", ":-1", "+1", "*0", "-ERR inside"];

/// Transient errors.
const PASSING: [&str; 7] = [
    "-LOADING Redis is loading the dataset in memory\r\n",
    "-TRYAGAIN Multiple keys request during rehashing of slot\r\n",
    "-CLUSTERDOWN The cluster is down\r\n",
    "-MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.\r\n",
    "-MOVED 866 127.0.0.1:1\r\n",
    "-ASK 866 127.0.0.1:1\r\n",
    "-BUSY Redis is busy running a script\r\n",
];

/// Permanent errors.
const FINAL: [(&str, &str); 5] = [
    (
        "-READONLY You can't write against a read only replica.\r\n",
        "READONLY",
    ),
    (
        "-OOM command not allowed when used memory > 'maxmemory'.\r\n",
        "OOM",
    ),
    ("-NOPERM this user has no permissions\r\n", "NOPERM"),
    ("-NOAUTH Authentication required.\r\n", "NOAUTH"),
    (
        "-MISCONF Redis is configured to save RDB snapshots\r\n",
        "MISCONF",
    ),
];

/// Batch sizes: one key, a few keys and many keys are queried with different commands.
const COUNTS: [usize; 3] = [1, 3, 200];

/// A filter whose client is connected through a `Liar`.
struct Rig<S: Scheme> {
    liar: Liar,
    connection: Reconnecting,
    filter: RemoteBitmap<S>,
    members: Vec<String>,
}

impl<S: Scheme> Rig<S> {
    fn new(server: &Server, scheme: S) -> Self {
        let liar = Liar::new(server.port);
        let mut connection = Reconnecting::new(liar.client(), Duration::from_secs(2));
        let filter = RemoteBitmap::create(&mut connection, S::NAME, scheme).unwrap();
        let members = keys(0..200);
        filter.insert_batch(&mut connection, &members).unwrap();
        Self {
            liar,
            connection,
            filter,
            members,
        }
    }

    fn retry(&mut self, retry: Retry) {
        self.filter = self.filter.clone().with_retry(retry);
    }

    fn ask(&mut self, count: usize) -> bouquet_redis::Result<Vec<bool>> {
        let members = &self.members[..count];
        self.filter.contains_batch(&mut self.connection, members)
    }

    fn insert(&mut self, count: usize) -> bouquet_redis::Result<Vec<Inserted>> {
        let members = &self.members[..count];
        self.filter.insert_batch(&mut self.connection, members)
    }
}

/// The commands that a query with this scheme may use.
const ASKING: [&str; 4] = ["BITFIELD_RO", "EXEC", "MULTI", "GETRANGE"];

fn nonsense<S: Scheme>(server: &Server, scheme: S) {
    let mut rig = Rig::new(server, scheme);
    rig.retry(Retry::NEVER);
    let mut errors = 0;
    for reply in NONSENSE {
        for count in COUNTS {
            for command in ASKING {
                rig.liar.say(command, reply.as_bytes(), 1);
                match rig.ask(count) {
                    Ok(found) => assert!(!found.contains(&false), "{command} {reply:?}"),
                    Err(_) => errors += 1,
                }
            }
            rig.liar.say("EXEC", reply.as_bytes(), 1);
            let inserted = rig.insert(count);
            assert!(inserted.is_err(), "{reply:?} was taken for {inserted:?}");
        }
    }
    assert!(errors >= 2 * NONSENSE.len(), "{errors}");
    rig.liar.say("", b"", 0);
    assert_eq!(rig.ask(200).unwrap(), [true; 200]);
}

#[test]
fn what_is_not_an_answer_is_an_error() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    nonsense(&server, GoZero::for_target(1_000, 0.01).unwrap());
    nonsense(&server, Redisson::new(1_000, 0.01).unwrap());
    nonsense(&server, Native::new(1_000, 0.01).unwrap());
}

#[test]
fn one_invalid_bit_invalidates_the_answer() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let mut rig = Rig::new(&server, GoZero::for_target(1_000, 0.01).unwrap());
    rig.retry(Retry::NEVER);
    for last in LAST {
        // Replaces the last bit of a reply, and in the reply to an insert also the result of the
        // guard.
        for (command, before, after) in [
            ("BITFIELD_RO", "", ""),
            ("EXEC", "", ":0\r\n"),
            ("EXEC", "*3\r\n", ""),
        ] {
            let edit = move |reply: Vec<u8>| {
                let text = String::from_utf8(reply).unwrap();
                if before.is_empty() {
                    let kept = text.strip_suffix(&format!(":1\r\n{after}")).unwrap();
                    return format!("{kept}{last}\r\n{after}").into_bytes();
                }
                let kept = text.strip_prefix(&format!("{before}:1\r\n")).unwrap();
                format!("{before}{last}\r\n{kept}").into_bytes()
            };
            rig.liar.edit(command, edit, 1);
            let is_error = match command {
                "EXEC" => rig.insert(2).is_err(),
                _ => rig.ask(2).is_err(),
            };
            assert!(is_error, "{command} {last}");
        }
    }
    // The array has one element too few or too many.
    for more in [-1, 1] {
        let edit = move |reply: Vec<u8>| {
            let text = String::from_utf8(reply).unwrap();
            let (count, rest) = text.split_once("\r\n").unwrap();
            let count = count[1..].parse::<i32>().unwrap() + more;
            let rest = match more {
                1 => format!("{rest}:1\r\n"),
                _ => rest.strip_suffix(":1\r\n").unwrap().into(),
            };
            format!("*{count}\r\n{rest}").into_bytes()
        };
        rig.liar.edit("BITFIELD_RO", edit, 1);
        assert!(rig.ask(2).is_err());
    }
    assert_eq!(rig.ask(2).unwrap(), [true; 2]);
}

#[test]
fn transient_errors_are_retried_until_the_deadline() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let mut rig = Rig::new(&server, Native::new(1_000, 0.01).unwrap());
    for reply in PASSING {
        for count in COUNTS {
            for command in ASKING {
                rig.liar.say(command, reply.as_bytes(), 3);
                rig.retry(Retry::default());
                let found = rig.ask(count);
                assert!(found.is_ok(), "{command} {reply:?}: {found:?}");
                assert!(!found.unwrap().contains(&false), "{command} {reply:?}");
            }
            // Some of these replies mean that the transaction was rejected.
            for command in ["MULTI", "BITFIELD", "EXEC"] {
                rig.liar.say(command, reply.as_bytes(), 3);
                assert_eq!(rig.insert(count).unwrap().len(), count, "{reply:?}");
                assert_eq!(rig.liar.count(), 4);
            }
        }
        // If the error persists until the deadline, the call returns an error with its text and the
        // number of attempts.
        let (deadline, pause) = (Duration::from_millis(200), Duration::from_millis(2));
        rig.retry(Retry { deadline, pause });
        rig.liar.say("BITFIELD_RO", reply.as_bytes(), u32::MAX);
        let (began, asked) = (Instant::now(), rig.ask(1));
        let Err(Error::Redis {
            attempts, error, ..
        }) = &asked
        else {
            panic!("{reply:?}: {asked:?}");
        };
        let code = reply[1..].split(' ').next();
        assert!(*attempts > 1 && error.code() == code, "{asked:?}");
        assert!(began.elapsed() < Duration::from_secs(4));
    }
}

#[test]
fn permanent_errors_are_returned_at_once() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let mut rig = Rig::new(&server, Native::new(1_000, 0.01).unwrap());
    for (reply, code) in FINAL {
        let named = |error: &Error| matches!(error, Error::Redis { error, attempts: 1, .. } if error.code() == Some(code));
        for command in ["MULTI", "BITFIELD", "EXEC"] {
            rig.liar.say(command, reply.as_bytes(), 1);
            let error = rig.insert(5).unwrap_err();
            assert!(named(&error), "{error:?}");
            assert!(error.to_string().contains(code), "{error}");
        }
        for count in COUNTS {
            rig.liar.say("BITFIELD_RO", reply.as_bytes(), u32::MAX);
            let error = rig.ask(count).unwrap_err();
            assert!(named(&error), "{error:?}");
        }
    }
}
