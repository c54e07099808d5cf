//! What a job asks of every class.

use crate::demand::{Demands, Model};
use crate::error::{Error, Result};
use crate::input::{JobFile, Scalar};

/// The demands of a job file. Without k there is none on the size of a class. Who only checks a table may ask whether it has
/// more different values than k; who makes one would ask for what k does not say.
pub(super) fn asked(file: &JobFile, must_fit: bool) -> Result<Demands> {
    let protects = file.columns.iter().find(|(_, entry)| entry.protected.is_some());
    if let Some((name, _)) = protects.filter(|_| file.p.unwrap_or(1) < 2) {
        return Err(Error::job(format!(
            "values of '{name}' are protected together, but only -p counts them so"
        ))
        .at("--protected")
        .help("say how many kinds every class must have, such as -p 2, or leave --protected away"));
    }
    let p = file.p.filter(|&p| p > 1).map(|p| Model::PSensitive { p });
    let mut demands = match file.k {
        Some(k) if must_fit => Demands::new(k, file.p)?,
        Some(k) => Vec::from_iter(p).into_iter().fold(Demands::new(k, None)?, Demands::anyway),
        None => Demands::from(Vec::from_iter(p)),
    };
    for model in diversity(file)? {
        demands = if must_fit { demands.and(model)? } else { demands.anyway(model) };
    }
    Ok(demands)
}

/// Everything beyond k and p.
pub(super) fn diversity(file: &JobFile) -> Result<Vec<Model>> {
    let mut out: Vec<Model> =
        file.l_diversity.iter().map(|l| Model::l_diversity(l)).collect::<Result<_>>()?;
    out.extend(file.t_closeness.as_ref().map(Scalar::text).map(|t| Model::t_closeness(&t)).transpose()?);
    out.extend(file.alpha.as_ref().map(Scalar::text).map(|a| Model::alpha(&a)).transpose()?);
    Ok(out)
}
