//! The list of models, from which help texts and documentation are made.

/// A model with one line about it, for help texts.
pub struct ModelEntry {
    /// The flag that asks for it.
    pub flag: &'static str,
    /// Its name in the field.
    pub name: &'static str,
    /// What it demands.
    pub about: &'static str,
}

/// All models, in the order in which they are listed.
pub static MODELS: &[ModelEntry] = &[
    ModelEntry {
        flag: "-k N",
        name: "k-anonymity",
        about: "every released combination of quasi-identifiers occurs at least N times",
    },
    ModelEntry {
        flag: "-p N",
        name: "p-sensitive k-anonymity",
        about: "every class has at least N different values of each sensitive column; with --protected, values of N different protected parts of its hierarchy",
    },
    ModelEntry {
        flag: "--l-diversity distinct:L",
        name: "distinct l-diversity",
        about: "every class has at least L different values of each sensitive column",
    },
    ModelEntry {
        flag: "--l-diversity entropy:L",
        name: "entropy l-diversity",
        about: "the values of a class are as uncertain as L equally frequent ones",
    },
    ModelEntry {
        flag: "--l-diversity recursive:C,L",
        name: "recursive (c,l)-diversity",
        about: "the most frequent value of a class occurs less than C times as often as all values from the L-th most frequent on",
    },
    ModelEntry {
        flag: "--alpha A",
        name: "(alpha,k)-anonymity",
        about: "no sensitive value has a larger share of a class than A",
    },
    ModelEntry {
        flag: "--t-closeness T:GROUND",
        name: "t-closeness",
        about: "the sensitive values of a class are distributed as in the whole table, up to T; GROUND says how far values are apart: equal (default), ordered, hierarchical",
    },
];
