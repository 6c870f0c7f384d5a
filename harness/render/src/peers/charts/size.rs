//! Bits per key really allocated, against the information bound of the FPR that
//! was measured; and that FPR over what was asked for.

use anyhow::Result;
use plotters::{
    chart::ChartBuilder,
    coord::{
        combinators::{IntoLogRange, LogCoord},
        types::RangedCoordf64,
    },
    element::PathElement,
    style::text_anchor::HPos,
};

use super::{FOOT, LEFT, ROW, SOURCE, TOP, WIDTH, height, name, named, note, target};
use crate::{
    charts::{
        frame::{self, Chart, NOTE, TEXT, Ticks},
        marks::{Line, Mark, tell},
    },
    document::{Figure, Table, Text},
    number,
    palette::{Pen, Stroke, look},
    peers::{score::Score, table::measured},
    svg::{Area, Drawn, picture, px},
};

/// What lies beyond so many bits per key is drawn at the end.
const MOST_BITS: f64 = 40.0;
/// The same of the FPR over what was asked for.
const RATIO: std::ops::Range<f64> = 0.01..20.0;
/// Between the two halves, and right of them, in pixels.
const GAP: f64 = 86.0;
const RIGHT: f64 = 150.0;

type Bits<'a> = Chart<'a, RangedCoordf64, RangedCoordf64>;
type Ratios<'a> = Chart<'a, LogCoord<f64>, RangedCoordf64>;

/// A filter whose size and FPR are known.
struct Measured<'a> {
    score: &'a Score,
    bits: f64,
    fpr: f64,
    /// The least bits for that FPR.
    bound: f64,
}

/// The picture; `None` if nothing was measured.
pub fn figure(scores: &[&Score]) -> Result<Option<Figure>> {
    let mut lines: Vec<Measured<'_>> = scores.iter().filter_map(|score| line(score)).collect();
    if lines.is_empty() {
        return Ok(None);
    }
    lines.sort_by(|a, b| (a.bits / a.bound).total_cmp(&(b.bits / b.bound)));
    let title = finding(&lines, scores);
    let reading = format!(
        "Left, from the tick to the mark: from the information bound, log2(1/FPR) for the FPR that \
         was measured, to the bits per key that are really allocated; the shortest way is the best \
         use of memory, and it is on top. Right: the measured FPR over the one asked for, with its \
         interval at 95 %; right of the line a promise is not kept. A filter far left there gives \
         more than was asked for and takes the bits for it. Sizes that go by powers of two look \
         good or bad by the capacity: the table has the span. Beyond {MOST_BITS} bits a mark is \
         drawn at the end."
    );
    let picture_name = named("size", scores);
    let description = format!("{title}. {reading}");
    let size = (WIDTH, height(lines.len()));
    let svg = picture(&picture_name, &title, &description, size, |area| {
        draw(area, &lines)
    })?;
    Ok(Some(Figure {
        name: picture_name,
        title,
        svg,
        reading,
        table: table(&lines),
        source: SOURCE.to_owned(),
    }))
}

fn line(score: &Score) -> Option<Measured<'_>> {
    let (bits, measured) = (score.bits_per_key?, score.measured_fpr?);
    // Without a hit the end of the interval is all that is known.
    let fpr = if measured > 0.0 {
        measured
    } else {
        score.measured_fpr_high?
    };
    (fpr > 0.0 && fpr < 1.0).then(|| Measured {
        score,
        bits,
        fpr,
        bound: -fpr.log2(),
    })
}

fn finding(lines: &[Measured<'_>], scores: &[&Score]) -> String {
    let kept = lines.iter().filter(|line| line.score.keeps_its_promise());
    let told = |line: &Measured<'_>| {
        format!(
            "{} takes {} times the bound",
            line.score.filter,
            number::decimal(line.bits / line.bound, 2)
        )
    };
    let best = |of: &dyn Fn(&Score) -> bool| kept.clone().find(|line| of(line.score)).map(told);
    let best: Vec<String> = [
        best(&|score| !score.is_static),
        best(&|score| score.is_static).map(|words| format!("{words}, but is built once")),
    ]
    .into_iter()
    .flatten()
    .collect();
    let broken = lines.iter().filter(|line| {
        let low = line.score.measured_fpr_low;
        low.is_some_and(|low| low > line.score.target_fpr)
    });
    let broken: Vec<&str> = broken.map(|line| line.score.filter.as_str()).collect();
    let broken = if broken.is_empty() {
        String::new()
    } else {
        format!("; above what was asked: {}", number::listed(&broken))
    };
    format!("At {}, {}{broken}", target(scores), best.join("; "))
}

fn draw(area: &Area, lines: &[Measured<'_>]) -> Drawn {
    let half = (WIDTH - LEFT - RIGHT - GAP) / 2.0;
    let rows = lines.len() as f64;
    let most = lines.iter().map(|line| line.bits.max(line.bound));
    let most = (1.08 * most.fold(1.0, f64::max)).min(MOST_BITS);
    let mut left = ChartBuilder::on(area)
        .margin_top(px(TOP))
        .margin_left(px(LEFT))
        .margin_right(px(WIDTH - LEFT - half))
        .margin_bottom(px(FOOT - 50.0))
        .x_label_area_size(px(50.0))
        .build_cartesian_2d(0.0..most, rows..0.0)?;
    let ticks = Ticks {
        name: "bits per key",
        most: 6,
        size: TEXT,
        format: &|v| number::significant(*v, 3),
    };
    frame::mesh(&mut left, &ticks, None)?;
    let mut right = ChartBuilder::on(area)
        .margin_top(px(TOP))
        .margin_left(px(LEFT + half + GAP))
        .margin_right(px(RIGHT))
        .margin_bottom(px(FOOT - 50.0))
        .x_label_area_size(px(50.0))
        .build_cartesian_2d(frame::widened(RATIO).log_scale(), rows..0.0)?;
    let ticks = Ticks {
        name: "measured FPR / FPR asked for",
        most: 5,
        size: TEXT,
        format: &|v| number::significant(*v, 2),
    };
    frame::mesh(&mut right, &ticks, None)?;
    right.draw_series([PathElement::new(
        [(1.0, 0.0), (1.0, rows)],
        Pen::Ink.line(1.0),
    )])?;
    let heads = [
        (left.backend_coord(&(0.0, 0.0)), "bound, and allocated"),
        (
            right.backend_coord(&(RATIO.start, 0.0)),
            "promise, and kept",
        ),
    ];
    for ((x, y), words) in heads {
        let style = frame::words(NOTE, Pen::Ink, HPos::Left);
        area.draw_text(words, &style, (x, y - px(16.0)))?;
    }
    for (place, line) in lines.iter().enumerate() {
        let y = place as f64 + 0.5;
        draw_bits(area, &mut left, line, y)?;
        draw_ratio(area, &mut right, line, y)?;
    }
    Ok(())
}

fn draw_bits(area: &Area, chart: &mut Bits<'_>, line: &Measured<'_>, y: f64) -> Drawn {
    let (look, end) = (look(&line.score.filter), chart.x_range().end);
    let at = line.bits.min(end);
    name(area, line.score, chart.backend_coord(&(0.0, y)))?;
    chart.draw_series([Line {
        path: vec![(line.bound, y), (at, y)],
        stroke: Stroke::Solid,
        style: look.pen.line(2.2),
    }])?;
    let (x, middle) = chart.backend_coord(&(line.bound, y));
    let tick = [(x, middle - px(0.3 * ROW)), (x, middle + px(0.3 * ROW))];
    area.draw(&PathElement::new(tick, Pen::Ink.line(1.6)))?;
    let mark = Mark {
        at: (at, y),
        aside: 0.0,
        look,
    };
    let words = format!(
        "{}\n{} bits per key allocated\n{} at least for an FPR of {}",
        line.score.filter,
        number::decimal(line.bits, 2),
        number::decimal(line.bound, 2),
        number::share(line.fpr, 3)
    );
    tell(chart, [(mark, words)])?;
    let (end, middle) = chart.backend_coord(&(end, y));
    let words = format!("{}×", number::decimal(line.bits / line.bound, 2));
    note(area, &words, false, (end + px(8.0), middle))
}

fn draw_ratio(area: &Area, chart: &mut Ratios<'_>, line: &Measured<'_>, y: f64) -> Drawn {
    let (score, look) = (line.score, look(&line.score.filter));
    let ratio = |fpr: f64| (fpr / score.target_fpr).clamp(RATIO.start, RATIO.end);
    if let (Some(low), Some(high)) = (score.measured_fpr_low, score.measured_fpr_high) {
        chart.draw_series([Line {
            path: vec![(ratio(low), y), (ratio(high), y)],
            stroke: Stroke::Solid,
            style: look.pen.line(1.4),
        }])?;
    }
    let mark = Mark {
        at: (ratio(line.fpr), y),
        aside: 0.0,
        look,
    };
    let words = format!("{}\n{}", score.filter, measured(score));
    tell(chart, [(mark, words)])?;
    let over = score
        .measured_fpr_low
        .is_some_and(|low| low > score.target_fpr);
    let (end, middle) = chart.backend_coord(&(RATIO.end, y));
    let told = number::share(line.fpr, 2);
    let told = if score.measured_fpr == Some(0.0) {
        format!("< {told}")
    } else {
        told
    };
    let fixed = if score.chooses_fpr { "" } else { " (fixed)" };
    note(
        area,
        &format!("{told}{fixed}"),
        over,
        (end + px(8.0), middle),
    )
}

fn table(lines: &[Measured<'_>]) -> Table {
    let mut table = Table::new(&[
        "Filter",
        "#Bits per key",
        "#Information bound",
        "#Times the bound",
        "#Least over capacities",
        "#Most over capacities",
        "#FPR measured (95 % interval)",
        "#Times asked",
    ]);
    for line in lines {
        let score = line.score;
        let decimal = |x: Option<f64>| x.map_or("–".to_owned(), |x| number::decimal(x, 2));
        table.row([
            Text::from(score.filter.as_str()),
            number::decimal(line.bits, 2).into(),
            number::decimal(line.bound, 2).into(),
            number::decimal(line.bits / line.bound, 2).into(),
            decimal(score.least_bits_per_key).into(),
            decimal(score.most_bits_per_key).into(),
            measured(score).into(),
            number::significant(line.fpr / score.target_fpr, 3).into(),
        ]);
    }
    table
}
