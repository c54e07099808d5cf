"""Any frame in, the same kind of frame out, with the types that cells still can have."""

import datetime
import decimal

import pytest

import kohort

pa = pytest.importorskip("pyarrow")

ROWS = 60


def columns():
    """A column of every type that a table may have."""
    n = range(ROWS)
    day = datetime.date(2020, 1, 1)
    instant = datetime.datetime(2024, 5, 1, 13, 7, 22)
    return {
        "age": pa.array([20 + i % 30 for i in n], pa.int32()),
        "town": pa.array([["Graz", "Wien", "Linz"][i % 3] for i in n]),
        "small": pa.array([i % 5 for i in n], pa.int8()),
        "big": pa.array([2**53 + i if i % 7 else None for i in n], pa.int64()),
        "ratio": pa.array([i / 4 if i % 5 else None for i in n], pa.float64()),
        "yes": pa.array([i % 2 == 0 if i % 3 else None for i in n]),
        "day": pa.array([day + datetime.timedelta(days=i) for i in n]),
        "local": pa.array([instant + datetime.timedelta(hours=i) for i in n], pa.timestamp("us")),
        "zoned": pa.array([instant + datetime.timedelta(hours=i) for i in n], pa.timestamp("ns", "Europe/Vienna")),
        "price": pa.array([decimal.Decimal(i) / 4 for i in n], pa.decimal128(9, 2)),
        "code": pa.array([f"c{i % 4}" for i in n]).dictionary_encode(),
        "large": pa.array([f"L{i}" for i in n], pa.large_string()),
    }


KEPT = ["small", "big", "ratio", "yes", "day", "local", "zoned", "price", "code", "large"]
ASKED = {"qi": ["age", "town"], "keep": KEPT, "k": 3, "seed": 1}


def released(frame, **more):
    return kohort.anonymize(frame, **{**ASKED, **more}).data


def as_sets(table, names):
    """Rows in no order, as everything is published in an order of its own."""
    return sorted(map(repr, zip(*(table[name].to_pylist() for name in names), strict=True)))


def test_a_table_of_pyarrow_keeps_its_types():
    before = pa.table(columns())
    after = released(before)
    assert isinstance(after, pa.Table)
    for name in KEPT:
        assert after.schema.field(name).type == before.schema.field(name).type, name
    assert as_sets(after, KEPT) == as_sets(before, KEPT)
    assert pa.types.is_string(after.schema.field("age").type)


def test_nothing_of_the_schema_travels_along():
    before = pa.table(columns()).replace_schema_metadata({"source": "ward 7"})
    after = released(before)
    assert not after.schema.metadata
    assert all(not field.metadata for field in after.schema)


def test_batches_and_readers_become_tables():
    before = pa.table(columns())
    batch = before.combine_chunks().to_batches()[0]
    for given in (batch, before.to_reader(max_chunksize=7)):
        assert released(given).equals(released(before))


def test_anything_with_a_stream():
    class Mine:
        def __init__(self, table):
            self.table = table

        def __arrow_c_stream__(self, requested_schema=None):
            return self.table.__arrow_c_stream__(requested_schema)

    after = released(Mine(pa.table(columns())))
    assert isinstance(after, kohort.Table)
    assert after.to_arrow().equals(pa.table(released(pa.table(columns())).to_pydict(), schema=after.to_arrow().schema))


def test_dictionaries_hold_what_is_released_in_order():
    """Neither values of rows that are gone, nor the order of the original."""
    towns = [["Wien", "Graz", "Atlantis"][2 if i == 5 else i % 2] for i in range(ROWS)]
    table = pa.table({"age": [20 + i % 30 for i in range(ROWS)], "town": pa.array(towns).dictionary_encode(),
                      "kept": pa.array([f"k{(ROWS - i) % 7}" for i in range(ROWS)]).dictionary_encode(),
                      "ill": ["rare" if i == 5 else "flu" for i in range(ROWS)]})
    after = kohort.anonymize(table, qi=["age", "town"], keep="kept", sensitive="ill", k=3, alpha=0.99, suppress=0.2, seed=1).data
    for name in ("town", "kept"):
        values = after[name].chunk(0).dictionary.to_pylist()
        assert values == sorted(set(after[name].to_pylist()))


@pytest.mark.parametrize("kind", ["numpy", "arrow", "nullable"])
def test_pandas_keeps_its_dtypes(kind):
    pd = pytest.importorskip("pandas")
    table = pa.table(columns())
    before = {
        "numpy": lambda: table.to_pandas(),
        "arrow": lambda: table.to_pandas(types_mapper=pd.ArrowDtype),
        "nullable": lambda: table.to_pandas().convert_dtypes(),
    }[kind]()
    if kind == "numpy":
        before["big"] = table["big"].to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get)
    after = released(before)
    assert isinstance(after, pd.DataFrame)
    assert list(after.index) == list(range(ROWS))
    for name in KEPT:
        if name in ("code",) or (name == "yes" and kind == "numpy"):
            continue
        assert after[name].dtype == before[name].dtype, name
    told = ["big", "day", "price"]
    assert as_sets(pa.Table.from_pandas(after), told) == as_sets(pa.Table.from_pandas(before), told)
    assert str(after["code"].dtype).startswith(("category", "dictionary"))


def test_texts_stay_the_texts_they_were():
    pd = pytest.importorskip("pandas")
    for dtype in ("object", "string[python]", "string[pyarrow]", pd.ArrowDtype(pa.string()), pd.ArrowDtype(pa.large_string())):
        before = pd.DataFrame({"age": range(20), "town": ["Graz", "Wien"] * 10, "note": ["x"] * 20})
        before = before.astype({"town": dtype, "note": dtype})
        after = kohort.anonymize(before, qi=["age", "town"], keep="note", k=3, seed=1).data
        assert after["note"].dtype == before["note"].dtype
        assert after["town"].dtype == before["town"].dtype
        assert sorted(after["town"]) == sorted(before["town"])


def test_categories_are_those_that_are_released():
    pd = pytest.importorskip("pandas")
    before = pd.DataFrame({"age": range(20), "size": ["S", "L"] * 10, "ward": ["B", "A"] * 10})
    before["size"] = pd.Categorical(before["size"], categories=["S", "M", "L", "XL"], ordered=True)
    before["ward"] = pd.Categorical(before["ward"], categories=["C", "B", "A"])
    after = kohort.anonymize(before, qi="age", keep=["size", "ward"], k=3, seed=1).data
    assert list(after["size"].cat.categories) == ["S", "L"] and after["size"].cat.ordered
    assert list(after["ward"].cat.categories) == ["A", "B"]


HIDDEN = [
    ("decimals", lambda d: [d("1.50")] * 12, lambda d: d("1.50"), lambda d: d("123456789.50")),
    ("times", lambda d: [datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)] * 12,
     lambda d: datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc),
     lambda d: datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=9)))),
]


@pytest.mark.parametrize(("name", "shown", "one", "other"), HIDDEN)
def test_who_is_left_out_decides_no_type(name, shown, one, other):
    pd = pytest.importorskip("pandas")

    def released(hidden):
        cells = pd.Series([hidden(decimal.Decimal), *shown(decimal.Decimal)], dtype=object)
        frame = pd.DataFrame({"age": [30] * 13, "zip": [None, *["z"] * 12], "x": cells})
        made = kohort.anonymize(frame, qi=["age", "zip"], keep="x", k=4, missing="suppress", seed=1)
        return made.data, made.certificate

    (data, certificate), (others, their_certificate) = released(one), released(other)
    pd.testing.assert_frame_equal(data, others)
    assert certificate == their_certificate and certificate["asked"]["typed_by_values"]


def test_who_is_dropped_decides_no_dtype():
    pd = pytest.importorskip("pandas")
    def released(names):
        frame = pd.DataFrame({"name": names, "age": pd.array(range(12), dtype="Int64")})
        return kohort.anonymize(frame, identifiers="name", qi="age", k=4, seed=1).data
    assert released(pd.array([f"p{i}" for i in range(12)], dtype="string")).dtypes.equals(released(list(range(12))).dtypes)


def test_relations_of_duckdb_have_nothing_below_missing_decimals():
    duckdb = pytest.importorskip("duckdb")
    con = duckdb.connect()
    made = con.sql("select 20 + i // 100 as age, case when i % 2 = 0 then null else cast(i % 7 as decimal(14, 2)) end as d from range(1000) t(i)")
    after = kohort.anonymize(made, qi="age", keep="d", k=4, seed=1).data
    assert str(after.types[1]).startswith("DECIMAL(38")


def test_whole_numbers_stay_whole_where_rows_show_nothing():
    pd = pytest.importorskip("pandas")
    before = pd.DataFrame({"age": [1, 1, 1, 2, 2, 2, 99], "ill": [1, 2, 3, 1, 2, 3, 2**53 + 1]})
    after = kohort.anonymize(before, qi="age", sensitive="ill", k=3, suppress=0.2, suppressed="star", max_width={"age": 1}, seed=1).data
    assert after["ill"].dtype == "Int64" and after["ill"].isna().sum() == 1


def test_row_numbers_are_left_behind_and_other_indexes_refused():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"age": range(20), "sex": ["f", "m"] * 10})
    assert list(released_of(frame[frame.age > 4]).index) == list(range(15))
    for index in (pd.Index([f"p{i}" for i in range(20)]), pd.RangeIndex(20, name="patient"), pd.date_range("2020-01-01", periods=20)):
        with pytest.raises(kohort.InputError, match=r"reset_index\(\)"):
            released_of(frame.set_axis(index))


def released_of(frame):
    return kohort.anonymize(frame, qi=["age", "sex"], k=3, seed=1).data


@pytest.mark.parametrize("as_type", ["String", "Categorical", "Enum"])
def test_polars_keeps_its_types(as_type):
    pl = pytest.importorskip("polars")
    before = pl.from_arrow(pa.table(columns()))
    if as_type != "String":
        kind = pl.Categorical if as_type == "Categorical" else pl.Enum(["unused", "c3", "c2", "c1", "c0"])
        before = before.with_columns(pl.col("code").cast(kind))
    after = released(before)
    assert isinstance(after, pl.DataFrame)
    for name in KEPT:
        if name == "code" and as_type == "Enum":
            assert list(after["code"].dtype.categories) == ["c3", "c2", "c1", "c0"]
        else:
            assert after[name].dtype == before[name].dtype, name
    assert sorted(after["code"].cast(pl.String)) == sorted(before["code"].cast(pl.String))


def test_relations_of_duckdb():
    duckdb = pytest.importorskip("duckdb")
    people = pa.table(columns())
    con = duckdb.connect()
    con.register("people", people)
    after = released(con.sql("select * from people"))
    assert type(after).__name__ == "DuckDBPyRelation"
    assert after.aggregate("count(*) as n").fetchall() == [(ROWS,)]
    assert min(row[0] for row in after.aggregate("count(*)", "age, town").fetchall()) >= 3


def test_intervals_as_two_columns_keep_their_type():
    pd = pytest.importorskip("pandas")
    table = pa.table({"age": pa.array(range(40), pa.int16()), "seen": columns()["local"].slice(0, 40)})
    asked = {"qi": ["age", "seen"], "k": 4, "seed": 1, "intervals": "bounds"}
    types = kohort.anonymize(table, **asked).data.schema
    assert types.names == ["age_min", "age_max", "seen_min", "seen_max"]
    assert pa.types.is_integer(types.field("age_min").type) and pa.types.is_timestamp(types.field("seen_max").type)
    frame = kohort.anonymize(table.to_pandas(), **asked).data
    assert pd.api.types.is_integer_dtype(frame["age_max"].dtype) and frame["seen_min"].dtype.kind == "M"


def test_intervals_as_objects():
    pd = pytest.importorskip("pandas")
    table = pa.table({"age": list(range(40)), "born": columns()["day"].slice(0, 40), "sex": ["f", "m"] * 20})
    asked = {"qi": ["age", "born", "sex"], "k": 4, "seed": 1, "intervals": "objects"}
    plain = kohort.anonymize(table, **{**asked, "intervals": "text"}).data
    frame = kohort.anonymize(table.to_pandas(), **asked).data
    assert isinstance(frame["age"].dtype, pd.IntervalDtype) and isinstance(frame["born"].dtype, pd.IntervalDtype)
    texts = [f"[{one.left}, {one.right}]" for one in frame["age"]]
    assert sorted(texts) == sorted(plain["age"].to_pylist())
    assert kohort.verify(frame, qi=["age", "born", "sex"], k=4).k >= 4
    struct = kohort.anonymize(table, **asked).data
    assert struct["age"].to_pylist()[0].keys() == {"min", "max"}
    assert kohort.verify(struct, qi=["age", "born", "sex"], k=4).k >= 4


def test_intervals_as_objects_verify_against_the_original(hospital):
    pd = pytest.importorskip("pandas")
    frame = hospital.to_pandas()
    frame.loc[3, "length_of_stay"] = None
    frame["length_of_stay"] = frame["length_of_stay"].astype("Int64")
    asked = {"identifiers": "name", "person": "patient_id", "qi": ["birth_date", "sex", "length_of_stay"], "sensitive": "diagnosis", "rest": "drop", "k": 5, "seed": 1, "intervals": "objects"}
    made = kohort.anonymize(frame, **asked)
    assert isinstance(made.data["birth_date"].dtype, pd.IntervalDtype)
    verdict = kohort.verify(made.data, original=frame, **asked)
    assert verdict, verdict.shortfalls
    duckdb = pytest.importorskip("duckdb")
    relation = kohort.anonymize(duckdb.from_arrow(hospital.to_arrow()), **asked).data
    assert kohort.verify(relation, qi=asked["qi"], sensitive="diagnosis", k=5)


def test_ends_beyond_the_width_of_a_type_are_not_folded():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"age": pd.Series([120 + i % 8 for i in range(40)], dtype="int8")})
    after = kohort.anonymize(frame, qi="age", k=5, seed=1, intervals="bounds", snap={"age": 100}).data
    assert set(after["age_min"]) == {100} and set(after["age_max"]) == {200}


def test_mixed_objects_are_found_anywhere():
    pd = pytest.importorskip("pandas")
    cells = [datetime.date(2020, 1, 1)] * 15_000 + [datetime.datetime(2020, 1, 1, 5)] * 5
    frame = pd.DataFrame({"age": [i % 9 for i in range(15_005)], "x": pd.Series(cells, dtype=object)})
    with pytest.raises(kohort.InputError, match="date, datetime"):
        kohort.anonymize(frame, qi="age", keep="x", k=5)


def test_columns_without_any_value():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"age": [1] * 10, "none": [None] * 10, "kept": [None] * 10})
    assert kohort.anonymize(frame, qi="age", drop="none", keep="kept", k=5).data.shape == (10, 2)
    if not hasattr(pl, "Int128"):
        return
    with pytest.raises(kohort.InputError, match="128 bits"):
        kohort.anonymize(frame.with_columns(pl.col("age").cast(pl.Int128)), qi="age", rest="drop", k=5)


def test_structs_of_polars():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"age": list(range(40)), "sex": ["f", "m"] * 20})
    result = kohort.anonymize(frame, qi=["age", "sex"], k=4, seed=1, intervals="objects")
    assert result.data["age"].dtype == pl.Struct({"min": pl.Int64, "max": pl.Int64})
    assert kohort.verify(result.data, qi=["age", "sex"], k=4).k >= 4


def test_rows_that_show_nothing_have_no_interval():
    pd = pytest.importorskip("pandas")
    before = pd.DataFrame({"age": [1, 1, 1, 2, 2, 2, 99], "sex": list("fffmmmf")})
    asked = {"qi": ["age", "sex"], "k": 3, "suppress": 0.2, "suppressed": "star", "max_width": {"age": 1}, "seed": 1, "intervals": "objects"}
    after = kohort.anonymize(before, **asked).data
    assert after["age"].isna().sum() == 1


def test_a_file_is_a_table_too(tmp_path, hospital, asked):
    pandas = pytest.importorskip("pandas")
    place = tmp_path / "patients.csv"
    hospital.to_pandas().to_csv(place, index=False)
    after = kohort.anonymize(place, **asked)
    assert isinstance(after.data, kohort.Table)
    assert isinstance(after.data.to_pandas(), pandas.DataFrame)
    assert kohort.verify(after, original=place)
