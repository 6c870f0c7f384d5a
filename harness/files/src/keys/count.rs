//! How many keys there are in files.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use anyhow::{Context, Result, bail};

use super::{
    CHUNK, Keys,
    opened::{STANDARD_INPUT, no_keys, open},
};

impl Keys {
    /// The number of keys in the files, repeats counted, before the first is read. `each` gets
    /// the bytes that are read.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, that is a filter, or that cannot be read twice.
    pub fn count(&self, mut each: impl FnMut(u64)) -> Result<u64> {
        if let Some(once) = once(&self.files) {
            bail!(
                "{once} cannot be read twice, to count the keys first: give --capacity, or take \
                 --filter scalable, which grows"
            );
        }
        let (mut total, bytes_read) = (0, Arc::<AtomicU64>::default());
        for path in self.files.iter().rev() {
            let name = path.display().to_string();
            let file = File::open(path).with_context(|| no_keys(&name))?;
            let counted = count_in(open(file, &name, &bytes_read)?, self.end, || {
                each(bytes_read.load(Relaxed));
            });
            total += counted.with_context(|| no_keys(&name))?;
        }
        Ok(total)
    }
}

fn count_in(mut file: impl Read, end: u8, mut each: impl FnMut()) -> io::Result<u64> {
    let mut buffer = vec![0; CHUNK];
    // What ends the last line may be missing.
    let (mut keys, mut is_ended) = (0, true);
    loop {
        let count = match file.read(&mut buffer) {
            Ok(0) => return Ok(keys + u64::from(!is_ended)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        keys += memchr::memchr_iter(end, &buffer[..count]).count() as u64;
        is_ended = buffer[count - 1] == end;
        each();
    }
}

/// What of these cannot be read twice.
pub fn once(files: &[PathBuf]) -> Option<String> {
    let standard_input = Some(STANDARD_INPUT.into());
    if files.is_empty() {
        return standard_input;
    }
    // What is not there, or a folder, is found out when it is read.
    let again = |path: &Path| {
        let there = path.metadata();
        there.map_or(true, |there| there.is_file() || there.is_dir())
    };
    let once = files
        .iter()
        .find(|path| path.as_os_str() == "-" || !again(path))?;
    match once.as_os_str() == "-" {
        true => standard_input,
        false => Some(once.display().to_string()),
    }
}
