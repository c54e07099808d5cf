//! Ethnic group, country of birth and where people live, which depend on each other.

use super::Person;
use crate::generate::places::{Place, places};
use crate::generate::random::{Dice, Weights, band};

/// White, Black, East Asian, South Asian, Arab, Latin American, mixed, other.
const GROUPS: [f64; 8] = [77.0, 7.5, 3.5, 4.0, 2.5, 3.5, 1.5, 0.5];

const GROUP_AGES: [usize; 3] = [0, 30, 60];

/// Younger people come from more places: factors on every group but the first, by age.
const NEWCOMERS: [f64; 3] = [1.35, 1.0, 0.5];

/// The share of each group born abroad.
const ABROAD: [f64; 8] = [0.045, 0.28, 0.52, 0.5, 0.55, 0.52, 0.12, 0.4];

/// Children follow their parents less often than they are born after the move.
const ABROAD_AS_CHILD: f64 = 0.35;

/// Countries per part of the world, in the order of the tree of countries.
const COUNTRIES: [usize; 12] = [5, 4, 5, 3, 2, 4, 4, 3, 4, 3, 2, 2];

/// By group: from which part of the world those born abroad come.
const PARTS: [[f64; 12]; 8] = [
    [22.0, 12.0, 45.0, 0.2, 0.2, 0.3, 3.0, 1.0, 1.0, 3.0, 0.2, 12.0],
    [4.0, 1.0, 0.3, 0.1, 0.1, 0.1, 0.3, 5.0, 65.0, 4.0, 18.0, 3.0],
    [1.0, 0.3, 0.3, 50.0, 42.0, 1.0, 0.1, 0.0, 0.0, 0.5, 0.0, 5.0],
    [6.0, 0.2, 0.1, 0.3, 1.0, 86.0, 2.0, 0.1, 2.0, 0.0, 0.5, 2.0],
    [3.0, 0.5, 0.2, 0.0, 0.0, 0.3, 60.0, 36.0, 0.5, 0.2, 0.0, 0.5],
    [2.0, 8.0, 0.2, 0.1, 0.2, 0.1, 0.1, 0.1, 0.1, 80.0, 6.0, 3.0],
    [20.0, 8.0, 8.0, 6.0, 6.0, 6.0, 5.0, 5.0, 8.0, 10.0, 8.0, 10.0],
    [10.0, 5.0, 10.0, 10.0, 15.0, 10.0, 20.0, 5.0, 5.0, 5.0, 2.0, 3.0],
];

/// Draws where someone comes from and where they live now.
#[derive(Debug)]
pub(super) struct Origin {
    group: Vec<Weights>,
    country: Vec<Weights>,
    place: Vec<Weights>,
}

impl Origin {
    pub(super) fn new() -> Self {
        let places = places();
        let pairs = || (0..GROUPS.len()).flat_map(|group| [(group, false), (group, true)]);
        Self {
            group: NEWCOMERS.iter().map(|&factor| groups(factor)).collect(),
            country: pairs().map(|(group, child)| countries(group, child)).collect(),
            place: pairs().map(|(group, abroad)| homes(&places, group, abroad)).collect(),
        }
    }

    /// Ethnic group by age, country by group, place by both.
    pub(super) fn draw(&self, person: &mut Person, dice: &mut Dice) {
        let group = self.group[band(person.age, &GROUP_AGES)].pick(dice);
        person.ethnic_group = group;
        person.birth_country = self.country[group * 2 + usize::from(person.age < 15)].pick(dice);
        person.place = self.place[group * 2 + usize::from(person.birth_country != 0)].pick(dice);
    }
}

fn groups(newcomers: f64) -> Weights {
    Weights::new(GROUPS.iter().enumerate().map(|(i, &share)| if i == 0 { share } else { share * newcomers }))
}

/// The home country first; in each part of the world the first country sends most.
fn countries(group: usize, child: bool) -> Weights {
    let abroad = ABROAD[group] * if child { ABROAD_AS_CHILD } else { 1.0 };
    let all: f64 = PARTS[group].iter().sum();
    let mut weights = vec![1.0 - abroad];
    for (&part, n) in PARTS[group].iter().zip(COUNTRIES) {
        let sum: f64 = (0..n).map(|rank| 1.0 / (rank as f64 + 1.0)).sum();
        weights.extend((0..n).map(|rank| abroad * part / all / (rank as f64 + 1.0) / sum));
    }
    Weights::new(weights)
}

/// Minorities and those born abroad live in towns, and each group has areas of its own.
fn homes(places: &[Place], group: usize, abroad: bool) -> Weights {
    Weights::new(places.iter().map(|place| {
        let drawn_to_town = if group > 0 || abroad { 0.15 + 1.7 * place.town * place.town } else { 1.0 };
        let among_own = if group > 0 && place.area_number % GROUPS.len() == group { 4.0 } else { 1.0 };
        place.people * drawn_to_town * among_own
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_are_born_at_home_and_minorities_live_in_towns() {
        let (origin, places, mut dice) = (Origin::new(), places(), Dice::new(1, 0));
        let (mut home, mut town, mut people) = (0, [0.0; 2], [0.0; 2]);
        for i in 0..50_000 {
            let mut p = Person { age: i % 90, ..Person::default() };
            origin.draw(&mut p, &mut dice);
            home += usize::from(p.birth_country == 0);
            let minority = usize::from(p.ethnic_group > 0);
            town[minority] += places[p.place].town;
            people[minority] += 1.0;
        }
        assert!((0.86..0.90).contains(&(f64::from(home as u32) / 50_000.0)), "{home}");
        assert!(town[1] / people[1] > town[0] / people[0] + 0.1, "{town:?} {people:?}");
    }
}
