//! Filters from untrusted sources: limits on decoding and on later growth.

#[cfg(feature = "std")]
use std::io::{self, Read};

use bouquet_format::{Document, Problem};
#[cfg(feature = "std")]
use bouquet_scalable::LoadError;
use bouquet_scalable::{Decode, Folded, Full, Limits, Policy, ScalableBloom, Spec};

/// A filter with `stages` stages.
fn of_stages(stages: usize) -> ScalableBloom {
    let policy = Policy::new(Spec::new(1, 0.01).unwrap()).growth(1).unwrap();
    let mut filter = ScalableBloom::with_policy(policy, Folded::default()).unwrap();
    let mut keys = 0_u64..;
    while filter.stages().count() < stages {
        filter.insert(&keys.next().unwrap());
    }
    filter
}

#[test]
fn bytes_and_stages_past_the_limits_are_rejected_and_no_others() {
    let filter = of_stages(65);
    let bytes = filter.encode();
    let size = bytes.len() as u64;
    let decoded = |limits: &Limits| <ScalableBloom as Decode>::decode_with_limits(&bytes, limits);
    let over = |what, found, max| Problem::OverLimit { what, found, max };
    let assumed = decoded(&Limits::new()).unwrap_err();
    assert_eq!(assumed.problem, over("stages", 65, 64));
    assert_eq!(
        assumed.to_string(),
        "the filter has 65 stages, and 64 are allowed: raise the limit (Limits) if you know who \
         wrote it"
    );
    let raised = Limits::new().max_stages(65);
    assert_eq!(decoded(&raised).as_ref(), Ok(&filter));
    assert_eq!(decoded(&raised.max_bytes(size)).as_ref(), Ok(&filter));
    let smaller = decoded(&raised.max_bytes(size - 1)).unwrap_err();
    assert_eq!(smaller.problem, over("bytes", size, size - 1));
    // The limits can be checked by the header, for views.
    let header = Document::open(&bytes).unwrap().record.header;
    assert_eq!(Limits::default().check(&header), Err(assumed));
    assert_eq!(raised.check(&header), Ok(()));
}

/// If a source exceeds the limits, only its header is read.
#[cfg(feature = "std")]
#[test]
fn a_source_past_the_limits_is_not_read() {
    struct Counted<'a>(&'a [u8], usize);
    impl Read for Counted<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 += buffer.len();
            self.0.read(buffer)
        }
    }
    let bytes = of_stages(65).encode();
    let mut source = Counted(&bytes, 0);
    let read: Result<ScalableBloom, LoadError> =
        Decode::decode_from_with_limits(&mut source, bytes.len() as u64, &Limits::new());
    assert!(matches!(read, Err(LoadError::Decode(_))));
    assert_eq!(source.1, 128);
}

#[cfg(feature = "std")]
#[test]
fn a_file_past_the_limits_is_not_loaded() {
    let path = std::env::temp_dir().join(format!("bouquet-limits-{}", std::process::id()));
    of_stages(3).save(&path).unwrap();
    let load = |limits: Limits| <ScalableBloom as Decode>::load_with_limits(&path, &limits);
    assert!(load(Limits::new()).is_ok());
    assert!(load(Limits::new().max_stages(2)).is_err());
    std::fs::remove_file(&path).unwrap();
}

/// A file forged to grow a thousandfold grows only as far as the reader allows.
#[test]
fn a_decoded_filter_grows_no_further_than_is_set() {
    let policy = Policy::new(Spec::new(10_000, 0.01).unwrap());
    let policy = policy.growth(1_024).unwrap();
    let bytes =
        ScalableBloom::<bouquet_scalable::StandardBloom>::with_policy(policy, Folded::default());
    let bytes = bytes.unwrap().encode();
    let mut filter = ScalableBloom::from_bytes(&bytes).unwrap();
    filter.set_max_bytes(Some(1 << 20));
    let full = (0..20_000_u64).find_map(|key| filter.try_insert(&key).err());
    assert!(matches!(full, Some(Full::Bytes { max: 1_048_576, needed }) if needed > 10_000_000));
    assert_eq!(filter.stages().count(), 1);
    // With a higher limit the filter grows again, although it was full before.
    filter.set_max_bytes(None);
    assert_eq!(filter.policy().byte_cap(), None);
    filter.set_max_bytes(Some(100 << 20));
    assert_eq!(filter.try_insert(&20_001_u64), Ok(true));
    assert_eq!(filter.stages().count(), 2);
}

/// Whether huge pages were requested for the memory at this address.
#[cfg(all(feature = "huge-pages", target_os = "linux", not(miri)))]
fn is_huge(words: &[u64]) -> Option<bool> {
    let at = words.as_ptr().addr() + (4 << 20);
    let maps = std::fs::read_to_string("/proc/self/smaps").ok()?;
    let mut is_there = false;
    for line in maps.lines() {
        let range = line
            .split(' ')
            .next()
            .and_then(|range| range.split_once('-'));
        let bounds = range.map(|(from, to)| [from, to].map(|at| usize::from_str_radix(at, 16)));
        if let Some([Ok(from), Ok(to)]) = bounds {
            is_there = (from..to).contains(&at);
        }
        if is_there && line.starts_with("VmFlags:") {
            return Some(line.split(' ').any(|flag| flag == "hg"));
        }
    }
    None
}

/// A stage whose size a file claims may get only a few keys, and with huge pages each key would
/// occupy 2 MiB per probe.
#[cfg(all(feature = "huge-pages", target_os = "linux", not(miri)))]
#[test]
fn huge_pages_are_asked_for_where_memory_is_about_to_be_filled() {
    let grown = |growth| {
        let policy = Policy::new(Spec::new(50_000, 0.01).unwrap()).growth(growth);
        let mut filter: ScalableBloom =
            ScalableBloom::with_policy(policy.unwrap(), Folded::default()).unwrap();
        let mut keys = 0_u64..;
        while filter.size_bits() < 1 << 27 {
            filter.insert(&keys.next().unwrap());
        }
        filter
    };
    let newest_is_huge = |filter: &ScalableBloom| {
        is_huge(filter.stages().last().unwrap().filter().bits().words()).unwrap()
    };
    let dense = grown(8);
    if !newest_is_huge(&dense) {
        // Writes to stderr directly, because the test harness hides what a passing test prints.
        use std::io::Write;
        let mut err = io::stderr();
        writeln!(err, "SKIPPED: this system has no huge pages").unwrap();
        return;
    }
    let claimed = grown(1_000);
    assert!(!newest_is_huge(&claimed));
    // A filter read from a file is filled at once, so it uses huge pages.
    let again = ScalableBloom::from_bytes(&dense.encode()).unwrap();
    assert!(newest_is_huge(&again));
}
