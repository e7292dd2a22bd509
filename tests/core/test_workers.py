import multiprocessing
import os
import signal
import time

import pytest

from pipeline.core.workers import Aide, Lost, Pool


def job(number: int) -> int:
    """1 raises, 2 kills its process, 3 hangs, anything else is squared."""
    if number == 1:
        raise ValueError("one")
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 3:
        time.sleep(600)
    return number * number


def test_every_job_has_one_answer_whatever_becomes_of_its_process() -> None:
    results = dict(Pool(workers=2, seconds=2.0).run(job, [0, 1, 2, 3, 4, 5]))
    assert results == {
        0: 0,
        1: Lost("the process working on it died (exit status 1)."),
        2: Lost("the process working on it died (signal SIGKILL)."),
        3: Lost("it took longer than 2 seconds."),
        4: 16,
        5: 25,
    }
    assert not multiprocessing.active_children()


def test_an_aide_answers_the_next_question_whatever_became_of_the_last() -> None:
    aide = Aide(job, seconds=2.0)
    assert [aide.ask(5), aide.ask(6)] == [25, 36]
    assert aide.ask(2) == Lost("the process working on it died (signal SIGKILL).")
    assert aide.ask(3) == Lost("it took longer than 2 seconds.")
    assert aide.ask(7) == 49
    aide.stop()
    assert not multiprocessing.active_children()


def test_jobs_may_take_for_ever() -> None:
    assert dict(Pool(workers=1, seconds=float("inf")).run(job, [0, 4])) == {0: 0, 1: 16}


def test_closing_the_results_ends_all_processes() -> None:
    results = Pool(workers=2, seconds=600.0).run(job, [0, 3, 3, 3])
    assert next(results) == (0, 0)
    assert multiprocessing.active_children()
    results.close()  # type: ignore[attr-defined]  # a generator's
    assert not multiprocessing.active_children()


def prepared() -> None:
    os.environ["PREPARED"] = "yes"


def see(_: int) -> str | None:
    return os.environ.get("PREPARED")


def test_a_process_is_prepared_before_its_first_job() -> None:
    assert dict(Pool(workers=1, prepare=prepared).run(see, [0, 0])) == {0: "yes", 1: "yes"}
    assert dict(Pool(workers=1).run(see, [0])) == {0: None}


def broken() -> None:
    raise RuntimeError("no")


def test_processes_that_cannot_start_lose_their_jobs_and_no_more() -> None:
    results = dict(Pool(workers=1, prepare=broken).run(see, [0, 0]))
    assert all(isinstance(result, Lost) for result in results.values())
    assert len(results) == 2


@pytest.mark.parametrize("workers", [1, 5])
def test_no_jobs_no_processes(workers: int) -> None:
    assert list(Pool(workers=workers).run(job, [])) == []
