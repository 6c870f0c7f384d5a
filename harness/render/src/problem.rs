//! A check that did not pass, in words.

use super::{document::Text, judge::Problem, number};

/// A problem, and how many more of its kind there are.
pub fn item(problem: &Problem, more: usize) -> Text {
    let mut text = Text::default()
        .strong(format!("{}: {}", problem.outcome.word(), problem.what))
        .plain(format!(". {}.", number::capital(&problem.by)));
    if let Some(words) = and_more(problem, more) {
        text = text.plain(format!(" {words}."));
    }
    match problem.repeat.as_str() {
        "" => text,
        repeat => text.plain(" Repeat: ").code(repeat),
    }
}

/// "And 3 more of standard on urls"; `None` for none.
pub fn and_more(problem: &Problem, more: usize) -> Option<String> {
    let on = match problem.dataset.as_str() {
        "" => "",
        _ => " on ",
    };
    let more = (more > 0).then(|| number::count(more as u64))?;
    Some(format!(
        "And {more} more of {}{on}{}",
        problem.subject, problem.dataset
    ))
}
