"""Medals, records, fallen pilots and biographies, each rule by the shortest season that triggers it."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from uuid import UUID

import pytest

from campaigns.hall_of_fame.medals import MEDAL_RULES, MEDALS, PlayedMatch, SideResult, StatLine, awards
from campaigns.hall_of_fame.records import RECORD_RULES, Life, LifeEvent, _wounds, biography, fallen, heroes, records

START = datetime(2026, 3, 1, 19, tzinfo=UTC)
ANTS, BEES = 1, 2


def deeds(unit, *, pilot=True, **more):
    """Build the deeds of a unit by its number; its pilot has ten times that number."""
    named = {"pilot": unit * 10, "pilot_name": f"Pilot {unit * 10}"} if pilot else {}
    return StatLine(unit=unit, unit_name=f"Unit {unit}", **named, **more)


def part(company, *units):
    return SideResult(company=company, name={1: "Ants", 2: "Bees", 3: "Cats"}[company], colour="#123456", is_public=True, deeds=units)  # fmt: skip


def game(number, *parts, winner=0, **more):
    """The match with this number, a week after the one before."""
    fields = {
        "match": UUID(int=number), "campaign": 1, "campaign_name": "Spring War", "is_open": True, "round": number,
        "is_over": True, "table": 1, "at": START + timedelta(days=7 * number), "scenario": "Zone battle", "place": "",
    } | more  # fmt: skip
    return PlayedMatch(parts=parts or (part(ANTS, deeds(1)), part(BEES, deeds(5))), winner=winner, **fields)


def winners_of(games, slug):
    """List the winners of the medal with their matches."""
    return [(award.to.name, award.game.match.int) for award in awards(games) if award.medal.slug == slug]


def scoring(*kills, pilot=True):
    """Matches in which the first Ant destroys these numbers of units."""
    return [
        game(number, part(ANTS, deeds(1, kills=count, pilot=pilot)), part(BEES, deeds(5)))
        for number, count in enumerate(kills, start=1)
    ]


def test_every_medal_has_a_rule():
    assert 12 <= len(MEDALS) == len(MEDAL_RULES)
    assert set(MEDALS) == set(MEDAL_RULES)
    assert len({medal.art for medal in MEDALS.values()}) == len(MEDALS)
    assert all(medal.rule.endswith(".") and "\n" not in medal.rule for medal in MEDALS.values())


def test_fifth_kill_makes_an_ace_and_tenth_doubles():
    games = scoring(2, 2, 1, 4, 2)
    assert winners_of(games, "ace") == [("Pilot 10", 3)]
    assert winners_of(games, "ace-of-aces") == [("Pilot 10", 5)]
    assert winners_of(scoring(4), "ace") == []


def test_unit_without_a_pilot_gets_notches_not_ace():
    games = scoring(3, 2, pilot=False)
    assert winners_of(games, "ace") == []
    assert winners_of(games, "notches") == [("Unit 1", 2)]
    assert winners_of(games, "hat-trick") == [("Unit 1", 1)]


def test_three_kills_in_a_match_are_a_hat_trick():
    assert winners_of(scoring(2, 3), "hat-trick") == [("Pilot 10", 2)]


def test_last_survivor_of_a_winning_three_gets_last_standing():
    lost = [deeds(2, is_lost=True), deeds(3, is_lost=True)]
    won = game(1, part(ANTS, deeds(1), *lost), part(BEES, deeds(5, is_lost=True)))
    assert winners_of([won], "last-standing") == [("Pilot 10", 1)]
    beaten = game(1, *won.parts, winner=1)
    of_two = game(1, part(ANTS, deeds(1), lost[0]), part(BEES, deeds(5)))
    assert winners_of([beaten], "last-standing") == winners_of([of_two], "last-standing") == []


def test_hundredth_kill_counts_all_companies_attackers_first():
    before = scoring(99)
    both = game(2, part(BEES, deeds(5, kills=1)), part(ANTS, deeds(1, kills=1)))
    assert winners_of([*before, both], "hundredth-kill") == [("Pilot 50", 2)]
    assert winners_of([*before, both, *(game(3, *scoring(99)[0].parts),)], "hundredth-kill")[1:] == [("Pilot 10", 3)]


def test_five_matches_without_loss_give_iron_pilot_and_workhorse():
    home = [game(number) for number in range(1, 6)]
    assert ("Pilot 10", 5) in winners_of(home, "iron-pilot")
    assert ("Unit 1", 5) in winners_of(home, "workhorse")
    lost = game(3, part(ANTS, deeds(1, is_lost=True)), part(BEES, deeds(5)))
    assert ("Pilot 10", 5) not in winners_of([*home[:2], lost, *home[3:]], "iron-pilot")


def test_wound_and_death_give_their_medals():
    hurt, dead = deeds(1, is_hurt=True), deeds(2, is_hurt=True, is_dead=True, kills=1)
    played = [game(1, part(ANTS, hurt, dead), part(BEES, deeds(5)))]
    assert winners_of(played, "wound-stripe") == [("Pilot 10", 1)]
    assert winners_of(played, "parting-shot") == [("Pilot 20", 1)]


def test_upset_is_the_lowest_chance_below_one_half():
    least = game(1, chances=(0.3, 0.6), round=1, table=2)
    other = game(2, chances=(0.4, 0.5), round=1, table=1)
    assert winners_of([least, other], "upset") == [("Ants", 1)]
    open_round = [game(1, chances=(0.3, 0.6), is_over=False)]
    assert (
        winners_of(open_round, "upset")
        == winners_of([game(1, chances=(0.6, 0.3))], "upset")
        == winners_of([game(1)], "upset")
        == []
    )


def test_equal_upsets_go_to_the_lower_table():
    high, low = game(1, chances=(0.3, 0.6), round=1, table=2), game(2, chances=(0.3, 0.6), round=1, table=1)
    assert winners_of([high, low], "upset") == [("Ants", 2)]


def test_win_at_a_quarter_or_less_is_long_odds():
    assert winners_of([game(1, chances=(0.25, 0.7))], "long-odds") == [("Ants", 1)]
    assert winners_of([game(1, chances=(0.26, 0.7))], "long-odds") == []
    assert winners_of([game(1, chances=(0.9, 0.05), winner=1)], "long-odds") == [("Bees", 1)]


def test_win_after_a_lost_meeting_is_revenge():
    games = [game(1, winner=1), game(2, winner=None), game(3), game(4)]
    assert winners_of(games, "revenge") == [("Ants", 3)]


def test_draw_ends_a_winning_streak():
    games = [game(number) for number in range(1, 6)]
    assert winners_of(games, "winning-streak") == [("Ants", 3), ("Ants", 5)]
    assert winners_of([*games[:2], game(3, winner=None), *games[3:]], "winning-streak") == []


def test_win_without_losses_over_two_is_a_clean_sheet():
    two = part(BEES, deeds(5, is_lost=True), deeds(6, is_lost=True))
    assert winners_of([game(1, part(ANTS, deeds(1)), two)], "clean-sheet") == [("Ants", 1)]
    assert winners_of([game(1, part(ANTS, deeds(1, is_lost=True)), two)], "clean-sheet") == []
    assert winners_of([game(1)], "clean-sheet") == []


def test_undone_match_removes_dependent_medals():
    games = scoring(3, 2)
    assert winners_of(games, "ace") == [("Pilot 10", 2)]
    assert winners_of(games[1:], "ace") == winners_of(games[1:], "hat-trick") == []


def test_first_of_equal_records_holds():
    lost = deeds(5, is_lost=True)
    first = game(1, part(ANTS, deeds(1, kills=1)), part(BEES, lost), chances=(0.2, 0.7), points_lost=(0, 9))
    again = game(2, part(BEES, deeds(5, kills=1)), part(ANTS, deeds(1)), chances=(0.2, 0.7), points_lost=(0, 9))
    book = {each.what: (each.who.name, each.figure, each.game.match.int) for each in records([first, again])}
    assert book["Most kills in one match"] == ("Pilot 10", "1 kill", 1)
    assert book["Biggest upset"] == ("Ants", "20% chance", 1)
    assert book["Costliest losses in one match"] == ("Bees", "9 points", 1)
    assert book["Most lost units survived by a pilot"] == ("Pilot 50", "1 unit", 1)
    third = game(3)
    assert len(records([first, third, game(4)])) == len(RECORD_RULES)
    assert records([]) == ()


def test_fallen_pilot_is_listed_with_place_and_opponent():
    last = game(2, part(ANTS, deeds(1, kills=1, is_lost=True, is_dead=True, how=" to Draken")), part(BEES, deeds(5)))
    (row,) = fallen([*scoring(2), last])
    assert (row.who.name, row.unit, row.how, row.against) == ("Pilot 10", "Unit 1", " to Draken", "Bees")
    assert (row.games, row.kills, row.game.match.int) == (2, 3, 2)


def test_hall_ranks_by_medals_and_marks_the_dead():
    last = game(3, part(ANTS, deeds(1, kills=1, is_dead=True)), part(BEES, deeds(5, is_hurt=True)))
    games = [*scoring(3, 2), last]
    found = heroes(games, awards(games))
    assert [(hero.who.name, len(hero.medals), hero.kills, hero.is_dead) for hero in found][0] == (
        "Pilot 10",
        3,
        6,
        True,
    )
    assert found[1].who.name == "Pilot 50"


def test_biography_runs_from_hiring_to_death():
    day = START
    events = [
        LifeEvent(kind="hired", at=day, facts={"experience": "green"}),
        LifeEvent(kind="fought", at=day, facts={"battle": "the Ford"}, unit="Wasp", battle="a"),
        LifeEvent(kind="kill", at=day, facts={"count": 2, "battle": "the Ford"}, unit="Wasp", battle="a"),
        LifeEvent(kind="promoted", at=day, facts={"to": "regular"}),
        LifeEvent(kind="skill-gained", at=day, facts={"name": "Accuracy"}),
        LifeEvent(kind="fought", at=day, facts={"battle": "the Weir", "lost": True, "by": "Draken"}, unit="Viper", battle="b"),
        LifeEvent(kind="wounded", at=day, facts={"by": "Draken"}, battle="b"),
        LifeEvent(kind="died", at=day, facts={"battle": "the Weir"}, battle="b"),
    ]  # fmt: skip
    life = Life(
        name="Ada", company="Ants", status="dead", seat="", levels={"green": "Green", "regular": "Regular"}, events=events
    )  # fmt: skip
    sentences = [
        "".join(part if isinstance(part, str) else f"{part:%d.%m.}" for part in parts) for parts in biography(life)
    ]
    assert sentences == [
        "Ada signed on with Ants on 01.03., level Green.",
        "First game on 01.03. in Wasp: the Ford, with two kills.",
        "Promoted to Regular on 01.03., after one game.",
        "Two kills in two games.",
        "Learned Accuracy.",
        "Lost Viper to Draken on 01.03..",
        "Wounded once by Draken, on 01.03..",
        "Killed on 01.03. in “the Weir”, in Viper, lost to Draken.",
    ]


@pytest.mark.parametrize(("status", "seat", "end"), [("active", "Wasp", "Now pilots Wasp."), ("wounded", "", "Has no unit at the moment, recovering from a wound.")])  # fmt: skip
def test_biography_of_a_living_pilot_ends_with_the_seat(status, seat, end):
    life = Life(name="Ada", company="Ants", status=status, seat=seat, levels={}, events=[])
    assert biography(life)[-1] == (end,)


def test_last_of_several_wounds_is_dated():
    first, last = START, START + timedelta(days=7)
    wounds = [LifeEvent(kind="wounded", at=at, facts={}, battle="") for at in (first, last)]
    found = SimpleNamespace(of=lambda kind: wounds)
    assert list(_wounds(found)) == [("Wounded two times, last on ", last, ".")]
