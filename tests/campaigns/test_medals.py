"""Medals, records, the roll of the dead and biographies as folds: each rule by the smallest season that gives it."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from campaigns.fame.biography import Event, Life, biography
from campaigns.fame.chronicle import Deeds, Game, Part
from campaigns.fame.medals import MEDALS, RULES, awards
from campaigns.fame.records import BOOK, fallen, heroes, records

START = datetime(2026, 3, 1, 19, tzinfo=UTC)
ANTS, BEES = 1, 2


def deeds(unit, *, pilot=True, **more):
    """Of the unit of that number; its pilot has that number times ten."""
    named = {"pilot": unit * 10, "pilot_name": f"Pilot {unit * 10}"} if pilot else {}
    return Deeds(unit=unit, unit_name=f"Unit {unit}", **named, **more)


def part(company, *units):
    return Part(company=company, name={1: "Ants", 2: "Bees", 3: "Cats"}[company], colour="#123456", is_public=True, deeds=units)  # fmt: skip


def game(number, *parts, winner=0, **more):
    """The match of that number, a week after the one before it."""
    fields = {
        "match": UUID(int=number), "campaign": 1, "campaign_name": "Spring War", "is_open": True, "round": number,
        "is_over": True, "table": 1, "at": START + timedelta(days=7 * number), "scenario": "Zone battle", "place": "",
    } | more  # fmt: skip
    return Game(parts=parts or (part(ANTS, deeds(1)), part(BEES, deeds(5))), winner=winner, **fields)


def given(games, slug):
    """Who got the medal in which match."""
    return [(award.to.name, award.game.match.int) for award in awards(games) if award.medal.slug == slug]


def scoring(*kills, pilot=True):
    """Matches in which the first Ant destroys so many."""
    return [
        game(number, part(ANTS, deeds(1, kills=count, pilot=pilot)), part(BEES, deeds(5)))
        for number, count in enumerate(kills, start=1)
    ]


def test_every_medal_of_the_catalogue_has_a_rule_and_every_rule_a_medal():
    assert 12 <= len(MEDALS) == len(RULES)
    assert set(MEDALS) == set(RULES)
    assert len({medal.art for medal in MEDALS.values()}) == len(MEDALS)
    assert all(medal.rule.endswith(".") and "\n" not in medal.rule for medal in MEDALS.values())


def test_the_fifth_kill_makes_an_ace_and_the_tenth_an_ace_of_aces():
    games = scoring(2, 2, 1, 4, 2)
    assert given(games, "ace") == [("Pilot 10", 3)]
    assert given(games, "ace-of-aces") == [("Pilot 10", 5)]
    assert given(scoring(4), "ace") == []


def test_a_unit_that_nobody_flies_is_no_ace_but_has_its_notches():
    games = scoring(3, 2, pilot=False)
    assert given(games, "ace") == []
    assert given(games, "notches") == [("Unit 1", 2)]
    assert given(games, "hat-trick") == [("Unit 1", 1)]


def test_three_kills_in_one_match_are_a_hat_trick_and_two_are_none():
    assert given(scoring(2, 3), "hat-trick") == [("Pilot 10", 2)]


def test_the_last_of_three_who_wins_is_the_last_one_standing():
    lost = [deeds(2, is_lost=True), deeds(3, is_lost=True)]
    won = game(1, part(ANTS, deeds(1), *lost), part(BEES, deeds(5, is_lost=True)))
    assert given([won], "last-standing") == [("Pilot 10", 1)]
    beaten = game(1, *won.parts, winner=1)
    of_two = game(1, part(ANTS, deeds(1), lost[0]), part(BEES, deeds(5)))
    assert given([beaten], "last-standing") == given([of_two], "last-standing") == []


def test_the_hundredth_kill_of_the_club_is_counted_over_all_companies_the_attackers_first():
    before = scoring(99)
    both = game(2, part(BEES, deeds(5, kills=1)), part(ANTS, deeds(1, kills=1)))
    assert given([*before, both], "hundredth-kill") == [("Pilot 50", 2)]
    assert given([*before, both, *(game(3, *scoring(99)[0].parts),)], "hundredth-kill")[1:] == [("Pilot 10", 3)]


def test_five_matches_in_a_row_without_losing_his_unit_make_an_iron_pilot_and_its_unit_a_workhorse():
    home = [game(number) for number in range(1, 6)]
    assert ("Pilot 10", 5) in given(home, "iron-pilot")
    assert ("Unit 1", 5) in given(home, "workhorse")
    lost = game(3, part(ANTS, deeds(1, is_lost=True)), part(BEES, deeds(5)))
    assert ("Pilot 10", 5) not in given([*home[:2], lost, *home[3:]], "iron-pilot")


def test_who_is_hurt_and_lives_wears_the_stripe_and_who_dies_with_a_kill_had_a_parting_shot():
    hurt, dead = deeds(1, is_hurt=True), deeds(2, is_hurt=True, is_dead=True, kills=1)
    played = [game(1, part(ANTS, hurt, dead), part(BEES, deeds(5)))]
    assert given(played, "wound-stripe") == [("Pilot 10", 1)]
    assert given(played, "parting-shot") == [("Pilot 20", 1)]


def test_the_upset_is_the_lowest_chance_of_a_closed_round_below_one_half():
    least = game(1, chances=(0.3, 0.6), round=1, table=2)
    other = game(2, chances=(0.4, 0.5), round=1, table=1)
    assert given([least, other], "upset") == [("Ants", 1)]
    open_round = [game(1, chances=(0.3, 0.6), is_over=False)]
    assert (
        given(open_round, "upset") == given([game(1, chances=(0.6, 0.3))], "upset") == given([game(1)], "upset") == []
    )


def test_of_two_upsets_with_one_chance_the_lower_table_has_it():
    high, low = game(1, chances=(0.3, 0.6), round=1, table=2), game(2, chances=(0.3, 0.6), round=1, table=1)
    assert given([high, low], "upset") == [("Ants", 2)]


def test_a_victory_at_a_quarter_or_less_was_at_long_odds():
    assert given([game(1, chances=(0.25, 0.7))], "long-odds") == [("Ants", 1)]
    assert given([game(1, chances=(0.26, 0.7))], "long-odds") == []
    assert given([game(1, chances=(0.9, 0.05), winner=1)], "long-odds") == [("Bees", 1)]


def test_who_lost_the_last_meeting_and_wins_has_his_revenge_also_after_a_draw():
    games = [game(1, winner=1), game(2, winner=None), game(3), game(4)]
    assert given(games, "revenge") == [("Ants", 3)]


def test_three_and_five_victories_in_a_row_are_streaks_that_a_draw_ends():
    games = [game(number) for number in range(1, 6)]
    assert given(games, "winning-streak") == [("Ants", 3), ("Ants", 5)]
    assert given([*games[:2], game(3, winner=None), *games[3:]], "winning-streak") == []


def test_a_victory_without_a_loss_over_two_is_a_clean_sheet():
    two = part(BEES, deeds(5, is_lost=True), deeds(6, is_lost=True))
    assert given([game(1, part(ANTS, deeds(1)), two)], "clean-sheet") == [("Ants", 1)]
    assert given([game(1, part(ANTS, deeds(1, is_lost=True)), two)], "clean-sheet") == []
    assert given([game(1)], "clean-sheet") == []


def test_a_match_that_is_undone_takes_its_medals_and_those_that_hung_on_it_along():
    games = scoring(3, 2)
    assert given(games, "ace") == [("Pilot 10", 2)]
    assert given(games[1:], "ace") == given(games[1:], "hat-trick") == []


def test_every_line_of_the_record_book_can_be_held_and_the_first_of_equals_holds_it():
    lost = deeds(5, is_lost=True)
    first = game(1, part(ANTS, deeds(1, kills=1)), part(BEES, lost), chances=(0.2, 0.7), points_lost=(0, 9))
    again = game(2, part(BEES, deeds(5, kills=1)), part(ANTS, deeds(1)), chances=(0.2, 0.7), points_lost=(0, 9))
    book = {each.what: (each.who.name, each.figure, each.game.match.int) for each in records([first, again])}
    assert book["Most kills in one match"] == ("Pilot 10", "1 kill", 1)
    assert book["Biggest upset"] == ("Ants", "at 20 %", 1)
    assert book["Dearest loss in one match"] == ("Bees", "9 points", 1)
    assert book["Most units lost, and alive"] == ("Pilot 50", "1 unit", 1)
    third = game(3)
    assert len(records([first, third, game(4)])) == len(BOOK)
    assert records([]) == ()


def test_the_roll_of_the_dead_says_where_and_against_whom_and_what_he_had_done():
    last = game(2, part(ANTS, deeds(1, kills=1, is_lost=True, is_dead=True, how=" to Draken")), part(BEES, deeds(5)))
    (row,) = fallen([*scoring(2), last])
    assert (row.who.name, row.unit, row.how, row.against) == ("Pilot 10", "Unit 1", " to Draken", "Bees")
    assert (row.games, row.kills, row.game.match.int) == (2, 3, 2)


def test_the_hall_puts_the_most_medals_first_and_knows_the_dead():
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


def test_a_life_is_told_from_the_first_day_to_the_last():
    day = START
    events = [
        Event(kind="hired", at=day, facts={"experience": "green"}),
        Event(kind="fought", at=day, facts={"battle": "the Ford"}, unit="Wasp", battle="a"),
        Event(kind="kill", at=day, facts={"count": 2, "battle": "the Ford"}, unit="Wasp", battle="a"),
        Event(kind="promoted", at=day, facts={"to": "regular"}),
        Event(kind="skill-gained", at=day, facts={"name": "Accuracy"}),
        Event(kind="fought", at=day, facts={"battle": "the Weir", "lost": True, "by": "Draken"}, unit="Viper", battle="b"),
        Event(kind="wounded", at=day, facts={"by": "Draken"}, battle="b"),
        Event(kind="died", at=day, facts={"battle": "the Weir"}, battle="b"),
    ]  # fmt: skip
    life = Life(
        name="Ada", company="Ants", status="dead", seat="", levels={"green": "Green", "regular": "Regular"}, events=events
    )  # fmt: skip
    told = ["".join(part if isinstance(part, str) else f"{part:%d.%m.}" for part in said) for said in biography(life)]
    assert told == [
        "Ada signed on with Ants on 01.03., level Green.",
        "First action on 01.03. in Wasp: the Ford, with two kills.",
        "Promoted to Regular on 01.03., after one game.",
        "Two kills in two games.",
        "Learned Accuracy.",
        "Lost Viper to Draken on 01.03..",
        "Wounded once by Draken, on 01.03..",
        "Killed on 01.03. at the Weir, in Viper, lost to Draken.",
    ]


@pytest.mark.parametrize(("status", "seat", "end"), [("active", "Wasp", "Sits in Wasp now."), ("wounded", "", "Waits for a unit, and recovers from a wound.")])  # fmt: skip
def test_who_lives_is_told_where_he_is(status, seat, end):
    life = Life(name="Ada", company="Ants", status=status, seat=seat, levels={}, events=[])
    assert biography(life)[-1] == (end,)
