"""Questions: each function takes a rule book and returns an exact answer.

A rule book or a house way is an object, or the name of a built-in one. Functions that take long release the interpreter
lock and use all cores. They call ``progress`` with the name of a stage, the work done and the total. Ctrl-C stops them,
and so does an exception of the callback. Results are kept in memory, and on disk in the folder of the environment
variable ``PAIGOW_CACHE`` or the user's cache folder.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _answers as answers
from . import _native
from ._arrays import Progress
from ._books import HouseWay, PaytableRow, RuleBook, as_book, as_way
from ._build import build
from ._cards import Hand
from ._errors import PaigowError
from ._ranking import Ranking

__all__ = ["best", "census", "check_receipt", "contents", "fair", "odds", "price", "settle", "simulate", "strategy"]

_JOKERS = {"semi_wild": "semi", "fully_wild": "full"}


def _ask(
    kind: str,
    question: Mapping[str, object],
    *,
    book: RuleBook | None = None,
    ways: Iterable[tuple[str, HouseWay | str | None]] = (),
    others: Iterable[RuleBook] = (),
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Asks a question. Arguments that are ``None`` are left out."""
    given = json.dumps({key: value for key, value in question.items() if value is not None})
    handles = [(key, as_way(way)._handle) for key, way in ways if way is not None]
    book_handle = None if book is None else book._handle
    other_handles = [other._handle for other in others]
    answer: dict[str, Any] = json.loads(_native.answer(kind, given, book_handle, handles, other_handles, progress))
    return answer


def best(
    hand: Hand | str, book: RuleBook | str, *, house_way: HouseWay | str | None = None
) -> answers.BestSettings:
    """Values every legal setting of a hand against each of the 53,524,680 possible dealer hands.

    >>> import paigow
    >>> found = paigow.best("Qs Qd 6c 6h Ah Kd 3c", "south-beach")
    >>> first = found.settings[0]
    >>> str(first.low), first.win, first.push, first.lose
    ('Ah Kd', 30564292, 20453009, 2507379)
    >>> round(float(first.ev), 6)
    0.495635
    """
    question = {"cards": str(Hand(hand))}
    return build(
        answers.BestSettings, _ask("best", question, book=as_book(book), ways=[("house_way", house_way)])
    )


def odds(
    book: RuleBook | str,
    wager: str | None = None,
    *,
    paytable: str | None = None,
    players: int | None = None,
    house_way: HouseWay | str | None = None,
    player_house_way: HouseWay | str | None = None,
    stake_cents: int | None = None,
    rows: Sequence[PaytableRow] | None = None,
    payout_max_cents: int | None = None,
    progress: Progress | None = None,
) -> answers.Odds:
    """Computes the exact odds of the base game (``wager="pai-gow"``), of a side wager, or of all wagers of a book.

    ``house_way`` is that of the dealer and ``player_house_way`` that of the player. ``rows`` replace those of the
    wager's paytable.

    >>> import paigow
    >>> fortune = paigow.odds("washington", "fortune", paytable="FPG-01").wagers[0]
    >>> fortune.edge, fortune.edge_by_players[6]
    (Fraction(220226, 2752555), Fraction(2043089, 38535770))
    >>> fortune.rows[0].hand, fortune.rows[0].combinations, fortune.rows[0].pays
    ('natural_7_card_straight_flush', 32, 5000)
    """
    question = {
        "wager": wager,
        "paytable": paytable,
        "players": players,
        "stake_cents": stake_cents,
        "rows": None if rows is None else [_row(row) for row in rows],
        "payout_max_cents": payout_max_cents,
    }
    ways = [("house_way", house_way), ("player_house_way", player_house_way)]
    return build(answers.Odds, _ask("odds", question, book=as_book(book), ways=ways, progress=progress))


def _row(row: PaytableRow) -> dict[str, object]:
    values = {
        "hand": row.hand, "cards": row.cards, "pays": row.pays, "envy_cents": row.envy_cents, "intended": row.intended,
    }  # fmt: skip
    return {key: value for key, value in values.items() if value is not None}


def strategy(
    book: RuleBook | str,
    *,
    house_way: HouseWay | str | None = None,
    top: int = 10,
    progress: Progress | None = None,
) -> answers.Strategy:
    """Finds the best setting of every hand, and compares all house ways with it.

    The first call for some rules takes minutes and 3 GiB. Its summary is cached on disk. ``top`` is the maximum number
    of costliest hands of each house way.
    """
    asked = _ask(
        "strategy", {"top": top}, book=as_book(book), ways=[("house_way", house_way)], progress=progress
    )
    return build(answers.Strategy, asked)


def price(
    house_ways: HouseWay | str | Sequence[HouseWay | str],
    book: RuleBook | str,
    *,
    against: HouseWay | str | None = None,
    side: str | None = None,
    progress: Progress | None = None,
) -> answers.Price:
    """Prices house ways exactly: edge, cost against best play, and the part of each clause.

    ``side`` is ``player``, ``banker`` or ``dealer``, and ``against`` the house way of the other side. The first call for
    a book, side and opponent takes about 20 seconds on two cores; the table of worths is cached on disk.
    """
    given = [house_ways] if isinstance(house_ways, (HouseWay, str)) else list(house_ways)
    question: dict[str, object] = {"side": side, "house_ways": []}
    ways = [("against", against), *(("house_ways", way) for way in given)]
    return build(answers.Price, _ask("price", question, book=as_book(book), ways=ways, progress=progress))


def census(joker: str = "semi_wild") -> answers.Census:
    """Counts the 154,143,080 seven-card hands by class.

    >>> import paigow
    >>> paigow.census("fully_wild").classes["five_of_a_kind"]
    13536
    """
    if joker not in _JOKERS:
        Ranking(joker=joker)
    return build(answers.Census, _ask("census", {"joker": _JOKERS[joker]}))


def contents(hand: Hand | str, ranking: Ranking | None = None) -> answers.HandContents:
    """Returns the bonus classes, colors and best five of seven cards.

    >>> import paigow
    >>> found = paigow.contents("Ks Qs Js Ts Jk 2d 2c", paigow.Ranking(joker="fully_wild"))
    >>> found.in_play, found.best_five
    ('royal_flush', Hand('Ks Qs Js Ts Jk', size=5))
    """
    ranking = ranking or Ranking()
    question = {"cards": str(Hand(hand)), "joker": _JOKERS[ranking.joker], "wheel": ranking.wheel}
    return build(answers.HandContents, _ask("hand", question))


def settle(
    round: str | os.PathLike[str] | Mapping[str, object], *, books: Iterable[RuleBook] = ()
) -> answers.Settlement:
    """Settles a round: its TOML text, the path of a file as a ``Path``, or a mapping with the same keys.

    ``docs/rounds.md`` describes the keys. A text names a built-in book, or one of ``books`` by its name; a file may also
    name the path of a book relative to it. A text or file with an expected settlement must settle as expected.

    >>> import paigow
    >>> settled = paigow.settle({
    ...     "book": "washington",
    ...     "dealer": {"cards": "As Kd 9c 8h 6s 4d 2c"},
    ...     "seats": [{"seat": 1, "cards": "Qs Qd 6c 6h Ah Kh 3c", "wagers": {"pai-gow": "20.00"}}],
    ... })
    >>> settled.net_cents
    {'seat-1': 1900, 'banker': 0, 'house': -1900}
    """
    if isinstance(round, os.PathLike):
        return build(answers.Settlement, json.loads(_native.settle_file(os.fspath(round))))
    question: dict[str, object] = {"toml": round} if isinstance(round, str) else {"round": dict(round)}
    return build(answers.Settlement, _ask("settle", question, others=books))


def simulate(
    book: RuleBook | str,
    *,
    rounds: int = 1_000_000,
    seats: int | None = None,
    seed: int = 1,
    banker: int | None = None,
    paytables: Mapping[str, str] | None = None,
    house_way: HouseWay | str | None = None,
    player_house_way: HouseWay | str | None = None,
    progress: Progress | None = None,
) -> answers.Simulation:
    """Plays random rounds and compares the results with the exact odds.

    The same seed gives the same rounds as ``paigow simulate``, on any number of cores.
    """
    question = {
        "rounds": rounds,
        "seats": seats,
        "seed": seed,
        "banker": banker,
        "paytables": dict(paytables or {}),
    }
    ways = [("house_way", house_way), ("player_house_way", player_house_way)]
    return build(answers.Simulation, _ask("simulate", question, book=as_book(book), ways=ways, progress=progress))


def fair(
    *,
    secret: str,
    table: str,
    round: int,
    seats: Mapping[int, str] | None = None,
    rules: str | None = None,
    silent: Mapping[int, str] | None = None,
    commitment: str | None = None,
    book: RuleBook | str | None = None,
    plays: Iterable[int] = (),
    banker: int | None = None,
    pile: int | None = None,
) -> answers.FairDeal:
    """Derives a deal from the revealed secret of the house and the bytes of the seats (``docs/fairness.md``).

    ``seats`` has the revealed bytes of each seat in hexadecimal digits. ``rules`` is the digest of the rules in version 2
    of the protocol, in which ``silent`` has the commitments of seats that did not reveal their bytes. With ``book`` and
    ``plays``, the numbers of the seats that play, the answer also has the hands.

    >>> import paigow
    >>> deal = paigow.fair(secret="00" * 32, table="felt-1", round=1, book="washington", plays=[1])
    >>> deal.protocol, len(deal.cards.split()), sorted(deal.deal.hands)
    (1, 53, ['seat-1'])
    """
    question = {
        "secret": secret,
        "table": table,
        "round": round,
        "seats": dict(seats or {}),
        "rules": rules,
        "silent": dict(silent or {}),
        "commitment": commitment,
        "plays": list(plays),
        "banker": banker,
        "pile": pile,
    }
    handle = None if book is None else as_book(book)._handle
    return build(answers.FairDeal, json.loads(_native.fair_deal(json.dumps(question), handle)))


def check_receipt(
    receipt: str | os.PathLike[str] | Mapping[str, object], *, public_key: str | None = None
) -> answers.ReceiptReport:
    """Checks a signed receipt of a round: its JSON text, the path of a file, or the mapping.

    ``public_key`` is the key of the house, if it is known from elsewhere.
    """
    if isinstance(receipt, os.PathLike):
        text = Path(receipt).read_text(encoding="utf-8")
    elif isinstance(receipt, str):
        text = receipt
    elif isinstance(receipt, Mapping):
        text = json.dumps(dict(receipt))
    else:
        raise PaigowError._of("bad_receipt", "receipt", "expected text, a path or a mapping")
    return build(answers.ReceiptReport, json.loads(_native.check_receipt(text, public_key)))
