//! Cache penetration: ids that do not exist are never in a cache, so each request for one reaches
//! the database. Counts the requests that reach a real database (SQLite) behind a cache of the rows
//! that were found, with a filter of the ids and without one.
//!
//! cargo run --release [REQUESTS]
//!
//! Nine of ten requests are for made-up ids. Ends with an error if the filter hid an existing row,
//! or if it let through more requests than its target FPR allows.

use std::{
    collections::HashMap,
    env,
    error::Error,
    fs,
    path::Path,
    process,
    time::{Duration, Instant},
};

use bouquet::{BlockedBloom, Inspect};
use rusqlite::{Connection, OptionalExtension};

const ROWS: u64 = 100_000;
const TARGET_FPR: f64 = 0.01;

/// A cache in front of the table of users.
struct Site<'a> {
    database: &'a Connection,
    /// The filter of the ids in the table; without it each cache miss leads to a query.
    ids: Option<&'a BlockedBloom>,
    cache: HashMap<u64, String>,
    queries: u64,
    in_vain: u64,
}

impl<'a> Site<'a> {
    fn new(database: &'a Connection, ids: Option<&'a BlockedBloom>) -> Self {
        Self {
            database,
            ids,
            cache: HashMap::new(),
            queries: 0,
            in_vain: 0,
        }
    }

    fn name(&mut self, id: u64) -> Result<Option<String>, rusqlite::Error> {
        if let Some(name) = self.cache.get(&id) {
            return Ok(Some(name.clone()));
        }
        if self.ids.is_some_and(|ids| !ids.contains(&id)) {
            return Ok(None);
        }
        self.queries += 1;
        let mut select = self
            .database
            .prepare_cached("select name from users where id = ?")?;
        let name: Option<String> = select.query_row([id as i64], |row| row.get(0)).optional()?;
        match &name {
            Some(name) => drop(self.cache.insert(id, name.clone())),
            None => self.in_vain += 1,
        }
        Ok(name)
    }
}

/// Creates a table on disk, and the filter of the ids read from it.
fn open(path: &Path) -> Result<(Connection, BlockedBloom), Box<dyn Error>> {
    let mut database = Connection::open(path)?;
    database.execute("create table users (id integer primary key, name text)", [])?;
    let filling = database.transaction()?;
    {
        let mut insert = filling.prepare("insert into users values (?, ?)")?;
        for id in 0..ROWS {
            insert.execute((id as i64, format!("user {id}")))?;
        }
    }
    filling.commit()?;

    let mut ids = BlockedBloom::new(ROWS as usize, TARGET_FPR)?;
    let mut select = database.prepare("select id from users")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        ids.insert(&row.get::<_, i64>(0)?);
    }
    drop(rows);
    drop(select);
    Ok((database, ids))
}

/// The id of request `i`: in one of ten requests that of a row, otherwise a larger id than that of
/// any row.
fn requested(i: u64) -> u64 {
    let mut mixed = i.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 2;
    match i % 10 {
        0 => mixed % ROWS,
        _ => ROWS + mixed,
    }
}

/// Serves all requests, and checks that existing rows are found and no others.
fn serve(site: &mut Site<'_>, requests: u64) -> Result<Duration, Box<dyn Error>> {
    let began = Instant::now();
    for i in 0..requests {
        let id = requested(i);
        let expected = (id < ROWS).then(|| format!("user {id}"));
        if site.name(id)? != expected {
            return Err(format!("id {id} is answered wrongly").into());
        }
    }
    Ok(began.elapsed())
}

fn main() -> Result<(), Box<dyn Error>> {
    let requests: u64 = match env::args().nth(1) {
        Some(given) => given.parse()?,
        None => 100_000,
    };
    let path = env::temp_dir().join(format!("bouquet-penetration-{}", process::id()));
    let (database, ids) = open(&path)?;
    println!(
        "{ROWS} rows in SQLite; a filter of {} bytes at {TARGET_FPR}",
        ids.memory_bytes()
    );

    let mut without = Site::new(&database, None);
    let mut with = Site::new(&database, Some(&ids));
    for (site, what) in [
        (&mut without, "without a filter"),
        (&mut with, "with the filter"),
    ] {
        let took = serve(site, requests)?;
        println!(
            "{what}: {requests} requests, {} reached the database, {} of them in vain ({took:.2?})",
            site.queries, site.in_vain
        );
    }
    println!(
        "saved: {} of {} queries",
        without.queries - with.queries,
        without.queries
    );
    let made_up = requests - requests.div_ceil(10);
    // Allows twice the target FPR, and ten more in case the run is small.
    if without.in_vain != made_up || with.in_vain as f64 > 2.0 * TARGET_FPR * made_up as f64 + 10.0
    {
        return Err(format!("{} of {made_up} made-up ids got through", with.in_vain).into());
    }
    if with.queries - with.in_vain != without.queries - without.in_vain {
        return Err("rows were found otherwise with the filter".into());
    }
    drop(database);
    fs::remove_file(&path)?;
    Ok(())
}
