//! Demands that make no sense, or that no release can meet.

use crate::common::Desk;

fn refused(flags: &str) -> String {
    let roles = "--identifier name --rest keep --qi age,sex --sensitive illness";
    Desk::with_people().refused(&format!("anonymize people.csv -o release.csv {roles} {flags}"))
}

#[test]
fn no_k() {
    insta::assert_snapshot!(refused(""), @r"
    exit code 2
    error: no k was given
      where: -k
      way out: say how many people everyone must hide among, for example -k 10
    ");
}

#[test]
fn a_k_of_nought() {
    insta::assert_snapshot!(refused("-k 0"), @r"
    exit code 2
    error: k = 0, expected at least 2
      where: -k
      way out: with k = 1 every person may stand alone; common choices are 5, 10 or 20
    ");
}

#[test]
fn a_k_of_one() {
    insta::assert_snapshot!(refused("-k 1"), @r"
    exit code 2
    error: k = 1, expected at least 2
      where: -k
      way out: with k = 1 every person may stand alone; common choices are 5, 10 or 20
    ");
}

#[test]
fn a_k_that_is_no_number() {
    insta::assert_snapshot!(refused("-k ten"), @r"
    exit code 2
    error: invalid value 'ten' for '-k <N>': expected a whole number, such as 10

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refused("-k -3"), @r"
    exit code 2
    error: invalid value '-3' for '-k <N>': expected a whole number, such as 10

    For more information, try '--help'.
    ");
}

#[test]
fn more_than_there_are_people() {
    insta::assert_snapshot!(refused("-k 13"), @r"
    exit code 3
    error: k = 13, but the table has only 12 rows to release
      where: -k
      way out: ask for k ≤ 12, or add rows
    ");
}

#[test]
fn more_than_there_are_people_with_every_value() {
    insta::assert_snapshot!(refused("-k 12 --missing suppress"), @r"
    exit code 3
    error: k = 12, but the table has only 11 rows to release
      where: -k
      way out: ask for k ≤ 11, or add rows
    ");
}

#[test]
fn more_different_values_than_there_are() {
    insta::assert_snapshot!(refused("-k 5 -p 4"), @r"
    exit code 3
    error: p = 4, but sensitive column 'illness' has only 3 different values
      where: -p
      way out: ask for p ≤ 3, or drop 'illness' from the release
    ");
}

#[test]
fn a_p_of_nought() {
    insta::assert_snapshot!(refused("-k 5 -p 0"), @r"
    exit code 2
    error: p = 0, expected at least 1
      where: -p
      way out: omit -p to ask for k-anonymity alone
    ");
}

#[test]
fn a_p_above_k() {
    insta::assert_snapshot!(refused("-k 2 -p 3"), @r"
    exit code 2
    error: p = 3 is larger than k = 2
      where: -p
      way out: a class of k rows has at most k different values: raise k to 3 or lower p to 2
    ");
}

#[test]
fn a_p_without_a_sensitive_column() {
    let line = "anonymize people.csv -o release.csv --rest keep --qi age,sex -k 3 -p 2";
    insta::assert_snapshot!(Desk::with_people().refused(line), @r"
    exit code 2
    error: p = 2 is about sensitive values, but no column is sensitive
      where: -p
      way out: name the columns nobody may learn with --sensitive
    ");
}

#[test]
fn a_ratio_that_is_none() {
    insta::assert_snapshot!(refused("-k 3 --beta-likeness 0"), @r"
    exit code 2
    error: beta = '0', expected a number above 0
      where: --beta-likeness
      way out: 1 lets every value be at most twice as frequent in a class as in the table
    ");
    insta::assert_snapshot!(refused("-k 3 --delta-disclosure -0.5@illness"), @r"
    exit code 2
    error: delta = '-0.5', expected a number above 0
      where: --delta-disclosure
      way out: 0.7 lets every value be about half to twice as frequent in a class as in the table
    ");
    for flags in
        ["--beta-likeness much", "--beta-likeness inf", "--delta-disclosure 0", "--delta-disclosure NaN"]
    {
        assert!(refused(&format!("-k 3 {flags}")).contains("expected a number above 0"), "{flags}");
    }
}

#[test]
fn a_demand_on_a_column_that_is_not_sensitive() {
    insta::assert_snapshot!(refused("-k 3 --alpha 0.5@ilness"), @r"
    exit code 2
    error: alpha = 0.5 is asked of 'ilness', which is not a sensitive column
      where: --alpha
      way out: did you mean 'illness'?
    ");
    insta::assert_snapshot!(refused("-k 3 --beta-likeness 1@age"), @r"
    exit code 2
    error: beta-likeness 1 is asked of 'age', which is not a sensitive column
      where: --beta-likeness
      way out: name one of them: illness
    ");
    insta::assert_snapshot!(refused("-k 3 --l-diversity distinct:2@"), @r"
    exit code 2
    error: 'distinct:2@' names no column after the @
      where: --l-diversity
      way out: write the name of a sensitive column after it, or omit the @
    ");
    let none =
        "anonymize people.csv -o release.csv --rest keep --qi age,sex -k 3 --delta-disclosure 1@illness";
    insta::assert_snapshot!(Desk::with_people().refused(none), @r"
    exit code 2
    error: delta-disclosure 1 of 'illness' is about sensitive values, but no column is sensitive
      where: --delta-disclosure
      way out: name the columns nobody may learn with --sensitive
    ");
    let table = "verify people.csv --qi age,sex --sensitive illness -k 2 --t-closeness 0.5@note";
    insta::assert_snapshot!(Desk::with_people().refused(table), @r"
    exit code 2
    error: t = 0.5 (equal) is asked of 'note', which is not a sensitive column
      where: --t-closeness
      way out: name one of them: illness
    ");
}

#[test]
fn a_column_of_a_job_file_that_asks_for_nonsense() {
    let of = |entry: &str| {
        let job = format!(
            "identifier = [\"name\"]\nqi = [\"age\", \"sex\"]\nrest = \"keep\"\nk = 3\n[columns]\n{entry}\n"
        );
        Desk::with_people().with("j.toml", job).refused("anonymize people.csv -o release.csv --job j.toml")
    };
    insta::assert_snapshot!(of("illness = { role = \"sensitive\", beta_likeness = \"much\" }"), @r"
    exit code 2
    error: beta = 'much', expected a number above 0
      where: column 'illness', beta-likeness
      way out: 1 lets every value be at most twice as frequent in a class as in the table
    ");
    insta::assert_snapshot!(of("illness = { role = \"sensitive\", alpha = \"0.5@illness\" }"), @r"
    exit code 2
    error: alpha = '0.5@illness', expected a share above 0 and below 1
      where: column 'illness', alpha
      way out: 0.5 or 50% lets no sensitive value have more than half of a class
    ");
    insta::assert_snapshot!(of("illness = { role = \"sensitive\" }\nzip = { role = \"other\", p = 2 }"), @r"
    exit code 2
    error: p = 2 is asked of 'zip', which is not a sensitive column
      where: -p
      way out: name one of them: illness
    ");
    insta::assert_snapshot!(of("illness = { role = \"sensitive\", p = 4 }"), @r"
    exit code 2
    error: p = 4 of 'illness' is larger than k = 3
      where: -p
      way out: a class of k rows has at most k different values: raise k to 4 or lower p to 3
    ");
}

#[test]
fn two_distances_for_one_column() {
    insta::assert_snapshot!(refused("-k 3 --t-closeness 0.3 --t-closeness 0.2:ordered@illness"), @r"
    exit code 2
    error: t-closeness of 'illness' is asked by two different distances
      where: --t-closeness
      way out: use the same distance in both, or name other columns after an @
    ");
}

/// Classes are compared with the original: whoever is left out counts there.
#[test]
fn who_is_left_out_makes_the_rest_differ() {
    insta::assert_snapshot!(refused("-k 3 --missing suppress --beta-likeness 0.05"), @r"
    exit code 3
    error: beta-likeness 0.05, but sensitive column 'illness' without the rows that are left out has a value that is more frequent than in the whole table by 0.091 times its frequency there
      where: --beta-likeness
      way out: ask for beta ≥ 0.091, or leave fewer rows out
    ");
    insta::assert_snapshot!(refused("-k 3 --missing suppress --delta-disclosure 0.1"), @r"
    exit code 3
    error: delta-disclosure 0.1, but sensitive column 'illness' without the rows that are left out only reaches a delta of 0.201
      where: --delta-disclosure
      way out: ask for delta ≥ 0.201, or leave fewer rows out
    ");
}

#[test]
fn an_unknown_algorithm() {
    insta::assert_snapshot!(refused("-k 3 --algorithm mondrain"), @r"
    exit code 2
    error: there is no algorithm 'mondrain'
      where: --algorithm
      way out: did you mean 'mondrian'?
    ");
    insta::assert_snapshot!(refused("-k 3 --algorithm quantum"), @r"
    exit code 2
    error: there is no algorithm 'quantum'
      where: --algorithm
      way out: one of auto, boxes, k-member, greedy-cka, greedy-pk, enhanced-pk, oka, systematic, systematic-plus, kaca, agglomerative, agglomerative-modified, forest, mondrian, incognito, k1-nearest, k1-expansion, k1-optimal, 1k, kk-nearest, kk-expansion, kk-optimal, global-1k, global-1k-optimal
    ");
}

#[test]
fn an_unknown_measure() {
    insta::assert_snapshot!(refused("-k 3 --measure entropie"), @r"
    exit code 2
    error: there is no measure 'entropie'
      where: --measure
      way out: did you mean 'entropy'?
    ");
    insta::assert_snapshot!(refused("-k 3 --measure beauty"), @r"
    exit code 2
    error: there is no measure 'beauty'
      where: --measure
      way out: one of il, lm, entropy, whd, ncp
    ");
}

#[test]
fn an_unknown_setting() {
    insta::assert_snapshot!(refused("-k 3 --algorithm mondrian --set ctu=relaxed"), @r"
    exit code 2
    error: mondrian has no setting 'ctu'
      where: --set
      way out: did you mean 'cut'?
    ");
    insta::assert_snapshot!(refused("-k 3 --algorithm mondrian --set cut=loose"), @r"
    exit code 2
    error: mondrian: cut = 'loose'
      where: --set cut
      way out: expected one of: strict, relaxed
    ");
    insta::assert_snapshot!(refused("-k 3 --algorithm mondrian --set colour=red"), @r"
    exit code 2
    error: mondrian has no setting 'colour'
      where: --set
      way out: mondrian has: cut
    ");
    insta::assert_snapshot!(refused("-k 3 --algorithm mondrian --set cut"), @r"
    exit code 2
    error: 'cut', expected NAME=VALUE
      where: --set
      way out: write --set cut=…, without spaces
    ");
}

#[test]
fn a_beta_for_another_measure() {
    insta::assert_snapshot!(refused("-k 3 --beta 1"), @r"
    exit code 2
    error: beta belongs to the measure whd, but the measure is il
      where: --beta
      way out: use --measure whd, or omit --beta
    ");
    insta::assert_snapshot!(refused("-k 3 --measure whd --beta=-1"), @r"
    exit code 2
    error: beta = -1, expected a number of at least 0
      where: --beta
      way out: 0 weighs all steps alike; the papers use 0 and 1
    ");
}

#[test]
fn a_time_limit_without_a_unit() {
    insta::assert_snapshot!(refused("-k 3 --time-limit 60"), @r"
    exit code 2
    error: '60' is not a length of time
      where: --time-limit
      way out: --time-limit 60s means seconds; write a number with a unit: 500ms, 90s, 5m or 2h
    ");
    insta::assert_snapshot!(refused("-k 3 --time-limit soon"), @r"
    exit code 2
    error: 'soon' is not a length of time
      where: --time-limit
      way out: write a number with a unit: 500ms, 90s, 5m or 2h
    ");
}

#[test]
fn no_threads() {
    insta::assert_snapshot!(refused("-k 3 --threads 0"), @r"
    exit code 2
    error: 0 threads, expected at least 1
      where: --threads
      way out: omit --threads to use all cores
    ");
    insta::assert_snapshot!(Desk::with_people().refused("verify people.csv --qi age --threads 0"), @r"
    exit code 2
    error: 0 threads, expected at least 1
      where: --threads
      way out: omit --threads to use all cores
    ");
}

#[test]
fn a_grid_that_is_none() {
    insta::assert_snapshot!(refused("-k 3 --snap age=0"), @r"
    exit code 2
    error: cannot snap integer values to a step of 0
      where: --snap age=0
      way out: give a number above 0
    ");
    insta::assert_snapshot!(refused("-k 3 --snap age=wide"), @r"
    exit code 2
    error: step 'wide' is not a number, nor one of the calendar such as 1 month
      where: --snap
      way out: give the width of the grid, such as --snap age=5
    ");
    insta::assert_snapshot!(refused("-k 3 --snap sex=5"), @r"
    exit code 2
    error: only intervals can be snapped to a grid, but this column is taken for a category: not all of its values are numbers between -2^53 and 2^53
      where: --snap sex=…
      way out: declare its type, such as --type COLUMN=integer, to see which values do not fit, or omit this --snap
    ");
    let long = Desk::new().with("t.csv", "a\n-9223372036854775808\n5\n7\n");
    insta::assert_snapshot!(long.refused("anonymize t.csv -o r.csv --rest keep --qi a -k 2 --snap a=5 --type a=integer"), @r"
    exit code 2
    error: 1 value is not of type integer:
        '-9223372036854775808' (1 row)
      where: t.csv, column 'a', first in row 1 below the header
      way out: correct them, leave them empty, or declare the column as a category with a hierarchy; whole numbers of 2^53 (9007199254740992) and more cannot be told apart as quantities
    ");
    insta::assert_snapshot!(refused("-k 3 --snap illness=5"), @r"
    exit code 2
    error: column 'illness' is not a quasi-identifier: it has no intervals to snap
      where: --snap illness=…
      way out: omit this --snap, or name the column with --qi
    ");
}

#[test]
fn a_choice_that_is_none() {
    insta::assert_snapshot!(refused("-k 3 --intervals wide"), @r"
    exit code 2
    error: invalid value 'wide' for '--intervals <text|bounds|midpoint>': expected one of text, bounds, midpoint

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refused("-k 3 --missing ignore"), @r"
    exit code 2
    error: invalid value 'ignore' for '--missing <value|refuse|suppress>': expected one of value, refuse, suppress

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(refused("-k 3 --suppressed hide"), @r"
    exit code 2
    error: invalid value 'hide' for '--suppressed <drop|star>': expected one of drop, star

    For more information, try '--help'.
    ");
}

#[test]
fn an_unknown_table_to_generate() {
    insta::assert_snapshot!(Desk::new().refused("generate hospitl -o t.csv"), @r"
    exit code 2
    error: no generated table is called 'hospitl'
      way out: did you mean 'hospital'? there are art, uu, un, nu, nn, census, hospital
    ");
    insta::assert_snapshot!(Desk::new().refused("generate xyzzy -o t.csv"), @r"
    exit code 2
    error: no generated table is called 'xyzzy'
      way out: there are art, uu, un, nu, nn, census, hospital
    ");
}
