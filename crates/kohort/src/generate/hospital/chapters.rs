//! Sixty diagnoses in thirteen chapters, coded in the manner of hospitals: who has them, where they are treated, how
//! long and with what.

use super::trees::Ward::{self, Heart, Internal, Neonatal, Nerves, Obstetrics, Psychiatry, Surgery, Trauma};

/// A diagnosis.
#[derive(Debug)]
pub(super) struct Diagnosis {
    /// Code and words.
    pub(super) label: &'static str,
    /// Where adults lie with it.
    pub(super) ward: Ward,
    /// How common it is among admissions at 0, 1-15, 16-30, 31-48, 49-64, 65-79 and from 80.
    pub(super) ages: [f64; 7],
    /// The share of women among the ill if both came equally often.
    pub(super) women: f64,
    /// Days in hospital, half of all stay longer.
    pub(super) days: f64,
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
    ages: [f64; 7],
    women: f64,
    days: f64,
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

pub(super) static CHAPTERS: &[Chapter] = &[
    Chapter {
        name: "A-B Infections",
        group: INFECTIOUS,
        diagnoses: &[
            d("A09 Bowel infection", Internal, [9.0, 8.0, 2.5, 1.5, 1.3, 1.5, 2.0], 0.52, 3.0, DRIP),
            d("A41 Blood poisoning", Internal, [2.0, 0.3, 0.3, 0.7, 2.0, 3.5, 5.0], 0.46, 10.0, DRIP),
            d("A15 Tuberculosis", Internal, [0.0, 0.1, 0.3, 0.3, 0.2, 0.2, 0.2], 0.38, 18.0, LUNGS),
            d("B20 HIV disease", Internal, [0.0, 0.02, 0.3, 0.5, 0.4, 0.1, 0.0], 0.25, 9.0, DRIP),
            d("B18 Chronic hepatitis", Internal, [0.0, 0.05, 0.3, 0.6, 0.7, 0.4, 0.1], 0.4, 4.0, DRIP),
        ],
    },
    Chapter {
        name: "C-D Tumours",
        group: LASTING,
        diagnoses: &[
            d(
                "C18 Bowel cancer",
                Surgery,
                [0.0, 0.0, 0.1, 0.7, 3.0, 4.5, 3.0],
                0.44,
                9.0,
                &["Bowel operation", "Chemotherapy", "Endoscopy"],
            ),
            d("C34 Lung cancer", Internal, [0.0, 0.0, 0.02, 0.5, 3.5, 4.0, 1.5], 0.4, 6.0, CHEMO),
            d(
                "C50 Breast cancer",
                Surgery,
                [0.0, 0.0, 0.2, 2.0, 3.5, 2.8, 1.3],
                0.99,
                5.0,
                &["Breast operation", "Chemotherapy", "Radiotherapy"],
            ),
            d(
                "C61 Prostate cancer",
                Surgery,
                [0.0, 0.0, 0.0, 0.1, 2.5, 4.0, 1.5],
                0.0,
                6.0,
                &["Prostate operation", "Radiotherapy"],
            ),
            d(
                "C56 Ovarian cancer",
                Surgery,
                [0.0, 0.02, 0.1, 0.4, 0.9, 0.8, 0.4],
                1.0,
                8.0,
                &["Womb operation", "Chemotherapy"],
            ),
            d("C91 Leukaemia", Internal, [0.2, 0.9, 0.4, 0.4, 0.8, 1.0, 0.7], 0.43, 12.0, CHEMO),
            d(
                "D25 Fibroid of the womb",
                Surgery,
                [0.0, 0.0, 0.4, 3.0, 1.2, 0.1, 0.0],
                1.0,
                4.0,
                &["Womb operation"],
            ),
        ],
    },
    Chapter {
        name: "E Metabolism",
        group: LASTING,
        diagnoses: &[
            d("E10 Diabetes type 1", Internal, [0.0, 2.2, 1.2, 0.8, 0.6, 0.4, 0.2], 0.47, 5.0, DRIP),
            d("E11 Diabetes type 2", Internal, [0.0, 0.02, 0.2, 1.2, 3.0, 3.2, 2.5], 0.45, 7.0, DRIP),
            d("E86 Dehydration", Internal, [2.0, 0.8, 0.3, 0.3, 0.6, 1.8, 5.0], 0.58, 4.0, DRIP),
        ],
    },
    Chapter {
        name: "F Mind",
        group: "Mind and nerves",
        diagnoses: &[
            d(
                "F10 Alcohol dependence",
                Psychiatry,
                [0.0, 0.05, 3.0, 6.0, 5.0, 1.2, 0.2],
                0.27,
                7.0,
                &["Detoxification", "Psychotherapy"],
            ),
            d("F20 Schizophrenia", Psychiatry, [0.0, 0.02, 2.5, 2.5, 1.3, 0.4, 0.1], 0.42, 24.0, TALK),
            d("F32 Depression", Psychiatry, [0.0, 0.8, 4.0, 4.0, 3.5, 1.3, 0.7], 0.61, 21.0, TALK),
            d("F50 Eating disorder", Psychiatry, [0.0, 1.0, 1.5, 0.2, 0.05, 0.0, 0.0], 0.92, 32.0, TALK),
        ],
    },
    Chapter {
        name: "G Nerves",
        group: "Mind and nerves",
        diagnoses: &[
            d(
                "G40 Epilepsy",
                Nerves,
                [2.0, 3.5, 1.8, 1.5, 1.4, 1.3, 1.2],
                0.46,
                4.0,
                &["Brain wave test", "CT scan"],
            ),
            d(
                "G35 Multiple sclerosis",
                Nerves,
                [0.0, 0.05, 0.9, 1.3, 0.8, 0.2, 0.0],
                0.72,
                4.0,
                &["Infusion therapy", "Brain scan"],
            ),
            d(
                "G20 Parkinson disease",
                Nerves,
                [0.0, 0.0, 0.0, 0.05, 0.5, 1.8, 1.6],
                0.41,
                12.0,
                &["Brain scan", "None"],
            ),
            d("G47 Sleep disorder", Nerves, [0.3, 0.6, 0.4, 1.5, 2.2, 1.2, 0.2], 0.27, 2.0, &["Sleep study"]),
            d(
                "G30 Alzheimer disease",
                Nerves,
                [0.0, 0.0, 0.0, 0.0, 0.1, 0.9, 2.2],
                0.62,
                15.0,
                &["Brain scan", "None"],
            ),
        ],
    },
    Chapter {
        name: "H Eyes and ears",
        group: ORGANS,
        diagnoses: &[
            d("H25 Cataract", Surgery, [0.05, 0.1, 0.1, 0.4, 2.0, 5.0, 4.0], 0.57, 1.0, &["Eye operation"]),
            d(
                "H66 Middle ear infection",
                Surgery,
                [1.0, 3.5, 0.3, 0.3, 0.3, 0.2, 0.1],
                0.46,
                2.0,
                &["Ear operation", "None"],
            ),
        ],
    },
    Chapter {
        name: "I Heart and vessels",
        group: LASTING,
        diagnoses: &[
            d(
                "I10 High blood pressure",
                Heart,
                [0.0, 0.05, 0.3, 1.5, 3.0, 4.5, 4.5],
                0.62,
                4.0,
                &["Echocardiography", "None"],
            ),
            d("I20 Angina", Heart, [0.0, 0.0, 0.1, 1.3, 4.5, 5.0, 2.5], 0.34, 4.0, HEART),
            d("I21 Heart attack", Heart, [0.0, 0.0, 0.1, 1.3, 4.2, 4.2, 4.0], 0.33, 7.0, HEART),
            d(
                "I48 Irregular heartbeat",
                Heart,
                [0.1, 0.05, 0.3, 0.9, 3.2, 6.0, 5.0],
                0.46,
                4.0,
                &["Echocardiography", "Pacemaker", "Heart catheter"],
            ),
            d(
                "I50 Heart failure",
                Heart,
                [0.2, 0.05, 0.1, 0.5, 2.5, 7.5, 14.0],
                0.51,
                9.0,
                &["Echocardiography", "Infusion therapy", "Pacemaker"],
            ),
            d(
                "I63 Stroke",
                Nerves,
                [0.1, 0.05, 0.2, 0.9, 3.0, 5.5, 8.0],
                0.49,
                11.0,
                &["Brain scan", "Clot removal"],
            ),
            d(
                "I70 Narrowed arteries",
                Surgery,
                [0.0, 0.0, 0.0, 0.4, 3.0, 4.5, 2.5],
                0.35,
                8.0,
                &["Vessel operation", "CT scan"],
            ),
        ],
    },
    Chapter {
        name: "J Lungs",
        group: ORGANS,
        diagnoses: &[
            d("J18 Pneumonia", Internal, [5.0, 4.5, 1.0, 1.2, 2.2, 4.5, 9.0], 0.45, 8.0, LUNGS),
            d("J20 Acute bronchitis", Internal, [14.0, 3.5, 0.4, 0.4, 0.6, 1.0, 1.6], 0.46, 4.0, LUNGS),
            d(
                "J35 Swollen tonsils",
                Surgery,
                [0.2, 7.0, 2.5, 0.7, 0.1, 0.0, 0.0],
                0.52,
                3.0,
                &["Tonsil operation"],
            ),
            d("J44 Chronic bronchitis", Internal, [0.0, 0.0, 0.05, 0.6, 3.5, 5.0, 3.0], 0.43, 7.0, LUNGS),
            d("J45 Asthma", Internal, [1.0, 3.0, 0.7, 0.6, 0.6, 0.4, 0.3], 0.5, 4.0, LUNGS),
        ],
    },
    Chapter {
        name: "K Digestion",
        group: ORGANS,
        diagnoses: &[
            d(
                "K35 Appendicitis",
                Surgery,
                [0.05, 6.0, 4.0, 2.0, 1.0, 0.6, 0.3],
                0.47,
                4.0,
                &["Appendix removal"],
            ),
            d(
                "K40 Groin hernia",
                Surgery,
                [2.5, 1.2, 0.8, 1.9, 3.0, 3.2, 1.8],
                0.13,
                2.0,
                &["Hernia repair"],
            ),
            d("K50 Inflamed bowel", Internal, [0.0, 0.9, 1.6, 1.2, 0.7, 0.4, 0.2], 0.53, 6.0, SCOPE),
            d("K57 Bowel pouches", Internal, [0.0, 0.0, 0.2, 1.4, 2.8, 2.8, 2.5], 0.56, 6.0, SCOPE),
            d("K70 Alcoholic liver disease", Internal, [0.0, 0.0, 0.1, 1.0, 2.0, 0.9, 0.2], 0.29, 9.0, SCOPE),
            d(
                "K80 Gallstones",
                Surgery,
                [0.0, 0.2, 1.8, 3.2, 3.8, 3.5, 3.2],
                0.61,
                4.0,
                &["Gallbladder removal", "Endoscopy"],
            ),
        ],
    },
    Chapter {
        name: "M Joints and back",
        group: ORGANS,
        diagnoses: &[
            d("M16 Worn hip", Trauma, [0.0, 0.0, 0.1, 0.6, 3.5, 5.0, 2.5], 0.57, 9.0, &["Hip replacement"]),
            d("M17 Worn knee", Trauma, [0.0, 0.0, 0.1, 0.7, 3.8, 5.0, 1.8], 0.61, 9.0, &["Knee replacement"]),
            d("M54 Back pain", Trauma, [0.0, 0.5, 1.5, 3.5, 4.0, 3.2, 3.5], 0.56, 5.0, SCAN),
            d("M06 Rheumatism", Internal, [0.0, 0.3, 0.4, 0.9, 1.6, 1.4, 0.5], 0.73, 7.0, DRIP),
        ],
    },
    Chapter {
        name: "N Kidneys and sex organs",
        group: ORGANS,
        diagnoses: &[
            d(
                "N18 Kidney failure",
                Internal,
                [0.1, 0.2, 0.3, 0.8, 1.6, 2.2, 2.5],
                0.41,
                8.0,
                &["Dialysis", "Infusion therapy"],
            ),
            d(
                "N20 Kidney stones",
                Surgery,
                [0.1, 0.2, 1.8, 3.4, 3.0, 1.4, 0.5],
                0.33,
                2.0,
                &["Stone removal", "CT scan"],
            ),
            d("N39 Urinary infection", Internal, [5.0, 1.7, 1.5, 1.0, 1.2, 2.4, 5.0], 0.66, 5.0, DRIP),
            d(
                "N40 Enlarged prostate",
                Surgery,
                [0.0, 0.0, 0.0, 0.2, 2.5, 5.0, 3.0],
                0.0,
                5.0,
                &["Prostate operation"],
            ),
        ],
    },
    Chapter {
        name: "O-P Birth and newborns",
        group: BIRTH,
        diagnoses: &[
            d(
                "O80 Delivery",
                Obstetrics,
                [0.0, 0.0, 55.0, 38.0, 0.0, 0.0, 0.0],
                1.0,
                3.0,
                &["Assisted birth", "None"],
            ),
            d(
                "O82 Caesarean delivery",
                Obstetrics,
                [0.0, 0.0, 14.0, 15.0, 0.0, 0.0, 0.0],
                1.0,
                5.0,
                &["Caesarean section"],
            ),
            d(
                "O03 Miscarriage",
                Obstetrics,
                [0.0, 0.0, 6.0, 6.0, 0.0, 0.0, 0.0],
                1.0,
                1.0,
                &["Curettage", "None"],
            ),
            d(
                "O14 High blood pressure in pregnancy",
                Obstetrics,
                [0.0, 0.0, 3.0, 3.0, 0.0, 0.0, 0.0],
                1.0,
                6.0,
                DRIP,
            ),
            d(
                "P07 Born too early",
                Neonatal,
                [26.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
                0.48,
                18.0,
                &["Incubator care", "Ventilation"],
            ),
            d(
                "P59 Jaundice of the newborn",
                Neonatal,
                [14.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
                0.46,
                3.0,
                &["Light therapy"],
            ),
        ],
    },
    Chapter {
        name: "S-T Injuries",
        group: "Injury",
        diagnoses: &[
            d("S06 Concussion", Trauma, [9.0, 13.0, 5.0, 2.5, 2.5, 3.0, 6.0], 0.45, 2.0, SCAN),
            d("S52 Broken forearm", Trauma, [0.3, 8.0, 1.8, 1.5, 2.2, 2.4, 2.6], 0.55, 3.0, BONE),
            d(
                "S72 Broken hip",
                Trauma,
                [0.2, 0.6, 0.3, 0.4, 1.2, 3.5, 11.0],
                0.69,
                13.0,
                &["Fracture fixation", "Hip replacement"],
            ),
            d("S82 Broken lower leg", Trauma, [0.2, 2.5, 2.6, 2.6, 3.0, 2.2, 1.8], 0.48, 6.0, BONE),
            d(
                "T40 Drug poisoning",
                Internal,
                [0.2, 0.6, 2.5, 2.0, 0.8, 0.2, 0.1],
                0.45,
                2.0,
                &["Detoxification", "Infusion therapy"],
            ),
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
