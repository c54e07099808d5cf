//! `kohort risk`: what do several releases of the same people give away together?

use std::fmt::Write as _;
use std::path::PathBuf;

use comfy_table::{CellAlignment, Table, presets};
use kohort::data::Suppressed;
use kohort::input::JobSpec;
use kohort::job::RiskQuestion;
use kohort::job::files::FileRiskJob;
use kohort::risk::{Attack, Isolated, RiskFound, RowsOf};
use kohort::{Error, Result};
use serde_json::Value;

use super::job_flags::{JobFlags, suppressed};
use super::offered::offered;
use crate::exit::ExitCode;
use crate::speech::CommandLine;
use crate::terminal::{Spectator, say, tell};

/// What `kohort risk` can be asked.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The releases that somebody could have, of any tool, the earliest first
    #[arg(long, value_name = "RELEASE", num_args = 1.., required = true)]
    releases: Vec<PathBuf>,
    /// What is known of a person who is in all of them: which rows could be hers? Repeat it for several columns, or list them
    #[arg(long, value_name = "COLUMN=VALUE", value_delimiter = ',')]
    known: Vec<String>,
    /// People may have left between two releases: then only what does not suppose the contrary counts for the exit code
    #[arg(long)]
    may_leave: bool,
    #[command(flatten)]
    flags: JobFlags,
    /// What became of suppressed rows: with star, rows that show nothing in any column are suppressed ones; with drop,
    /// they are members of a class
    #[arg(long, value_name = "drop|star", value_parser = offered(&["drop", "star"], suppressed), hide_possible_values = true, help_heading = "Columns")]
    suppressed: Option<Suppressed>,
    /// Print one JSON object instead of the summary
    #[arg(long, help_heading = "Running")]
    json: bool,
    /// Print nothing; the exit code tells
    #[arg(long, help_heading = "Running")]
    quiet: bool,
}

/// Attacks the releases; exit code 1 when a set of too few people, or with too few values, is found.
pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let spec = args.flags.merged(JobSpec { suppressed: args.suppressed, ..JobSpec::default() })?;
    let known = args.known.iter().map(|text| known(text)).collect::<Result<_>>()?;
    let question = RiskQuestion { known, may_leave: args.may_leave };
    let job = FileRiskJob::new(&spec, args.releases, question)?;
    let spectator = Spectator::new(args.quiet);
    let found = job.run(&spectator);
    spectator.finish();
    let found = found?;
    if args.json {
        let text = serde_json::to_string_pretty(&as_json(&found));
        say(&format!("{}\n", text.map_err(|e| Error::internal(e.to_string()))?))?;
    } else if !args.quiet {
        say(&for_people(&found))?;
        for left_out in &found.not_tried {
            tell(&format!("not tried: {}\n", left_out.spoken_by(&CommandLine)));
        }
        tell(NEVER_TRIED);
    }
    Ok(ExitCode::from(u8::from(!found.is_met())))
}

/// Splits `COLUMN=VALUE` at the first `=`. What is known of somebody is not repeated in the message.
fn known(text: &str) -> Result<(String, String)> {
    let parts = text.split_once('=').map(|(name, value)| (name.trim().to_owned(), value.to_owned()));
    parts.ok_or_else(|| {
        Error::job("what is known of a person is not written as COLUMN=VALUE")
            .at("--known")
            .help("write --known age=34,zip=41075; a value with a comma cannot be given")
    })
}

/// What no run tries.
const NEVER_TRIED: &str = "not tried: three or more releases at once; tables that are not releases; what is known of people besides, such as who left when\n";

fn for_people(found: &RiskFound) -> String {
    let mut text = format!("{}\n\n", releases(found));
    if !found.known.is_empty() {
        let known: Vec<String> =
            found.known.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let _ = writeln!(text, "Known of a person who is in all of them: {}\n", known.join(", "));
    }
    let _ = writeln!(text, "Sets of fewer than {} people, or with too few values:\n", found.k);
    text += &attacks(found);
    match (&found.smallest, &found.perhaps) {
        (None, None) => text += "\nNo such set was found.\n",
        (None, Some(perhaps)) => {
            text += "\nNo such set is certain, as people may have left. If nobody had:\n";
            text += &example(found, perhaps);
        }
        (Some(smallest), _) => {
            let _ = writeln!(text, "\nThe smallest: {}", people(smallest.people));
            text += &example(found, smallest);
        }
    }
    text
}

fn releases(found: &RiskFound) -> String {
    let mut table = plain_table(["release", "rows", "classes", "smallest class"]);
    for release in &found.releases {
        let numbers = [release.rows, release.classes, release.smallest_class];
        table.add_row(std::iter::once(release.name.clone()).chain(numbers.map(|n| n.to_string())));
    }
    right(table)
}

fn attacks(found: &RiskFound) -> String {
    let mut table = plain_table(["", "looked at", "found", "fewest people"]);
    for (attack, counted) in &found.by_attack {
        let fewest = if counted.found > 0 { counted.fewest_people.to_string() } else { String::new() };
        let row = [attack.about().to_owned(), counted.tried.to_string(), counted.found.to_string(), fewest];
        table.add_row(row);
    }
    format!("{}\n", right(table))
}

fn plain_table(header: [&str; 4]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(header);
    table
}

fn right(mut table: Table) -> String {
    for column in 1..4 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}

/// One set, so that anybody can follow with the files at hand. Rows are counted from 1 below the header.
fn example(found: &RiskFound, set: &Isolated) -> String {
    let rows = |of: &RowsOf| rows(found, of);
    let people = number_of(set);
    let how = match (set.attack, &set.taken_away, set.among.as_slice()) {
        (Attack::OneRelease, _, [among, ..]) => format!("{} look like no others: {people}.", rows(among)),
        (Attack::Difference | Attack::KeptClasses, Some(others), [among, ..]) => {
            format!("Take the people of {} away from those of {}: {people} left.", rows(others), rows(among))
        }
        (Attack::Difference | Attack::KeptClasses, None, [among, ..]) => {
            let whose = found.releases.get(among.release).map_or("", |release| &release.name);
            format!("{}: {people} in {whose} alone.", rows(among))
        }
        (Attack::Intersection, _, [earlier, later, ..]) => {
            format!("In {} and in {} as well: {people}.", rows(earlier), rows(later))
        }
        (_, _, among) => {
            let all: Vec<String> = among.iter().map(rows).collect();
            format!("{} could be hers: {people}.", all.join(" and "))
        }
    };
    let mut text = format!("  {how}\n");
    if let Some(short) = set.shortage {
        let _ = writeln!(
            text,
            "  They have at most {} different values of '{}', and should have {}.",
            short.values,
            sensitive(found, short.column),
            short.wanted
        );
    }
    if let Some(supposed) = set.attack.supposes() {
        let _ = writeln!(text, "  This supposes that {supposed}.");
    }
    text + "  Rows are counted from 1, without the header.\n"
}

fn number_of(set: &Isolated) -> String {
    if set.at_least == set.people {
        people(set.people)
    } else {
        format!("at least {} and at most {}", set.at_least, people(set.people))
    }
}

fn people(n: u64) -> String {
    format!("{n} {}", if n == 1 { "person" } else { "people" })
}

fn rows(found: &RiskFound, of: &RowsOf) -> String {
    let name = found.releases.get(of.release).map_or("", |release| &release.name);
    let listed: Vec<String> = of.rows.iter().map(ToString::to_string).collect();
    let more = of.count - of.rows.len() as u64;
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{} {}{more} of {name}", if of.count == 1 { "row" } else { "rows" }, listed.join(", "))
}

fn as_json(found: &RiskFound) -> Value {
    let mut object = found.as_json(&CommandLine);
    let never = NEVER_TRIED.trim_start_matches("not tried: ").trim_end();
    if let Some(left_out) = object["not_tried"].as_array_mut() {
        left_out.push(never.into());
    }
    object
}

/// The name of a sensitive column.
fn sensitive(found: &RiskFound, at: usize) -> &str {
    found.sensitive.get(at).map_or("?", String::as_str)
}
