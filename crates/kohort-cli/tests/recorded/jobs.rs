//! Every algorithm, demand, notion, measure, way of writing and format, each with the others as far as they go together.

/// A line of the command, and where its release goes.
pub(crate) struct Job {
    pub(crate) line: String,
    pub(crate) release: String,
}

const HOSPITAL: &str = "--identifier patient_id,name --qi birth_date,sex,postcode,ward --sensitive diagnosis,procedure --hierarchies trees-hospital";
const CENSUS: &str = "--identifier person_id --qi age,sex,marital_status,education,postcode --sensitive health_condition,occupation --hierarchies trees-census";
const NN: &str = "--qi QI_N,QI_C1,QI_C2,QI_C3 --sensitive S_C1,S_C2 --hierarchies trees-nn";
const ART: &str = "--qi A1,A2,A3,A4 --sensitive A6 --hierarchies trees-art";

const LOCAL: [&str; 13] = [
    "auto",
    "k-member",
    "greedy-cka",
    "greedy-pk",
    "enhanced-pk",
    "oka",
    "systematic",
    "systematic-plus",
    "kaca",
    "agglomerative",
    "agglomerative-modified",
    "forest",
    "mondrian",
];

const DEMANDS: [&str; 7] = [
    "-k 4",
    "-k 5 -p 3",
    "-k 4 --l-diversity distinct:3",
    "-k 6 --l-diversity entropy:2.5",
    "-k 6 --l-diversity recursive:3,2",
    "-k 5 --alpha 0.6",
    "-k 8 --t-closeness 0.4",
];

const MEASURES: [&str; 5] = ["il", "lm", "entropy", "whd --beta 1", "ncp"];

const RELEASED: [&str; 9] = [
    "--intervals bounds",
    "--intervals midpoint",
    "--suppress 5% --suppressed star",
    "--suppress 5%",
    "--missing suppress",
    "--snap age=5",
    "--keep-order",
    "--publish-counts",
    "--type postcode=category",
];

const NOTIONS: [&str; 10] = [
    "--notion 1k --algorithm 1k",
    "--notion k1 --algorithm k1-nearest",
    "--notion k1 --algorithm k1-expansion",
    "--notion k1 --algorithm k1-optimal",
    "--notion kk --algorithm kk-nearest",
    "--notion kk --algorithm kk-expansion",
    "--notion kk",
    "--notion global-1k",
    "--notion global-1k --algorithm global-1k",
    "--notion global-1k -p 2",
];

const BOUNDARIES: [&str; 4] = [
    "--max-width age=12",
    "--cuts age=18,40,65",
    "--max-width age=30 --suppress 20%",
    "--max-width age=9 --opt-out work_class=Unemployed",
];

const OTHERS: [&str; 8] = [
    "--seed 7",
    "--seed 7 --algorithm k-member --set first-seed=farthest",
    "--algorithm agglomerative --distance 4",
    "--algorithm mondrian --set cut=relaxed",
    "--algorithm kaca --set threshold=1.5 --suppress 30%",
    "--block-rows 60",
    "--block-rows 60 -p 2",
    "--block-rows 60 --algorithm k-member --t-closeness 0.5",
];

const INCOGNITO: [&str; 4] =
    ["-k 4", "-k 4 -p 2 --suppress 5%", "-k 3 --levels A1=1", "-k 4 --measure lm --t-closeness 0.5"];

/// Algorithms that meet demands in different ways: by score, by merging, by cutting, by levels.
const VARIED: [&str; 8] =
    ["auto", "k-member", "greedy-pk", "oka", "kaca", "agglomerative", "forest", "mondrian"];

/// Demands on how frequent values become, and on single columns.
const RATIOS: [&str; 3] = [
    "-k 5 --beta-likeness 2",
    "-k 5 --delta-disclosure 2@S_C1 --beta-likeness 5@S_C2",
    "-k 4 -p 2 --l-diversity distinct:3@S_C1 --alpha 0.6@S_C2 --t-closeness 0.6@S_C2",
];

const RATIOS_OF_OTHERS: [(&str, &str, &str); 9] = [
    ("art.csv", ART, "-k 4 --delta-disclosure 0.7"),
    ("art.csv", ART, "-k 4 --delta-disclosure 0.7 --algorithm k-member"),
    ("art.csv", ART, "-k 4 --delta-disclosure 1 --algorithm incognito"),
    ("art.csv", ART, "-k 4 --beta-likeness 0.5 --delta-disclosure 2 --suppress 5% --suppressed star"),
    ("art.csv", ART, "-k 4 --beta-likeness 1@A6 --algorithm incognito --suppress 10%"),
    ("census.csv", CENSUS, "-k 4 --beta-likeness 3@health_condition --l-diversity distinct:3@occupation"),
    ("census.csv", CENSUS, "-k 4 --alpha 0.95 --alpha 0.6@occupation --block-rows 60"),
    ("census.csv", CENSUS, "-k 3 --beta-likeness 4@health_condition --max-width age=30 --suppress 30%"),
    (
        "hospital.csv",
        HOSPITAL,
        "-k 4 --missing suppress --t-closeness 0.9@diagnosis --beta-likeness 9@procedure",
    ),
];

/// All jobs, in an order that does not change.
pub(crate) fn all() -> Vec<Job> {
    let mut lines = Vec::new();
    for algorithm in LOCAL {
        for demand in DEMANDS {
            // Made for p, and refuses to work without.
            let p = if algorithm == "enhanced-pk" && !demand.contains("-p ") { " -p 2" } else { "" };
            lines.push(("nn.csv", format!("{NN} {demand}{p} --algorithm {algorithm}")));
        }
        lines.push(("census.csv", format!("{CENSUS} -k 4 -p 2 --algorithm {algorithm}")));
    }
    for measure in MEASURES {
        lines.push(("census.csv", format!("{CENSUS} -k 5 --measure {measure}")));
        lines.push(("hospital.csv", format!("{HOSPITAL} -k 3 --measure {measure}")));
    }
    for way in RELEASED {
        lines.push(("census.csv", format!("{CENSUS} -k 4 {way}")));
        lines.push((
            "hospital.csv",
            format!("{HOSPITAL} -k 4 {}", way.replace("--snap age=5", "--max-width birth_date=9000")),
        ));
    }
    for notion in NOTIONS {
        lines.push(("art.csv", format!("{ART} -k 3 {notion}")));
        lines.push(("nn.csv", format!("{NN} -k 3 {notion} --suppress 4% --suppressed star")));
    }
    for boundary in BOUNDARIES {
        lines.push(("census.csv", format!("{CENSUS} -k 3 {boundary}")));
    }
    for other in OTHERS {
        lines.push(("census.csv", format!("{CENSUS} -k 4 {other}")));
    }
    for levels in INCOGNITO {
        lines.push(("art.csv", format!("{ART} --algorithm incognito {levels}")));
    }
    let mut jobs: Vec<Job> = lines.iter().map(|(table, flags)| job(table, flags, "csv")).collect();
    for ending in ["tsv", "parquet", "arrow"] {
        for (table, flags) in [("hospital", HOSPITAL), ("census", CENSUS)] {
            let from = if ending == "tsv" { "csv" } else { ending };
            for way in [
                "-k 4",
                "-k 4 -p 2 --intervals bounds",
                "-k 4 --suppress 5% --suppressed star",
                "-k 4 --missing suppress",
            ] {
                jobs.push(job(&format!("{table}.{from}"), &format!("{flags} {way}"), ending));
            }
            jobs.push(job(&format!("{table}.{from}"), &format!("{flags} -k 4"), "csv"));
            jobs.push(job(&format!("{table}.csv"), &format!("{flags} -k 4"), ending));
        }
    }
    for algorithm in VARIED {
        for demand in RATIOS {
            jobs.push(job("nn.csv", &format!("{NN} {demand} --algorithm {algorithm}"), "csv"));
        }
    }
    for (table, roles, demand) in RATIOS_OF_OTHERS {
        jobs.push(job(table, &format!("{roles} {demand}"), "csv"));
    }
    jobs
}

fn job(table: &str, flags: &str, ending: &str) -> Job {
    let release = format!("release.{ending}");
    Job { line: format!("anonymize {table} -o {release} {flags} --rest keep --no-audit --quiet"), release }
}
