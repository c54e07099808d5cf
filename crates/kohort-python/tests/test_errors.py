"""Bad calls end with what was given, what was expected, where, and the way out, in the spelling of Python, and show no cell."""

import copy
import pickle

import pytest

import kohort

pd = pytest.importorskip("pandas")

SECRET = "Zebedee"


@pytest.fixture
def frame():
    return pd.DataFrame(
        {"name": [SECRET, *map(str, range(11))], "age": range(12), "zip": ["10013", "10021"] * 6, "ill": ["flu", "cold", "gout"] * 4}
    )


def message(call):
    with pytest.raises((kohort.KohortError, TypeError)) as caught:
        call()
    text = str(caught.value)
    assert SECRET not in text and "‹" not in text and "--" not in text
    return text


ASKED = {"identifiers": "name", "qi": ["age", "zip"], "sensitive": "ill", "k": 3}


def said(frame, **more):
    return message(lambda: kohort.anonymize(frame, **{**ASKED, **more}))


def test_unknown_columns(frame):
    text = said(frame, qi=["age", "zpi"])
    assert "no column 'zpi'" in text and "did you mean 'zip'?" in text


def test_a_column_without_a_role(frame):
    text = said(frame.assign(note="x"))
    assert "note" in text and 'rest="keep"' in text and "keep=" in text


def test_unknown_arguments(frame):
    assert "did you mean 'sensitive'" in said(frame, sensitve="ill")
    assert "did you mean 'quasi_identifiers'" in said(frame, quasi_ident=["age"])
    assert "did you mean 'seed'" in message(lambda: kohort.Job(random_state=1))


def test_named_twice(frame):
    assert "quasi_identifiers" in said(frame, quasi_identifiers=["age"])
    assert "age" in said(frame, sensitive=["age"])


@pytest.mark.parametrize(
    ("name", "value"),
    [("k", "many"), ("k", -1), ("k", 2.5), ("k", 0), ("k", None), ("p", "x"), ("suppress", 5), ("suppress", float("nan")), ("alpha", 2),
     ("l_diversity", "bogus:2"), ("algorithm", "mondrain"), ("notion", "z"), ("measure", "q"), ("intervals", "textt"), ("seed", -1),
     ("threads", "two"), ("refine", "soon"), ("time_limit", "soon"), ("missing", "ignore"), ("rest", "all"), ("type", {"age": "number"}),
     ("type", "integer"), ("columns", {"age": {"hierarhcy": "x"}}), ("snap", {"age": "a bit"}), ("qi", 5), ("qi", {"age": 1}), ("qi", [1]),
     ("levels", {"age": "x"}), ("opt_out", {"a": 1, "b": 2}), ("keep_order", "yes"), ("hierarchies", 3),
     ("hierarchies", {"zip": 3}), ("max_width", {"age": "wide"}), ("columns", {"age": 5}), ("k", object())],
)
def test_wrong_values(frame, name, value):
    text = said(frame, **{name: value})
    assert "way out" in text, text
    assert name in text or "k" in text, text


def test_k_beyond_the_rows(frame):
    with pytest.raises(kohort.UnsolvableError) as caught:
        kohort.anonymize(frame, **{**ASKED, "k": 13})
    error = caught.value
    assert error.numbers["k"] == 13 and error.numbers["rows"] == 12 and error.help


def test_a_demand_that_cannot_be_met_says_what_can(frame):
    with pytest.raises(kohort.UnsolvableError) as caught:
        kohort.anonymize(frame, **{**ASKED, "k": 4, "p": 4})
    assert "ill" in str(caught.value) and caught.value.help


def test_settings_are_those_of_the_algorithm(frame):
    asked = {"algorithm": "agglomerative"}
    assert "no-such" in said(frame, **asked, settings={"no-such": 1})
    assert "far" in said(frame, **asked, distance="far")


def test_a_hierarchy_that_misses_values(frame):
    tree = kohort.Hierarchy({"Bay": ["10013"], "Hill": ["10099"]})
    text = said(frame, hierarchies={"zip": tree})
    assert "zip" in text and "10021" in text


def test_hierarchies_of_columns_that_are_not_there(frame):
    text = said(frame, hierarchies={"zpi": kohort.Hierarchy.mask(2)})
    assert "zpi" in text


def test_a_file_that_is_not_there(frame):
    text = said(frame, hierarchies={"zip": "nowhere.csv"})
    assert "nowhere.csv" in text
    assert "nowhere.toml" in message(lambda: kohort.anonymize(frame, job="nowhere.toml"))
    assert "nowhere.csv" in message(lambda: kohort.anonymize("nowhere.csv", **ASKED))


def test_lazy_frames():
    pl = pytest.importorskip("polars")
    assert "collect()" in message(lambda: kohort.anonymize(pl.LazyFrame({"age": [1, 2]}), qi="age", k=2))


def test_other_things_than_frames(frame):
    for other in (None, 5, [1, 2], {"age": [1, 2]}, object(), frame["age"], frame.to_numpy(), iter([1])):
        text = message(lambda other=other: kohort.anonymize(other, **ASKED))
        assert "table" in text and "way out" in text


def test_empty_frames(frame):
    for empty in (frame.iloc[:0], pd.DataFrame(), frame.drop(columns=frame.columns)):
        message(lambda empty=empty: kohort.anonymize(empty, **ASKED))
    assert "no rows" in said(frame.iloc[:0])


def test_duplicate_names(frame):
    twice = frame.set_axis(["name", "age", "age", "ill"], axis=1)
    assert "'age'" in said(twice)


def test_names_that_are_no_texts():
    assert "astype(str)" in message(lambda: kohort.anonymize(pd.DataFrame({0: [1, 2], 1: [1, 2]}), qi=["0"], k=2))


def test_levels_of_names(frame):
    columns = frame.set_axis(pd.MultiIndex.from_product([["a"], frame.columns]), axis=1)
    assert "MultiIndex" in said(columns)
    rows = frame.set_index(["name", "age"])
    assert "MultiIndex" in said(rows) and "reset_index()" in said(rows)


def test_objects(frame):
    mixed = frame.assign(ill=[1, "flu", None, b"x"] * 3)
    assert "'ill'" in said(mixed) and "bytes, int, str" in said(mixed)
    for odd in (object(), lambda: None, {"a": 1}, [1, 2], {1, 2}):
        text = said(frame.assign(ill=[odd] * 12))
        assert "'ill'" in text and "astype" in text
    assert "intervals" in said(frame.assign(age=pd.arrays.IntervalArray.from_breaks(range(13))))
    assert "intervals" in said(frame.assign(age=pd.cut(frame["age"], 3)))
    sparse = said(frame.assign(ill=pd.arrays.SparseArray([SECRET] * 12, fill_value=SECRET)))
    assert "sparse.to_dense()" in sparse
    assert "periods" in said(frame.assign(age=pd.period_range("2020", periods=12, freq="M")))


def test_a_stream_that_fails_half_way():
    pa = pytest.importorskip("pyarrow")
    schema = pa.schema([("age", pa.int64())])

    def rows():
        yield pa.record_batch([pa.array([1, 2, 3])], schema=schema)
        raise OSError("the line went dead")

    reader = pa.RecordBatchReader.from_batches(schema, rows())
    text = message(lambda: kohort.anonymize(reader, qi="age", k=2))
    assert "3 rows" in text and "read_all()" in text and "dead" not in text


def test_nothing_is_written_where_something_is_wrong(frame, tmp_path):
    result = kohort.anonymize(frame, **ASKED)
    with pytest.raises(kohort.KohortError):
        result.save(tmp_path / "no" / "such" / "release.csv")
    with pytest.raises(kohort.KohortError):
        result.save(tmp_path / "release.xlsx")
    assert list(tmp_path.iterdir()) == []


def test_errors_can_be_sent_around(frame):
    with pytest.raises(kohort.InputError) as caught:
        kohort.anonymize(frame, **{**ASKED, "qi": ["nope"]})
    for again in (pickle.loads(pickle.dumps(caught.value)), copy.copy(caught.value)):
        assert str(again) == str(caught.value) and again.where == caught.value.where
    assert isinstance(caught.value, ValueError) and type(caught.value).__module__ == "kohort"


def test_warnings_point_at_the_caller(frame):
    with pytest.warns(kohort.KohortWarning, match="age") as caught:
        kohort.anonymize(frame, identifiers="name", qi="zip", sensitive="ill", rest="keep", k=3)
    assert all(one.filename == __file__ for one in caught)


def test_ways_out_can_be_typed(frame):
    """What a message says between the brackets of a call is Python."""
    text = said(frame.assign(note="x", more="y"))
    calls = [word.strip(",;.") for word in text.replace(", ", ",").split() if "=" in word and word[0].isalpha()]
    assert calls
    for call in calls:
        compile(f"f({call})", "message", "eval")


def test_progress_is_a_function(frame):
    assert "a function of stage" in said(frame, progress="yes")


def test_every_way_to_publish_intervals_is_named(frame):
    assert "'objects'" in said(frame, intervals="bound")


def test_ways_out_are_said_once(frame):
    text = said(frame, hierarchies={"zip": kohort.Hierarchy.public("country")})
    assert text.count("way out") == 1 and "countries" in text


def test_whole_numbers_with_missing_cells_are_found_in_hierarchies(frame):
    ages = frame["age"].astype(float)
    ages[0] = float("nan")
    tree = kohort.Hierarchy({"young": map(str, range(6)), "old": map(str, range(6, 12))})
    asked = {**ASKED, "hierarchies": {"age": tree}}
    assert set(kohort.anonymize(frame.assign(age=ages), **asked).data["age"]) <= {"young", "old", "*", *map(str, range(12))}


def test_verify_needs_to_know_columns(frame):
    assert "certificate=" in message(lambda: kohort.verify(frame))
    assert "nowhere.json" in message(lambda: kohort.verify(frame, certificate="nowhere.json"))
