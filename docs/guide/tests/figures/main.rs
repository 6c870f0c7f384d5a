//! The numbers in the guide and in COMPARE.md agree with the committed records, or are computed
//! here.
//!
//! Each part between `<!-- figures: NAME -->` and `<!-- end of figures -->` is checked;
//! `BOUQUET_GUIDE=write cargo test` updates them after the records have changed.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod counted;
mod peers;
mod records;
mod sized;
mod speed;

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
};

/// The text for each name.
type Figures = BTreeMap<&'static str, String>;

const END: &str = "<!-- end of figures -->";

fn pages() -> Vec<PathBuf> {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR"));
    let chapters = bouquet_guide::CHAPTERS.iter();
    let mut pages: Vec<PathBuf> = chapters.map(|page| guide.join("src").join(page)).collect();
    pages.push(guide.join("../COMPARE.md"));
    pages
}

/// The page with every such part replaced by its current text; adds the names to `used`.
fn filled(text: &str, figures: &Figures, used: &mut BTreeSet<String>) -> Result<String, String> {
    let mut parts = text.split("<!-- figures: ");
    let mut page = parts.next().unwrap().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(" -->").ok_or("a mark is not closed")?;
        let (_, after) = rest.split_once(END).ok_or(format!("{name} has no end"))?;
        let figure = figures
            .get(name)
            .ok_or(format!("no figure is named {name}"))?;
        used.insert(name.to_owned());
        page += &format!("<!-- figures: {name} -->\n{}\n{END}{after}", figure.trim());
    }
    Ok(page)
}

#[test]
fn what_is_quoted_is_what_was_measured() {
    let mut figures = Figures::new();
    peers::add(&mut figures);
    speed::add(&mut figures);
    counted::add(&mut figures);
    sized::add(&mut figures);
    let mut used = BTreeSet::new();
    for path in pages() {
        let text = fs::read_to_string(&path).unwrap();
        let due = filled(&text, &figures, &mut used);
        let due = due.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        if env::var_os("BOUQUET_GUIDE").is_some_and(|what| what == "write") {
            fs::write(&path, &due).unwrap();
        } else {
            assert_eq!(
                text,
                due,
                "{}: BOUQUET_GUIDE=write writes its figures again",
                path.display()
            );
        }
    }
    let unused: Vec<_> = figures
        .keys()
        .filter(|name| !used.contains(**name))
        .collect();
    assert!(unused.is_empty(), "no page has {unused:?}");
}

#[test]
fn another_figure_is_noticed() {
    let figures = Figures::from([("one", "is 1".to_owned())]);
    let page = |between: &str| format!("a\n<!-- figures: one -->\n{between}\n{END}\nb\n");
    let mut used = BTreeSet::new();
    assert_eq!(filled(&page("is 1"), &figures, &mut used), Ok(page("is 1")));
    assert_eq!(filled(&page("is 2"), &figures, &mut used), Ok(page("is 1")));
    assert_eq!(used, BTreeSet::from(["one".to_owned()]));
    assert!(
        filled(
            "<!-- figures: two -->\n<!-- end of figures -->",
            &figures,
            &mut used
        )
        .is_err()
    );
    assert!(filled("<!-- figures: one -->\n", &figures, &mut used).is_err());
}
