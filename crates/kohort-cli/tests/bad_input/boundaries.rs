//! Boundaries, weights, thresholds, shares and opt-outs that make no sense.

use crate::common::{Desk, TOWN_ROLES};

/// [`TOWNS`](crate::common::TOWNS) with k = 2 and these flags.
fn refused(flags: &str) -> String {
    Desk::with_towns().refused(&format!("anonymize towns.csv -o release.csv {TOWN_ROLES} -k 2 {flags}"))
}

/// The same as a job file that says this about columns.
fn refused_job(columns: &str) -> String {
    let job = format!(
        "k = 2\nidentifier = [\"name\"]\nqi = [\"age\", \"location\"]\nsensitive = [\"illness\"]\nhierarchies = \"trees\"\n[columns]\n{columns}\n"
    );
    Desk::with_towns().with("job.toml", job).refused("anonymize towns.csv -o release.csv --job job.toml")
}

#[test]
fn an_unknown_node() {
    insta::assert_snapshot!(refused("--max-generalization location=Kanzas"), @r"
    exit code 2
    error: the hierarchy has no node 'Kanzas'
      where: column 'location', max_generalization
      way out: did you mean 'Kansas'?
    ");
    insta::assert_snapshot!(refused("--max-generalization location=Mars"), @r"
    exit code 2
    error: the hierarchy has no node 'Mars'
      where: column 'location', max_generalization
      way out: its groups are US, Midwest, Nebraska, Kansas, West Coast, Washington, California
    ");
    insta::assert_snapshot!(refused_job(r#"location = { max_generalization = ["Midwest", "Nebrasca"] }"#), @r"
    exit code 2
    error: the hierarchy has no node 'Nebrasca'
      where: column 'location', max_generalization
      way out: did you mean 'Nebraska'?
    ");
}

#[test]
fn a_node_named_twice() {
    insta::assert_snapshot!(refused("--max-generalization location=Kansas --max-generalization location=Midwest --max-generalization location=Kansas"), @r"
    exit code 2
    error: node 'Kansas' is named twice
      where: column 'location', max_generalization
      way out: name it once
    ");
    insta::assert_snapshot!(refused_job(r#"location = { max_generalization = ["Kansas", "Kansas"] }"#), @r"
    exit code 2
    error: node 'Kansas' is named twice
      where: column 'location', max_generalization
      way out: name it once
    ");
}

#[test]
fn no_node_at_all() {
    insta::assert_snapshot!(refused_job("location = { max_generalization = [] }"), @r"
    exit code 2
    error: no node is named
      where: column 'location', max_generalization
      way out: name at least one node, or omit the key
    ");
    insta::assert_snapshot!(refused("--max-generalization location="), @r"
    exit code 2
    error: the hierarchy has no node ''
      where: column 'location', max_generalization
      way out: its groups are US, Midwest, Nebraska, Kansas, West Coast, Washington, California
    ");
    insta::assert_snapshot!(refused("--max-generalization location"), @r"
    exit code 2
    error: 'location', expected NAME=VALUE
      where: --max-generalization
      way out: write --max-generalization location=…, without spaces
    ");
}

#[test]
fn nodes_that_are_no_list() {
    insta::assert_snapshot!(refused_job(r#"location = { max_generalization = "Kansas" }"#), @r#"
    exit code 2
    error: the job file cannot be understood: TOML parse error at line 7, column 35
      |
    7 | location = { max_generalization = "Kansas" }
      |                                   ^^^^^^^^
    invalid type: string "Kansas", expected a list in [ ]
      where: job.toml
      way out: correct this line; keys have the names of the options
    "#);
}

#[test]
fn two_kinds_of_boundary() {
    insta::assert_snapshot!(refused("--max-generalization location=Kansas --max-width location=3"), @r"
    exit code 2
    error: max_generalization and max_width contradict each other
      where: column 'location', max_width
      way out: a column has a hierarchy, with nodes, or it becomes intervals: keep one of them
    ");
    insta::assert_snapshot!(refused_job(r#"age = { max_generalization = ["old"], max_width = 10, cuts = [30] }"#), @r"
    exit code 2
    error: max_generalization and max_width and cuts contradict each other
      where: column 'age', max_width
      way out: a column has a hierarchy, with nodes, or it becomes intervals: keep one of them
    ");
}

/// Nodes add up; widths and lists of cuts do not, and none of two may be forgotten.
#[test]
fn a_boundary_given_twice() {
    insta::assert_snapshot!(refused("--max-width age=10 --max-width age=20"), @r"
    exit code 2
    error: column 'age' is named twice
      where: --max-width
      way out: give it one width
    ");
    insta::assert_snapshot!(refused("--cuts age=30 --cuts age=50"), @r"
    exit code 2
    error: column 'age' is named twice
      where: --cuts
      way out: list all cuts at once, such as --cuts age=18,65
    ");
}

#[test]
fn nodes_for_a_column_of_intervals() {
    insta::assert_snapshot!(refused("--max-generalization age=young"), @r"
    exit code 2
    error: this column has no hierarchy: it becomes intervals
      where: column 'age', max_generalization
      way out: use --max-width or --cuts, or give it a hierarchy
    ");
    insta::assert_snapshot!(refused_job(r#"age = { max_generalization = ["young"] }"#), @r"
    exit code 2
    error: this column has no hierarchy: it becomes intervals
      where: column 'age', max_generalization
      way out: use --max-width or --cuts, or give it a hierarchy
    ");
}

#[test]
fn a_width_for_a_column_with_a_hierarchy() {
    insta::assert_snapshot!(refused("--max-width location=3"), @r#"
    exit code 2
    error: this column is generalized along a hierarchy, or was taken for a category
      where: column 'location', max_width
      way out: name the highest allowed nodes with --max-generalization, or declare its type with --type, such as integer
    "#);
    insta::assert_snapshot!(refused("--cuts location=Kansas"), @r#"
    exit code 2
    error: this column is generalized along a hierarchy, or was taken for a category
      where: column 'location', cuts
      way out: name the highest allowed nodes with --max-generalization, or declare its type with --type, such as integer
    "#);
    insta::assert_snapshot!(refused_job("location = { max_width = 3 }"), @r#"
    exit code 2
    error: this column is generalized along a hierarchy, or was taken for a category
      where: column 'location', max_width
      way out: name the highest allowed nodes with --max-generalization, or declare its type with --type, such as integer
    "#);
}

#[test]
fn a_width_that_is_none() {
    insta::assert_snapshot!(refused("--max-width age=-1"), @r"
    exit code 2
    error: width -1, expected a number of at least 0
      where: column 'age', max_width
      way out: 0 keeps every value as it is; the whole column has a width of 36
    ");
    insta::assert_snapshot!(refused("--max-width age=NaN"), @r"
    exit code 2
    error: width NaN, expected a number of at least 0
      where: column 'age', max_width
      way out: 0 keeps every value as it is; the whole column has a width of 36
    ");
    insta::assert_snapshot!(refused("--max-width age=inf"), @r"
    exit code 2
    error: width inf, expected a number of at least 0
      where: column 'age', max_width
      way out: 0 keeps every value as it is; the whole column has a width of 36
    ");
    insta::assert_snapshot!(refused("--max-width age=wide"), @r"
    exit code 2
    error: width 'wide' is not a number
      where: --max-width
      way out: give the largest width, such as --max-width age=20
    ");
    insta::assert_snapshot!(refused("--max-width 20"), @r"
    exit code 2
    error: '20', expected NAME=VALUE
      where: --max-width
      way out: write --max-width 20=…, without spaces
    ");
    insta::assert_snapshot!(refused_job("age = { max_width = -1 }"), @r"
    exit code 2
    error: width -1, expected a number of at least 0
      where: column 'age', max_width
      way out: 0 keeps every value as it is; the whole column has a width of 36
    ");
    insta::assert_snapshot!(refused_job("age = { max_width = nan }"), @r"
    exit code 2
    error: width NaN, expected a number of at least 0
      where: column 'age', max_width
      way out: 0 keeps every value as it is; the whole column has a width of 36
    ");
    insta::assert_snapshot!(refused_job(r#"age = { max_width = "ten" }"#), @r#"
    exit code 2
    error: the job file cannot be understood: TOML parse error at line 7, column 21
      |
    7 | age = { max_width = "ten" }
      |                     ^^^^^
    invalid type: string "ten", expected a number
      where: job.toml
      way out: correct this line; keys have the names of the options
    "#);
}

#[test]
fn a_width_below_the_grid() {
    insta::assert_snapshot!(refused("--max-width age=4 --snap age=5"), @r"
    exit code 2
    error: intervals snapped to a grid of 5 are wider than 4
      where: column 'age', max_width
      way out: use a finer grid or a larger width
    ");
    insta::assert_snapshot!(refused_job("age = { max_width = 4, snap = 5.0 }"), @r"
    exit code 2
    error: intervals snapped to a grid of 5 are wider than 4
      where: column 'age', max_width
      way out: use a finer grid or a larger width
    ");
}

#[test]
fn cuts_in_another_order() {
    insta::assert_snapshot!(refused("--cuts age=50,30"), @r"
    exit code 2
    error: cut 30 does not come after the one before it
      where: column 'age', cuts
      way out: list the cuts from small to large, each once
    ");
    insta::assert_snapshot!(refused_job("age = { cuts = [50, 30] }"), @r"
    exit code 2
    error: cut 30 does not come after the one before it
      where: column 'age', cuts
      way out: list the cuts from small to large, each once
    ");
}

#[test]
fn a_cut_twice() {
    insta::assert_snapshot!(refused("--cuts age=30,30"), @r"
    exit code 2
    error: cut 30 does not come after the one before it
      where: column 'age', cuts
      way out: list the cuts from small to large, each once
    ");
    insta::assert_snapshot!(refused_job("age = { cuts = [30, 30] }"), @r"
    exit code 2
    error: cut 30 does not come after the one before it
      where: column 'age', cuts
      way out: list the cuts from small to large, each once
    ");
}

#[test]
fn a_cut_that_is_no_number() {
    insta::assert_snapshot!(refused("--cuts age=30,old"), @r"
    exit code 2
    error: cut 'old' is not of type integer
      where: column 'age', cuts
      way out: write it the way the values of the column are written
    ");
    insta::assert_snapshot!(refused("--cuts age=NaN"), @r"
    exit code 2
    error: cut 'NaN' is not of type integer
      where: column 'age', cuts
      way out: write it the way the values of the column are written
    ");
    insta::assert_snapshot!(refused("--cuts age=30,,50"), @r"
    exit code 2
    error: cut '' is not of type integer
      where: column 'age', cuts
      way out: write it the way the values of the column are written
    ");
    insta::assert_snapshot!(refused("--cuts age"), @r"
    exit code 2
    error: 'age', expected NAME=VALUE
      where: --cuts
      way out: write --cuts age=…, without spaces
    ");
    insta::assert_snapshot!(refused_job(r#"age = { cuts = ["30", "old"] }"#), @r"
    exit code 2
    error: cut 'old' is not of type integer
      where: column 'age', cuts
      way out: write it the way the values of the column are written
    ");
    insta::assert_snapshot!(refused_job("age = { cuts = [true] }"), @r"
    exit code 2
    error: the job file cannot be understood: TOML parse error at line 7, column 16
      |
    7 | age = { cuts = [true] }
      |                ^^^^^^
    expected a number, or a text in quotes
      where: job.toml
      way out: correct this line; keys have the names of the options
    ");
    insta::assert_snapshot!(refused_job("age = { cuts = 30 }"), @r"
    exit code 2
    error: the job file cannot be understood: TOML parse error at line 7, column 16
      |
    7 | age = { cuts = 30 }
      |                ^^
    invalid type: integer `30`, expected a list in [ ]
      where: job.toml
      way out: correct this line; keys have the names of the options
    ");
}

#[test]
fn no_cut_at_all() {
    insta::assert_snapshot!(refused_job("age = { cuts = [] }"), @r"
    exit code 2
    error: no cut is named
      where: column 'age', cuts
      way out: name at least one, or omit the key
    ");
    insta::assert_snapshot!(refused("--cuts age="), @r"
    exit code 2
    error: cut '' is not of type integer
      where: column 'age', cuts
      way out: write it the way the values of the column are written
    ");
}

#[test]
fn a_cut_off_the_grid() {
    insta::assert_snapshot!(refused("--cuts age=30,42 --snap age=5"), @r"
    exit code 2
    error: cut 42 is not a multiple of the grid of 5
      where: column 'age', cuts
      way out: intervals snapped to the grid would reach across it: move the cut or the grid
    ");
    insta::assert_snapshot!(refused("--cuts age=17.5 --snap age=5"), @r"
    exit code 2
    error: cut 17.5 is not a multiple of the grid of 5
      where: column 'age', cuts
      way out: intervals snapped to the grid would reach across it: move the cut or the grid
    ");
    insta::assert_snapshot!(refused_job("age = { cuts = [42], snap = 5.0 }"), @r"
    exit code 2
    error: cut 42 is not a multiple of the grid of 5
      where: column 'age', cuts
      way out: intervals snapped to the grid would reach across it: move the cut or the grid
    ");
}

#[test]
fn a_boundary_on_a_column_that_is_not_generalized() {
    insta::assert_snapshot!(refused("--max-generalization illness=flu"), @r"
    exit code 2
    error: column 'illness' is not a quasi-identifier: it is not generalized, and this says nothing about it
      where: column 'illness', max_generalization
      way out: omit this, or name the column with --qi
    ");
    insta::assert_snapshot!(refused("--max-width name=3"), @r"
    exit code 2
    error: column 'name' is not a quasi-identifier: it is not generalized, and this says nothing about it
      where: column 'name', max_width
      way out: omit this, or name the column with --qi
    ");
    insta::assert_snapshot!(refused("--cuts illness=1"), @r"
    exit code 2
    error: column 'illness' is not a quasi-identifier: it is not generalized, and this says nothing about it
      where: column 'illness', cuts
      way out: omit this, or name the column with --qi
    ");
    insta::assert_snapshot!(refused_job(r#"illness = { max_generalization = ["flu"] }"#), @r"
    exit code 2
    error: column 'illness' is not a quasi-identifier: it is not generalized, and this says nothing about it
      where: column 'illness', max_generalization
      way out: omit this, or name the column with --qi
    ");
    insta::assert_snapshot!(refused_job("name = { weight = 2, level_weights = { 2 = 1.0 } }"), @r"
    exit code 2
    error: column 'name' is not a quasi-identifier: it is not generalized, and this says nothing about it
      where: column 'name', weight, level_weights
      way out: omit this, or name the column with --qi
    ");
}

#[test]
fn a_boundary_on_a_column_that_is_not_there() {
    insta::assert_snapshot!(refused("--max-generalization locaton=Kansas"), @r"
    exit code 2
    error: there is no column 'locaton'
      where: towns.csv
      way out: did you mean 'location'?
    ");
    insta::assert_snapshot!(refused("--max-width income=3"), @r"
    exit code 2
    error: there is no column 'income'
      where: towns.csv
      way out: the columns are: name, age, location, illness
    ");
    insta::assert_snapshot!(refused("--cuts income=3"), @r"
    exit code 2
    error: there is no column 'income'
      where: towns.csv
      way out: the columns are: name, age, location, illness
    ");
}

#[test]
fn a_column_weight_that_is_none() {
    insta::assert_snapshot!(refused_job("age = { weight = -1 }"), @r"
    exit code 2
    error: weight -1, expected a number of at least 0
      where: column 'age', weight
      way out: 1 is what every column weighs; 0 makes its loss count for nothing
    ");
    insta::assert_snapshot!(refused_job("location = { weight = nan }"), @r"
    exit code 2
    error: weight NaN, expected a number of at least 0
      where: column 'location', weight
      way out: 1 is what every column weighs; 0 makes its loss count for nothing
    ");
}

#[test]
fn a_level_weight_that_is_none() {
    insta::assert_snapshot!(refused_job("location = { level_weights = { 2 = -1.0 } }"), @r"
    exit code 2
    error: weight -1, expected a number of at least 0
      where: column 'location', level_weights, level 2
      way out: 0 makes the step free, larger weights make it dearer
    ");
    insta::assert_snapshot!(refused_job("location = { level_weights = { 3 = inf } }"), @r"
    exit code 2
    error: weight inf, expected a number of at least 0
      where: column 'location', level_weights, level 3
      way out: 0 makes the step free, larger weights make it dearer
    ");
    insta::assert_snapshot!(refused_job(r#"location = { level_weights = { 3 = "heavy" } }"#), @r#"
    exit code 2
    error: the job file cannot be understood: TOML parse error at line 7, column 36
      |
    7 | location = { level_weights = { 3 = "heavy" } }
      |                                    ^^^^^^^
    invalid type: string "heavy", expected a number
      where: job.toml
      way out: correct this line; keys have the names of the options
    "#);
}

/// The hierarchy has the levels 1, the root, to 4, the towns.
#[test]
fn a_level_that_is_none() {
    insta::assert_snapshot!(refused_job("location = { level_weights = { 1 = 1.0 } }"), @r"
    exit code 2
    error: there is no step from level '1' to the one above it
      where: column 'location', level_weights, level 1
      way out: level 1 is the root and level 4 holds the values: weigh 2 to 4
    ");
    insta::assert_snapshot!(refused_job("location = { level_weights = { 9 = 1.0 } }"), @r"
    exit code 2
    error: there is no step from level '9' to the one above it
      where: column 'location', level_weights, level 9
      way out: level 1 is the root and level 4 holds the values: weigh 2 to 4
    ");
    insta::assert_snapshot!(refused_job("location = { level_weights = { x = 1.0 } }"), @r"
    exit code 2
    error: there is no step from level 'x' to the one above it
      where: column 'location', level_weights, level x
      way out: level 1 is the root and level 4 holds the values: weigh 2 to 4
    ");
    insta::assert_snapshot!(refused_job("location = { level_weights = { 2 = 1.0, 02 = 3.0 } }"), @r"
    exit code 2
    error: there is no step from level '02' to the one above it
      where: column 'location', level_weights, level 02
      way out: level 1 is the root and level 4 holds the values: weigh 2 to 4
    ");
}

#[test]
fn level_weights_that_are_no_pairs() {
    insta::assert_snapshot!(refused_job("location = { level_weights = [1, 2, 3] }"), @r"
    exit code 2
    error: the job file cannot be understood: TOML parse error at line 7, column 30
      |
    7 | location = { level_weights = [1, 2, 3] }
      |                              ^^^^^^^^^
    invalid type: sequence, expected pairs in { }
      where: job.toml
      way out: correct this line; keys have the names of the options
    ");
}

#[test]
fn all_levels_for_nothing() {
    insta::assert_snapshot!(refused_job("location = { level_weights = { 2 = 0, 3 = 0.0, 4 = 0 } }"), @r"
    exit code 2
    error: all steps weigh 0: no distance is left to measure
      where: column 'location', level_weights
      way out: give one step a weight above 0, or say weight = 0 for the column
    ");
}

#[test]
fn levels_of_a_column_of_intervals() {
    insta::assert_snapshot!(refused_job("age = { level_weights = { 2 = 1.0 } }"), @r"
    exit code 2
    error: this column becomes intervals: it has no levels to weigh
      where: column 'age', level_weights
      way out: give it a hierarchy, or say weight = … for the column as a whole
    ");
}

#[test]
fn a_threshold_that_is_none() {
    insta::assert_snapshot!(refused("--algorithm kaca --set threshold=-1"), @r"
    exit code 2
    error: kaca: threshold = '-1'
      where: --set threshold
      way out: expected a number of at least 0
    ");
    insta::assert_snapshot!(refused("--algorithm kaca --set threshold=far"), @r"
    exit code 2
    error: kaca: threshold = 'far'
      where: --set threshold
      way out: expected a number of at least 0
    ");
    insta::assert_snapshot!(refused("--algorithm kaca --set threshold=NaN"), @r"
    exit code 2
    error: kaca: threshold = 'NaN'
      where: --set threshold
      way out: expected a number of at least 0
    ");
    insta::assert_snapshot!(refused("--algorithm kaca --set treshold=1"), @r"
    exit code 2
    error: kaca has no setting 'treshold'
      where: --set
      way out: did you mean 'threshold'?
    ");
    insta::assert_snapshot!(refused("--algorithm k-member --set threshold=1"), @r"
    exit code 2
    error: k-member has no setting 'threshold'
      where: --set
      way out: k-member has: first-seed
    ");
}

#[test]
fn a_share_that_is_none() {
    insta::assert_snapshot!(refused("--suppress 5"), @r"
    exit code 2
    error: '5' is not a share of the rows
      where: --suppress
      way out: write a percentage such as 5%, or a fraction between 0 and 1 such as 0.05
    ");
    insta::assert_snapshot!(refused("--suppress 1"), @r"
    exit code 2
    error: '1' is not a share of the rows
      where: --suppress
      way out: write a percentage such as 5%, or a fraction between 0 and 1 such as 0.05
    ");
    insta::assert_snapshot!(refused("--suppress -1%"), @r"
    exit code 2
    error: '-1%' is not a share of the rows
      where: --suppress
      way out: write a percentage such as 5%, or a fraction between 0 and 1 such as 0.05
    ");
    insta::assert_snapshot!(refused("--suppress 101%"), @r"
    exit code 2
    error: '101%' is not a share of the rows
      where: --suppress
      way out: write a percentage such as 5%, or a fraction between 0 and 1 such as 0.05
    ");
    insta::assert_snapshot!(refused("--suppress five"), @r"
    exit code 2
    error: 'five' is not a share of the rows
      where: --suppress
      way out: write a percentage such as 5%, or a fraction between 0 and 1 such as 0.05
    ");
    insta::assert_snapshot!(refused("--suppress -0.1"), @r"
    exit code 2
    error: '-0.1' is not a share of the rows
      where: --suppress
      way out: write a percentage such as 5%, or a fraction between 0 and 1 such as 0.05
    ");
    insta::assert_snapshot!(refused("--suppress NaN"), @r"
    exit code 2
    error: 'NaN' is not a share of the rows
      where: --suppress
      way out: write a percentage such as 5%, or a fraction between 0 and 1 such as 0.05
    ");
}

#[test]
fn an_opt_out_without_a_value() {
    insta::assert_snapshot!(refused("--opt-out consent"), @r"
    exit code 2
    error: 'consent', expected COLUMN=VALUE
      where: --opt-out
      way out: name the column and the value that says a person does not mind, such as consent=public
    ");
    insta::assert_snapshot!(refused("--opt-out consent="), @r"
    exit code 2
    error: 'consent=', expected COLUMN=VALUE
      where: --opt-out
      way out: name the column and the value that says a person does not mind, such as consent=public
    ");
    insta::assert_snapshot!(refused("--opt-out =public"), @r"
    exit code 2
    error: '=public', expected COLUMN=VALUE
      where: --opt-out
      way out: name the column and the value that says a person does not mind, such as consent=public
    ");
}

#[test]
fn an_opt_out_by_an_unknown_column() {
    insta::assert_snapshot!(refused("--opt-out ilness=flu"), @r"
    exit code 2
    error: there is no column 'ilness'
      where: towns.csv, --opt-out
      way out: did you mean 'illness'?
    ");
    insta::assert_snapshot!(refused("--opt-out consent=public"), @r"
    exit code 2
    error: there is no column 'consent'
      where: towns.csv, --opt-out
      way out: the columns are: name, age, location, illness
    ");
}

#[test]
fn an_opt_out_by_a_quasi_identifier() {
    insta::assert_snapshot!(refused("--opt-out age=25"), @r"
    exit code 2
    error: column 'age' is a quasi-identifier: it cannot say who does not mind
      where: --opt-out
      way out: name a column that is not generalized
    ");
    insta::assert_snapshot!(refused("--opt-out location=Seattle"), @r"
    exit code 2
    error: column 'location' is a quasi-identifier: it cannot say who does not mind
      where: --opt-out
      way out: name a column that is not generalized
    ");
}

#[test]
fn a_share_in_a_job_file() {
    for share in ["5", "1", "\"5\"", "\"-1%\"", "\"101%\"", "\"five\"", "-0.1", "nan"] {
        let job =
            format!("k = 2\nqi = [\"age\", \"location\"]\nhierarchies = \"trees\"\nsuppress = {share}\n");
        let message = Desk::with_towns()
            .with("job.toml", job)
            .refused("anonymize towns.csv -o release.csv --job job.toml");
        assert!(message.starts_with("exit code 2\nerror: '"), "{message}");
        assert!(
            message.contains("is not a share of the rows\n  where: --suppress\n  way out: "),
            "{message}"
        );
    }
}

/// What `anonymize` refuses, `verify` refuses beside the original.
#[test]
fn boundaries_for_verify() {
    let desk = Desk::with_towns();
    let line = format!("verify towns.csv --original towns.csv {TOWN_ROLES}");
    insta::assert_snapshot!(desk.refused(&format!("{line} --max-generalization location=Kanzas")), @r"
    exit code 2
    error: the hierarchy has no node 'Kanzas'
      where: column 'location', max_generalization
      way out: did you mean 'Kansas'?
    ");
    insta::assert_snapshot!(desk.refused(&format!("{line} --cuts age=30,20")), @r"
    exit code 2
    error: cut 20 does not come after the one before it
      where: column 'age', cuts
      way out: list the cuts from small to large, each once
    ");
    insta::assert_snapshot!(desk.refused(&format!("{line} --max-width illness=3")), @r"
    exit code 2
    error: column 'illness' is not a quasi-identifier: it is not generalized, and this says nothing about it
      where: column 'illness', max_width
      way out: omit this, or name the column with --qi
    ");
    insta::assert_snapshot!(desk.refused(&format!("{line} --cuts age=42 --snap age=5")), @r"
    exit code 2
    error: cut 42 is not a multiple of the grid of 5
      where: column 'age', cuts
      way out: intervals snapped to the grid would reach across it: move the cut or the grid
    ");
    insta::assert_snapshot!(desk.refused(&format!("{line} --snap age=wide")), @r"
    exit code 2
    error: step 'wide' is not a number, nor one of the calendar such as 1 month
      where: --snap
      way out: give the width of the grid, such as --snap age=5
    ");
}

/// Who opted out stands in a column that the release does not have.
#[test]
fn an_opt_out_by_a_column_the_release_lacks() {
    let table = "age,sex,consent\n30,f,no\n31,f,no\n32,m,public\n";
    let release = "age,sex\n\"[30, 31]\",f\n\"[30, 31]\",f\n32,m\n";
    let desk = Desk::new().with("t.csv", table).with("release.csv", release);
    for line in [
        "verify release.csv --original t.csv --qi age,sex -k 2 --opt-out consent=public",
        "verify release.csv --qi age,sex -k 2 --opt-out consent=public",
    ] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(desk.refused(line), @r"
            exit code 2
            error: there is no column 'consent'
              where: release.csv, --opt-out
              way out: without this column nobody can tell which rows are published as they are: keep it in the release, or check without --opt-out
            ");
        }
    }
    insta::assert_snapshot!(desk.refused("verify release.csv --qi age,sex -k 2 --opt-out consent"), @r"
    exit code 2
    error: 'consent', expected COLUMN=VALUE
      where: --opt-out
      way out: name the column and the value that says a person does not mind, such as consent=public
    ");
}
