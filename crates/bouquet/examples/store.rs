//! A store of sorted files, like the SSTables of an LSM tree, with a filter for each file: a key is
//! looked up only in files whose filter may contain it.
//!
//! cargo run -p bouquet --features mmap --example store
//!
//! The filters are memory-mapped and answer in place, so opening eight of them copies none.
#![allow(
    unsafe_code,
    reason = "only the program knows that nobody writes into its mapped files"
)]

use std::{
    collections::BTreeMap,
    env,
    error::Error,
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    path::Path,
    process,
};

use bouquet::{BlockedBloom, BlockedView, Mapped, View};

const TABLES: u64 = 8;
const ROWS: u64 = 10_000;
/// Size of a row: a key and a value of eight bytes each.
const ROW_BYTES: u64 = 16;

/// A sorted file and the filter of its keys.
struct Table {
    rows: File,
    filter: Mapped,
}

impl Table {
    /// Writes the rows and then the filter, which is written either completely or not at all.
    fn write(path: &Path, rows: &BTreeMap<u64, u64>) -> Result<(), Box<dyn Error>> {
        let both = rows.iter().flat_map(|(key, value)| [*key, *value]);
        let bytes: Vec<u8> = both.flat_map(u64::to_le_bytes).collect();
        fs::write(path, bytes)?;
        let filter = BlockedBloom::from_keys(rows.keys(), 0.01)?;
        filter.save(path.with_extension("bouquet"))?;
        Ok(())
    }

    fn open(path: &Path) -> Result<Self, Box<dyn Error>> {
        let filter = path.with_extension("bouquet");
        // SAFETY: this program owns these files and does not change them.
        let filter = unsafe { Mapped::open(filter) }?;
        // Verifies each file once, because a view checks only the header.
        <BlockedView<'_>>::verify(&filter)?;
        Ok(Self {
            rows: File::open(path)?,
            filter,
        })
    }

    /// Whether the table may contain the key.
    fn may_contain(&self, key: u64) -> Result<bool, Box<dyn Error>> {
        let view: BlockedView<'_> = View::open(&self.filter)?;
        Ok(view.contains(&key))
    }

    /// The value of a key, found by binary search in the file. Adds the number of rows read to
    /// `reads`.
    fn find(&self, key: u64, reads: &mut u64) -> io::Result<Option<u64>> {
        let mut file = &self.rows;
        let (mut low, mut high) = (0, file.metadata()?.len() / ROW_BYTES);
        while low < high {
            let middle = low.midpoint(high);
            let mut row = [[0; 8]; 2];
            file.seek(SeekFrom::Start(middle * ROW_BYTES))?;
            file.read_exact(row.as_flattened_mut())?;
            *reads += 1;
            match u64::from_le_bytes(row[0]).cmp(&key) {
                std::cmp::Ordering::Equal => return Ok(Some(u64::from_le_bytes(row[1]))),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Ok(None)
    }
}

/// Looks up a key, in the newest table first.
fn get(
    tables: &[Table],
    key: u64,
    by_filter: bool,
    counts: &mut [u64; 2],
) -> Result<Option<u64>, Box<dyn Error>> {
    for table in tables.iter().rev() {
        if by_filter && !table.may_contain(key)? {
            continue;
        }
        counts[0] += 1;
        if let Some(value) = table.find(key, &mut counts[1])? {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// The key of a row: even, and pseudo-random. Odd keys are never written.
fn key(table: u64, row: u64) -> u64 {
    (table * ROWS + row).wrapping_mul(0x9e37_79b9_7f4a_7c15) & !1
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::temp_dir().join(format!("bouquet-store-{}", process::id()));
    fs::create_dir_all(&folder)?;
    let mut tables = Vec::new();
    for table in 0..TABLES {
        let rows = (0..ROWS)
            .map(|row| (key(table, row), table * ROWS + row))
            .collect();
        let path = folder.join(format!("{table}.rows"));
        Table::write(&path, &rows)?;
        tables.push(Table::open(&path)?);
    }

    // The same number of present and of absent keys.
    let present: Vec<u64> = (0..TABLES * ROWS)
        .step_by(40)
        .map(|i| key(i / ROWS, i % ROWS))
        .collect();
    let absent: Vec<u64> = present.iter().map(|key| key | 1).collect();
    for (keys, what) in [(&present, "present"), (&absent, "absent")] {
        let (mut with, mut without) = ([0; 2], [0; 2]);
        for key in keys {
            let exact = get(&tables, *key, false, &mut without)?;
            if exact.is_some() != (what == "present") {
                return Err("the store is not what was written".into());
            }
            if get(&tables, *key, true, &mut with)? != exact {
                return Err(format!("{key} is stored and not found by the filters").into());
            }
        }
        println!(
            "{} {what} keys: {} files searched in place of {}, {} rows read in place of {}",
            keys.len(),
            with[0],
            without[0],
            with[1],
            without[1]
        );
        if with[0] * 3 > without[0] {
            return Err("the filters save less than two thirds of the searches".into());
        }
    }
    let filters: usize = tables.iter().map(|table| table.filter.len()).sum();
    println!(
        "{filters} bytes of filters for {} of rows",
        TABLES * ROWS * ROW_BYTES
    );
    drop(tables);
    fs::remove_dir_all(&folder)?;
    Ok(())
}
