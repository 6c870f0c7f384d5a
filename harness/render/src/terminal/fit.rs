//! Which columns a screen has room for, and how wide each is.

use crate::columns::Column;

/// Blanks between two columns.
const GAP: usize = 2;
/// A column of words that is wider is of sentences, which can take several lines.
const SENTENCE: usize = 30;
/// They get no narrower than this.
const LEAST: usize = 24;

/// The columns that are shown, each with its width.
pub struct Fit<'a> {
    columns: &'a [Column],
    /// None of those that are left out.
    widths: Vec<Option<usize>>,
}

impl<'a> Fit<'a> {
    /// Of these lines, the headings among them. The first column always stays; those that
    /// are kept go after the others; of either kind the last goes first.
    pub fn of(columns: &'a [Column], lines: &[Vec<String>], limit: Option<usize>) -> Self {
        let natural = |at: usize| {
            let widths = lines.iter().map(|line| line[at].chars().count());
            Some(widths.max().unwrap_or(0))
        };
        let mut fit = Self {
            columns,
            widths: (0..columns.len()).map(natural).collect(),
        };
        let Some(limit) = limit else {
            return fit;
        };
        while !fit.shrink(limit) {
            let goes = fit.shown().skip(1);
            match goes.max_by_key(|at| (!columns[*at].kept, *at)) {
                Some(at) => fit.widths[at] = None,
                None => {
                    fit.widths[0] = fit.widths[0].map(|width| width.min(limit));
                    break;
                }
            }
        }
        fit
    }

    fn shown(&self) -> impl Iterator<Item = usize> {
        (0..self.widths.len()).filter(|at| self.widths[*at].is_some())
    }

    pub fn left_out(&self) -> impl Iterator<Item = usize> {
        (0..self.widths.len()).filter(|at| self.widths[*at].is_none())
    }

    /// Makes sentences narrower as far as it takes; false if that is not enough.
    fn shrink(&mut self, limit: usize) -> bool {
        let gaps = GAP * self.shown().count().saturating_sub(1);
        let total: usize = self.widths.iter().flatten().sum();
        let mut over = (total + gaps).saturating_sub(limit);
        let is_sentence = |at: usize, width: usize| !self.columns[at].numeric && width > SENTENCE;
        let each = self.widths.iter().enumerate();
        let spare = each.filter_map(|(at, width)| {
            let width = (*width)?;
            is_sentence(at, width).then(|| (at, width - LEAST))
        });
        let mut spare: Vec<(usize, usize)> = spare.collect();
        if spare.iter().map(|(_, spare)| spare).sum::<usize>() < over {
            return false;
        }
        // The widest give first.
        spare.sort_by_key(|(at, spare)| (std::cmp::Reverse(*spare), *at));
        for (at, spare) in spare {
            let less = spare.min(over);
            over -= less;
            self.widths[at] = self.widths[at].map(|width| width - less);
        }
        true
    }

    /// A row's cells in one line, or as many as the longest sentence takes.
    pub fn line(&self, cells: &[String]) -> String {
        let each = self.shown().filter_map(|at| Some((at, self.widths[at]?)));
        let set: Vec<(usize, usize, Vec<String>)> = each
            .map(|(at, width)| (at, width, broken(&cells[at], width)))
            .collect();
        let height = set.iter().map(|(.., parts)| parts.len()).max().unwrap_or(1);
        let mut out = String::new();
        for line in 0..height {
            let cells = set.iter().map(|(at, width, parts)| {
                let cell = parts.get(line).map_or("", String::as_str);
                match self.columns[*at].numeric {
                    true => format!("{cell:>width$}"),
                    false => format!("{cell:<width$}"),
                }
            });
            out += cells.collect::<Vec<_>>().join("  ").trim_end();
            out.push('\n');
        }
        out
    }
}

/// Words in lines of at most so many characters; a word that is longer is cut.
fn broken(words: &str, width: usize) -> Vec<String> {
    if words.chars().count() <= width {
        return vec![words.to_owned()];
    }
    let mut lines = vec![String::new()];
    for word in words.split(' ') {
        let mut word: Vec<char> = word.chars().collect();
        loop {
            let last = lines.last().map_or(0, |line| line.chars().count());
            let gap = usize::from(last > 0);
            let room = width.saturating_sub(last + gap);
            let fits = word.len() <= room;
            if !fits && last > 0 {
                lines.push(String::new());
                continue;
            }
            let rest = word.split_off(word.len().min(room.max(1)));
            if let Some(line) = lines.last_mut() {
                line.extend(std::iter::repeat_n(' ', gap).chain(word));
            }
            if rest.is_empty() {
                break;
            }
            word = rest;
        }
    }
    lines
}
