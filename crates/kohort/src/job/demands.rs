//! What a job asks of every class.

use crate::data::Role;
use crate::demand::{Demand, Demands, Model};
use crate::error::{Error, Place, Result};
use crate::input::{JobSpec, Scalar};

/// The demands of a job file. Without k there is none on the size of a class. Whoever only checks a table may ask whether it
/// has more different values than k; whoever makes one would ask for what k does not say.
pub(super) fn asked(file: &JobSpec, must_fit: bool) -> Result<Demands> {
    let counts_kinds = |name: &str| {
        let own = file.columns.get(name).and_then(|entry| entry.p);
        file.p.into_iter().chain(own).any(|p| p > 1)
    };
    let protects = |name: &String| file.columns[name].protected.is_some() && !counts_kinds(name);
    if let Some(name) = file.columns.keys().find(|name| protects(name)) {
        return Err(Error::job(format!(
            "values of '{name}' are protected together, but only ‹p› counts them so"
        ))
        .option("protected")
        .help("say how many kinds every class must have, such as ‹p=2›, or omit ‹protected›"));
    }
    let p = file.p.filter(|&p| p > 1).map(|p| Model::PSensitive { p });
    let mut demands = match file.k {
        Some(k) if must_fit => Demands::new(k, file.p)?,
        Some(k) => Vec::from_iter(p).into_iter().fold(Demands::new(k, None)?, Demands::anyway),
        None => Demands::from(Vec::from_iter(p)),
    };
    for demand in diversity(file)?.into_iter().flat_map(|demand| by_own_distance(file, demand)) {
        demands = if must_fit { demands.and(demand)? } else { demands.anyway(demand) };
    }
    Ok(demands)
}

/// t-closeness as it is measured: a column with a distance of its own is not measured by that of the demand. Where columns
/// differ, each has a demand of its own.
fn by_own_distance(file: &JobSpec, demand: Demand) -> Vec<Demand> {
    let Model::TCloseness { t, ground } = demand.model else { return vec![demand] };
    // Where both name a distance they must agree, which is checked when the column is read.
    let own = |column: &str| file.columns.get(column).filter(|_| !names_distance(file, column))?.closeness;
    let measured = |column: &str| own(column).unwrap_or(ground);
    let of_column = |column: &str| Demand {
        model: Model::TCloseness { t, ground: measured(column) },
        column: Some(column.to_owned()),
    };
    if let Some(column) = &demand.column {
        return vec![of_column(column)];
    }
    let by_entry = file.columns.iter().filter(|(_, c)| c.role == Some(Role::Sensitive));
    let by_entry = by_entry.map(|(name, _)| name).filter(|name| !file.sensitive.contains(name));
    let sensitive: Vec<&String> = file.sensitive.iter().chain(by_entry).collect();
    if sensitive.iter().all(|column| measured(column) == ground) {
        return vec![demand];
    }
    sensitive.into_iter().map(|column| of_column(column)).collect()
}

/// Everything beyond k and the p of all columns.
pub(super) fn diversity(file: &JobSpec) -> Result<Vec<Demand>> {
    let mut out = Vec::new();
    let everywhere = [
        ("l-diversity", &file.l_diversity),
        ("t-closeness", &file.t_closeness),
        ("alpha", &file.alpha),
        ("beta-likeness", &file.beta_likeness),
        ("delta-disclosure", &file.delta_disclosure),
    ];
    for (option, texts) in everywhere {
        for text in texts.iter().map(Scalar::text) {
            out.push(Demand::read(option, &text)?);
        }
    }
    for (name, entry) in &file.columns {
        // A p of 1 asks for nothing, here as for all columns.
        let p = entry.p.filter(|&p| p != 1).map(|p| Scalar::Text(p.to_string()));
        let own = [
            ("p", &p.into_iter().collect()),
            ("l-diversity", &entry.l_diversity),
            ("t-closeness", &entry.t_closeness),
            ("alpha", &entry.alpha),
            ("beta-likeness", &entry.beta_likeness),
            ("delta-disclosure", &entry.delta_disclosure),
        ];
        for (option, texts) in own {
            for text in texts.iter().map(Scalar::text) {
                let place = || Place::default().in_column(name).key(option);
                let model = Model::read(option, &text).map_err(|e| e.at(place()))?;
                out.push(Demand { model, column: Some(name.clone()) });
            }
        }
    }
    Ok(out)
}

/// Whether the job names the distance by which t-closeness is to measure a column, and does not leave it to the default.
pub(super) fn names_distance(file: &JobSpec, column: &str) -> bool {
    let own = file.columns.get(column).map(|entry| &entry.t_closeness);
    let everywhere = file.t_closeness.iter().map(Scalar::text).filter(|text| match text.split_once('@') {
        Some((_, named)) => named.trim() == column,
        None => true,
    });
    let mut texts = everywhere.chain(own.into_iter().flatten().map(Scalar::text));
    texts.any(|text| text.split('@').next().is_some_and(|numbers| numbers.contains(':')))
}
