//! Every page is in the table of contents and in the list of chapters whose programs are tested,
//! and its links lead to existing files.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

const GUIDE: &str = env!("CARGO_MANIFEST_DIR");
/// A page that is no chapter: mdBook copies it as it is.
const SEE: &str = "see.html";

/// Collects the pages below `src` by their relative paths.
fn pages(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages(&path, found);
        } else {
            let below = path.strip_prefix(Path::new(GUIDE).join("src")).unwrap();
            found.insert(below.to_str().unwrap().to_owned());
        }
    }
}

/// The targets of the links of a page.
fn targets(text: &str) -> impl Iterator<Item = &str> {
    text.split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
}

#[test]
fn each_page_is_a_chapter_whose_programs_run() {
    let mut found = BTreeSet::new();
    pages(&Path::new(GUIDE).join("src"), &mut found);
    found.remove("SUMMARY.md");
    found.remove(SEE);
    let listed: BTreeSet<String> = bouquet_guide::CHAPTERS
        .iter()
        .map(|page| page.to_string())
        .collect();
    assert_eq!(found, listed, "programs.rs lists the chapters");
    let summary = fs::read_to_string(Path::new(GUIDE).join("src/SUMMARY.md")).unwrap();
    let contents: BTreeSet<String> = targets(&summary).map(str::to_owned).collect();
    assert_eq!(found, contents, "SUMMARY.md lists the chapters");
}

#[test]
fn links_go_to_files() {
    let mut found = BTreeSet::new();
    pages(&Path::new(GUIDE).join("src"), &mut found);
    found.remove(SEE);
    let mut files: Vec<PathBuf> = found
        .iter()
        .map(|page| Path::new(GUIDE).join("src").join(page))
        .collect();
    files.push(Path::new(GUIDE).join("../COMPARE.md"));
    let mut links = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for target in targets(&text).filter(|target| !target.contains("://")) {
            let path = target.split('#').next().unwrap();
            let there = file.parent().unwrap().join(path);
            assert!(
                path.is_empty() || there.exists(),
                "{}: {target}",
                file.display()
            );
            links += 1;
        }
    }
    assert!(links > 20, "{links}");
}

/// The chapter, or the page [`SEE`], that a link in a chapter leads to; `None` if it leads out of
/// the book, which contains no other files of the repository.
fn chapter(page: &str, target: &str) -> Option<String> {
    let path = target.split('#').next().unwrap();
    if path.is_empty() {
        return Some(page.to_owned());
    }
    let mut folders: Vec<&str> = page.split('/').collect();
    folders.pop();
    for part in path.split('/') {
        match part {
            ".." => _ = folders.pop()?,
            part => folders.push(part),
        }
    }
    let chapter = folders.join("/");
    let mut all = bouquet_guide::CHAPTERS.iter().chain([&SEE]);
    all.any(|page| *page == chapter).then_some(chapter)
}

#[test]
fn no_link_leads_out_of_the_book() {
    for page in bouquet_guide::CHAPTERS {
        let text = fs::read_to_string(Path::new(GUIDE).join("src").join(page)).unwrap();
        for target in targets(&text).filter(|target| !target.contains("://")) {
            assert!(
                chapter(page, target).is_some(),
                "{page}: {target}: name the file in `code` instead"
            );
        }
    }
    let at = |page, target| chapter(page, target);
    assert_eq!(
        at("migrate/guava.md", "../size.md#steps"),
        Some("size.md".into())
    );
    assert_eq!(at("size.md", "#steps"), Some("size.md".into()));
    for out in ["../../COMPARE.md", "../size.md", "no.md", "SUMMARY.md"] {
        assert_eq!(at("size.md", out), None, "{out}");
    }
}

/// mdBook makes `choose.html` of `choose.md`, and leaves the links of other pages as they are.
#[test]
fn the_page_for_newcomers_is_linked_and_links_to_chapters() {
    let read = |page| fs::read_to_string(Path::new(GUIDE).join("src").join(page)).unwrap();
    assert!(targets(&read("introduction.md")).any(|target| target == SEE));
    let page = read(SEE);
    let links = page.split("href=\"").skip(1);
    let links: Vec<&str> = links.filter_map(|rest| rest.split('"').next()).collect();
    assert!(links.len() >= 3, "{links:?}");
    for link in links {
        if let Some(id) = link.strip_prefix('#') {
            assert!(page.contains(&format!(" id=\"{id}\"")), "{link}");
            continue;
        }
        let chapter = link.replace(".html", ".md");
        assert!(bouquet_guide::CHAPTERS.contains(&&*chapter), "{link}");
    }
}

/// Paths in backticks, which pages have instead of links out of the book, must exist.
#[test]
fn files_that_are_named_are_there() {
    let home = Path::new(GUIDE).join("../..");
    let mut files = 0;
    for page in bouquet_guide::CHAPTERS {
        let text = fs::read_to_string(Path::new(GUIDE).join("src").join(page)).unwrap();
        let is_path = |quoted: &&str| {
            ["crates/", "docs/", "harness/", "reports/", "scripts/"]
                .iter()
                .any(|folder| quoted.starts_with(folder))
        };
        for named in text.split('`').filter(is_path) {
            assert!(home.join(named).exists(), "{page}: {named}");
            files += 1;
        }
    }
    assert!(files > 30, "{files}");
}

#[test]
fn every_example_is_listed() {
    let crates = Path::new(GUIDE).join("../../crates");
    let listed = fs::read_to_string(Path::new(GUIDE).join("src/examples.md")).unwrap();
    let mut examples = 0;
    for folder in fs::read_dir(crates).unwrap() {
        let folder = folder.unwrap().path().join("examples");
        // The examples of the Redis client are listed in its README.
        if !folder.exists() || folder.parent().unwrap().ends_with("redis") {
            continue;
        }
        for example in fs::read_dir(folder).unwrap() {
            let path = example.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let run = format!("--example {name}` |");
            assert!(listed.contains(&run), "examples.md does not list {name}");
            examples += 1;
        }
    }
    assert!(examples >= 20, "{examples}");
}

/// The tests that a row of COMPARE.md names: a file, followed by names of tests in it.
fn named(row: &str) -> Vec<(PathBuf, String)> {
    let interop = Path::new(GUIDE).join("../../crates/interop/tests/all");
    let mut file = None;
    let mut named = Vec::new();
    for quoted in row.split('`').skip(1).step_by(2) {
        if let Some(name) = quoted.strip_suffix(".rs") {
            let name = name.rsplit('/').next().unwrap();
            file = Some(interop.join(name).with_extension("rs"));
        } else if let Some(file) = &file {
            named.push((file.clone(), quoted.to_owned()));
        }
    }
    named
}

#[test]
fn tests_that_are_named_are_there() {
    let text = fs::read_to_string(Path::new(GUIDE).join("../COMPARE.md")).unwrap();
    let rows = text
        .lines()
        .skip_while(|line| !line.ends_with("| shown by |"));
    let mut tests = 0;
    for (file, name) in rows.flat_map(named).filter(|(_, name)| !name.contains('/')) {
        let source = fs::read_to_string(&file).unwrap();
        assert!(
            source.contains(&format!("fn {name}()")),
            "{}: {name}",
            file.display()
        );
        tests += 1;
    }
    assert!(tests >= 8, "{tests}");
}
