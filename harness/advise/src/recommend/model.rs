//! The cost model: C = t_l + [s + (1 - s) f] t_w, with s the share of hits, t_l
//! the time of a lookup in the set, f the FPR and t_w the cost of a backing lookup.
//!
//! The s t_w that hits need anyway is left out of every candidate alike: what is
//! compared is the overhead t_l + (1 - s) f t_w and the building, shared out
//! over the lookups. So candidates whose backing lookups are mostly hits can be compared.
//!
//! Where a false positive is a loss and no work, hits are what is saved: the overhead is t_l
//! with a set in front, and s t_w without. A price of memory is part of t_l.
//!
//! From: Lang, Neumann, Kemper and Boncz, PVLDB 12(5), 2019, section 2.

use std::cmp::Ordering;

use super::{candidates::Candidate, times::Operations, workload::Workload};

/// The costs of a backing lookup that are looked at: from 1 ns to 1 s.
pub const WORK_FROM_NS: f64 = 1.0;
pub const WORK_TO_NS: f64 = 1e9;

/// Candidates closer than this share are too close to call, however narrow their
/// intervals: another machine, another day.
pub const CLOSE: f64 = 0.05;

/// Points at which bands are looked for, over nine decades: one each 1.2 %.
const STEPS: i32 = 1_800;

/// The expected cost per lookup with one candidate of one size: a line over the work
/// cost, with what its times may be off by.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Line {
    pub candidate: Candidate,
    /// Which of the sizes.
    pub size: usize,
    pub bits_per_key: f64,
    /// Of all sets.
    pub memory: f64,
    pub base: f64,
    pub low: f64,
    pub high: f64,
    pub slope: f64,
}

impl Line {
    pub fn at(&self, work: f64) -> f64 {
        self.base + self.slope * work
    }

    pub fn low_at(&self, work: f64) -> f64 {
        self.low + self.slope * work
    }

    pub fn high_at(&self, work: f64) -> f64 {
        self.high + self.slope * work
    }
}

/// Base, low and high of a line.
pub fn base(workload: &Workload, times: &Operations, keys: u64) -> [f64; 3] {
    let s = workload.hits;
    let builds = keys as f64 / workload.lookups_per_build;
    let of = |hit: f64, miss: f64, insert: f64| s * hit + (1.0 - s) * miss + builds * insert;
    let Operations { hit, miss, insert } = times;
    [
        of(hit.median, miss.median, insert.median),
        of(hit.low, miss.low, insert.low),
        of(hit.high, miss.high, insert.high),
    ]
}

/// The line with the least overhead; of equal ones the plainest.
pub fn best(lines: &[Line], work: f64) -> Option<&Line> {
    lines.iter().min_by(|a, b| {
        let by_cost = a.at(work).total_cmp(&b.at(work));
        by_cost.then_with(|| plainer(a, b))
    })
}

/// The order of lines whose costs are too close to call: the plainer candidate
/// first, of its sizes the one with less memory.
fn plainer(a: &Line, b: &Line) -> Ordering {
    let by_kind = a.candidate.plainness().cmp(&b.candidate.plainness());
    by_kind.then(a.memory.total_cmp(&b.memory))
}

/// The plainest of lines, of equal ones that with the least overhead.
pub fn plainest<'a>(lines: &[&'a Line], work: f64) -> Option<&'a Line> {
    let all = lines.iter().copied();
    all.min_by(|a, b| plainer(a, b).then(a.at(work).total_cmp(&b.at(work))))
}

/// Up to where a cost and that of this line are too close to call.
pub fn too_close(best: &Line, work: f64) -> f64 {
    best.high_at(work).max((1.0 + CLOSE) * best.at(work))
}

/// The lines that are too close to the best to call, and those between: what costs no more
/// than one of them is one of them, however narrow its own interval.
pub fn near(lines: &[Line], work: f64) -> Vec<&Line> {
    let Some(best) = best(lines, work) else {
        return Vec::new();
    };
    let most = too_close(best, work);
    let is_near = |line: &&Line| line.at(work) <= most || line.low_at(work) <= best.high_at(work);
    let farthest = lines.iter().filter(is_near).map(|line| line.at(work));
    let farthest = farthest.fold(best.at(work), f64::max);
    lines
        .iter()
        .filter(|line| line.at(work) <= farthest)
        .collect()
}

/// A stretch of costs of a backing lookup in which one candidate is best.
#[derive(Clone, PartialEq, Debug)]
pub struct Piece {
    pub from: f64,
    pub to: f64,
    pub candidate: Candidate,
    /// Of its sizes at either end.
    pub bits: [f64; 2],
    /// Who is too close to it to call, and where.
    pub too_close: Vec<Rival>,
}

/// The costs of a backing lookup at which a candidate and the best are too close to call.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rival {
    pub candidate: Candidate,
    pub from: f64,
    pub to: f64,
}

/// The lower envelope, by candidates.
pub fn envelope(lines: &[Line]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut work = WORK_FROM_NS;
    let mut now = best(lines, work);
    while let Some(line) = now {
        // The next line is the one that crosses first from above.
        let crossing = |other: &Line| (other.base - line.base) / (line.slope - other.slope);
        let flatter = lines.iter().filter(|other| other.slope < line.slope);
        let next = flatter
            .map(|other| (crossing(other).max(work), other))
            .min_by(|a, b| {
                let by_place = a.0.total_cmp(&b.0).then(a.1.slope.total_cmp(&b.1.slope));
                by_place.then_with(|| plainer(a.1, b.1))
            })
            .filter(|(at, _)| *at < WORK_TO_NS);
        let to = next.map_or(WORK_TO_NS, |(at, _)| at);
        match pieces.last_mut() {
            Some(last) if last.candidate == line.candidate => {
                (last.to, last.bits[1]) = (to, line.bits_per_key);
            }
            _ => pieces.push(Piece {
                from: work,
                to,
                candidate: line.candidate,
                bits: [line.bits_per_key; 2],
                too_close: Vec::new(),
            }),
        }
        work = to;
        now = next.map(|(_, line)| line);
    }
    pieces.retain(|piece| piece.to > piece.from);
    for piece in &mut pieces {
        piece.too_close = rivals(lines, piece);
    }
    pieces
}

fn rivals(lines: &[Line], piece: &Piece) -> Vec<Rival> {
    let steps = (0..=STEPS).map(|i| 10f64.powf(f64::from(i) * 9.0 / f64::from(STEPS)));
    let inside = steps.filter(|work| piece.from < *work && *work < piece.to);
    let mut before = piece.from;
    let mut found: Vec<Rival> = Vec::new();
    for work in [piece.from].into_iter().chain(inside).chain([piece.to]) {
        let mut close: Vec<Candidate> = near(lines, work).iter().map(|l| l.candidate).collect();
        close.sort_by_key(|candidate| candidate.plainness());
        close.dedup();
        close.retain(|candidate| *candidate != piece.candidate);
        for candidate in close {
            let goes_on = |rival: &&mut Rival| rival.candidate == candidate && rival.to == before;
            match found.iter_mut().find(goes_on) {
                Some(rival) => rival.to = work,
                None => found.push(Rival {
                    candidate,
                    from: work,
                    to: work,
                }),
            }
        }
        before = work;
    }
    // Where two lines cross they are equal: that alone is no band.
    found.retain(|rival| rival.from < rival.to);
    found.sort_by_key(|rival| rival.candidate.plainness());
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recommend::candidates::named;

    fn line(candidate: Candidate, base: f64, slope: f64, spread: f64) -> Line {
        Line {
            candidate,
            size: 0,
            bits_per_key: 10.0,
            memory: 1.0,
            base,
            low: base - spread,
            high: base + spread,
            slope,
        }
    }

    #[test]
    fn the_envelope_is_the_least_everywhere() {
        let lines = [
            line(Candidate::None, 0.0, 0.5, 0.0),
            line(named("blocked"), 10.0, 0.005, 0.1),
            line(Candidate::PLAIN, 50.0, 0.0005, 0.1),
            line(named("cuckoo"), 60.0, 0.004, 0.1),
            line(Candidate::HashSet, 1_000.0, 0.0, 0.1),
        ];
        let pieces = envelope(&lines);
        let names: Vec<_> = pieces.iter().map(|piece| piece.candidate.name()).collect();
        assert_eq!(names, ["none", "blocked", "standard", "hash-set"]);
        // Where 0.5 t = 10 + 0.005 t, and where 10 + 0.005 t = 50 + 0.0005 t.
        assert!((pieces[0].to - 10.0 / 0.495).abs() < 1e-9);
        assert!((pieces[1].to - 40.0 / 0.0045).abs() < 1e-6);
        assert_eq!((pieces[0].from, pieces[3].to), (WORK_FROM_NS, WORK_TO_NS));
        for piece in &pieces {
            let middle = (piece.from * piece.to).sqrt();
            assert_eq!(best(&lines, middle).unwrap().candidate, piece.candidate);
        }
    }

    #[test]
    fn neighbours_are_too_close_to_call_around_their_crossing_alone() {
        let lines = [
            line(named("blocked"), 10.0, 0.01, 0.0),
            line(Candidate::PLAIN, 50.0, 0.0, 0.0),
        ];
        let pieces = envelope(&lines);
        // 10 + 0.01 t = 50 at 4,000; 5 % less than 50 and 5 % more bound the band.
        let bounds = [(47.619, 50.0), (50.0, 52.5)].map(|(low, high)| {
            let work = |ns: f64| (ns - 10.0) / 0.01;
            (work(low), work(high))
        });
        for ((piece, other), (from, to)) in pieces.iter().zip([1, 0]).zip(bounds) {
            let [rival] = &piece.too_close[..] else {
                panic!("{piece:?}");
            };
            assert_eq!(rival.candidate, pieces[other].candidate);
            assert!((rival.from / from - 1.0).abs() < 0.012, "{rival:?}");
            assert!((rival.to / to - 1.0).abs() < 0.012, "{rival:?}");
        }
    }

    #[test]
    fn intervals_that_overlap_throughout_are_a_band_throughout() {
        let lines = [
            line(named("blocked"), 10.0, 0.01, 3.0),
            line(Candidate::PLAIN, 12.0, 0.01, 3.0),
        ];
        let piece = &envelope(&lines)[0];
        assert_eq!(
            piece.too_close,
            [Rival {
                candidate: Candidate::PLAIN,
                from: WORK_FROM_NS,
                to: WORK_TO_NS,
            }]
        );
    }

    #[test]
    fn wide_intervals_are_too_close_to_call() {
        let near_at = |spread: f64| {
            let lines = [
                line(named("blocked"), 10.0, 0.01, spread),
                line(Candidate::PLAIN, 14.0, 0.01, spread),
            ];
            near(&lines, 100.0).len()
        };
        assert_eq!((near_at(0.1), near_at(3.0)), (1, 2));
    }

    #[test]
    fn of_equal_lines_the_plainer_one_wins_in_any_order() {
        let mut lines = [
            named("cuckoo"),
            named("blocked"),
            Candidate::PLAIN,
            Candidate::HashSet,
        ]
        .map(|candidate| line(candidate, 10.0, 0.01, 1.0));
        for _ in 0..lines.len() {
            lines.rotate_left(1);
            assert_eq!(best(&lines, 100.0).unwrap().candidate, Candidate::PLAIN);
            let close = near(&lines, 100.0);
            assert_eq!(plainest(&close, 100.0).unwrap().candidate, Candidate::PLAIN);
            let pieces = envelope(&lines);
            let rivals = pieces[0].too_close.iter().map(|rival| rival.candidate);
            let others = [named("blocked"), named("cuckoo"), Candidate::HashSet];
            assert_eq!(rivals.collect::<Vec<_>>(), others);
            assert_eq!((pieces.len(), pieces[0].candidate), (1, Candidate::PLAIN));
        }
    }

    #[test]
    fn plainness_goes_before_memory_and_memory_before_cost() {
        let sized = |candidate, memory, base| Line {
            memory,
            ..line(candidate, base, 0.0, 0.0)
        };
        let lines = [
            sized(named("blocked"), 1.0, 10.0),
            sized(Candidate::PLAIN, 4.0, 10.1),
            sized(Candidate::PLAIN, 3.0, 10.4),
            sized(Candidate::PLAIN, 2.0, 10.6),
        ];
        let close = near(&lines, 1.0);
        let chosen = plainest(&close, 1.0).unwrap();
        assert_eq!((close.len(), chosen.memory), (3, 3.0));
        assert_eq!(chosen.candidate, Candidate::PLAIN);
    }

    #[test]
    fn a_single_line_wins_everywhere() {
        let pieces = envelope(&[line(named("blocked"), 10.0, 0.01, 1.0)]);
        assert_eq!(pieces.len(), 1);
        assert_eq!(pieces[0].to, WORK_TO_NS);
        assert!(envelope(&[]).is_empty());
    }
}
