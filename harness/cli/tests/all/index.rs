//! The page that links all reports of a folder.

use std::{fs, process::Command};

use super::support::{Folder, good, root};

const BACK: &str = "<a href=\"../index.html\">All reports</a>";

/// The committed reports: a card each, with its verdict, a picture and a link back.
#[test]
fn the_committed_index_has_a_card_for_each_report() {
    let reports = root().join("reports");
    let read = |file: &str| fs::read_to_string(reports.join(file)).unwrap();
    let index = read("index.html");
    assert!(index.len() < 250_000, "{} bytes", index.len());
    let (uses, cards) = index.split_once("<h2 id=\"reports\">").unwrap();
    for command in ["bouquet recommend ", "bouquet gate ", "cargo add bouquet "] {
        assert!(uses.contains(command), "{command}");
    }
    // Where each use leads: a file and a section of it, here and, as the workflow publishes the
    // page, in the repository.
    let links = targets(uses);
    assert_eq!(links.len(), 3, "{links:?}");
    for link in &links {
        let (file, section) = link.split_once('#').unwrap_or((link, ""));
        let text = fs::read_to_string(reports.join(file)).unwrap();
        let mut headings = text.lines().filter(|line| line.starts_with('#'));
        let is_section = |line: &str| line.to_lowercase().replace(' ', "-").ends_with(section);
        assert!(headings.any(is_section), "{link}");
    }
    let published = published(&index);
    let (uses, _) = published.split_once("<h2 id=\"reports\">").unwrap();
    let want = links
        .iter()
        .map(|link| link.replace("../", "https://host/own/name/blob/1a2b/"));
    assert_eq!(targets(uses), want.collect::<Vec<_>>());
    let cards: Vec<&str> = cards.split("<li>").skip(1).collect();
    let names = ["main", "peers", "speed", "uniformity"];
    assert_eq!(cards.len(), names.len());
    for (name, card) in names.iter().zip(cards) {
        assert!(
            card.contains(&format!("<a href=\"{name}/index.html\">")),
            "{name}"
        );
        assert!(
            card.contains("<svg viewBox=") && card.contains("<path "),
            "{name}"
        );
        let readme = read(&format!("{name}/README.md"));
        let verdict = readme.lines().next().unwrap().trim_start_matches("# ");
        assert!(verdict.split_whitespace().count() <= 25, "{verdict}");
        let page = read(&format!("{name}/index.html"));
        for place in [card, &page] {
            assert!(place.contains(verdict), "{name}: {verdict}");
        }
        assert!(page.contains(BACK), "{name}");
    }
}

fn targets(page: &str) -> Vec<&str> {
    let links = page.split("<a href=\"").skip(1);
    links.filter_map(|rest| rest.split('"').next()).collect()
}

/// The page as the workflow changes it.
fn published(index: &str) -> String {
    let workflow = fs::read_to_string(root().join(".github/workflows/pages.yml")).unwrap();
    let mut lines = workflow.lines().map(str::trim);
    let command = lines.find(|line| line.starts_with("sed -i ")).unwrap();
    let folder = Folder::new();
    fs::create_dir_all(folder.at("pages/reports")).unwrap();
    fs::write(folder.at("pages/reports/index.html"), index).unwrap();
    let status = Command::new("bash")
        .args(["-c", command])
        .env("RUNNER_TEMP", folder.path("."))
        .env("GITHUB_SERVER_URL", "https://host")
        .env("GITHUB_REPOSITORY", "own/name")
        .env("GITHUB_SHA", "1a2b")
        .status();
    assert!(status.unwrap().success());
    folder.read("pages/reports/index.html")
}

#[test]
fn a_report_links_to_the_index_that_is_there() {
    let folder = Folder::with_report();
    let links = |page: &str| folder.read(page).matches(BACK).count();
    let report = folder.path("report");
    good(&format!("report {report}"));
    assert_eq!(links("report/index.html"), 0);
    good(&format!("report --index {}", folder.path(".")));
    assert_eq!(links("report/index.html"), 1);
    let linked = folder.read("report/index.html");
    good(&format!("report {report}"));
    good(&format!("report --index {}", folder.path(".")));
    assert_eq!(folder.read("report/index.html"), linked);
    // Written again elsewhere, the page is the same.
    fs::create_dir(folder.at("again")).unwrap();
    good(&format!(
        "report {report} --out {}",
        folder.path("again/report")
    ));
    assert_eq!(folder.read("again/report/index.html"), linked);
    // A card without its chart would hide that the report is damaged.
    let chart = fs::read_dir(folder.at("report/charts")).unwrap().next();
    assert!(chart.is_some());
    fs::remove_dir_all(folder.at("report/charts")).unwrap();
    let index = format!("report --index {}", folder.path("."));
    super::support::rejects(&index, &["cannot read", "charts/"]);
}
