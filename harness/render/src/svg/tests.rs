use super::*;

fn small(draw: impl FnOnce(&mut Drawing)) -> String {
    let mut drawing = Drawing::default();
    draw(&mut drawing);
    drawing.document("a", "x < y", "how & why", (100.0, 50.0))
}

fn words(side: Side) -> Lettering {
    Lettering::new(10.0, Paint::Ink, side)
}

#[test]
fn a_chart_names_itself_and_escapes() {
    let svg = small(|drawing| drawing.text("a<b", words(Side::Right), (100, 200)));
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
fn paints_are_classes() {
    let svg = small(|drawing| {
        let (standard, cuckoo) = (
            palette::style("standard").paint,
            palette::style("cuckoo").paint,
        );
        drawing.circle((5050, 2500), 4.0, standard, None);
        drawing.circle((5050, 2500), 4.0, Paint::Bad, Some(1.4));
        drawing.polyline(&[(0, 0), (10_000, 5000)], (cuckoo, Stroke::Solid), 1.5);
    });
    for part in [
        "<circle class=\"f standard\" cx=\"50.50\" cy=\"25.00\" r=\"4.00\"/>",
        "<circle class=\"l bad\" stroke-width=\"1.40\" cx=\"50.50\" cy=\"25.00\" r=\"4.00\"/>",
        "<polyline class=\"l cuckoo\" stroke-width=\"1.50\" points=\"0.00,0.00 100.00,50.00\"/>",
    ] {
        assert!(svg.contains(part), "{part} in {svg}");
    }
}

#[test]
fn what_cannot_be_seen_is_not_written() {
    let svg = small(|drawing| drawing.text("", words(Side::Left), (0, 0)));
    assert!(!svg.contains("<text"));
}

#[test]
fn text_stands_beside_its_place_and_turns() {
    let svg = small(|drawing| {
        let down = Lettering::BELOW;
        let top = Lettering {
            down,
            ..words(Side::Left)
        };
        drawing.text("top", top, (0, 0));
        let up = Lettering {
            down: Lettering::ABOVE,
            is_turned: true,
            ..words(Side::Center)
        };
        drawing.text("up", up, (300, 400));
    });
    assert!(svg.contains("dy=\"8.50\" font-size=\"10.00\" text-anchor=\"start\">top<"));
    let up = "dy=\"-1.50\" font-size=\"10.00\" text-anchor=\"middle\" transform=\"rotate(-90 3.00 \
              4.00)\">up<";
    assert!(svg.contains(up), "{svg}");
}
