"""What the documentation shows is run."""

import doctest
import importlib
import json
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest

import kohort

ROOT = pathlib.Path(__file__).resolve().parents[3]
CODE = re.compile(r"^```python\n(.*?)^```\n", re.DOTALL | re.MULTILINE)


def modules():
    # The command runs when it is imported.
    names = [one.name for one in pkgutil.iter_modules(kohort.__path__) if one.name not in ("__main__", "spark")]
    return ["kohort", *(f"kohort.{name}" for name in names if name != "_kohort")]


@pytest.mark.parametrize("name", modules())
def test_docstrings(name):
    pytest.importorskip("pandas")
    try:
        module = importlib.import_module(name)
    except ImportError as e:
        pytest.skip(str(e))
    found = doctest.testmod(module, extraglobs={"kohort": kohort}, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.failed == 0


@pytest.mark.parametrize("page", ["docs/guide/python.md", "crates/kohort-python/README.md", "README.md"])
def test_pages_run_from_top_to_bottom(page, tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    text = (ROOT / page).read_text()
    if "polars" in text:
        pytest.importorskip("polars")
    monkeypatch.chdir(tmp_path)
    blocks = CODE.findall(text)
    known = {}
    assert blocks
    for block in blocks:
        exec(compile(block, page, "exec"), known)


def test_the_notebook_is_the_page():
    ran = subprocess.run([sys.executable, ROOT / "scripts/notebook", "--check"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


def test_the_notebook_runs_in_jupyter(tmp_path):
    pytest.importorskip("nbconvert")
    pytest.importorskip("ipykernel")
    pytest.importorskip("polars")
    ran = subprocess.run(
        [sys.executable, "-m", "jupyter", "nbconvert", "--execute", "--to", "notebook", "--output-dir", tmp_path, ROOT / "docs/guide/python.ipynb"],
        capture_output=True, text=True, timeout=300,
    )
    assert ran.returncode == 0, ran.stderr
    made = json.loads((tmp_path / "python.ipynb").read_text())
    outputs = [one for cell in made["cells"] for one in cell.get("outputs", [])]
    pages = ["".join(one["data"]["text/html"]) for one in outputs if "text/html" in one.get("data", {})]
    assert any("Lost per column" in page for page in pages)
    assert not [one for one in outputs if one["output_type"] == "error"]


def test_every_argument_is_documented():
    import inspect

    from kohort._help import HELP

    assert list(HELP) == list(kohort.Options.__annotations__)
    assert "ForwardRef" not in str(inspect.signature(kohort.anonymize)) and "of a job" in (kohort.anonymize.__doc__ or "")
    for function in (kohort.anonymize, kohort.verify, kohort.Job, kohort.Anonymizer):
        assert {"qi", "k", "sensitive"} <= set(inspect.signature(function).parameters)


def test_types_are_checked_in_strict_mode(tmp_path):
    pytest.importorskip("mypy")
    user = tmp_path / "user.py"
    user.write_text(
        "import kohort\n"
        "r = kohort.anonymize('x.csv', qi=['age'], k=3, l_diversity='distinct:2', hierarchies={'age': kohort.Hierarchy.mask(2)})\n"
        "n: int = r.released\n"
        "k: int = kohort.verify(r).k\n"
        "job: kohort.Job = kohort.Job(qi='age').but(k=2)\n"
        "kohort.anonymize('x.csv', qi=5)  # type: ignore[arg-type]\n"
        "kohort.anonymize('x.csv', sensitve='x')  # type: ignore[call-arg]\n"
    )
    for target in ([user], ["-p", "kohort"]):
        ran = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--config-file", ROOT / "crates/kohort-python/pyproject.toml", *target],
            capture_output=True, text=True, cwd=tmp_path,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
