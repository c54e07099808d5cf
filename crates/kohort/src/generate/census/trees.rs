//! The values of the census and what they generalize to.

use crate::data::Hierarchy;
use crate::error::Result;
use crate::generate::tree::Tree::{self, Leaf, Of, Over};
use crate::generate::tree::{hierarchy, leaves};

static SEX: &[Tree] = &[Leaf("Male"), Leaf("Female")];

static ETHNIC_GROUP: &[Tree] = &[
    Leaf("White"),
    Leaf("Black"),
    Of("Asian", &["East Asian", "South Asian"]),
    Leaf("Arab"),
    Leaf("Latin American"),
    Of("Mixed or other", &["Mixed", "Other group"]),
];

static MARITAL_STATUS: &[Tree] = &[
    Leaf("Single"),
    Of("With a partner", &["Married", "Registered partners", "Living together"]),
    Over("Partner lost", &[Of("Parted", &["Living apart", "Divorced"]), Leaf("Widowed")]),
];

static EDUCATION: &[Tree] = &[
    Over(
        "Basic",
        &[Of("Primary or less", &["No schooling", "Some primary", "Primary"]), Leaf("Lower secondary")],
    ),
    Of("Secondary", &["Some upper secondary", "General secondary", "Vocational secondary"]),
    Over(
        "Tertiary",
        &[
            Of("Short course", &["Trade certificate", "College diploma"]),
            Leaf("Bachelor degree"),
            Of("Postgraduate", &["Master degree", "Professional degree", "Doctoral degree"]),
        ],
    ),
];

static BIRTH_COUNTRY: &[Tree] = &[
    Leaf("Arvenia"),
    Over(
        "Europe",
        &[
            Of("Western Europe", &["Germany", "France", "United Kingdom", "Netherlands", "Ireland"]),
            Of("Southern Europe", &["Italy", "Portugal", "Spain", "Greece"]),
            Of("Eastern Europe", &["Poland", "Romania", "Ukraine", "Russia", "Bulgaria"]),
        ],
    ),
    Over(
        "Asia",
        &[
            Of("East Asia", &["China", "South Korea", "Japan"]),
            Of("South-East Asia", &["Philippines", "Vietnam"]),
            Of("South Asia", &["India", "Pakistan", "Bangladesh", "Sri Lanka"]),
            Of("Middle East", &["Syria", "Turkey", "Iraq", "Iran"]),
        ],
    ),
    Over(
        "Africa",
        &[
            Of("North Africa", &["Morocco", "Algeria", "Egypt"]),
            Of("Sub-Saharan Africa", &["Nigeria", "Ghana", "Somalia", "Ethiopia"]),
        ],
    ),
    Over(
        "Americas",
        &[
            Of("Latin America", &["Brazil", "Colombia", "Mexico"]),
            Of("Caribbean", &["Jamaica", "Haiti"]),
            Of("North America", &["United States", "Canada"]),
        ],
    ),
];

static WORK_CLASS: &[Tree] = &[
    Over(
        "In work",
        &[
            Of("Private employer", &["Private company", "Charity"]),
            Of("Public employer", &["Civil service", "Local authority", "Public enterprise"]),
            Of("Own account", &["Business with staff", "Self-employed alone", "Unpaid family help"]),
        ],
    ),
    Leaf("Not in work"),
];

static OCCUPATION: &[Tree] = &[
    Over(
        "White collar",
        &[
            Over(
                "Expert or manager",
                &[
                    Leaf("Manager"),
                    Of(
                        "Expert",
                        &["Engineer or scientist", "Health professional", "Teacher", "Law or finance expert"],
                    ),
                ],
            ),
            Of("Office and sales", &["Technician", "Office clerk", "Sales worker"]),
        ],
    ),
    Of("Services", &["Personal service worker", "Care worker", "Police or military"]),
    Over(
        "Manual",
        &[
            Of("Skilled manual", &["Craft worker", "Machine operator", "Driver"]),
            Of("Elementary", &["Farm worker", "Labourer"]),
        ],
    ),
    Leaf("Not in work"),
];

static HEALTH_CONDITION: &[Tree] = &[
    Leaf("None"),
    Over(
        "Body",
        &[
            Of("Heart and metabolism", &["High blood pressure", "Diabetes", "Heart disease"]),
            Of("Lungs and allergies", &["Asthma", "Chronic bronchitis", "Allergy"]),
            Of("Joints and back", &["Back pain", "Arthritis"]),
            Leaf("Cancer"),
            Leaf("HIV"),
        ],
    ),
    Over(
        "Mind and nerves",
        &[
            Of("Mind", &["Depression", "Anxiety", "Addiction"]),
            Of("Nerves", &["Migraine", "Epilepsy", "Dementia"]),
        ],
    ),
];

/// The trees of the category columns up to the postcode, in order.
pub(super) fn before_postcode() -> Result<Vec<Hierarchy>> {
    let all = [
        ("sex", SEX),
        ("ethnic_group", ETHNIC_GROUP),
        ("marital_status", MARITAL_STATUS),
        ("education", EDUCATION),
        ("birth_country", BIRTH_COUNTRY),
        ("work_class", WORK_CLASS),
        ("occupation", OCCUPATION),
    ];
    all.into_iter().map(|(column, trees)| hierarchy(column, trees)).collect()
}

/// The tree of the last column.
pub(super) fn health() -> Result<Hierarchy> {
    hierarchy("health_condition", HEALTH_CONDITION)
}

/// Value names by number; the order of the trees above.
#[derive(Debug)]
pub(super) struct Labels {
    pub(super) sex: Vec<&'static str>,
    pub(super) ethnic_group: Vec<&'static str>,
    pub(super) marital_status: Vec<&'static str>,
    pub(super) education: Vec<&'static str>,
    pub(super) birth_country: Vec<&'static str>,
    pub(super) work_class: Vec<&'static str>,
    pub(super) occupation: Vec<&'static str>,
    pub(super) health_condition: Vec<&'static str>,
}

impl Labels {
    pub(super) fn new() -> Self {
        Self {
            sex: leaves(SEX),
            ethnic_group: leaves(ETHNIC_GROUP),
            marital_status: leaves(MARITAL_STATUS),
            education: leaves(EDUCATION),
            birth_country: leaves(BIRTH_COUNTRY),
            work_class: leaves(WORK_CLASS),
            occupation: leaves(OCCUPATION),
            health_condition: leaves(HEALTH_CONDITION),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tree_is_sound_and_of_the_size_the_weights_expect() {
        let sizes: Vec<_> = before_postcode().unwrap().iter().map(Hierarchy::leaf_count).collect();
        assert_eq!(sizes, [2, 8, 7, 13, 42, 9, 17]);
        assert_eq!(health().unwrap().leaf_count(), 17);
    }
}
