"""Examples in docstrings, in the README and in the tutorial run and print what they show."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

import paigow

PACKAGE = Path(__file__).resolve().parents[1]
MODULES = ["paigow", *(f"paigow.{module.name}" for module in pkgutil.iter_modules(paigow.__path__))]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("_native")])
def test_docstrings(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


def test_documented() -> None:
    """Every public function and class has a docstring, and questions have examples or run for minutes."""
    public = [getattr(paigow, name) for name in dir(paigow) if not name.startswith("_")]
    described = [value for value in public if callable(value)]
    assert len(described) > 30
    for value in described:
        assert value is paigow.Progress or value.__doc__, value


def test_readme() -> None:
    result = doctest.testfile(str(PACKAGE / "README.md"), module_relative=False)
    assert result.failed == 0 and result.attempted > 5


def outputs(notebook: Any) -> list[list[tuple[str, str]]]:
    """Returns the text outputs of every cell of code."""
    found = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            texts: list[tuple[str, str]] = []
            for output in cell.outputs:
                text = output.get("text") or output.get("data", {}).get("text/plain", "")
                # What a cell prints may arrive in several parts.
                if texts and texts[-1][0] == output.output_type == "stream":
                    texts[-1] = ("stream", texts[-1][1] + text)
                else:
                    texts.append((output.output_type, text))
            found.append(texts)
    return found


def test_tutorial_runs_from_top_to_bottom_and_prints_what_it_shows() -> None:
    path = PACKAGE / "tutorial.ipynb"
    shown = nbformat.read(path, as_version=4)
    nbformat.validate(shown)
    run = nbformat.read(path, as_version=4)
    for cell in run.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbclient.NotebookClient(run, timeout=600, resources={"metadata": {"path": str(PACKAGE)}}).execute()
    assert any(texts for texts in outputs(shown)), "the outputs are stored"
    assert outputs(run) == outputs(shown)
