//! Schemes that are known to be bad, and how far below the threshold their
//! p-values lie: the test of the test.

use super::{
    frame::{NOTE, TEXT},
    uniformity,
};
use crate::render::{
    document::Figure,
    judge::{FAMILY_ALPHA, Family, Judgement, Outcome},
    number,
    palette::Pen,
    svg::{Anchor, Canvas, picture},
};

/// Powers of ten that the axis reaches down to; what lies below is drawn at
/// its end.
const DECADES: f64 = 30.0;
const WIDTH: f64 = 960.0;
const ROW: f64 = 34.0;
/// Where the axis begins and ends.
const LEFT: f64 = 220.0;
const RIGHT: f64 = 900.0;
const TOP: f64 = 30.0;

/// The picture; `None` if no known-bad scheme was tested.
pub fn figure(judgement: &Judgement) -> Option<Figure> {
    let families: Vec<&Family> = judgement
        .families
        .iter()
        .filter(|f| f.expects_flag)
        .collect();
    if families.is_empty() {
        return None;
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
    let height = TOP + ROW * schemes.len() as f64 + 70.0;
    let description = format!("{title}. {reading}");
    let svg = picture(
        "known-bad",
        &title,
        &description,
        (WIDTH, height),
        |canvas| {
            draw(canvas, &families, &schemes);
        },
    );
    Some(Figure {
        name: "known-bad".to_owned(),
        title,
        svg,
        reading,
        table: uniformity::table(&families),
        source: "records/uniformity.csv".to_owned(),
    })
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

fn draw(canvas: &mut Canvas, families: &[&Family], schemes: &[&str]) {
    let x = |p: f64| {
        let decades = p.max(1e-300).log10().clamp(-DECADES, 0.0);
        LEFT + (RIGHT - LEFT) * (decades + DECADES) / DECADES
    };
    let bottom = TOP + ROW * schemes.len() as f64;
    for decade in (0..=DECADES as i32).step_by(5) {
        let at = x(10_f64.powi(-decade));
        canvas.line(&[(at, TOP), (at, bottom)], Pen::Grid.line(0.8));
        let words = match decade {
            0 => "1".to_owned(),
            d if f64::from(d) == DECADES => format!("≤ 1e-{d}"),
            d => format!("1e-{d}"),
        };
        canvas.text(&words, (at, bottom + 14.0), TEXT, Pen::Soft, Anchor::Middle);
    }
    let under = ((LEFT + RIGHT) / 2.0, bottom + 42.0);
    canvas.text(
        "smallest p-value after Holm",
        under,
        TEXT,
        Pen::Ink,
        Anchor::Middle,
    );
    let limit = x(FAMILY_ALPHA);
    canvas.line(&[(limit, TOP), (limit, bottom)], Pen::Bad.line(1.4));
    let words = format!("flagged below {}", number::significant(FAMILY_ALPHA, 1));
    canvas.text(&words, (limit, TOP - 13.0), NOTE, Pen::Bad, Anchor::Middle);
    for (row, scheme) in schemes.iter().enumerate() {
        let y = TOP + ROW * (row as f64 + 0.5);
        canvas.text(scheme, (LEFT - 14.0, y), TEXT, Pen::Ink, Anchor::End);
        for family in families.iter().filter(|f| f.subject == *scheme) {
            let pen = if family.outcome == Outcome::Pass {
                Pen::Standard
            } else {
                Pen::Bad
            };
            canvas.ring((x(family.worst_adjusted), y), 4.2, pen.line(1.4));
        }
    }
}
