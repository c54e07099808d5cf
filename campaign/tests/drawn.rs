//! What a campaign asks: every demand, of all sensitive columns and of one.

use std::collections::BTreeMap;

use kohort_campaign::case::{Demand, Role};
use kohort_campaign::draw::draw;

fn name(demand: Demand) -> &'static str {
    match demand {
        Demand::P(_) => "p",
        Demand::Distinct(_) => "distinct",
        Demand::Entropy(_) => "entropy",
        Demand::Recursive(..) => "recursive",
        Demand::Alpha(_) => "alpha",
        Demand::Close(..) => "t",
        Demand::Likeness(_) => "beta",
        Demand::Disclosure(_) => "delta",
    }
}

#[test]
fn every_demand_is_drawn() {
    let mut drawn: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    for case in (0..4_000).map(draw) {
        let of_all = case.asked.p.map(Demand::P).into_iter().chain(case.asked.demands.iter().copied());
        let mut count = |demand: Demand, of: &'static str| *drawn.entry((name(demand), of)).or_default() += 1;
        of_all.for_each(|demand| count(demand, "all"));
        for column in case.of(Role::Sensitive) {
            let place = if column.named { "after an @" } else { "its entry" };
            column.demands.iter().for_each(|&demand| count(demand, place));
        }
    }
    assert_eq!(drawn.len(), 8 * 3, "{drawn:?}");
    assert!(drawn.values().all(|&times| times >= 20), "{drawn:?}");
}
