//! The Explore view of the committed report, with the reports beside it.

use super::*;

/// How `.ci/run` makes the page.
pub const WITH: &str = "--with reports/peers --with reports/speed";
const MOST_BYTES: usize = 400_000;
const MOST_TAB_STOPS: u64 = 60;

#[test]
fn one_view_shows_all_filters_peers_and_the_baseline() {
    let Some(browser) = browser() else { return };
    let folder = Folder::new();
    let page = page(&folder, &format!("report reports/main {WITH} --format csv"));
    assert!(page.len() <= MOST_BYTES, "{} bytes", page.len());
    for (size, more) in [(WIDE, &[][..]), (PHONE, &[NIGHT])] {
        let found = open(&browser, &folder, &page, size, more);
        check(&found);
        let stops = &found["tabs"];
        assert!(
            stops["count"].as_u64().unwrap() <= MOST_TAB_STOPS,
            "{stops}"
        );
        assert_eq!(stops["first"], "skip");
        works(&found["explore"]);
    }
    // Without a script, pictures of the same stand in its place.
    let [start, end] = ["<noscript>", "</noscript>"];
    let pictures = page.split(start).filter_map(|part| part.split_once(end));
    let pictures = pictures.filter(|(part, _)| part.contains("<img src=\"charts/"));
    assert_eq!(pictures.count(), 3);
}

fn works(explore: &Value) {
    assert_eq!(explore["hidden"], false);
    assert_eq!(explore["empty"], serde_json::json!([]));
    for what in ["hides", "single", "back", "moves"] {
        assert_eq!(explore[what], true, "{what}");
    }
    assert!(
        explore["hover"].as_str().unwrap().contains(": "),
        "{explore}"
    );
    let views = explore["views"].as_array().unwrap();
    let titles: Vec<&str> = views
        .iter()
        .map(|view| view["title"].as_str().unwrap())
        .collect();
    assert_eq!(
        titles,
        [
            "FPR against bits per key",
            "FPR against load",
            "Time against bits per key"
        ]
    );
    for view in views {
        let names = words(&view["names"]);
        for name in ["standard", "cuckoofilter"] {
            assert!(names.contains(&name), "{name}: {view}");
        }
        assert!(
            names.iter().any(|name| name.starts_with("fastbloom")),
            "{view}"
        );
        assert_eq!(
            (&view["zoomed"], &view["whole"]),
            (&true.into(), &true.into()),
            "{view}"
        );
        let says = words(&view["says"]);
        let is_interval = |says: &&str| says.contains(" to ") || says.contains("95 %");
        assert!(says.iter().all(is_interval), "{says:?}");
        assert_ne!(says[0], says[3], "another filter");
    }
}
