//! Months by name, in the languages that Kohort knows columns in.

/// Names of each month that differ from the first three letters of the English one.
const NAMES: [&[&str]; 12] = [
    &["jan", "january", "januar", "jän", "jänner", "janvier", "janv", "enero", "ene"],
    &["feb", "february", "februar", "feber", "février", "fevrier", "févr", "fév", "febrero"],
    &["mar", "march", "märz", "maerz", "mär", "mrz", "mars", "marzo"],
    &["apr", "april", "avril", "avr", "abril", "abr"],
    &["may", "mai", "mayo"],
    &["jun", "june", "juni", "juin", "junio"],
    &["jul", "july", "juli", "juillet", "juil", "julio"],
    &["aug", "august", "août", "aout", "agosto", "ago"],
    &["sep", "september", "sept", "septembre", "septiembre", "setiembre"],
    &["oct", "october", "oktober", "okt", "octobre", "octubre"],
    &["nov", "november", "novembre", "noviembre"],
    &["dec", "december", "dezember", "dez", "décembre", "decembre", "déc", "diciembre", "dic"],
];

/// The number of a month, from 1.
pub(super) fn month(name: &str) -> Option<u32> {
    let small = name.to_lowercase();
    (1..).zip(NAMES).find(|(_, names)| names.contains(&small.as_str())).map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_month() {
        let all: Vec<&str> = NAMES.iter().flat_map(|names| names.iter().copied()).collect();
        let mut once = all.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(all.len(), once.len());
        assert_eq!((month("Dec"), month("MÄRZ"), month("Monday")), (Some(12), Some(3), None));
    }
}
