"""Values of arrays of hands, compared with the exact values of single hands and with the count of all deals."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from conftest import golden_rows, random_hands

import paigow
from paigow import Hand, PaigowError, Worths


@pytest.fixture(scope="module")
def worths() -> Worths:
    """Worths against the Foxwoods way, computed once and then read from the cache."""
    return paigow.worths("washington")


Numbers = np.ndarray[Any, np.dtype[np.uint64]]


def average_sum(counts: Numbers, hands: Numbers, weights: np.ndarray[Any, np.dtype[np.uint8]]) -> Fraction:
    """Returns the sum of ``weights * counts / hands``, exactly: in halves that do not overflow, for each denominator."""
    order = np.argsort(hands, kind="stable")
    sizes, starts = np.unique(hands[order], return_index=True)
    weight = weights[order].astype(np.uint64)
    upper, lower = (
        np.add.reduceat(half[order] * weight, starts)
        for half in (counts >> np.uint64(32), counts & np.uint64(2**32 - 1))
    )
    parts = zip(upper.tolist(), lower.tolist(), sizes.tolist(), strict=True)
    return sum((Fraction((high << 32) + low, size) for high, low, size in parts), Fraction(0))


def test_values_of_all_hands_are_the_counts_of_all_deals(worths: Worths) -> None:
    """Wins and losses of all hands add up to the golden counts of the base game and of best play."""
    hands, weights = paigow.suit_classes()
    counts = {name: tuple(map(int, rest)) for name, *rest in golden_rows("strategy.golden")}
    for name in ("best", "foxwoods", "ballys"):
        low = None if name == "best" else paigow.HouseWay(name).set_hands(hands, paigow.Ranking()).low
        found = worths.values(hands, low)
        sums = average_sum(found.win, found.hands, weights), average_sum(found.lose, found.hands, weights)
        assert sums == (counts[name][0], counts[name][2])


def test_value_is_the_average_of_the_exact_values_of_a_kind(worths: Worths) -> None:
    """Four aces, two kings and a queen: the queen shares a suit with a king or not."""
    aces = "As Ah Ad Ac"
    hands = []
    for kings in itertools.combinations("shdc", 2):
        for queen in "shdc":
            hands.append(Hand(f"{aces} K{kings[0]} K{kings[1]} Q{queen}"))
    assert len(hands) == 24
    two = [hands[0], next(hand for hand in hands if str(hand).split()[6][1] not in "".join(str(hand).split()[4:6]))]
    found = worths.values(np.stack([hand.array for hand in hands]), np.stack([hand.array[4:6] for hand in hands]))
    assert set(found.hands.tolist()) == {24} and len(set(found.win.tolist())) == 1
    # Half of the hands have the queen in a suit of a king. The suits differ in nothing else.
    exact = []
    for hand in two:
        low = Hand(hand.cards[4:6], size=2)
        exact.append(next(setting for setting in paigow.best(hand, "washington").settings if setting.low == low))
    assert found.value(0) == sum((setting.ev for setting in exact), Fraction(0)) / 2
    assert Fraction(int(found.win[0]), 24) == Fraction(sum(setting.win for setting in exact), 2)
    assert found.approximate[0] == pytest.approx(float(found.value(0)), rel=1e-12)


def test_best_play_is_worth_at_least_a_house_way(worths: Worths) -> None:
    hands = random_hands(20_000, seed=8)
    best = worths.values(hands)
    for name in paigow.house_way_names():
        way = paigow.HouseWay(name)
        assert (worths.values(hands, way.set_hands(hands, paigow.Ranking()).low).net <= best.net).all()


def test_price_is_that_of_the_program_and_of_the_golden_file(worths: Worths) -> None:
    priced = paigow.price(["foxwoods", "ballys"], "washington")
    assert (priced.side, priced.against, worths.side, worths.against) == ("player", "foxwoods") * 2
    counts = {name: tuple(map(int, rest)) for name, *rest in golden_rows("strategy.golden")}
    assert (priced.best.win, priced.best.push, priced.best.lose) == counts["best"][:3]
    for way in priced.ways:
        assert (way.win, way.push, way.lose, way.hands_set_worse) == counts[way.way]
        assert way.cost == way.gives_away == way.edge - priced.best_edge == sum(clause.cost for clause in way.clauses)


def test_bad_settings_are_refused(worths: Worths) -> None:
    hands = random_hands(100, seed=9)
    low = paigow.HouseWay("foxwoods").set_hands(hands).low
    low[3] = 52 if 52 not in hands[3] else 0
    low[60] = hands[60, 0]
    with pytest.raises(PaigowError, match="row 3: the low hand is not a legal low hand") as caught:
        worths.values(hands, low)
    assert [(fault.code, fault.at) for fault in caught.value.faults] == [("bad_setting", "rows.3"), ("bad_setting", "rows.60")]  # fmt: skip
    foul = np.stack([Hand("As Ah Kd Qc 9h 5s 3d").array])
    with pytest.raises(PaigowError, match="row 0"):
        worths.values(foul, np.array([[51, 38]], dtype=np.uint8))
    with pytest.raises(PaigowError, match="a row for each hand: 100, not 99"):
        worths.values(hands, low[:99])


@pytest.mark.long
def test_strategy_has_the_golden_counts() -> None:
    counts = {name: tuple(map(int, rest)) for name, *rest in golden_rows("strategy.golden")}
    found = paigow.strategy("washington", top=3)
    assert (found.win, found.push, found.lose) == counts["best"][:3]
    assert {way.house_way for way in found.house_ways} == set(counts) - {"best"}
    for way in found.house_ways:
        assert (way.win, way.push, way.lose, way.hands_set_differently) == counts[way.house_way]
        assert way.cost == way.edge - found.edge and len(way.costliest) == 3
    costly = found.costliest[0]
    settings = paigow.best(costly.cards, "washington").settings
    own = next(setting for setting in settings if setting.house_way)
    assert costly.cost == settings[0].ev - own.ev
