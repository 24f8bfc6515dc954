"""Cards and hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import total_ordering

import numpy as np
import numpy.typing as npt

from . import _native
from ._errors import PaigowError

__all__ = ["DECK", "Card", "Hand"]

_NAMES: tuple[str, ...] = tuple(_native.deck())
_JOKER = len(_NAMES) - 1


@total_ordering
class Card:
    """One of the 53 cards.

    ``index`` is the number of the card in arrays: clubs, diamonds, hearts and spades, each from the deuce to the ace,
    then the joker. So it is ``13 * suit + rank``, and 52 for the joker. Cards are ordered by index.

    >>> Card("As").index, Card("2c").index, Card("Jk").index
    (51, 0, 52)
    >>> Card(51)
    Card('As')
    >>> Card("10h").rank, Card("10h").suit, Card("10h").color
    ('T', 'h', 'red')
    """

    __slots__ = ("index",)

    index: int
    """Number of the card in arrays, from 0 to 52."""

    def __init__(self, card: str | int | Card) -> None:
        if isinstance(card, Card):
            index = card.index
        elif isinstance(card, str):
            index = _native.parse_cards(card, 1)[0]
        elif isinstance(card, (int, np.integer)) and 0 <= card < len(_NAMES):
            index = int(card)
        else:
            message = f"{card!r} is not a card: expected a name such as 'As', or an index from 0 to {_JOKER}"
            raise PaigowError._of("bad_cards", "card", message)
        object.__setattr__(self, "index", index)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a card cannot be changed: {name}")

    @property
    def is_joker(self) -> bool:
        """Whether the card is the joker."""
        return self.index == _JOKER

    @property
    def rank(self) -> str | None:
        """Letter of the rank, or ``None`` for the joker."""
        return None if self.is_joker else _NAMES[self.index][0]

    @property
    def suit(self) -> str | None:
        """Letter of the suit, or ``None`` for the joker."""
        return None if self.is_joker else _NAMES[self.index][1]

    @property
    def color(self) -> str | None:
        """``red`` or ``black``, or ``None`` for the joker, which has no color."""
        return None if self.is_joker else ("red" if self.suit in ("d", "h") else "black")

    def __str__(self) -> str:
        return _NAMES[self.index]

    def __repr__(self) -> str:
        return f"Card({_NAMES[self.index]!r})"

    def __eq__(self, other: object) -> bool:
        return self.index == other.index if isinstance(other, Card) else NotImplemented

    def __lt__(self, other: Card) -> bool:
        return self.index < other.index if isinstance(other, Card) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.index)

    def __reduce__(self) -> tuple[type[Card], tuple[int]]:
        return Card, (self.index,)


class Hand:
    """Different cards: the seven of a player or dealer, the five of a high hand, or the two of a low hand.

    Without ``size``, the hand has seven cards. The cards are listed from the ace down, the joker last.

    >>> hand = Hand("as kd 10c 9h 2s 2d joker")
    >>> hand
    Hand('As Kd Tc 9h 2s 2d Jk')
    >>> hand - Hand("As Kd", size=2)
    Hand('Tc 9h 2s 2d Jk', size=5)
    >>> Hand([51, 37, 8, 33, 39, 13, 52]) == Hand("As Kh Tc 9h 2s 2d Jk")
    True
    >>> hand.array
    array([51, 24,  8, 33, 39, 13, 52], dtype=uint8)
    """

    __slots__ = ("_indices",)

    _indices: bytes

    def __init__(self, cards: str | Iterable[Card | str | int] | Hand, size: int = 7) -> None:
        if size not in (2, 5, 7):
            raise PaigowError._of("bad_size", "size", f"a hand has 2, 5 or 7 cards, not {size}")
        text = cards if isinstance(cards, str) else " ".join(str(Card(card)) for card in cards)
        object.__setattr__(self, "_indices", _native.parse_cards(text, size))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a hand cannot be changed: {name}")

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards, from the ace down, the joker last."""
        return tuple(Card(index) for index in self._indices)

    @property
    def array(self) -> npt.NDArray[np.uint8]:
        """The indices of the cards, as a row of an array of hands."""
        return np.frombuffer(self._indices, dtype=np.uint8).copy()

    def __sub__(self, other: Hand) -> Hand:
        rest = [index for index in self._indices if index not in other._indices]
        return Hand(rest, size=len(rest))

    def __len__(self) -> int:
        return len(self._indices)

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __contains__(self, card: object) -> bool:
        return isinstance(card, (Card, str, int)) and Card(card).index in self._indices

    def __str__(self) -> str:
        return " ".join(_NAMES[index] for index in self._indices)

    def __repr__(self) -> str:
        size = "" if len(self) == 7 else f", size={len(self)}"
        return f"Hand({str(self)!r}{size})"

    def __eq__(self, other: object) -> bool:
        return self._indices == other._indices if isinstance(other, Hand) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._indices)

    def __reduce__(self) -> tuple[type[Hand], tuple[str, int]]:
        return Hand, (str(self), len(self))


DECK: tuple[Card, ...] = tuple(Card(index) for index in range(len(_NAMES)))
"""All 53 cards, by their index."""
