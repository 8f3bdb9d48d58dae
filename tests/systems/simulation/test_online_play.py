"""Battles played online, in every game that has them: scripted players, the AI's own answers, takeovers, bad input."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from systems import BATTLES, battle_rules
from systems.documents import DocumentError
from systems.engine.choices import Hand
from systems.reading import read_setup
from systems.simulation.records import HeaderHand, play_by_hand, resolve, verify
from tests.systems.any_battle import any_battle, seeds

BATTLE = {"muster": "setup/1", "system": "meks-and-mercs", "scenario": "zone-battle", "terrain": "plain"}
GAMES = [slug for slug, rules in BATTLES.items() if rules.in_hand is not None]
MAX_ANSWERS = 12  # answers of a scripted player, before the AI plays the rest
LONG = 80  # answers of a player who plays on for long


def scripted(setup, number, pick, most=MAX_ANSWERS, sides=(0,), **taken):
    """Return the hand of a player who answers by `pick`."""
    hand = Hand(sides=sides, **taken)
    while len(hand.answers) < most and (question := play_by_hand(setup, number, hand).question):
        values = [each.value for each in question.answers]
        assert question.doctrine in values, question
        assert len(set(values)) == len(values) > 1, question
        assert all(each.words for each in question.answers), question
        hand = hand.model_copy(update={"answers": (*hand.answers, pick(question))})
    return HeaderHand(**hand.model_dump() | {"rest": True})


@pytest.fixture(params=GAMES)
def setup(request):
    return battle_rules(request.param).example()


def test_scripted_player_fights_verifiable_battle(setup):
    hand = scripted(setup, 1, lambda question: question.answers[len(question.words) % len(question.answers)].value)
    record = resolve(setup, 1, None, hand)
    assert hand.answers
    assert record.events != resolve(setup, 1).events
    assert verify(record.text()) is None


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.proof)])
def test_ai_answers_give_ai_battle(setup, seed):
    hand = scripted(setup, seed, lambda question: question.doctrine)
    record, again = resolve(setup, seed, None, hand), resolve(setup, seed)
    assert record.lines()[1:] == again.lines()[1:]


def test_battle_can_be_taken_over_after_round(setup):
    seed = next(seed for seed in range(50) if resolve(setup, seed).outcome["rounds"] >= 3)
    hand = scripted(setup, seed, lambda question: question.doctrine, after=2, seed=77)
    record, old = resolve(setup, seed, None, hand), resolve(setup, seed)
    past_events = [event for event in old.events if event.round <= 2]
    assert list(record.events[: len(past_events)]) == past_events
    assert record.events != old.events
    assert verify(record.text()) is None


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"answers": ((99, 99),), "rest": True}, "is no legal answer to"),
        ({"answers": ()}, "end before the battle does"),
        ({"after": 999, "seed": 1}, "the battle was over"),
        ({"after": 2}, "is there where a battle was taken up"),
    ],
)
def test_impossible_hand_is_refused(setup, wrong, reason):
    with pytest.raises(DocumentError, match=reason):
        resolve(setup, 1, None, HeaderHand(sides=(0,), **wrong))


@pytest.mark.rule("MM-090")
def test_player_chooses_commandos_action():
    def answers_of(design):
        sides = [
            {"name": "A", "doctrine": "aggressive", "units": [{"key": "a1", "design": "draken"}, {"key": "a2", "design": "commandos"}]},
            {"name": "D", "doctrine": "aggressive", "units": [{"key": "d1", "design": "odin"}, {"key": "d2", "design": design}]},
        ]  # fmt: skip
        setup = read_setup({**BATTLE, "sides": sides})
        hand = Hand(sides=(0,))
        while question := play_by_hand(setup, 2, hand).question:
            if question.words == "What do Commandos do this round?":
                return setup, hand, question
            hand = hand.model_copy(update={"answers": (*hand.answers, question.doctrine)})
        raise AssertionError("the player was never asked")

    _setup, _hand, question = answers_of("infantry")
    assert [each.words for each in question.answers] == [
        "Mark ODIN: friends have +1 to hit it",
        "Identify Infantry strongpoint",
    ]
    assert question.doctrine == question.answers[1].value
    setup, hand, question = answers_of("wasp")
    assert question.doctrine == question.answers[1].value, "the WASP has fewer Hits"
    hand = HeaderHand(sides=(0,), answers=(*hand.answers, question.answers[0].value), rest=True)
    acts = [event.target for event in resolve(setup, 2, None, hand).events if event.kind == "commandos-marked"]
    assert acts[0] == "d1"


def test_answers_without_question_are_refused():
    setup = battle_rules("meks-and-mercs").example()
    hand = Hand(sides=(0,))
    while question := play_by_hand(setup, 3, hand).question:
        hand = hand.model_copy(update={"answers": (*hand.answers, question.doctrine)})
    with pytest.raises(DocumentError, match="answers what nobody asked"):
        play_by_hand(setup, 3, hand.model_copy(update={"answers": (*hand.answers, (1,))}))


def test_online_play_leaves_simulation_unchanged(setup):
    before = resolve(setup, 5).text()
    scripted(setup, 5, lambda question: question.answers[-1].value)
    assert resolve(setup, 5).text() == before


@pytest.mark.parametrize("slug", GAMES)
@settings(max_examples=1, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_random_player_gets_legal_questions(slug, data):
    check_random_player(slug, data, MAX_ANSWERS)


@pytest.mark.proof
@pytest.mark.parametrize("slug", GAMES)
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_random_player_gets_legal_questions_in_long_battle(slug, data):
    check_random_player(slug, data, LONG)


def check_random_player(slug, data, most):
    """Play a random player, on one side or both, and one who always answers as the AI does."""
    setup, seed = data.draw(any_battle(slug).setups), data.draw(seeds)
    sides, luck = data.draw(st.sampled_from([(0,), (1,), (0, 1)])), data.draw(st.randoms(use_true_random=False))
    record = resolve(
        setup, seed, None, scripted(setup, seed, lambda asked: luck.choice(asked.answers).value, most, sides)
    )
    assert verify(record.text()) is None
    agreed = resolve(setup, seed, None, scripted(setup, seed, lambda asked: asked.doctrine, most, sides))
    assert agreed.lines()[1:] == resolve(setup, seed).lines()[1:]
