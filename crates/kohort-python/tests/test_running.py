"""Threads, forks, interrupts and progress."""

import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import kohort

ASKED = {"identifiers": "name", "person": "patient_id", "qi": ["birth_date", "sex", "postcode"], "sensitive": "diagnosis", "rest": "drop", "k": 4, "seed": 1}


@pytest.fixture(scope="module")
def table(hospital):
    return hospital.table


def release(table):
    return kohort.anonymize(table, **ASKED).data.texts(["birth_date", "sex", "postcode", "diagnosis"], 1000)


def test_threads_do_not_wait_for_each_other(table):
    expected = release(table)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(found == expected for found in pool.map(release, [table] * 8))


def test_other_threads_of_python_run_on():
    large = kohort.generate("census", rows=20_000, seed=1)
    ticks, done = 0, threading.Event()

    def work():
        kohort.anonymize(large.table, qi=[name for name, role in large.roles.items() if role == "quasi-identifier"],
                         rest="drop", k=10, refine=False, bound=False)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.wait(0.005):
        ticks += 1
    thread.join()
    assert ticks > 5


def forked(table, answers):
    answers.put(release(table))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_process_may_fork(table):
    expected = release(table)
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    child = context.Process(target=forked, args=(table, answers))
    child.start()
    assert answers.get(timeout=120) == expected
    child.join(timeout=30)
    assert child.exitcode == 0


def interrupted(body, after, environment, times=1):
    """Runs Python code in a process, and interrupts it when it says `now`, after some seconds."""
    code = "import kohort, sys, warnings\nwarnings.simplefilter('ignore')\n" + textwrap.dedent(body)
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    first = child.stdout.readline()
    for _ in range(times):
        time.sleep(after)
        child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=120)
    return first, out, err


REFINE = """
    large = kohort.generate("census", rows=3000, seed=1)
    qi = [name for name, role in large.roles.items() if role == "quasi-identifier"]
    told = []
    def progress(stage, done, of):
        if stage == "refine" and not told:
            told.append(stage)
            print("now", flush=True)
    try:
        result = kohort.anonymize(large.table, qi=qi, rest="drop", k=5, refine="100s", progress=progress)
        print(result.interrupted, bool(kohort.verify(result)), flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


def test_ctrl_c_while_refining_takes_the_best_so_far(environment):
    first, out, err = interrupted(REFINE, 1.0, environment)
    assert first == "now\n" and out == "True True\n", err


def test_ctrl_c_before_there_is_a_result(environment):
    body = """
    large = kohort.generate("census", rows=60_000, seed=1)
    qi = [name for name, role in large.roles.items() if role == "quasi-identifier"]
    told = []
    def progress(stage, done, of):
        if stage == "solve" and not told:
            told.append(stage)
            print("now", flush=True)
    try:
        kohort.anonymize(large.table, qi=qi, rest="drop", k=50, algorithm="k-member", block_rows=0, progress=progress)
        print("released", flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    """
    first, out, err = interrupted(body, 0.3, environment)
    assert first == "now\n" and out == "interrupted\n", err


def test_an_error_of_a_progress_function_stops_the_work(table):
    def broken(stage, done, of):
        raise LookupError("no bar")

    large = kohort.generate("census", rows=20_000, seed=1)
    with pytest.raises(LookupError, match="no bar"):
        kohort.anonymize(large.table, qi=["age", "sex"], rest="drop", k=5, progress=broken)


def test_progress_goes_on_and_ends():
    told = []
    large = kohort.generate("census", rows=20_000, seed=1)
    kohort.anonymize(large.table, qi=["age", "sex"], rest="drop", k=5, refine="1s", progress=lambda *one: told.append(one))
    stages = [stage for stage, _, _ in told]
    assert stages[-1] == "done" and "refine" in stages
    assert all(0 <= done for _, done, _ in told)


def test_a_bar_on_a_terminal_goes_away(capfd):
    bar = kohort._progress._Bar(None, 0.0)
    bar("refine", 5, 10)
    bar("done", 1, 1)
    err = capfd.readouterr().err
    assert "refining" in err and "50%" in err and err.endswith("\r")


def test_ctrl_c_ends_the_command(tmp_path):
    place = tmp_path / "c.csv"
    subprocess.run([sys.executable, "-m", "kohort", "generate", "census", "--rows", "30000", "-o", place], check=True)
    out = tmp_path / "r.csv"
    words = ["anonymize", place, "-o", out, "--qi", "age,sex,postcode,education", "--rest", "drop", "-k", "5", "--algorithm", "k-member", "--block-rows", "0", "--refine", "off"]
    child = subprocess.Popen([sys.executable, "-m", "kohort", *map(str, words)], stderr=subprocess.PIPE)
    time.sleep(1.5)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=60)
    if child.returncode != 0:
        assert child.returncode == 130, err
        assert not out.exists() and b"Traceback" not in err
