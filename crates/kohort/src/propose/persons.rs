//! Columns that speak of people: words for a person in their names, names and numbers of people in their values.

use super::lexicon::is_given_name;
use super::look::Looked;
use crate::data::{Kind, folded, words_of_name};

/// Words for one person. Plurals are left out: `users` is rather how many.
const PERSON: &[&str] = &[
    "person",
    "persona",
    "personne",
    "patient",
    "patientin",
    "paciente",
    "paziente",
    "subject",
    "proband",
    "participant",
    "teilnehmer",
    "teilnehmerin",
    "respondent",
    "individual",
    "individuum",
    "individu",
    "client",
    "cliente",
    "klient",
    "customer",
    "kunde",
    "kundin",
    "employee",
    "mitarbeiter",
    "mitarbeiterin",
    "beschaftigter",
    "empleado",
    "employe",
    "dipendente",
    "worker",
    "trabajador",
    "lavoratore",
    "student",
    "studentin",
    "studente",
    "etudiant",
    "estudiante",
    "schuler",
    "schulerin",
    "pupil",
    "eleve",
    "alumno",
    "allievo",
    "member",
    "mitglied",
    "membre",
    "miembro",
    "socio",
    "membro",
    "user",
    "nutzer",
    "benutzer",
    "utilisateur",
    "usager",
    "usuario",
    "utente",
    "account",
    "konto",
    "compte",
    "cuenta",
    "holder",
    "citizen",
    "burger",
    "citoyen",
    "ciudadano",
    "cittadino",
    "resident",
    "bewohner",
    "einwohner",
    "insured",
    "policyholder",
    "versicherter",
    "versicherte",
    "versicherten",
    "assure",
    "asegurado",
    "assicurato",
    "beneficiary",
    "beneficiaire",
    "beneficiario",
    "applicant",
    "bewerber",
    "candidate",
    "kandidat",
    "candidat",
    "candidato",
    "borrower",
    "debtor",
    "schuldner",
    "taxpayer",
    "steuerpflichtiger",
    "contribuable",
    "subscriber",
    "abonnent",
    "abonne",
    "guest",
    "gast",
    "passenger",
    "donor",
    "spender",
    "voter",
    "wahler",
    "driver",
    "fahrer",
    "player",
    "spieler",
    "joueur",
    "jugador",
    "giocatore",
    "athlete",
    "inmate",
    "prisoner",
    "detainee",
    "haftling",
    "father",
    "vater",
    "pere",
    "padre",
    "mother",
    "mutter",
    "mere",
    "madre",
    "parent",
    "elternteil",
    "guardian",
    "spouse",
    "ehepartner",
    "husband",
    "wife",
    "physician",
    "doctor",
    "arzt",
    "medecin",
    "medico",
    "nurse",
    "teacher",
    "lehrer",
    "lehrerin",
    "enseignant",
    "profesor",
    "professor",
    "supervisor",
    "manager",
    "boss",
    "contact",
    "ansprechpartner",
    "contacto",
    "witness",
    "zeuge",
    "victim",
    "opfer",
    "victime",
    "offender",
    "tater",
    "owner",
    "tenant",
    "mieter",
];

/// Words that only say that the person is numbered.
const NUMBERED: [&str; 19] = [
    "id", "ids", "nr", "no", "num", "number", "nummer", "numero", "code", "key", "ref", "index", "the", "de",
    "of", "der", "la", "le", "el",
];

/// Words for what is measured or counted, and belongs to nobody else.
const MEASURED: [&str; 33] = [
    "time",
    "times",
    "duration",
    "days",
    "weeks",
    "months",
    "years",
    "hours",
    "minutes",
    "seconds",
    "term",
    "freq",
    "frequency",
    "count",
    "counts",
    "length",
    "size",
    "width",
    "height",
    "depth",
    "weight",
    "distance",
    "dist",
    "speed",
    "rate",
    "ratio",
    "sum",
    "total",
    "mean",
    "amount",
    "survival",
    "dauer",
    "duree",
];

/// Beginnings of words for people, in names that say that something is numbered.
pub(super) const PEOPLE: [&str; 36] = [
    "person",
    "patient",
    "pat",
    "pid",
    "subj",
    "particip",
    "respond",
    "individ",
    "client",
    "customer",
    "kunde",
    "cliente",
    "klient",
    "employ",
    "staff",
    "mitarbeit",
    "personal",
    "emplea",
    "student",
    "pupil",
    "schuler",
    "eleve",
    "etudiant",
    "alumn",
    "estudiant",
    "member",
    "mitglied",
    "user",
    "usuario",
    "nutzer",
    "worker",
    "twin",
    "paciente",
    "mrn",
    "nhc",
    "citizen",
];

/// More different values than this are no kinds of people, such as new and old customers.
const KINDS: u64 = 30;

/// Numbers of so many digits, all of one length, are given out rather than measured.
const DIGITS: usize = 7;

/// How many names tell that a column holds names: fewer could be places or products.
const NAMES: usize = 5;

/// The share of different values that must be written as names are, and the share that must be known to be names.
const WRITTEN: f64 = 0.8;
const KNOWN: f64 = 0.3;

/// Whether a name says a person and nothing about that person: `patient`, `member_no`, and not `patient_weight`.
pub(super) fn is_only_a_person(name: &str) -> bool {
    let words = words_of_name(name);
    let is_person = |word: &String| PERSON.contains(&word.as_str());
    words.iter().any(is_person) && words.iter().all(|word| is_person(word) || is_numbered(word))
}

fn is_numbered(word: &str) -> bool {
    NUMBERED.contains(&word) || word.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a column whose name says a person numbers people: it has too many values for kinds of people.
pub(super) fn numbers_persons(column: &Looked) -> bool {
    let is_code = || column.values().all(|value| value.split_whitespace().count() == 1 && has_digit(value));
    let could_be = match column.kind {
        Kind::Integer => true,
        Kind::Category => is_code(),
        Kind::Decimal | Kind::Date | Kind::Timestamp => false,
    };
    could_be && (column.distinct > KINDS || column.distinct > 2 && column.uniqueness() >= 0.5)
}

fn has_digit(value: &str) -> bool {
    value.bytes().any(|b| b.is_ascii_digit())
}

/// Whether whole numbers look given out, as those of a register: all of one length, long, and many of them.
pub(super) fn are_given_out(column: &Looked) -> bool {
    if column.kind != Kind::Integer || column.distinct <= KINDS {
        return false;
    }
    let mut lengths = column.values().map(|value| value.trim().len());
    let first = lengths.next().unwrap_or(0);
    first >= DIGITS && lengths.all(|length| length == first)
}

/// Whether a column measures something, by its name or by how its values are written, and so numbers nobody.
pub(super) fn is_measured(column: &Looked) -> bool {
    let words = words_of_name(column.name());
    let by_name = words.iter().any(|word| MEASURED.contains(&word.as_str()));
    let in_time = |pattern: &str| {
        ["9999-99-99", "9999.99.99", "9999/99/99", "99.99.9999", "99/99/9999", "99-99-9999", "99:99"]
            .iter()
            .any(|date| pattern.contains(date))
    };
    by_name
        || matches!(column.kind, Kind::Decimal | Kind::Date | Kind::Timestamp)
        || column.facts.shapes.iter().any(|shape| in_time(&shape.pattern))
}

/// Whether these different values are names of people: written as names are, many with a known first name or with initials.
/// Where the column is called after a person, how they are written is enough.
pub(super) fn are_names(values: &[&str], column: &str) -> bool {
    let share = |fits: &dyn Fn(&str) -> bool| {
        values.iter().filter(|value| fits(value)).count() as f64 / values.len().max(1) as f64
    };
    let known = if is_only_a_person(column) { 0.0 } else { KNOWN };
    values.len() >= NAMES && share(&is_written_as_name) >= WRITTEN && share(&is_known_name) >= known
}

/// Words before a name that are none of it.
const TITLES: [&str; 22] = [
    "dr", "prof", "mr", "mrs", "ms", "miss", "sir", "herr", "frau", "hr", "fr", "m", "mme", "mlle",
    "monsieur", "madame", "sr", "sra", "srta", "don", "sig", "dott",
];

/// Small words within family names.
const SMALL: [&str; 18] = [
    "von", "van", "de", "der", "den", "del", "della", "di", "da", "dos", "du", "la", "le", "zu", "zur",
    "ter", "bin", "al",
];

/// The words of a value without titles, and whether a comma stands behind the first ones.
fn words_of_value(value: &str) -> (Vec<&str>, Option<usize>) {
    let (mut words, mut comma) = (Vec::new(), None);
    for word in value.split_whitespace() {
        let bare = word.trim_end_matches(',');
        if !TITLES.contains(&folded(bare).as_str()) || bare.len() == 2 && bare.ends_with('.') {
            words.push(bare);
        }
        if word.ends_with(',') {
            comma = Some(words.len());
        }
    }
    (words, comma)
}

/// Two to five words with capitals and no digits: `Ana María López`, `Meyer, Jo`, `J. Smith`.
fn is_written_as_name(value: &str) -> bool {
    let (words, _) = words_of_value(value);
    let fine = |c: char| c.is_alphabetic() || "-.'’".contains(c);
    let is_word = |word: &&str| {
        word.chars().all(fine)
            && (word.starts_with(char::is_uppercase) || SMALL.contains(&folded(word).as_str()))
    };
    (2..=5).contains(&words.len()) && words.iter().all(is_word)
}

/// Whether the part of a name that should be a first name is one, or an initial.
fn is_known_name(value: &str) -> bool {
    let (words, comma) = words_of_value(value);
    let first = words.get(comma.unwrap_or(0)).copied().unwrap_or_default();
    let is_initial = |word: &str| word.chars().count() == 2 && word.ends_with('.');
    is_given_name(first)
        || words.len() > 1 && (is_initial(first) || words.last().is_some_and(|w| is_initial(w)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_say_a_person_and_nothing_else() {
        for name in
            ["patient", "Mitarbeiter", "Kunde", "user", "account_no", "memberId", "insured", "cliente 2"]
        {
            assert!(is_only_a_person(name), "{name}");
        }
        for name in ["patient_weight", "users", "id", "customer segment", "", "number", "insured_amount"] {
            assert!(!is_only_a_person(name), "{name}");
        }
    }

    #[test]
    fn names_of_people_in_any_order() {
        let are = |values: &[&str]| are_names(values, "x");
        assert!(are(&["Anna Smith", "John Brown", "Maria de la Cruz", "Zoltan Kis", "Peter O'Hara"]));
        assert!(are(&["Smith, Anna", "Brown, John", "Weiß, Jürgen", "Kis, Zoltan", "Nowak, Ewa"]));
        assert!(are(&[
            "Dr. Anna Smith",
            "Mr John Brown",
            "Prof. Dr. Hans Weiß",
            "Mrs. Mary Poe",
            "Ms Ann Lee"
        ]));
        assert!(are(&["A. Smith", "J. Brown", "H. Weiß", "Z. Kis", "E. Nowak"]));
        assert!(!are(&["New York", "San Diego", "San Jose", "Santa Maria", "Los Angeles", "El Paso"]));
        assert!(!are(&["Team Lead", "Human Resources", "Vice President", "Sales Clerk", "Data Analyst"]));
        assert!(!are(&["Anna", "John", "Hans", "Mary", "Ann"]), "first names alone are found elsewhere");
        let foreign = ["Aino Virtanen", "Eero Korhonen", "Tuula Nieminen", "Veikko Laine", "Sirpa Heikkinen"];
        assert!(are_names(&foreign, "supervisor") && !are_names(&foreign, "town"));
    }
}
