//! Tables and figures.

use super::measure::{Found, Line};
use super::{ALGORITHMS, Compared, INCOGNITO, PS};
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
        })
        .with(charts(found, "time", "seconds", |line| &line.seconds)),
        part("001-dm", "DM", "Defined in the paper, not shown there.", found, 0, |line| &line.dm),
        clusters(found),
        widths(found),
    ]
}

fn part(id: &str, title: &str, note: &str, found: &[Found], digits: u8, of: fn(&Line) -> &Vec<f64>) -> Part {
    let mut table = Table::new(["", "p"].into_iter().chain(ALGORITHMS.iter().map(|compared| compared.label)));
    for set in found {
        for p in PS {
            let cell = |compared: &Compared| {
                set.line(compared.label, p)
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
        let series = ALGORITHMS.iter().map(|compared| {
            let points =
                PS.iter().filter_map(|&p| Some((f64::from(p), mean(of(set.line(compared.label, p)?)))));
            Series::ours(compared.label, points)
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
            for line in ALGORITHMS[..2].iter().filter_map(|compared| set.line(compared.label, p)) {
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
    let note = "Clusters with equal tuples are published as one class. The local search changes no number of clusters. With several confidential attributes what is allowed is a bound, which need not be reached.";
    Part::new("001-clusters", "Clusters and classes", note, table)
}

fn widths(found: &[Found]) -> Part {
    let mut table = Table::new(["", "p", "by width", "by level"]);
    for set in found {
        for p in PS {
            if let Some(line) = set.line(INCOGNITO, p) {
                let cells = [Cell::spread(&line.il, 3), Cell::spread(&line.il_by_level, 3)];
                table.push([Cell::text(&set.name), Cell::count(p.into())].into_iter().chain(cells));
            }
        }
    }
    let note = "IL of incognito where a range of years costs what a smallest interval of its width would cost, as everywhere else here, or its level in the tree. By width, incognito and the others are measured alike.";
    Part::new("001-width", "Ranges by width", note, table)
}
