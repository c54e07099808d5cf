//! Labels and interval ends that tell a value of somebody who is not in the release.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::common::Desk;

/// All numbers in cells of the column that are no plain value: the ends of published groups.
fn ends(release: &str) -> BTreeSet<u64> {
    let cells = release.lines().skip(1).map(|row| row.rsplit_once(',').unwrap().0.trim_matches('"'));
    let groups = cells.filter(|cell| cell.parse::<u64>().is_err());
    groups
        .flat_map(|group| group.split(|c: char| !c.is_ascii_digit()))
        .filter_map(|n| n.parse().ok())
        .collect()
}

fn table(header: &str, values: impl IntoIterator<Item = impl std::fmt::Display>) -> String {
    let mut text = format!("{header},illness\n");
    for value in values {
        let _ = writeln!(text, "{value},flu");
    }
    text
}

/// Everybody is between 20 and 79, two of each age, but for one person of 119, who is suppressed.
fn ages() -> Vec<u64> {
    (0..120).map(|i| 20 + i % 60).chain([119]).collect()
}

fn balanced(column: &str) -> String {
    format!("[columns]\n{column} = {{ role = 'quasi-identifier', hierarchy = {{ balanced = 2 }} }}\n")
}

/// The outermost group of a tree made from the data ends where the oldest person is, suppressed or not.
#[test]
fn the_oldest_person_is_not_in_a_label() {
    let desk = Desk::new().with("t.csv", table("age", ages())).with("job.toml", balanced("age"));
    desk.done("anonymize t.csv -o r.csv --job job.toml -k 6 --suppress 5% --sensitive illness --quiet");
    let release = desk.read("r.csv");
    assert!(release.lines().count() > 100, "{release}");
    let told = ends(&release);
    assert!(!told.is_empty() && !told.contains(&119), "somebody is 119: {told:?}");
    // Nor the youngest, nor in a file that is made for later.
    let tree = desk.done("hierarchy build t.csv --column age --balanced 2").text();
    let groups: BTreeSet<&str> = tree.lines().flat_map(|l| l.split(';').skip(1)).collect();
    assert!(groups.iter().all(|g| !g.contains("119") && !g.contains("[20")), "{groups:?}");
}

/// Whoever sees the cut points of the tree must not see anybody's income.
#[test]
fn cut_points_are_nobodys_values() {
    // All end in 3: a round number is nobody's.
    let incomes: Vec<u64> = (0..300).map(|i| (2000 + i * 10 + (i * i) % 9) * 10 + 3).collect();
    let desk = Desk::new().with("t.csv", table("income", &incomes)).with("job.toml", balanced("income"));
    desk.done("anonymize t.csv -o r.csv --job job.toml -k 10 --sensitive illness --quiet");
    let told = ends(&desk.read("r.csv"));
    let shown: Vec<_> = incomes.iter().filter(|i| told.contains(i)).collect();
    assert!(told.len() > 2 && shown.is_empty(), "incomes {shown:?} can be read from the labels");
}

/// A day of birth or a name in a label is somebody's, too.
#[test]
fn days_and_names_are_not_in_labels() {
    let days =
        (0..200u32).map(|i| format!("19{:02}-{:02}-{:02}", 30 + i % 60, 1 + i * 7 % 12, 2 + i * 11 % 27));
    let names = (0..200u32).map(|i| {
        let letter = |n: u32| char::from(b'a' + (n % 26) as u8);
        format!("{}{}{}{}son", letter(i), letter(i / 26 + i), letter(i * 7), letter(i * 3))
    });
    for values in [days.collect::<Vec<_>>(), names.collect()] {
        let desk = Desk::new().with("t.csv", table("x", &values));
        let tree = desk.done("hierarchy build t.csv --column x --balanced 2").text();
        let groups: BTreeSet<&str> = tree.lines().flat_map(|l| l.split(';').skip(1)).collect();
        assert!(groups.len() > 5, "{groups:?}");
        for group in groups {
            let shown = values.iter().find(|v| group.contains(v.as_str()));
            assert!(shown.is_none(), "{group} shows {shown:?}");
        }
    }
}

/// What is generalized to the whole range ends where those people end who are in the release.
#[test]
fn the_whole_range_is_that_of_released_people() {
    let rows = (0..60u64).map(|i| format!("{},{}", 20 + i * 7 % 40, ["a", "b"][i as usize % 2]));
    let rows = rows.chain(["119,c".to_owned()]);
    let desk = Desk::new().with("t.csv", table("age,town", rows));
    desk.done("anonymize t.csv -o r.csv --rest keep --qi age,town --sensitive illness -k 4 --algorithm incognito --suppress 10% --quiet");
    let release = desk.read("r.csv");
    assert_eq!(release.lines().count(), 61, "{release}");
    assert!(
        !release.contains("119"),
        "the one who was suppressed is 119: {}",
        release.lines().nth(1).unwrap()
    );
    desk.done("verify r.csv --original t.csv --qi age,town --sensitive illness -k 4");
}

/// Where a balanced tree is cut does not show the value of one who is left out, be it a day or a word.
#[test]
fn cuts_of_days_and_words_are_nobodys() {
    let job = "k = 3\nmissing = \"suppress\"\nqi = [\"birth\", \"sex\"]\n[columns]\nbirth = { hierarchy = { balanced = 2 } }\nsex = { type = \"category\" }\n";
    let day = |day: usize| format!("2020-03-{day:02}");
    let code = |n: usize| format!("H-2020-000{}", 100 + n);
    let forms: [&dyn Fn(usize) -> String; 2] = [&day, &code];
    for form in forms {
        let releases: std::collections::BTreeSet<String> = [14, 15, 17, 18]
            .map(|secret| {
                let usual = (1..=12).chain(20..=30).map(|n| format!("{},{}\n", form(n), ["F", "M"][n % 2]));
                let table = format!("birth,sex\n{}{},\n", usual.collect::<String>(), form(secret));
                let desk = Desk::new().with("t.csv", table).with("job.toml", job);
                desk.done("anonymize t.csv -o r.csv --job job.toml --quiet");
                desk.read("r.csv")
            })
            .into();
        assert_eq!(releases.len(), 1, "{releases:?}");
    }
}

/// A person who is left out for lack of a postcode has no say in how ages are read: with half a year, a word or 900 years in
/// that row, the release is the same.
#[test]
fn who_is_left_out_for_a_missing_value_decides_nothing() {
    let release = |age: &str, more: &str| {
        let rows = (0..60).map(|i| format!("{},{}", 20 + i % 30, 10_000 + i % 7 * 50));
        let rows: Vec<String> = rows.chain([format!("{age},")]).collect();
        let desk = Desk::new().with("t.csv", table("age,zip", &rows));
        let job = format!(
            "anonymize t.csv -o r.csv --rest keep --qi age,zip --sensitive illness -k 4 --quiet {more}"
        );
        desk.done(&job);
        (desk.read("r.csv"), desk.read("r.csv.certificate.json"))
    };
    for more in
        ["", "--measure lm", "--measure entropy", "--algorithm mondrian", "--notion kk", "--suppressed star"]
    {
        let more = format!("--missing suppress {more}");
        let usual = release("31", &more);
        for odd in ["31.5", "unknown", "900", "01", ""] {
            assert!(
                release(odd, &more) == usual,
                "{odd} with {more}: somebody who is not in the release is seen"
            );
        }
    }
}

/// How a range is written is said, not found out: half a year of somebody who was suppressed would change every label.
#[test]
fn the_spelling_of_ranges_does_not_tell_of_a_fraction() {
    let job = "[columns]\nage = { role = 'quasi-identifier', hierarchy = { ranges = [10, 20] } }\n";
    let desk = |age: &str| {
        let ages = (0..60).map(|i| (20 + i % 30).to_string()).chain([age.to_owned()]);
        Desk::new().with("t.csv", table("age", ages)).with("job.toml", job)
    };
    let line = "anonymize t.csv -o r.csv --job job.toml -k 8 --suppress 5% --sensitive illness --quiet";
    let whole = desk("119");
    whole.done(line);
    assert!(whole.read("r.csv").contains("[20, 29]"), "{}", whole.read("r.csv"));
    let said = desk("119.5").refused(line);
    assert!(said.contains("decimal"), "{said}");
    for age in ["119", "119.5"] {
        let desk = desk(age);
        desk.done(&format!("{line} --type age=decimal"));
        assert!(desk.read("r.csv").contains("[20, 30["), "{}", desk.read("r.csv"));
    }
}

/// Whether a suppressed person's weight has a fraction must not show in how the others' weights are written.
#[test]
fn the_type_of_bounds_is_that_of_what_is_published() {
    let release = |weight: &str, format: &str| {
        let rows = (0..20).map(|i| format!("{},A", 30 + i % 5)).chain([format!("{weight},A")]);
        let desk = Desk::new().with("t.csv", table("weight,city", rows));
        let place = format!("r.{format}");
        desk.done(&format!(
            "anonymize t.csv -o {place} --rest keep --qi weight,city --sensitive illness -k 5 --max-width weight=3 --intervals bounds --quiet"
        ));
        desk.bytes(&place)
    };
    for format in ["csv", "parquet", "arrow"] {
        let usual = release("90", format);
        for odd in ["90.5", "95.0", "1e2"] {
            assert!(release(odd, format) == usual, "{format}: somebody who is left out weighs {odd}");
        }
    }
}

/// A diagnosis of somebody who is left out for lack of an age must not break a tie between others.
#[test]
fn a_left_out_diagnosis_changes_nobodys_class() {
    let release = |illness: &str| {
        let rows = format!("age,dx\n,{illness}\n35,gout\n21,flu\n24,cold\n38,gout\n");
        let desk = Desk::new().with("t.csv", rows);
        desk.done("anonymize t.csv -o r.csv --rest keep --qi age --sensitive dx -k 2 -p 2 --missing suppress --algorithm enhanced-pk --quiet");
        desk.read("r.csv")
    };
    let usual = release("flu");
    for other in ["gout", "cold", "ms", ""] {
        assert!(release(other) == usual, "the person without an age has {other}");
    }
}
