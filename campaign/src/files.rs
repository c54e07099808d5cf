//! A job as files: the table, the hierarchies, and `job.toml`, which `kohort anonymize --job` understands.

use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use arrow::array::{
    ArrayRef, BooleanArray, Date32Array, Float64Array, Int64Array, LargeStringArray, RecordBatch,
    StringArray, TimestampMillisecondArray,
};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Schema};

use crate::case::{
    Case, Column, Demand, Format, Ground, Intervals, Kind, Missing, Notion, Role, Snap, Stored,
};
use crate::checker::domain::{day, instant};

/// Where the files of a job are.
#[derive(Debug, Clone)]
pub struct Places {
    /// The table.
    pub input: PathBuf,
    /// The release.
    pub output: PathBuf,
    /// The job file.
    pub job: PathBuf,
}

/// Writes everything a job needs into a folder.
pub fn write(case: &Case, folder: &Path) -> Result<Places> {
    let input = folder.join(format!("people.{}", case.input.ending()));
    let output = folder.join(format!("release.{}", case.output.ending()));
    write_table(case, &input)?;
    for (at, column) in case.columns.iter().enumerate() {
        if let Some(paths) = &column.paths {
            let mut text = String::new();
            for path in paths {
                let _ = writeln!(text, "{}", path.join(";"));
            }
            std::fs::write(folder.join(tree_name(at)), text)?;
        }
    }
    let job = folder.join("job.toml");
    std::fs::write(&job, toml(case))?;
    Ok(Places { input, output, job })
}

fn tree_name(column: usize) -> String {
    format!("tree{column}.csv")
}

fn write_table(case: &Case, path: &Path) -> Result<()> {
    let separator = match case.input {
        Format::Csv => b',',
        Format::Semicolons => b';',
        Format::Tsv => b'\t',
        Format::Parquet | Format::Arrow => return write_typed(case, path),
    };
    let names: Vec<&str> = case.columns.iter().map(|c| c.name.as_str()).collect();
    let columns: Vec<&Vec<Option<String>>> = case.columns.iter().map(|c| &c.cells).collect();
    write_texts(&names, &columns, separator, path)
}

/// Writes texts with a separator.
pub fn write_texts(
    names: &[&str],
    columns: &[&Vec<Option<String>>],
    separator: u8,
    path: &Path,
) -> Result<()> {
    let mut writer = csv::WriterBuilder::new().delimiter(separator).from_path(path)?;
    writer.write_record(names)?;
    for row in 0..columns.first().map_or(0, |c| c.len()) {
        writer.write_record(columns.iter().map(|c| c[row].as_deref().unwrap_or("")))?;
    }
    Ok(writer.flush()?)
}

fn write_typed(case: &Case, path: &Path) -> Result<()> {
    let arrays: Vec<ArrayRef> = case.columns.iter().map(array).collect::<Result<_>>()?;
    let field = |(c, a): (&Column, &ArrayRef)| Field::new(&c.name, a.data_type().clone(), true);
    let schema = Arc::new(Schema::new(case.columns.iter().zip(&arrays).map(field).collect::<Vec<_>>()));
    let batch = RecordBatch::try_new(schema.clone(), arrays)?;
    if case.input == Format::Arrow {
        let mut writer = arrow::ipc::writer::FileWriter::try_new(File::create(path)?, &schema)?;
        // Several batches, where there is more than one row.
        let half = batch.num_rows() / 2;
        writer.write(&batch.slice(0, half))?;
        writer.write(&batch.slice(half, batch.num_rows() - half))?;
        return Ok(writer.finish()?);
    }
    let mut writer = parquet::arrow::ArrowWriter::try_new(File::create(path)?, schema, None)?;
    writer.write(&batch)?;
    writer.close()?;
    Ok(())
}

/// The column in its type, or as text where its values are of another.
fn array(column: &Column) -> Result<ArrayRef> {
    let cells = || column.cells.iter().map(Option::as_deref);
    let all = |fits: &dyn Fn(&str) -> bool| cells().flatten().all(|text| fits(text.trim()));
    let text = || -> ArrayRef { Arc::new(cells().collect::<StringArray>()) };
    Ok(match column.stored {
        Stored::Whole if all(&|t| t.parse::<i64>().is_ok()) => {
            Arc::new(cells().map(|c| c.and_then(|t| t.trim().parse().ok())).collect::<Int64Array>())
        }
        Stored::Float if all(&|t| t.parse::<f64>().is_ok()) => {
            Arc::new(cells().map(|c| c.and_then(|t| t.trim().parse().ok())).collect::<Float64Array>())
        }
        Stored::Day if all(&|t| day(t).is_some()) => {
            Arc::new(cells().map(|c| c.and_then(day).map(|d| d as i32)).collect::<Date32Array>())
        }
        Stored::Instant if all(&|t| instant(t).is_some()) => {
            let millis = cells().map(|c| c.and_then(instant).map(|micros| (micros / 1000.0) as i64));
            Arc::new(millis.collect::<TimestampMillisecondArray>())
        }
        Stored::Truth if all(&|t| t.parse::<bool>().is_ok()) => {
            Arc::new(cells().map(|c| c.and_then(|t| t.parse().ok())).collect::<BooleanArray>())
        }
        Stored::LargeText => Arc::new(cells().collect::<LargeStringArray>()),
        Stored::Dictionary => {
            let kind = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
            cast(&text(), &kind)?
        }
        _ => text(),
    })
}

/// A text in quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn list(texts: &[String]) -> String {
    format!("[{}]", texts.iter().map(|t| quoted(t)).collect::<Vec<_>>().join(", "))
}

fn missing(missing: Missing) -> &'static str {
    match missing {
        Missing::Value => "\"value\"",
        Missing::Refuse => "\"refuse\"",
        Missing::Suppress => "\"suppress\"",
    }
}

fn ground(ground: Ground) -> &'static str {
    match ground {
        Ground::Equal => "equal",
        Ground::Ordered => "ordered",
        Ground::Hierarchical => "hierarchical",
    }
}

/// The name of a notion.
pub fn notion(notion: Notion) -> &'static str {
    match notion {
        Notion::K => "k",
        Notion::OneK => "1k",
        Notion::K1 => "k1",
        Notion::Kk => "kk",
        Notion::Global => "global-1k",
    }
}

/// The option of a demand, and what is said there.
fn demand(demand: &Demand) -> (&'static str, String) {
    match *demand {
        Demand::P(p) => ("p", p.to_string()),
        Demand::Distinct(l) => ("l-diversity", format!("distinct:{l}")),
        Demand::Entropy(l) => ("l-diversity", format!("entropy:{l}")),
        Demand::Recursive(c, l) => ("l-diversity", format!("recursive:{c},{l}")),
        Demand::Alpha(alpha) => ("alpha", format!("{alpha:?}")),
        Demand::Close(t, None) => ("t-closeness", format!("{t:?}")),
        Demand::Close(t, Some(g)) => ("t-closeness", format!("{t}:{}", ground(g))),
        Demand::Likeness(beta) => ("beta-likeness", format!("{beta:?}")),
        Demand::Disclosure(delta) => ("delta-disclosure", format!("{delta:?}")),
    }
}

/// One is said by itself, numbers as such; several in a list.
fn one_or_more(texts: &[String]) -> Option<String> {
    match texts {
        [] => None,
        [one] if one.parse::<f64>().is_ok() => Some(one.clone()),
        [one] => Some(quoted(one)),
        several => Some(list(several)),
    }
}

/// The job file.
pub fn toml(case: &Case) -> String {
    let a = &case.asked;
    let mut out: Vec<String> = Vec::new();
    let mut say = |key: &str, value: Option<String>| out.extend(value.map(|v| format!("{key} = {v}")));
    say("input", Some(format!("\"people.{}\"", case.input.ending())));
    say("output", Some(format!("\"release.{}\"", case.output.ending())));
    say("k", Some(a.k.to_string()));
    say("p", a.p.map(|p| p.to_string()));
    for key in ["l-diversity", "t-closeness", "alpha", "beta-likeness", "delta-disclosure"] {
        let of_all = a.demands.iter().map(demand).filter(|(k, _)| *k == key).map(|(_, text)| text);
        let of_one = case.columns.iter().filter(|c| c.named).flat_map(|c| {
            let own = c.demands.iter().map(demand).filter(|(k, _)| *k == key);
            own.map(|(_, text)| format!("{text}@{}", c.name))
        });
        say(key, one_or_more(&of_all.chain(of_one).collect::<Vec<_>>()));
    }
    say("notion", (a.notion != Notion::K).then(|| quoted(notion(a.notion))));
    say("algorithm", Some(quoted(&a.algorithm)));
    say("measure", a.measure.as_deref().map(quoted));
    say("beta", a.beta.map(|x| format!("{x:?}")));
    say("seed", Some(a.seed.to_string()));
    say("block-rows", a.block_rows.map(|n| n.to_string()));
    say("time-limit", a.hurried.then(|| "\"0s\"".to_owned()));
    say("keep-order", a.keep_order.then(|| "true".to_owned()));
    say("suppressed", a.star.map(|star| if star { "\"star\"" } else { "\"drop\"" }.to_owned()));
    let intervals = match a.intervals {
        Intervals::Text => None,
        Intervals::Bounds => Some("\"bounds\"".to_owned()),
        Intervals::Midpoint => Some("\"midpoint\"".to_owned()),
    };
    say("intervals", intervals);
    say("missing", a.missing.map(|m| missing(m).to_owned()));
    say("missing-sensitive", a.count_missing.then(|| quoted("count")));
    say("suppress", a.suppress.map(|s| if s < 1.0 { format!("{s:?}") } else { "\"100%\"".to_owned() }));
    say("opt-out", a.opt_out.as_ref().map(|(c, v)| quoted(&format!("{c}={v}"))));
    let pair = |(name, value): &(String, String)| format!("{} = {}", quoted(name), quoted(value));
    let settings = a.settings.iter().map(pair).collect::<Vec<_>>().join(", ");
    say("settings", (!settings.is_empty()).then(|| format!("{{ {settings} }}")));
    let levels: Vec<String> = a.levels.iter().map(|(n, l)| format!("{} = {l}", quoted(n))).collect();
    say("levels", (!levels.is_empty()).then(|| format!("{{ {} }}", levels.join(", "))));
    out.push("[columns]".to_owned());
    out.extend(
        case.columns.iter().enumerate().map(|(at, c)| format!("{} = {}", quoted(&c.name), entry(at, c))),
    );
    out.join("\n") + "\n"
}

fn entry(at: usize, c: &Column) -> String {
    let role = match c.role {
        Role::Identifier => "identifier",
        Role::Person => "person",
        Role::Quasi => "quasi-identifier",
        Role::Sensitive => "sensitive",
        Role::Kept => "keep",
    };
    let kind = |kind: Kind| match kind {
        Kind::Integer => "\"integer\"".to_owned(),
        Kind::Decimal => "\"decimal\"".to_owned(),
        Kind::Date => "\"date\"".to_owned(),
        Kind::Timestamp => "\"timestamp\"".to_owned(),
        Kind::Category => "\"category\"".to_owned(),
    };
    let some = |texts: &Vec<String>| (!texts.is_empty()).then(|| list(texts));
    let weights: Vec<String> = c.level_weights.iter().map(|(l, w)| format!("{l} = {w:?}")).collect();
    // There is no other place for the p of a column.
    let own = |key: &str| {
        let here = c.demands.iter().map(demand).filter(|(k, _)| *k == key && (!c.named || key == "p"));
        here.map(|(_, text)| text).collect::<Vec<_>>()
    };
    let said = [
        ("role", Some(quoted(role))),
        ("type", c.kind.map(kind)),
        ("hierarchy", c.paths.as_ref().map(|_| quoted(&tree_name(at)))),
        ("weight", c.weight.map(|w| format!("{w:?}"))),
        ("level_weights", (!weights.is_empty()).then(|| format!("{{ {} }}", weights.join(", ")))),
        ("snap", c.snap.map(Snap::text)),
        ("missing", c.missing.map(|m| missing(m).to_owned())),
        ("max_generalization", some(&c.max_generalization)),
        ("max_width", c.max_width.map(|w| format!("{w:?}"))),
        ("cuts", some(&c.cuts)),
        ("protected", some(&c.protected)),
        ("closeness", c.closeness.map(|g| quoted(ground(g)))),
        ("p", own("p").pop()),
        ("l_diversity", one_or_more(&own("l-diversity"))),
        ("t-closeness", one_or_more(&own("t-closeness"))),
        ("alpha", one_or_more(&own("alpha"))),
        ("beta_likeness", one_or_more(&own("beta-likeness"))),
        ("delta-disclosure", one_or_more(&own("delta-disclosure"))),
    ];
    let said = said.into_iter().filter_map(|(key, value)| value.map(|v| format!("{key} = {v}")));
    format!("{{ {} }}", said.collect::<Vec<_>>().join(", "))
}
