//! `kohort list`: what there is to choose from.

use std::process::ExitCode;

use comfy_table::{ContentArrangement, Table, presets};
use kohort::Result;
use kohort::algorithm::ALGORITHMS;
use kohort::demand::{MODELS, ModelEntry, Notion};
use kohort::error::{Said, Speech};
use kohort::generate::GENERATORS;
use kohort::measure::MEASURES;
use serde_json::json;

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
    say(&if args.json { format!("{:#}\n", as_json()) } else { lists() })?;
    Ok(ExitCode::SUCCESS)
}

fn lists() -> String {
    let auto = (
        "auto".to_owned(),
        "agglomerative, in blocks where there are many rows; others besides where diversity is hard to meet, and whichever loses least".to_owned(),
    );
    let algorithms = ALGORITHMS
        .iter()
        .map(|e| (e.name.to_owned(), format!("{} ({}; {})", e.about, e.complexity, e.source)));
    let mut text = section("Algorithms  --algorithm NAME", std::iter::once(auto).chain(algorithms));
    let settings = ALGORITHMS.iter().flat_map(|e| {
        e.settings
            .iter()
            .map(move |s| (format!("{} {}={}", e.name, s.name, s.accepts.shown()), s.about.to_owned()))
    });
    text += &section("Settings  --set NAME=VALUE (first value is the default)", settings);
    text +=
        &section("Models", MODELS.iter().map(|m| (flag(m), format!("{}: {}", m.name, spoken(&m.about())))));
    text += &section(
        "Notions  --notion NAME: what hiding among k means",
        Notion::all().map(|n| (n.name().to_owned(), n.about().to_owned())),
    );
    text += &section(
        "Measures  --measure NAME",
        MEASURES.iter().map(|m| (m.name.to_owned(), spoken(&m.about()))),
    );
    let made_up = GENERATORS.iter().map(|g| (g.name.to_owned(), g.about.to_owned()));
    text + &section("Made-up tables  kohort generate NAME", made_up)
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

fn as_json() -> serde_json::Value {
    json!({
        "algorithms": ALGORITHMS.iter().map(|e| json!({
            "name": e.name, "about": e.about, "source": e.source, "complexity": e.complexity,
            "settings": e.settings.iter().map(|s| json!({"name": s.name, "values": s.accepts.words(), "about": s.about})).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "models": MODELS.iter().map(|m| json!({"name": m.name, "flag": flag(m), "about": spoken(&m.about())})).collect::<Vec<_>>(),
        "notions": Notion::all().map(|n| json!({"name": n.name(), "about": n.about()})).collect::<Vec<_>>(),
        "measures": MEASURES.iter().map(|m| json!({"name": m.name, "about": spoken(&m.about())})).collect::<Vec<_>>(),
        "generators": GENERATORS.iter().map(|g| json!({"name": g.name, "about": g.about})).collect::<Vec<_>>(),
    })
}
