"""A battle taken over at any event: everything before stays, everything after is open."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from systems import BATTLES, battle_rules
from systems.engine import runner
from systems.engine.dice import Log, SeededDice
from systems.simulation.analysis import course_of
from systems.simulation.odds import tally
from systems.simulation.records import resolve
from tests.example_shares import share
from tests.systems.any_battle import any_battle, seeds

every_system = pytest.mark.parametrize("slug", BATTLES)


@share(2, 10)
@every_system
def test_resumed_battle_starts_with_past_events(slug, examples):
    system = battle_rules(slug)

    @settings(max_examples=examples)
    @given(data=st.data(), seed=seeds)
    def begins_with_past_events(data, seed):
        setup = data.draw(any_battle(slug).setups)
        recorded = resolve(setup, seed)
        taken = course_of(setup, seed)
        assert taken.events == len(recorded.events)
        events = data.draw(st.integers(0, taken.events))
        position = taken.after(events)
        log: Log = []
        begun = [stand.events for stand in taken.stands if stand.state is position.state][0]
        fight = system.fight_on if position.begun else system.fight
        runner.plain_battle(fight, position.state, position.fresh(5, 0), log)
        original: Log = []
        runner.plain_battle(system.fight, system.prepare(setup), SeededDice(seed), original)
        assert log[: events - begun] == original[begun:events]

    begins_with_past_events()


@pytest.mark.parametrize("compiled", [True, pytest.param(False, marks=pytest.mark.proof)], ids=["compiled", "plain"])
@share(2, 10)
@every_system
def test_odds_are_open_at_start_and_fixed_at_end(slug, examples, compiled):
    @settings(max_examples=examples)
    @given(data=st.data(), seed=seeds)
    def is_open_and_closed(data, seed):
        setup = data.draw(any_battle(slug).setups)
        taken = course_of(setup, seed)
        assert taken.tally(0, 9, 0, 5, compiled=compiled) == tally(setup, 9, 0, 5, compiled=compiled)
        at_the_end = taken.tally(taken.events, 9, 0, 3, compiled=compiled)
        whole_battle = tally(setup, seed, 0, 1, compiled=compiled)
        assert at_the_end == whole_battle + whole_battle + whole_battle

    is_open_and_closed()


@share(5, 20)
@every_system
def test_plain_and_compiled_rules_resume_same_battles(slug, examples):
    setup = battle_rules(slug).example()
    taken = course_of(setup, 11)
    for events in {0, taken.events // 3, taken.events // 2, taken.events - 2}:
        assert taken.tally(events, 3, 0, examples) == taken.tally(events, 3, 0, examples, compiled=False)


def test_position_outside_battle_is_refused():
    taken = course_of(battle_rules("meks-and-mercs").example(), 1)
    with pytest.raises(ValueError, match=f"0 to {taken.events} events"):
        taken.after(taken.events + 1)


def test_throws_include_every_event_with_dice():
    setup = battle_rules("meks-and-mercs").example()
    taken, recorded = course_of(setup, 1), resolve(setup, 1)
    with_dice = [at for at, event in enumerate(recorded.events) if event.faces]
    assert with_dice
    assert set(with_dice) <= set(taken.thrown)
