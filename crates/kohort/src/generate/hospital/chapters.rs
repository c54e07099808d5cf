//! Sixty-three diagnoses in thirteen chapters, coded in the manner of hospitals: who has them, where they are treated, how
//! long and with what.

use super::trees::Ward::{self, Heart, Internal, Neonatal, Nerves, Obstetrics, Psychiatry, Surgery, Trauma};

/// A diagnosis.
#[derive(Debug)]
pub(super) struct Diagnosis {
    /// Code and words.
    pub(super) label: &'static str,
    /// Where adults lie with it.
    pub(super) ward: Ward,
    /// How common it is at 0, 1-15, 16-30, 31-48, 49-64, 65-79 and from 80, against the others at the same age.
    pub(super) ages: [u16; 7],
    /// Women among a hundred of the ill, if both sexes came equally often.
    pub(super) women: u16,
    /// Days in hospital; about half stay longer.
    pub(super) days: u16,
    /// Procedures, the most common first.
    pub(super) procedures: &'static [&'static str],
}

/// Diagnoses of one kind.
#[derive(Debug)]
pub(super) struct Chapter {
    pub(super) name: &'static str,
    /// What the chapter generalizes to.
    pub(super) group: &'static str,
    pub(super) diagnoses: &'static [Diagnosis],
}

const fn d(
    label: &'static str,
    ward: Ward,
    ages: [u16; 7],
    women: u16,
    days: u16,
    procedures: &'static [&'static str],
) -> Diagnosis {
    Diagnosis { label, ward, ages, women, days, procedures }
}

const INFECTIOUS: &str = "Infectious";
const LASTING: &str = "Lasting disease";
const ORGANS: &str = "Organs";
const BIRTH: &str = "Birth and pregnancy";

const DRIP: &[&str] = &["Infusion therapy", "None"];
const SCAN: &[&str] = &["CT scan", "None"];
const CHEMO: &[&str] = &["Chemotherapy", "CT scan", "Radiotherapy"];
const BONE: &[&str] = &["Fracture fixation", "Plaster cast"];
const HEART: &[&str] = &["Heart catheter", "Echocardiography", "Bypass operation"];
const TALK: &[&str] = &["Psychotherapy", "None"];
const SCOPE: &[&str] = &["Endoscopy", "None"];
const LUNGS: &[&str] = &["Chest X-ray", "Infusion therapy", "Ventilation"];
const ANTIDOTE: &[&str] = &["Detoxification", "Infusion therapy"];
const APPENDIX: &[&str] = &["Appendix removal"];
const ASSISTED_BIRTH: &[&str] = &["Assisted birth", "None"];
const BOWEL: &[&str] = &["Bowel operation", "Chemotherapy", "Endoscopy"];
const BRAIN: &[&str] = &["Brain scan", "None"];
const BRAIN_WAVE: &[&str] = &["Brain wave test", "CT scan"];
const BREAST: &[&str] = &["Breast operation", "Chemotherapy", "Radiotherapy"];
const BROKEN_HIP: &[&str] = &["Fracture fixation", "Hip replacement"];
const CAESAREAN_SECTION: &[&str] = &["Caesarean section"];
const CURETTAGE: &[&str] = &["Curettage", "None"];
const DIALYSIS: &[&str] = &["Dialysis", "Infusion therapy"];
const EAR: &[&str] = &["Ear operation", "None"];
const ECHO: &[&str] = &["Echocardiography", "None"];
const EYE: &[&str] = &["Eye operation"];
const GALLBLADDER: &[&str] = &["Gallbladder removal", "Endoscopy"];
const HERNIA_REPAIR: &[&str] = &["Hernia repair"];
const HIP: &[&str] = &["Hip replacement"];
const INCUBATOR_CARE: &[&str] = &["Incubator care", "Ventilation"];
const KNEE: &[&str] = &["Knee replacement"];
const LIGHT: &[&str] = &["Light therapy"];
const NERVE_DRIP: &[&str] = &["Infusion therapy", "Brain scan"];
const OVARY: &[&str] = &["Womb operation", "Chemotherapy"];
const PROSTATE: &[&str] = &["Prostate operation"];
const PROSTATE_TUMOUR: &[&str] = &["Prostate operation", "Radiotherapy"];
const PUMP: &[&str] = &["Echocardiography", "Infusion therapy", "Pacemaker"];
const RHYTHM: &[&str] = &["Echocardiography", "Pacemaker", "Heart catheter"];
const SLEEP: &[&str] = &["Sleep study"];
const STONE: &[&str] = &["Stone removal", "CT scan"];
const STROKE: &[&str] = &["Brain scan", "Clot removal"];
const TONSIL: &[&str] = &["Tonsil operation"];
const VESSEL: &[&str] = &["Vessel operation", "CT scan"];
const WITHDRAWAL: &[&str] = &["Detoxification", "Psychotherapy"];
const WOMB: &[&str] = &["Womb operation"];

/// All there is to fall ill with.
pub(super) static CHAPTERS: &[Chapter] = &[
    Chapter {
        name: "A-B Infections",
        group: INFECTIOUS,
        diagnoses: &[
            d("A09 Bowel infection", Internal, [90, 80, 25, 15, 13, 15, 20], 52, 3, DRIP),
            d("A41 Blood poisoning", Internal, [20, 3, 3, 7, 20, 35, 50], 46, 10, DRIP),
            d("A15 Tuberculosis", Internal, [0, 1, 3, 3, 2, 2, 2], 38, 18, LUNGS),
            d("B20 HIV disease", Internal, [0, 0, 3, 5, 4, 1, 0], 25, 9, DRIP),
            d("B18 Chronic hepatitis", Internal, [0, 1, 3, 6, 7, 4, 1], 40, 4, DRIP),
        ],
    },
    Chapter {
        name: "C-D Tumours",
        group: LASTING,
        diagnoses: &[
            d("C18 Bowel cancer", Surgery, [0, 0, 1, 7, 30, 45, 30], 44, 9, BOWEL),
            d("C34 Lung cancer", Internal, [0, 0, 0, 5, 35, 40, 15], 40, 6, CHEMO),
            d("C50 Breast cancer", Surgery, [0, 0, 2, 20, 35, 28, 13], 99, 5, BREAST),
            d("C61 Prostate cancer", Surgery, [0, 0, 0, 1, 25, 40, 15], 0, 6, PROSTATE_TUMOUR),
            d("C56 Ovarian cancer", Surgery, [0, 0, 1, 4, 9, 8, 4], 100, 8, OVARY),
            d("C91 Leukaemia", Internal, [2, 9, 4, 4, 8, 10, 7], 43, 12, CHEMO),
            d("D25 Fibroid of the womb", Surgery, [0, 0, 4, 30, 12, 1, 0], 100, 4, WOMB),
        ],
    },
    Chapter {
        name: "E Metabolism",
        group: LASTING,
        diagnoses: &[
            d("E10 Diabetes type 1", Internal, [0, 22, 12, 8, 6, 4, 2], 47, 5, DRIP),
            d("E11 Diabetes type 2", Internal, [0, 0, 2, 12, 30, 32, 25], 45, 7, DRIP),
            d("E86 Dehydration", Internal, [20, 8, 3, 3, 6, 18, 50], 58, 4, DRIP),
        ],
    },
    Chapter {
        name: "F Mind",
        group: "Mind and nerves",
        diagnoses: &[
            d("F10 Alcohol dependence", Psychiatry, [0, 1, 30, 60, 50, 12, 2], 27, 7, WITHDRAWAL),
            d("F20 Schizophrenia", Psychiatry, [0, 0, 25, 25, 13, 4, 1], 42, 24, TALK),
            d("F32 Depression", Psychiatry, [0, 8, 40, 40, 35, 13, 7], 61, 21, TALK),
            d("F50 Eating disorder", Psychiatry, [0, 10, 15, 2, 1, 0, 0], 92, 32, TALK),
        ],
    },
    Chapter {
        name: "G Nerves",
        group: "Mind and nerves",
        diagnoses: &[
            d("G40 Epilepsy", Nerves, [20, 35, 18, 15, 14, 13, 12], 46, 4, BRAIN_WAVE),
            d("G35 Multiple sclerosis", Nerves, [0, 1, 9, 13, 8, 2, 0], 72, 4, NERVE_DRIP),
            d("G20 Parkinson disease", Nerves, [0, 0, 0, 1, 5, 18, 16], 41, 12, BRAIN),
            d("G47 Sleep disorder", Nerves, [3, 6, 4, 15, 22, 12, 2], 27, 2, SLEEP),
            d("G30 Alzheimer disease", Nerves, [0, 0, 0, 0, 1, 9, 22], 62, 15, BRAIN),
        ],
    },
    Chapter {
        name: "H Eyes and ears",
        group: ORGANS,
        diagnoses: &[
            d("H25 Cataract", Surgery, [1, 1, 1, 4, 20, 50, 40], 57, 1, EYE),
            d("H66 Middle ear infection", Surgery, [10, 35, 3, 3, 3, 2, 1], 46, 2, EAR),
        ],
    },
    Chapter {
        name: "I Heart and vessels",
        group: LASTING,
        diagnoses: &[
            d("I10 High blood pressure", Heart, [0, 1, 3, 15, 30, 45, 45], 62, 4, ECHO),
            d("I20 Angina", Heart, [0, 0, 1, 13, 45, 50, 25], 34, 4, HEART),
            d("I21 Heart attack", Heart, [0, 0, 1, 13, 42, 42, 40], 33, 7, HEART),
            d("I48 Irregular heartbeat", Heart, [1, 1, 3, 9, 32, 60, 50], 46, 4, RHYTHM),
            d("I50 Heart failure", Heart, [2, 1, 1, 5, 25, 75, 140], 51, 9, PUMP),
            d("I63 Stroke", Nerves, [1, 1, 2, 9, 30, 55, 80], 49, 11, STROKE),
            d("I70 Narrowed arteries", Surgery, [0, 0, 0, 4, 30, 45, 25], 35, 8, VESSEL),
        ],
    },
    Chapter {
        name: "J Lungs",
        group: ORGANS,
        diagnoses: &[
            d("J18 Pneumonia", Internal, [50, 45, 10, 12, 22, 45, 90], 45, 8, LUNGS),
            d("J20 Acute bronchitis", Internal, [140, 35, 4, 4, 6, 10, 16], 46, 4, LUNGS),
            d("J35 Swollen tonsils", Surgery, [2, 70, 25, 7, 1, 0, 0], 52, 3, TONSIL),
            d("J44 Chronic bronchitis", Internal, [0, 0, 1, 6, 35, 50, 30], 43, 7, LUNGS),
            d("J45 Asthma", Internal, [10, 30, 7, 6, 6, 4, 3], 50, 4, LUNGS),
        ],
    },
    Chapter {
        name: "K Digestion",
        group: ORGANS,
        diagnoses: &[
            d("K35 Appendicitis", Surgery, [1, 60, 40, 20, 10, 6, 3], 47, 4, APPENDIX),
            d("K40 Groin hernia", Surgery, [25, 12, 8, 19, 30, 32, 18], 13, 2, HERNIA_REPAIR),
            d("K50 Inflamed bowel", Internal, [0, 9, 16, 12, 7, 4, 2], 53, 6, SCOPE),
            d("K57 Bowel pouches", Internal, [0, 0, 2, 14, 28, 28, 25], 56, 6, SCOPE),
            d("K70 Alcoholic liver disease", Internal, [0, 0, 1, 10, 20, 9, 2], 29, 9, SCOPE),
            d("K80 Gallstones", Surgery, [0, 2, 18, 32, 38, 35, 32], 61, 4, GALLBLADDER),
        ],
    },
    Chapter {
        name: "M Joints and back",
        group: ORGANS,
        diagnoses: &[
            d("M16 Worn hip", Trauma, [0, 0, 1, 6, 35, 50, 25], 57, 9, HIP),
            d("M17 Worn knee", Trauma, [0, 0, 1, 7, 38, 50, 18], 61, 9, KNEE),
            d("M54 Back pain", Trauma, [0, 5, 15, 35, 40, 32, 35], 56, 5, SCAN),
            d("M06 Rheumatism", Internal, [0, 3, 4, 9, 16, 14, 5], 73, 7, DRIP),
        ],
    },
    Chapter {
        name: "N Kidneys and sex organs",
        group: ORGANS,
        diagnoses: &[
            d("N18 Kidney failure", Internal, [1, 2, 3, 8, 16, 22, 25], 41, 8, DIALYSIS),
            d("N20 Kidney stones", Surgery, [1, 2, 18, 34, 30, 14, 5], 33, 2, STONE),
            d("N39 Urinary infection", Internal, [50, 17, 15, 10, 12, 24, 50], 66, 5, DRIP),
            d("N40 Enlarged prostate", Surgery, [0, 0, 0, 2, 25, 50, 30], 0, 5, PROSTATE),
        ],
    },
    Chapter {
        name: "O-P Birth and newborns",
        group: BIRTH,
        diagnoses: &[
            d("O80 Delivery", Obstetrics, [0, 0, 550, 380, 0, 0, 0], 100, 3, ASSISTED_BIRTH),
            d("O82 Caesarean delivery", Obstetrics, [0, 0, 140, 150, 0, 0, 0], 100, 5, CAESAREAN_SECTION),
            d("O03 Miscarriage", Obstetrics, [0, 0, 60, 60, 0, 0, 0], 100, 1, CURETTAGE),
            d("O14 High blood pressure in pregnancy", Obstetrics, [0, 0, 30, 30, 0, 0, 0], 100, 6, DRIP),
            d("P07 Born too early", Neonatal, [260, 0, 0, 0, 0, 0, 0], 48, 18, INCUBATOR_CARE),
            d("P59 Jaundice of the newborn", Neonatal, [140, 0, 0, 0, 0, 0, 0], 46, 3, LIGHT),
        ],
    },
    Chapter {
        name: "S-T Injuries",
        group: "Injury",
        diagnoses: &[
            d("S06 Concussion", Trauma, [90, 130, 50, 25, 25, 30, 60], 45, 2, SCAN),
            d("S52 Broken forearm", Trauma, [3, 80, 18, 15, 22, 24, 26], 55, 3, BONE),
            d("S72 Broken hip", Trauma, [2, 6, 3, 4, 12, 35, 110], 69, 13, BROKEN_HIP),
            d("S82 Broken lower leg", Trauma, [2, 25, 26, 26, 30, 22, 18], 48, 6, BONE),
            d("T40 Drug poisoning", Internal, [2, 6, 25, 20, 8, 2, 1], 45, 2, ANTIDOTE),
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn about_sixty_diagnoses_each_with_a_code_of_its_chapter() {
        let all: Vec<_> = CHAPTERS.iter().flat_map(|c| c.diagnoses.iter().map(move |d| (c, d))).collect();
        assert!((58..=66).contains(&all.len()), "{}", all.len());
        for (chapter, d) in all {
            let letters = chapter.name.split(' ').next().unwrap();
            assert!(letters.contains(&d.label[..1]), "{} in {}", d.label, chapter.name);
            assert!(d.label[1..3].parse::<u32>().is_ok() && !d.procedures.is_empty());
        }
    }
}
