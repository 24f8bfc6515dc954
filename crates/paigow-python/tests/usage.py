"""A program that uses the package, for the type checker."""

from fractions import Fraction

import numpy as np
import numpy.typing as npt

import paigow


def edge(book: str, wager: str) -> dict[str, Fraction]:
    return {table.paytable: table.edge for table in paigow.odds(book, wager).wagers}


def low_cards(way: paigow.HouseWay, hands: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    return way.set_hands(hands, progress=lambda stage, done, total: print(stage, done, total)).low


def net(round_: dict[str, object]) -> int:
    try:
        return paigow.settle(round_).net_cents["seat-1"]
    except paigow.PaigowError as error:
        codes: list[str] = [fault.code for fault in error.faults]
        raise SystemExit(", ".join(codes)) from error


book = paigow.RuleBook("washington").with_changes({"commission.percent": "4"}, house_way="ballys")
commission: Fraction = book.commission
game = paigow.odds(book, "pai-gow").base_game
wins: int = game.win if game is not None else 0
hand = paigow.Hand("As Kd Tc 9h 2s 2d Jk")
value: Fraction = paigow.best(hand, book).settings[0].ev
strengths: npt.NDArray[np.uint16] = paigow.Ranking().strengths(hand.array[:5].reshape(1, 5))
worth: Fraction = paigow.worths(book, side="player").values(hand.array.reshape(1, 7)).value(0)
