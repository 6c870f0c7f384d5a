//! Decides which columns fit on a screen, and how wide each of them is.

use crate::columns::Column;

/// The number of blanks between two columns.
pub const GAP: usize = 2;
/// A text column that is wider than this consists of sentences, which may take several lines.
const SENTENCE: usize = 30;
/// The smallest width of a column of sentences.
const LEAST: usize = 24;
/// A cell that is no longer than this stays in one line, such as a number with its unit.
const FIGURE: usize = 12;
/// The largest width of a column on a screen without limit; longer cells extend beyond it.
const WIDEST: usize = 1 << 10;

/// The columns that are shown, each with its width.
pub struct Fit<'a> {
    columns: &'a [Column],
    /// Whether the width is limited, so that cells may take several lines.
    is_limited: bool,
    /// The width of each column; `None` if it is left out.
    widths: Vec<Option<usize>>,
    /// The length of each cell, by column; the first is the heading.
    lengths: Vec<Vec<usize>>,
    /// For each column, the length of the longest word of the heading, and of all cells. Words are
    /// not cut.
    words: Vec<[usize; 2]>,
}

impl<'a> Fit<'a> {
    /// Fits a table, whose first line has the headings, into `limit` characters. It takes these
    /// steps in order until the table fits: break headings and sentences into several lines; leave
    /// out columns without a rank, the last first; break other cells into several lines; leave out
    /// columns with a rank, those of the lowest first. The first column always stays.
    pub fn of(columns: &'a [Column], lines: &[Vec<String>], limit: Option<usize>) -> Self {
        let of_column = |at: usize| lines.iter().map(move |line| &*line[at]);
        let all = || 0..columns.len();
        let lengths: Vec<Vec<usize>> = all()
            .map(|at| of_column(at).map(length).collect())
            .collect();
        let natural = |of: &Vec<usize>| match limit {
            // No column can end up wider than the limit, so start there instead of shrinking step
            // by step.
            Some(limit) => of.iter().copied().max().map(|width| width.min(limit)),
            None => of.iter().copied().filter(|width| *width <= WIDEST).max(),
        };
        let mut fit = Self {
            columns,
            is_limited: limit.is_some(),
            widths: lengths.iter().map(|of| natural(of).or(Some(0))).collect(),
            words: all()
                .map(|at| {
                    [
                        longest_word(of_column(at).take(1)),
                        longest_word(of_column(at)),
                    ]
                })
                .collect(),
            lengths,
        };
        let Some(limit) = limit else {
            return fit;
        };
        while !fit.shrink(limit) {
            let goes = fit.shown().skip(1);
            match goes.min_by_key(|at| (columns[*at].kept, std::cmp::Reverse(*at))) {
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

    /// Whether only the first of several columns fits.
    pub fn is_first_alone(&self) -> bool {
        self.columns.len() > 1 && self.shown().count() == 1
    }

    pub fn left_out(&self) -> impl Iterator<Item = usize> {
        (0..self.widths.len()).filter(|at| self.widths[*at].is_none())
    }

    /// The smallest width of a column. Numbers are broken only when all columns left have a rank.
    fn least(&self, at: usize, with_figures: bool) -> usize {
        let natural = self.lengths[at].iter().copied().max().unwrap_or(0);
        let [heading, all] = self.words[at];
        let cells = self.lengths[at].iter().skip(1).copied().max().unwrap_or(0);
        let cells = match () {
            () if !self.columns[at].numeric && cells > SENTENCE => LEAST,
            () if with_figures => all.max(FIGURE).min(cells),
            () => cells,
        };
        cells.max(heading).min(natural)
    }

    /// Narrows columns as much as needed; false if that is not enough.
    fn shrink(&mut self, limit: usize) -> bool {
        let with_figures = self.shown().skip(1).all(|at| self.columns[at].kept > 0);
        let gaps = GAP * self.shown().count().saturating_sub(1);
        let total: usize = self.widths.iter().flatten().sum();
        let over = (total + gaps).saturating_sub(limit);
        let spare = |fit: &Self, at: usize| {
            let least = fit.least(at, with_figures);
            fit.widths[at].map_or(0, |width| width.saturating_sub(least))
        };
        if self.shown().map(|at| spare(self, at)).sum::<usize>() < over {
            return false;
        }
        // First the column in which the fewest cells are broken by it, then the widest.
        let broken = |fit: &Self, at: usize| {
            let width = fit.widths[at].unwrap_or(0);
            let is_broken = |length: &&usize| **length >= width;
            let cells = fit.lengths[at].iter().filter(is_broken).count();
            (cells, std::cmp::Reverse(width))
        };
        for _ in 0..over {
            let gives = self.shown().filter(|at| spare(self, *at) > 0);
            if let Some(at) = gives.min_by_key(|at| broken(self, *at)) {
                self.widths[at] = self.widths[at].map(|width| width - 1);
            }
        }
        true
    }

    /// The cells of a row in one line, or in as many lines as the longest sentence takes.
    pub fn line(&self, cells: &[String]) -> String {
        let each = self.shown().filter_map(|at| Some((at, self.widths[at]?)));
        let set: Vec<(usize, usize, Vec<String>)> = each
            .map(|(at, width)| match self.is_limited {
                true => (at, width, broken(&cells[at], width)),
                false => (at, width, vec![cells[at].clone()]),
            })
            .collect();
        let height = set.iter().map(|(.., parts)| parts.len()).max().unwrap_or(1);
        let mut out = String::new();
        for line in 0..height {
            let cells = set.iter().map(|(at, width, parts)| {
                let cell = parts.get(line).map_or("", String::as_str);
                // Spaces are repeated by hand: the standard library's formatter pads to at most
                // 65,535.
                let room = " ".repeat(width.saturating_sub(length(cell)));
                match self.columns[*at].numeric {
                    true => room + cell,
                    false => cell.to_owned() + &room,
                }
            });
            out += cells.collect::<Vec<_>>().join("  ").trim_end();
            out.push('\n');
        }
        out
    }
}

fn length(cell: &str) -> usize {
    cell.chars().count()
}

fn longest_word<'t>(cells: impl Iterator<Item = &'t str>) -> usize {
    let words = cells.flat_map(|cell| words(cell).into_iter().map(length));
    words.max().unwrap_or(0)
}

/// Splits a cell into words; a number and its percent sign are one word.
fn words(cell: &str) -> Vec<&str> {
    let mut begins: Vec<usize> = cell.match_indices(' ').map(|(at, _)| at).collect();
    begins.retain(|at| !cell[at + 1..].starts_with('%'));
    let ends = begins.clone().into_iter().chain([cell.len()]);
    let begins = std::iter::once(0).chain(begins.into_iter().map(|at| at + 1));
    begins.zip(ends).map(|(from, to)| &cell[from..to]).collect()
}

/// Breaks words into lines of at most `width` characters; longer words are cut.
pub fn broken(words: &str, width: usize) -> Vec<String> {
    if words.chars().count() <= width {
        return vec![words.to_owned()];
    }
    let mut lines = vec![String::new()];
    let mut last = 0;
    for word in self::words(words) {
        let mut rest = word;
        loop {
            let gap = usize::from(last > 0);
            let room = width.saturating_sub(last + gap);
            let cut = rest.char_indices().nth(room);
            if cut.is_some() && last > 0 {
                lines.push(String::new());
                last = 0;
                continue;
            }
            // Take at least one character, so that the loop ends even without room.
            let upto = rest.char_indices().nth(room.max(1));
            let (part, after) = rest.split_at(upto.map_or(rest.len(), |(at, _)| at));
            if let Some(line) = lines.last_mut() {
                line.extend(std::iter::repeat_n(' ', gap));
                line.push_str(part);
            }
            last += gap + length(part);
            if after.is_empty() {
                break;
            }
            rest = after;
        }
    }
    lines
}
