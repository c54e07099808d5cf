//! An invented country: eight regions, fifty postal areas, four hundred five-digit postcodes.
//!
//! People crowd: a few codes of each area hold most of it, a few areas most of a region. The first digit is the
//! region and the first three the area, as postal services like it.

use crate::data::{Hierarchy, HierarchyBuilder, ROOT_LABEL};
use crate::error::Result;

/// Codes per area.
const CODES: usize = 8;

/// Name, number of areas, relative population, how much of it is town (0 to 1).
static REGIONS: [(&str, usize, f64, f64); 8] = [
    ("Harbour Bay", 9, 24.0, 0.95),
    ("Millvale", 7, 16.0, 0.7),
    ("Northmoor", 5, 7.0, 0.25),
    ("Old Marches", 6, 11.0, 0.45),
    ("Lakeland", 5, 8.0, 0.3),
    ("Capital District", 8, 20.0, 1.0),
    ("Southern Plain", 6, 10.0, 0.4),
    ("High Fells", 4, 4.0, 0.1),
];

/// A postcode and what is known of the place.
#[derive(Debug)]
pub(super) struct Place {
    /// Five digits.
    pub(super) code: String,
    /// The first three digits and stars.
    area: String,
    region: &'static str,
    /// Number of the area, counted through the country.
    pub(super) area_number: usize,
    /// Relative population.
    pub(super) people: f64,
    /// How much the place is town (0 to 1).
    pub(super) town: f64,
}

/// All places in order of their codes.
pub(super) fn places() -> Vec<Place> {
    let mut places = Vec::new();
    for (digit, &(region, areas, people, town)) in (1..).zip(&REGIONS) {
        for area in 0..areas {
            let prefix = digit * 100 + area * 11;
            let area_number = places.len() / CODES;
            for slot in 0..CODES {
                places.push(Place {
                    code: format!("{prefix}{:02}", slot * 9 + 4),
                    area: format!("{prefix}**"),
                    region,
                    area_number,
                    people: people * crowding(area, areas) * crowding(slot, CODES),
                    town,
                });
            }
        }
    }
    places
}

/// The share of the place of this rank among `n`, falling as 1 / (rank + 2).
fn crowding(rank: usize, n: usize) -> f64 {
    let weight = |rank: usize| 1.0 / (rank as f64 + 2.0);
    weight(rank) / (0..n).map(weight).sum::<f64>()
}

/// Code, area, region, everywhere.
pub(super) fn hierarchy(column: &str) -> Result<Hierarchy> {
    let mut builder = HierarchyBuilder::new(column);
    for (line, place) in (1..).zip(places()) {
        builder.path(line, vec![place.code, place.area, place.region.to_owned(), ROOT_LABEL.to_owned()]);
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_hundred_codes_of_five_digits() {
        let h = hierarchy("postcode").unwrap();
        assert_eq!((h.leaf_count(), h.len(), h.height()), (400, 400 + 50 + 8 + 1, 3));
        assert!((0..h.leaf_count()).all(|l| h.label(l).len() == 5 && h.label(l).parse::<u32>().is_ok()));
        assert_eq!(h.path(0), ["10004", "100**", "Harbour Bay", "*"]);
    }

    #[test]
    fn people_crowd() {
        let mut people: Vec<f64> = places().iter().map(|p| p.people).collect();
        people.sort_by(f64::total_cmp);
        let total: f64 = people.iter().sum();
        assert!((total - 100.0).abs() < 1e-9);
        let fifth: f64 = people[320..].iter().sum();
        assert!(fifth / total > 0.4, "the largest fifth holds {:.0} %", 100.0 * fifth / total);
    }
}
