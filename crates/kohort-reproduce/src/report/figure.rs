//! Line charts as SVG: some series over one number. Colours tell series apart, dashes what the paper prints.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::table::ends;

/// A chart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The name of its file.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// What lies along the bottom.
    pub x: String,
    /// What lies along the side.
    pub y: String,
    /// The lines.
    pub series: Vec<Series>,
}

/// A line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// What it is.
    pub name: String,
    /// Whether the paper prints it.
    pub published: bool,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 430.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 312.0;
/// Readable for the colour-blind (Okabe and Ito).
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#999999"];

impl Series {
    /// A line of what was measured here.
    pub fn ours(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { name: name.into(), published: false, points: points.into_iter().collect() }
    }

    /// A line of what the paper prints.
    pub fn theirs(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { published: true, ..Self::ours(name, points) }
    }
}

impl Figure {
    /// A chart.
    pub fn new(id: &str, title: impl Into<String>, (x, y): (&str, &str), series: Vec<Series>) -> Self {
        Self { id: id.to_owned(), title: title.into(), x: x.to_owned(), y: y.to_owned(), series }
    }

    /// As SVG.
    pub fn svg(&self) -> String {
        let all = || self.series.iter().flat_map(|series| &series.points);
        let xs = all().map(|point| point.0).collect::<Vec<_>>();
        let ys = all().map(|point| point.1).collect::<Vec<_>>();
        let (x_axis, y_axis) = (Axis::over(ends(&xs), false), Axis::over(ends(&ys), true));
        let place = |&(x, y): &(f64, f64)| {
            (LEFT + x_axis.share(x) * (RIGHT - LEFT), BOTTOM - y_axis.share(y) * (BOTTOM - TOP))
        };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"11\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
        );
        let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"18\" font-size=\"13\">{}</text>", escaped(&self.title));
        self.axes(&mut svg, &x_axis, &y_axis);
        for (at, series) in self.series.iter().enumerate() {
            let colour = COLOURS[at % COLOURS.len()];
            let dash = if series.published { " stroke-dasharray=\"5 4\"" } else { "" };
            let points: Vec<(f64, f64)> = series.points.iter().map(place).collect();
            let line: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"{dash}/>",
                line.join(" ")
            );
            for (x, y) in points {
                let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.2\" fill=\"{colour}\"/>");
            }
            let y = TOP + 8.0 + 16.0 * at as f64;
            let (from, to, words) = (RIGHT + 14.0, RIGHT + 36.0, RIGHT + 42.0);
            let _ = writeln!(
                svg,
                "<line x1=\"{from}\" y1=\"{y}\" x2=\"{to}\" y2=\"{y}\" stroke=\"{colour}\" stroke-width=\"1.5\"{dash}/>\n\
                 <text x=\"{words}\" y=\"{}\">{}</text>",
                y + 4.0,
                escaped(&series.name)
            );
        }
        svg + "</svg>\n"
    }

    fn axes(&self, svg: &mut String, x_axis: &Axis, y_axis: &Axis) {
        for &mark in &x_axis.marks {
            let x = LEFT + x_axis.share(mark) * (RIGHT - LEFT);
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                BOTTOM + 15.0,
                short(mark)
            );
        }
        for &mark in &y_axis.marks {
            let y = BOTTOM - y_axis.share(mark) * (BOTTOM - TOP);
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{RIGHT}\" y2=\"{y:.1}\" stroke=\"#dddddd\"/>\n\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 6.0,
                y + 4.0,
                short(mark)
            );
        }
        let middle = f64::midpoint(LEFT, RIGHT);
        let _ = writeln!(
            svg,
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
             <text x=\"14\" y=\"{}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {})\">{}</text>",
            BOTTOM + 34.0,
            escaped(&self.x),
            f64::midpoint(TOP, BOTTOM),
            f64::midpoint(TOP, BOTTOM),
            escaped(&self.y)
        );
    }
}

/// A range of numbers with round marks.
struct Axis {
    from: f64,
    to: f64,
    marks: Vec<f64>,
}

impl Axis {
    /// The axis from the least to the greatest; heights begin at 0.
    fn over((least, most): (f64, f64), is_height: bool) -> Self {
        let (least, most) = if least.is_finite() { (least, most) } else { (0.0, 1.0) };
        let from = if is_height { least.min(0.0) } else { least };
        let to = if most > from { most } else { from + 1.0 };
        let step = round_step((to - from) / 6.0);
        let to = if is_height { (to / step).ceil() * step } else { to };
        let (begin, end) = ((from / step).ceil() as i64, (to / step + 1e-6).floor() as i64);
        let marks = (begin..=end).map(|at| at as f64 * step).collect();
        Self { from, to, marks }
    }

    fn share(&self, value: f64) -> f64 {
        (value - self.from) / (self.to - self.from)
    }
}

/// 1, 2 or 5 times a power of ten, at least as large.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|digit| digit * power)
        .find(|&round| round >= step * 0.999)
        .unwrap_or(power)
}

fn short(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_marks() {
        let marks = |axis: Axis| axis.marks.iter().map(|&mark| short(mark)).collect::<Vec<_>>();
        assert_eq!(marks(Axis::over((0.0, 0.93), true)), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(marks(Axis::over((2.0, 10.0), false)), ["2", "4", "6", "8", "10"]);
        assert_eq!(marks(Axis::over((5.0, 5.0), false)).first().map(String::as_str), Some("5"));
    }

    #[test]
    fn every_series_is_drawn_and_named() {
        let series =
            vec![Series::ours("a < b", [(1.0, 2.0), (2.0, 3.0)]), Series::theirs("published", [(1.0, 2.5)])];
        let svg = Figure::new("x", "Loss & time", ("k", "loss"), series).svg();
        assert!(svg.contains("a &lt; b") && svg.contains("Loss &amp; time"), "{svg}");
        assert_eq!((svg.matches("<polyline").count(), svg.matches("stroke-dasharray").count()), (2, 2));
    }
}
