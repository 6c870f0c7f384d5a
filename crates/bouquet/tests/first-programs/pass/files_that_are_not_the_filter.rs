// Files of every other filter, a folder, a missing file, an empty file, and the first half of a
// file.
use std::fs;

use bouquet::{
    AtomicBloom, BlockedBloom, CountingBloom, CuckooFilter, LoadError, PartitionedBloom,
    ScalableBloom, ShardedBloom, StandardBloom,
};

fn message<F>(loaded: Result<F, LoadError>) -> String {
    match loaded {
        Ok(_) => panic!("it was loaded"),
        Err(error) => error.to_string(),
    }
}

/// An `AtomicBloom` is stored as a `StandardBloom`.
fn as_stored(kind: &str) -> &str {
    if kind == "AtomicBloom" {
        "StandardBloom"
    } else {
        kind
    }
}

/// Runs `$run` with a list of all filters.
macro_rules! all {
    ($run:ident in $folder:ident) => {
        $run! {
            $folder [
                AtomicBloom BlockedBloom CountingBloom CuckooFilter PartitionedBloom ScalableBloom
                ShardedBloom StandardBloom
            ]
        }
    };
}

macro_rules! save {
    ($folder:ident [$($filter:ident)*]) => {
        $($filter::from_keys(["rose"], 0.01)?.save($folder.join(stringify!($filter)))?;)*
    };
}

macro_rules! load_each_other {
    ($folder:ident [$($filter:ident)*]) => {
        $(for kind in KINDS {
            let loaded = $filter::load($folder.join(kind));
            let (asked, stored) = (stringify!($filter), as_stored(kind));
            if as_stored(asked) == stored {
                assert!(loaded?.contains("rose"));
                continue;
            }
            let said = message(loaded);
            let named = said.contains(&format!("holds a `{stored}`"))
                && said.contains(&format!("`{asked}`"))
                && said.contains(&format!("use the type `{stored}<"));
            assert!(named, "{asked}, of a {kind}: {said}");
            assert_eq!(said.contains("(or `AtomicBloom<Folded>`"), stored == "StandardBloom");
        })*
    };
}

macro_rules! load_what_is_none {
    ($folder:ident [$($filter:ident)*]) => {$({
        let whole = fs::read($folder.join(stringify!($filter)))?;
        fs::write($folder.join("half"), &whole[..whole.len() / 2])?;
        fs::write($folder.join("nothing"), [])?;
        fs::write($folder.join("text"), "rose\n".repeat(1_000))?;
        for (file, why) in [
            ("half", "the file is cut short"), ("nothing", "no signature"), ("text", "no signature"),
        ] {
            let said = message($filter::load($folder.join(file)));
            assert!(said.contains(why), "{file}: {said}");
        }
        let missing = $folder.join("missing");
        let said = message($filter::load(&missing));
        assert!(said.starts_with(&format!("cannot read {}: ", missing.display())), "{said}");
        let a_folder = "it is a folder; give the path of a file";
        let want = format!("cannot read {}: {a_folder}", $folder.display());
        assert_eq!(message($filter::load(&$folder)), want);
        let no_path = "the path is empty; give that of a file";
        assert_eq!(message($filter::load("")), format!("cannot read a file: {no_path}"));

        let filter = $filter::new(10, 0.01)?;
        let want = format!("cannot write {}: {a_folder}", $folder.display());
        assert_eq!(filter.save(&$folder).unwrap_err().to_string(), want);
        let want = format!("cannot write a file: {no_path}");
        assert_eq!(filter.save("").unwrap_err().to_string(), want);
    })*};
}

const KINDS: [&str; 8] = [
    "AtomicBloom",
    "BlockedBloom",
    "CountingBloom",
    "CuckooFilter",
    "PartitionedBloom",
    "ScalableBloom",
    "ShardedBloom",
    "StandardBloom",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = format!("first-wrong-files-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    fs::create_dir_all(&folder)?;
    all!(save in folder);
    all!(load_each_other in folder);
    all!(load_what_is_none in folder);
    fs::remove_dir_all(&folder)?;
    Ok(())
}
