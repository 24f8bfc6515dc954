"""Rankings: how strong hands are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from . import _arrays, _native
from ._arrays import Progress
from ._cards import Hand

__all__ = ["Ranking"]


@dataclass(frozen=True, slots=True)
class Ranking:
    """The use of the joker, and the rank of A-2-3-4-5 among the straights.

    ``joker`` is ``semi_wild`` (an ace, or the card that completes a straight or a flush) or ``fully_wild``. ``wheel`` is
    ``lowest`` or ``second_highest``.

    >>> ranking = Ranking(wheel="lowest")
    >>> wheel, six_high = (Hand(cards, size=5) for cards in ("As 2d 3c 4h 5s", "2d 3c 4h 5s 6d"))
    >>> ranking.strength(wheel) < ranking.strength(six_high)
    True
    >>> Ranking(wheel="second_highest").strength(wheel) < ranking.strength(six_high)
    False
    """

    joker: str = "semi_wild"
    wheel: str = "second_highest"

    JOKERS: ClassVar[tuple[str, ...]] = ("semi_wild", "fully_wild")
    WHEELS: ClassVar[tuple[str, ...]] = ("lowest", "second_highest")

    def __post_init__(self) -> None:
        # Names are checked where the rules are.
        _native.rank(b"", 2, self.joker, self.wheel, None)

    def strength(self, hand: Hand) -> int:
        """Returns the strength of a high hand of five cards or a low hand of two, from 0 for the weakest."""
        return _native.describe(hand._indices, self.joker, self.wheel)[0]

    def category(self, hand: Hand) -> str:
        """Returns the category of a high hand or a low hand, such as ``two_pair``."""
        return _native.describe(hand._indices, self.joker, self.wheel)[1]

    def describe(self, hand: Hand) -> str:
        """Returns the name of a high hand or a low hand.

        >>> Ranking().describe(Hand("As Ad Jc Jk 3s", size=5))
        'three aces'
        """
        return _native.describe(hand._indices, self.joker, self.wheel)[2]

    def is_legal(self, low: Hand, high: Hand) -> bool:
        """Returns whether a setting is legal: the low hand is not higher than the high hand."""
        return _native.is_legal(high._indices, low._indices, self.joker, self.wheel)

    def strengths(self, hands: npt.ArrayLike, *, progress: Progress | None = None) -> npt.NDArray[np.uint16]:
        """Returns the strengths of high hands, of shape ``(n, 5)``, or of low hands, of shape ``(n, 2)``.

        >>> import numpy as np
        >>> lows = np.array([[51, 52], [0, 13], [0, 1]], dtype=np.uint8)  # As Jk, 2c 2d, 2c 3c
        >>> Ranking().strengths(lows)
        array([90, 78,  0], dtype=uint16)
        """
        return _arrays.strengths(hands, self.joker, self.wheel, progress)
