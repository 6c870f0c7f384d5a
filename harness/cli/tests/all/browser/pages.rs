//! Checks the pages of the committed records, on a screen and on a phone, in light and dark mode.

use super::*;

/// Checks a page in both sizes and both modes; returns the findings on the screen and on the phone.
fn looked_at(browser: &str, folder: &Folder, page: &str) -> [Value; 2] {
    let found = [WIDE, PHONE].map(|size| {
        let day = open(browser, folder, page, size, &[]);
        let night = open(browser, folder, page, size, &[NIGHT]);
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
    let folder = Folder::new();
    // The index links to the docs beside it.
    fs::create_dir(folder.at("docs")).unwrap();
    fs::write(folder.at("docs/CI.md"), "").unwrap();
    let reports = PathBuf::from(folder.path("reports"));
    for (report, drawn) in [("main", 6), ("speed", 6), ("peers", 2), ("uniformity", 1)] {
        let out = reports.join(report);
        let with = match report {
            "main" => explore::WITH,
            _ => "",
        };
        good(&format!(
            "report reports/{report} {with} --out {} --format csv",
            out.display()
        ));
        let read = |file: &str| fs::read_to_string(out.join(file)).unwrap();
        let readme = read("README.md");
        let words = readme.split_whitespace().count();
        assert!(words < 1_500, "{report}: {words} words");
        let text = read("index.html");
        let contents = text.split("</nav>").next().unwrap();
        assert!(
            contents.contains("<nav aria-label=\"Contents\">"),
            "{report}"
        );
        let lines = contents.matches("<li>").count();
        assert!((2..=16).contains(&lines), "{report}: {lines}");
        let [wide, _] = looked_at(&browser, &folder, &text);
        let charts = wide["charts"].as_array().unwrap().len();
        assert!(charts >= drawn, "{report}: {charts}");
        // Only one table, the summary, comes before the charts.
        assert_eq!(wide["early"].as_u64(), (drawn > 0).then_some(1), "{report}");
    }
    good(&format!("report --index {}", reports.display()));
    let made = folder.read("reports/index.html");
    looked_at(&browser, &folder, &made);
    let committed = fs::read_to_string(root().join("reports/index.html")).unwrap();
    assert!(
        made == committed,
        "reports/index.html: made again by report --index"
    );
}
