"""Rule books and house ways."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy.typing as npt

from . import _arrays, _native
from ._answers import Setting
from ._arrays import Progress, SetHands
from ._build import build
from ._cards import Hand
from ._errors import PaigowError
from ._ranking import Ranking

__all__ = ["Clause", "HouseWay", "Paytable", "PaytableRow", "RuleBook", "SideWager", "book_names", "card_names", "house_way_names"]


def book_names() -> tuple[str, ...]:
    """Returns the names of the built-in rule books.

    >>> book_names()
    ('california', 'ez', 'south-beach', 'south-dakota', 'washington')
    """
    return tuple(_native.names()[0])


def house_way_names() -> tuple[str, ...]:
    """Returns the names of the built-in house ways."""
    return tuple(_native.names()[1])


def card_names() -> tuple[str, ...]:
    """Returns the names of the built-in strategy cards, which are house ways with few clauses."""
    return tuple(_native.names()[2])


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A clause of a house way. The first clause that applies decides a hand."""

    when: str
    set: tuple[str, ...]
    if_possible: bool
    says: str
    cite: str
    assumed: bool


class HouseWay:
    """A house way: clauses that set every hand.

    >>> way = HouseWay("foxwoods")
    >>> setting = way.set("Qs Qd 6c 6h Ah Kd 3c")
    >>> print(setting.low, "/", setting.high, "-", setting.says)
    6h 6c / Ah Kd Qs Qd 3c - Two pairs are split: the higher in the high hand, the lower in the low hand.
    """

    __slots__ = ("_clauses", "_handle", "_values")

    _handle: _native.Way
    _values: dict[str, Any]
    _clauses: tuple[Clause, ...]

    def __init__(self, name: str) -> None:
        """Loads a built-in house way or strategy card by its name."""
        self._take(_native.Way(name))

    def _take(self, way: _native.Way) -> None:
        self._handle = way
        self._values = json.loads(way.describe())
        self._clauses = tuple(build(Clause, clause) for clause in self._values["clauses"])

    @classmethod
    def _of(cls, way: _native.Way) -> HouseWay:
        new = cls.__new__(cls)
        new._take(way)
        return new

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> HouseWay:
        """Loads a house way from a file, and checks that it decides every hand."""
        return cls._of(_native.Way.from_file(os.fspath(path)))

    @classmethod
    def from_text(cls, name: str, text: str) -> HouseWay:
        """Loads a house way from the text of a file."""
        return cls._of(_native.Way.from_text(name, text))

    @property
    def id(self) -> str:
        """Identifier."""
        return str(self._values["id"])

    @property
    def title(self) -> str:
        """Name of the house."""
        return str(self._values["title"])

    @property
    def source(self) -> str:
        """Document from which the text was taken."""
        return str(self._values["source"])

    @property
    def ranking(self) -> Ranking:
        """Ranking for which the house way was written. A rule book may use another."""
        return Ranking(**self._values["ranking"])

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses, in order."""
        return self._clauses

    def set(self, hand: Hand | str, ranking: Ranking | None = None) -> Setting:
        """Sets a hand. ``ranking`` is that of the house way if it is not given."""
        hand = Hand(hand)
        decided = self.set_hands(hand.array.reshape(1, 7), ranking)
        ranking = ranking or self.ranking
        clause = self.clauses[int(decided.clause[0])]
        low, high = Hand(decided.low[0], size=2), Hand(decided.high[0], size=5)
        return Setting(
            cards=hand, high=high, low=low, high_category=ranking.category(high), low_category=ranking.category(low),
            clause=clause.when, says=clause.says, cite=clause.cite, assumed=clause.assumed, house_way=self.id,
        )  # fmt: skip

    def set_hands(
        self, hands: npt.ArrayLike, ranking: Ranking | None = None, *, progress: Progress | None = None
    ) -> SetHands:
        """Sets hands of shape ``(n, 7)`` and type ``uint8``, on all cores.

        >>> import numpy as np
        >>> from paigow import Hand, HouseWay
        >>> hands = np.stack([Hand("Qs Qd 6c 6h Ah Kd 3c").array])
        >>> [str(Hand(low, size=2)) for low in HouseWay("ballys").set_hands(hands).low]
        ['Ah Kd']
        """
        ranking = ranking or self.ranking
        return _arrays.set_hands(self._handle, hands, ranking.joker, ranking.wheel, progress)

    def __repr__(self) -> str:
        return f"HouseWay({self.id!r})"

    def __eq__(self, other: object) -> bool:
        return self._values == other._values if isinstance(other, HouseWay) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values["rules"])


@dataclass(frozen=True, slots=True, kw_only=True)
class PaytableRow:
    """A row of a paytable: a class of hands or a number of cards of the chosen color, and its payout to 1."""

    hand: str | None = None
    cards: int | None = None
    pays: int
    envy_cents: int | None = None
    reading: str | None = None
    intended: bool = False
    """Whether the row pays less than a more common hand on purpose. Without it, ``odds`` refuses such a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paytable:
    """A paytable of a side wager."""

    paytable: str
    also: str | None
    available: bool
    joker: str
    rows: tuple[PaytableRow, ...]
    cite: str
    assumed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SideWager:
    """A side wager of a rule book."""

    wager: str
    title: str
    offered: bool
    looks_at: str
    settled_by: str
    default: str
    min_cents: int
    max_cents: int
    envy_from_cents: int | None
    payout_max: dict[str, Any] | None
    cite: str
    assumed: bool
    paytables: tuple[Paytable, ...]


class RuleBook:
    """A rule book: the rules of a house, each value with its source.

    >>> book = RuleBook("washington")
    >>> book.title, book.house_way.id, book.commission
    ("Washington: Fortune Pai Gow Poker and Pai Gow'd", 'foxwoods', Fraction(1, 20))
    >>> [wager.wager for wager in book.wagers]
    ['fortune', 'pai-gowd']
    >>> book.with_changes({"ranking.wheel": "lowest"}).ranking
    Ranking(joker='semi_wild', wheel='lowest')
    """

    __slots__ = ("_handle", "_values")

    _handle: _native.Book
    _values: dict[str, Any]

    def __init__(self, name: str) -> None:
        """Loads a built-in rule book by its name."""
        self._take(_native.Book(name))

    def _take(self, book: _native.Book) -> None:
        self._handle = book
        self._values = json.loads(book.describe())

    @classmethod
    def _of(cls, book: _native.Book) -> RuleBook:
        new = cls.__new__(cls)
        new._take(book)
        return new

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> RuleBook:
        """Loads a rule book from a file. The names in it may be paths relative to the file."""
        return cls._of(_native.Book.from_file(os.fspath(path)))

    @classmethod
    def from_text(cls, name: str, text: str) -> RuleBook:
        """Loads a rule book from the text of a file. The names in it are those of built-in texts.

        >>> RuleBook.from_text("mine", 'extends = "washington"').id
        'mine'
        """
        return cls._of(_native.Book.from_text(name, text))

    def with_changes(
        self, changes: Mapping[str, str | int | bool] | None = None, *, house_way: HouseWay | str | None = None
    ) -> RuleBook:
        """Returns the book with values replaced, by their path in the file. ``house_way`` replaces the house way."""
        pairs = [(path, _toml(path, value)) for path, value in (changes or {}).items()]
        way = None if house_way is None else as_way(house_way)._handle
        return RuleBook._of(self._handle.with_changes(pairs, way))

    @property
    def id(self) -> str:
        """Identifier."""
        return str(self._values["id"])

    @property
    def title(self) -> str:
        """Title for display."""
        return str(self._values["title"])

    @property
    def source(self) -> str:
        """Document that the book follows."""
        return str(self._values["source"])

    @property
    def ranking(self) -> Ranking:
        """Ranking of hands."""
        return Ranking(**self._values["ranking"])

    @property
    def house_way(self) -> HouseWay:
        """House way of the dealer."""
        return HouseWay._of(self._handle.house_way())

    @property
    def seats(self) -> int:
        """Number of seats."""
        return int(self._values["seats"])

    @property
    def sides(self) -> tuple[str, ...]:
        """Sides of the table whose settings can be priced: ``player``, ``banker``, ``dealer``."""
        return tuple(self._values["sides"])

    @property
    def commission(self) -> Fraction:
        """Commission on a win."""
        return Fraction(self._values["commission_basis_points"], 10_000)

    @property
    def wagers(self) -> tuple[SideWager, ...]:
        """Side wagers with their paytables."""
        return tuple(build(SideWager, wager) for wager in self._values["wagers"])

    @property
    def changes(self) -> dict[str, str]:
        """Values that were replaced, by their path."""
        return dict(self._values["changes"])

    @property
    def digest(self) -> str:
        """Digest of the rules in force, with the default paytables, in hexadecimal digits."""
        return str(self._values["digest"])

    @property
    def canonical(self) -> str:
        """Text that the digest is computed from."""
        return str(self._values["canonical"])

    def __repr__(self) -> str:
        changes = f" with {self.changes}" if self.changes else ""
        return f"<RuleBook {self.id!r}{changes}>"

    def __eq__(self, other: object) -> bool:
        return self._values == other._values if isinstance(other, RuleBook) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)


def _toml(path: str, value: str | int | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int)):
        return str(value)
    message = f"{path}: expected text, a number or a truth value, not {type(value).__name__}"
    raise PaigowError._of("bad_change", path, message)


def as_book(book: RuleBook | str) -> RuleBook:
    """Returns a book, or loads the built-in book of a name."""
    return book if isinstance(book, RuleBook) else RuleBook(book)


def as_way(way: HouseWay | str) -> HouseWay:
    """Returns a house way, or loads the built-in house way of a name."""
    return way if isinstance(way, HouseWay) else HouseWay(way)
