"""Long work: progress, interruption, and other threads beside it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from conftest import random_hands

import paigow

# A computation is cancelled at the end of its current part. Other programs may keep the machine busy.
STOP_SECONDS = 30.0


class Stop(Exception):
    pass


def stop_when_begun(stage: str, done: int, total: int) -> None:
    if done > 0:
        raise Stop(stage)


def test_progress_grows_to_the_total_of_each_stage() -> None:
    seen: list[tuple[str, int, int]] = []
    hands = random_hands(1_000, seed=5).repeat(2_000, axis=0)
    paigow.HouseWay("foxwoods").set_hands(hands, progress=lambda *step: seen.append(step))
    assert seen[-1] == ("setting hands", len(hands), len(hands))
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)
    assert all(total == len(hands) for _, _, total in seen)


def test_exception_of_the_callback_stops_the_work() -> None:
    started = time.monotonic()
    with pytest.raises(Stop):
        paigow.simulate("washington", rounds=10**9, progress=stop_when_begun)
    assert time.monotonic() - started < STOP_SECONDS
    with pytest.raises(TypeError):
        paigow.simulate("washington", rounds=10**9, progress=lambda: None)  # type: ignore[arg-type,misc]


def test_work_that_was_stopped_can_be_repeated(tmp_path: Path) -> None:
    """A count that is stopped leaves no file, and the next call counts again."""
    script = """
import os, sys, paigow
def stop(stage, done, total):
    if 0 < done < total:
        raise KeyError(stage)
try:
    paigow.odds("washington", "pai-gow", progress=stop)
    sys.exit("not stopped")
except KeyError:
    pass
assert not os.listdir(os.environ["PAIGOW_CACHE"]), os.listdir(os.environ["PAIGOW_CACHE"])
print(paigow.odds("washington", "pai-gow").base_game.win)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, "PAIGOW_CACHE": str(tmp_path)}, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "2402482226669052\n"), done.stderr
    assert [path.suffix for path in tmp_path.iterdir()] == [".json"]


@pytest.mark.parametrize(
    "call",
    [
        'paigow.simulate("washington", rounds=10**10, progress=begun)',
        'paigow.strategy("washington", progress=begun)',
        'paigow.worths("south-beach", progress=begun)',
    ],
)
def test_interrupt_stops_the_work(call: str, tmp_path: Path) -> None:
    """Ctrl-C raises ``KeyboardInterrupt`` and ends the process soon."""
    script = f"""
import paigow
def begun(stage, done, total):
    print("begun", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", script], env={**os.environ, "PAIGOW_CACHE": str(tmp_path)},
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "begun\n"
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=60)
        assert rest.splitlines()[-1] == "interrupted", rest
        assert process.returncode == 0
        assert time.monotonic() - sent < STOP_SECONDS
        assert list(tmp_path.iterdir()) == [], "nothing is left half done"
    finally:
        process.kill()


def test_other_threads_run_beside_the_work() -> None:
    """The interpreter lock is released: a Python thread counts while hands are set."""
    counted = 0
    finished = threading.Event()

    def count() -> None:
        nonlocal counted
        while not finished.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    hands = random_hands(1_000, seed=6).repeat(3_000, axis=0)
    thread.start()
    started = time.monotonic()
    paigow.HouseWay("foxwoods").set_hands(hands)
    elapsed = time.monotonic() - started
    finished.set()
    thread.join()
    # Without the release it would count to one or two.
    assert counted > 20 * elapsed


def test_threads_share_the_work() -> None:
    """Several threads ask for the same odds at once and get the same answer."""
    answers = []
    threads = [
        threading.Thread(target=lambda: answers.append(paigow.odds("ez", "pai-gow"))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4 and all(answer == answers[0] for answer in answers)
