"""What the tests share: the program, the golden files and random hands."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
GOLDEN = ROOT / "golden"

# The program is the one that was built with the wheel. Both read the cache in PAIGOW_CACHE.
PROGRAM = os.environ["PAIGOW_PROGRAM"]


def paigow_program(*args: str, stdin: str | None = None) -> str:
    """Runs the program and returns its output."""
    done = subprocess.run([PROGRAM, *args], input=stdin, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def program() -> Callable[..., str]:
    return paigow_program


@pytest.fixture(scope="session")
def program_json() -> Callable[..., Any]:
    return lambda *args: json.loads(paigow_program(*args, "--format", "json"))


def golden_rows(name: str) -> list[list[str]]:
    """Returns the rows of a golden file, split at spaces."""
    lines = (GOLDEN / name).read_text().splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


def random_hands(count: int, seed: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Returns random hands of seven different cards."""
    order = np.random.default_rng(seed).random((count, 53)).argpartition(7, axis=1)
    return order[:, :7].astype(np.uint8)
