"""The standings table: season points, then tie-breakers in the organiser's order."""

import pytest

from campaigns.scoring import Scoring
from campaigns.standings.table import ORDER, TIE_BREAKERS, Score, parse_tie_breakers, table, tie_breakers_of
from rosters.services import RefusedError

WORTH = Scoring(win=3, draw=1, loss=0)
NAMES = {1: "Axes", 2: "Bears", 3: "Crows", 4: "Dogs"}


def rows(scores, *tie_breakers):
    return {row.name: row for row in table(NAMES, scores, WORTH, tie_breakers)}


def places(scores, *tie_breakers):
    return [(row.place, row.name) for row in table(NAMES, scores, WORTH, tie_breakers)]


def game(attacker, defender, won, **figures):
    return Score(attacker=attacker, defender=defender, won=won, **figures)


def test_every_tie_breaker_of_the_form_has_a_formula():
    assert set(ORDER) == set(TIE_BREAKERS)


def test_table_counts_points_and_results():
    found = rows([game(1, 2, "attacker"), game(3, 4, "draw"), game(4, 1, "attacker")])
    assert {name: row.points for name, row in found.items()} == {"Axes": 3, "Bears": 0, "Crows": 1, "Dogs": 4}
    dogs = found["Dogs"]
    assert (dogs.place, dogs.played, dogs.won, dogs.drawn, dogs.lost, dogs.attacks_won) == (1, 2, 1, 1, 0, 1)


def test_bye_counts_as_win_but_not_as_match():
    axes = rows([game(1, None, "attacker")])["Axes"]
    assert (axes.points, axes.played, axes.won, axes.byes) == (3, 0, 0, 1)


@pytest.mark.rule("MM-S12", "MC-212")
def test_name_is_the_last_tie_breaker():
    assert places([game(1, 2, "draw"), game(3, 4, "draw")]) == [(1, "Axes"), (2, "Bears"), (3, "Crows"), (4, "Dogs")]


@pytest.mark.rule("HX-183")
def test_equal_companies_share_a_place_in_some_games():
    scores = [game(1, 2, "draw"), game(3, 4, "draw", destroyed_points=(0, 9))]
    found = table(NAMES, scores, WORTH, ["destroyed-points"], shares_places=True)
    assert [(row.place, row.name) for row in found] == [(1, "Dogs"), (2, "Axes"), (2, "Bears"), (2, "Crows")]
    found = table(NAMES, [game(1, 2, "draw")], WORTH, [], shares_places=True)
    assert [(row.place, row.name) for row in found] == [(1, "Axes"), (1, "Bears"), (3, "Crows"), (3, "Dogs")]


def test_direct_match_breaks_a_tie():
    scores = [game(2, 1, "attacker"), game(1, 3, "attacker"), game(4, 2, "attacker")]
    assert places(scores, "direct") == [(1, "Bears"), (2, "Dogs"), (3, "Axes"), (4, "Crows")]
    assert places(scores, "destroyed")[0] == (1, "Axes")


def test_tie_breakers_apply_in_the_organisers_order():
    scores = [
        game(1, 2, "attacker", destroyed=(1, 0), lost=(0, 1), destroyed_points=(30, 0)),
        game(3, 4, "attacker", destroyed=(2, 1), lost=(1, 2), destroyed_points=(20, 9)),
    ]
    assert places(scores, "destroyed-points", "destroyed")[0] == (1, "Axes")
    assert places(scores, "destroyed")[:2] == [(1, "Axes"), (2, "Crows")]


@pytest.mark.rule("HX-183")
def test_fewer_lost_points_rank_higher_in_some_games():
    scores = [
        game(1, 2, "attacker", destroyed_points=(30, 20)),
        game(3, 4, "attacker", destroyed_points=(30, 10)),
    ]
    assert places(scores, "destroyed-points", "fewest-points-lost") == [
        (1, "Crows"), (2, "Axes"), (3, "Bears"), (4, "Dogs"),
    ]  # fmt: skip
    assert [rows(scores)[name].lost_points for name in ("Axes", "Bears")] == [20, 30]
    assert "fewest-points-lost" in tie_breakers_of("hex-core")
    assert "fewest-points-lost" not in tie_breakers_of("meks-and-mercs")


def test_buchholz_sums_the_opponents_points():
    found = rows([game(1, 2, "attacker"), game(2, 3, "attacker"), game(1, 4, "draw")])
    assert found["Axes"].buchholz == found["Bears"].points + found["Dogs"].points == 4


def test_withdrawn_company_is_unlisted_but_opponents_keep_points():
    names = {1: "Axes"}
    (axes,) = table(names, [game(1, 9, "attacker")], WORTH, ["buchholz"])
    assert (axes.points, axes.buchholz) == (3, 0)


def test_forfeiting_company_ranks_below_a_beaten_one():
    """Otherwise a company that lost two units would rank below an absent one, by a new campaign's tie-breaker."""
    scores = [game(1, 4, "attacker", destroyed=(2, 0), lost=(0, 2)), game(2, 3, "attacker", is_forfeit=True)]
    assert places(scores, "destroyed")[2:] == [(3, "Dogs"), (4, "Crows")]
    assert [rows(scores)[name].forfeits for name in NAMES.values()] == [0, 0, 1, 0]


def test_double_forfeit_ranks_both_below_a_beaten_company():
    table_rows = rows([game(1, 4, "attacker"), game(2, 3, "nobody", is_forfeit=True)])
    assert [(row.name, row.forfeits, row.lost) for row in table_rows.values()][1:] == [
        ("Dogs", 0, 1),
        ("Bears", 1, 0),
        ("Crows", 1, 0),
    ]


def test_points_rank_before_forfeits():
    scores = [game(2, 3, "attacker", is_forfeit=True), game(3, 4, "attacker"), game(1, 4, "draw")]
    assert [name for _, name in places(scores)][:3] == ["Bears", "Crows", "Axes"]


def test_names_with_numbers_are_sorted_naturally():
    names = {at: f"Company {at}" for at in (10, 1, 2, 11, 20)} | {99: "company 3b", 100: "Ärger"}
    sorted_names = [row.name for row in table(names, [], WORTH, [])]
    assert sorted_names == [
        "Company 1", "Company 2", "company 3b", "Company 10", "Company 11", "Company 20", "Ärger",
    ]  # fmt: skip


@pytest.mark.parametrize(("given", "why"), [
    (["nonsense"], "There is no tie-breaker “nonsense” here. Choose from: direct, buchholz"),
    (["direct", "direct"], "Use each tie-breaker only once."),
    (["played"], "no tie-breaker “played” here"),
])  # fmt: skip
def test_invalid_tie_breaker_is_refused_with_a_reason(given, why):
    with pytest.raises(RefusedError) as refused:
        parse_tie_breakers(given, tie_breakers_of("meks-and-mercs"))
    assert (refused.value.field, why in refused.value.reason) == ("tie_breakers", True)
