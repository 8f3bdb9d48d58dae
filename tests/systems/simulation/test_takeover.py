"""Taking over a battle of any game after any event: past events stay, and the first question comes after them."""

import pytest

from systems import BATTLES, battle_rules
from systems.documents import DocumentError
from systems.engine.choices import Hand
from systems.simulation.records import HeaderHand, play_by_hand, resolve

GAMES = [slug for slug in BATTLES if battle_rules(slug).in_hand is not None]


@pytest.mark.parametrize("slug", GAMES)
def test_takeover_keeps_past_events_and_rerolls_rest(slug):
    given = battle_rules(slug).example()
    old = resolve(given, 5)
    for at in (1, len(old.events) // 3, len(old.events) * 3 // 4):
        doctrine = HeaderHand(sides=(0, 1), events=at, seed=99, rest=True)
        new = resolve(given, 5, None, doctrine)
        assert new.events[:at] == old.events[:at]
        assert resolve(given, 5, None, doctrine).events == new.events
        same = resolve(given, 5, None, HeaderHand(sides=(0,), events=at, seed=98, rest=True))
        assert same.events[:at] == old.events[:at]
        standing = play_by_hand(given, 5, Hand(sides=(0, 1), events=at, seed=99))
        assert standing.log[:at] == play_by_hand(given, 5, Hand(sides=(0, 1), events=at, seed=98)).log[:at]
        assert len(standing.log) >= at
    assert new.events[at:] != old.events[at:]


def test_takeover_needs_own_seed_and_event_before_end():
    given = battle_rules("blazing-steel").example()
    end = len(resolve(given, 5).events)
    for hand, reason in (
        (Hand(sides=(0,), events=3), "hand.seed"),
        (
            Hand(sides=(0,), events=3, after=1, seed=9),
            "hand.events: a battle is taken up after a round or after an event",
        ),
        (Hand(sides=(0,), events=10 * end + 10**5, seed=9), "hand.events: the battle was over after"),
    ):
        with pytest.raises(DocumentError) as refused:
            play_by_hand(given, 5, hand)
        assert str(refused.value).startswith(reason)
