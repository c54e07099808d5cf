//! The models, one file each: what it asks, what it is called, how its numbers are written, and what may be relied on.
//! How a class is tested lies in [`crate::model`] for the search and in [`mod@crate::verify`] for the check.

mod alpha_k;
mod beta_likeness;
mod delta_disclosure;
mod distinct_l;
mod entropy_l;
mod k_anonymity;
mod p_sensitive;
mod parse;
mod recursive_l;
mod t_closeness;

use serde::{Deserialize, Serialize};

use crate::data::Ground;
use crate::error::{Error, Result, Said, plain_speech};
use crate::parameter::Parameter;

/// One privacy model with its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "model", rename_all = "kebab-case")]
pub enum Model {
    /// Every class has at least `k` rows (Samarati and Sweeney 1998).
    KAnonymity {
        /// Smallest class size.
        k: u32,
    },
    /// Every class has at least `p` different values of every sensitive column (Truta and Vinay 2006), or values of `p`
    /// different protected parts of its hierarchy (extended p-sensitivity, Campan and Truta 2006).
    PSensitive {
        /// Smallest number of different values.
        p: u32,
    },
    /// Distinct l-diversity: `l` different values, protected or not.
    DistinctL {
        /// Smallest number of different values.
        l: u32,
    },
    /// Entropy l-diversity (Machanavajjhala et al. 2006): the entropy of the values is at least log l.
    EntropyL {
        /// How many equally frequent values are as uncertain.
        l: f64,
    },
    /// Recursive (c,l)-diversity: the most frequent value occurs less than c times as often as all values from the l-th
    /// most frequent on.
    RecursiveL {
        /// Most the frequent value may outweigh the rare ones.
        c: f64,
        /// From which value on they are rare.
        l: u32,
    },
    /// (α,k)-anonymity (Wong et al. 2006), of all values: none has a larger share of its class.
    AlphaK {
        /// Largest share.
        alpha: f64,
    },
    /// t-closeness (Li et al. 2007): the values of a class are distributed much like those of the table.
    TCloseness {
        /// Largest distance.
        t: f64,
        /// What values are how far apart, unless their column says otherwise.
        ground: Ground,
    },
    /// Basic β-likeness (Cao and Karras 2012): no value is much more frequent in a class than in the table.
    BetaLikeness {
        /// Largest relative gain: 1 lets a value be twice as frequent.
        beta: f64,
    },
    /// δ-disclosure privacy (Brickell and Shmatikov 2008): every value is about as frequent in a class as in the table.
    DeltaDisclosure {
        /// The logarithm of frequency in the class over frequency in the table stays closer to 0 than this.
        delta: f64,
    },
}

/// What other code may say about a model, and rely on.
#[derive(Serialize)]
pub struct ModelEntry {
    /// Its name in JSON.
    pub name: &'static str,
    /// The option that asks for it.
    pub option: &'static str,
    /// How its numbers are written there.
    pub form: &'static str,
    /// Its name in the field.
    pub title: &'static str,
    /// What it demands: see [`ModelEntry::about`].
    #[serde(serialize_with = "plain_speech")]
    about: &'static str,
    /// Its numbers, and what they may be.
    pub parameters: &'static [Parameter],
    /// Whether a class that satisfies it keeps satisfying it when any rows are added ("superset-monotone"). All models are
    /// kept when two classes that satisfy them are merged ("union-closed").
    pub survives_adding_rows: bool,
    /// Whether it asks only how often values occur in a class, not which they are. (p may ask which are protected together;
    /// but who takes from the most frequent value keeps all values as long as any has two rows.)
    pub looks_at_frequencies_alone: bool,
    /// Whether classes are compared with the whole table, so that only who has the original can check it.
    pub compares_with_table: bool,
    /// Reads its numbers.
    #[serde(skip)]
    pub read: fn(&str) -> Result<Model>,
}

impl ModelEntry {
    /// What it demands.
    pub fn about(&self) -> Said {
        self.about.into()
    }

    /// What its figure is called where one is reported: `t`, `beta`.
    pub fn figure(&self) -> &'static str {
        self.option.split('-').next().unwrap_or_default()
    }

    fn refuse(&self, what: impl Into<Said>, help: &str) -> Error {
        Error::job(what).option(self.option).help(help)
    }
}

/// All models, in the order in which they are listed.
pub static MODELS: &[&ModelEntry] = &[
    &k_anonymity::ENTRY,
    &p_sensitive::ENTRY,
    &distinct_l::ENTRY,
    &entropy_l::ENTRY,
    &recursive_l::ENTRY,
    &alpha_k::ENTRY,
    &t_closeness::ENTRY,
    &beta_likeness::ENTRY,
    &delta_disclosure::ENTRY,
];

impl Model {
    /// What may be said about it.
    pub fn entry(&self) -> &'static ModelEntry {
        match self {
            Self::KAnonymity { .. } => &k_anonymity::ENTRY,
            Self::PSensitive { .. } => &p_sensitive::ENTRY,
            Self::DistinctL { .. } => &distinct_l::ENTRY,
            Self::EntropyL { .. } => &entropy_l::ENTRY,
            Self::RecursiveL { .. } => &recursive_l::ENTRY,
            Self::AlphaK { .. } => &alpha_k::ENTRY,
            Self::TCloseness { .. } => &t_closeness::ENTRY,
            Self::BetaLikeness { .. } => &beta_likeness::ENTRY,
            Self::DeltaDisclosure { .. } => &delta_disclosure::ENTRY,
        }
    }

    /// Whether it looks at sensitive values.
    pub fn needs_sensitive(&self) -> bool {
        !matches!(self, Self::KAnonymity { .. })
    }

    /// How many different values it asks for by their number.
    pub fn different_values(&self) -> u32 {
        match *self {
            Self::PSensitive { p } => p,
            Self::DistinctL { l } => l,
            Self::KAnonymity { .. }
            | Self::EntropyL { .. }
            | Self::RecursiveL { .. }
            | Self::AlphaK { .. }
            | Self::TCloseness { .. }
            | Self::BetaLikeness { .. }
            | Self::DeltaDisclosure { .. } => 1,
        }
    }

    /// Whether every class meets it, whatever it holds: such a demand protects nothing.
    pub fn asks_nothing(&self) -> bool {
        match *self {
            Self::PSensitive { p: least } | Self::DistinctL { l: least } => least <= 1,
            Self::EntropyL { l } => l <= 1.0,
            // All values from the first on are all rows.
            Self::RecursiveL { c, l } => l == 1 && c > 1.0,
            Self::KAnonymity { .. }
            | Self::AlphaK { .. }
            | Self::TCloseness { .. }
            | Self::BetaLikeness { .. }
            | Self::DeltaDisclosure { .. } => false,
        }
    }

    /// The number it asks for, and what that is called: the c of recursive diversity, whose l only says where to look.
    pub fn number(&self) -> (&'static str, f64) {
        match *self {
            Self::KAnonymity { k } => ("k", f64::from(k)),
            Self::PSensitive { p } => ("p", f64::from(p)),
            Self::DistinctL { l } => ("l", f64::from(l)),
            Self::EntropyL { l } => ("l", l),
            Self::RecursiveL { c, .. } => ("c", c),
            Self::AlphaK { alpha } => ("alpha", alpha),
            Self::TCloseness { t, .. } => ("t", t),
            Self::BetaLikeness { beta } => ("beta", beta),
            Self::DeltaDisclosure { delta } => ("delta", delta),
        }
    }

    /// Reads what was given for an option, such as `distinct:3` for `l-diversity`. Where an option has several models, the
    /// word before the colon says which.
    pub fn read(option: &str, text: &str) -> Result<Self> {
        let mut entries = MODELS.iter().filter(|entry| entry.option == option);
        let first = entries.clone().next();
        let word = |entry: &ModelEntry| entry.form.split_once(':').map(|(word, _)| word.to_owned());
        let given = text.trim().split_once(':').map(|(word, _)| word.trim());
        let several = entries.clone().count() > 1;
        let entry = if several { entries.find(|e| word(e).as_deref() == given) } else { first };
        match (entry, first) {
            (Some(entry), _) => (entry.read)(text.trim()),
            (None, Some(entry)) => {
                Err(entry.refuse(format!("'{text}' is not a form of {option}"), parse::L_DIVERSITY_FORMS))
            }
            (None, None) => Err(Error::internal(format!("there is no option '{option}' for demands"))),
        }
    }

    /// Its numbers as its option takes them: what [`Model::read`] reads.
    pub fn written(&self) -> String {
        match self {
            Self::KAnonymity { k } => k.to_string(),
            Self::PSensitive { p } => p.to_string(),
            Self::DistinctL { l } => format!("distinct:{l}"),
            Self::EntropyL { l } => format!("entropy:{l}"),
            Self::RecursiveL { c, l } => format!("recursive:{c},{l}"),
            Self::AlphaK { alpha } => alpha.to_string(),
            Self::TCloseness { t, ground } => format!("{t}:{}", ground.name()),
            Self::BetaLikeness { beta } => beta.to_string(),
            Self::DeltaDisclosure { delta } => delta.to_string(),
        }
    }
}

impl std::fmt::Display for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::KAnonymity { k } => write!(f, "k = {k}"),
            Self::PSensitive { p } => write!(f, "p = {p}"),
            Self::DistinctL { l } => write!(f, "distinct {l}-diversity"),
            Self::EntropyL { l } => write!(f, "entropy {l}-diversity"),
            Self::RecursiveL { c, l } => write!(f, "recursive ({c},{l})-diversity"),
            Self::AlphaK { alpha } => write!(f, "alpha = {alpha}"),
            Self::TCloseness { t, ground } => write!(f, "t = {t} ({})", ground.name()),
            Self::BetaLikeness { beta } => write!(f, "beta-likeness {beta}"),
            Self::DeltaDisclosure { delta } => write!(f, "delta-disclosure {delta}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::parameter::Accepts;

    #[test]
    fn demands_are_read_as_they_are_written() {
        let read = |option, text| Model::read(option, text).unwrap();
        assert_eq!(read("l-diversity", "distinct:3"), Model::DistinctL { l: 3 });
        assert_eq!(read("l-diversity", "entropy:2.5"), Model::EntropyL { l: 2.5 });
        assert_eq!(read("l-diversity", " recursive : 2,3"), Model::RecursiveL { c: 2.0, l: 3 });
        assert_eq!(read("t-closeness", "0.2"), Model::TCloseness { t: 0.2, ground: Ground::Equal });
        assert_eq!(read("t-closeness", "0.1:ordered"), Model::TCloseness { t: 0.1, ground: Ground::Ordered });
        assert_eq!(read("alpha", "50%"), read("alpha", "0.5"));
        assert_eq!(read("beta-likeness", "2"), Model::BetaLikeness { beta: 2.0 });
        assert_eq!(read("delta-disclosure", "1.5"), Model::DeltaDisclosure { delta: 1.5 });
    }

    #[test]
    fn what_protects_nobody_is_refused() {
        let wrong: [(&str, &[&str]); 5] = [
            (
                "l-diversity",
                &[
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
                ],
            ),
            ("t-closeness", &["1", "-0.1", "nan", "0.2:near", "", "20%"]),
            ("alpha", &["0", "1", "-1", "NaN", "half", "100%", ""]),
            ("beta-likeness", &["0", "-1", "inf", "NaN", "", "much"]),
            ("delta-disclosure", &["0", "-1", "inf", "NaN", "", "much"]),
        ];
        for (option, texts) in wrong {
            for text in texts {
                assert!(matches!(Model::read(option, text), Err(Error::Job(_))), "{option} {text}");
            }
        }
    }

    #[test]
    fn the_list_names_every_model_as_json_does() {
        for entry in MODELS {
            let form = entry.form.replace(['N', 'L', 'B', 'D'], "3").replace(['C', 'A', 'T'], "0.5");
            let model = Model::read(entry.option, form.split('[').next().unwrap()).unwrap();
            let json = serde_json::to_value(model).unwrap();
            assert_eq!((json["model"].as_str().unwrap(), model.entry().title), (entry.name, entry.title));
            assert_eq!(Model::read(entry.option, &model.written()).unwrap(), model);
        }
    }

    #[test]
    fn every_distance_that_is_listed_can_be_asked_for() {
        let distance = t_closeness::ENTRY.parameters.iter().find(|p| p.name == "distance").unwrap();
        let Accepts::Choice { values, default } = distance.accepts else { panic!("a choice was expected") };
        let read = |text: String| Model::read("t-closeness", &text).unwrap();
        assert_eq!(
            values.len(),
            values.iter().map(|v| read(format!("0.1:{v}")).to_string()).collect::<BTreeSet<_>>().len()
        );
        assert_eq!(read(format!("0.1:{default}")), read("0.1".into()));
    }
}
