//! Is every row of a release a generalization of its own original row, and does every class meet what was asked?

use std::collections::BTreeMap;

use super::domain::Meaning;
use super::graph::{matches, matching};
use super::values::{Class, Demands, Secret};
use super::{Original, Sheet, Violation};
use crate::case::{Intervals, Notion, Role};

/// How much is known about where a release comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// It is ours: order, kept columns and the number of rows must be right.
    Own,
    /// Anybody's: what `verify` can be asked about.
    Foreign,
}

type Checked<T> = Result<T, Violation>;

/// Checks a release against its original.
pub fn check(original: &Original<'_>, release: &Sheet, how: Strictness) -> Checked<()> {
    let laid = Laid::new(original, release)?;
    let (verbatim, rest): (Vec<usize>, Vec<usize>) =
        (0..release.rows()).partition(|&row| laid.is_flagged(row));
    laid.check_verbatim(&verbatim, how)?;
    let star = original.case.asked.star == Some(true);
    let (blank, shown): (Vec<usize>, Vec<usize>) =
        rest.into_iter().partition(|&row| star && laid.is_blank(row));
    // Rows that show nothing are suppressed ones, or members of a class of which nothing is shown: nobody can tell, so one
    // reading that holds is enough.
    if blank.len() > SPLIT && original.case.asked.keep_order {
        return Ok(());
    }
    let mut first = None;
    for starred in readings(&blank, original.case.asked.keep_order) {
        let people = blank.iter().filter(|row| !starred.contains(row));
        let mut rows: Vec<usize> = people.chain(&shown).copied().collect();
        rows.sort_unstable();
        match laid.check_classes(&rows, starred.len(), how) {
            Ok(()) => return Ok(()),
            Err(violation) => first = first.or(Some(violation)),
        }
    }
    first.map_or(Ok(()), Err)
}

/// At most so many rows that show nothing are split in all ways; with more, where rows keep their order, there is no telling.
const SPLIT: usize = 12;

/// Which of the rows that show nothing may be the suppressed ones. Where rows stand tells them apart only if they keep their
/// order; all ways to choose are looked at as long as they are few.
fn readings(blank: &[usize], in_order: bool) -> Vec<Vec<usize>> {
    let counts = (0..=blank.len()).rev().map(|n| blank[..n].to_vec());
    if !in_order {
        return counts.collect();
    }
    let chosen = |set: usize| (0..blank.len()).filter(|at| set >> at & 1 == 1).map(|at| blank[at]).collect();
    (0..1usize << blank.len()).rev().map(chosen).collect()
}

/// A release whose columns were found.
struct Laid<'a> {
    original: &'a Original<'a>,
    release: &'a Sheet,
    /// Per quasi-identifier, its columns in the release.
    quasi: Vec<Vec<usize>>,
    /// Columns of both tables, and whether they are sensitive.
    same: Vec<(usize, usize, bool)>,
    /// What is known about the sensitive columns.
    secrets: Vec<Secret>,
}

impl<'a> Laid<'a> {
    fn new(original: &'a Original<'a>, release: &'a Sheet) -> Checked<Self> {
        let (mut quasi, mut same, mut names) = (Vec::new(), Vec::new(), Vec::new());
        let intervals = original.case.asked.intervals;
        for (at, column) in original.case.columns.iter().enumerate() {
            let here = names.len();
            match column.role {
                Role::Identifier | Role::Person => {}
                Role::Quasi if original.quasi[quasi.len()].1.width(intervals) == 2 => {
                    names.extend([format!("{}_min", column.name), format!("{}_max", column.name)]);
                    quasi.push(vec![here, here + 1]);
                }
                Role::Quasi => {
                    names.push(column.name.clone());
                    quasi.push(vec![here]);
                }
                Role::Sensitive | Role::Kept => {
                    names.push(column.name.clone());
                    same.push((at, here, column.role == Role::Sensitive));
                }
            }
        }
        if release.names != names {
            let what = format!("columns {:?}, expected {names:?}", release.names);
            return Err(Violation::new("columns", what));
        }
        let secrets = Demands::new(original).secrets;
        Ok(Self { original, release, quasi, same, secrets })
    }

    fn is_flagged(&self, row: usize) -> bool {
        let flag = self.original.case.asked.opt_out.as_ref();
        let said = |(name, value): &(String, String)| {
            self.release.column(name).is_some_and(|at| self.release.text(at, row) == value)
        };
        flag.is_some_and(said)
    }

    fn tuple(&self, row: usize) -> Vec<&str> {
        self.quasi.iter().flatten().map(|&at| self.release.text(at, row)).collect()
    }

    fn is_blank(&self, row: usize) -> bool {
        let numbers = self.original.case.asked.intervals != Intervals::Text;
        let quasi = self.quasi.iter().zip(&self.original.quasi);
        let line = |domain: &super::Domain| matches!(domain, super::Domain::Line(_)) && numbers;
        let mut cells = quasi.flat_map(|(at, (_, domain))| at.iter().map(move |&at| (at, line(domain))));
        let nothing =
            |(at, silent): (usize, bool)| self.release.text(at, row) == if silent { "" } else { "*" };
        cells.all(nothing) && self.same.iter().all(|&(_, at, _)| self.release.text(at, row).is_empty())
    }

    /// Whether an untouched cell is as it was.
    fn is_same(&self, (here, there, _): (usize, usize, bool), source: usize, row: usize) -> bool {
        let (was, is) = (&self.original.sheet.columns[here][source], &self.release.columns[there][row]);
        let text = self.original.sheet.is_text || self.release.is_text;
        if text { was.as_deref().unwrap_or("") == is.as_deref().unwrap_or("") } else { was == is }
    }

    /// People who do not mind stand there as they are, all of them.
    fn check_verbatim(&self, rows: &[usize], how: Strictness) -> Checked<()> {
        let mut left = self.original.verbatim.clone();
        if rows.len() != left.len() {
            let what = format!("{} rows opted out, {} are published", left.len(), rows.len());
            return Err(Violation::new("opt-out", what));
        }
        for &row in rows {
            let found = left.iter().position(|&source| self.is_verbatim(source, row, how));
            let Some(found) = found else {
                let what = format!("row {row} is flagged, but no opted-out row reads like it");
                return Err(Violation::new("opt-out", what));
            };
            left.remove(found);
        }
        Ok(())
    }

    fn is_verbatim(&self, source: usize, row: usize, how: Strictness) -> bool {
        let same = |(at, domain): &(usize, super::Domain), columns: &Vec<usize>| {
            let value = self.original.sheet.text(*at, source);
            columns.iter().all(|&c| Original::same(domain, value, self.release.text(c, row)))
        };
        self.original.quasi.iter().zip(&self.quasi).all(|(q, columns)| same(q, columns))
            && self.keeps(source, row, how)
    }

    /// Whether what is not generalized is as it was.
    fn keeps(&self, source: usize, row: usize, how: Strictness) -> bool {
        match how {
            Strictness::Own => self.same.iter().all(|&both| self.is_same(both, source, row)),
            // Who cannot know the spelling compares values.
            Strictness::Foreign => {
                let secret = self.same.iter().filter(|both| both.2).zip(&self.secrets);
                secret.into_iter().all(|(&(here, there, _), secret)| {
                    secret.same(self.original.sheet.text(here, source), self.release.text(there, row))
                })
            }
        }
    }

    /// What a row says, column by column.
    fn said(&self, row: usize, how: Strictness) -> Vec<Meaning> {
        let intervals = self.original.case.asked.intervals;
        let read = |(columns, (_, domain)): (&Vec<usize>, &(usize, super::Domain))| {
            let texts: Vec<&str> = columns.iter().map(|&at| self.release.text(at, row)).collect();
            match (texts.as_slice(), domain, how) {
                // In anybody's table '*' says nothing, whatever the root of the hierarchy is called.
                (["*"], super::Domain::Tree(tree), Strictness::Foreign) => Meaning::Label(tree.root.clone()),
                _ => domain.read(&texts, intervals),
            }
        };
        self.quasi.iter().zip(&self.original.quasi).map(read).collect()
    }

    fn covers(&self, said: &[Meaning], source: usize) -> bool {
        let covers = |(said, (at, domain)): (&Meaning, &(usize, super::Domain))| {
            domain.covers(said, self.original.sheet.text(*at, source))
        };
        said.iter().zip(&self.original.quasi).all(covers)
    }

    /// Whether a row of the release can have been made from a row of the original.
    fn fits(&self, said: &[Meaning], source: usize, row: usize, how: Strictness) -> bool {
        let columns = self.original.case.of(Role::Quasi);
        let allows = |((said, column), (at, domain)): ((&Meaning, _), &(usize, super::Domain))| {
            let middle = matches!(said, Meaning::Middle(_)) && how == Strictness::Foreign;
            let exact =
                matches!(said, Meaning::Between(low, high) if low >= high) && how == Strictness::Foreign;
            // A grid is a promise about ends: a value as it is, in anybody's table, breaks none that `verify` knows.
            middle || exact || domain.allows(column, said, self.original.sheet.text(*at, source))
        };
        !self.original.lacking.contains(&source)
            && self.covers(said, source)
            && said.iter().zip(columns).zip(&self.original.quasi).all(allows)
            && self.keeps(source, row, how)
    }

    fn check_classes(&self, rows: &[usize], starred: usize, how: Strictness) -> Checked<()> {
        let original = self.original;
        let gone = original.open.len().checked_sub(rows.len()).ok_or_else(|| {
            let what = format!("{} rows in classes, {} to release", rows.len(), original.open.len());
            Violation::new("count", what)
        })?;
        if how == Strictness::Own {
            self.check_counts(rows.len(), gone, starred)?;
        }
        if let Some(most) = original.case.quota(original.open.len()).filter(|most| gone > *most) {
            return Err(Violation::new("limit", format!("{gone} rows suppressed, at most {most} may be")));
        }
        let demands = Demands::new(original);
        let is_k = original.case.asked.notion == Notion::K;
        if is_k && original.people.is_none() {
            self.check_each_class(rows, rows, &demands)?;
        }
        let said: Vec<Vec<Meaning>> = rows.iter().map(|&row| self.said(row, how)).collect();
        let sources = self.sources(rows, &said, how)?;
        // Where several may have been suppressed, only ours says who.
        let known = gone == 0 || (how == Strictness::Own && self.knows_sources(gone));
        if !is_k && known {
            self.check_notion(rows, &said, &sources, &demands)?;
        }
        // Whose rows these are, only ours says.
        if is_k && original.people.is_some() && how == Strictness::Own && self.knows_sources(gone) {
            self.check_each_class(rows, &sources, &demands)?;
        }
        Ok(())
    }

    /// How many rows are suppressed, where that is known beforehand.
    fn check_counts(&self, shown: usize, gone: usize, starred: usize) -> Checked<()> {
        let case = self.original.case;
        let free = case.asked.suppress.is_some() || case.of(Role::Quasi).any(crate::case::Column::is_bounded);
        let lacking = self.original.lacking.len();
        if shown == 0 {
            return Err(Violation::new("empty", "nobody is released"));
        }
        if gone < lacking || (!free && gone != lacking) {
            let what = format!("{gone} rows suppressed, {lacking} lack a value");
            return Err(Violation::new("suppressed", what));
        }
        if case.asked.star == Some(true) && starred != gone {
            return Err(Violation::new("starred", format!("{gone} rows suppressed, {starred} starred")));
        }
        Ok(())
    }

    /// `sources` are the rows of the original; where people have one row each, any numbers.
    fn check_each_class(&self, rows: &[usize], sources: &[usize], demands: &Demands<'_>) -> Checked<()> {
        let mut classes: BTreeMap<Vec<&str>, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for (&row, &source) in rows.iter().zip(sources) {
            let (rows, sources) = classes.entry(self.tuple(row)).or_default();
            rows.push(row);
            sources.push(source);
        }
        for (tuple, (rows, sources)) in &classes {
            let class = Class { people: self.original.people_of(sources), texts: self.secret_texts(rows) };
            if let Some(short) = demands.short(&class) {
                let kind = short.split(':').next().unwrap_or_default().to_owned();
                return Err(Violation { kind, what: format!("class {tuple:?}: {short}") });
            }
        }
        Ok(())
    }

    /// The sensitive texts of some rows, column by column.
    fn secret_texts(&self, rows: &[usize]) -> Vec<Vec<&str>> {
        let secret = self.same.iter().filter(|both| both.2);
        secret.map(|&(_, at, _)| rows.iter().map(|&row| self.release.text(at, row)).collect()).collect()
    }

    /// Whether the release tells which original row every row was made from.
    fn knows_sources(&self, gone: usize) -> bool {
        let case = self.original.case;
        self.release.column("tag").is_some()
            || (case.asked.keep_order && (gone == 0 || case.asked.star == Some(true)))
    }

    /// The original row of every row: by its tag, by its place, or by matching.
    fn sources(&self, rows: &[usize], said: &[Vec<Meaning>], how: Strictness) -> Checked<Vec<usize>> {
        let open = &self.original.open;
        let case = self.original.case;
        let wrong = |row: usize, source: usize| {
            let what = format!(
                "row {row}, {:?}, is no generalization of its original row {source}",
                self.tuple(row)
            );
            Violation::new("fit", what)
        };
        let tag = self.release.column("tag").zip(self.original.sheet.column("tag"));
        let known: Option<Vec<usize>> = match tag.filter(|_| how == Strictness::Own) {
            Some((there, here)) => {
                let find = |&row: &usize| {
                    let tag = self.release.text(there, row);
                    open.iter().copied().find(|&source| self.original.sheet.text(here, source) == tag)
                };
                let found: Option<Vec<usize>> = rows.iter().map(find).collect();
                let found = found.ok_or_else(|| Violation::new("tag", "a tag is nobody's"))?;
                let mut once = found.clone();
                once.sort_unstable();
                if case.asked.keep_order && once != found {
                    return Err(Violation::new("order", "rows did not keep their order"));
                }
                once.dedup();
                if once.len() != found.len() {
                    return Err(Violation::new("tag", "somebody is released twice"));
                }
                Some(found)
            }
            None if how == Strictness::Own && case.asked.keep_order => Some(self.in_order(rows, said)?),
            None => None,
        };
        if let Some(known) = known {
            for ((&row, said), &source) in rows.iter().zip(said).zip(&known) {
                if !self.fits(said, source, row, how) {
                    return Err(wrong(row, source));
                }
            }
            return Ok(known);
        }
        let edge = |(&row, said): (&usize, &Vec<Meaning>)| {
            (0..open.len()).filter(|&at| self.fits(said, open[at], row, how)).collect()
        };
        let edges: Vec<Vec<usize>> = rows.iter().zip(said).map(edge).collect();
        let partner = matching(&edges, open.len());
        let partner =
            partner.ok_or_else(|| Violation::new("fit", "no assignment of rows to original rows"))?;
        Ok(partner.into_iter().map(|at| open[at]).collect())
    }

    /// Rows in the order of the original, some of which may be missing: the earliest fit is as good as any.
    fn in_order(&self, rows: &[usize], said: &[Vec<Meaning>]) -> Checked<Vec<usize>> {
        if self.original.case.asked.star == Some(true) {
            return Ok(rows.to_vec());
        }
        let mut rest = self.original.open.iter().copied();
        let next = |(&row, said): (&usize, &Vec<Meaning>)| {
            rest.find(|&source| self.fits(said, source, row, Strictness::Own))
        };
        let found: Option<Vec<usize>> = rows.iter().zip(said).map(next).collect();
        found.ok_or_else(|| Violation::new("fit", "no assignment of rows to original rows in their order"))
    }

    /// The notions of Gionis et al. 2008, among the people who are in the release: it is known who is suppressed.
    fn check_notion(
        &self,
        rows: &[usize],
        said: &[Vec<Meaning>],
        sources: &[usize],
        demands: &Demands<'_>,
    ) -> Checked<()> {
        let (k, notion) = (self.original.case.asked.k as usize, self.original.case.asked.notion);
        let fits =
            |&source: &usize| (0..rows.len()).filter(|&tuple| self.covers(&said[tuple], source)).collect();
        let fits: Vec<Vec<usize>> = sources.iter().map(fits).collect();
        let short = |what: String| Err(Violation::new("notion", format!("{notion:?}: {what}, k = {k}")));
        let mut people = vec![0; rows.len()];
        fits.iter().flatten().for_each(|&tuple| people[tuple] += 1);
        if let Some(few) = people.iter().min().filter(|few| **few < k)
            && matches!(notion, Notion::K1 | Notion::Kk)
        {
            return short(format!("a tuple fits {few} people"));
        }
        if let Some(few) = fits.iter().map(Vec::len).min().filter(|few| *few < k)
            && matches!(notion, Notion::OneK | Notion::Kk | Notion::Global)
        {
            return short(format!("a person fits {few} tuples"));
        }
        if notion == Notion::Global {
            let partner: Vec<usize> = (0..rows.len()).collect();
            for (person, could) in matches(&fits, &partner).into_iter().enumerate() {
                if could.len() < k {
                    return short(format!("{} tuples could be row {}'s", could.len(), sources[person]));
                }
                let mine: Vec<usize> = could.iter().map(|&tuple| rows[tuple]).collect();
                let p = self.original.case.asked.p.unwrap_or(1) as usize;
                for (column, texts) in self.secret_texts(&mine).iter().enumerate() {
                    if p > 1 && demands.sorts(column, texts) < p {
                        return short(format!("row {}'s matches have too few values", sources[person]));
                    }
                }
            }
        }
        Ok(())
    }
}
