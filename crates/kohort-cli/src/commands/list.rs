//! `kohort list`: what there is to choose from.

use comfy_table::{ContentArrangement, Table, presets};
use kohort::catalog::{CATALOG, Catalog};
use kohort::demand::ModelEntry;
use kohort::error::{Said, Speech};
use kohort::parameter::Parameter;
use kohort::{Error, Result};

use crate::exit::ExitCode;
use crate::speech::CommandLine;
use crate::terminal::say;

/// What `kohort list` can be asked.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Prints every list the library has.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    say(&if args.json { as_json()? } else { lists(&CATALOG) })?;
    Ok(ExitCode::SUCCESS)
}

fn lists(all: &Catalog) -> String {
    let auto = (all.auto.name.to_owned(), all.auto.about.to_owned());
    let algorithms = all
        .algorithms
        .iter()
        .map(|e| (e.name.to_owned(), format!("{} ({}; {})", e.about, e.complexity, e.source)));
    let mut text = section("Algorithms  --algorithm NAME", std::iter::once(auto).chain(algorithms));
    let settings = all.algorithms.iter().flat_map(|e| e.settings.iter().map(move |s| setting(e.name, s)));
    text += &section("Settings  --set NAME=VALUE", settings);
    let rules = all
        .insertion_rules
        .iter()
        .map(|r| (r.name.to_owned(), format!("{} ({}; {})", r.about, r.complexity, r.source)));
    text += &section("Rules by which single rows join classes, in a table that nobody has seen", rules);
    let models = all.models.iter().map(|m| (flag(m), format!("{}: {}", m.title, spoken(&m.about()))));
    text += &section("Models", models);
    let notions = all.notions.iter().map(|n| (n.notion.name().to_owned(), n.about.to_owned()));
    text += &section("Notions  --notion NAME: what hiding among k means", notions);
    let measures = all.measures.iter().map(|m| (m.name.to_owned(), spoken(&m.about())));
    text += &section("Measures  --measure NAME", measures);
    let made_up = all.generators.iter().map(|g| (g.name.to_owned(), g.about.to_owned()));
    text + &section("Made-up tables  kohort generate NAME", made_up)
}

/// What is set, and what it is where nothing is said.
fn setting(algorithm: &str, setting: &Parameter) -> (String, String) {
    let default = setting.accepts.default().map_or_else(String::new, |word| format!(" [default: {word}]"));
    let form = format!("{algorithm} {}={}", setting.name, setting.accepts.shown());
    (form, format!("{}{default}", setting.about))
}

/// How a model is asked for.
fn flag(model: &ModelEntry) -> String {
    CommandLine.option(model.option, Some(model.form))
}

fn spoken(about: &Said) -> String {
    about.spoken_by(&CommandLine)
}

fn section(title: &str, rows: impl Iterator<Item = (String, String)>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    for (name, about) in rows {
        table.add_row(vec![format!("  {name}"), about]);
    }
    format!("{title}\n{}\n\n", table.trim_fmt())
}

/// The library's lists; each model with the flag that asks for it.
fn as_json() -> Result<String> {
    let wrong = |e: serde_json::Error| Error::internal(format!("the lists cannot be written as JSON: {e}"));
    let mut listed = serde_json::to_value(&CATALOG).map_err(wrong)?;
    for (model, entry) in CATALOG.models.iter().enumerate() {
        listed["models"][model]["flag"] = flag(entry).into();
    }
    Ok(format!("{listed:#}\n"))
}
