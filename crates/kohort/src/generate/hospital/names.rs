//! Made-up people need made-up names; any likeness is chance.

use crate::generate::random::Dice;

static MEN: [&str; 40] = [
    "Aldo", "Anselm", "Arlen", "Bastian", "Benno", "Bram", "Caspar", "Corin", "Dario", "Edwin", "Elio",
    "Emeric", "Falk", "Fenn", "Gideon", "Hale", "Ivo", "Jarek", "Joss", "Kilian", "Lando", "Leif", "Lorin",
    "Marek", "Milo", "Nevin", "Oren", "Osric", "Pascal", "Quill", "Remo", "Rufus", "Silas", "Soren", "Tavin",
    "Thore", "Ulric", "Vasco", "Willem", "Yorick",
];

static WOMEN: [&str; 40] = [
    "Adela", "Alma", "Anouk", "Brisa", "Calla", "Celine", "Dalia", "Delphine", "Edda", "Elin", "Esme",
    "Fenja", "Fiora", "Greta", "Halina", "Idony", "Ilka", "Isolde", "Jorun", "Kaia", "Lenka", "Liv",
    "Lorena", "Maren", "Mirela", "Nadja", "Nerys", "Odile", "Petra", "Ravenna", "Romy", "Saskia", "Senna",
    "Tamsin", "Thea", "Una", "Verena", "Wilma", "Ysolde", "Zora",
];

static FAMILIES: [&str; 64] = [
    "Abelmoor",
    "Ashdown",
    "Barrow",
    "Bellweather",
    "Birkholm",
    "Brandel",
    "Brook",
    "Calder",
    "Carrow",
    "Corvin",
    "Dahlgren",
    "Darrow",
    "Delacroft",
    "Dunmere",
    "Eastlake",
    "Eberlin",
    "Elmstead",
    "Fairbank",
    "Falkner",
    "Farrow",
    "Fenwood",
    "Galloway",
    "Garnet",
    "Glenmoor",
    "Greywell",
    "Halvard",
    "Harrow",
    "Hazelby",
    "Holm",
    "Hollis",
    "Ingram",
    "Jarrow",
    "Kestrel",
    "Kingsley",
    "Lachlan",
    "Larkin",
    "Lindqvist",
    "Lowell",
    "Marlow",
    "Merriden",
    "Millbrook",
    "Norcott",
    "Northway",
    "Oakhurst",
    "Orsini",
    "Pemberley",
    "Penrose",
    "Quarles",
    "Ravensby",
    "Redfern",
    "Rosedal",
    "Rowan",
    "Sandoval",
    "Selwyn",
    "Stroud",
    "Tarrant",
    "Thornby",
    "Underhill",
    "Vance",
    "Velden",
    "Wexley",
    "Winterborn",
    "Yarrow",
    "Zeller",
];

/// A given name and a family name; the front of each list is a little more common.
pub(super) fn draw(sex: usize, dice: &mut Dice) -> (&'static str, &'static str) {
    let given = if sex == 1 { &WOMEN } else { &MEN };
    (lean(given, dice), lean(&FAMILIES, dice))
}

/// The lower of two draws one time in two.
fn lean(names: &[&'static str], dice: &mut Dice) -> &'static str {
    let n = names.len() as u32;
    // One word decides the coin and the first draw.
    let first = dice.below(2 * n);
    let name = if first < n { first } else { (first - n).min(dice.below(n)) };
    names[name as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_names_are_used_and_the_first_ones_more() {
        let mut dice = Dice::new(1, 0);
        let drawn: Vec<_> = (0..20_000).map(|i| draw(i % 2, &mut dice)).collect();
        let count = |family| drawn.iter().filter(|(_, f)| f == family).count();
        assert!(FAMILIES.iter().all(|f| count(f) > 0));
        assert!(count(&FAMILIES[0]) > count(&FAMILIES[63]));
    }
}
