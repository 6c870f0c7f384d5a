// Files of every other filter, a folder, no file, an empty one, and the first half of one.
use std::fs;

use bouquet::{
    BlockedBloom, CountingBloom, CuckooFilter, LoadError, PartitionedBloom, ScalableBloom,
    ShardedBloom, StandardBloom,
};

fn message<F>(loaded: Result<F, LoadError>) -> String {
    match loaded {
        Ok(_) => panic!("it was loaded"),
        Err(error) => error.to_string(),
    }
}

/// Runs `$run` with a list of all filters.
macro_rules! all {
    ($run:ident in $folder:ident) => {
        $run! {
            $folder [
                BlockedBloom CountingBloom CuckooFilter PartitionedBloom ScalableBloom
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
            if kind == stringify!($filter) {
                assert!(loaded?.contains("rose"));
                continue;
            }
            let said = message(loaded);
            let named = said.contains(&format!("use the type `{kind}"));
            assert!(named, "{}, of a {kind}: {said}", stringify!($filter));
        })*
    };
}

macro_rules! load_what_is_none {
    ($folder:ident [$($filter:ident)*]) => {$({
        let whole = fs::read($folder.join(stringify!($filter)))?;
        fs::write($folder.join("half"), &whole[..whole.len() / 2])?;
        fs::write($folder.join("nothing"), [])?;
        fs::write($folder.join("text"), "rose\n".repeat(1_000))?;
        for file in ["", "missing", "half", "nothing", "text"] {
            assert!(!message($filter::load($folder.join(file))).is_empty(), "{file}");
        }
        let said = message($filter::load($folder.join("missing")));
        assert!(said.contains("missing"), "{said}");
    })*};
}

const KINDS: [&str; 7] = [
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
