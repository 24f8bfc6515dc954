"""The program's CSV loads into pandas without cleaning, and so do the answers of this package."""

from __future__ import annotations

import io
from collections.abc import Callable
from fractions import Fraction

import pandas as pd
import pytest

import paigow

Program = Callable[..., str]

# Commands, and the columns that must be numbers.
COMMANDS: list[tuple[str, list[str]]] = [
    ("odds washington --wager fortune", ["combinations", "pays", "envy", "probability", "return"]),
    ("odds ez --wager red-black", ["combinations", "pays", "probability", "return"]),
    ("odds washington --wager pai-gow", ["deals", "probability", "percent"]),
    ("best QsQd6c6hAhKd3c --book ez", ["wins", "pushes", "loses", "expected value"]),
    ("census", ["by rank in play", "hands that contain it"]),
    ("set QsQd6c6hAhKd3c --all-house-ways", []),
    ("hand QsQd6c6hAhKd3c", []),
    ("check foxwoods", ["clause", "hands", "classes"]),
    ("simulate washington --rounds 20000 --house-way foxwoods", ["hands", "observed edge", "exact edge", "standard error"]),
    ("books", ["assumed"]),
    ("rules ez", []),
    ("verify", []),
]  # fmt: skip


def load(text: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(text))


@pytest.mark.parametrize(("command", "numbers"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_csv_of_the_program(command: str, numbers: list[str], program: Program) -> None:
    text = program(*command.split(), "--format", "csv")
    frame = load(text)
    assert len(frame) > 0
    assert not [column for column in frame.columns if column.startswith(("Unnamed", "#"))]
    for column in numbers:
        assert pd.api.types.is_numeric_dtype(frame[column]), (column, frame[column].head())
    if "table" in frame.columns:
        assert frame["table"].notna().all() and frame["table"].nunique() > 1


def test_paytable_of_the_program_is_that_of_the_package(program: Program) -> None:
    args = ["odds", "washington", "--wager", "fortune", "--paytable", "FPG-01", "--format", "csv"]
    frame = load(program(*args))
    odds = paigow.odds("washington", "fortune", paytable="FPG-01").wagers[0]
    rows = frame[frame["combinations"].notna()]
    assert rows["combinations"].sum() == 154_143_080
    assert rows["pays"].tolist() == [*(row.pays for row in odds.rows), -1]
    for probability, row in zip(rows["probability"], odds.rows, strict=False):
        assert probability == pytest.approx(float(row.probability), abs=1e-8)
    summary = frame.dropna(subset=["measure"]).set_index("measure")
    assert float(summary.loc["house edge", "value"]) == pytest.approx(float(odds.edge), abs=1e-6)
    assert Fraction(summary.loc["house edge", "exact"]) == odds.edge
    assert rows["return"].sum() == pytest.approx(-float(odds.edge), abs=1e-6)


def test_answers_of_the_package() -> None:
    odds = paigow.odds("washington", "fortune", paytable="FPG-01").wagers[0]
    frame = pd.DataFrame(odds.rows)
    assert frame["combinations"].sum() + odds.losing == odds.hands
    assert sum(frame["returns"], Fraction(0)) - Fraction(odds.losing, odds.hands or 1) == -odds.edge
    settings = pd.DataFrame(paigow.best("Qs Qd 6c 6h Ah Kd 3c", "ez").settings)
    assert settings["ev"].is_monotonic_decreasing and settings["best"].tolist()[0]
    assert (settings[["win", "push", "lose"]].sum(axis=1) == 53_524_680).all()
