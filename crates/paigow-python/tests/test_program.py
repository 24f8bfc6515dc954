"""Answers compared with the JSON that the program prints for the same question."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import GOLDEN

import paigow
from paigow import Hand

Program = Callable[..., Any]
# Keys that are decimals of other keys, or floating-point properties here.
DECIMALS = {"standard_deviation", "standard_error", "deviation"}


def same(answer: object, printed: Any) -> None:
    """Compares an answer with the printed JSON, key by key and in both directions."""
    if dataclasses.is_dataclass(answer) and not isinstance(answer, type):
        fields = {field.metadata.get("key", field.name): field.name for field in dataclasses.fields(answer)}
        exact = {key.removesuffix("_exact") for key in printed if key.endswith("_exact")}
        for key in {key.removesuffix("_exact") for key in printed} - DECIMALS:
            value = getattr(answer, fields.pop(key))
            same(value, printed[f"{key}_exact"] if key in exact else printed[key])
        for name in fields.values():
            # Exact numbers that the program prints as decimals only, keys that it leaves out, and a flag for input.
            assert name in ("variance", "standard_error_squared") or not getattr(answer, name), name
    elif isinstance(answer, (list, tuple)):
        assert len(answer) == len(printed)
        for item, printed_item in zip(answer, printed, strict=True):
            same(item, printed_item)
    elif isinstance(answer, dict):
        assert [str(key) for key in answer] == list(printed)
        for item, printed_item in zip(answer.values(), printed.values(), strict=True):
            same(item, printed_item)
    elif isinstance(answer, Fraction):
        if "/" in printed:
            assert answer == Fraction(printed)
        else:
            assert abs(answer - Fraction(printed)) < Fraction(1, 10**12)
    elif isinstance(answer, Hand):
        assert str(answer) == printed
    else:
        assert answer == printed


@pytest.mark.parametrize("book", paigow.book_names())
def test_odds_of_all_side_wagers(book: str, program_json: Program) -> None:
    for wager in paigow.RuleBook(book).wagers:
        same(paigow.odds(book, wager.wager), program_json("odds", book, "--wager", wager.wager))


def test_odds_with_options(program_json: Program) -> None:
    answer = paigow.odds("washington", "fortune", paytable="FPG-06", players=3, stake_cents=2_500)
    args = ["--wager", "fortune", "--paytable", "FPG-06", "--players", "3", "--stake", "25.00"]
    same(answer, program_json("odds", "washington", *args))
    changed = paigow.RuleBook("washington").with_changes({"ranking.wheel": "lowest"}, house_way="south-beach")
    args = ["--wager", "pai-gow", "--set", "ranking.wheel=lowest", "--set", "house_way.way=south-beach"]
    same(paigow.odds(changed, "pai-gow"), program_json("odds", "washington", *args))


def test_banker_odds(program_json: Program) -> None:
    answer = paigow.odds("south-beach", "pai-gow", house_way="foxwoods", player_house_way="foxwoods")
    args = ["--wager", "pai-gow", "--house-way", "foxwoods", "--player-house-way", "foxwoods"]
    assert answer.base_game is not None and answer.base_game.as_banker is not None
    assert answer.departures
    same(answer, program_json("odds", "south-beach", *args))


@pytest.mark.parametrize("cards", ["Qs Qd 6c 6h Ah Kd 3c", "As Ah Ad Ac Jk 2c 3c", "9s 8s 7s 6s 5s Jk 2d"])
def test_settings_of_a_hand(cards: str, program_json: Program) -> None:
    same(paigow.best(cards, "ez"), program_json("best", cards, "--book", "ez"))
    same(paigow.contents(cards), program_json("hand", cards))
    for name in paigow.house_way_names():
        same(paigow.HouseWay(name).set(cards), program_json("set", cards, "--house-way", name))
    book = paigow.RuleBook("south-beach")
    same(book.house_way.set(cards, book.ranking), program_json("set", cards, "--book", "south-beach"))


def test_census(program_json: Program) -> None:
    for joker, name in (("semi_wild", "semi"), ("fully_wild", "full")):
        same(paigow.census(joker), program_json("census", "--joker", name))


def test_settlement(program_json: Program) -> None:
    for path in sorted((GOLDEN / "rounds").glob("ca-*.round")):
        same(paigow.settle(path), program_json("settle", str(path)))


def test_simulation_has_the_rounds_of_the_program(program_json: Program) -> None:
    answer = paigow.simulate(
        "washington", rounds=40_000, seats=4, seed=5, paytables={"fortune": "FPG-06"},
        house_way="foxwoods", player_house_way="foxwoods",
    )  # fmt: skip
    args = ["--rounds", "40000", "--seats", "4", "--seed", "5", "--paytable", "fortune=FPG-06"]
    printed = program_json("simulate", "washington", *args)
    same(answer, printed)
    for wager, printed_wager in zip(answer.wagers, printed["wagers"], strict=True):
        assert wager.deviation is not None
        assert wager.deviation == pytest.approx(float(printed_wager["deviation"]), abs=0.006)


def test_fair_deal_with_hands(program_json: Program) -> None:
    secret, rules = "5a" * 32, "c3" * 32
    answer = paigow.fair(
        secret=secret, table="felt-1", round=9, seats={1: "01" * 32}, rules=rules, silent={2: "ff" * 32},
        book="south-beach", plays=[1, 2], banker=2,
    )  # fmt: skip
    args = ["--secret", secret, "--table", "felt-1", "--round", "9", "--seat", f"1={'01' * 32}", "--rules", rules]
    args += ["--silent", f"2={'ff' * 32}", "--book", "south-beach", "--plays", "1,2", "--banker", "2"]
    same(answer, program_json("fair", *args))


def test_rule_books(program_json: Program) -> None:
    for name in paigow.book_names():
        book = paigow.RuleBook(name)
        printed = program_json("rules", name)
        assert (book.digest, book.title, book.source) == (printed["digest"], printed["title"], printed["source"])
        assert book.house_way.id == printed["house_way"]["id"]
        clauses = printed["house_way"]["clauses"]
        assert [clause.says for clause in book.house_way.clauses] == [clause["says"] for clause in clauses]
    listed = {book["id"]: book for book in program_json("books")["books"]}
    assert tuple(listed) == paigow.book_names()
    for name, printed in listed.items():
        same(paigow.RuleBook(name).wagers, printed["wagers"])


def test_receipt(tmp_path: Path) -> None:
    with pytest.raises(paigow.PaigowError) as caught:
        paigow.check_receipt("{}")
    assert caught.value.code == "bad_receipt"
    with pytest.raises(paigow.PaigowError):
        paigow.check_receipt({"receipt": 1}, public_key="zz")
