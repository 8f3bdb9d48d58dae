"""Points of results, and settings of organisers about them."""

from types import SimpleNamespace

import pytest

from campaigns.campaign.forms import CampaignForm
from campaigns.campaign.services import campaign_changeable
from campaigns.models import Campaign, CampaignState, Season
from campaigns.scoring import (
    CAMPAIGN_SCORING,
    SEASON_SCORING,
    NumberSetting,
    Scoring,
    campaign_scoring,
    describe_bye,
    form_fields,
    input_fields,
    output_fields,
    season_scoring,
)
from campaigns.standings.table import Score, points_of, table
from campaigns.starting.services import COPIED_FIELDS
from rosters.services import RefusedError
from systems import SEASONS

DECLARED = [
    (model, each)
    for model, settings in ((Campaign, CAMPAIGN_SCORING), (Season, SEASON_SCORING))
    for each in settings.values()
]
OPTIONAL = NumberSetting(name="points", label="Points", api_help="points", minimum=0, maximum=10, default=None)
BYE, WALKOVER, WIN = Score(1, None, "attacker"), Score(1, 2, "defender", is_forfeit=True), Score(1, 2, "attacker")
DRAW = Score(1, 2, "draw")


@pytest.mark.parametrize(
    ("scoring", "points"),
    [
        (Scoring(win=3, draw=1, loss=0), [3, 3, 3]),
        (Scoring(win=3, draw=1, loss=0, bye=1), [1, 3, 3]),
        (Scoring(win=3, draw=1, loss=0, bye=0, walkover=2), [0, 2, 3]),
    ],
)
def test_bye_and_walkover_have_points_of_their_own_or_those_of_a_win(scoring, points):
    assert [points_of(BYE, 0, scoring), points_of(WALKOVER, 1, scoring), points_of(WIN, 0, scoring)] == points


@pytest.mark.parametrize("system", sorted(SEASONS))
def test_bye_is_worth_a_win_in_campaigns_and_seasons(system):
    campaign, season = Campaign(system=system), Season(win_points=5, draw_points=2, loss_points=1)
    for scoring in (campaign_scoring(campaign), season_scoring(season)):
        assert points_of(BYE, 0, scoring) == points_of(WIN, 0, scoring) > points_of(DRAW, 0, scoring)


def test_points_of_a_season_are_its_organisers():
    season = Season(win_points=5, draw_points=2, loss_points=1)
    assert season_scoring(season) == Scoring(win=5, draw=2, loss=1)


def test_side_that_stays_away_gets_the_points_of_a_loss():
    assert points_of(WALKOVER, 0, Scoring(win=3, draw=1, loss=-1, walkover=2)) == -1


def test_table_adds_up_byes_and_walkovers_by_their_points():
    rows = table({1: "Axes", 2: "Bears"}, [BYE, WALKOVER, WIN], Scoring(win=3, draw=1, loss=0, bye=1, walkover=2), ())
    assert {row.name: row.points for row in rows} == {"Axes": 4, "Bears": 2}


def test_worth_of_a_bye_is_described_in_words():
    assert describe_bye(Scoring(win=3, draw=1, loss=0)) == "a win"
    assert describe_bye(Scoring(win=3, draw=1, loss=0), win="a victory") == "a victory"
    assert describe_bye(Scoring(win=3, draw=1, loss=0, bye=1)) == "1 point"
    assert describe_bye(Scoring(win=3, draw=1, loss=0, bye=0)) == "0 points"


@pytest.mark.parametrize(("model", "setting"), DECLARED, ids=lambda each: getattr(each, "name", ""))
def test_setting_matches_its_column(model, setting):
    column = model._meta.get_field(setting.name)
    assert setting.default == (None if column.null else column.default)
    assert not column.choices or dict(column.choices) == dict(setting.choices.choices)


def test_campaign_form_shows_each_setting_once():
    form = CampaignForm(None, system="hex-core", player=SimpleNamespace(pk=None, is_authenticated=False))
    names = [field.name for _, fields in form.groups for field in fields]
    assert sorted(names) == sorted(name for name in form.fields if not name.startswith("tie_"))


def test_campaign_copies_its_settings_and_fixes_them_in_time():
    assert set(COPIED_FIELDS) >= set(CAMPAIGN_SCORING)
    draft, running = (Campaign(state=state) for state in (CampaignState.DRAFT, CampaignState.RUNNING))
    assert set(campaign_changeable(draft)) >= set(CAMPAIGN_SCORING)
    for name, setting in CAMPAIGN_SCORING.items():
        assert (name in campaign_changeable(running)) == setting.changes_between_rounds


@pytest.mark.parametrize("value", [None, 0, 10])
def test_number_without_a_default_may_be_left_empty(value):
    assert OPTIONAL.clean(value) == value
    settings = {"points": OPTIONAL}
    assert form_fields(settings)["points"].clean("" if value is None else str(value)) == value
    assert input_fields(settings)["points"].run_validation(value) == value
    assert output_fields(settings)["points"].allow_null


@pytest.mark.parametrize("value", [-1, 11, True, "3", 2.0])
def test_number_out_of_bounds_is_refused(value):
    with pytest.raises(RefusedError, match="must be a whole number from 0 to 10"):
        OPTIONAL.clean(value)


def test_unknown_choice_is_refused():
    with pytest.raises(RefusedError, match="This isn't one of the choices"):
        CAMPAIGN_SCORING["absent_rule"].clean("flee")
