"""What the tests share. They run against whatever versions of pandas, polars and pyarrow are installed; what is not there is skipped."""

import os
import subprocess
import sys
import warnings

import pytest

import kohort

# Roles of the made-up hospital table.
ASKED = {
    "identifiers": "name",
    "person": "patient_id",
    "qi": ["birth_date", "sex", "postcode", "length_of_stay"],
    "sensitive": ["diagnosis", "procedure"],
    "rest": "drop",
    "k": 4,
    "seed": 1,
}


@pytest.fixture(scope="session")
def hospital():
    return kohort.generate("hospital", rows=400, seed=3)


@pytest.fixture
def patients(hospital):
    pytest.importorskip("pandas")
    return hospital.to_pandas()


@pytest.fixture
def asked():
    return dict(ASKED)


@pytest.fixture(autouse=True)
def warnings_are_read(recwarn):
    """A warning of Kohort fails no test by itself; those that are about warnings look at them."""
    warnings.simplefilter("ignore", kohort.KohortWarning)


def kohort_command(*words, **more):
    """Runs the command of the wheel."""
    ran = subprocess.run([sys.executable, "-m", "kohort", *map(str, words)], text=True, capture_output=True, **more)
    return ran


@pytest.fixture
def command():
    return kohort_command


@pytest.fixture(scope="session")
def environment():
    return {**os.environ, "PYTHONUNBUFFERED": "1"}
