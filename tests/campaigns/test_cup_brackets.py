"""Brackets and groups without a database: seeds, byes, winners who advance, third place, and the best of each group."""

from uuid import UUID

import pytest

from campaigns.cups.bracket import (
    THIRD,
    CupMatch,
    Draw,
    Played,
    assign_groups,
    build_bracket,
    build_cup_state,
    next_group_pairs,
    next_ties,
    play_off_places,
    round_robin,
    seed_order,
    stage_name,
)
from campaigns.cups.drawing import Entry, Spot, draw_bracket
from campaigns.scoring import Scoring
from campaigns.standings.table import Score


def win(winner, loser):
    return Played(sides=(winner, loser), is_over=True, winner=winner)


def line(match, round_, attacker, defender, outcome="", *, place=None, **more):
    """A confirmed match, or a scheduled one if there is no outcome."""
    figures = {name: more.pop(name) for name in ("destroyed", "lost") if name in more}
    score = Score(attacker=attacker, defender=defender, won=outcome, **figures) if outcome in WON else None
    given = {"state": "confirmed" if outcome else "scheduled", "refusing": None, **more}
    return CupMatch(
        match=match, key=UUID(int=match), round=round_, table=match, outcome=outcome, attacker=attacker,
        defender=defender, score=score, **given,
    )  # fmt: skip


WON = ("attacker", "defender", "draw")


def test_two_best_seeds_meet_only_in_the_final():
    assert seed_order(8) == (1, 8, 4, 5, 2, 7, 3, 6)


@pytest.mark.parametrize("count", range(2, 18))
def test_first_round_byes_go_to_the_best_seeds(count):
    ties = build_bracket(range(1, count + 1), {}, has_third_place=False)
    first = next_ties(ties)
    rests = sorted(one or two for one, two in (tie.due for tie in first) if None in (one, two))
    assert rests == list(range(1, len(first) * 2 - count + 1))
    assert sorted(side for tie in first for side in tie.due if side) == list(range(1, count + 1))


def test_stages_have_their_names():
    assert [stage_name(place) for place in (1, 3, 7, 15, 16, 0)] == [
        "Final", "Semi-final", "Quarter-final", "Last 16", "Last 32", "Third place",
    ]  # fmt: skip


def test_winners_meet_in_the_final_and_losers_for_third():
    ties = build_bracket([1, 2, 3, 4], {2: win(1, 4), 3: win(3, 2)}, has_third_place=True)
    assert [(tie.place, tie.due) for tie in next_ties(ties)] == [(1, (1, 3)), (THIRD, (4, 2))]
    assert not next_ties(build_bracket([1, 2], {1: win(2, 1)}, has_third_place=True))


def test_planned_match_is_kept_despite_changed_winners():
    ties = build_bracket([1, 2, 3, 4], {2: win(4, 1), 3: win(2, 3), 1: win(1, 2)}, has_third_place=False)
    assert (ties[1].winner, ties[1].due, ties[1].strays) == (1, (4, 2), (1,))


def test_nobody_advances_from_a_tie_neither_played():
    neither = Played(sides=(1, 4), is_over=True)
    ties = build_bracket([1, 2, 3, 4], {2: neither, 3: win(2, 3)}, has_third_place=True)
    assert [(tie.place, tie.due) for tie in next_ties(ties)] == [(1, (None, 2))]


def test_third_place_needs_two_losers():
    ties = build_bracket(
        [1, 2, 3], {2: Played(sides=(1, None), is_over=True, winner=1), 3: win(2, 3)}, has_third_place=True
    )
    assert [tie.place for tie in next_ties(ties)] == [1]


def test_groups_are_filled_in_snake_order():
    assert assign_groups([1, 2, 3, 4, 5, 6, 7, 8], 3) == {1: 1, 2: 2, 3: 3, 4: 3, 5: 2, 6: 1, 7: 1, 8: 2}


@pytest.mark.parametrize("count", range(2, 9))
def test_group_members_meet_each_other_once(count):
    met = [frozenset(pair) for turn in round_robin(range(count)) for pair in turn]
    assert len(met) == len(set(met)) == count * (count - 1) // 2


@pytest.mark.parametrize(("groups", "advance"), [(2, 1), (2, 2), (3, 2), (4, 2), (4, 4), (8, 2), (5, 3)])
def test_group_winners_meet_other_groups_first(groups, advance):
    seeds = play_off_places(groups, advance)
    assert sorted(seeds) == [(group, at) for group in range(1, groups + 1) for at in range(1, advance + 1)]
    first = next_ties(build_bracket([at for at, _ in enumerate(seeds, start=1)], {}, has_third_place=False))
    pairs = [tuple(seeds[side - 1] for side in tie.due) for tie in first if None not in tie.due]
    assert not [pair for pair in pairs if pair[0][0] == pair[1][0]]


# --- with matches -----------------------------------------------------------------------------------------------------

KNOCK_OUT = Draw(
    seeds=(1, 2, 3, 4), tie_breakers=("destroyed", "wins"), words={"destroyed": "units", "wins": "wins"}, since=1
)
PLACES = {1: 2, 2: 3, 3: 1}


def test_draw_is_decided_by_tie_breakers_and_names_one():
    lines = [line(1, 1, 4, 1, "draw", destroyed=(2, 1), lost=(1, 2)), line(2, 1, 2, 3, "attacker")]
    tie = build_cup_state(KNOCK_OUT, lines, PLACES).ties[2]
    assert (tie.winner, tie.loser, tie.played.how) == (4, 1, "by units")


def test_draw_without_tie_breaker_goes_to_better_seed():
    tie = build_cup_state(KNOCK_OUT, [line(1, 1, 4, 1, "draw")], PLACES).ties[2]
    assert (tie.winner, tie.played.how) == (1, "by the better seed")


def test_later_matches_do_not_decide_a_draw():
    drawn = [line(1, 1, 4, 1, "draw", destroyed=(2, 1), lost=(1, 2)), line(2, 1, 2, 3, "attacker")]
    later = [*drawn, line(3, 2, 4, 2, "defender", destroyed=(0, 9), lost=(9, 0))]
    assert build_cup_state(KNOCK_OUT, later, PLACES).ties[2].winner == 4


def test_opponent_of_a_refusing_side_advances():
    tie = build_cup_state(KNOCK_OUT, [line(1, 1, 4, 1, "none", state="refused", refusing=1)], PLACES).ties[2]
    assert (tie.winner, tie.played.how) == (4, "because the other side couldn't play")


def test_void_match_is_played_again():
    found = build_cup_state(KNOCK_OUT, [line(1, 1, 4, 1, "none", state="void"), line(2, 1, 2, 3, "attacker")], PLACES)
    assert [(tie.place, tie.can_be_played) for tie in next_ties(found.ties)] == [(2, True)]


GROUPS = Draw(seeds=(1, 2, 3, 4), group_of={1: 1, 4: 1, 2: 2, 3: 2}, advance=1, since=2)


def test_earlier_matches_and_rematches_do_not_count_in_groups():
    lines = [line(1, 1, 1, 4, "defender"), line(2, 2, 4, 1, "defender"), line(3, 2, 2, 3), line(4, 3, 1, 4, "defender")]
    found = build_cup_state(GROUPS, lines, {})
    assert [each.match for group in found.groups for each in group.lines] == [2, 3]
    assert [row.entrant for row in found.groups[0].rows] == [1, 4]
    assert (found.groups[0].is_over, found.groups[1].is_over, found.seeds) == (True, False, (None, None))


def test_group_winners_play_on_after_all_groups_end():
    lines = [line(2, 2, 4, 1, "attacker"), line(3, 2, 2, 3, "attacker")]
    found = build_cup_state(GROUPS, lines, {})
    assert [tie.due for tie in next_ties(found.ties)] == [(4, 2)]
    assert found.labels == ("Winner of group A", "Winner of group B")


def test_group_does_not_wait_for_withdrawn_companies():
    draw = Draw(seeds=(1, 2, 3, 4, 5, 6), group_of={1: 1, 4: 1, 5: 1, 2: 2, 3: 2, 6: 2}, advance=1, since=1,
                gone=frozenset({5}))  # fmt: skip
    assert next_group_pairs(build_cup_state(draw, [], {}))
    found = build_cup_state(draw, [line(1, 1, 1, 4, "attacker")], {})
    assert found.groups[0].is_over
    assert not {5} & {side for pair in next_group_pairs(found) for side in pair}


def test_group_ranks_by_points_then_tie_breakers_then_seeds():
    worth = Scoring(win=3, draw=1, loss=0)
    draw = Draw(seeds=(3, 1, 2), group_of={1: 1, 2: 1, 3: 1}, advance=2, since=1, worth=worth)
    circle_of = [line(1, 1, 1, 2, "attacker"), line(2, 2, 2, 3, "attacker"), line(3, 3, 3, 1, "attacker")]
    assert [row.entrant for row in build_cup_state(draw, circle_of, {}).groups[0].rows] == [3, 1, 2]


# --- the drawing ------------------------------------------------------------------------------------------------------


def spots(ties):
    entry = Entry(name="A company with a very long name", colour="#123456", has_won=False, is_known=True)
    return [Spot(place=place, stage=stage_name(place), entries=(entry, entry)) for place in ties]


def test_each_tie_is_drawn_between_its_feeders():
    drawing = draw_bracket(spots([4, 5, 6, 7, 2, 3, 1]))
    tops = {place: tie.entries[0].y for place, tie in zip([4, 5, 6, 7, 2, 3, 1], drawing.ties, strict=True)}
    assert all(tops[place] * 2 == tops[2 * place] + tops[2 * place + 1] for place in (1, 2, 3))
    assert [column.name for column in drawing.columns] == ["Quarter-finals", "Semi-finals", "Final"]


@pytest.mark.parametrize("places", [[1], [2, 3, 1, 0], [*range(4, 8), 2, 3, 1, 0], [*range(8, 16), *range(1, 8), 0]])
def test_drawn_ties_do_not_overlap_or_leave_the_picture(places):
    drawing = draw_bracket(spots(places))
    boxes = [(tie.x, tie.entries[0].y) for tie in drawing.ties]
    for x, y in boxes:
        assert 0 <= x <= drawing.width - drawing.box
        assert 0 <= y <= drawing.height - 2 * drawing.line
        assert not [1 for other in boxes if other != (x, y) and other[0] == x and abs(other[1] - y) < 2 * drawing.line]
    assert all(len(entry.name) < 22 for tie in drawing.ties for entry in tie.entries)
