//! Tests strings that other programs read and write, and files.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod common;

use bouquet_blocked::{BlockedBloom, Folded, Words32};
use bouquet_format::Decode;
use bouquet_interop::{GoZeroBloom, RedissonBloom};
use bouquet_redis::{Error, GoZero, Native, Redisson, RemoteBitmap, Scheme, Trust};
use common::{Server, keys};
use redis::{Connection, cmd};

const TRUSTED: Trust = Trust::HasAllItsKeys;

/// Sends the 14 `SETBIT` commands of go-zero's script, without using this crate's client.
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
    // The Go service has created the string; it must be adopted explicitly before this crate can
    // use it.
    go_zero_set(connection, "shared", bits, "from Go");
    let scheme = GoZero::new(bits).unwrap();
    let joined = RemoteBitmap::<GoZero>::join(connection, "shared");
    assert!(matches!(joined, Err(Error::Bare { .. })), "{joined:?}");
    let created = RemoteBitmap::create(connection, "shared", scheme);
    assert!(matches!(created, Err(Error::Exists { .. })), "{created:?}");
    let filter = RemoteBitmap::adopt(connection, "shared", scheme, TRUSTED).unwrap();
    assert!(filter.contains(connection, "from Go").unwrap());
    assert!(!filter.contains(connection, "absent").unwrap());
    filter.insert(connection, "from Rust").unwrap();
    assert!(go_zero_test(connection, "shared", bits, "from Rust"));
    // The string must begin with the bytes of interop's filter, followed by the settings.
    let whole: Vec<u8> = cmd("GET").arg("shared").query(connection).unwrap();
    let string = filter.string(connection).unwrap();
    assert!(whole.len() > 2_500 && whole.ends_with(b"bouquetR"));
    assert_eq!(whole[..2_500], string);
    let local = GoZeroBloom::from_bytes(&string, bits).unwrap();
    assert!(local.contains("from Go") && local.contains("from Rust"));
    let mut expected = GoZeroBloom::new(bits).unwrap();
    expected.insert("from Go");
    expected.insert("from Rust");
    assert_eq!(local.words(), expected.words());
    // A second client that adopts the string joins the filter.
    let again = RemoteBitmap::adopt(connection, "shared", scheme, TRUSTED).unwrap();
    assert!(again.contains(connection, "from Rust").unwrap());
    let left: Vec<u8> = cmd("GET").arg("shared").query(connection).unwrap();
    assert_eq!(left, whole);
    // Another size, a missing string and a string that is too long lead to errors that name them.
    let other = RemoteBitmap::adopt(connection, "shared", GoZero::new(30_000).unwrap(), TRUSTED);
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
    let absent = RemoteBitmap::adopt(connection, "no such", scheme, TRUSTED);
    assert!(matches!(absent, Err(Error::NotFound { .. })), "{absent:?}");
    go_zero_set(connection, "long", bits, "from Go");
    let short = RemoteBitmap::adopt(connection, "long", GoZero::new(1_000).unwrap(), TRUSTED);
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
    // The string and the settings that Redisson's `tryInit` and `add` write.
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
    let filter = RemoteBitmap::adopt_redisson(connection, "java", TRUSTED).unwrap();
    assert!(filter.contains(connection, "from Java").unwrap());
    filter.insert(connection, "from Rust").unwrap();
    let string = filter.string(connection).unwrap();
    let read = RedissonBloom::from_bytes(&string, 9_585, 7).unwrap();
    assert!(read.contains("from Java") && read.contains("from Rust"));
    // A filter that this crate creates has the settings that Redisson reads.
    let scheme = Redisson::new(500, 0.001).unwrap();
    RemoteBitmap::create(connection, "rust", scheme).unwrap();
    let size: u64 = cmd("HGET")
        .arg("{rust}:config")
        .arg("size")
        .query(connection)
        .unwrap();
    assert_eq!(size, scheme.size_bits());
    // If a tool changes Redisson's settings, those in the string still apply.
    cmd("HSET")
        .arg("{rust}:config")
        .arg("size")
        .arg(9_000)
        .exec(connection)
        .unwrap();
    let joined = RemoteBitmap::<Redisson>::join(connection, "rust").unwrap();
    assert_eq!(joined.scheme(), scheme);
    let adopted = RemoteBitmap::adopt_redisson(connection, "rust", TRUSTED);
    assert!(
        matches!(adopted, Err(Error::Incompatible { .. })),
        "{adopted:?}"
    );
}

#[test]
fn the_native_string_is_a_payload_and_with_its_header_a_file() {
    let Some(server) = Server::redis(&[]) else {
        return;
    };
    let connection = &mut server.connect();
    let scheme = Native::new(3_000, 0.01).unwrap();
    let filter = RemoteBitmap::create(connection, "native", scheme).unwrap();
    let (members, others) = (keys(0..3_000), keys(3_000..23_000));
    filter.insert_batch(connection, &members).unwrap();
    let file = filter.dump(connection).unwrap();
    let string: Vec<u8> = cmd("GET").arg("native").query(connection).unwrap();
    let (header, payload) = file[..file.len() - 8].split_at(128);
    let settings = string.strip_prefix(payload).unwrap();
    // The header follows the mark, the lineage and the turn.
    assert_eq!(&settings[24..152], header);
    let local = BlockedBloom::<Words32, Folded>::decode(&file).unwrap();
    let answers = filter.contains_batch(connection, &others).unwrap();
    for (key, answer) in others.iter().zip(&answers) {
        assert_eq!(local.contains(key), *answer);
    }
    assert!(members.iter().all(|key| local.contains(key)));
    // Restores the filter from the file.
    let again = RemoteBitmap::restore(connection, "again", &file).unwrap();
    assert_eq!(again.contains_batch(connection, &others).unwrap(), answers);
    assert_eq!(again.dump(connection).unwrap(), file);
    assert!(
        again
            .contains_batch(connection, &members)
            .unwrap()
            .iter()
            .all(|found| *found)
    );
    let mut damaged = file.clone();
    damaged[4_000] ^= 1;
    let result = RemoteBitmap::restore(connection, "damaged", &damaged);
    assert!(matches!(result, Err(Error::Damaged { .. })), "{result:?}");
}

#[test]
fn joining_as_something_else_names_the_difference() {
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
            assert!(here.starts_with("go-zero ") && there.starts_with("native "));
        }
        other => panic!("{other:?}"),
    }
    let absent = RemoteBitmap::<Native>::join(connection, "two");
    assert!(matches!(absent, Err(Error::NotFound { .. })));
    let taken = RemoteBitmap::create(connection, "one", scheme);
    assert!(matches!(taken, Err(Error::Exists { .. })));
}
