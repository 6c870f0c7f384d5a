//! Schemes that are known to be bad, and how far below the threshold their
//! p-values lie: the test of the test.

use anyhow::Result;
use plotters::{
    chart::ChartBuilder,
    element::{Circle, PathElement},
    style::text_anchor::HPos,
};

use super::{
    frame::{self, NOTE, TEXT, Ticks},
    uniformity,
};
use crate::render::{
    document::Figure,
    judge::{FAMILY_ALPHA, Family, Judgement, Outcome},
    number,
    palette::Pen,
    svg::{Area, Drawn, picture, px},
};

/// Powers of ten that the axis reaches down to; what lies below is drawn at
/// its end.
const DECADES: f64 = 30.0;
const WIDTH: f64 = 960.0;
const ROW: f64 = 34.0;
/// Room around the rows, in pixels.
const LEFT: f64 = 220.0;
const RIGHT: f64 = 60.0;
const TOP: f64 = 30.0;
const FOOT: f64 = 70.0;

/// The picture; `None` if no known-bad scheme was tested.
pub fn figure(judgement: &Judgement) -> Result<Option<Figure>> {
    let families: Vec<&Family> = judgement
        .families
        .iter()
        .filter(|f| f.expects_flag)
        .collect();
    if families.is_empty() {
        return Ok(None);
    }
    let mut schemes: Vec<&str> = Vec::new();
    for family in &families {
        if !schemes.contains(&family.subject.as_str()) {
            schemes.push(&family.subject);
        }
    }
    let title = finding(&families, &schemes);
    let reading = format!(
        "Each point is the smallest p-value after Holm of a bad scheme on one data set; it must \
         lie left of the line at {}, or the run is void. Points below 1e-{DECADES} are drawn at \
         the left end. How far left a point lies tells how many keys were located, not how bad \
         the scheme is.",
        number::significant(FAMILY_ALPHA, 1)
    );
    let size = (WIDTH, TOP + ROW * schemes.len() as f64 + FOOT);
    let description = format!("{title}. {reading}");
    let svg = picture("known-bad", &title, &description, size, |area| {
        draw(area, &families, &schemes)
    })?;
    Ok(Some(Figure {
        name: "known-bad".to_owned(),
        title,
        svg,
        reading,
        table: uniformity::table(&families),
        source: "records/uniformity.csv".to_owned(),
    }))
}

fn finding(families: &[&Family], schemes: &[&str]) -> String {
    let missed: Vec<String> = families
        .iter()
        .filter(|f| f.outcome == Outcome::Void)
        .map(|f| format!("{} on {}", f.subject, f.dataset))
        .collect();
    if !missed.is_empty() {
        return format!("Known to be bad, yet not found out: {}", missed.join(", "));
    }
    let largest = families
        .iter()
        .map(|f| f.worst_adjusted)
        .fold(0.0, f64::max);
    let who = match schemes {
        [one] => format!("{one}, known to be bad, is found out"),
        many => format!("All {} known-bad schemes are found out", many.len()),
    };
    let most = number::p_value(largest);
    let most = if most.starts_with('<') {
        most
    } else {
        format!("at most {most}")
    };
    format!("{who} on every data set, p after Holm {most}")
}

fn draw(area: &Area, families: &[&Family], schemes: &[&str]) -> Drawn {
    let rows = schemes.len() as f64;
    // Powers, not values: plotters leaves out ticks of so small values.
    let mut chart = ChartBuilder::on(area)
        .margin_top(px(TOP))
        .margin_right(px(RIGHT))
        .margin_bottom(px(FOOT - 52.0))
        .margin_left(px(LEFT))
        .x_label_area_size(px(52.0))
        .build_cartesian_2d(-DECADES..0.0, rows..0.0)?;
    let ticks = Ticks {
        name: "smallest p-value after Holm",
        most: 7,
        size: TEXT,
        format: &decade,
    };
    frame::mesh(&mut chart, &ticks, None)?;
    let limit = [0.0, rows].map(|y| (FAMILY_ALPHA.log10(), y));
    chart.draw_series([PathElement::new(limit, Pen::Bad.line(1.4))])?;
    let (x, y) = chart.backend_coord(&limit[0]);
    let words = format!("flagged below {}", number::significant(FAMILY_ALPHA, 1));
    let style = frame::words(NOTE, Pen::Bad, HPos::Center);
    area.draw_text(&words, &style, (x, y - px(13.0)))?;
    for (row, scheme) in schemes.iter().enumerate() {
        let y = row as f64 + 0.5;
        let (x, middle) = chart.backend_coord(&(-DECADES, y));
        let style = frame::words(TEXT, Pen::Ink, HPos::Right);
        area.draw_text(scheme, &style, (x - px(14.0), middle))?;
        let own = families.iter().filter(|f| f.subject == *scheme);
        chart.draw_series(own.map(|family| {
            let pen = if family.outcome == Outcome::Pass {
                Pen::Ink
            } else {
                Pen::Bad
            };
            Circle::new((family.worst_adjusted.log10(), y), px(4.2), pen.line(1.4))
        }))?;
    }
    Ok(())
}

fn decade(power: &f64) -> String {
    match power.round() {
        0.0 => "1".to_owned(),
        power if power == -DECADES => format!("≤ 1e{power}"),
        power => format!("1e{power}"),
    }
}
