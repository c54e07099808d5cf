//! Four made-up tables with people in them, as offices of four countries keep them. Any likeness is chance.

use std::fmt::Write as _;

/// Numbers that look drawn; the same every time.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    pub(crate) fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }

    /// One of them, the first most often.
    fn mostly<'a>(&mut self, of: &[&'a str]) -> &'a str {
        let (a, b) = (self.below(of.len() as u64), self.below(of.len() as u64));
        of[a.min(b) as usize]
    }

    fn day(&mut self, from: u64, years: u64) -> (u64, u64, u64) {
        (from + self.below(years), 1 + self.below(12), 1 + self.below(28))
    }
}

/// A line of CSV.
fn line(out: &mut String, fields: &[String]) {
    let quoted = |field: &String| {
        if field.contains([',', '"', '\n']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field.clone()
        }
    };
    let fields: Vec<String> = fields.iter().map(quoted).collect();
    let _ = writeln!(out, "{}", fields.join(","));
}

fn iso((year, month, day): (u64, u64, u64)) -> String {
    format!("{year:04}-{month:02}-{day:02}")
}

/// An account that the check digits agree with.
fn german_iban(dice: &mut Dice) -> String {
    let number: u64 = 10_000_000_000 + dice.below(1 << 30) * 7;
    let bank: u64 = 10_000_000 + dice.below(80_000_000);
    let digits = format!("{bank:08}{:010}131400", number % 10_000_000_000);
    let rest = digits.bytes().fold(0u64, |rest, b| (rest * 10 + u64::from(b - b'0')) % 97);
    format!("DE{:02}{bank:08}{:010}", 98 - rest, number % 10_000_000_000)
}

fn german_tax_number(dice: &mut Dice) -> String {
    let ten: Vec<u64> = (0..10).map(|at| if at == 0 { 1 + dice.below(9) } else { dice.below(10) }).collect();
    let product = ten.iter().fold(10, |product, digit| {
        let sum = (digit + product) % 10;
        (if sum == 0 { 10 } else { sum }) * 2 % 11
    });
    let digits: String = ten.iter().map(ToString::to_string).collect();
    format!("{digits}{}", (11 - product) % 10)
}

fn french_social_number(dice: &mut Dice, woman: bool, year: u64, month: u64) -> String {
    let (place, order) = (1001 + dice.below(94_000), 1 + dice.below(900));
    let number = format!("{}{:02}{month:02}{place:05}{order:03}", if woman { 2 } else { 1 }, year % 100);
    let key = 97 - number.parse::<u64>().unwrap() % 97;
    format!("{number}{key:02}")
}

fn spanish_identity(dice: &mut Dice) -> String {
    let number = 10_000_000 + dice.below(60_000_000);
    format!("{number}{}", char::from(b"TRWAGMYFPDXBNJZSQVHLCKE"[(number % 23) as usize]))
}

/// The people of a British company.
pub(crate) fn staff_en(rows: usize) -> String {
    let mut dice = Dice::new(11);
    let first = [
        "Olivia", "Amelia", "Isla", "Ava", "Ivy", "Freya", "George", "Arthur", "Noah", "Muhammad", "Leo",
        "Oscar",
    ];
    let last = [
        "Smith", "Jones", "Taylor", "Brown", "Williams", "Wilson", "Patel", "Khan", "Evans", "Thomas",
        "Walker",
    ];
    let mut out = String::from(
        "employee_no,first_name,surname,email,phone,nino,date_of_birth,gender,nationality,home_postcode,department,job_title,hire_date,salary,sick_days,disability,last_login_ip,manager_comment\n",
    );
    for row in 0..rows {
        let (given, family) = (dice.one(&first), dice.one(&last));
        let comment = format!(
            "{given} {} and {} this year, see the talk in {}",
            dice.one(&["works well in a team", "needs some help with planning", "has led the new project"]),
            dice.one(&["wants more hours", "asked for a course", "covered for two colleagues"]),
            dice.one(&["March", "June", "October"])
        );
        let fields = [
            format!("E{:05}", 10_000 + row * 7),
            given.into(),
            family.into(),
            format!("{}.{}{}@example.co.uk", given.to_lowercase(), family.to_lowercase(), row),
            format!("+44 20 7{:03} {:04}", dice.below(1000), dice.below(10_000)),
            format!(
                "{}{}{:06}{}",
                dice.one(&["AB", "CE", "JK", "PX"]),
                "",
                dice.below(1_000_000),
                dice.one(&["A", "B", "C", "D"])
            ),
            iso(dice.day(1958, 45)),
            dice.one(&["female", "male", "other"]).into(),
            dice.mostly(&[
                "British", "Irish", "Polish", "Indian", "Romanian", "French", "Nigerian", "Spanish",
            ])
            .into(),
            format!(
                "{}{} {}{}",
                dice.one(&["SW", "NW", "SE", "E"]),
                1 + dice.below(19),
                1 + dice.below(9),
                dice.one(&["AA", "BD", "QH", "XZ"])
            ),
            dice.mostly(&["Operations", "Sales", "Finance", "IT", "Human Resources", "Legal"]).into(),
            dice.mostly(&["Clerk", "Engineer", "Accountant", "Team lead", "Driver", "Director"]).into(),
            iso(dice.day(2005, 19)),
            (21_000 + dice.below(60) * 950).to_string(),
            dice.below(24).to_string(),
            dice.mostly(&["none", "none", "mobility", "hearing", "other"]).into(),
            format!("10.{}.{}.{}", dice.below(20), dice.below(256), 1 + dice.below(250)),
            comment,
        ];
        line(&mut out, &fields);
    }
    out
}

/// Persons in households, as a statistical office of a German state asks them. Places lie in counties and states; postcodes
/// and communes overlap.
pub(crate) fn mikrozensus_de(rows: usize) -> String {
    let mut dice = Dice::new(23);
    let places: [(&str, &str, &str, &[&str]); 12] = [
        ("Garching", "München (Land)", "Bayern", &["85748", "85737"]),
        ("Ismaning", "München (Land)", "Bayern", &["85737"]),
        ("Dachau", "Dachau (Kreis)", "Bayern", &["85221"]),
        ("Karlsfeld", "Dachau (Kreis)", "Bayern", &["85757", "85221"]),
        ("Esslingen", "Esslingen (Kreis)", "Baden-Württemberg", &["73728", "73732"]),
        ("Ostfildern", "Esslingen (Kreis)", "Baden-Württemberg", &["73760", "73728"]),
        ("Böblingen", "Böblingen (Kreis)", "Baden-Württemberg", &["71032"]),
        ("Sindelfingen", "Böblingen (Kreis)", "Baden-Württemberg", &["71063", "71032"]),
        ("Neuss", "Rhein-Kreis Neuss", "Nordrhein-Westfalen", &["41460"]),
        ("Kaarst", "Rhein-Kreis Neuss", "Nordrhein-Westfalen", &["41564", "41460"]),
        ("Hürth", "Rhein-Erft-Kreis", "Nordrhein-Westfalen", &["50354"]),
        ("Brühl", "Rhein-Erft-Kreis", "Nordrhein-Westfalen", &["50321", "50354"]),
    ];
    let first = [
        "Anna", "Lukas", "Marie", "Jürgen", "Sabine", "Emine", "Mehmet", "Günter", "Käthe", "Jonas", "Lea",
        "Paul",
    ];
    let last =
        ["Müller", "Schmidt", "Weiß", "Öztürk", "Schäfer", "Koch", "Yılmaz", "Bauer", "Krüger", "Nowak"];
    let mut out = String::from(
        "Haushaltsnummer,Nachname,Vorname,E-Mail-Adresse,Telefon,Straße,PLZ,Gemeinde,Kreis,Bundesland,Geburtsdatum,Geschlecht,Staatsangehörigkeit,Familienstand,Bildungsabschluss,Beruf (ISCO),Religion,Nettoeinkommen,IBAN,Steuer-ID,Hochrechnungsfaktor\n",
    );
    for row in 0..rows {
        let (given, family) = (dice.one(&first), dice.one(&last));
        let (town, county, state, codes) = places[dice.below(12) as usize];
        let (year, month, day) = dice.day(1930, 78);
        let fields = [
            (40_000 + row / 2).to_string(),
            family.into(),
            given.into(),
            format!("{}{}@beispiel.de", given.chars().next().unwrap(), row + 100),
            format!("0{} {:06}", dice.one(&["89", "711", "2131", "2233"]), dice.below(1_000_000)),
            format!(
                "{} {}",
                dice.one(&["Hauptstraße", "Am Anger", "Lindenweg", "Schulgasse"]),
                1 + dice.below(80)
            ),
            dice.one(codes).into(),
            town.into(),
            county.into(),
            state.into(),
            format!("{day:02}.{month:02}.{year}"),
            dice.one(&["männlich", "weiblich"]).into(),
            dice.mostly(&[
                "deutsch",
                "deutsch",
                "türkisch",
                "polnisch",
                "italienisch",
                "rumänisch",
                "syrisch",
            ])
            .into(),
            dice.mostly(&["verheiratet", "ledig", "geschieden", "verwitwet"]).into(),
            dice.mostly(&["Realschule", "Abitur", "Hauptschule", "Bachelor", "Master", "ohne Abschluss"])
                .into(),
            dice.one(&["2310", "3322", "4110", "5120", "5223", "7115", "7231", "8332", "9112", "2512"])
                .into(),
            dice.mostly(&["katholisch", "evangelisch", "keine", "muslimisch", "jüdisch"]).into(),
            (450 + dice.below(110) * 50).to_string(),
            german_iban(&mut dice),
            german_tax_number(&mut dice),
            format!("{}.{:02}", 90 + dice.below(25), dice.below(4) * 25),
        ];
        line(&mut out, &fields);
    }
    out
}

/// The pupils of French schools.
pub(crate) fn eleves_fr(rows: usize) -> String {
    let mut dice = Dice::new(37);
    let first =
        ["Camille", "Louis", "Jade", "Gabriel", "Léa", "Hugo", "Inès", "Adam", "Chloé", "Noémie", "Mohamed"];
    let last =
        ["Martin", "Bernard", "Dubois", "Lefèvre", "Moreau", "Benali", "Petit", "Garçon", "Roux", "N'Diaye"];
    let towns = [
        ("Lyon", "69003"),
        ("Lyon", "69007"),
        ("Villeurbanne", "69100"),
        ("Bron", "69500"),
        ("Vénissieux", "69200"),
        ("Oullins", "69600"),
    ];
    let mut out = String::from(
        "numéro_élève,nom,prénom,date_naissance,sexe,commune,code_postal,nationalité,classe,boursier,courriel_parent,téléphone_parent,numéro_sécurité_sociale,profession_parent,moyenne,absences,handicap,appréciation\n",
    );
    for row in 0..rows {
        let (given, family) = (dice.one(&first), dice.one(&last));
        let (town, code) = towns[dice.below(6) as usize];
        let (year, month, day) = dice.day(2006, 6);
        let woman = dice.below(2) == 1;
        let comment = format!(
            "{} {}, {} ce trimestre",
            given,
            dice.one(&[
                "travaille avec sérieux et régularité",
                "doit participer davantage en classe",
                "progresse bien depuis la rentrée"
            ]),
            dice.one(&["des résultats solides", "un ensemble fragile", "de bons efforts"])
        );
        let fields = [
            format!("{:09}{}", 70_000_000 + row * 13, dice.one(&["AA", "BF", "HJ", "KD"])),
            family.to_uppercase(),
            given.into(),
            format!("{day:02}/{month:02}/{year}"),
            if woman { "F" } else { "M" }.into(),
            town.into(),
            code.into(),
            dice.mostly(&["française", "française", "algérienne", "portugaise", "marocaine", "italienne"])
                .into(),
            format!("{}{}", dice.one(&["6e", "5e", "4e", "3e"]), dice.one(&["A", "B", "C"])),
            dice.mostly(&["non", "non", "oui"]).into(),
            format!("parent{}@exemple.fr", row * 3 + 5),
            format!(
                "06 {:02} {:02} {:02} {:02}",
                dice.below(100),
                dice.below(100),
                dice.below(100),
                dice.below(100)
            ),
            french_social_number(&mut dice, woman, year, month),
            dice.mostly(&["employé", "ouvrier", "cadre", "artisan", "sans emploi", "agriculteur"]).into(),
            format!("{}.{}", 6 + dice.below(13), dice.below(2) * 5),
            dice.below(20).to_string(),
            dice.mostly(&["aucun", "aucun", "dyslexie", "moteur", "auditif"]).into(),
            comment,
        ];
        line(&mut out, &fields);
    }
    out
}

/// The stays of a Spanish hospital; many people come twice.
pub(crate) fn pacientes_es(rows: usize) -> String {
    let mut dice = Dice::new(53);
    let first =
        ["María", "José", "Lucía", "Antonio", "Carmen", "Manuel", "Sofía", "Javier", "Íñigo", "Begoña"];
    let last = ["García", "Fernández", "López", "Muñoz", "Ibáñez", "Romero", "Ortega", "Vázquez"];
    let towns = [
        ("28013", "Madrid"),
        ("28045", "Madrid"),
        ("08021", "Barcelona"),
        ("08008", "Barcelona"),
        ("46004", "Valencia"),
        ("41004", "Sevilla"),
        ("48001", "Bizkaia"),
    ];
    let codes = [
        "I10", "E11.9", "J45.0", "J18.9", "K35.8", "S72.0", "F32.1", "C50.9", "N39.0", "I21.4", "O80",
        "M54.5",
    ];
    let mut out = String::from(
        "id_paciente,nombre,apellidos,dni,fecha_nacimiento,sexo,código_postal,provincia,estado_civil,profesión,correo_electrónico,móvil,fecha_ingreso,días_estancia,diagnóstico,peso_kg,talla_cm,fumador,coste\n",
    );
    let mut person: Vec<String> = Vec::new();
    for row in 0..rows {
        if row % 3 != 1 || person.is_empty() {
            let (code, province) = towns[dice.below(7) as usize];
            person = vec![
                format!("P{:06}", 100_000 + row),
                dice.one(&first).into(),
                format!("{} {}", dice.one(&last), dice.one(&last)),
                spanish_identity(&mut dice),
                iso(dice.day(1932, 70)),
                dice.one(&["mujer", "hombre"]).into(),
                code.into(),
                province.into(),
                dice.mostly(&["casado", "soltero", "viudo", "divorciado"]).into(),
                dice.mostly(&["empleado", "jubilado", "estudiante", "autónomo", "docente"]).into(),
                format!("paciente{row}@ejemplo.es"),
                format!("+34 6{:02} {:03} {:03}", dice.below(100), dice.below(1000), dice.below(1000)),
            ];
        }
        let stay = [
            iso(dice.day(2021, 3)),
            (1 + dice.below(14)).to_string(),
            dice.mostly(&codes).into(),
            format!("{}.{}", 48 + dice.below(50), dice.below(10)),
            (148 + dice.below(45)).to_string(),
            dice.one(&["sí", "no"]).into(),
            (420 + dice.below(400) * 25).to_string(),
        ];
        let fields: Vec<String> = person.iter().cloned().chain(stay).collect();
        line(&mut out, &fields);
    }
    out
}

/// All of them by name.
pub(crate) fn made(name: &str) -> Option<String> {
    match name {
        "staff_en" => Some(staff_en(1200)),
        "mikrozensus_de" => Some(mikrozensus_de(1500)),
        "eleves_fr" => Some(eleves_fr(900)),
        "pacientes_es" => Some(pacientes_es(1200)),
        _ => None,
    }
}
