"""Values of many hands at once."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from . import _native
from ._arrays import Progress, rows
from ._books import HouseWay, RuleBook, as_book, as_way
from ._errors import PaigowError

__all__ = ["HandWorths", "Worths", "worths"]

Counts = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class HandWorths:
    """Wins and losses of hands, one element for each, summed over the hands of its kind and all opposing hands.

    A kind is a set of hands that no house way can tell apart. Divided by ``hands``, the sums are averages over the kind:
    the wins of two hands of a kind differ slightly, because their suits take part in the flushes of the other side.
    ``paigow.best`` has the exact value of one hand.
    """

    hands: Counts
    """Number of hands of the kind."""
    win: Counts
    lose: Counts
    opponents: int
    """Number of opposing hands for each hand."""
    stakes: tuple[int, int]
    """Gain of a win and loss of a loss, in ten-thousandths of a wager."""

    @property
    def net(self) -> npt.NDArray[np.int64]:
        """Net win in ten-thousandths of a wager, summed over the hands of the kind and all opposing hands."""
        gain, loss = self.stakes
        return self.win.astype(np.int64) * gain - self.lose.astype(np.int64) * loss

    def value(self, index: int) -> Fraction:
        """Returns the expected value of one hand per unit wagered, on average over the hands of its kind."""
        return Fraction(int(self.net[index]), int(self.hands[index]) * self.opponents * 10_000)

    @property
    def approximate(self) -> npt.NDArray[np.float64]:
        """The expected values as floating-point numbers, for plots and sorting."""
        return self.net / (self.hands * (self.opponents * 10_000.0))


class Worths:
    """The worth of every setting of every kind of hands, against one opponent. ``paigow.worths`` returns it."""

    __slots__ = ("_handle",)

    _handle: _native.Worths

    def __init__(self, native: _native.Worths) -> None:
        self._handle = native

    @property
    def side(self) -> str:
        """Side of the table whose settings are valued."""
        return self._handle.side

    @property
    def against(self) -> str:
        """Id of the house way of the other side."""
        return self._handle.against

    def values(
        self, hands: npt.ArrayLike, low: npt.ArrayLike | None = None, *, progress: Progress | None = None
    ) -> HandWorths:
        """Returns the worths of hands of shape ``(n, 7)``, on all cores.

        ``low`` has the low hands of their settings, of shape ``(n, 2)``. Without it, every hand is set in its best way.
        """
        array = rows(hands, (7,), "hands")
        lows = None if low is None else rows(low, (2,), "low")
        if lows is not None and len(lows) != len(array):
            message = f"low must have a row for each hand: {len(array)}, not {len(lows)}"
            raise PaigowError._of("bad_array", "low", message)
        given = None if lows is None else lows.tobytes()
        out = np.frombuffer(self._handle.values(array.tobytes(), given, progress), np.uint64).reshape(-1, 3)
        hand_count, win, lose = (np.ascontiguousarray(out[:, column]) for column in range(3))
        return HandWorths(hand_count, win, lose, self._handle.opponents, self._handle.stakes)

    def __repr__(self) -> str:
        return f"<Worths of the {self.side} against {self.against!r}>"


def worths(
    book: RuleBook | str,
    *,
    side: str | None = None,
    against: HouseWay | str | None = None,
    progress: Progress | None = None,
) -> Worths:
    """Returns the worths of all settings of a side of a book, to value arrays of hands.

    ``side`` is ``player``, ``banker`` or ``dealer``, and ``against`` the house way of the other side. The first call
    takes about 20 seconds on two cores; the table is cached on disk.
    """
    way = None if against is None else as_way(against)._handle
    return Worths(_native.worths(as_book(book)._handle, side, way, progress))
