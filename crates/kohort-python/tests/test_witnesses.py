"""Programs of others: pycanon counts what our releases achieve, and what anjana releases is verified."""

import pytest

import kohort

pd = pytest.importorskip("pandas")
pycanon = pytest.importorskip("pycanon.anonymity")


@pytest.fixture(scope="module")
def people(hospital):
    frame = hospital.to_pandas()[["birth_date", "sex", "postcode", "length_of_stay", "diagnosis"]]
    # Few illnesses, so that every demand can be met.
    frame["diagnosis"] = [["flu", "cold", "gout", "asthma"][ord(text[1]) % 4] for text in frame["diagnosis"]]
    return frame


QI = ["birth_date", "sex", "postcode", "length_of_stay"]
SENSITIVE = ["diagnosis"]

DEMANDS = {
    "k": {"k": 7},
    "l": {"k": 4, "l_diversity": "distinct:3"},
    "entropy": {"k": 4, "l_diversity": "entropy:2"},
    "alpha": {"k": 4, "alpha": 0.5},
    "t": {"k": 4, "t_closeness": 0.3},
    "beta": {"k": 4, "beta_likeness": 1.5},
    "delta": {"k": 4, "delta_disclosure": 1.5},
    "intervals": {"k": 4, "p": 2, "intervals": "bounds"},
}


@pytest.mark.parametrize("name", DEMANDS)
def test_another_program_counts_the_same(name, people):
    asked = DEMANDS[name]
    release = kohort.anonymize(people, qi=QI, sensitive=SENSITIVE, seed=1, **asked)
    frame, achieved = release.data.astype(str), release.achieved
    columns = [column for column in frame if column not in SENSITIVE]
    assert pycanon.k_anonymity(frame, columns) == achieved["k"] >= asked["k"]
    assert pycanon.l_diversity(frame, columns, SENSITIVE) == achieved["l_distinct"]["diagnosis"]
    alpha, k = pycanon.alpha_k_anonymity(frame, columns, SENSITIVE)
    assert k == achieved["k"] and alpha == pytest.approx(achieved["alpha"]["diagnosis"])
    assert pycanon.t_closeness(frame, columns, SENSITIVE) == pytest.approx(achieved["t"]["diagnosis"])
    assert pycanon.basic_beta_likeness(frame, columns, SENSITIVE) == pytest.approx(achieved["beta"]["diagnosis"])
    delta = achieved["delta"]["diagnosis"]
    if delta is not None:
        assert pycanon.delta_disclosure(frame, columns, SENSITIVE) == pytest.approx(delta, abs=1e-3)
    if "t_closeness" in asked:
        assert pycanon.t_closeness(frame, columns, SENSITIVE) <= 0.3 + 1e-12
    if "alpha" in asked:
        assert alpha <= 0.5
    if "beta_likeness" in asked:
        assert pycanon.basic_beta_likeness(frame, columns, SENSITIVE) <= 1.5
    if "delta_disclosure" in asked:
        assert pycanon.delta_disclosure(frame, columns, SENSITIVE) < 1.5


def test_releases_of_anjana_are_verified(people):
    anjana = pytest.importorskip("anjana.anonymity")
    frame = people[["sex", "length_of_stay", "diagnosis"]].copy()
    ages = frame["length_of_stay"]
    hierarchies = {
        "length_of_stay": {0: ages.values, 1: [f"[{10 * (n // 10)}, {10 * (n // 10 + 1)})" for n in ages], 2: ["*"] * len(ages)},
        "sex": {0: frame["sex"].values, 1: ["*"] * len(frame)},
    }
    released = anjana.k_anonymity(frame, [], ["sex", "length_of_stay"], 5, 20, hierarchies)
    verdict = kohort.verify(released.reset_index(drop=True), qi=["sex", "length_of_stay"], sensitive="diagnosis", k=5)
    assert verdict and verdict.k == pycanon.k_anonymity(released, ["sex", "length_of_stay"])


def test_releases_in_the_style_of_arx_are_verified():
    released = pd.DataFrame({"age": ["[20, 30["] * 3 + ["[30, 40["] * 3 + ["*"] * 2, "zip": ["81***"] * 6 + ["*"] * 2, "ill": list("abcabc") + ["", ""]})
    verdict = kohort.verify(released, qi=["age", "zip"], sensitive="ill", k=3, p=3, suppress=0.5)
    assert verdict.k == 3 and verdict.p == {"ill": 3} and verdict["released"] == 6
