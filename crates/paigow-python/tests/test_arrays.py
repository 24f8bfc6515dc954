"""Arrays of hands, compared with the program and with single hands."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable

import numpy as np
import pytest
from conftest import golden_rows, random_hands

import paigow
from paigow import Hand, HouseWay, PaigowError, Ranking


@pytest.mark.parametrize("name", ["south-beach", "foxwoods"])
def test_hands_are_set_as_by_the_program(name: str, program: Callable[..., str]) -> None:
    hands = random_hands(5_000, seed=1)
    way = HouseWay(name)
    found = way.set_hands(hands)
    text = "\n".join(str(Hand(row)) for row in hands)
    rows = list(csv.DictReader(io.StringIO(program("set", "-", "--house-way", name, "--format", "csv", stdin=text))))
    assert len(rows) == len(hands) == len(found.low) == len(found.high) == len(found.clause)
    for row, low, high, clause in zip(rows, found.low, found.high, found.clause, strict=True):
        assert row["low hand"] == str(Hand(low, size=2))
        assert row["high hand"] == str(Hand(high, size=5))
        assert row["clause"] == way.clauses[clause].when
    ordered = np.sort(np.hstack([found.low, found.high]), axis=1)
    assert np.array_equal(ordered, np.sort(hands, axis=1)), "a setting has the cards of its hand"


def test_strengths_are_those_of_single_hands() -> None:
    for ranking in (Ranking(joker, wheel) for joker in Ranking.JOKERS for wheel in Ranking.WHEELS):
        hands = random_hands(500, seed=2)
        for size in (5, 2):
            cards = np.ascontiguousarray(hands[:, :size])
            single = [ranking.strength(Hand(row, size=size)) for row in cards]
            assert ranking.strengths(cards).tolist() == single
            assert ranking.strengths(hands[:, :size]).tolist() == single, "a view into a wider array"
            assert ranking.strengths(np.asfortranarray(cards)).tolist() == single


def test_classes_of_all_hands_are_the_census() -> None:
    hands, weights = paigow.suit_classes()
    for joker in Ranking.JOKERS:
        found = paigow.classes(hands, joker)
        in_play = np.bincount(found.in_play, weights=weights, minlength=len(paigow.CLASS_NAMES))
        for of, name, playing, containing in golden_rows("census.golden"):
            if of == joker:
                index = paigow.CLASS_NAMES.index(name)
                assert int(in_play[index]) == int(playing), name
                assert int(weights[found.has(name)].sum(dtype=int)) == int(containing), name


def test_suit_classes_stand_for_all_hands() -> None:
    hands, weights = paigow.suit_classes()
    assert int(weights.sum(dtype=int)) == math.comb(53, 7)
    has_joker = (hands == 52).any(axis=1)
    assert int(weights[has_joker].sum(dtype=int)) == math.comb(52, 6)
    aces = ((hands % 13 == 12) & (hands < 52)).sum(axis=1)
    for count in range(5):
        expected = math.comb(4, count) * math.comb(49, 7 - count)
        assert int(weights[aces == count].sum(dtype=int)) == expected


def test_arrays_without_rows_are_answered() -> None:
    empty = np.empty((0, 7), dtype=np.uint8)
    assert HouseWay("ballys").set_hands(empty).low.shape == (0, 2)
    assert Ranking().strengths(empty[:, :5]).shape == (0,)
    assert paigow.classes(empty).contains.shape == (0,)


@pytest.mark.parametrize(
    "bad",
    [
        np.zeros((2, 6), dtype=np.uint8),
        np.zeros(7, dtype=np.uint8),
        np.zeros((1, 1, 7), dtype=np.uint8),
        np.arange(14).reshape(2, 7),
        np.zeros((2, 7), dtype=np.float64),
        [["As", "Kd", "Tc", "9h", "2s", "2d", "Jk"]],
        [[0, 1, 2, 3, 4, 5, 6], [0, 1]],
    ],
    ids=str,
)
def test_arrays_of_another_shape_or_type_are_refused(bad: object) -> None:
    for function in (HouseWay("ballys").set_hands, paigow.classes):
        with pytest.raises(PaigowError, match=r"must have shape \(n, 7\) and type uint8") as caught:
            function(bad)  # type: ignore[operator]
        assert caught.value.code == "bad_array"


def test_bad_rows_are_refused_with_their_numbers() -> None:
    hands = random_hands(50_000, seed=3)
    hands[7, 2] = 53
    hands[40_000, 1] = hands[40_000, 0]
    with pytest.raises(PaigowError) as caught:
        HouseWay("ballys").set_hands(hands)
    assert [(fault.code, fault.at) for fault in caught.value.faults] == [
        ("bad_hands", "rows.7"),
        ("bad_hands", "rows.40000"),
    ]
    assert "53 is not the index of a card" in caught.value.faults[0].message
    assert str(paigow.Card(hands[40_000, 0])) + " appears more than once" in caught.value.faults[1].message
    hands[:, 0] = 255
    with pytest.raises(PaigowError, match="49980 more rows are not hands") as caught:
        Ranking().strengths(hands[:, :5])
    assert len(caught.value.faults) == 21


def test_input_arrays_are_not_changed_and_results_are_writable() -> None:
    hands = random_hands(1_000, seed=4)
    before = hands.copy()
    found = HouseWay("ballys").set_hands(hands)
    assert np.array_equal(hands, before)
    found.low[0] = 0
    hands.flags.writeable = False
    assert paigow.classes(hands).in_play.shape == (1_000,)
