//! Which algorithm: by name, or the one that is likely to lose least.

use super::{ALGORITHMS, Entry, agglomerative, closure, enhanced_pk, k_member, mondrian};
use crate::demand::Notion;
use crate::error::{Error, Result, nearest};
use crate::model::BoundDemands;
use crate::solution::{SUPPRESSED, Solution};
use crate::space::Space;

/// The entry of this name; `auto` chooses by the notion. How large the table is does not matter: large ones are cut into
/// blocks.
pub fn choose(name: &str, notion: Notion) -> Result<&'static Entry> {
    let name = match (name, notion) {
        ("auto", Notion::K) => "agglomerative",
        ("auto", Notion::OneK) => "1k",
        ("auto", Notion::K1) => "k1-expansion",
        ("auto", Notion::Kk) => "kk-expansion",
        ("auto", Notion::Global) => "global-1k",
        (given, _) => given,
    };
    let entry = ALGORITHMS.iter().find(|e| e.name == name).ok_or_else(|| unknown(name))?;
    if entry.gives.iter().any(|given| given.implies(notion)) {
        return Ok(entry);
    }
    let gives: Vec<_> = entry.gives.iter().map(|given| format!("‹notion={}›", given.name())).collect();
    Err(Error::job(format!("{name} does not give the notion '{}'", notion.name()))
        .option("algorithm")
        .help(format!("say {}, or choose another algorithm", gives.join(" or "))))
}

/// How many times k a class has on average where sensitive values, not quasi-identifiers, decide what it holds.
const HARD: usize = 3;

/// What `auto` tries besides. Algorithms that group rows by their quasi-identifiers and merge what lacks diversity lose much
/// where it is hard to meet: few large classes tell. Dealing values out first (paper 001: on its table UN, k = 20, p = 8, il
/// 0.50 instead of 0.75), chasing them, or cutting only where both sides satisfy the models may then lose less; or looking
/// at more of the table at once (Adult, t = 0.3: il 0.30 instead of 0.36), or mending what Mondrian cut. Mondrian itself takes
/// next to no time and comes last, always: what took more may be worse, finished or not.
pub fn rivals(
    asked: &str,
    notion: Notion,
    models: &BoundDemands,
    found: &Solution,
    in_blocks: bool,
) -> Vec<Rival> {
    let Solution::Clusters(class_of) = found else { return Vec::new() };
    if asked != "auto" || notion != Notion::K {
        return Vec::new();
    }
    let by_name = |entry| Rival { entry, sees: Sees::AsByName };
    let quick = by_name(&mondrian::ENTRY);
    let released = || class_of.iter().filter(|&&c| c != SUPPRESSED);
    let classes = released().max().map_or(0, |&c| c as usize + 1);
    if !models.need_sensitive() || released().count() <= HARD * models.k() as usize * classes {
        return vec![quick];
    }
    let deals = (models.p() > 1).then_some(by_name(&enhanced_pk::ENTRY));
    let whole = in_blocks.then_some(by_name(&agglomerative::ENTRY));
    let mended = Rival { entry: &mondrian::ENTRY, sees: Sees::Blocks(MENDED) };
    [mended, by_name(&k_member::ENTRY)].into_iter().chain(deals).chain(whole).chain([quick]).collect()
}

/// Different rows of the blocks in which Mondrian is mended: many cuts, each mended in no time (20,000 patients, t = 0.3 by
/// hierarchy: il 0.48, with 8,000 rows 0.51).
const MENDED: usize = 2_000;

/// What may lose less than the first choice.
#[derive(Clone, Copy)]
pub struct Rival {
    /// The algorithm.
    pub entry: &'static Entry,
    /// How much of the table it sees at once.
    pub sees: Sees,
}

impl Rival {
    /// Whether it is done before anybody could wait for it.
    pub fn is_quick(&self) -> bool {
        self.entry.is_linear && matches!(self.sees, Sees::AsByName)
    }
}

/// How much of a table an algorithm sees at once, where the job does not say.
#[derive(Clone, Copy)]
pub enum Sees {
    /// As much as it usually does.
    AsUsual,
    /// As much as if it had been asked for by name.
    AsByName,
    /// So many different rows.
    Blocks(usize),
}

/// What clusters cost all rows together, suppressed ones in full.
pub fn loss(space: &Space<'_>, solution: &Solution) -> u64 {
    let Solution::Clusters(class_of) = solution else { return u64::MAX };
    let group_of = space.groups().of_rows();
    let mut rows: Vec<Vec<u32>> = Vec::new();
    let mut lost = 0;
    for (row, &class) in class_of.iter().enumerate() {
        if class == SUPPRESSED {
            lost += space.full_cost();
            continue;
        }
        if rows.len() <= class as usize {
            rows.resize(class as usize + 1, Vec::new());
        }
        rows[class as usize].push(row as u32);
    }
    let of_class = |rows: &Vec<u32>| rows.len() as u64 * space.cost(&closure(space, &group_of, rows));
    lost + rows.iter().filter(|rows| !rows.is_empty()).map(of_class).sum::<u64>()
}

fn unknown(name: &str) -> Error {
    let names: Vec<_> = std::iter::once("auto").chain(ALGORITHMS.iter().map(|e| e.name)).collect();
    let hint = nearest(name, names.iter().copied())
        .map_or_else(|| format!("one of {}", names.join(", ")), |n| format!("did you mean '{n}'?"));
    Error::job(format!("there is no algorithm '{name}'")).option("algorithm").help(hint)
}
