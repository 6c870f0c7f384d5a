//! The Explore view of the committed report, with the reports beside it.

use std::collections::BTreeSet;

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
    let sets = sets(&page);
    for (size, more) in [(WIDE, &[][..]), (PHONE, &[NIGHT])] {
        let found = open(&browser, &folder, &page, size, more);
        check(&found);
        let stops = &found["tabs"];
        assert!(
            stops["count"].as_u64().unwrap() <= MOST_TAB_STOPS,
            "{stops}"
        );
        assert_eq!(stops["first"], "skip");
        works(&found["explore"], &sets);
    }
    // Without a script, pictures of the same stand in its place.
    let [start, end] = ["<noscript>", "</noscript>"];
    let pictures = page.split(start).filter_map(|part| part.split_once(end));
    let pictures = pictures.filter(|(part, _)| part.contains("<img src=\"charts/"));
    assert_eq!(pictures.count(), 4);
}

fn works(explore: &Value, sets: &[BTreeSet<String>]) {
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
    choices(sets, views);
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
        let marks = view["marks"].as_array().unwrap();
        assert!(marks[0].as_u64().unwrap() > 10, "{marks:?}");
        assert!(marks.iter().all(|count| *count == marks[0]), "{marks:?}");
        assert_eq!(view["strange"], serde_json::json!([]));
        let says = words(&view["says"]);
        let is_interval = |says: &&str| says.contains(" to ") || says.contains("95 %");
        assert!(says.iter().all(is_interval), "{says:?}");
        assert_ne!(says[0], says[3], "another filter");
    }
}

/// What each view of the page has data for, as the options of its choices.
fn sets(page: &str) -> Vec<BTreeSet<String>> {
    let (_, data) = page.split_once("id=\"explore-data\">").unwrap();
    let data: Value = serde_json::from_str(data.split("</script>").next().unwrap()).unwrap();
    let list = |value: &Value| value.as_array().unwrap().clone();
    let view = |view: Value| {
        let number = |value: &Value| value.as_u64().unwrap() as usize;
        let choices = list(&view["choices"]);
        let set = |set: Value| {
            let options = list(&set[0]).into_iter().zip(&choices);
            let options = options.map(|(at, choice)| list(&choice["options"])[number(&at)].clone());
            let options: Vec<Value> = options.collect();
            let own = words(&Value::Array(options)).join(", ");
            let theory = list(&set[1])
                .iter()
                .any(|series| view["lines"][number(&series[1])][2] == true);
            match view["is_rate"] == true {
                true => [("rate", true), ("measured / theory", theory)]
                    .into_iter()
                    .filter(|(_, is_there)| *is_there)
                    .map(|(way, _)| format!("{own}, {way}"))
                    .collect(),
                false => vec![own],
            }
        };
        list(&view["sets"]).into_iter().flat_map(set).collect()
    };
    list(&data["views"]).into_iter().map(view).collect()
}

/// All that has data can be chosen, and nothing else; where a choice closes another, the page goes
/// to one that has data, and says so.
fn choices(sets: &[BTreeSet<String>], views: &[Value]) {
    let mut moved = 0;
    for (view, sets) in views.iter().zip(sets) {
        let open: BTreeSet<String> = words(&view["open"])
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(open, *sets);
        for one in view["moves"].as_array().unwrap() {
            let [lists, says] = words(one)[..] else {
                panic!("{one}")
            };
            let named = lists.split(',').filter(|name| !name.is_empty());
            assert_eq!(lists.is_empty(), says.is_empty(), "{one}");
            for name in named {
                assert!(says.contains(&format!("{name} is now “")), "{one}");
                moved += 1;
            }
        }
    }
    assert!(moved > 5, "{moved}");
    assert!(views.iter().any(|view| view["closed"].as_u64() > Some(0)));
    let start = words(&views[2]["start"]).join(", ");
    assert_eq!(start, "u64, 1,000,000, 1 %, insert");
    let columns = ["u64, 10,000, ", "u64, 100,000,000, ", "url, 1,000,000, "];
    assert!(
        columns
            .iter()
            .all(|column| sets[2].iter().any(|set| set.starts_with(column)))
    );
}
