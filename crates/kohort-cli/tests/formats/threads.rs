//! The number of threads changes nothing but the time.

use crate::common::Desk;

#[test]
fn one_thread_and_two_give_the_same_bytes() {
    let desk = Desk::new();
    desk.done("generate census --rows 3000 -o t.csv --hierarchies trees");
    let qi = "--rest keep --qi age,sex,education,occupation,postcode --sensitive income,health_condition --identifier person_id";
    for algorithm in ["k-member", "mondrian", "mondrian --set cut=relaxed"] {
        for p in ["", "-p 2"] {
            for seed in [0, 5] {
                let release = |threads: u32| {
                    desk.done(&format!(
                        "anonymize t.csv -o r.csv {qi} --hierarchies trees -k 7 {p} --algorithm {algorithm} --seed {seed} --threads {threads} --quiet"
                    ));
                    (desk.read("r.csv"), desk.read("r.csv.certificate.json"))
                };
                assert!(release(1) == release(2), "{algorithm} {p} seed {seed}");
            }
        }
    }
}
