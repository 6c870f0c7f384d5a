//! The filter in a string, on real servers: answers, sharing, and what is done to it as a
//! whole.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::time::Duration;

use bouquet_blocked::{BlockedBloom, Folded, Words32};
use bouquet_format::Decode;
use bouquet_interop::{GoZeroBloom, RedissonBloom};
use bouquet_redis::{Error, GoZero, Inserted, Lost, Native, Redisson, RemoteBitmap, Scheme};
use common::{Server, keys, programs};
use redis::{Connection, cmd};

/// Members are found, others are not but for the FPR, and inserts tell what was new.
fn answers<S: Scheme>(connection: &mut Connection, scheme: S) {
    let name = format!("answers {}", S::NAME);
    let mut filter = RemoteBitmap::create(connection, &name, scheme).unwrap();
    let (members, others) = (keys(0..2_000), keys(2_000..6_000));
    assert!(
        filter
            .contains_batch::<String>(connection, &[])
            .unwrap()
            .is_empty()
    );
    assert!(
        filter
            .insert_batch::<String>(connection, &[])
            .unwrap()
            .is_empty()
    );
    let inserted = filter.insert_batch(connection, &members).unwrap();
    let new = inserted.iter().filter(|new| **new == Inserted::New).count();
    assert!(
        inserted.len() == 2_000 && new > 1_970,
        "{new} of 2,000 were new"
    );
    for key in &members[..5] {
        let again = filter.insert(connection, key).unwrap();
        assert_eq!(again, Inserted::MayHaveBeenPresent);
        assert!(filter.contains(connection, key).unwrap());
    }
    assert!(
        filter
            .contains_batch(connection, &members)
            .unwrap()
            .iter()
            .all(|found| *found)
    );
    // Asked one by one, two by two and all at once, the answers are the same.
    let at_once = filter.contains_batch(connection, &others).unwrap();
    let one_by_one: Vec<bool> = others
        .iter()
        .map(|key| filter.contains(connection, key).unwrap())
        .collect();
    assert_eq!(at_once, one_by_one);
    let false_positives = at_once.iter().filter(|found| **found).count();
    assert!(
        (5..=100).contains(&false_positives),
        "{false_positives} of 4,000 at 1 %"
    );
    // Another client sees the same.
    let mut other = RemoteBitmap::<S>::join(connection, &name).unwrap();
    assert_eq!(other.contains_batch(connection, &others).unwrap(), at_once);
    let info = filter.info(connection).unwrap();
    assert!(
        (info.estimated_keys() / 2_000.0 - 1.0).abs() < 0.05,
        "{info:?}"
    );
    assert!(info.ttl.is_none());
}

#[test]
fn every_scheme_answers_on_every_server() {
    for (name, program) in programs() {
        let server = Server::start(&program, &[]);
        let connection = &mut server.connect();
        answers(connection, GoZero::for_target(2_000, 0.01).unwrap());
        answers(connection, Redisson::new(2_000, 0.01).unwrap());
        answers(connection, Native::new(2_000, 0.01).unwrap());
        eprintln!("{name}: all schemes");
    }
}

#[test]
fn old_and_new_protocol_say_the_same() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let url = format!("{}/?protocol=resp3", server.url());
    let connection = &mut redis::Client::open(url).unwrap().get_connection().unwrap();
    answers(connection, Native::new(2_000, 0.01).unwrap());
    answers(connection, GoZero::for_target(2_000, 0.01).unwrap());
}

/// The 14 SETBITs of go-zero's script, by a hand that knows nothing of this crate's.
fn go_zero_set(connection: &mut Connection, name: &str, size_bits: u64, key: &str) {
    use bouquet_interop::go_zero::{GoZeroHash, Scheme};
    for location in Scheme::new(size_bits)
        .unwrap()
        .locations(GoZeroHash::of(key.as_bytes()))
    {
        cmd("SETBIT")
            .arg(name)
            .arg(location)
            .arg(1)
            .exec(connection)
            .unwrap();
    }
}

fn go_zero_test(connection: &mut Connection, name: &str, size_bits: u64, key: &str) -> bool {
    use bouquet_interop::go_zero::{GoZeroHash, Scheme};
    Scheme::new(size_bits)
        .unwrap()
        .locations(GoZeroHash::of(key.as_bytes()))
        .all(|location| {
            cmd("GETBIT")
                .arg(name)
                .arg(location)
                .query::<u8>(connection)
                .unwrap()
                == 1
        })
}

#[test]
fn a_go_service_and_this_crate_share_one_string() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let bits = 20_000;
    // The service was first: its string is taken over when that is said, and not before.
    go_zero_set(connection, "shared", bits, "from Go");
    let scheme = GoZero::new(bits).unwrap();
    let joined = RemoteBitmap::<GoZero>::join(connection, "shared");
    assert!(matches!(joined, Err(Error::Bare { .. })), "{joined:?}");
    let created = RemoteBitmap::create(connection, "shared", scheme);
    assert!(matches!(created, Err(Error::Exists { .. })), "{created:?}");
    let mut filter = RemoteBitmap::adopt(connection, "shared", scheme).unwrap();
    assert!(filter.contains(connection, "from Go").unwrap());
    assert!(!filter.contains(connection, "absent").unwrap());
    filter.insert(connection, "from Rust").unwrap();
    assert!(go_zero_test(connection, "shared", bits, "from Rust"));
    // Bit for bit: the string is interop's filter with the bits of the mark.
    let string: Vec<u8> = cmd("GET").arg("shared").query(connection).unwrap();
    let local = GoZeroBloom::from_bytes(&string, bits).unwrap();
    assert!(local.contains("from Go") && local.contains("from Rust"));
    let mut expected = GoZeroBloom::new(bits).unwrap();
    expected.insert("from Go");
    expected.insert("from Rust");
    let more = local.count_ones() - expected.count_ones();
    assert!(more <= 32, "{more} bits more");
    let missing = expected
        .words()
        .iter()
        .zip(local.words())
        .any(|(e, l)| e & !l != 0);
    assert!(!missing);
    // A second one that adopts it joins.
    let again = RemoteBitmap::adopt(connection, "shared", scheme).unwrap();
    assert_eq!(again, RemoteBitmap::join(connection, "shared").unwrap());
    // Another size is named, as is what is not there and what is too long.
    let other = RemoteBitmap::adopt(connection, "shared", GoZero::new(30_000).unwrap());
    assert!(
        matches!(
            &other,
            Err(Error::Incompatible {
                parameter: "size_bits (m)",
                ..
            })
        ),
        "{other:?}"
    );
    let absent = RemoteBitmap::adopt(connection, "no such", scheme);
    assert!(matches!(absent, Err(Error::NotFound { .. })), "{absent:?}");
    go_zero_set(connection, "long", bits, "from Go");
    let short = RemoteBitmap::adopt(connection, "long", GoZero::new(1_000).unwrap());
    assert!(
        matches!(short, Err(Error::Incompatible { .. })),
        "{short:?}"
    );
}

#[test]
fn redissons_settings_are_read_and_written() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    // As Redisson's tryInit and add leave them.
    let mut local = RedissonBloom::with_estimates(1_000, 0.01).unwrap();
    local.insert("from Java");
    cmd("HSET")
        .arg("{java}:config")
        .arg(&[("size", "9585"), ("hashIterations", "7")])
        .arg(&[("expectedInsertions", "1000"), ("falseProbability", "0.01")])
        .exec(connection)
        .unwrap();
    assert_eq!((local.size_bits(), local.hashes()), (9_585, 7));
    cmd("SET")
        .arg("java")
        .arg(local.to_bytes())
        .exec(connection)
        .unwrap();
    let mut filter = RemoteBitmap::adopt_redisson(connection, "java").unwrap();
    assert!(filter.contains(connection, "from Java").unwrap());
    filter.insert(connection, "from Rust").unwrap();
    let string = filter.string(connection).unwrap();
    let read = RedissonBloom::from_bytes(&string, 9_585, 7).unwrap();
    assert!(read.contains("from Java") && read.contains("from Rust"));
    // One that this crate makes has the settings that Redisson reads.
    let scheme = Redisson::new(500, 0.001).unwrap();
    RemoteBitmap::create(connection, "rust", scheme).unwrap();
    let size: u64 = cmd("HGET")
        .arg("{rust}:config")
        .arg("size")
        .query(connection)
        .unwrap();
    assert_eq!(size, scheme.size_bits());
    // They changed: what was joined is another filter.
    cmd("HSET")
        .arg("{rust}:config")
        .arg("size")
        .arg(9)
        .exec(connection)
        .unwrap();
    let joined = RemoteBitmap::<Redisson>::join(connection, "rust");
    assert!(
        matches!(joined, Err(Error::Incompatible { .. })),
        "{joined:?}"
    );
}

#[test]
fn the_native_string_is_a_payload_and_with_its_header_a_file() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let scheme = Native::new(3_000, 0.01).unwrap();
    let mut filter = RemoteBitmap::create(connection, "native", scheme).unwrap();
    let (members, others) = (keys(0..3_000), keys(3_000..23_000));
    filter.insert_batch(connection, &members).unwrap();
    let file = filter.dump(connection).unwrap();
    let string: Vec<u8> = cmd("GET").arg("native").query(connection).unwrap();
    assert_eq!(file[128..file.len() - 8], string);
    let header: Vec<u8> = cmd("HGET")
        .arg("{native}:bouquet")
        .arg("header")
        .query(connection)
        .unwrap();
    assert_eq!(file[..128], header);
    let local = BlockedBloom::<Words32, Folded>::decode(&file).unwrap();
    let answers = filter.contains_batch(connection, &others).unwrap();
    for (key, answer) in others.iter().zip(&answers) {
        assert_eq!(local.contains(key), *answer);
    }
    assert!(members.iter().all(|key| local.contains(key)));
    // And back.
    let mut again = RemoteBitmap::restore(connection, "again", &file).unwrap();
    assert_eq!(again.contains_batch(connection, &others).unwrap(), answers);
    assert!(
        again
            .contains_batch(connection, &members)
            .unwrap()
            .iter()
            .all(|found| *found)
    );
    let mut damaged = file.clone();
    damaged[4_000] ^= 1;
    let refused = RemoteBitmap::restore(connection, "damaged", &damaged);
    assert!(matches!(refused, Err(Error::Damaged { .. })), "{refused:?}");
}

#[test]
fn joining_as_something_else_names_what() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let scheme = Native::new(1_000, 0.01).unwrap();
    RemoteBitmap::create(connection, "one", scheme.clone()).unwrap();
    let parameter = |result: bouquet_redis::Result<RemoteBitmap<Native>>| match result {
        Err(Error::Incompatible { parameter, .. }) => parameter,
        other => panic!("{other:?}"),
    };
    assert!(RemoteBitmap::join_as(connection, "one", &scheme).is_ok());
    let larger = Native::new(2_000, 0.01).unwrap();
    let joined = RemoteBitmap::join_as(connection, "one", &larger);
    assert_eq!(parameter(joined), "size_bits (m)");
    let seeded = Native::with_hasher(1_000, 0.01, Folded::with_seed(7)).unwrap();
    let joined = RemoteBitmap::join_as(connection, "one", &seeded);
    assert_eq!(parameter(joined), "seed of the hasher");
    match RemoteBitmap::<GoZero>::join(connection, "one") {
        Err(Error::Incompatible {
            parameter: "scheme",
            here,
            there,
            ..
        }) => {
            assert_eq!((&here[..], &there[..]), ("go-zero", "native"));
        }
        other => panic!("{other:?}"),
    }
    let absent = RemoteBitmap::<Native>::join(connection, "two");
    assert!(matches!(absent, Err(Error::NotFound { .. })));
    let taken = RemoteBitmap::create(connection, "one", scheme);
    assert!(matches!(taken, Err(Error::Exists { .. })));
}

#[test]
fn string_and_settings_expire_and_go_together() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let scheme = Redisson::new(1_000, 0.01).unwrap();
    let filter = RemoteBitmap::create(connection, "brief", scheme).unwrap();
    assert_eq!(filter.ttl(connection).unwrap(), None);
    filter.expire(connection, Duration::from_secs(100)).unwrap();
    for key in ["brief", "{brief}:bouquet", "{brief}:config"] {
        let left: i64 = cmd("TTL").arg(key).query(connection).unwrap();
        assert!((98..=100).contains(&left), "{key} {left}");
    }
    assert!(filter.ttl(connection).unwrap().unwrap() > Duration::from_secs(98));
    // One of them is gone: that is no success.
    cmd("DEL").arg("{brief}:bouquet").exec(connection).unwrap();
    let lost = filter.expire(connection, Duration::from_secs(1));
    assert!(
        matches!(
            lost,
            Err(Error::FilterLost {
                how: Lost::Gone,
                ..
            })
        ),
        "{lost:?}"
    );
    assert!(matches!(
        filter.ttl(connection),
        Err(Error::FilterLost { .. })
    ));
    assert!(RemoteBitmap::<Redisson>::delete(connection, "brief").unwrap());
    assert!(!RemoteBitmap::<Redisson>::delete(connection, "brief").unwrap());
    assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), 0);
}

#[test]
fn what_is_too_large_is_refused_and_nothing_is_left() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let created = RemoteBitmap::create(connection, "x", GoZero::new((1 << 32) + 1).unwrap());
    let error = created.unwrap_err();
    assert!(
        error.to_string().contains("spread the filter over shards"),
        "{error}"
    );
    let created = RemoteBitmap::create(connection, "x", GoZero::new(100).unwrap());
    assert!(
        matches!(created, Err(Error::TooSmall { .. })),
        "{created:?}"
    );
    for name in [&b""[..], b"a}b", &[b'x'; 5_000], &vec![b'x'; 512 << 20]] {
        let created = RemoteBitmap::create(connection, name, GoZero::new(1_000).unwrap());
        assert!(matches!(created, Err(Error::BadName { .. })));
    }
    assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), 0);
    for name in [&b"a b"[..], b"a\nb", b"a\0b", b"{a", b"x{a}y", b"\xff"] {
        let mut filter =
            RemoteBitmap::create(connection, name, GoZero::new(1_000).unwrap()).unwrap();
        filter.insert(connection, "key").unwrap();
        assert!(
            RemoteBitmap::<GoZero>::join(connection, name)
                .unwrap()
                .contains(connection, "key")
                .unwrap()
        );
        assert!(RemoteBitmap::<GoZero>::delete(connection, name).unwrap());
    }
    assert_eq!(cmd("DBSIZE").query::<u64>(connection).unwrap(), 0);
}

#[test]
fn the_largest_string_is_made_in_steps_and_asked_to_its_end() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let scheme = GoZero::new(1 << 32).unwrap();
    let mut filter = RemoteBitmap::create(connection, "large", scheme).unwrap();
    let length: u64 = cmd("STRLEN").arg("large").query(connection).unwrap();
    assert_eq!(length, 512 << 20);
    let members = keys(0..1_000);
    filter.insert_batch(connection, &members).unwrap();
    assert!(
        filter
            .contains_batch(connection, &members)
            .unwrap()
            .iter()
            .all(|found| *found)
    );
    let calls: String = cmd("INFO").arg("commandstats").query(connection).unwrap();
    assert!(calls.contains("cmdstat_setrange:calls=32,"), "{calls}");
}

#[test]
fn a_million_keys_are_one_batch() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let scheme = Native::new(1_000_000, 0.01).unwrap();
    let mut filter = RemoteBitmap::create(connection, "batch", scheme).unwrap();
    let members: Vec<u64> = (0..1_000_000).collect();
    let inserted = filter.insert_batch(connection, &members).unwrap();
    assert_eq!(inserted.len(), members.len());
    let found = filter.contains_batch(connection, &members).unwrap();
    assert!(found.len() == members.len() && found.iter().all(|found| *found));
}

#[test]
fn a_rebuild_leaves_no_gap() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let small = Native::new(1_000, 0.01).unwrap();
    let mut filter = RemoteBitmap::create(connection, "grow", small).unwrap();
    filter.expire(connection, Duration::from_secs(500)).unwrap();
    let members = keys(0..4_000);
    filter.insert_batch(connection, &members).unwrap();
    assert!(filter.info(connection).unwrap().is_full());
    let mut reader = RemoteBitmap::<Native>::join(connection, "grow").unwrap();
    let mut writer = reader.clone();
    let larger = Native::new(8_000, 0.01).unwrap();
    // A process that dies in the middle: what it built expires, and nobody reads it.
    let dead = filter.rebuild(connection, larger.clone()).unwrap();
    drop(dead);
    let left: Vec<String> = cmd("KEYS").arg("*new-*").query(connection).unwrap();
    assert_eq!(left.len(), 2, "{left:?}");
    for key in &left {
        let expires: i64 = cmd("TTL").arg(key).query(connection).unwrap();
        assert!((3_500..=3_600).contains(&expires), "{key} {expires}");
    }
    assert!(
        reader
            .contains_batch(connection, &members)
            .unwrap()
            .iter()
            .all(|found| *found)
    );
    // And one that does not. A reader asks all the time.
    let (mut other, members_too) = (server.connect(), members.clone());
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let stopped = stop.clone();
    let asking = std::thread::spawn(move || {
        let mut rounds = 0;
        while !stopped.load(std::sync::atomic::Ordering::Relaxed) {
            let found = reader
                .contains_batch(&mut other, &members_too[..300])
                .unwrap();
            assert!(found.iter().all(|found| *found));
            rounds += 1;
        }
        (reader, rounds)
    });
    for _ in 0..5 {
        let mut draft = filter.rebuild(connection, larger.clone()).unwrap();
        for members in members.chunks(500) {
            draft.insert_batch(connection, members).unwrap();
        }
        filter = draft.publish(connection).unwrap();
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let (reader, rounds) = asking.join().unwrap();
    assert!(rounds > 5, "{rounds}");
    assert_eq!(reader.scheme(), &larger);
    assert!(!filter.info(connection).unwrap().is_full());
    assert!(filter.ttl(connection).unwrap().unwrap() > Duration::from_secs(400));
    // A writer of before finds the new one as well.
    writer.insert(connection, "late").unwrap();
    assert!(filter.contains(connection, "late").unwrap());
    assert!(
        filter
            .contains_batch(connection, &members)
            .unwrap()
            .iter()
            .all(|found| *found)
    );
    let strings: Vec<String> = cmd("KEYS").arg("*old*").query(connection).unwrap();
    assert!(strings.is_empty(), "{strings:?}");
}
