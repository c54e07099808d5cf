//! Demands as they are written: `distinct:3`, `recursive:2,3`, `0.2:ordered`. Refuses what protects nobody.

use super::Model;
use crate::data::Ground;
use crate::error::{Error, Result};

impl Model {
    /// Reads `distinct:3`, `entropy:2.5` or `recursive:2,3`.
    pub fn l_diversity(text: &str) -> Result<Self> {
        let wrong = |what: String| {
            Error::job(what)
                .at("--l-diversity")
                .help("write distinct:3, entropy:2.5 or recursive:2,3 (c, then l)")
        };
        let unclear = || wrong(format!("'{text}' is no l-diversity"));
        let (name, numbers) = text.trim().split_once(':').ok_or_else(unclear)?;
        let least = |l: f64| {
            let fits = l.is_finite() && l >= 1.0;
            fits.then_some(l).ok_or_else(|| wrong(format!("l = {l}, expected at least 1")))
        };
        let whole = |text: &str| {
            let l: u32 = text
                .trim()
                .parse()
                .map_err(|_| wrong(format!("l = '{}' is no whole number", text.trim())))?;
            least(f64::from(l)).map(|_| l)
        };
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_| unclear());
        match name.trim() {
            "distinct" => Ok(Self::DistinctL { l: whole(numbers)? }),
            "entropy" => Ok(Self::EntropyL { l: least(number(numbers)?)? }),
            "recursive" => {
                let (c, l) = numbers.split_once(',').ok_or_else(unclear)?;
                let c = number(c)?;
                if !(c.is_finite() && c > 0.0) {
                    return Err(wrong(format!("c = {c}, expected a number above 0")));
                }
                Ok(Self::RecursiveL { c, l: whole(l)? })
            }
            _ => Err(unclear()),
        }
    }

    /// Reads `0.2`, `0.2:equal`, `0.2:ordered` or `0.2:hierarchical`.
    pub fn t_closeness(text: &str) -> Result<Self> {
        let wrong = |what: String| {
            Error::job(what)
                .at("--t-closeness")
                .help("write a number between 0 and 1, and how far values are apart: 0.2, 0.2:ordered or 0.2:hierarchical")
        };
        let (number, ground) = text.trim().split_once(':').unwrap_or((text.trim(), "equal"));
        let ground = [Ground::Equal, Ground::Ordered, Ground::Hierarchical]
            .into_iter()
            .find(|g| g.name() == ground.trim())
            .ok_or_else(|| wrong(format!("there is no distance '{}'", ground.trim())))?;
        let t = number
            .trim()
            .parse::<f64>()
            .map_err(|_| wrong(format!("t = '{}' is no number", number.trim())))?;
        if (0.0..1.0).contains(&t) {
            Ok(Self::TCloseness { t, ground })
        } else {
            Err(wrong(format!("t = {t}, expected at least 0 and less than 1")))
        }
    }

    /// The largest share a sensitive value may have of a class: `0.5` or `50%`.
    pub fn alpha(text: &str) -> Result<Self> {
        let share = match text.trim().strip_suffix('%') {
            Some(percent) => percent.trim_end().parse::<f64>().map(|p| p / 100.0),
            None => text.trim().parse::<f64>(),
        };
        match share {
            Ok(alpha) if alpha > 0.0 && alpha < 1.0 => Ok(Self::AlphaK { alpha }),
            _ => Err(Error::job(format!("alpha = '{text}', expected a share above 0 and below 1"))
                .at("--alpha")
                .help("0.5 or 50% lets no sensitive value have more than half of a class")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demands_are_read_as_they_are_written() {
        assert_eq!(Model::l_diversity("distinct:3").unwrap(), Model::DistinctL { l: 3 });
        assert_eq!(Model::l_diversity("entropy:2.5").unwrap(), Model::EntropyL { l: 2.5 });
        assert_eq!(Model::l_diversity("recursive:2,3").unwrap(), Model::RecursiveL { c: 2.0, l: 3 });
        assert_eq!(Model::t_closeness("0.2").unwrap(), Model::TCloseness { t: 0.2, ground: Ground::Equal });
        assert_eq!(
            Model::t_closeness("0.1:ordered").unwrap(),
            Model::TCloseness { t: 0.1, ground: Ground::Ordered }
        );
    }

    #[test]
    fn what_protects_nobody_is_refused() {
        for text in [
            "3",
            "distinct",
            "distinct:0",
            "distinct:2.5",
            "entropy:0.5",
            "entropy:NaN",
            "recursive:2",
            "recursive:0,2",
            "recursive:2,0",
            "l:3",
            "",
        ] {
            assert!(Model::l_diversity(text).is_err(), "{text}");
        }
        for text in ["1", "-0.1", "nan", "0.2:near", "", "20%"] {
            assert!(Model::t_closeness(text).is_err(), "{text}");
        }
        assert_eq!(Model::alpha("50%").unwrap(), Model::alpha("0.5").unwrap());
        for alpha in ["0", "1", "-1", "NaN", "half", "100%", ""] {
            assert!(Model::alpha(alpha).is_err(), "{alpha}");
        }
    }
}
