//! What is asked of a random table.

use crate::case::{Asked, Case, Column, Demand, Ground, Intervals, Kind, Missing, Notion, Role, Snap};
use crate::checker::domain::{Domain, place};
use crate::random::Random;

/// Algorithms that make classes.
const OF_CLASSES: [&str; 14] = [
    "auto",
    "auto",
    "k-member",
    "greedy-cka",
    "greedy-pk",
    "enhanced-pk",
    "oka",
    "systematic",
    "systematic-plus",
    "kaca",
    "agglomerative",
    "agglomerative-modified",
    "forest",
    "mondrian",
];

/// How much more frequent a value may be in a class than in the table.
const LIKENESS: [f64; 6] = [0.25, 0.3, 0.5, 1.0, 2.0, 5.0];

/// How far the logarithm of that may be from 0.
const DISCLOSURE: [f64; 5] = [0.4, 0.7, 1.0, 1.5, 3.0];

/// k alone, by the default algorithm.
pub(super) fn plain(k: u32) -> Asked {
    Asked {
        k,
        p: None,
        demands: Vec::new(),
        notion: Notion::K,
        algorithm: "auto".to_owned(),
        settings: Vec::new(),
        measure: None,
        beta: None,
        seed: 0,
        block_rows: None,
        hurried: false,
        keep_order: false,
        star: None,
        intervals: Intervals::Text,
        missing: None,
        count_missing: false,
        suppress: None,
        opt_out: None,
        levels: Vec::new(),
    }
}

/// Draws everything else.
pub(super) fn fill(random: &mut Random, case: &mut Case) {
    let a = &mut case.asked;
    a.notion = match random.below(12) {
        0 => Notion::OneK,
        1 => Notion::K1,
        2 => Notion::Kk,
        3 => Notion::Global,
        _ => Notion::K,
    };
    a.algorithm = String::from(algorithm(random, a.notion));
    a.intervals = match random.below(6) {
        0 => Intervals::Bounds,
        1 if a.notion == Notion::K => Intervals::Midpoint,
        _ => Intervals::Text,
    };
    a.measure = random.maybe(3, &["il", "lm", "entropy", "whd", "ncp"].map(str::to_owned));
    a.beta = random.maybe(4, &[0.0, 1.0, 2.0]).filter(|_| a.measure.as_deref() == Some("whd"));
    a.seed = if random.one_in(2) { 0 } else { random.number() >> 12 };
    a.keep_order = random.one_in(3);
    a.star = random.maybe(2, &[true, true, false]);
    a.missing = random.maybe(4, &[Missing::Value, Missing::Suppress, Missing::Suppress, Missing::Refuse]);
    a.count_missing = random.one_in(4);
    a.suppress = random.maybe(3, &[0.0, 0.05, 0.1, 0.2, 0.2, 0.29, 0.5, 0.5, 1.0]);
    a.hurried = random.one_in(25);
    a.block_rows = random.maybe(8, &[0, 3, 8, 20]).filter(|_| a.algorithm != "incognito");
    opt_out(random, case);
    boundaries(random, case);
    about_values(random, case);
    settings(random, case);
    levels(random, case);
    against_the_table(random, case);
    of_single_columns(random, case);
}

fn algorithm(random: &mut Random, notion: Notion) -> &'static str {
    let names: &[&'static str] = match notion {
        Notion::K if random.one_in(9) => &["incognito"],
        Notion::K => &OF_CLASSES,
        Notion::OneK => &["auto", "1k", "kk-expansion", "global-1k-optimal", "k-member"],
        Notion::K1 => &["auto", "k1-nearest", "k1-expansion", "k1-optimal", "kk-nearest"],
        Notion::Kk => &["auto", "kk-nearest", "kk-expansion", "global-1k", "forest"],
        Notion::Global => &["auto", "global-1k", "mondrian"],
    };
    names[random.below(names.len())]
}

fn opt_out(random: &mut Random, case: &mut Case) {
    if !random.one_in(6) {
        return;
    }
    let rare = random.from(2, 8);
    let cell = |random: &mut Random| Some(if random.one_in(rare) { "public" } else { "private" }.to_owned());
    let cells = (0..case.rows()).map(|_| cell(random)).collect();
    let role = if random.one_in(5) { Role::Sensitive } else { Role::Kept };
    case.columns.push(Column::new("consent", role, cells));
    case.asked.opt_out = Some(("consent".to_owned(), "public".to_owned()));
}

fn boundaries(random: &mut Random, case: &mut Case) {
    let often = random.from(2, 9);
    for column in case.columns.iter_mut().filter(|c| c.role == Role::Quasi) {
        if random.one_in(8) {
            column.missing = Some(*random.pick(&[Missing::Value, Missing::Suppress, Missing::Refuse]));
        }
        let texts = column.cells.iter().map(|c| c.as_deref().unwrap_or(""));
        match Domain::new(column, texts) {
            Domain::Tree(tree) => {
                if column.paths.is_some() && random.one_in(10) {
                    let levels = tree.height() as u32 + 1;
                    column.level_weights = vec![(levels, 0.5)];
                }
                let labels: Vec<&String> = tree.paths.values().flatten().filter(|l| !l.is_empty()).collect();
                if !random.one_in(often) || labels.is_empty() {
                    continue;
                }
                for _ in 0..random.from(1, 3) {
                    let label = (*random.pick(&labels)).clone();
                    if label != tree.root && !column.max_generalization.contains(&label) {
                        column.max_generalization.push(label);
                    }
                }
            }
            Domain::Line(line) => {
                let (Some(low), Some(high)) = (line.values.first(), line.values.last()) else { continue };
                let (low, high, kind) = (*low, *high, line.kind);
                column.snap = match kind {
                    Kind::Integer => random.maybe(5, &[1.0, 2.0, 5.0, 10.0]).map(Snap::Number),
                    Kind::Decimal => random.maybe(5, &[0.1, 0.25, 0.5, 1.0]).map(Snap::Number),
                    Kind::Date => random.maybe(5, &[1, 3, 12]).map(Snap::Months),
                    Kind::Timestamp => random.maybe(5, &[15, 60, 1440]).map(Snap::Minutes),
                    Kind::Category => None,
                };
                if random.one_in(often) {
                    let range = if kind == Kind::Timestamp { (high - low) / 1e6 } else { high - low };
                    let width = (range * *random.pick(&[0.0, 0.2, 0.5, 0.9])).round();
                    column.max_width = Some(width.max(column.snap.map_or(0.0, Snap::widest)));
                }
                if random.one_in(often) {
                    column.cuts = cuts(random, column, kind);
                }
            }
        }
    }
}

/// One or two values of a column, on its grid, ascending.
fn cuts(random: &mut Random, column: &Column, kind: Kind) -> Vec<String> {
    let mut found: Vec<(f64, String)> = Vec::new();
    for _ in 0..random.from(1, 2) {
        let text = column.cells[random.below(column.cells.len())].clone();
        let Some(at) = text.as_deref().and_then(|t| place(kind, t)) else { continue };
        let is_calendar = matches!(kind, Kind::Date | Kind::Timestamp);
        let text = match (kind, column.snap) {
            // A line of the calendar that is easy to name.
            (_, Some(Snap::Months(_) | Snap::Minutes(_))) => {
                format!("{}-01-01", &text.unwrap_or_default().trim()[..4])
            }
            (Kind::Date | Kind::Timestamp, _) => text.unwrap_or_default(),
            (Kind::Integer, None) => format!("{at}"),
            (_, None) => format!("{}", at + 0.1),
            // The name of a line of the grid, without the noise of rounding.
            (_, Some(Snap::Number(step))) => format!("{:.2}", (at / step).round() * step),
        };
        let Some(at) = place(if is_calendar { kind } else { Kind::Decimal }, &text) else { continue };
        if found.iter().all(|(other, _)| other.total_cmp(&at).is_ne()) {
            found.push((at, text));
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.into_iter().map(|(_, text)| text).collect()
}

fn about_values(random: &mut Random, case: &mut Case) {
    let secrets: Vec<usize> =
        (0..case.columns.len()).filter(|&c| case.columns[c].role == Role::Sensitive).collect();
    let a = &mut case.asked;
    if secrets.is_empty() || !matches!(a.notion, Notion::K | Notion::Global) {
        return;
    }
    let most = (a.k as usize).min(4);
    a.p = random.one_in(3).then(|| random.from(2, most) as u32);
    if a.notion == Notion::Global {
        return;
    }
    if let (Some(_), true) = (a.p, random.one_in(3)) {
        for &at in &secrets {
            let column = &mut case.columns[at];
            if let Some(paths) = &column.paths {
                let path = random.pick(paths);
                column.protected = vec![random.pick(path).clone()];
            }
        }
    }
    if random.one_in(6) {
        a.demands.push(Demand::Distinct(random.from(1, most) as u32));
    }
    if random.one_in(7) {
        a.demands.push(Demand::Entropy(*random.pick(&[1.2, 1.5, 2.0, 2.5])));
    }
    if random.one_in(7) {
        let c = *random.pick(&[0.5, 1.0, 2.0, 3.0]);
        a.demands.push(Demand::Recursive(c, random.from(1, most) as u32));
    }
    a.demands.extend(random.maybe(8, &[0.3, 0.5, 0.6, 0.75]).map(Demand::Alpha));
    if random.one_in(7) {
        closeness(random, case, &secrets);
    }
}

/// The distances that a column has.
fn grounds(column: &Column) -> Vec<Ground> {
    let whole = column.cells.iter().all(Option::is_some);
    let texts = column.cells.iter().map(|c| c.as_deref().unwrap_or(""));
    let mut all = vec![Ground::Equal];
    if column.paths.is_some() {
        all.push(Ground::Hierarchical);
        all.extend(whole.then_some(Ground::Ordered));
    } else if matches!(Domain::new(column, texts), Domain::Line(_)) {
        all.push(Ground::Ordered);
    }
    all
}

fn closeness(random: &mut Random, case: &mut Case, secrets: &[usize]) {
    let t = *random.pick(&[0.05, 0.2, 0.3, 0.5, 0.8]);
    let mut named = None;
    for ground in [Ground::Ordered, Ground::Hierarchical] {
        let fits = secrets.iter().all(|&at| grounds(&case.columns[at]).contains(&ground));
        if fits && random.one_in(2) {
            named = Some(ground);
        }
    }
    if named.is_none() {
        for &at in secrets {
            let all = grounds(&case.columns[at]);
            case.columns[at].closeness = random.maybe(2, &all);
        }
    }
    case.asked.demands.push(Demand::Close(t, named));
}

/// Demands on all sensitive columns that compare classes with the table by ratios.
fn against_the_table(random: &mut Random, case: &mut Case) {
    if case.asked.notion == Notion::K && case.of(Role::Sensitive).next().is_some() {
        case.asked.demands.extend(random.maybe(8, &LIKENESS).map(Demand::Likeness));
        case.asked.demands.extend(random.maybe(10, &DISCLOSURE).map(Demand::Disclosure));
    }
}

/// Demands on some sensitive columns alone.
fn of_single_columns(random: &mut Random, case: &mut Case) {
    if case.asked.notion != Notion::K {
        return;
    }
    let most = (case.asked.k as usize).min(4);
    let close = |d: &Demand| if let Demand::Close(_, ground) = d { Some(*ground) } else { None };
    let said = case.asked.demands.iter().find_map(close);
    for column in case.columns.iter_mut().filter(|c| c.role == Role::Sensitive) {
        if !random.one_in(4) {
            continue;
        }
        column.named = random.one_in(2);
        // A column has one distance, so it is named as it is for all columns.
        let ground = said.unwrap_or_else(|| random.maybe(2, &grounds(column)));
        for turn in 0..random.from(1, 2) {
            // There is one key for the p of a column.
            column.demands.push(match random.from(turn, 7) {
                0 => Demand::P(random.from(1, most) as u32),
                1 => Demand::Distinct(random.from(1, most) as u32),
                2 => Demand::Entropy(*random.pick(&[1.2, 1.5, 2.0])),
                3 => Demand::Recursive(*random.pick(&[1.0, 2.0, 3.0]), random.from(1, most) as u32),
                4 => Demand::Alpha(*random.pick(&[0.5, 0.6, 0.75])),
                5 => Demand::Close(*random.pick(&[0.2, 0.3, 0.5]), ground),
                6 => Demand::Likeness(*random.pick(&LIKENESS)),
                _ => Demand::Disclosure(*random.pick(&DISCLOSURE)),
            });
        }
    }
}

fn settings(random: &mut Random, case: &mut Case) {
    let a = &mut case.asked;
    let said: Option<(&str, &str)> = match a.algorithm.as_str() {
        "agglomerative" | "agglomerative-modified" => Some(("distance", *random.pick(&["1", "2", "3", "4"]))),
        "mondrian" => Some(("cut", *random.pick(&["strict", "relaxed"]))),
        "k-member" => Some(("first-seed", *random.pick(&["row", "farthest"]))),
        "kaca" if a.suppress.is_some() => Some(("threshold", *random.pick(&["0.5", "2"]))),
        _ => None,
    };
    if random.one_in(2) {
        a.settings.extend(said.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }
}

fn levels(random: &mut Random, case: &mut Case) {
    if case.asked.algorithm != "incognito" || !random.one_in(3) {
        return;
    }
    for column in case.columns.iter().filter(|c| c.role == Role::Quasi) {
        if random.one_in(3) {
            case.asked.levels.push((column.name.clone(), random.below(2) as u32));
        }
    }
}
