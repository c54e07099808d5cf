//! Tables and figures.

use super::measure::{Found, Line};
use super::{ALGORITHMS, PS};
use crate::report::{Cell, Figure, Part, Series, Table, mean};

pub(super) fn parts(found: &[Found]) -> Vec<Part> {
    let note =
        |figure: &str| format!("{figure} of the paper, which prints no numbers. Means of the samples.");
    vec![
        part("001-avg", "AVG", &note("The first charts of Figures 3 to 7"), found, 3, |line| &line.avg)
            .with(charts(found, "avg", "AVG", |line| &line.avg)),
        part("001-il", "IL per cell", &note("The second charts of Figures 3 to 7"), found, 3, |line| {
            &line.il
        })
        .with(charts(found, "il", "IL per cell", |line| &line.il)),
        part("001-time", "Seconds", &note("The third charts of Figures 3 to 7"), found, 3, |line| {
            &line.seconds
        }),
        part("001-dm", "DM", "Defined in the paper, not shown there.", found, 0, |line| &line.dm),
        clusters(found),
        widths(found),
    ]
}

fn part(id: &str, title: &str, note: &str, found: &[Found], digits: u8, of: fn(&Line) -> &Vec<f64>) -> Part {
    let mut table = Table::new(["", "p"].into_iter().chain(ALGORITHMS));
    for set in found {
        for p in PS {
            let cell = |algorithm: &&str| {
                set.line(algorithm, p)
                    .map_or_else(|| Cell::text("impossible"), |line| Cell::spread(of(line), digits))
            };
            table.push(
                [Cell::text(&set.name), Cell::count(p.into())].into_iter().chain(ALGORITHMS.iter().map(cell)),
            );
        }
    }
    Part::new(id, title, note, table)
}

fn charts(found: &[Found], what: &str, title: &str, of: fn(&Line) -> &Vec<f64>) -> Vec<Figure> {
    let of_set = |set: &Found| {
        let series = ALGORITHMS.iter().map(|algorithm| {
            let points = PS.iter().filter_map(|&p| Some((f64::from(p), mean(of(set.line(algorithm, p)?)))));
            Series::ours(*algorithm, points)
        });
        let id = format!("001-{what}-{}", set.name.to_lowercase());
        Figure::new(&id, format!("{}: {title}", set.name), ("p", title), series.collect())
    };
    found.iter().map(of_set).collect()
}

fn clusters(found: &[Found]) -> Part {
    let mut table = Table::new(["", "p", "algorithm", "clusters", "classes", "clusters allowed by p and k"]);
    for set in found {
        for p in PS {
            for line in ALGORITHMS[..2].iter().filter_map(|algorithm| set.line(algorithm, p)) {
                table.push([
                    Cell::text(&set.name),
                    Cell::count(p.into()),
                    Cell::text(line.algorithm),
                    Cell::spread(&line.clusters, 0),
                    Cell::spread(&line.classes, 0),
                    Cell::spread(&line.allowed, 0),
                ]);
            }
        }
    }
    let note = "Clusters with equal tuples are published as one class. With several confidential attributes what is allowed is a bound, which need not be reached.";
    Part::new("001-clusters", "Clusters and classes", note, table)
}

fn widths(found: &[Found]) -> Part {
    let mut table = Table::new(["", "p", "by level", "by width"]);
    for set in found {
        for p in PS {
            if let Some(line) = set.line("incognito", p) {
                let cells = [Cell::spread(&line.il, 3), Cell::spread(&line.il_by_width, 3)];
                table.push([Cell::text(&set.name), Cell::count(p.into())].into_iter().chain(cells));
            }
        }
    }
    let note = "IL of incognito where a range of years costs its level in the tree, or what a smallest interval of its width would cost. By width, incognito and the others are measured alike.";
    Part::new("001-width", "Ranges by width", note, table)
}
