"""Answers: frozen dataclasses with the keys of the program's JSON.

Counts are ``int``, odds are ``Fraction``, and money is cents as ``int``. Lists of answers load into pandas as they are:
``pandas.DataFrame(answer.rows)``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from ._cards import Hand

__all__ = [
    "AtStake", "BankerOdds", "BaseGameOdds", "BestSettings", "Census", "ChangedValue", "ClauseCost", "Comparison",
    "CostlyClass", "CostlyKind", "Dealt", "FairDeal", "HandContents", "LowComparison", "Odds", "Outcomes", "Price",
    "PricedWay", "RankingNames", "ReceiptCheck", "ReceiptReport", "RowOdds", "Setting", "SettingWorth", "SettledLine",
    "SettledStep", "Settlement", "Simulation", "SimulatedWager", "StepWager", "Strategy", "StrategyWay", "UsedValue",
    "WagerAtStake", "WagerOdds",
]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class _VarianceMixin:
    """Odds with a variance."""

    _DERIVED: ClassVar[tuple[str, ...]] = ("standard_deviation",)

    variance: Fraction
    """Variance of the net result per unit wagered."""

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of the net result per unit wagered, rounded to a ``float`` for printing."""
        return math.sqrt(self.variance)


@dataclass(frozen=True, kw_only=True)
class Outcomes(_VarianceMixin):
    """Outcomes of a base wager over all deals, and its edge."""

    win: int
    push: int
    lose: int
    edge: Fraction
    """House edge: expected loss as a fraction of the wager."""


@dataclass(frozen=True, kw_only=True)
class RankingNames:
    """Use of the joker and rank of the wheel."""

    joker: str
    wheel: str


@dataclass(frozen=True, kw_only=True)
class AtStake:
    """House edge at a stake, with the rounding of the commission and fees."""

    stake_cents: int
    within_limits: bool
    edge: Fraction


@dataclass(frozen=True, kw_only=True)
class WagerAtStake(AtStake):
    """House edge of a side wager at a stake, with the payout maximum."""

    payout_max_cents: int | None
    payout_max_per: str | None


@dataclass(frozen=True, kw_only=True)
class BankerOdds(Outcomes):
    """Odds of a banking seat."""

    edge_before_commission: Fraction
    commission_on: str
    hands_answered: int


@dataclass(frozen=True, kw_only=True)
class LowComparison:
    """Number of deals by comparison of the player's low hand with the dealer's."""

    higher_in_front: int
    copy_in_front: int
    lower_in_front: int


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Number of deals by comparison of the player's high hand with the dealer's, and then of the low hands."""

    higher_behind: LowComparison
    copy_behind: LowComparison
    lower_behind: LowComparison


@dataclass(frozen=True, kw_only=True)
class BaseGameOdds(Outcomes):
    """The base game over all deals."""

    house_way: str
    player_house_way: str
    ranking: RankingNames
    deals: int
    dealer_push: int
    edge_before_commission: Fraction
    commission_part: Fraction
    copies_part: Fraction
    compared: Comparison
    as_banker: BankerOdds | None
    at_stake: AtStake | None


@dataclass(frozen=True, kw_only=True)
class RowOdds:
    """Odds of a row of a paytable."""

    hand: str
    combinations: int
    pays: int
    envy_cents: int | None
    probability: Fraction
    returns: Fraction = field(metadata={"key": "return"})
    """Expected payout of the row per unit wagered, without the wager itself."""


@dataclass(frozen=True, kw_only=True)
class WagerOdds(_VarianceMixin):
    """Odds of a side wager with one paytable."""

    wager: str
    offered: bool
    paytable: str
    available: bool
    joker: str
    hands: int | None
    """Number of all hands, if one hand decides the wager."""
    deals: int | None
    """Number of all deals, if both hands decide the wager."""
    rows: tuple[RowOdds, ...]
    losing: int
    edge: Fraction
    hit_frequency: Fraction
    envy_return: Fraction
    edge_by_players: dict[int, Fraction]
    envy_from_cents: int | None
    at_stake: WagerAtStake | None


@dataclass(frozen=True, kw_only=True)
class ChangedValue:
    """A changed value that the document fixes."""

    value: str
    given: str
    book: str | None
    cite: str | None
    says: str


@dataclass(frozen=True, kw_only=True)
class Odds:
    """Odds of the base game and of side wagers."""

    book: str
    base_game: BaseGameOdds | None
    wagers: tuple[WagerOdds, ...]
    departures: tuple[ChangedValue, ...]


@dataclass(frozen=True, kw_only=True)
class SettingWorth:
    """Results of a setting over all dealer hands, and its expected value per unit wagered."""

    high: Hand
    low: Hand
    win: int
    push: int
    lose: int
    ev: Fraction
    best: bool
    house_way: bool


@dataclass(frozen=True, kw_only=True)
class BestSettings:
    """Every legal setting of a hand, the best first."""

    cards: Hand
    book: str
    house_way: str
    dealer_hands: int
    settings: tuple[SettingWorth, ...]


@dataclass(frozen=True, kw_only=True)
class Setting:
    """Setting of a hand by a house way, and the clause that decided."""

    cards: Hand
    high: Hand
    low: Hand
    high_category: str
    low_category: str
    clause: str
    says: str
    cite: str
    assumed: bool
    house_way: str


@dataclass(frozen=True, kw_only=True)
class HandContents:
    """Bonus classes, colors and best five of seven cards."""

    cards: Hand
    in_play: str
    contains: tuple[str, ...]
    best_five: Hand
    best_five_says: str
    red: int
    black: int
    ranking: RankingNames


@dataclass(frozen=True, kw_only=True)
class Census:
    """Number of seven-card hands in each class."""

    joker: str
    hands: int
    classes: dict[str, int]
    """Hands by rank in play. Each hand is counted once."""
    high_card: dict[str, int]
    contains: dict[str, int]
    """Hands that contain a class. A hand is counted for every class it contains."""
    cards_of_a_chosen_color: dict[int, int]


@dataclass(frozen=True, kw_only=True)
class CostlyClass:
    """A class of hands that a house way sets worse than the best setting."""

    cards: Hand
    house_way: str
    best: str
    cost: Fraction
    hands: int


@dataclass(frozen=True, kw_only=True)
class StrategyWay(Outcomes):
    """A house way compared with the best strategy."""

    house_way: str
    hands_set_differently: int
    cost: Fraction
    costliest: tuple[CostlyClass, ...]


@dataclass(frozen=True, kw_only=True)
class Strategy(Outcomes):
    """Outcomes of a player who sets every hand in the best way, and the house ways compared with it."""

    book: str
    house_way: str
    deals: int
    hands_set_differently: int
    costliest: tuple[CostlyClass, ...]
    house_ways: tuple[StrategyWay, ...]


@dataclass(frozen=True, kw_only=True)
class ClauseCost:
    """Part of a clause in the price of a house way."""

    when: str
    set: tuple[str, ...]
    hands: int
    hands_set_worse: int
    cost: Fraction
    removed: Fraction | None
    """Additional cost without the clause. ``None`` for the last clause, which must stay."""
    swapped: Fraction | None
    """Additional cost if the clause changes places with the next one."""


@dataclass(frozen=True, kw_only=True)
class CostlyKind:
    """A kind of hands that a house way sets at a cost."""

    cards: Hand
    hands: int
    clause: int
    """Number of the clause that decides, from 1."""
    low: Hand
    high: Hand
    best_low: Hand
    best_high: Hand
    cost: Fraction
    part: Fraction


@dataclass(frozen=True, kw_only=True)
class PricedWay(Outcomes):
    """A house way with its odds, its cost against best play, and the part of each clause."""

    way: str
    lines: int
    gives_away: Fraction
    house_way: str
    title: str
    cost: Fraction
    hands_set_worse: int
    clauses: tuple[ClauseCost, ...]
    costliest: tuple[CostlyKind, ...]


@dataclass(frozen=True, kw_only=True)
class Price:
    """Prices of house ways on one side of the table."""

    book: str
    side: str
    against: str
    best: Outcomes
    best_edge: Fraction
    ways: tuple[PricedWay, ...]


@dataclass(frozen=True, kw_only=True)
class UsedValue:
    """A value of the book that decided a line."""

    value: str
    kind: str
    cite: str


@dataclass(frozen=True, kw_only=True)
class SettledLine:
    """A line of a settlement, with its reason and its rule."""

    seat: int | None
    who: str
    wager: str
    stake_cents: int
    outcome: str
    net_cents: int
    commission_cents: int
    against: str
    because: str
    cite: str
    assumed: bool
    values: tuple[UsedValue, ...]


@dataclass(frozen=True, kw_only=True)
class StepWager:
    """A wager and its owner."""

    who: str
    wager: str


@dataclass(frozen=True, kw_only=True)
class SettledStep:
    """A dealer's step of a settlement, and the state of the table after it."""

    part: str
    who: str
    first_line: int
    lines: int
    buttons: tuple[StepWager, ...]
    unreconciled: tuple[StepWager, ...]
    net_cents: dict[str, int]


@dataclass(frozen=True, kw_only=True)
class Settlement:
    """A settled round."""

    book: str
    banker: str
    lines: tuple[SettledLine, ...]
    steps: tuple[SettledStep, ...]
    net_cents: dict[str, int]
    sum_cents: int


@dataclass(frozen=True, kw_only=True)
class SimulatedWager:
    """Results of a wager in random rounds, compared with its exact odds."""

    _DERIVED: ClassVar[tuple[str, ...]] = ("standard_error", "deviation")

    wager: str
    paytable: str | None
    envy: bool
    banking: bool
    commission: bool
    hands: int
    win: int
    push: int
    lose: int
    observed_edge: Fraction
    exact_edge: Fraction | None
    standard_error_squared: Fraction | None
    flagged: bool
    """Whether the deviation is too large for chance."""

    @property
    def deviation(self) -> float | None:
        """Deviation of the observed from the exact edge in standard errors, rounded to a ``float`` for printing."""
        if self.exact_edge is None or not self.standard_error_squared:
            return None
        return float(self.observed_edge - self.exact_edge) / math.sqrt(self.standard_error_squared)


@dataclass(frozen=True, kw_only=True)
class Simulation:
    """Results of random rounds."""

    book: str
    rounds: int
    seats: int
    seed: int
    banker: str
    wagers: tuple[SimulatedWager, ...]
    flagged: int


@dataclass(frozen=True, kw_only=True)
class Dealt:
    """Hands of a deal at a table."""

    book: str
    banker: str
    places: int
    dice: int
    first: int
    hands: dict[str, Hand]
    dealer: Hand | None
    discards: str


@dataclass(frozen=True, kw_only=True)
class FairDeal:
    """A deal derived from the secret of the house and the bytes of the seats."""

    table: str
    round: int
    protocol: int
    seat_bytes: dict[int, str]
    commitment: str
    commitment_given: str | None
    matches: bool | None
    """Whether the given commitment is that of the secret. ``None`` if none was given."""
    cards: str
    """The 53 cards in dealing order."""
    dice: dict[int, int]
    deal: Dealt | None


@dataclass(frozen=True, kw_only=True)
class ReceiptCheck:
    """One check of a receipt. ``holds`` is ``None`` if it could not be made."""

    check: str
    holds: bool | None


@dataclass(frozen=True, kw_only=True)
class ReceiptReport:
    """All checks of a signed receipt."""

    holds: bool
    key: str
    public_key: str
    key_matches: bool | None
    checks: tuple[ReceiptCheck, ...]
    receipt: dict[str, Any] | None
