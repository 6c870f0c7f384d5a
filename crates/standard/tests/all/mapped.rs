//! Tests which parts of a memory-mapped file are read from the disk.

use std::{env, fs, path::Path, process::Command};

use bouquet_format::{Decode, Mapped, View};
use bouquet_standard::{Folded, StandardBloom, StandardView};

const FILE: &str = "BOUQUET_TEST_MAPPED";
/// The size of the filter: 2^27 bits, 16 MiB.
const BYTES: u64 = 1 << 24;
const PROBES: u64 = 7;
const PAGE: u64 = 4096;

/// The number of bytes that this process has read from disks.
fn bytes_read() -> u64 {
    let counts = fs::read_to_string("/proc/self/io").unwrap();
    let count = counts
        .lines()
        .find_map(|line| line.strip_prefix("read_bytes: "));
    count.unwrap().parse().unwrap()
}

/// Makes the system drop the cached pages of a file.
fn forget(path: &Path) {
    let mut of = std::ffi::OsString::from("if=");
    of.push(path);
    let forgot = Command::new("dd")
        .arg(of)
        .args(["iflag=nocache", "count=0", "status=none"])
        .status();
    assert!(forgot.unwrap().success());
}

/// Runs in a process of its own, because other tests in this process read files too.
#[test]
fn child_that_asks_a_mapped_file() {
    let Some(path) = env::var_os(FILE) else {
        return;
    };
    let path = Path::new(&path);
    let read = |pass: &dyn Fn(&[u8])| {
        forget(path);
        // SAFETY: the file is ours, and nobody changes it.
        #[allow(unsafe_code, reason = "the file is ours, and nobody changes it")]
        let mapped = unsafe { Mapped::open(path) }.unwrap();
        let before = bytes_read();
        pass(&mapped);
        let first = bytes_read() - before;
        // Whether or not that was a pass, access afterwards is random again.
        forget(path);
        let before = bytes_read();
        assert!(
            StandardView::<'_, Folded>::open(&mapped)
                .unwrap()
                .contains(&1u64)
        );
        (first, bytes_read() - before)
    };
    let (verified, after) = read(&|bytes| StandardView::<'_, Folded>::verify(bytes).unwrap());
    if verified == 0 {
        println!("SKIPPED: the folder of temporary files is on no disk");
        return;
    }
    // Pages that this process has mapped are not dropped from the cache.
    assert!(
        verified > BYTES / 2 && after <= verified,
        "{verified}, {after}"
    );
    let (decoded, _) = read(&|bytes| {
        assert!(
            StandardBloom::<Folded>::decode(bytes)
                .unwrap()
                .contains(&1u64)
        )
    });
    assert!(decoded > BYTES / 2, "{decoded}");
    let (asked, again) = read(&|bytes| {
        assert!(
            StandardView::<'_, Folded>::open(bytes)
                .unwrap()
                .contains(&1u64)
        );
    });
    // One page per probe, and the page of the header.
    assert!(asked <= (PROBES + 2) * PAGE, "{asked}");
    assert!(again <= (PROBES + 2) * PAGE, "{again}");
}

#[test]
fn a_lookup_reads_the_pages_of_its_probes() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join("keys");
    let mut filter =
        StandardBloom::from_parts(8 * BYTES, PROBES as u32, Folded::default()).unwrap();
    filter.insert(&1u64);
    filter.save(&path).unwrap();
    let output = Command::new(env::current_exe().unwrap())
        .args([
            "--exact",
            "mapped::child_that_asks_a_mapped_file",
            "--nocapture",
        ])
        .env(FILE, &path)
        .output()
        .unwrap();
    print!("{}", String::from_utf8_lossy(&output.stdout));
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
