"""Answers compared with the golden files, which other methods have computed or people have worked out by hand."""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import GOLDEN, ROOT, golden_rows

import paigow

ROUNDS = sorted(path for path in (GOLDEN / "rounds").glob("*.round"))
REFUSED = sorted((GOLDEN / "rounds" / "refused").glob("*.round"))


def test_odds_of_every_side_wager() -> None:
    rows = golden_rows("odds.golden")
    found = {}
    for book in paigow.book_names():
        for wager in {row[1] for row in rows if row[0] == book}:
            for odds in paigow.odds(book, wager).wagers:
                found[book, wager, odds.paytable] = (odds.edge, odds.hit_frequency, odds.envy_return)
    assert found == {(book, wager, table): tuple(map(Fraction, rest)) for book, wager, table, *rest in rows}


def test_census() -> None:
    rows = golden_rows("census.golden")
    for joker in paigow.Ranking.JOKERS:
        census = paigow.census(joker)
        for of, name, in_play, containing in rows:
            if of == joker:
                high_card = census.high_card.get(name.removesuffix("_high"), 0) if name.endswith("_high") else None
                assert (high_card or census.classes.get(name, 0)) == int(in_play), name
                assert census.contains.get(name, 0) == int(containing), name
        assert census.hands == 154_143_080


def test_base_game_over_all_deals() -> None:
    for player, dealer, push, *counts in golden_rows("base-game.golden")[:3]:
        book = "ez" if push == "queen_high" else "washington"
        if player != "foxwoods":
            continue
        game = paigow.odds(book, "pai-gow", house_way=dealer, player_house_way=player).base_game
        assert game is not None
        ranked_alike = game.ranking.wheel == paigow.HouseWay(dealer).ranking.wheel
        assert ranked_alike, "the golden file ranks as the dealer's way ranks"
        # The golden file lists the dealer's pushes apart.
        assert [game.win, game.push - game.dealer_push, game.lose, game.dealer_push] == [int(count) for count in counts]
        commission = paigow.RuleBook(book).commission
        assert game.edge == Fraction(game.lose - game.win, game.deals) + commission * Fraction(game.win, game.deals)
        mean = -game.edge
        square = (game.win * (1 - commission) ** 2 + game.lose) / Fraction(game.deals)
        assert game.variance == square - mean**2


def test_deals() -> None:
    deals = (GOLDEN / "deals.golden").read_text().split("\n\n")
    checked = 0
    for deal in deals:
        lines = [line.split(maxsplit=1) for line in deal.splitlines() if line and not line.startswith("#")]
        if not lines:
            continue
        values = {line[0]: line[1] if len(line) > 1 else "" for line in lines if line[0] != "seat"}
        seats = {}
        for line in lines:
            if line[0] == "seat":
                number, *hexadecimal = line[1].split()
                seats[int(number)] = hexadecimal[0] if hexadecimal else ""
        answer = paigow.fair(
            secret=values["secret"], table=values["table"], round=int(values["round"]), seats=seats,
            commitment=values["commitment"],
        )  # fmt: skip
        assert answer.matches is True
        assert answer.cards == values["cards"]
        assert answer.dice == dict(zip(range(2, 9), map(int, values["dice"].split()), strict=True))
        checked += 1
    assert checked >= 5


@pytest.mark.parametrize("path", ROUNDS, ids=lambda path: path.stem)
def test_rounds_settle_as_worked_out_by_hand(path: Path) -> None:
    settled = paigow.settle(path)
    expected = path.read_text().split("\n---\n")[1]
    nets = re.findall(r"([a-z]+(?:-\d+)?) ([+-]?\d+)\.(\d\d)", expected.rsplit("net:", 1)[1])
    cents = {who: int(whole + part) for who, whole, part in nets}
    assert {who: settled.net_cents[who] for who in cents} == cents
    assert settled.sum_cents == sum(settled.net_cents.values()) == 0


@pytest.mark.parametrize("path", REFUSED, ids=lambda path: path.stem)
def test_refused_rounds_raise_with_codes(path: Path) -> None:
    with pytest.raises(paigow.PaigowError) as caught:
        paigow.settle(path)
    assert all(re.fullmatch("[a-z_]+", fault.code) for fault in caught.value.faults)
    expected = path.read_text().split("\n---\n")[1]
    assert all(fault.message in expected for fault in caught.value.faults)
    assert len(caught.value.faults) == len(expected.strip().splitlines())


def test_a_wrong_expectation_is_refused() -> None:
    path = next(path for path in ROUNDS if "books/" not in path.read_text())
    text = path.read_text()
    assert paigow.settle(text).net_cents == paigow.settle(path).net_cents
    with pytest.raises(paigow.PaigowError) as caught:
        paigow.settle(re.sub(r"net: (\S+) [+-]?\d", r"net: \1 +7", text))
    assert caught.value.code == "settlement_differs"


def test_printed_figures_of_a_document() -> None:
    """The house edge by number of players that EZ prints for its paytables, read from the list of printed figures."""
    figures = tomllib.loads((ROOT / "crates/paigow-math/figures.toml").read_text())
    document = next(document for document in figures["documents"] if document["book"] == "ez")
    table = next(table for table in document["tables"] if table["location"] == "step 4, house edge by the number of players")
    assert len(table["columns"]) == len(table["rows"]) == 6
    for column, heading in enumerate(table["columns"]):
        odds = paigow.odds("ez", table["wager"], paytable=heading.removeprefix("table ")).wagers[0]
        for row, *cells in table["rows"]:
            edge = odds.edge_by_players[int(row.split()[0])]
            assert f"{float(100 * edge):.2f}%" == cells[column], (heading, row)
