//! The pages of the committed records, and the pages of commands whose answer is no study, on a screen
//! and on a phone, by day and by night.

use super::*;

/// Looks at a page four times; gives what was found on the screen and on the phone.
fn looked_at(browser: &str, folder: &Folder, page: &Path) -> [Value; 2] {
    let page = fs::read_to_string(page).unwrap();
    let found = [WIDE, PHONE].map(|size| {
        let day = open(browser, folder, &page, size, &[]);
        let night = open(browser, folder, &page, size, &[NIGHT]);
        for found in [&day, &night] {
            check(found);
        }
        assert_ne!(day["paper"], night["paper"]);
        let open = words(&day["unfolded"]);
        let is_glance = matches!(&open[..], [] | ["At a glance"]);
        assert!(is_glance, "{open:?}");
        day
    });
    assert_eq!(found[1]["width"], 390);
    found
}

#[test]
#[ignore = "long in a browser: scripts/nightly browser"]
fn the_pages_of_the_committed_records_work() {
    let Some(browser) = browser() else { return };
    let folder = Folder::new("committed");
    let reports = PathBuf::from(folder.path("reports"));
    for (report, drawn) in [("main", 7), ("speed", 8), ("peers", 4), ("uniformity", 2)] {
        let out = reports.join(report);
        let (from, to) = (format!("reports/{report}"), out.display().to_string());
        bouquet(&["report", &from, "--out", &to, "--format", "csv"]);
        let readme = fs::read_to_string(out.join("README.md")).unwrap();
        assert!(readme.len() < 40_000, "{report}: {} bytes", readme.len());
        let page = out.join("index.html");
        let text = fs::read_to_string(&page).unwrap();
        let choice = text.find("<h2 id=\"which-one-to-take\">");
        assert!(choice.is_some(), "{report}");
        assert!(text.contains("<nav aria-label=\"Contents\">"), "{report}");
        let contents = text.split("</nav>").next().unwrap();
        let lines = contents.matches("<li>").count();
        assert!((2..=16).contains(&lines), "{report}: {lines}");
        let [wide, phone] = looked_at(&browser, &folder, &page);
        let charts = wide["charts"].as_array().unwrap().len();
        assert!(charts >= drawn, "{report}: {charts}");
        // Of all tables the glance alone comes before them.
        assert_eq!(wide["early"].as_u64(), (drawn > 0).then_some(1), "{report}");
        // Each chart has a form whose labels are seen there without scrolling.
        let on_phone = phone["phone"].as_array().unwrap().len();
        assert_eq!(on_phone, charts, "{report}");
        let tables = reports.join(report).join("tables.html");
        if tables.exists() {
            let text = fs::read_to_string(&tables).unwrap();
            check(&open(&browser, &folder, &text, WIDE, &[]));
            check(&open(&browser, &folder, &text, PHONE, &[]));
        }
    }
    bouquet(&["report", "--index", &reports.display().to_string()]);
    looked_at(&browser, &folder, &reports.join("index.html"));
    let made = fs::read_to_string(reports.join("index.html")).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let committed = fs::read_to_string(root.join("reports/index.html")).unwrap();
    assert!(
        made == committed,
        "reports/index.html: made again by report --index"
    );
}

#[test]
#[ignore = "long in a browser: scripts/nightly browser"]
fn the_pages_of_answers_work() {
    let Some(browser) = browser() else { return };
    let folder = Folder::new("answers");
    for (name, args) in [
        (
            "sizes",
            "uniformity --sizes 2^32+1 --schemes independent --datasets sequential",
        ),
        ("compare", "compare reports/peers reports/peers --all"),
    ] {
        let out = folder.path(name);
        let args: Vec<&str> = args.split(' ').chain(["--out", &out]).collect();
        bouquet(&args);
        let page = Path::new(&out).join("index.html");
        looked_at(&browser, &folder, &page);
        let text = fs::read_to_string(&page).unwrap();
        assert!(text.contains("<nav aria-label=\"Contents\">"), "{name}");
        let is_aside = Path::new(&out).join("tables.html").exists();
        assert!(text.contains("<details>") || is_aside, "{name}");
    }
}
