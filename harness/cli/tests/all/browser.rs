//! Opens the written pages in a real headless browser and checks that there are no errors, that
//! every chart has marks, that tables can be sorted, and that tooltips show values.
//!
//! Each test adds a script to the page. It clicks and points as a reader does, and writes what it
//! finds into the page, which the browser then prints. Without a browser the tests are skipped with
//! a message, or fail if `BOUQUET_NEEDS_BROWSER` is set.

mod explore;
mod pages;
mod see;
mod sorting;

use std::{fs, io::Write, path::PathBuf, process::Command};

use serde_json::Value;

use super::support::{Folder, good, root};

const WIDE: &str = "1400,900";
/// A browser window cannot be as narrow as a phone, so the page is shown in a narrow frame.
const PHONE: &str = "500,1000";
const FRAME: &str = "<meta charset=utf-8><iframe id=frame width=390 height=844 style=border:0 srcdoc=\"PAGE\"></iframe>
<script>frame.onload = () => document.body.append(frame.contentDocument.getElementById(\"findings\"));
</script>";
const NIGHT: &str = "--blink-settings=preferredColorScheme=0";

/// The browser to use; `None`, with a message, if there is none.
fn browser() -> Option<String> {
    let named = std::env::var("BOUQUET_BROWSER").ok();
    let usual = [
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
    ];
    let answers = |name: &String| {
        let version = Command::new(name).arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    };
    let mut names = named.into_iter().chain(usual.map(str::to_owned));
    let found = names.find(answers);
    if found.is_none() {
        assert!(
            std::env::var_os("BOUQUET_NEEDS_BROWSER").is_none(),
            "no browser: install chromium"
        );
        // Written directly to standard error, since the test harness hides what passing tests
        // print.
        let mut err = std::io::stderr();
        writeln!(err, "SKIPPED: no browser: ./scripts/install installs one").unwrap();
    }
    found
}

/// Opens a report's page in a window of this size and returns the findings of the check.
fn open(browser: &str, folder: &Folder, page: &str, size: &str, more: &[&str]) -> Value {
    let page = page.replacen("</main>", &format!("</main>{}", sorting::TRIAL), 1);
    let check = concat!(
        include_str!("browser/explore.js"),
        include_str!("browser/check.js")
    );
    found(browser, folder, &page, check, size, more)
}

/// Opens a page in a window of this size, runs a script when it is loaded, and returns what the
/// script found.
fn found(
    browser: &str,
    folder: &Folder,
    page: &str,
    script: &str,
    size: &str,
    more: &[&str],
) -> Value {
    let name = format!("page-{size}-{}.html", more.concat().replace('/', "-"));
    let script = format!("<script>addEventListener(\"load\", () => {{{script}}});</script></body>");
    let page = page
        .replacen(
            "<head>",
            concat!(
                "<head><script>",
                include_str!("browser/watch.js"),
                "</script>"
            ),
            1,
        )
        .replacen("</body>", &script, 1);
    let page = match size {
        PHONE => FRAME.replace("PAGE", &page.replace('&', "&amp;").replace('"', "&quot;")),
        _ => page,
    };
    fs::write(folder.path(&name), page).unwrap();
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
        ])
        .args([
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
        ])
        .args(["--enable-logging=stderr", "--timeout=60000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.path("profile")))
        .arg(format!("--window-size={size}"))
        .args(more)
        .arg(format!("file://{}", folder.path(&name)))
        .output()
        .unwrap();
    let (dom, log) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    let found = dom.split("<pre id=\"findings\">").nth(1);
    let found = found.unwrap_or_else(|| panic!("no findings: {log}"));
    let json = found.split("</pre>").next().unwrap();
    let json = json
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&nbsp;", "\u{a0}");
    let mut found: Value = serde_json::from_str(&json.replace("&amp;", "&")).unwrap();
    // Errors that the browser itself reports are only in its log.
    let said = log.lines().filter(|line| line.contains("CONSOLE"));
    found["console"] = said.map(str::to_owned).collect::<Vec<_>>().into();
    found
}

/// Runs a command that writes a report, and returns the report's page.
fn page(folder: &Folder, args: &str) -> String {
    good(&format!("{args} --out {}", folder.path("report")));
    folder.read("report/index.html")
}

fn words(list: &Value) -> Vec<&str> {
    let list = list.as_array().unwrap();
    list.iter().map(|word| word.as_str().unwrap()).collect()
}

/// Asserts that the script found nothing wrong, and whatever else must hold for every page.
fn check(found: &Value) {
    assert_eq!(found["wrong"], serde_json::json!([]));
    assert_eq!(found["console"], serde_json::json!([]));
    assert_eq!(found["loaded"], serde_json::json!([]));
    assert_eq!(found["unsortable"], 0);
    assert_eq!(
        found["overflow"], 0,
        "the page is wider than {}",
        found["width"]
    );
    assert_eq!(
        (&found["opened"], &found["loose"]),
        (&0.into(), &0.into()),
        "tables wider than their boxes"
    );
    assert_eq!(found["unnamed"], 0, "headings without an id");
    assert_eq!(found["doubled"], serde_json::json!([]));
    assert_eq!(found["disguised"], serde_json::json!([]));
    sorting::sorts(found);
    for chart in found["charts"].as_array().unwrap() {
        let name = &chart["name"];
        assert!(chart["marks"].as_u64().unwrap() >= 3, "{name}: {chart}");
        assert_eq!(chart["flat"], 0, "{name}");
        let (says, shown) = (chart["says"].as_str(), chart["shown"].as_str());
        let (says, shown) = (says.unwrap(), shown.unwrap());
        // If many marks of a chart overlap, the tooltip lists the first few and counts the others.
        assert!(
            shown.contains(says) || shown.contains("more here"),
            "{name}: {shown:?}"
        );
        assert!(
            says.contains(char::is_numeric) && shown.contains(char::is_numeric),
            "{name}: {shown:?}"
        );
        assert_eq!(
            (&chart["inside"], &chart["gone"]),
            (&true.into(), &true.into()),
            "{name}"
        );
    }
}

#[test]
fn the_page_of_an_evaluation_works() {
    let Some(browser) = browser() else { return };
    let folder = Folder::new();
    let page = page(&folder, "report reports/main --format csv");
    assert!(page.len() < 700_000, "{} bytes", page.len());
    let wide = open(&browser, &folder, &page, WIDE, &[]);
    check(&wide);
    let nodes = &wide["nodes"];
    assert!(nodes.as_u64().unwrap() < 12_000, "{nodes} nodes");
    assert!(wide["charts"].as_array().unwrap().len() >= 6);
    let bits = |clicks| -> Vec<f64> {
        let cells = sorting::first(&wide, "Bits per key", clicks);
        let number = |cell: &&str| cell.parse().ok();
        cells.iter().filter_map(number).collect()
    };
    assert!(bits(0).len() >= 10 && !bits(0).is_sorted());
    assert!(bits(1).is_sorted() && bits(2).is_sorted_by(|a, b| a >= b));

    let narrow = open(&browser, &folder, &page, PHONE, &[]);
    check(&narrow);
    assert_eq!(narrow["width"], 390);
    let dark = open(&browser, &folder, &page, WIDE, &[NIGHT]);
    check(&dark);
    check(&open(&browser, &folder, &page, PHONE, &[NIGHT]));
    assert_eq!(
        (&dark["dark"], &wide["dark"]),
        (&true.into(), &false.into())
    );
    assert_ne!(dark["paper"], wide["paper"]);
}

/// Checks a page on a wide screen and on a phone; returns the findings and the number of charts.
fn page_of(browser: &str, folder: &Folder, args: &str) -> (Value, usize) {
    let page = page(folder, args);
    let found = open(browser, folder, &page, WIDE, &[]);
    check(&found);
    check(&open(browser, folder, &page, PHONE, &[]));
    let charts = found["charts"].as_array().unwrap().len();
    (found, charts)
}

#[test]
#[ignore = "long in a browser: scripts/nightly browser"]
fn the_pages_of_runs_work() {
    let Some(browser) = browser() else { return };
    let folder = Folder::new();
    let rates = "evaluate fpr --quick --quiet --capacity=2000 --datasets=random-u64 \
                 --filters=standard,blocked,cuckoo --fpr=0.01,0.00001";
    let (found, charts) = page_of(&browser, &folder, rates);
    // The Explore view stands for all three charts.
    let views = found["explore"]["views"].as_array().unwrap();
    let titles: Vec<&Value> = views.iter().map(|view| &view["title"]).collect();
    assert_eq!(titles, ["FPR against bits per key", "FPR against load"]);
    assert_eq!(charts, 0);
}

/// The checks of the other tests must detect a broken page.
#[test]
fn a_broken_page_is_found_out() {
    let Some(browser) = browser() else { return };
    let folder = Folder::new();
    let page = page(&folder, "report reports/main --format csv");
    let loud = page.replacen("<script>", "<script>throw new Error(\"alas\");", 1);
    let found = open(&browser, &folder, &loud, WIDE, &[]);
    assert!(
        found["wrong"].to_string().contains("alas"),
        "{}",
        found["wrong"]
    );
    assert_ne!(found["unsortable"], 0);
    let calling = page.replacen(
        "<main>",
        "<main><img src=\"https://example.invalid/a.png\">",
        1,
    );
    let found = open(&browser, &folder, &calling, "1290,900", &[]);
    assert!(
        found["wrong"].to_string().contains("blocked"),
        "{}",
        found["wrong"]
    );
    assert_ne!(found["console"], serde_json::json!([]));
}
