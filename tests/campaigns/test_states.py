"""Every state is listed as inside or outside each set, so that a new one can't be forgotten."""

import pytest

from campaigns.states import EnrolmentState, MatchState, Outcome

SETS = {  # of each enum: the sets, and of each state those that it is in
    MatchState: (
        ("undecided", "awaiting_reports", "decided", "fought", "unfought", "counting", "meetings", "unplayed"),
        {
            "scheduled": {"undecided", "awaiting_reports", "meetings", "unplayed"},
            "reported": {"undecided", "awaiting_reports", "meetings"},
            "disputed": {"undecided", "meetings"},
            "confirmed": {"decided", "fought", "counting", "meetings"},
            "ruled": {"decided", "fought", "counting", "meetings"},
            "auto-resolved": {"decided", "fought", "counting", "meetings"},
            "forfeited": {"decided", "unfought", "counting", "meetings"},
            "refused": {"decided", "unfought", "meetings"},
            "void": {"decided", "unfought", "unplayed"},
            "bye": {"decided", "counting", "unplayed"},
        },
    ),
    Outcome: (
        ("won", "results"),
        {
            "": set(),
            "attacker": {"won", "results"},
            "defender": {"won", "results"},
            "draw": {"results"},
            "none": set(),
        },
    ),
    EnrolmentState: (
        ("in_play", "took_part"),
        {
            "asked": {"in_play"},
            "accepted": {"in_play", "took_part"},
            "declined": set(),
            "withdrawn": {"took_part"},
        },
    ),
}


@pytest.mark.parametrize("states", SETS, ids=lambda states: states.__name__)
def test_every_state_is_placed_in_every_set(states):
    names, placed = SETS[states]
    assert set(placed) == set(states.values)
    for state in states:
        assert {name for name in names if state in getattr(states, name)()} == placed[state.value], state


@pytest.mark.parametrize("states", SETS, ids=lambda states: states.__name__)
def test_every_set_of_the_enum_is_tested(states):
    sets = {name for name, value in vars(states).items() if isinstance(value, classmethod) and name[0] != "_"}
    assert sets == set(SETS[states][0])


def test_match_is_undecided_or_decided():
    assert {*MatchState.undecided(), *MatchState.decided()} == set(MatchState)
    assert not set(MatchState.undecided()) & set(MatchState.decided())
