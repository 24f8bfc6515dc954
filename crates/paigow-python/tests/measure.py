"""Measures how many hands a second are set, ranked, classified and valued, beside the program in the same run.

Run it with the interpreter of ``target/python/venv`` and ``PAIGOW_PROGRAM`` set to the release program. The rates of a
busy machine mean little, so the ratios to the program are printed too.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np
from conftest import random_hands

import paigow

HANDS = 500_000
TRIES = 3


def best_time(work: Callable[[], object]) -> float:
    """Returns the shortest time of several tries."""
    times = []
    for _ in range(TRIES):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def main() -> None:
    hands = np.vstack([random_hands(HANDS // 10, seed) for seed in range(10)])
    way, ranking = paigow.HouseWay("foxwoods"), paigow.Ranking()
    settings = way.set_hands(hands)
    worths = paigow.worths("washington")
    with tempfile.NamedTemporaryFile("w+", suffix=".txt") as file:
        names = [str(card) for card in paigow.DECK]
        file.writelines(" ".join(names[card] for card in hand) + "\n" for hand in hands.tolist())
        file.flush()

        def program(extra: list[str]) -> None:
            with open(file.name) as stdin:
                args = [os.environ["PAIGOW_PROGRAM"], "set", "-", "--house-way", "foxwoods", *extra]
                subprocess.run(args, stdin=stdin, stdout=subprocess.DEVNULL, check=True)

        measured = {
            "paigow set - --format csv": best_time(lambda: program(["--format", "csv"])),
            "HouseWay.set_hands": best_time(lambda: way.set_hands(hands)),
            "Ranking.strengths, high hands": best_time(lambda: ranking.strengths(settings.high)),
            "Ranking.strengths, low hands": best_time(lambda: ranking.strengths(settings.low)),
            "classes": best_time(lambda: paigow.classes(hands)),
            "Worths.values of settings": best_time(lambda: worths.values(hands, settings.low)),
            "Worths.values of hands, set best": best_time(lambda: worths.values(hands)),
        }
    program_time = measured["paigow set - --format csv"]
    print("| | million hands a second | times the rate of the program |\n| --- | ---: | ---: |")
    for name, seconds in measured.items():
        print(f"| `{name}` | {HANDS / seconds / 1e6:.1f} | {program_time / seconds:.1f} |")


if __name__ == "__main__":
    sys.exit(main())
