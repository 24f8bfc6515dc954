"""Refusals of the package, with the codes of the command line and of the HTTP API."""

from __future__ import annotations

import json
from dataclasses import dataclass

__all__ = ["Fault", "PaigowError"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault of an argument, a text or a round.

    ``code`` is stable and meant for programs. ``at`` is the path of the argument or the place in a text, and ``line``
    and ``column`` count from 1.
    """

    code: str
    message: str
    help: str | None = None
    at: str | None = None
    line: int | None = None
    column: int | None = None


class PaigowError(ValueError):
    """A refusal, with every fault that was found.

    >>> import paigow
    >>> try:
    ...     paigow.Hand("As As Xx")
    ... except paigow.PaigowError as error:
    ...     print(error.code, "|", error)
    bad_cards | unknown card "Xx" at column 7; As appears twice; expected 7 cards, found 2
    """

    faults: tuple[Fault, ...]
    """All faults, in the order in which they were found."""

    def __init__(self, message: str, faults: tuple[Fault, ...]) -> None:
        super().__init__(message)
        self.faults = faults

    @property
    def code(self) -> str:
        """Code of the first fault."""
        return self.faults[0].code

    def __reduce__(self) -> tuple[type[PaigowError], tuple[str, tuple[Fault, ...]]]:
        return type(self), (str(self), self.faults)

    @classmethod
    def _of(cls, code: str, at: str, message: str) -> PaigowError:
        return cls(message, (Fault(code=code, message=message, at=at),))

    @classmethod
    def _from_json(cls, message: str, faults: str) -> PaigowError:
        return cls(message, tuple(Fault(**fault) for fault in json.loads(faults)))
