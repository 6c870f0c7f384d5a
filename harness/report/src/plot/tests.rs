//! Tests of what is drawn for a panel.

use super::*;
use crate::looks::style;
use bouquet_record::Records;

/// The SVG of a panel whose axes are 300 by 100 pixels and begin 100 pixels from the left.
fn small((x, y): (Axis, Axis), fill: impl FnOnce(&mut Panel, Style)) -> String {
    let room = [1000, 0, 1000, 200];
    let mut panel = Panel::new((0, 0), (5000, 1200), room, (x, y));
    fill(&mut panel, style(&Records::default(), ""));
    figure(vec![panel], ["a/b", "x < y", "b", "c"]).svg
}

fn unit() -> Axis {
    Axis::new("", 0.0..1.0, 0)
}

fn point((x, y): Pair, ends: [f64; 2]) -> Place {
    (x, Estimate::new(y, ends), None)
}

fn has(svg: &str, parts: &[&str]) {
    for part in parts {
        assert!(svg.contains(part), "{part} in {svg}");
    }
}

#[test]
fn labels_lie_apart() {
    let cases: [(&[f64], f64, &[f64]); 6] = [
        (&[], 100.0, &[]),
        (&[50.0], 100.0, &[50.0]),
        (&[50.0, 50.0, 50.0], 100.0, &[50.0, 60.0, 70.0]),
        (&[10.0, 50.0, 52.0, 90.0], 100.0, &[10.0, 50.0, 60.0, 90.0]),
        (&[95.0, 99.0], 100.0, &[90.0, 100.0]),
        // If there is no room for all labels, the first ones are placed above the axis.
        (&[5.0, 5.0, 5.0], 10.0, &[-10.0, 0.0, 10.0]),
    ];
    for (wanted, end, got) in cases {
        assert_eq!(apart(wanted, 10.0, 0.0..end), got);
    }
}

#[test]
fn labels_keep_their_distance_and_have_the_marker_of_their_filter() {
    let svg = small((unit(), unit()), |panel, style| {
        for y in [0.02, 0.04, 0.0] {
            let marker = (y == 0.0).then_some(style.marker);
            panel.label(&format!("at {y}"), y, Paint::SOFT, marker);
        }
    });
    has(&svg, &["y=\"104.3\"", "y=\"86.8\"", "y=\"69.3\""]);
    has(&svg, &["stroke-width=\"1.6\" d=\"M422.1 "]);
    let many = small((unit(), unit()), |panel, _| {
        for at in 0..40 {
            panel.label(&format!("name {at}"), 0.5, Paint::SOFT, None);
        }
    });
    has(&many, &[">and 35 more</text>"]);
    assert_eq!(many.matches(">name ").count(), 5);
}

#[test]
fn axes_map_and_clamp_and_name_their_ticks() {
    let x = Axis::new("keys", 0.0..10.0, 3).ticks(|v| format!("<{v}>"));
    let y = Axis::new("rate", 1e-4..1.0, 0).log();
    let svg = small((x, y), |panel, style| {
        let points = [
            point((5.0, 1e-2), [1e-3, 1e-1]),
            point((20.0, 1e-9), [1e-9, 1e-9]),
            point((0.0, 0.0), [0.0, 1e-2]),
        ];
        panel.points("a & b", style, &points);
    });
    has(
        &svg,
        &[
            "data-says=\"249.9 50 249.9 50\ta &amp; b, 5 keys\trate 0.01 (0.001 to 0.1)",
            "text-anchor=\"middle\">&lt;0&gt;<",
            ">&lt;10&gt;<",
            // If there was no false positive, a triangle is drawn at the upper bound.
            "\n100 50 100 50\ta &amp; b, 0 keys",
        ],
    );
}

/// If the ends of an axis are nearly equal or not finite, a search for ticks might never end.
#[test]
fn axes_of_no_width_have_no_ticks() {
    let ticks = |axis: Axis| {
        small((axis, unit()), |_, _| {})
            .matches("text-anchor")
            .count()
    };
    for range in [
        f64::NAN..f64::NAN,
        f64::NAN..1.0,
        0.0..f64::INFINITY,
        f64::MIN..f64::MAX,
    ] {
        let axis = Axis::new("", range.clone(), 5);
        assert_eq!(ticks(axis.clone()), 0, "{range:?}");
        assert_eq!(ticks(axis.log()), 0, "{range:?}");
    }
    for range in [1.0..1.0 + f64::EPSILON, 1e300..1e300] {
        assert_eq!(ticks(Axis::new("", range.clone(), 5)), 0, "{range:?}");
    }
}

#[test]
fn points_beyond_the_axes_have_no_mark() {
    let svg = small((unit(), unit()), |panel, style| {
        let points = [
            point((0.5, 0.5), [0.25, 0.75]),
            point((0.5, 1.5), [1.25, 1.75]),
        ];
        panel.points("own", style, &points);
    });
    assert!(!svg.contains("class=\"l grid\""), "{svg}");
    assert_eq!(svg.matches("own, 0.5").count(), 1, "{svg}");
    let bars = svg.split("<path class=\"l grey\"").nth(1).unwrap();
    assert_eq!(bars.split("/>").next().unwrap().matches('M').count(), 2);
}

#[test]
fn a_chart_names_itself_and_escapes_and_stays_in_its_folder() {
    let svg = small((unit(), unit()), |panel, _| {
        for (words, paint) in [("a<b", Paint::BAD), ("", Paint::INK)] {
            panel.write((0.0, 0.0), (0, 0), words, (NOTE, paint), HPos::Right);
        }
        panel.bar([(0.0, 0.0), (0.5, 0.5)], Paint::BAND, "a\tb".to_owned());
    });
    has(
        &svg,
        &[
            "viewBox=\"0 0 500 120\"",
            "<title id=\"a-b-title\">x &lt; y</title>",
            "<desc id=\"a-b-desc\">x &lt; y. c</desc>",
            "role=\"img\" aria-labelledby=\"a-b-title a-b-desc\"",
            "<rect class=\"f paper\" width=\"500\" height=\"120\"/>",
            "<text class=\"f bad\" x=\"100.0\" y=\"104.3\" font-size=\"12.5\" text-anchor=\"end\">a&lt;b<",
            "<path class=\"f band\" d=\"M100 50h",
            "<g data-says=\"100 50 249.9 99.9\ta\tb\"/>",
        ],
    );
    assert_eq!(svg.matches("<text").count(), 1);
    assert!(!svg.contains("<style>"));
    assert_eq!(svg::file(&svg).matches("<style>").count(), 1);
}
