"""Arrays of hands: shape ``(n, 7)``, ``(n, 5)`` or ``(n, 2)``, type ``uint8``, one index of a card in each element."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import _native
from ._errors import PaigowError

__all__ = ["CLASS_NAMES", "HandClasses", "Progress", "SetHands", "classes", "suit_classes"]

Progress = Callable[[str, int, int], object]
"""Callback for progress: receives the name of a stage, the work done and the total. An exception stops the work."""

Bytes = npt.NDArray[np.uint8]

CLASS_NAMES: tuple[str, ...] = tuple(_native.class_names())
"""Names of the classes of hands, by their index."""


def rows(hands: npt.ArrayLike, widths: tuple[int, ...], name: str) -> Bytes:
    """Returns an array of hands, or refuses one of another shape or type."""
    try:
        array = np.asarray(hands)
    except ValueError:
        # Rows of different lengths.
        array = np.asarray(None)
    if array.dtype != np.uint8 or array.ndim != 2 or array.shape[1] not in widths:
        shapes = " or ".join(f"(n, {width})" for width in widths)
        message = f"{name} must have shape {shapes} and type uint8, not shape {array.shape} and type {array.dtype}"
        raise PaigowError._of("bad_array", name, message)
    return array


@dataclass(frozen=True, slots=True, eq=False)
class SetHands:
    """Hands set by a house way, one row for each hand."""

    low: Bytes
    """The low hands, of shape ``(n, 2)``."""
    high: Bytes
    """The high hands, of shape ``(n, 5)``."""
    clause: npt.NDArray[np.uint16]
    """Index of the clause that decided each hand, from 0."""


def set_hands(
    way: _native.Way, hands: npt.ArrayLike, joker: str, wheel: str, progress: Progress | None
) -> SetHands:
    """Sets hands by a house way."""
    array = rows(hands, (7,), "hands")
    out = np.frombuffer(_native.set_hands(way, array.tobytes(), joker, wheel, progress), np.uint8)
    out = out.reshape(-1, 9)
    clause = np.ascontiguousarray(out[:, 7:]).view(np.uint16).reshape(-1)
    return SetHands(np.ascontiguousarray(out[:, :2]), np.ascontiguousarray(out[:, 2:7]), clause)


def strengths(hands: npt.ArrayLike, joker: str, wheel: str, progress: Progress | None) -> npt.NDArray[np.uint16]:
    """Returns the strengths of high hands or low hands."""
    array = rows(hands, (5, 2), "hands")
    return np.frombuffer(
        _native.rank(array.tobytes(), array.shape[1], joker, wheel, progress), np.uint16
    )


@dataclass(frozen=True, slots=True, eq=False)
class HandClasses:
    """Classes of hands of seven cards, one element for each hand."""

    in_play: npt.NDArray[np.uint32]
    """Index of the highest class by rank in play, in ``CLASS_NAMES``."""
    contains: npt.NDArray[np.uint32]
    """The classes that each hand contains: bit ``i`` is the class ``CLASS_NAMES[i]``."""

    def has(self, name: str) -> npt.NDArray[np.bool_]:
        """Returns which hands contain a class."""
        if name not in CLASS_NAMES:
            known = ", ".join(CLASS_NAMES)
            raise PaigowError._of("unknown_class", "name", f"there is no class `{name}`; there are {known}")
        found: npt.NDArray[np.bool_] = (self.contains >> np.uint32(CLASS_NAMES.index(name))) & np.uint32(1) != 0
        return found


def classes(
    hands: npt.ArrayLike, joker: str = "semi_wild", *, progress: Progress | None = None
) -> HandClasses:
    """Returns the classes of hands, by which side wagers are decided.

    >>> import numpy as np
    >>> import paigow
    >>> hands = np.stack([paigow.Hand(cards).array for cards in ("Ks Qs Js Ts Jk 2d 2c", "As Kd Tc 9h 7s 4d 2c")])
    >>> found = paigow.classes(hands)
    >>> [paigow.CLASS_NAMES[index] for index in found.in_play]
    ['royal_flush', 'ace_high']
    >>> found.has("flush")
    array([ True, False])
    """
    array = rows(hands, (7,), "hands")
    out = np.frombuffer(_native.classes(array.tobytes(), joker, progress), np.uint32).reshape(-1, 2)
    return HandClasses(in_play=out[:, 1], contains=out[:, 0])


def suit_classes() -> tuple[Bytes, Bytes]:
    """Returns one hand of every suit class, and the number of hands in each class.

    Hands that differ only in the names of their suits are one class: 6,972,147 classes stand for all 154,143,080 hands.
    A count over all hands that does not depend on the names of suits is a sum of the weights.

    >>> hands, weights = suit_classes()
    >>> hands.shape, int(weights.sum(dtype=int))
    ((6972147, 7), 154143080)
    """
    hands, weights = _native.suit_classes()
    return np.frombuffer(hands, np.uint8).reshape(-1, 7), np.frombuffer(weights, np.uint8)
