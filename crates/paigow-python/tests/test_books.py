"""Rule books and house ways: built in, from files and texts, and with changed values."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from conftest import ROOT

import paigow
from paigow import HouseWay, PaigowError, PaytableRow, RuleBook

WAYS = ROOT / "crates/paigow/rulebooks/house-ways"


def test_names() -> None:
    assert set(paigow.house_way_names()) == {path.stem for path in WAYS.glob("*.toml")}
    assert all(HouseWay(name).clauses for name in paigow.card_names()[:3])
    with pytest.raises(PaigowError, match="there is no rule book `nowhere`; available: california") as caught:
        RuleBook("nowhere")
    assert (caught.value.code, caught.value.faults[0].at) == ("not_found", "book")
    with pytest.raises(PaigowError, match="there is no house way `nowhere`"):
        HouseWay("nowhere")


def test_changed_values() -> None:
    book = RuleBook("washington")
    changed = book.with_changes({"commission.percent": "4"}).with_changes({"ranking.wheel": "lowest"})
    assert changed.changes == {"commission.percent": "4", "ranking.wheel": "lowest"}
    assert (changed.commission, changed.ranking.wheel) == (Fraction(1, 25), "lowest")
    assert book.commission == Fraction(1, 20) and book.changes == {}
    assert changed.digest != book.digest and changed != book
    assert book.with_changes({}) == book and hash(book.with_changes()) == hash(book)
    for bad in ({"commission.percent": "much"}, {"no.such.value": 1}, {"ranking.wheel": "sideways"}):
        with pytest.raises(PaigowError) as caught:
            book.with_changes(bad)
        assert next(iter(bad)) in str(caught.value.faults[0].at)
    with pytest.raises(PaigowError, match="expected text, a number or a truth value"):
        book.with_changes({"commission.percent": 4.5})  # type: ignore[dict-item]


def test_book_from_a_file_is_a_snapshot(tmp_path: Path) -> None:
    way = (WAYS / "ballys.toml").read_text()
    (tmp_path / "own-way.toml").write_text(way)
    (tmp_path / "base.toml").write_text('extends = "washington"\n[commission]\npercent = "3"\ncite = "ours"\n')
    file = tmp_path / "mine.toml"
    file.write_text('extends = "base.toml"\n[house_way]\nway = "own-way.toml"\ncite = "ours"\n')
    book = RuleBook.from_file(file)
    assert (book.id, book.commission, book.house_way.id) == ("mine", Fraction(3, 100), "own-way")
    for path in tmp_path.iterdir():
        path.unlink()
    odds = paigow.odds(book, "fortune", paytable="FPG-01")
    assert odds.book == "mine"
    assert odds.wagers[0].edge == paigow.odds("washington", "fortune", paytable="FPG-01").wagers[0].edge
    assert paigow.best("Qs Qd 6c 6h Ah Kd 3c", book).house_way == "own-way"
    assert book.with_changes({"ranking.wheel": "lowest"}).commission == Fraction(3, 100)
    with pytest.raises(PaigowError, match="mine.toml") as caught:
        RuleBook.from_file(file)
    assert caught.value.code == "unreadable"


def test_faults_of_a_text_have_their_location(tmp_path: Path) -> None:
    text = 'extends = "washington"\n[commission]\npercent = "a lot"\n[ranking]\nwheel = "sideways"\n'
    with pytest.raises(PaigowError) as caught:
        RuleBook.from_text("mine", text)
    assert len(caught.value.faults) >= 2
    assert {str(fault.at).rsplit(":", 1)[0] for fault in caught.value.faults} >= {"mine:3", "mine:5"}
    (tmp_path / "bad.toml").write_text("title = ")
    with pytest.raises(PaigowError):
        HouseWay.from_file(tmp_path / "bad.toml")
    (tmp_path / "latin.toml").write_bytes(b"title = \xe9")
    with pytest.raises(PaigowError, match="not UTF-8 text"):
        RuleBook.from_file(tmp_path / "latin.toml")


def test_house_way_from_a_text_sets_like_its_original() -> None:
    text = (WAYS / "ballys.toml").read_text()
    own, original = HouseWay.from_text("own", text), HouseWay("ballys")
    assert own.clauses == original.clauses and own.id == "own"
    cards = "Qs Qd 6c 6h Ah Kd 3c"
    assert own.set(cards).low == original.set(cards).low
    assert paigow.best(cards, "washington", house_way=own).house_way == "own"
    incomplete = text[: text.rindex("[[clauses]]")]
    with pytest.raises(PaigowError):
        HouseWay.from_text("own", incomplete)
    other = HouseWay.from_text("own", (WAYS / "foxwoods.toml").read_text())
    with pytest.raises(PaigowError, match="two different texts have the name `own`") as caught:
        paigow.odds("washington", "pai-gow", house_way=own, player_house_way=other)
    assert caught.value.code == "same_name"


def test_settlement_by_an_own_book() -> None:
    book = RuleBook.from_text("mine", 'extends = "washington"\n[commission]\npercent = "10"\ncite = "ours"\n')
    table = {"book": "mine", "dealer": {"cards": "As Kd 9c 8h 6s 4d 2c"}}
    seat = {"seat": 1, "cards": "Qs Qd 6c 6h Ah Kh 3c", "wagers": {"pai-gow": "20.00"}}
    round_ = {**table, "seats": [seat]}
    assert paigow.settle(round_, books=[book]).net_cents["seat-1"] == 1_800
    with pytest.raises(PaigowError, match="there is no rule book `mine`"):
        paigow.settle(round_)
    with pytest.raises(PaigowError, match="mine has changed values") as caught:
        paigow.settle(round_, books=[book.with_changes({"ranking.wheel": "lowest"})])
    assert caught.value.code == "changed_book"


def test_edited_paytable() -> None:
    rows = [PaytableRow(hand="full_house", pays=10), PaytableRow(hand="flush", pays=5)]
    odds = paigow.odds("washington", "fortune", paytable="FPG-01", rows=rows).wagers[0]
    # A full house beats a flush in this paytable, so a hand with both is paid once.
    census = paigow.census()
    assert [row.pays for row in odds.rows] == [10, 5]
    assert odds.rows[0].combinations == census.contains["full_house"]
    assert sum(row.combinations for row in odds.rows) + odds.losing == census.hands
    with pytest.raises(PaigowError, match="pays") as caught:
        paigow.odds("washington", "fortune", rows=[PaytableRow(hand="flush", pays=-3)])
    assert "rows.0" in str(caught.value.faults[0].at)


def test_bad_questions_name_every_fault() -> None:
    with pytest.raises(PaigowError) as caught:
        paigow.odds("washington", "nothing", players=9, stake_cents=0)
    assert [fault.code for fault in caught.value.faults] == ["unknown_wager", "bad_players", "bad_stake"]
    with pytest.raises(PaigowError) as caught:
        paigow.odds("washington", players=-1)
    assert caught.value.code == "bad_question"
    with pytest.raises(PaigowError) as caught:
        paigow.simulate("ez", rounds=0, seats=7, paytables={"dynasty": "9"})
    assert [fault.code for fault in caught.value.faults] == ["bad_rounds", "unknown_paytable", "bad_seats"]
    with pytest.raises(PaigowError) as caught:
        paigow.fair(secret="00", table="a b", round=1, seats={9: "zz"}, commitment="1")
    codes = [(fault.code, fault.at) for fault in caught.value.faults]
    assert codes == [("bad_hex", "secret"), ("bad_table", "table"), ("bad_hex", "commitment"), ("bad_seat", "seats.9"), ("bad_hex", "seats.9")]  # fmt: skip
    with pytest.raises(PaigowError) as caught:
        paigow.price("nowhere", "washington", side="house")
    assert caught.value.code == "not_found"
    with pytest.raises(PaigowError) as caught:
        paigow.price("foxwoods", "washington", side="house")
    assert caught.value.code == "unknown_side"
