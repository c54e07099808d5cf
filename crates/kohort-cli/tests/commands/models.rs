//! Demands on sensitive values beyond p.

use serde_json::Value;

use crate::common::Desk;

/// Forty people, of whom every other one has the flu; salaries rise with age.
fn desk() -> Desk {
    let illness = ["flu", "asthma", "flu", "hiv", "flu", "aids", "flu", "cold"];
    let line = |row: usize| format!("{},{},{}\n", 20 + row, illness[row * 3 % 8], 1000 + 100 * (row / 3));
    let table: String = std::iter::once("age,illness,salary\n".to_owned()).chain((0..40).map(line)).collect();
    let tree = "flu;lung;*\nasthma;lung;*\ncold;lung;*\nhiv;immune;*\naids;immune;*\n";
    Desk::new().with("t.csv", &table).with("trees/illness.csv", tree)
}

const ROLES: &str = "--rest keep --qi age --sensitive illness --hierarchies trees -k 4";

#[test]
fn every_model_is_kept_and_told() {
    let desk = desk();
    let models = [
        ("--l-diversity distinct:3", "distinct 3-diversity", "at least"),
        ("--l-diversity entropy:2.5", "entropy 2.5-diversity", "as uncertain as"),
        ("--l-diversity recursive:2,2", "recursive (2,2)-diversity", "less than 2 times as often"),
        ("--alpha 0.5", "alpha = 0.5", "larger share than 0.5"),
        ("--t-closeness 0.3", "t = 0.3 (equal)", "earth mover's distance"),
        ("--t-closeness 0.2:hierarchical", "t = 0.2 (hierarchical)", "earth mover's distance"),
        ("--beta-likeness 1", "beta-likeness 1", "by more than 1 times its frequency there"),
        ("--delta-disclosure 1.5", "delta-disclosure 1.5", "natural logarithm"),
        ("-p 2 --protected illness=immune --protected illness=lung", "p = 2", "kinds; protected values"),
    ];
    for (flags, shown, words) in models {
        desk.done(&format!("anonymize t.csv -o r.csv {ROLES} {flags} --quiet"));
        let certificate = desk.read("r.csv.certificate.json");
        assert!(
            certificate.contains(words)
                && certificate.contains(&format!(
                    "({} was asked)",
                    shown.split(" (").next().filter(|s| s.starts_with('t')).unwrap_or(shown)
                )),
            "{certificate}"
        );
        for original in ["", "--original t.csv"] {
            let told = desk.done(&format!("verify r.csv {ROLES} {flags} {original}")).text();
            assert!(told.contains(shown) && told.contains("Met:"), "{told}");
        }
    }
    let ordered = "--rest keep --qi age --sensitive salary -k 4 --t-closeness 0.2:ordered";
    desk.done(&format!("anonymize t.csv -o r.csv {ordered} --quiet"));
    desk.done(&format!("verify r.csv --original t.csv {ordered}"));
}

#[test]
fn what_falls_short_is_told() {
    let desk = desk();
    desk.done(&format!("anonymize t.csv -o r.csv {ROLES} --quiet"));
    for flags in [
        "--l-diversity entropy:4.5",
        "--l-diversity recursive:0.5,2",
        "--alpha 0.3",
        "--t-closeness 0",
        "--l-diversity distinct:4",
        "--beta-likeness 0.1",
        "--delta-disclosure 0.2",
        "--alpha 0.3@illness",
    ] {
        let ran = desk.run(&format!("verify r.csv --original t.csv {ROLES} {flags}"));
        assert_eq!(ran.code, Some(1), "{flags}: {}", ran.err);
        assert!(ran.err.contains("not met:") && ran.err.contains("was asked"), "{}", ran.err);
    }
}

/// Protected values count as one for p, and not for l.
#[test]
fn protected_values_count_as_one() {
    let desk = desk();
    let flags = format!("{ROLES} -p 2 --protected illness=lung --protected illness=immune");
    desk.done(&format!("anonymize t.csv -o r.csv {flags} --quiet"));
    let json = desk.done(&format!("verify r.csv --original t.csv {flags} --json")).text();
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["achieved"]["p"]["illness"], 2);
    assert!(json["achieved"]["l_distinct"]["illness"].as_u64() >= Some(2));
    let three = desk.run(&format!("anonymize t.csv -o x.csv {flags} -p 3").replace("-p 2 ", ""));
    assert_eq!(three.code, Some(3), "{}", three.err);
}

/// The whole table has half its rows of one value: no class can do better, unless some of them go.
#[test]
fn a_skewed_table_needs_suppression() {
    let desk = desk();
    let line = format!("anonymize t.csv -o r.csv {ROLES} --alpha 0.4");
    let refused = desk.run(&line);
    assert_eq!(refused.code, Some(3));
    assert!(refused.err.contains("alpha = 0.4") && refused.err.contains("alpha ≥ 0.5"), "{}", refused.err);
    let too_few = desk.run(&format!("{line} --suppress 5%"));
    assert_eq!(too_few.code, Some(3));
    let share = too_few.err.split("--suppress ").nth(1).and_then(|t| t.split(' ').next()).unwrap();
    let json = desk.done(&format!("{line} --suppress {share} --json")).text();
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["suppressed_because"]["skewed"], json["suppressed"]);
    assert!(json["achieved"]["alpha"]["illness"].as_f64() <= Some(0.4));
    assert!(desk.read("r.csv.audit.json").contains("so frequent that no class could hold all of them"));
}

/// A flag is never weakened by what a job file says of a column.
#[test]
fn a_flag_and_a_column_that_disagree_are_refused() {
    let desk = desk().with("j.toml", "[columns]\nillness = { closeness = \"hierarchical\" }\n");
    let line = format!("anonymize t.csv -o r.csv {ROLES} --job j.toml --quiet --t-closeness");
    assert_eq!(desk.run(&format!("{line} 0.3:equal")).code, Some(2));
    desk.done(&format!("{line} 0.3"));
    assert!(desk.read("r.csv.certificate.json").contains("distance (hierarchical) of"));
}

/// Rows of `*` without an illness: suppressed, or people whose illness is not known? The demand must hold either way.
#[test]
fn rows_that_show_nothing_are_read_both_ways() {
    let desk = Desk::new().with("r.csv", "sex,dx\n*,\n*,\n*,\n*,flu\n*,hiv\n");
    let line = "verify r.csv --qi sex --sensitive dx -k 2 --alpha 0.5 --missing-sensitive count";
    let ran = desk.run(line);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("--suppressed star"), "{}", ran.err);
    desk.done(&format!("{line} --suppressed star"));
    assert_eq!(desk.run(&format!("{line} --suppressed drop")).code, Some(1));
    // Who lacks a value takes no part of a share, whatever these rows are.
    desk.done("verify r.csv --qi sex --sensitive dx -k 2 --alpha 0.5");
}

/// One diagnosis and four blanks are one value, not two.
#[test]
fn missing_values_protect_nobody() {
    let desk = Desk::new()
        .with("t.csv", "age,dx\n30,flu\n31,\n32,\n33,\n34,\n60,flu\n61,gout\n62,flu\n63,\n64,gout\n")
        .with("na.csv", "age,dx\n30,flu\n31,NA\n32,NA\n33,.\n34,\n60,flu\n61,gout\n62,flu\n63,NA\n64,gout\n");
    let roles = "--qi age --sensitive dx -k 5";
    let lost = |line: &str| {
        let json: serde_json::Value = serde_json::from_str(&desk.done(line).text()).unwrap();
        assert_eq!((json["classes"].as_u64(), json["achieved"]["p"]["dx"].as_u64()), (Some(2), Some(2)));
        json["loss"]["il"].as_f64().unwrap()
    };
    // One of the younger people has to be among the older ones, or the other way round, unless blanks count.
    let strict = lost(&format!("anonymize t.csv -o r.csv {roles} -p 2 --json"));
    let counted = lost(&format!("anonymize t.csv -o c.csv {roles} -p 2 --missing-sensitive count --json"));
    assert!(counted < 0.2 && strict > 0.5, "{counted} {strict}");
    let certificate = desk.read("c.csv.certificate.json");
    assert!(certificate.contains("\"missing_sensitive\": \"count\"") && certificate.contains("help to hide"));
    // Who checks decides anew.
    let short = desk.run(&format!("verify c.csv {roles} -p 2"));
    assert!(short.code == Some(1) && short.err.contains("only 1 different value of 'dx'"), "{}", short.err);
    desk.done(&format!("verify c.csv {roles} -p 2 --missing-sensitive count"));
    // Other spellings mean missing when they are declared, and are named when they are not.
    let unsaid = desk.done(&format!("anonymize na.csv -o n.csv {roles} -p 2"));
    for spelling in ["'NA' in column 'dx' (3 rows)", "'.' in column 'dx' (1 row)"] {
        assert!(unsaid.err.contains(spelling), "{}", unsaid.err);
    }
    assert!(
        unsaid.err.contains("--na NA says that it is missing"),
        "what is said can be typed: {}",
        unsaid.err
    );
    let said = desk.run(&format!("anonymize na.csv -o n.csv {roles} -p 2 --na NA,dx=. --json"));
    assert!(!said.err.contains("looks like a missing value"), "{}", said.err);
    let declared = lost(&format!("anonymize na.csv -o n.csv {roles} -p 2 --na NA,dx=. --json"));
    assert!((declared - strict).abs() < 1e-12, "{declared} {strict}");
    assert!(desk.read("n.csv").contains("NA\n"), "values keep their bytes");
    desk.done(&format!("verify n.csv --original na.csv {roles} -p 2 --na NA,."));
}

/// 5, 5.0 and 5.00 are one value.
#[test]
fn a_number_is_one_value_however_it_is_written() {
    let desk = Desk::new().with("t.csv", "q,s\n1,5\n2,5.0\n3,5.00\n4,7\n5,7.0\n6,7.00\n");
    let line = "anonymize t.csv -o r.csv --rest keep --qi q --sensitive s -k 2 --keep-order";
    desk.done(&format!("{line} -p 2 --quiet"));
    assert!(desk.read("r.csv").contains(",5.00\n"), "values keep their bytes");
    desk.done("verify r.csv --original t.csv --qi q --sensitive s -k 2 -p 2");
    assert_eq!(desk.run("anonymize t.csv -o x.csv --rest keep --qi q --sensitive s -k 3 -p 3").code, Some(3));
}

/// More rows may go than must, where that loses less; then nobody says that fewer would not do.
#[test]
fn what_goes_beyond_the_least_is_not_called_the_least() {
    let desk = desk();
    let line = format!("anonymize t.csv -o r.csv {ROLES} --alpha 0.4 --json --suppress");
    let gone = |share: &str| {
        let json: Value = serde_json::from_str(&desk.done(&format!("{line} {share}")).text()).unwrap();
        (
            json["suppressed_because"]["skewed"].as_u64().unwrap(),
            desk.read("r.csv.audit.json").contains("No release does with fewer"),
        )
    };
    let (least, is_least) = gone("17.5%");
    assert!(is_least, "{least} rows");
    let (more, is_least) = gone("30%");
    assert!(more > least && !is_least, "{more} rows instead of {least}");
}

/// Settings are those of the algorithm that `auto` begins with.
#[test]
fn auto_keeps_the_settings_for_its_first_choice() {
    desk().done(
        &format!("anonymize t.csv -o r.csv {ROLES} -k 2 -p 2 --t-closeness 0.05 --distance 2 --quiet")
            .replace("-k 4 ", ""),
    );
}

/// Twenty people in two classes; the original has four more, whom nobody released.
fn by_hand() -> Desk {
    let of = |age: &str, counts: [usize; 3]| -> String {
        let illnesses = ["flu", "hiv", "cold"].into_iter().zip(counts);
        illnesses.map(|(illness, n)| format!("{age},{illness}\n").repeat(n)).collect()
    };
    let table =
        |ages: [&str; 2]| format!("age,illness\n{}{}", of(ages[0], [6, 3, 1]), of(ages[1], [4, 1, 5]));
    let release = table(["\"[20, 29]\"", "\"[30, 39]\""]);
    let more = format!("{}{}", table(["25", "35"]), of("35", [0, 4, 0]));
    let other = format!("{more}25,measles\n");
    Desk::new().with("r.csv", release).with("more.csv", more).with("other.csv", other)
}

/// Frequencies in the release: flu 10, hiv 4, cold 6 of 20. Cold has 5 of 10 in the second class, 5/3 of 0.3; in the first it
/// has 1 of 10, a third. Compared with the original (flu 10, hiv 8, cold 6 of 24) cold has twice its 0.25 in the second
/// class, and hiv has 1 of 10 there, three tenths of its third.
#[test]
fn ratios_are_those_worked_by_hand() {
    let desk = by_hand();
    let found = |flags: &str| {
        let line =
            format!("verify r.csv --qi age --type age=integer --sensitive illness -k 5 --json {flags}");
        let json: Value = serde_json::from_str(&desk.done(&line).text()).unwrap();
        let achieved = json["achieved"].clone();
        (achieved["beta"]["illness"].as_f64(), achieved["delta"]["illness"].as_f64())
    };
    let near =
        |found: Option<f64>, wanted: f64| assert!((found.unwrap() - wanted).abs() < 1e-12, "{found:?}");
    let (beta, delta) = found("");
    near(beta, 2.0 / 3.0);
    near(delta, 3_f64.ln());
    let (beta, delta) = found("--original more.csv");
    near(beta, 1.0);
    near(delta, (10_f64 / 3.0).ln());
    // Nobody released has the measles.
    let (beta, delta) = found("--original other.csv");
    near(beta, 12.5 / 6.0 - 1.0);
    assert_eq!(delta, None);
}

/// What is asked may be met exactly; and without the original `verify` says what it compared with.
#[test]
fn what_is_met_exactly() {
    let desk = by_hand();
    let line = "verify r.csv --original more.csv --qi age --type age=integer --sensitive illness -k 5";
    desk.done(&format!("{line} --beta-likeness 1 --delta-disclosure 1.205"));
    assert_eq!(desk.run(&format!("{line} --beta-likeness 0.999")).code, Some(1));
    let other = desk.run(&line.replace("more", "other"));
    assert!(other.text().contains("a value is absent"), "{}", other.text());
    let strict = desk.run(&format!("{} --delta-disclosure 9", line.replace("more", "other")));
    assert_eq!(strict.code, Some(1));
    assert!(
        strict.err.contains("a class lacks a value of 'illness' that the original has"),
        "{}",
        strict.err
    );
    let alone = line.replace("--original more.csv ", "");
    let alone = desk.done(&format!("{alone} --beta-likeness 0.7 --delta-disclosure 1.1"));
    for figure in ["beta", "delta"] {
        assert!(alone.err.contains(&format!("not checked: {figure} against the original")), "{}", alone.err);
    }
}

const TWO: &str = "--rest keep --qi age --sensitive illness,salary --hierarchies trees -k 4";

fn certificate(desk: &Desk) -> Value {
    serde_json::from_str(&desk.read("r.csv.certificate.json")).unwrap()
}

/// What is asked of one column is asked of no other, and the certificate says so.
#[test]
fn a_demand_may_name_a_column() {
    let desk = desk();
    let asked = "--alpha 0.6@illness --beta-likeness 1@illness";
    desk.done(&format!("anonymize t.csv -o r.csv {TWO} {asked} --quiet"));
    let said = certificate(&desk);
    assert_eq!(said["asked"]["models"][2]["column"], "illness");
    assert_eq!(said["asked"]["models"][2]["beta"], 1.0);
    let against = said["recomputed"]["beta_against_release"].as_object().unwrap();
    assert_eq!(against.keys().collect::<Vec<_>>(), ["illness"]);
    let caveats = said["not_covered"].to_string();
    assert!(
        caveats.contains("Nothing was asked of these sensitive columns") && caveats.contains(": salary.")
    );
    let told = desk.done(&format!("verify r.csv --original t.csv {TWO} {asked}")).text();
    assert!(told.contains("Met: k = 4, alpha = 0.6 of 'illness', beta-likeness 1 of 'illness'"), "{told}");
    let other = desk.run(&format!("verify r.csv --original t.csv {TWO} --beta-likeness 1@salary"));
    assert_eq!(other.code, Some(1));
    assert!(other.err.contains("'salary'") && !other.err.contains("'illness'"), "{}", other.err);
}

/// Demands on all columns and on one add up; all but k and p may be repeated.
#[test]
fn demands_may_be_repeated() {
    let desk = desk();
    let asked = "--t-closeness 0.9 --t-closeness 0.3@illness --alpha 0.9 --alpha 0.5@illness --l-diversity distinct:2 --l-diversity distinct:3@illness";
    desk.done(&format!("anonymize t.csv -o r.csv {TWO} {asked} --quiet"));
    let json = desk.done(&format!("verify r.csv --original t.csv {TWO} {asked} --json")).text();
    let found = &serde_json::from_str::<Value>(&json).unwrap()["achieved"];
    assert!(found["t"]["illness"].as_f64() <= Some(0.3) && found["alpha"]["illness"].as_f64() <= Some(0.5));
    assert!(found["l_distinct"]["illness"].as_u64() >= Some(3));
    assert_eq!(certificate(&desk)["asked"]["models"].as_array().unwrap().len(), 7);
    assert!(!certificate(&desk)["not_covered"].to_string().contains("Nothing was asked"));
}

/// What a job file asks of a column is read by both commands, under either spelling.
#[test]
fn a_job_file_asks_of_single_columns() {
    let job = "qi = [\"age\"]\nhierarchies = \"trees\"\nk = 4\nalpha = [0.9, \"0.6@illness\"]\n[columns]\nillness = { role = \"sensitive\", p = 3, l_diversity = \"entropy:2\", t-closeness = \"0.4:hierarchical\", beta_likeness = 1.5, delta-disclosure = 2 }\nsalary = { role = \"sensitive\", p = 2 }\n";
    let desk = desk().with("j.toml", job);
    desk.done("anonymize t.csv -o r.csv --job j.toml --quiet");
    let models = certificate(&desk)["asked"]["models"].to_string();
    for model in ["p-sensitive", "entropy-l", "t-closeness", "beta-likeness", "delta-disclosure", "alpha-k"] {
        assert!(models.contains(model), "{models}");
    }
    let said = certificate(&desk);
    assert_eq!(said["asked"]["closeness"]["illness"], "hierarchical");
    assert!(said["recomputed"]["delta_against_release"]["illness"].as_f64() < Some(2.0));
    let told = desk.done("verify r.csv --original t.csv --job j.toml").text();
    assert!(told.contains("p = 3 of 'illness'") && told.contains("p = 2 of 'salary'"), "{told}");
    // A flag replaces what the file asks of all columns, and nothing that it asks of one.
    desk.done("verify r.csv --original t.csv --job j.toml --alpha 0.95");
    let more = desk.run("verify r.csv --original t.csv --job j.toml --l-diversity entropy:4.9@illness");
    assert_eq!(more.code, Some(1));
    assert!(more.err.contains("entropy 4.9-diversity"), "{}", more.err);
}

/// The sentences of a certificate about what is not promised.
fn not_covered(desk: &Desk, flags: &str) -> String {
    desk.done(&format!(
        "anonymize t.csv -o r.csv --rest keep --qi age --sensitive illness,salary -k 4 {flags} --quiet"
    ));
    let certificate: Value = serde_json::from_str(&desk.read("r.csv.certificate.json")).unwrap();
    let lines = certificate["not_covered"].as_array().unwrap().iter();
    lines.map(|line| line.as_str().unwrap()).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_a_demand_does_not_protect_is_said() {
    let desk = desk();
    let free = "Nothing was asked of these sensitive columns";
    assert!(
        not_covered(&desk, "")
            .contains(&format!("{free}, so nothing protects their values within a class: illness, salary."))
    );
    // Every class has one value: whoever asks for that has asked for nothing.
    for nothing in ["distinct:1@salary", "entropy:1@salary", "recursive:2,1@salary"] {
        let told = not_covered(&desk, &format!("--l-diversity {nothing} --alpha 0.5@illness"));
        assert!(told.contains("within a class: salary."), "{nothing}: {told}");
    }
    assert!(!not_covered(&desk, "--l-diversity distinct:2").contains(free));
    // Of all demands, only distances by rank or hierarchy know what values mean.
    let alike = "may mean much the same";
    assert!(not_covered(&desk, "--l-diversity entropy:1.5 --alpha 0.9").contains(alike));
    assert!(not_covered(&desk, "--t-closeness 0.4").contains(alike));
}

#[test]
fn who_is_left_out_of_a_comparison_with_the_table_is_not_protected() {
    let desk = desk();
    let flags = "--max-width age=8 --beta-likeness 2@illness --sensitive illness,salary";
    let line = format!("anonymize t.csv -o r.csv --rest keep --qi age -k 9 {flags}");
    let told = desk.done(&line).err;
    assert!(told.contains("outsiders can work out sensitive values of people who were left out"), "{told}");
    let compared = "down to the value of a single person";
    assert!(desk.read("r.csv.certificate.json").contains(compared));
    // Where nobody can be left out, there is nothing to work out.
    assert!(!not_covered(&desk, "--beta-likeness 2@illness").contains(compared));
}

#[test]
fn t_closeness_is_told_by_the_distance_that_was_measured() {
    let job = "k = 4\nqi = [\"age\"]\nt-closeness = 0.4\n[columns]\nillness = { role = \"sensitive\" }\nsalary = { role = \"sensitive\", closeness = \"ordered\" }\n";
    let desk = desk().with("job.toml", job);
    let told = desk.done("anonymize t.csv -o r.csv --job job.toml").text();
    assert!(told.contains("t = 0.4 (equal) of 'illness' and t = 0.4 (ordered) of 'salary'"), "{told}");
    let certificate: Value = serde_json::from_str(&desk.read("r.csv.certificate.json")).unwrap();
    let models = certificate["asked"]["models"].as_array().unwrap();
    let grounds: Vec<_> =
        models.iter().filter(|m| m["model"] == "t-closeness").map(|m| &m["ground"]).collect();
    assert_eq!(grounds, ["equal", "ordered"]);
    desk.done("verify r.csv --original t.csv --qi age --sensitive salary -k 4 --t-closeness 0.4:ordered");
}

/// The weight exponent belongs to a figure that `verify` reports, whatever was minimized.
#[test]
fn verify_takes_a_weight_exponent() {
    let desk = desk();
    desk.done(&format!("anonymize t.csv -o r.csv {ROLES} --quiet"));
    let distortion = |beta: &str| {
        let line = format!("verify r.csv --original t.csv {ROLES} {beta} --json");
        let found: Value = serde_json::from_str(&desk.done(&line).text()).unwrap();
        found["loss"]["distortion_ratio"].clone()
    };
    assert!(distortion("--beta 1").is_number(), "{}", distortion("--beta 1"));
}
