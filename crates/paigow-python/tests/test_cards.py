"""Cards, hands and their ranking, compared with a plain evaluator written here."""

from __future__ import annotations

import itertools
import pickle
import random
from collections import Counter

import pytest

from paigow import DECK, Card, Hand, PaigowError, Ranking

RANKS = "23456789TJQKA"


def test_index_is_suit_and_rank_with_the_joker_last() -> None:
    names = [rank + suit for suit in "cdhs" for rank in RANKS] + ["Jk"]
    assert [str(card) for card in DECK] == names
    assert [Card(name).index for name in names] == list(range(53))
    assert all(Card(card.index) == card and Card(card) == card for card in DECK)
    assert (Card("Jk").rank, Card("Jk").suit, Card("Jk").color) == (None, None, None)
    assert Counter(card.color for card in DECK) == {"red": 26, "black": 26, None: 1}


def test_cards_and_hands_cannot_be_changed_and_survive_pickling() -> None:
    hand = Hand("As Kd Tc 9h 2s 2d Jk")
    for value in (Card("As"), hand, Hand("As Kd", size=2)):
        assert pickle.loads(pickle.dumps(value)) == value
        assert hash(pickle.loads(pickle.dumps(value))) == hash(value)
        with pytest.raises(AttributeError):
            value.index = 3  # type: ignore[union-attr,misc]
    assert Card("As") in hand and "Kd" in hand and 52 in hand and "Ad" not in hand
    assert Hand(reversed(hand.cards)) == hand and Hand(hand.array) == hand
    assert len(hand) == 7 and [str(card) for card in hand] == str(hand).split()


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("As As Xx", 'unknown card "Xx" at column 7; As appears twice; expected 7 cards, found 2'),
        ("As Kd", "expected 7 cards, found 2"),
        ("", "expected 7 cards, found none"),
    ],
)
def test_bad_hands_are_refused_with_every_fault(cards: str, message: str) -> None:
    with pytest.raises(PaigowError, match="expected 7 cards") as caught:
        Hand(cards)
    assert (caught.value.code, str(caught.value)) == ("bad_cards", message)
    assert isinstance(caught.value, ValueError)
    assert pickle.loads(pickle.dumps(caught.value)).faults == caught.value.faults


@pytest.mark.parametrize("card", [53, -1, 1.5, None, "XX", "As Kd", [1]])
def test_bad_cards_are_refused(card: object) -> None:
    with pytest.raises(PaigowError) as caught:
        Card(card)  # type: ignore[arg-type]
    assert caught.value.code == "bad_cards"


def plain_strength(cards: list[Card], wheel: str) -> tuple[object, ...]:
    """Ranks five cards without the joker by their definitions."""
    ranks = sorted((RANKS.index(card.rank) for card in cards if card.rank), reverse=True)
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    flush = len({card.suit for card in cards}) == 1
    is_wheel = ranks == [12, 3, 2, 1, 0]
    straight = is_wheel or len(set(ranks)) == 5 and ranks[0] - ranks[4] == 4
    if straight:
        top: float = ranks[0] if not is_wheel else {"lowest": 3, "second_highest": 11.5}[wheel]
        royal = flush and ranks == [12, 11, 10, 9, 8]
        # The wheel in suit is a straight flush, below the royal flush.
        return (9 if royal else 8 if flush else 4, top)
    shape = tuple(count for count, _ in groups)
    kind = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(shape, 5 if flush else 0)
    return (kind, *(rank for _, rank in groups))


@pytest.mark.parametrize("wheel", Ranking.WHEELS)
def test_strengths_have_the_order_of_a_plain_evaluator(wheel: str) -> None:
    chance = random.Random(7)
    ranking = Ranking(wheel=wheel)
    hands = [chance.sample(DECK[:52], 5) for _ in range(3000)]
    # Rare hands: every straight, and every straight flush.
    for top in range(3, 13):
        ranks = [(top - step) % 13 for step in range(5)]
        hands.append([DECK[rank] for rank in ranks])
        hands.append([DECK[rank + 13 * (step % 3)] for step, rank in enumerate(ranks)])
    compared = sorted((ranking.strength(Hand(hand, size=5)), plain_strength(hand, wheel)) for hand in hands)
    for (strength, plain), (next_strength, next_plain) in itertools.pairwise(compared):
        assert (strength < next_strength) == (plain < next_plain)  # type: ignore[operator]
        assert (strength == next_strength) == (plain == next_plain)


def test_setting_is_legal_if_the_low_hand_is_not_higher() -> None:
    ranking = Ranking()
    high, low = Hand("As Kd Qc 9h 2s", size=5), Hand("Jh Td", size=2)
    assert ranking.is_legal(low, high)
    assert not ranking.is_legal(Hand("3h 3d", size=2), high)
    assert ranking.is_legal(Hand("Ah Kh", size=2), high), "equal leading cards: the high hand is the higher"
    with pytest.raises(PaigowError, match="expected 5 and 2"):
        ranking.is_legal(high, low)


def test_unknown_rankings_are_refused() -> None:
    for bad in ({"joker": "wild"}, {"wheel": "middle"}):
        with pytest.raises(PaigowError, match="there are") as caught:
            Ranking(**bad)
        assert caught.value.code == "bad_ranking"
    with pytest.raises(PaigowError, match="7 cards: expected 5 or 2"):
        Ranking().strength(Hand("As Kd Tc 9h 2s 2d Jk"))
