//! The values of the hospital and what they generalize to.

use super::chapters::CHAPTERS;
use crate::data::{Hierarchy, HierarchyBuilder, ROOT_LABEL};
use crate::error::Result;
use crate::generate::tree::Tree::{self, Leaf, Of, Over};
use crate::generate::tree::{hierarchy, leaves};

static SEX: &[Tree] = &[Leaf("Male"), Leaf("Female")];

/// Where a patient lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ward {
    Internal,
    Heart,
    Nerves,
    Geriatrics,
    Psychiatry,
    Surgery,
    Trauma,
    IntensiveCare,
    Obstetrics,
    Neonatal,
    Paediatrics,
}

impl Ward {
    /// The name in the table.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Internal => "Internal medicine",
            Self::Heart => "Cardiology",
            Self::Nerves => "Neurology",
            Self::Geriatrics => "Geriatrics",
            Self::Psychiatry => "Psychiatry",
            Self::Surgery => "General surgery",
            Self::Trauma => "Orthopaedics",
            Self::IntensiveCare => "Intensive care",
            Self::Obstetrics => "Obstetrics",
            Self::Neonatal => "Neonatal unit",
            Self::Paediatrics => "Paediatrics",
        }
    }
}

static WARD: &[Tree] = &[
    Over(
        "Medical",
        &[
            Of("General medical", &["Internal medicine", "Geriatrics"]),
            Of("Organ medicine", &["Cardiology", "Neurology"]),
        ],
    ),
    Leaf("Psychiatry"),
    Of("Surgical", &["General surgery", "Orthopaedics"]),
    Leaf("Intensive care"),
    Over("Family", &[Leaf("Obstetrics"), Of("Children", &["Neonatal unit", "Paediatrics"])]),
];

static PROCEDURE: &[Tree] = &[
    Leaf("None"),
    Over(
        "Operation",
        &[
            Of(
                "Abdomen",
                &[
                    "Appendix removal",
                    "Bowel operation",
                    "Gallbladder removal",
                    "Hernia repair",
                    "Stone removal",
                ],
            ),
            Of("Bones and joints", &["Fracture fixation", "Hip replacement", "Knee replacement"]),
            Of("Head and neck", &["Ear operation", "Eye operation", "Tonsil operation"]),
            Of(
                "Heart and vessel operation",
                &["Bypass operation", "Clot removal", "Pacemaker", "Vessel operation"],
            ),
            Of(
                "Sex organs",
                &[
                    "Breast operation",
                    "Caesarean section",
                    "Curettage",
                    "Prostate operation",
                    "Womb operation",
                ],
            ),
        ],
    ),
    Over(
        "Look inside",
        &[
            Of("Pictures", &["Brain scan", "Chest X-ray", "CT scan", "Echocardiography"]),
            Of("Instruments", &["Endoscopy", "Heart catheter"]),
            Of("Recordings", &["Brain wave test", "Sleep study"]),
        ],
    ),
    Over(
        "Therapy",
        &[
            Of("Drugs", &["Chemotherapy", "Detoxification", "Infusion therapy"]),
            Of("Machines", &["Dialysis", "Incubator care", "Light therapy", "Radiotherapy", "Ventilation"]),
            Of("Hands and words", &["Assisted birth", "Plaster cast", "Psychotherapy"]),
        ],
    ),
];

pub(super) fn sex() -> Result<Hierarchy> {
    hierarchy("sex", SEX)
}

pub(super) fn sexes() -> Vec<&'static str> {
    leaves(SEX)
}

pub(super) fn ward() -> Result<Hierarchy> {
    hierarchy("ward", WARD)
}

pub(super) fn procedure() -> Result<Hierarchy> {
    hierarchy("procedure", PROCEDURE)
}

/// Diagnosis, chapter, group of chapters. A chapter that is its own group hangs from the root directly.
pub(super) fn diagnosis() -> Result<Hierarchy> {
    let mut builder = HierarchyBuilder::new("diagnosis");
    let all = CHAPTERS.iter().flat_map(|chapter| chapter.diagnoses.iter().map(move |d| (chapter, d)));
    for (line, (chapter, d)) in (1..).zip(all) {
        let mut path = vec![d.label, chapter.name];
        let shared = CHAPTERS.iter().filter(|c| c.group == chapter.group).count() > 1;
        path.extend(shared.then_some(chapter.group));
        path.push(ROOT_LABEL);
        builder.path(line, path.into_iter().map(str::to_owned).collect());
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_procedure_of_every_diagnosis_has_its_place() {
        let h = procedure().unwrap();
        for d in CHAPTERS.iter().flat_map(|c| c.diagnoses) {
            assert!(d.procedures.iter().all(|p| h.leaf(p).is_some()), "{}", d.label);
        }
    }

    #[test]
    fn diagnoses_hang_below_chapters() {
        let h = diagnosis().unwrap();
        let path = |leaf| h.path(h.leaf(leaf).unwrap());
        assert_eq!(
            path("I21 Heart attack"),
            ["I21 Heart attack", "I Heart and vessels", "Lasting disease", "*"]
        );
        assert_eq!(path("S06 Concussion"), ["S06 Concussion", "S-T Injuries", "*"]);
    }
}
