//! Texts compared as words: capitals, accents and what stands between words do not count.

/// Letters that Latin alphabets made of others, after capitals were made small.
const LETTERS: [(&str, &str); 15] = [
    ("àáâãäåāăąǎ", "a"),
    ("çćčĉċ", "c"),
    ("ďđð", "d"),
    ("èéêëēĕėęě", "e"),
    ("ĝğġģ", "g"),
    ("ìíîïĩīĭįı", "i"),
    ("łľĺļ", "l"),
    ("ñńňņ", "n"),
    ("òóôõöøōŏő", "o"),
    ("řŕŗ", "r"),
    ("śšşșŝ", "s"),
    ("ťţțŧ", "t"),
    ("ùúûüũūŭůűų", "u"),
    ("ýÿŷ", "y"),
    ("źżž", "z"),
];

/// The plain letters of a small letter; none where it is one already.
fn plain(letter: char) -> Option<&'static str> {
    match letter {
        'ß' => Some("ss"),
        'æ' => Some("ae"),
        'œ' => Some("oe"),
        'þ' => Some("th"),
        _ if letter.is_ascii() => None,
        _ => LETTERS.iter().find(|(all, _)| all.contains(letter)).map(|(_, plain)| *plain),
    }
}

/// The text in small plain letters and digits, with one space for all that stands between words.
///
/// Two texts with the same words are taken for two spellings of one: `Code  postal`, `code_postal`.
pub fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for letter in text.chars().flat_map(char::to_lowercase) {
        // Accents that stand behind their letter.
        if ('\u{300}'..='\u{36f}').contains(&letter) {
            continue;
        }
        if !letter.is_alphanumeric() {
            gap = true;
            continue;
        }
        if gap && !out.is_empty() {
            out.push(' ');
        }
        gap = false;
        match plain(letter) {
            Some(letters) => out.push_str(letters),
            None => out.push(letter),
        }
    }
    out
}

/// The words of a name that a program may have given: `birthDate`, `CD4count`, `code_postal`.
pub fn words_of_name(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut spaced = String::with_capacity(name.len() + 8);
    for (at, &letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| letters[at]);
        let small_behind = letters.get(at + 1).is_some_and(|c| c.is_lowercase());
        let starts = before.is_some_and(|before| {
            let hump =
                letter.is_uppercase() && (before.is_lowercase() || before.is_uppercase() && small_behind);
            hump || letter.is_numeric() != before.is_numeric()
        });
        if starts {
            spaced.push(' ');
        }
        spaced.push(letter);
    }
    folded(&spaced).split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capitals_accents_and_separators_do_not_count() {
        for (text, expected) in [
            ("Côte d’Ivoire", "cote d ivoire"),
            ("  GROẞE--Straße ", "grosse strasse"),
            ("n\u{303}andu\u{301}", "nandu"),
            ("Łódź", "lodz"),
            ("", ""),
            ("...", ""),
            ("Ελλάδα 7", "ελλάδα 7"),
        ] {
            assert_eq!(folded(text), expected, "{text}");
        }
    }

    #[test]
    fn names_of_programs_have_words() {
        for (name, words) in [
            ("birthDate", "birth date"),
            ("código_postal", "codigo postal"),
            ("HTMLParser", "html parser"),
            ("cd40", "cd 40"),
            ("yrs.since.phd", "yrs since phd"),
            ("E-Mail-Adresse", "e mail adresse"),
            ("IBAN", "iban"),
            ("\n", ""),
        ] {
            assert_eq!(words_of_name(name).join(" "), words, "{name}");
        }
    }
}
