//! Rows in SQLite with a cache in Redis in front of them.

use std::time::Duration;

use bouquet_redis::{Native, RemoteBitmap};
use redis::{Connection, cmd};

use crate::common::Server;

/// What protects the database from unnecessary queries.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Defence {
    Nothing,
    /// The fact that a row does not exist is cached for a short time.
    NullEntries,
    /// A filter with all ids is queried before the database.
    Filter,
    Both,
}

impl Defence {
    pub const ALL: [Self; 4] = [Self::Nothing, Self::NullEntries, Self::Filter, Self::Both];

    pub fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::NullEntries => "null entries",
            Self::Filter => "filter",
            Self::Both => "both",
        }
    }

    pub fn with(self, filter: &RemoteBitmap<Native>) -> Guards<'_> {
        Guards {
            caches_nothing: matches!(self, Self::NullEntries | Self::Both),
            filter: matches!(self, Self::Filter | Self::Both).then_some(filter),
        }
    }
}

pub struct Guards<'a> {
    caches_nothing: bool,
    filter: Option<&'a RemoteBitmap<Native>>,
}

pub struct Shop {
    cache: Connection,
    rows: rusqlite::Connection,
    null_life: Duration,
    /// The number of queries that reached the database, and how many of them found no row.
    asked: u64,
    in_vain: u64,
}

impl Shop {
    /// Creates a table of `count` rows with ids from 0 in the server's folder.
    pub fn new(server: &Server, count: u64, null_life: Duration) -> Self {
        let mut rows = rusqlite::Connection::open(server.folder.join("rows.sqlite")).unwrap();
        rows.execute("CREATE TABLE article (id TEXT PRIMARY KEY, name TEXT)", [])
            .unwrap();
        let all = rows.transaction().unwrap();
        {
            let mut insert = all.prepare("INSERT INTO article VALUES (?1, ?2)").unwrap();
            for id in 0..count {
                let id = id.to_string();
                insert.execute([&id, &format!("article {id}")]).unwrap();
            }
        }
        all.commit().unwrap();
        Self {
            cache: server.connect(),
            rows,
            null_life,
            asked: 0,
            in_vain: 0,
        }
    }

    /// The name of a row: from the cache, or from the database, and then it is cached.
    pub fn find(&mut self, id: u64, guards: Guards<'_>) -> Option<String> {
        let id = id.to_string();
        let key = format!("article:{id}");
        let cached: Option<String> = cmd("GET").arg(&key).query(&mut self.cache).unwrap();
        if let Some(name) = cached {
            // An empty entry is a null entry: the row does not exist.
            return Some(name).filter(|name| !name.is_empty());
        }
        if let Some(filter) = guards.filter {
            // If the filter cannot answer, the database is queried.
            let may_be_there = filter.contains(&mut self.cache, &id).unwrap_or(true);
            if !may_be_there {
                return None;
            }
        }
        let found = self.ask(&id);
        let mut set = cmd("SET");
        set.arg(&key);
        match &found {
            Some(name) => set.arg(name).arg("EX").arg(3600),
            None if guards.caches_nothing => {
                set.arg("").arg("PX").arg(self.null_life.as_millis() as u64)
            }
            None => return None,
        };
        set.exec(&mut self.cache).unwrap();
        found
    }

    fn ask(&mut self, id: &str) -> Option<String> {
        self.asked += 1;
        let mut select = self
            .rows
            .prepare_cached("SELECT name FROM article WHERE id = ?1")
            .unwrap();
        let found = select.query_row([id], |row| row.get(0));
        match found {
            Ok(name) => Some(name),
            Err(rusqlite::Error::QueryReturnedNoRows) => {
                self.in_vain += 1;
                None
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// Empties the cache and resets the counters.
    pub fn forget(&mut self) {
        let keys: Vec<String> = cmd("KEYS").arg("article:*").query(&mut self.cache).unwrap();
        for keys in keys.chunks(1_000) {
            cmd("UNLINK").arg(keys).exec(&mut self.cache).unwrap();
        }
        (self.asked, self.in_vain) = (0, 0);
    }

    pub fn questions(&self) -> (u64, u64) {
        (self.asked, self.in_vain)
    }

    /// The number of null entries in the cache.
    pub fn null_entries(&mut self) -> usize {
        let keys: Vec<String> = cmd("KEYS").arg("article:*").query(&mut self.cache).unwrap();
        let is_empty = |key: &&String| {
            let length: u64 = cmd("STRLEN").arg(*key).query(&mut self.cache).unwrap();
            // An entry that has expired in the meantime has length 0 too, and was a null entry.
            length == 0
        };
        keys.iter().filter(is_empty).count()
    }
}
