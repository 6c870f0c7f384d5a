//! Tests that texts are put between the marks that belong to them.

use super::*;

fn put(text: &str) -> Result<String> {
    splice(text, |part| match part {
        "figures" => Ok(Some("| new |\n".to_owned())),
        "cost of counting" => Ok(Some("| 38 bits |\n".to_owned())),
        "speed" => Ok(None),
        other => bail!("no {other}"),
    })
}

#[test]
fn figures_go_between_the_marks_and_nowhere_else() {
    let text = "a\n<!-- figures: begin -->\nold\n<!-- figures: end -->\nb\n";
    let once = put(text).unwrap();
    assert_eq!(once, text.replace("old", "| new |"));
    assert_eq!(put(&once).unwrap(), once);
}

#[test]
fn a_file_may_have_several_pairs_and_none_may_be_empty_before() {
    let text = "<!-- cost of counting: begin -->\n<!-- cost of counting: end -->\n\n\
                <!-- figures: begin -->\nold\n\nolder\n<!-- figures: end -->\n\
                <!-- cost of counting: begin -->\nx\n<!-- cost of counting: end -->";
    let once = put(text).unwrap();
    assert_eq!(once.matches("| 38 bits |").count(), 2);
    assert!(once.contains("begin -->\n| new |\n<!-- figures: end -->\n<!--"));
    assert!(!once.contains("old"));
    assert_eq!(put(&once).unwrap(), once);
}

#[test]
fn what_another_report_has_stays() {
    let text = "<!-- speed: begin -->\n\nfast\n<!-- speed: end -->\n\
                <!-- figures: begin -->\nold\n<!-- figures: end -->\n";
    assert_eq!(put(text).unwrap(), text.replace("old", "| new |"));
}

#[test]
fn marks_without_an_end_or_a_filter_are_rejected() {
    for (text, part) in [
        ("a", "no mark"),
        ("<!-- figures: begin -->", "is not closed"),
        (
            "<!-- figures: begin -->\n<!-- cost of counting: end -->\n",
            "is not closed",
        ),
        (
            "<!-- figures: begin -->\nkept\n<!-- cost of counting: begin -->\n\
             <!-- cost of counting: end -->\n<!-- figures: end -->\n",
            "is not closed",
        ),
        (
            "<!-- cost of tulip: begin -->\n<!-- cost of tulip: end -->\n",
            "tulip",
        ),
        ("<!-- speed: begin -->\n<!-- speed: end -->\n", "no mark"),
        // A mark within a sentence does not count.
        ("between `<!-- figures: begin -->` and its end\n", "no mark"),
    ] {
        let error = put(text).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn lines_end_as_those_of_the_file() {
    let text = "a\r\n<!-- figures: begin -->\r\nold\r\n<!-- figures: end -->\r\nb\r\n";
    let spliced = |text: &str| splice(text, |_| Ok(Some("one\n\ntwo\n".to_owned()))).unwrap();
    let once = spliced(text);
    assert_eq!(once, text.replace("old", "one\r\n\r\ntwo"));
    assert_eq!(spliced(&once), once);
}
