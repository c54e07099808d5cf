"""Everything that is neither a frame nor an error: jobs, trees, proposals, growing tables, what is asked of a release."""

import json
import os
import stat

import pytest

import kohort

pd = pytest.importorskip("pandas")


@pytest.fixture
def release(patients, asked):
    return kohort.anonymize(patients, **asked)


def test_a_result_has_everything(release, patients):
    assert release.rows == release.released == len(patients) and release.suppressed == release.opted_out == 0
    assert release.achieved["k"] >= 4 and release.classes > 1 and release.seed == 1 and release.notion == "k"
    assert 0 < release.loss["il"] < 1 and set(release.loss["per_column"]) == {"birth_date", "sex", "postcode", "length_of_stay"}
    assert release.lower_bound["gap"] >= 1
    assert release.certificate["asked"]["models"][0] == {"model": "k-anonymity", "k": 4}
    assert release.audit["document"] == "kohort audit record" or "audit" in release.audit["document"]
    assert {"read", "solve", "verify"} <= set(release.seconds) and not release.interrupted
    assert [one["name"] for one in release.columns] == list(patients.columns)


def test_public_documents_do_not_depend_on_the_original(release):
    assert json.dumps(release.certificate).find('"il"') < 0 and "seed" not in release.certificate


def test_the_same_seed_gives_the_same_release(patients, asked):
    one, two = (kohort.anonymize(patients, **asked, threads=n).data for n in (1, 2))
    pd.testing.assert_frame_equal(one, two)


def test_none_is_the_same_as_nothing_said(release, patients, asked):
    nothing = {name: None for name in kohort.Options.__annotations__ if name not in asked and name != "quasi_identifiers"}
    pd.testing.assert_frame_equal(kohort.anonymize(patients, **asked, **nothing).data, release.data)


def test_quasi_identifiers_have_a_long_name(release, patients, asked):
    asked["quasi_identifiers"] = asked.pop("qi")
    pd.testing.assert_frame_equal(kohort.anonymize(patients, **asked).data, release.data)


def test_numbers_of_other_libraries_are_numbers(release, patients, asked):
    numpy = pytest.importorskip("numpy")
    asked |= {"k": numpy.int64(4), "seed": numpy.uint8(1), "qi": numpy.array(asked["qi"])}
    pd.testing.assert_frame_equal(kohort.anonymize(patients, **asked).data, release.data)


def test_saving_is_all_or_nothing_and_private_parts_are_private(release, tmp_path):
    release.save(tmp_path / "r.csv", certificate=tmp_path / "c.json", audit=tmp_path / "a.json")
    assert sorted(os.listdir(tmp_path)) == ["a.json", "c.json", "r.csv"]
    assert stat.S_IMODE((tmp_path / "a.json").stat().st_mode) == 0o600
    assert kohort.verify(tmp_path / "r.csv", certificate=tmp_path / "c.json")
    release.save(tmp_path / "n.csv", no_audit=True)
    assert not (tmp_path / "n.csv.audit.json").exists()


def test_verify_by_certificate_by_job_and_by_arguments(release, patients, asked):
    by_certificate = kohort.verify(release.data, certificate=release.certificate)
    assert by_certificate and by_certificate.k == release.achieved["k"]
    assert by_certificate["certificate"]["sha256"] in ("same", "not-checked")
    assert kohort.verify(release)["certificate"]["sha256"] == "same"
    assert kohort.verify(release.data, qi=asked["qi"], sensitive=asked["sensitive"], k=4)
    with_original = kohort.verify(release, original=patients)
    assert with_original and with_original.loss["il"] == pytest.approx(release.loss["il"])


def test_what_was_changed_is_noticed(release, patients):
    worse = release.data.copy()
    worse.loc[0, "sex"] = "Other"
    verdict = kohort.verify(worse, certificate=release.certificate)
    assert not verdict and verdict.k == 1 and any("k = 4" in one for one in verdict.shortfalls)
    with pytest.raises(kohort.ViolationError, match="k = 4"):
        verdict.check()
    swapped = release.data.copy()
    swapped["diagnosis"] = list(reversed(swapped["diagnosis"]))
    assert not kohort.verify(swapped, original=patients, qi=["birth_date", "sex", "postcode", "length_of_stay"],
                             sensitive=["diagnosis", "procedure"], k=4)


def test_a_verdict_is_a_mapping_with_attributes(release):
    verdict = kohort.verify(release)
    assert verdict["achieved"]["k"] == verdict.achieved["k"] == verdict.k == dict(verdict)["achieved"]["k"]
    assert verdict.l_entropy["diagnosis"] > 0 and len(verdict) == len(list(verdict))
    with pytest.raises(AttributeError, match="no 'm'"):
        _ = verdict.m


def test_jobs_are_kept_changed_and_read(tmp_path, patients, asked, release):
    job = kohort.Job(**asked, type={"length_of_stay": "integer"})
    assert kohort.anonymize(patients, job=job).data.equals(release.data)
    job.save(tmp_path / "job.toml")
    assert kohort.Job.read(tmp_path / "job.toml") == job and os.listdir(tmp_path) == ["job.toml"]
    assert job.but(k=9).to_dict()["k"] == 9 and job.to_dict()["k"] == 4
    assert kohort.anonymize(patients, job=tmp_path / "job.toml", k=6).achieved["k"] >= 6
    assert "k = 4" in repr(job) and job != job.but(k=5)


def test_jobs_are_saved_with_their_trees(tmp_path, patients, hospital, asked):
    job = kohort.Job(**asked, hierarchies={"postcode": hospital.hierarchies["postcode"]})
    job.save(tmp_path / "job.toml")
    again = kohort.Job.read(tmp_path / "job.toml")
    assert kohort.anonymize(patients, job=again).data.equals(kohort.anonymize(patients, job=job).data)


def test_saved_jobs_mean_the_same_in_any_folder(tmp_path, monkeypatch, patients, asked, hospital):
    (tmp_path / "here" / "trees").mkdir(parents=True)
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    hospital.hierarchies["postcode"].save("trees/postcode.csv")
    job = kohort.Job(**asked, hierarchies="trees")
    job.save(tmp_path / "there" / "job.toml")
    monkeypatch.chdir("/")
    again = kohort.anonymize(patients, job=tmp_path / "there" / "job.toml")
    monkeypatch.chdir(tmp_path / "here")
    assert again.loss == kohort.anonymize(patients, job=job).loss


def test_columns_do_not_share_a_file(tmp_path):
    frame = pd.DataFrame({name: ["x", "y"] * 4 for name in ("a/b", "a_b", "A_B", "..")})
    trees = {name: kohort.Hierarchy({name: ["x", "y"]}) for name in frame}
    job = kohort.Job(qi=list(frame), k=2, hierarchies=trees)
    job.save(tmp_path / "job.toml")
    assert len(list((tmp_path / "job.hierarchies").iterdir())) == 4
    assert kohort.anonymize(frame, job=kohort.Job.read(tmp_path / "job.toml")).loss == kohort.anonymize(frame, job=job).loss


def test_trees_of_all_kinds_are_the_same_tree(tmp_path):
    from_top = kohort.Hierarchy({"A": {"A1": ["a", "b"]}, "B": {"B1": ["c"]}})
    from_values = kohort.Hierarchy([["a", "A1", "A", "*"], ["b", "A1", "A", "*"], ["c", "B1", "B", "*"]])
    from_rows = kohort.Hierarchy.from_columns(pd.DataFrame({"x": ["a", "b", "c"], "y": ["A1", "A1", "B1"], "z": ["A", "A", "B"]}), ["x", "y", "z"])
    assert sorted(from_top.paths()) == sorted(from_values.paths()) == sorted(from_rows.paths())
    for ending in ("csv", "txt", "json"):
        from_top.save(tmp_path / f"t.{ending}")
        assert sorted(kohort.Hierarchy.read(tmp_path / f"t.{ending}").paths()) == sorted(from_top.paths())
    assert from_top.height == 3 and sorted(from_top.values) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("recipe", "values", "value", "path"),
    [
        (kohort.Hierarchy.mask(2), ["123", "124"], "123", ["123", "12*", "1**", "*"]),
        (kohort.Hierarchy.mask(1, "left"), ["123", "124"], "123", ["123", "*23", "*"]),
        (kohort.Hierarchy.ranges(5, 10), [1, 7, 12], "7", ["7", "[5, 9]", "[0, 9]", "*"]),
        (kohort.Hierarchy.dates("month/year"), ["2020-01-31"], "2020-01-31", ["2020-01-31", "2020-01", "2020", "*"]),
    ],
)
def test_recipes_build_trees(recipe, values, value, path):
    assert recipe.of(values).path(value) == path


def test_hierarchies_may_be_said_in_many_ways(patients, asked, hospital, tmp_path):
    tree = hospital.hierarchies["postcode"]
    tree.save(tmp_path / "postcode.csv")
    nested = {"*": {path[-2]: {} for path in tree.paths()}}
    del nested
    ways = [{"postcode": tree}, {"postcode": tmp_path / "postcode.csv"}, tmp_path, str(tmp_path)]
    losses = {kohort.anonymize(patients, **asked, hierarchies=way).loss["il"] for way in ways}
    assert len(losses) == 1
    for way in ({"postcode": kohort.Hierarchy.mask(3)}, {"postcode": {"mask": "right", "levels": 3}}):
        losses.add(kohort.anonymize(patients, **asked, hierarchies=way).loss["il"])
    assert len(losses) == 2


def test_init_proposes_a_job_that_runs(patients, tmp_path):
    proposal = kohort.init(patients)
    assert proposal.roles["name"] == "identifier" and proposal.roles["birth_date"] == "quasi-identifier"
    assert kohort.verify(kohort.anonymize(patients, job=proposal.job))
    proposal.save(tmp_path / "job.toml")
    read = kohort.Job.read(tmp_path / "job.toml")
    assert kohort.verify(kohort.anonymize(patients, job=read)) and "#" in (tmp_path / "job.toml").read_text()
    assert "name says" in repr(proposal) and "<table>" in proposal._repr_html_()
    assert "Zimmer" not in proposal.text


def test_trees_that_stand_in_the_table_come_with_the_proposal(tmp_path):
    n = range(600)
    frame = pd.DataFrame({"age": [20 + i % 50 for i in n], "commune": [f"c{i % 60:02}" for i in n],
                          "county": [f"k{i % 60 // 10}" for i in n], "diagnosis": [["flu", "gout", "cold"][i % 3] for i in n]})
    proposal = kohort.init(frame)
    proposal.save(tmp_path / "job.toml")
    kohort.anonymize(frame, job=kohort.Job.read(tmp_path / "job.toml"))
    kohort.anonymize(frame, job=proposal.job)


def test_growing_tables(patients, tmp_path):
    asked = {"identifiers": "name", "person": "patient_id", "qi": ["birth_date", "sex", "ward"], "sensitive": "diagnosis", "rest": "drop", "k": 4, "seed": 1}
    ledger = tmp_path / "l.ledger"
    first = kohort.append(patients[:200], ledger=ledger, output=tmp_path / "1.csv", **asked)
    second = kohort.append(patients[200:], ledger=ledger, output=tmp_path / "2.csv")
    assert isinstance(second.data, pd.DataFrame) and second.growth["release"] == 2
    assert len(second.data) >= len(first.data) and kohort.verify(tmp_path / "2.csv")
    found = kohort.risk([tmp_path / "1.csv", tmp_path / "2.csv"], qi=asked["qi"], sensitive="diagnosis", k=4)
    assert found["met"]
    with pytest.raises(kohort.InputError):
        kohort.append(patients[200:], ledger=ledger, output=tmp_path / "3.csv")
    assert not (tmp_path / "3.csv").exists()


def test_the_release_of_a_growing_table_is_what_the_file_holds(patients, tmp_path):
    asked = {"person": "patient_id", "qi": ["birth_date", "sex"], "sensitive": "diagnosis", "rest": "drop", "k": 4, "seed": 1}
    for at, frame in enumerate((patients, pytest.importorskip("pyarrow").Table.from_pandas(patients))):
        made = kohort.append(frame, ledger=tmp_path / f"{at}.ledger", output=tmp_path / f"{at}.csv", **asked)
        held = pd.read_csv(tmp_path / f"{at}.csv", dtype=str)
        assert held.to_dict("list") == made.table.to_pandas().astype(str).to_dict("list")


def test_bound_and_explain(release, patients, asked):
    found = kohort.bound(patients, **asked)
    assert found["bound"] <= release.loss["il"] and found["measure"] == "il"
    why = kohort.explain(release, original=patients, quick_rows=200)
    assert {one["name"] for one in why["columns"]} == set(asked["qi"])
    row = kohort.explain(release.data, original=patients, row=3, **asked)["row"]
    assert row


def test_risk_of_two_releases_that_do_not_belong_together(patients, asked):
    asked |= {"qi": ["birth_date", "sex"], "sensitive": "diagnosis"}
    one = kohort.anonymize(patients[:200], **asked)
    two = kohort.anonymize(patients[:201], **asked)
    found = kohort.risk({"march": one, "april": two.data}, qi=asked["qi"], sensitive="diagnosis", k=4)
    assert [release["name"] if isinstance(release, dict) else release for release in found["releases"]]
    with pytest.raises(kohort.JobError, match="list of releases"):
        kohort.risk(one, qi=["sex"], k=2)


def test_a_proposal_is_a_job(patients):
    proposal = kohort.init(patients)
    assert kohort.anonymize(patients, job=proposal).data.equals(kohort.anonymize(patients, job=proposal.job).data)
    assert "k = " in repr(proposal) and "quick run" in repr(proposal)
    with pytest.raises(kohort.JobError, match="kohort.Job"):
        kohort.anonymize(patients, job=5)


def test_private_files_are_private(tmp_path, patients, hospital, asked):
    job = kohort.Job(**asked, hierarchies={"postcode": hospital.hierarchies["postcode"]})
    job.save(tmp_path / "job.toml")
    kohort.init(patients).save(tmp_path / "proposed.toml")
    places = [place for place in tmp_path.rglob("*") if place.is_file()]
    assert len(places) >= 3 and all(stat.S_IMODE(place.stat().st_mode) == 0o600 for place in places)


def test_what_a_person_must_hear_is_shown(patients, asked, tmp_path):
    made = kohort.anonymize(patients, **{**asked, "sensitive": "diagnosis", "k": 2})
    assert made.notes and all(one in repr(made) for one in made.notes)
    grow = {"person": "patient_id", "qi": ["sex", "ward"], "sensitive": "diagnosis", "rest": "drop", "k": 4, "seed": 1}
    kohort.append(patients[:300], ledger=tmp_path / "l", output=tmp_path / "1.csv", **grow)
    with pytest.warns(kohort.KohortWarning, match="wait"):
        kohort.append(patients[300:302], ledger=tmp_path / "l", output=tmp_path / "2.csv")


def test_risk_knows_what_results_were_asked(patients, asked):
    made = [kohort.anonymize(patients[:n], **asked) for n in (300, 301)]
    assert "met" in kohort.risk(made)


def test_lists():
    found = kohort.list()
    assert {"algorithms", "measures", "models"} <= set(found)


def test_html_says_what_was_asked_achieved_and_lost(release, patients):
    page = release._repr_html_()
    assert "k = 4" in page and "Lost per column" in page and "postcode" in page and "<script" not in page
    assert "Original" not in page
    with_rows = release.to_html(patients)
    assert "Original (private" in with_rows
    names = set(patients["name"])
    assert not any(name in with_rows for name in names)
    assert "Achieved" in kohort.verify(release)._repr_html_()


def test_html_shows_texts_as_texts():
    frame = pd.DataFrame({"age": [1, 1, 2, 2], "<b>x": ["<script>alert(1)</script>"] * 4})
    page = kohort.anonymize(frame, qi="age", keep="<b>x", k=2)._repr_html_()
    assert "<script" not in page and "<b>x" not in page


def test_reprs_are_short(release):
    assert "k = 4" in repr(release) and len(repr(release).splitlines()) < 20
    assert repr(kohort.verify(release)).startswith("<kohort.Verdict: met")


class TestAnonymizer:
    ASKED = {"identifiers": "name", "person": "patient_id", "qi": ["birth_date", "sex", "length_of_stay"], "sensitive": "diagnosis", "rest": "drop", "k": 4, "seed": 1}

    def test_it_is_anonymize(self, patients):
        step = kohort.Anonymizer(**self.ASKED)
        assert step.fit_transform(patients).equals(kohort.anonymize(patients, **self.ASKED).data)
        assert step.transform(patients) is step.result_.data
        assert list(step.get_feature_names_out()) == list(step.result_.data.columns)

    def test_other_rows_cannot_join(self, patients):
        step = kohort.Anonymizer(**self.ASKED).fit(patients[:300])
        with pytest.raises(kohort.JobError, match="ledger"):
            step.transform(patients[300:])

    def test_a_ledger_makes_the_next_release(self, patients, tmp_path):
        step = kohort.Anonymizer(**self.ASKED, ledger=tmp_path / "l", output=tmp_path / "release.csv")
        first = step.fit_transform(patients[:200])
        second = step.transform(patients[200:])
        assert len(second) >= len(first) and (tmp_path / "release-2.csv").exists()

    def test_a_target_keeps_its_rows(self, patients):
        y = list(range(len(patients)))
        with pytest.raises(kohort.JobError, match="keep_order"):
            kohort.Anonymizer(**self.ASKED).fit_transform(patients, y)
        step = kohort.Anonymizer(**self.ASKED, keep_order=True, suppressed="star")
        assert list(step.fit_transform(patients, y)["diagnosis"]) == list(patients["diagnosis"])

    def test_in_a_pipeline_of_scikit_learn(self, patients):
        pipeline = pytest.importorskip("sklearn.pipeline")
        from sklearn.base import clone
        from sklearn.preprocessing import OneHotEncoder

        step = kohort.Anonymizer(**{**self.ASKED, "keep_order": True, "suppressed": "star"})
        assert clone(step).get_params() == step.get_params()
        made = pipeline.make_pipeline(clone(step).set_params(k=5), OneHotEncoder(handle_unknown="ignore"))
        assert made.fit_transform(patients).shape[0] == len(patients)
        assert made[0].result_.achieved["k"] >= 5
        repr(made), made._repr_html_()

    def test_unknown_parameters(self):
        with pytest.raises(TypeError, match="did you mean 'seed'"):
            kohort.Anonymizer(random_state=1)


def test_batches_may_come_from_other_libraries(patients, tmp_path):
    pa = pytest.importorskip("pyarrow")
    asked = {"person": "patient_id", "qi": ["birth_date", "sex"], "sensitive": "diagnosis", "rest": "drop", "k": 4, "seed": 1}
    columns = ["patient_id", "birth_date", "sex", "diagnosis"]
    kohort.append(patients[columns][:200], ledger=tmp_path / "l", output=tmp_path / "1.csv", **asked)
    rest = pa.Table.from_pandas(patients[columns][200:], preserve_index=False)
    rest = rest.set_column(0, "patient_id", rest["patient_id"].cast(pa.int32()))
    rest = rest.set_column(2, "sex", rest["sex"].cast(pa.large_string()))
    assert kohort.append(rest, ledger=tmp_path / "l", output=tmp_path / "2.csv").growth["release"] == 2
    with pytest.raises(kohort.JobError, match="bounds"):
        kohort.append(patients, ledger=tmp_path / "m", output=tmp_path / "3.csv", intervals="objects", **asked)
    assert not (tmp_path / "m").exists()


def test_jobs_and_trees_can_be_copied_and_sent(patients, asked, hospital):
    import copy
    import pickle

    tree = hospital.hierarchies["postcode"]
    job = kohort.Job(**asked, hierarchies={"postcode": tree})
    for again in (copy.deepcopy(job), pickle.loads(pickle.dumps(job))):
        assert again == job
    assert pickle.loads(pickle.dumps(kohort.Hierarchy.mask(2))) == kohort.Hierarchy.mask(2)
    base = pytest.importorskip("sklearn.base")
    assert base.clone(kohort.Anonymizer(job=job)).job == job


def test_trees_of_columns_have_the_cells_of_jobs():
    frame = pd.DataFrame({"seen": pd.to_datetime(["2020-01-05 10:00", "2020-01-06 11:00"] * 4), "yes": [True, False] * 4, "n": pd.array([1, None] * 4, dtype="Int64")})
    trees = {"seen": kohort.Hierarchy.mask(2).of(frame["seen"]), "yes": kohort.Hierarchy.mask(2).of(frame["yes"]), "n": kohort.Hierarchy.mask(1).of(frame["n"])}
    assert kohort.anonymize(frame, qi=["seen", "yes", "n"], hierarchies=trees, k=2, seed=1).achieved["k"] >= 2
