use plotters::{
    element::{Circle, PathElement, Rectangle},
    style::{
        Color, FontFamily, RGBColor, TRANSPARENT, TextStyle,
        text_anchor::{HPos, Pos, VPos},
    },
};

use super::*;

fn small(draw: impl FnOnce(&Area) -> Drawn) -> String {
    picture("a", "x < y", "how & why", (100.0, 50.0), draw).unwrap()
}

fn words(h: HPos, v: VPos) -> TextStyle<'static> {
    TextStyle::from((FontFamily::SansSerif, 10.0 * UNITS))
        .color(&Pen::Ink)
        .pos(Pos::new(h, v))
}

#[test]
fn a_picture_names_itself_and_escapes() {
    let svg = small(|area| area.draw_text("a<b", &words(HPos::Right, VPos::Center), (100, 200)));
    for part in [
        "viewBox=\"0 0 100 50\"",
        "<title id=\"a-title\">x &lt; y</title>",
        "<desc id=\"a-desc\">how &amp; why</desc>",
        "role=\"img\" aria-labelledby=\"a-title a-desc\"",
        "<rect class=\"f paper\" x=\"0.00\" y=\"0.00\" width=\"100.00\" height=\"50.00\"/>",
        "x=\"1.00\" y=\"2.00\" dy=\"3.50\" font-size=\"10.00\" \
         text-anchor=\"end\">a&lt;b</text>",
    ] {
        assert!(svg.contains(part), "{part} in {svg}");
    }
}

#[test]
fn colours_of_pens_are_classes_and_others_are_kept() {
    let svg = small(|area| {
        area.draw(&Circle::new(
            (5050, 2500),
            px(4.0),
            palette::look("standard").pen.filled(),
        ))?;
        area.draw(&Circle::new((5050, 2500), px(4.0), Pen::Bad.line(1.4)))?;
        let corners = [(0, 0), (10_000, 5000)];
        area.draw(&PathElement::new(
            corners,
            palette::look("cuckoo").pen.line(1.5),
        ))?;
        area.draw(&Rectangle::new(
            corners,
            RGBColor(1, 2, 255).mix(0.5).filled(),
        ))
    });
    for part in [
        "<circle class=\"f standard\" cx=\"50.50\" cy=\"25.00\" r=\"4.00\"/>",
        "<circle class=\"l bad\" stroke-width=\"1.40\" cx=\"50.50\" cy=\"25.00\" r=\"4.00\"/>",
        "<polyline class=\"l cuckoo\" stroke-width=\"1.50\" points=\"0.00,0.00 100.00,50.00\"/>",
        "<rect class=\"f\" style=\"color:#0102ff\" opacity=\"0.50\" x=\"0.00\"",
    ] {
        assert!(svg.contains(part), "{part} in {svg}");
    }
}

#[test]
fn what_cannot_be_seen_is_not_written() {
    let svg = small(|area| {
        area.draw_text("", &words(HPos::Left, VPos::Top), (0, 0))?;
        area.draw(&Circle::new((0, 0), 100, TRANSPARENT))
    });
    assert!(!svg.contains("<text") && !svg.contains("<circle"));
}

#[test]
fn text_stands_beside_its_place_and_turns() {
    let svg = small(|area| {
        area.draw_text("top", &words(HPos::Left, VPos::Top), (0, 0))?;
        let up = words(HPos::Center, VPos::Bottom).transform(FontTransform::Rotate270);
        area.draw_text("up", &up, (300, 400))
    });
    assert!(svg.contains("dy=\"8.50\" font-size=\"10.00\" text-anchor=\"start\">top<"));
    let up = "dy=\"-1.50\" font-size=\"10.00\" text-anchor=\"middle\" transform=\"rotate(-90 3.00 \
              4.00)\">up<";
    assert!(svg.contains(up), "{svg}");
}

#[test]
fn text_is_measured_by_its_characters() {
    small(|area| {
        let size = area.estimate_text_size("±10 %", &words(HPos::Left, VPos::Top))?;
        assert_eq!(size, (3000, 1000));
        Ok(())
    });
}
