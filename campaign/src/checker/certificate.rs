//! What can be said about a certificate without the library.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::Violation;
use crate::case::{Case, Demand, Notion, Role};

/// A certificate must name the release it belongs to by its digest, and everything that was asked.
pub fn check_certificate(certificate: &Value, release: &Path, job: &Case) -> Result<Option<Violation>> {
    let digest = Sha256::digest(std::fs::read(release)?).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    let said = ["/files/release_sha256", "/release/sha256"].iter().find_map(|at| certificate.pointer(at));
    if said.and_then(Value::as_str) != Some(&digest) {
        let what = format!("says {said:?}, the release has {digest}");
        return Ok(Some(Violation::new("certificate", what)));
    }
    let people: Vec<&str> = job.of(Role::Person).map(|c| c.name.as_str()).collect();
    if certificate.pointer("/asked/people") != Some(&json!(people)) {
        return Ok(Some(Violation::new("certificate", format!("does not say that {people:?} are people"))));
    }
    Ok(forgotten(certificate, job).map(|what| Violation::new("certificate", what)))
}

/// A demand that the certificate does not list, or not of the columns it was asked of.
fn forgotten(certificate: &Value, job: &Case) -> Option<String> {
    let listed = certificate.pointer("/asked/models").and_then(Value::as_array)?;
    let of_all = job.asked.demands.iter().map(|d| (*d, None));
    let of_one = job.of(Role::Sensitive).flat_map(|c| c.demands.iter().map(|d| (*d, Some(c.name.as_str()))));
    let asks = |(demand, _): &(Demand, Option<&str>)| *demand != Demand::P(1);
    let beyond_k = of_all.chain(of_one).filter(asks).map(|(demand, column)| expected(demand, column));
    // Under another notion k has another name.
    let k = (job.asked.notion == Notion::K).then(|| json!({ "model": "k-anonymity", "k": job.asked.k }));
    let mut all = k.into_iter().chain(beyond_k);
    let is_listed = |wanted: &Value| {
        let has = |model: &Value| {
            let keys = wanted.as_object().into_iter().flatten();
            keys.into_iter().all(|(key, value)| model.get(key).unwrap_or(&Value::Null) == value)
        };
        listed.iter().any(has)
    };
    // What was asked of all columns may be listed of each.
    let of_each = |wanted: &Value| {
        let of = |name: &str| {
            let mut wanted = wanted.clone();
            wanted["column"] = name.into();
            wanted
        };
        wanted.get("column").is_some_and(Value::is_null)
            && job.of(Role::Sensitive).all(|c| is_listed(&of(&c.name)))
    };
    all.find(|wanted| !is_listed(wanted) && !of_each(wanted))
        .map(|wanted| format!("{wanted} was asked and is not listed"))
}

fn expected(demand: Demand, column: Option<&str>) -> Value {
    match demand {
        Demand::P(p) => json!({ "model": "p-sensitive", "p": p, "column": column }),
        Demand::Distinct(l) => json!({ "model": "distinct-l", "l": l, "column": column }),
        Demand::Entropy(l) => json!({ "model": "entropy-l", "l": l, "column": column }),
        Demand::Recursive(c, l) => json!({ "model": "recursive-l", "c": c, "l": l, "column": column }),
        Demand::Alpha(alpha) => json!({ "model": "alpha-k", "alpha": alpha, "column": column }),
        Demand::Close(t, _) => json!({ "model": "t-closeness", "t": t, "column": column }),
        Demand::Likeness(beta) => json!({ "model": "beta-likeness", "beta": beta, "column": column }),
        Demand::Disclosure(delta) => json!({ "model": "delta-disclosure", "delta": delta, "column": column }),
    }
}
