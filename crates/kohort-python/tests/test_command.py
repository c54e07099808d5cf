"""The command and the package are one program: the same job and seed give the same release, byte for byte where formats allow."""

import json

import pytest

import kohort

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

QI = ["birth_date", "sex", "postcode", "length_of_stay"]
WHOLE_COLUMNS = {"admission_date": "month/year"}

# Every demand, in the words of both.
DEMANDS = {
    "k": {},
    "p": {"p": 2},
    "distinct": {"l_diversity": "distinct:2"},
    "entropy": {"l_diversity": "entropy:1.5"},
    "recursive": {"l_diversity": "recursive:3,2@diagnosis"},
    "alpha": {"alpha": 0.7},
    "t": {"t_closeness": "0.6@diagnosis"},
    "beta": {"beta_likeness": "30@diagnosis"},
    "delta": {"delta_disclosure": "8@sort"},
    "suppression": {"suppress": "10%", "suppressed": "star"},
    "width": {"max_width": {"length_of_stay": 20}, "suppress": 0.5},
    "opt-out": {"opt_out": "procedure=Chemotherapy"},
    "intervals": {"intervals": "bounds", "snap": {"length_of_stay": 5}},
    "order": {"keep_order": True},
}
NOTIONS = {"1k": "kk", "k1": "k1", "kk": "kk", "global-1k": "global-1k"}


@pytest.fixture(scope="module")
def table(hospital, tmp_path_factory):
    """A table in memory and in a file."""
    rows = hospital.to_arrow().select([*QI, "diagnosis", "procedure"]).slice(0, 120)
    sort = [text[:1] < "J" for text in rows["diagnosis"].to_pylist()]
    rows = rows.append_column("sort", pa.array(["early" if one else "late" for one in sort]))
    folder = tmp_path_factory.mktemp("table")
    place = folder / "patients.parquet"
    pq.write_table(rows, place)
    trees = folder / "trees"
    trees.mkdir()
    hospital.hierarchies["postcode"].save(trees / "postcode.csv")
    return rows, place, trees


def flags(asked):
    """Arguments as flags."""
    words = []
    for name, value in asked.items():
        flag = {"k": "-k", "p": "-p"}.get(name, "--" + name.replace("_", "-"))
        if value is True:
            words.append(flag)
        elif isinstance(value, dict):
            words += [word for column, one in value.items() for word in (flag, f"{column}={one}")]
        elif isinstance(value, (list, tuple)):
            words += [flag, ",".join(map(str, value))]
        else:
            words += [flag, str(value)]
    return words


def same(table, tmp_path, command, asked):
    """Runs both, and compares everything."""
    rows, place, trees = table
    asked = {"qi": QI, "sensitive": ["diagnosis", "procedure", "sort"], "k": 4, "seed": 7, **asked}
    theirs = tmp_path / "command.parquet"
    ran = command("anonymize", place, "-o", theirs, "--json", "--hierarchies", trees, *flags(asked))
    try:
        result = kohort.anonymize(rows, hierarchies=str(trees), **asked)
    except kohort.KohortError as e:
        assert ran.returncode == {"unsolvable": 3, "job": 2, "input": 2}[e.kind], ran.stderr
        return e.kind
    assert ran.returncode == 0, ran.stderr
    ours = tmp_path / "package.parquet"
    result.save(ours)
    assert ours.read_bytes() == theirs.read_bytes()
    certificate = ".certificate.json"
    assert (tmp_path / ("package.parquet" + certificate)).read_bytes() == (tmp_path / ("command.parquet" + certificate)).read_bytes()
    told = json.loads(ran.stdout)
    for name in ("seconds", "peak_rss_mb"):
        told.pop(name, None)
    for name, value in result.summary.items():
        assert told[name] == value, name
    verdict = kohort.verify(ours)
    assert verdict, verdict.shortfalls
    return "released"


ALGORITHMS = [one["name"] for one in kohort.list()["algorithms"]]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm(algorithm, table, tmp_path, command):
    found = [same(table, tmp_path, command, {"algorithm": algorithm})]
    if found == ["job"]:
        # Those of the weaker notions ask for theirs.
        found = [same(table, tmp_path, command, {"algorithm": algorithm, "notion": notion}) for notion in NOTIONS]
    if "released" not in found:
        found = [same(table, tmp_path, command, {"algorithm": algorithm, "p": 2})]
    if "released" not in found:
        # Those that look at all tuples take few columns.
        few = {"qi": ["sex", "postcode"], "rest": "drop", "algorithm": algorithm}
        found = [same(table, tmp_path, command, {**few, "notion": notion}) for notion in NOTIONS]
    assert "released" in found


@pytest.mark.parametrize("name", DEMANDS)
def test_every_demand(name, table, tmp_path, command):
    assert same(table, tmp_path, command, DEMANDS[name]) == "released"


@pytest.mark.parametrize("notion", NOTIONS)
def test_every_notion(notion, table, tmp_path, command):
    assert same(table, tmp_path, command, {"notion": notion}) == "released"


@pytest.mark.parametrize("measure", [one["name"] for one in kohort.list()["measures"]])
def test_every_measure(measure, table, tmp_path, command):
    assert same(table, tmp_path, command, {"measure": measure, "algorithm": "mondrian"}) == "released"


@pytest.mark.parametrize("ending", ["csv", "tsv", "csv.gz", "csv.zst", "jsonl", "parquet", "arrow"])
def test_every_format(ending, table, tmp_path, command):
    rows, place, trees = table
    asked = {"qi": QI, "sensitive": "diagnosis", "rest": "drop", "k": 4, "seed": 7}
    theirs, ours = tmp_path / f"command.{ending}", tmp_path / f"package.{ending}"
    ran = command("anonymize", place, "-o", theirs, "--quiet", "--hierarchies", trees, *flags(asked))
    assert ran.returncode == 0, ran.stderr
    kohort.anonymize(rows, hierarchies=trees, **asked).save(ours)
    assert ours.read_bytes() == theirs.read_bytes()


def test_job_files_mean_the_same(table, tmp_path, command):
    rows, place, trees = table
    job = kohort.Job(qi=QI, sensitive="diagnosis", rest="drop", k=5, p=2, seed=3, weight={"sex": 2},
                     hierarchies={"postcode": kohort.Hierarchy.mask(3)}, refine=False)
    job.save(tmp_path / "job.toml")
    theirs = tmp_path / "command.csv"
    ran = command("anonymize", place, "--job", tmp_path / "job.toml", "-o", theirs, "--quiet")
    assert ran.returncode == 0, ran.stderr
    kohort.anonymize(rows, job=job).save(tmp_path / "package.csv")
    assert (tmp_path / "package.csv").read_bytes() == theirs.read_bytes()


def test_the_real_command_comes_along(command, tmp_path):
    assert command("--version").stdout.strip() == f"kohort {kohort.__version__}"
    assert command("anonymize", "nowhere.csv").returncode == 2
    assert "Usage: kohort" in command("--help").stdout
    made = command("generate", "hospital", "--rows", "50", "-o", tmp_path / "p.csv")
    assert made.returncode == 0
    short = command("verify", tmp_path / "p.csv", "--qi", "sex", "-k", "40", "--rest", "keep")
    assert short.returncode == 1 and "not met" in short.stderr
