"""Types: the package and a program that uses it pass a strict type checker, and the stubs are those of the module."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent


def run(*args: str) -> str:
    done = subprocess.run([sys.executable, "-m", *args], capture_output=True, text=True, check=False, cwd=TESTS.parent)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_usage_and_package_are_typed(tmp_path: Path) -> None:
    cache = ["--cache-dir", str(tmp_path / "cache"), "--config-file", str(TESTS.parent / "pyproject.toml")]
    run("mypy", *cache, "--strict", str(TESTS / "usage.py"))
    run("mypy", *cache, "--strict", "-p", "paigow")
    wrong = tmp_path / "wrong.py"
    wrong.write_text('import paigow\npaigow.odds("ez", players="six")\nx: int = paigow.best("", "ez").settings[0].ev\n')
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *cache, str(wrong)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1 and done.stdout.count("error:") == 2, done.stdout


def test_stubs_are_those_of_the_compiled_module() -> None:
    run("mypy.stubtest", "paigow", "--mypy-config-file", str(TESTS.parent / "pyproject.toml"))
