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
        "<rect class=\"f paper\" width=\"100\" height=\"50\"/>",
        "x=\"1.0\" y=\"5.5\" font-size=\"10\" text-anchor=\"end\">a&lt;b</text>",
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
        "<path class=\"l round standard\" stroke-width=\"8\" d=\"M50.5 25h0\"/>",
        "<path class=\"l bad\" stroke-width=\"1.4\" d=\"M46.5 25a4 4 0 1 0 8 0a4 4 0 1 0 -8 0\"/>",
        "<path class=\"l cuckoo\" stroke-width=\"1.5\" d=\"M0 0l100 50\"/>",
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
    assert!(svg.contains("y=\"8.5\" font-size=\"10\">top<"), "{svg}");
    let up = "transform=\"translate(3.0 4.0)rotate(-90)\" y=\"-1.5\" font-size=\"10\" \
              text-anchor=\"middle\">up<";
    assert!(svg.contains(up), "{svg}");
}

#[test]
fn what_looks_alike_is_one_path_unless_something_lies_between() {
    let draw = |between: fn(&mut Drawing)| {
        small(|drawing| {
            for x in [10, 20] {
                drawing.saying("a\nb", &[(x * 100, 100)], |drawing| {
                    drawing.circle((x * 100, 100), 1.0, Paint::Ink, None);
                });
                between(drawing);
            }
        })
    };
    let one = draw(|_| {});
    assert!(one.contains("data-says=\"10 1\ta\tb\n20 1\ta\tb\" d=\"M10 1h0M20 1h0\""));
    let apart = draw(|drawing| drawing.rect([(0, 0), (500, 500)], Paint::Band));
    assert_eq!(apart.matches("<path").count(), 4, "{apart}");
    assert!(apart.contains("d=\"M0 0h5v5h-5z\""), "{apart}");
}

#[test]
fn a_file_has_the_styles_that_a_page_has_once() {
    let svg = small(|_| {});
    assert!(!svg.contains("<style>"));
    assert_eq!(file(&svg).matches("<style>").count(), 1);
}
