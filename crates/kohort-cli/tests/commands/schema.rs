//! The published schemas (`docs/schema/`) describe what is written and read.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::{Desk, PEOPLE, ROLES, TOWN_ROLES};

fn schema(name: &str) -> Value {
    let path = format!("{}/../../docs/schema/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn check(schema: &Value, document: &Value, what: &str) {
    let mut wrong = Vec::new();
    validate(schema, document, "", &mut wrong);
    assert!(wrong.is_empty(), "{what}: {}", wrong.join("\n"));
}

/// The keywords that our schemas use, and no others: a full validator would bring sixty crates along.
fn validate(schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) {
    for (keyword, rule) in schema.as_object().unwrap() {
        let holds = match keyword.as_str() {
            "type" => match rule {
                Value::Array(kinds) => kinds.iter().any(|kind| is_of(value, kind)),
                kind => is_of(value, kind),
            },
            "const" => value == rule,
            "enum" => rule.as_array().unwrap().contains(value),
            "minimum" => value.as_f64() >= rule.as_f64(),
            "pattern" => {
                assert_eq!(rule, "^[0-9a-f]{64}$");
                value
                    .as_str()
                    .is_some_and(|t| t.len() == 64 && t.bytes().all(|b| b"0123456789abcdef".contains(&b)))
            }
            "anyOf" => rule.as_array().unwrap().iter().any(|one| {
                let mut inside = Vec::new();
                validate(one, value, at, &mut inside);
                inside.is_empty()
            }),
            "required" => {
                let has = |key: &Value| value.get(key.as_str().unwrap()).is_some();
                !value.is_object() || rule.as_array().unwrap().iter().all(has)
            }
            "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= rule.as_u64().unwrap()),
            "maxItems" => value.as_array().is_none_or(|items| items.len() as u64 <= rule.as_u64().unwrap()),
            "items" => {
                let items = value.as_array().into_iter().flatten().enumerate();
                items.for_each(|(i, item)| validate(rule, item, &format!("{at}/{i}"), wrong));
                true
            }
            "$schema" | "title" | "description" | "properties" | "additionalProperties" => true,
            other => panic!("{other} is not understood"),
        };
        if !holds {
            wrong.push(format!("{at}: {keyword} {rule}"));
        }
    }
    for (key, member) in value.as_object().into_iter().flatten() {
        let here = format!("{at}/{key}");
        match (&schema["properties"][key], &schema["additionalProperties"]) {
            (Value::Null, Value::Bool(false)) => wrong.push(format!("{here} is not described")),
            (Value::Null, Value::Null | Value::Bool(true)) => {}
            (Value::Null, rule) | (rule, _) => validate(rule, member, &here, wrong),
        }
    }
}

fn is_of(value: &Value, kind: &Value) -> bool {
    match kind.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        other => panic!("{other} is no type"),
    }
}

#[test]
fn certificates_and_audit_records_are_as_their_schemas_say() {
    let (certificate, audit) = (schema("certificate-1"), schema("audit-1"));
    let jobs = [
        format!("people.csv {ROLES}"),
        format!("people.csv {ROLES} -p 2 --l-diversity recursive:3,2 --alpha 0.9 --publish-counts"),
        format!(
            "people.csv {ROLES} --missing suppress --suppressed star --intervals midpoint --suppress 40%"
        ),
        format!(
            "people.csv {ROLES} --t-closeness 0.6 --snap age=5 --keep-order --opt-out note=plain --seed 3"
        ),
        format!("people.csv {ROLES} --beta-likeness 1.5 --delta-disclosure 2@illness --alpha 0.9@illness"),
        format!("people.csv {ROLES} --notion kk --time-limit 1m --block-rows 0"),
        format!(
            "towns.csv {TOWN_ROLES} -k 2 --max-generalization location=Midwest --algorithm incognito --suppress 30%"
        ),
        format!(
            "towns.csv {TOWN_ROLES} -k 2 --cuts age=30 --set threshold=0.9 --algorithm kaca --suppress 50%"
        ),
    ];
    for job in jobs {
        let desk = Desk::with_towns().with("people.csv", PEOPLE);
        desk.done(&format!("anonymize {job} -o r.csv"));
        let read = |name: &str| serde_json::from_str::<Value>(&desk.read(name)).unwrap();
        check(&certificate, &read("r.csv.certificate.json"), &job);
        check(&audit, &read("r.csv.audit.json"), &job);
    }
}

/// Every key of a document that no schema names is an error there, so a new key must be described before it can be published.
#[test]
fn an_undescribed_key_is_noticed() {
    let desk = Desk::with_people();
    desk.done(&format!("anonymize people.csv {ROLES} -o r.csv"));
    let mut certificate: Value = serde_json::from_str(&desk.read("r.csv.certificate.json")).unwrap();
    certificate["recomputed"]["input_rows"] = 12.into();
    let mut wrong = Vec::new();
    validate(&schema("certificate-1"), &certificate, "", &mut wrong);
    assert!(!wrong.is_empty());
}

#[test]
fn the_schema_of_job_files_names_every_key() {
    let schema = schema("job-1");
    let described = |properties: &Value| -> BTreeSet<String> {
        properties.as_object().unwrap().keys().map(|k| k.replace('_', "-")).collect()
    };
    let expected = |text: &str| -> BTreeSet<String> {
        let desk = Desk::new().with("j.toml", text);
        let message = desk.refused("anonymize x.csv -o r.csv --job j.toml");
        let listed = message.split_once("expected one of").unwrap_or_else(|| panic!("{message}")).1;
        let listed = listed.lines().next().unwrap();
        listed.split(',').map(|key| key.trim().replace('_', "-")).collect()
    };
    assert_eq!(described(&schema["properties"]), expected("nonsense = 1\n"));
    let of_column = &schema["properties"]["columns"]["additionalProperties"]["properties"];
    assert_eq!(described(of_column), expected("[columns]\na = { nonsense = 1 }\n"));
}

#[test]
fn job_files_are_as_their_schema_says() {
    let shipped = format!("{}/../../data/hospital.toml", env!("CARGO_MANIFEST_DIR"));
    let full = "input = \"a.csv\"\noutput = \"r.csv\"\nk = 3\nl-diversity = [\"distinct:2\"]\nt-closeness = \"0.3:ordered\"\nalpha = 0.5\nsuppress = \"5%\"\nno_audit = true\n[columns]\nage = { role = \"quasi-identifier\", cuts = [18, 65], max_width = 20, weight = 2 }\nzip = { role = \"quasi-identifier\", hierarchy = { mask = \"right\", levels = 5 } }\n";
    let of_columns = "k = 3\nt-closeness = [0.5, \"0.3:ordered@income\"]\nalpha = [0.9, \"60%@illness\"]\nbeta_likeness = 2\ndelta-disclosure = \"1.5@illness\"\n[columns]\nillness = { role = \"sensitive\", p = 2, l_diversity = [\"distinct:2\", \"entropy:2\"], t_closeness = 0.5, alpha = 0.9, beta-likeness = [2, 3], delta_disclosure = 2 }\n";
    for text in [std::fs::read_to_string(shipped).unwrap(), full.to_owned(), of_columns.to_owned()] {
        let job: Value = toml::from_str(&text).unwrap();
        check(&schema("job-1"), &job, &text);
    }
}
