//! The named key sets, as listed in `datasets/manifest.toml`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use super::{
    KeySet,
    generate::{Generator, zipf},
    named,
};

const FILE: &str = "datasets/manifest.toml";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The folder to which the paths of files are relative.
    #[serde(skip)]
    folder: PathBuf,
    dataset: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    about: String,
    keys: u64,
    file: Option<String>,
    sha256: Option<String>,
    generator: Option<String>,
    seed: Option<u64>,
}

impl Manifest {
    /// Reads the manifest of the current folder or of its nearest parent folder with a manifest; if
    /// there is none, the manifest of the source tree from which the program was built.
    pub fn find() -> Result<Self> {
        let here = std::env::current_dir().context("the current folder is gone")?;
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut folders = here.ancestors().chain([&*source]);
        let folder = folders
            .find(|folder| folder.join(FILE).exists())
            .with_context(|| {
                format!(
                    "{FILE} is neither here nor in a folder above: run in a checkout of the project"
                )
            })?;
        Self::read(&folder.join(FILE))
    }

    fn read(path: &Path) -> Result<Self> {
        let shown = path.display();
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
        let manifest = toml::from_str(&text).with_context(|| format!("wrong manifest {shown}"))?;
        Ok(Self {
            folder: path.parent().map(PathBuf::from).unwrap_or_default(),
            ..manifest
        })
    }

    /// Name and description of each set.
    pub fn about(&self) -> impl Iterator<Item = (&str, &str)> {
        self.dataset.iter().map(|one| (&*one.name, &*one.about))
    }

    /// Fails if there is no set with this name.
    pub fn check_name(&self, name: &str) -> Result<()> {
        self.entry(name).map(|_| ())
    }

    fn entry(&self, name: &str) -> Result<&Entry> {
        named("key set", name, &self.dataset, |entry| &entry.name)
    }

    /// Loads a set: reads its file and checks the file's SHA-256, or prepares a generator.
    pub fn load(&self, name: &str) -> Result<KeySet> {
        let entry = self.entry(name)?;
        let seed = entry.seed.unwrap_or(0);
        let (name, about) = (&entry.name, &entry.about);
        let set = match (&entry.file, entry.generator.as_deref()) {
            (Some(file), None) => {
                let path = self.folder.join(file);
                let (mut set, _) = KeySet::read_file(name, &path, b'\n')?;
                let (found, expected) = (&set.row.sha256, entry.sha256.as_deref().unwrap_or(""));
                ensure!(
                    found == expected,
                    "{} is not the file of the manifest: its SHA-256 is {found}, expected \
                     {expected}",
                    path.display()
                );
                set.row.about.clone_from(about);
                set
            }
            (None, Some("zipf")) => KeySet::of_lines(name, about, zipf(seed, entry.keys), b'\n'),
            (None, Some(generator)) => {
                KeySet::made(name, about, Generator::named(generator, seed)?, entry.keys)
            }
            _ => bail!("the manifest gives {name:?} not exactly one of file and generator"),
        };
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouquet_record::units::sha256;

    #[test]
    fn every_set_of_the_manifest_loads() {
        let manifest = Manifest::find().unwrap();
        let names: Vec<String> = manifest.about().map(|(name, _)| name.to_string()).collect();
        assert_eq!(names.len(), 11);
        for name in names {
            let set = manifest.load(&name).unwrap();
            assert_eq!(set.len(), manifest.entry(&name).unwrap().keys);
        }
        assert!(
            manifest
                .load("wurds")
                .unwrap_err()
                .to_string()
                .contains("urls")
        );
    }

    #[test]
    fn a_changed_file_is_found_out() {
        let folder = std::env::temp_dir().join(format!("bouquet-manifest-{}", std::process::id()));
        fs::create_dir_all(folder.join("datasets")).unwrap();
        fs::write(folder.join("datasets/a.txt"), "rose\n").unwrap();
        let manifest = |sha256: &str| {
            let text = format!(
                "[[dataset]]\nname = \"a\"\nabout = \"\"\nfile = \"a.txt\"\nkeys = 1\n\
                 sha256 = \"{sha256}\"\n"
            );
            let path = folder.join(FILE);
            fs::write(&path, text).unwrap();
            Manifest::read(&path).unwrap()
        };
        let right = sha256(b"rose\n");
        assert_eq!(manifest(&right).load("a").unwrap().len(), 1);
        let error = manifest("00").load("a").unwrap_err().to_string();
        assert!(error.contains(&right));
        fs::remove_dir_all(folder).unwrap();
    }
}
