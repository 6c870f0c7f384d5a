//! Files are saved completely or not at all, loaded in one pass, and mapped.

#![cfg(feature = "std")]
use std::{
    env, fs,
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{self, Command, Stdio},
    thread,
    time::Duration,
};

use bouquet_standard::{Decode, Encode, Folded, LoadError, StandardBloom, StandardView, View};
use bouquet_testkit::Rng;

/// A filter of about 60 KiB, so that a partly written file would be likely.
fn filter(seed: u64) -> StandardBloom {
    let mut filter = StandardBloom::from_parts(500_000, 3, Folded::with_seed(seed)).unwrap();
    filter.extend(0..50_000u64);
    filter
}

fn folder(name: &str) -> tempfile::TempDir {
    tempfile::Builder::new().prefix(name).tempdir().unwrap()
}

/// Writes to stderr directly, because the test harness hides what a passing test prints.
#[cfg(unix)]
fn skipped(why: &str) {
    let mut err = io::stderr();
    writeln!(err, "SKIPPED: {why}").unwrap();
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

/// A temporary file that was just created and is not locked yet must not be taken for one of a
/// dead process.
#[test]
fn saves_of_one_file_at_once_all_succeed() {
    let folder = folder("together");
    let path = folder.path().join("keys.bouquet");
    let small = StandardBloom::from_keys(0..10u64, 0.01).unwrap();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..100).for_each(|_| small.save(&path).unwrap()));
        }
    });
    assert_eq!(StandardBloom::load(&path).unwrap(), small);
    assert_eq!(names(folder.path()), ["keys.bouquet"]);
}

#[test]
fn saved_and_loaded() {
    let folder = folder("saved");
    let path = folder.path().join("keys.bouquet");
    for seed in [1, 2] {
        let filter = filter(seed);
        let any: &dyn Encode = &filter;
        Encode::save(&any, &path).unwrap();
        assert_eq!(StandardBloom::load(&path).unwrap(), filter);
        assert_eq!(fs::read(&path).unwrap(), filter.encode());
    }
    assert_eq!(names(folder.path()), ["keys.bouquet"]);
    let loaded = StandardBloom::load_with(&path, Folded::with_seed(2));
    assert_eq!(loaded.unwrap(), filter(2));
    let wrong = StandardBloom::load_with(&path, Folded::with_seed(1));
    assert!(matches!(wrong, Err(LoadError::Decode(_))));
    let at = folder.path().join("missing");
    let missing = <StandardBloom>::load(&at).unwrap_err();
    let named = format!("cannot read {}: ", at.display());
    assert!(missing.to_string().starts_with(&named), "{missing}");
    assert!(matches!(missing, LoadError::Open { .. }));
    let mut damaged = fs::read(&path).unwrap();
    damaged[500] ^= 1;
    fs::write(&path, damaged).unwrap();
    let loaded: Result<StandardBloom, _> = Decode::load(&path);
    assert!(matches!(loaded, Err(LoadError::Decode(_))), "{loaded:?}");
}

/// A writer that accepts some bytes and then fails.
struct Short(usize);

impl Write for Short {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        match taken {
            0 => Err(io::ErrorKind::StorageFull.into()),
            taken => Ok(taken),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_writer_s_error_comes_back() {
    let filter = filter(1);
    let len = filter.encode().len();
    for room in [0, 1, 127, 128, 5_000, len - 1] {
        let error = filter.encode_to(Short(room)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
    assert!(filter.encode_to(Short(len)).is_ok());
}

#[test]
fn a_reader_that_ends_too_soon_is_an_error() {
    let bytes = filter(1).encode();
    let len = bytes.len() as u64;
    let decoded = StandardBloom::decode_from(&bytes[..], len);
    assert_eq!(decoded.unwrap(), filter(1));
    for there in [0, 100, 128, 5_000, bytes.len() - 1] {
        let cut: Result<StandardBloom, _> = Decode::decode_from(&bytes[..there], len);
        assert!(matches!(cut, Err(LoadError::Io(_))), "{there}: {cut:?}");
    }
    // Too short for a header: only the signature shows the file type.
    for (bytes, what) in [
        (&b"five!"[..], "not a Bouquet file: no signature"),
        (
            &bytes[..100],
            "at byte 100: the file is cut short, 100 bytes of 136",
        ),
    ] {
        let decoded = <StandardBloom>::decode(bytes).unwrap_err().to_string();
        assert!(decoded.starts_with(what), "{decoded}");
        let read: Result<StandardBloom, _> = Decode::decode_from(bytes, bytes.len() as u64);
        assert!(read.unwrap_err().to_string().starts_with(what));
        let opened = <StandardView<'_>>::open(bytes).map(|_| ()).unwrap_err();
        assert!(opened.to_string().starts_with(what), "{opened}");
    }
    // If several filters follow each other in a reader, each decoder reads only its own bytes.
    let twice = [&bytes[..], &bytes[..]].concat();
    let mut reader = &twice[..];
    for _ in 0..2 {
        let decoded = StandardBloom::decode_from(&mut reader, len);
        assert_eq!(decoded.unwrap(), filter(1));
    }
}

#[test]
fn a_name_may_be_as_long_as_names_can_be() {
    let folder = folder("long");
    let name = "f".repeat(255);
    for seed in [1, 2] {
        let path = folder.path().join(&name);
        filter(seed).save(&path).unwrap();
        assert_eq!(fs::read(path).unwrap(), filter(seed).encode());
        assert_eq!(names(folder.path()), [&*name]);
    }
}

#[test]
fn a_failure_leaves_nothing_behind() {
    let folder = folder("failure");
    // A folder cannot be replaced by a file.
    let path = folder.path().join("taken");
    fs::create_dir(&path).unwrap();
    fs::write(path.join("inside"), "").unwrap();
    assert!(filter(1).save(&path).is_err());
    assert_eq!(names(folder.path()), ["taken"]);
    assert!(
        filter(1)
            .save(folder.path().join("no/such/folder"))
            .is_err()
    );
    assert!(filter(1).save(folder.path().join("..")).is_err());
}

/// A file that another process is writing is kept, and so are files with other names.
#[cfg(unix)]
#[test]
fn only_what_a_dead_process_left_is_removed() {
    use std::os::unix::fs::symlink;
    let folder = folder("dead");
    let at = |name: &str| folder.path().join(name);
    let [dead, alive, link] =
        ["5", "0", "1"].map(|number| at(&format!(".keys.bouquet-{number}.tmp")));
    fs::write(&dead, "half a fil").unwrap();
    fs::write(&alive, "half a fil").unwrap();
    let running = fs::File::open(&alive).unwrap();
    running.lock().unwrap();
    let kept = [
        ".keys.bouquet-g.tmp",
        ".keys.bouquet-01.tmp",
        ".keys.0.tmp",
        ".other.bouquet-0.tmp",
    ];
    for name in kept {
        fs::write(at(name), "mine").unwrap();
    }
    symlink(".keys.bouquet-01.tmp", &link).unwrap();
    filter(1).save(at("keys")).unwrap();
    assert!(!dead.exists());
    assert!(alive.exists() && link.is_symlink());
    assert!(kept.iter().all(|name| at(name).exists()));
    // Unlocked and not only closed: a process that another test starts may inherit the file and
    // hold the lock for a moment longer.
    running.unlock().unwrap();
    bouquet_format::check_save(at("keys")).unwrap();
    assert!(!alive.exists());
    assert_eq!(names(folder.path()).len(), kept.len() + 2);
}

/// Saving does not look at other files of the folder: it works in a folder that cannot be
/// listed, and still removes the file of a dead process.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_listed_takes_a_file() {
    use std::os::unix::{
        fs::{PermissionsExt, chown},
        process::CommandExt,
    };
    /// The user that runs the child, because root may list every folder.
    const NOBODY: u32 = 65_534;
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let (programs, folder) = (folder("program"), folder("unlisted"));
    let program = programs.path().join("program");
    fs::copy(env::current_exe().unwrap(), &program).unwrap();
    mode(programs.path(), 0o755);
    let dead = folder.path().join(".keys.bouquet-3.tmp");
    fs::write(&dead, "half a fil").unwrap();
    let is_root = [&*dead, folder.path()]
        .iter()
        .all(|path| chown(path, Some(NOBODY), None).is_ok());
    mode(folder.path(), 0o333);
    let mut child = Command::new(program);
    child
        .args(["--exact", "saving::child_that_saves_once", "--nocapture"])
        .env(ONCE, folder.path().join("keys"))
        .env(SEED, "2");
    if is_root {
        child.uid(NOBODY);
    }
    // If another test starts a process while the program is copied, the copy stays open for a
    // moment.
    let output = loop {
        match child.output() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {}
            output => break output.unwrap(),
        }
    };
    mode(folder.path(), 0o700);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(names(folder.path()), ["keys"]);
    assert_eq!(
        StandardBloom::load(folder.path().join("keys")).unwrap(),
        filter(2)
    );
}

#[test]
fn checking_writes_nothing_and_keeps_what_is_there() {
    let folder = folder("checked");
    let path = folder.path().join("keys.bouquet");
    bouquet_format::check_save(&path).unwrap();
    assert!(names(folder.path()).is_empty());
    filter(1).save(&path).unwrap();
    bouquet_format::check_save(&path).unwrap();
    assert_eq!(StandardBloom::load(&path).unwrap(), filter(1));
    assert_eq!(names(folder.path()), ["keys.bouquet"]);
    for none in ["", "..", "no/such/folder"] {
        assert!(bouquet_format::check_save(folder.path().join(none)).is_err());
    }
}

#[cfg(unix)]
#[test]
fn links_and_rights_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder("links");
    let (real, link) = (folder.path().join("real"), folder.path().join("link"));
    filter(1).save(&real).unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&real, &link).unwrap();
    filter(2).save(&link).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(StandardBloom::load(&real).unwrap(), filter(2));
    assert_eq!(
        fs::metadata(&real).unwrap().permissions().mode() & 0o777,
        0o600
    );
}

#[cfg(unix)]
#[test]
fn a_dangling_link_is_an_error() {
    use std::os::unix::fs::symlink;
    let folder = folder("dangling");
    let link = folder.path().join("link");
    symlink("nobody", &link).unwrap();
    let error = filter(1).save(&link).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
    assert!(error.to_string().contains("nobody"), "{error}");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    symlink("round", folder.path().join("round")).unwrap();
    assert!(filter(1).save(folder.path().join("round")).is_err());
    assert_eq!(names(folder.path()).len(), 2);
}

/// Returns whether a tool succeeded: some users and some file systems do not allow these
/// operations.
#[cfg(unix)]
fn done(tool: &str, args: &[&str], path: &Path) -> bool {
    let run = Command::new(tool)
        .arg(path)
        .args(args)
        .stderr(Stdio::null())
        .status();
    run.is_ok_and(|status| status.success())
}

#[cfg(unix)]
#[test]
fn a_pipe_is_written_into() {
    use std::{io::Read, os::unix::fs::FileTypeExt};
    let folder = folder("pipe");
    let path = folder.path().join("pipe");
    assert!(done("mkfifo", &[], &path));
    // Opened for reading and writing, so that opening does not block; the data is small enough
    // to fit in the pipe.
    let mut pipe = fs::File::options()
        .read(true)
        .write(true)
        .open(&path)
        .unwrap();
    let filter = StandardBloom::from_parts(1_000, 3, Folded::default()).unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    for to in [&path, &link] {
        filter.save(to).unwrap();
        let there = fs::symlink_metadata(&path).unwrap().file_type();
        assert!(there.is_fifo(), "{there:?}");
        let mut found = vec![0; filter.encode().len()];
        pipe.read_exact(&mut found).unwrap();
        assert_eq!(found, filter.encode());
    }
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(names(folder.path()).len(), 2);
}

/// The test creates its own device nodes: run as root, a bug could destroy those in /dev.
#[cfg(target_os = "linux")]
#[test]
fn a_device_is_written_into() {
    use std::os::unix::fs::FileTypeExt;
    let folder = folder("device");
    for (name, minor, is_full) in [("null", "3", false), ("full", "7", true)] {
        let path = folder.path().join(name);
        let is_made = done("mknod", &["c", "1", minor], &path);
        if !is_made || fs::File::options().write(true).open(&path).is_err() {
            skipped("no device nodes can be made here: run it as root");
            return;
        }
        let saved = filter(1).save(&path).map_err(|error| error.kind());
        let wanted = if is_full {
            Err(io::ErrorKind::StorageFull)
        } else {
            Ok(())
        };
        assert_eq!(saved, wanted);
        let there = fs::symlink_metadata(&path).unwrap().file_type();
        assert!(there.is_char_device(), "{there:?}");
    }
}

#[cfg(unix)]
#[test]
fn owner_and_group_are_kept_where_the_user_may() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let folder = folder("owner");
    let path = folder.path().join("theirs");
    filter(1).save(&path).unwrap();
    if chown(&path, Some(12_345), Some(23_456)).is_err() {
        skipped("this user cannot give files away: run it as root");
        return;
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o4640)).unwrap();
    filter(2).save(&path).unwrap();
    let there = fs::metadata(&path).unwrap();
    assert_eq!((there.uid(), there.gid()), (12_345, 23_456));
    assert_eq!(there.mode() & 0o7777, 0o4640);
}

#[test]
#[allow(unsafe_code, reason = "the file is ours, and nobody changes it")]
fn a_mapped_file_answers_in_place_and_outlives_its_replacement() {
    use bouquet_format::Mapped;
    use bouquet_standard::{StandardView, View};
    let folder = folder("mapped");
    let path = folder.path().join("keys.bouquet");
    let filter = filter(1);
    filter.save(&path).unwrap();
    // SAFETY: nobody writes into the file: `save` puts another file in its place.
    let mapped = unsafe { Mapped::open(&path) }.unwrap();
    StandardView::<Folded>::verify(&mapped).unwrap();
    let view: StandardView<'_> = View::open(&mapped).unwrap();
    StandardBloom::from_parts(64, 1, Folded::default())
        .unwrap()
        .save(&path)
        .unwrap();
    for key in 0..100_000u64 {
        assert_eq!(view.contains(&key), filter.contains(&key));
    }
}

const PATH: &str = "BOUQUET_TEST_SAVE_TO";

/// The child process of the next test: saves two filters alternately until it is killed.
#[test]
fn child_that_saves() {
    let Some(path) = env::var_os(PATH).map(PathBuf::from) else {
        return;
    };
    let filters = [filter(1), filter(2)];
    println!("ready");
    for filter in filters.iter().cycle() {
        filter.save(&path).unwrap();
    }
}

const ONCE: &str = "BOUQUET_TEST_SAVE_ONCE";
const SEED: &str = "BOUQUET_TEST_SEED";

/// The child process of a test above: saves one filter and exits.
#[test]
fn child_that_saves_once() {
    let (Some(path), Ok(seed)) = (env::var_os(ONCE), env::var(SEED)) else {
        return;
    };
    let saved = filter(seed.parse().unwrap()).save(path);
    if let Err(error) = &saved {
        eprintln!("bouquet: {error}");
    }
    process::exit(if saved.is_ok() { 0 } else { 2 });
}

/// Kills a process that saves, at random times.
fn killed(times: u32) {
    let folder = folder("killed");
    let path = folder.path().join("keys.bouquet");
    let whole = [filter(1).encode(), filter(2).encode()];
    fs::write(&path, &whole[1]).unwrap();
    let mut rng = Rng::new(6);
    let (mut seen, mut left) = ([0; 2], 0);
    for round in 0..times {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "saving::child_that_saves", "--nocapture"])
            .env(PATH, &path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().contains("ready")));
        thread::sleep(Duration::from_micros(rng.below(20_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        let found = fs::read(&path).unwrap();
        let which = whole.iter().position(|whole| *whole == found);
        let Some(which) = which else {
            panic!("round {round}: neither the old file nor the new");
        };
        seen[which] += 1;
        let beside = names(folder.path());
        let aside = |name: &&String| name.starts_with(".keys.bouquet.bouquet-");
        assert!(beside.len() <= 2, "round {round}: {beside:?}");
        left += beside.iter().filter(aside).count();
    }
    assert!(seen.iter().all(|seen| *seen > 0), "{seen:?}");
    // A kill leaves a temporary file behind, and the next save removes it.
    assert!(left > 0, "no kill came while a file was written");
    filter(1).save(&path).unwrap();
    assert_eq!(names(folder.path()), ["keys.bouquet"]);
}

#[test]
fn a_hundred_kills_tear_no_file() {
    killed(100);
}

#[test]
#[ignore = "a minute or two; for release tests"]
fn a_thousand_kills_tear_no_file() {
    killed(1_000);
}

#[test]
fn a_reader_takes_the_hasher_of_the_file_and_no_other() {
    let bytes = filter(7).encode();
    let len = bytes.len() as u64;
    let read = |seed| {
        let hasher = *filter(seed).hasher();
        StandardBloom::decode_from_with(&bytes[..], len, hasher)
    };
    assert_eq!(read(7).unwrap(), filter(7));
    let error = read(8).unwrap_err();
    assert!(matches!(error, LoadError::Decode(_)), "{error}");
    assert!(error.to_string().contains("seed"), "{error}");
}
