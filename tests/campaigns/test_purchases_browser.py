"""Browser walks through the printed order of play, scenario by scenario: sides, support roll, purchase, submission.

Every number is calculated by hand: WASP 9, VIPER 12, SABER 14, DEMON 15, DRAKEN 24, WARTHOG 24, THOR 28, ODIN 33
points, a Regular hired for the match 5, a Green nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from campaigns.models import Match
from tests.campaigns.fresh_builds import a_fresh_match, fix_support_dice
from tests.campaigns.test_results_browser import open_as

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
UNCLE = (3, 6)  # table B, entry 6; then the uncle's die


@dataclass(frozen=True, kw_only=True)
class Side:
    dice: tuple[int, ...]
    support: tuple[str, ...]
    limit: int
    buys: tuple[tuple[str, str], ...]  # design and level
    points: int
    dearer: str  # swapped for the first of `buys`, to be refused
    refusal: str


@dataclass(frozen=True, kw_only=True)
class Game:
    attacker: Side
    defender: Side


def a_side(
    dice: tuple[int, ...], limit: int, points: int, dearer: str, refusal: str, *buys: str, **more: object
) -> Side:
    seats = tuple((buy.split("/")[0], (buy.split("/") + ["green"])[1]) for buy in buys)
    support = more.get("support", ("Surprise",))
    assert isinstance(support, tuple)
    return Side(dice=dice, support=support, limit=limit, buys=seats, points=points, dearer=dearer, refusal=refusal)


SURPRISE = (1, 3)
THREE = ("viper/regular", "wasp", "wasp")  # 12 + 9 + 9: the Regular and the Greens are free
GAMES = {
    "opening-shots": Game(
        attacker=a_side(SURPRISE, 30, 30, "demon", "costs 33 points", *THREE),
        defender=a_side((*UNCLE, 3), 33, 33, "draken", "is Heavy", "demon/regular", "wasp", "wasp", support=("Rich Uncle",)),
    ),
    "hot-gates": Game(  # 24 + 15 + 5 + 5 = 49; the defender's three rolls: Surprise, an uncle's 6 and one of 2
        attacker=a_side(SURPRISE, 50, 49, "thor", "is Assault", "draken/regular", "demon/regular"),
        defender=a_side(
            (*SURPRISE, *UNCLE, *UNCLE, 6, 2), 58, 58, "warthog", "is Assault", "draken", "demon/regular", "saber",
            support=("Surprise", "Rich Uncle", "Rich Uncle"),
        ),
    ),
    "buying-time": Game(  # 24 + 14 + 12 + 5 + 5 = 60 against 15 + 9 + 5 = 29
        attacker=a_side(SURPRISE, 60, 60, "thor", "is Assault", "draken/regular", "saber/regular", "viper"),
        defender=a_side(SURPRISE, 30, 29, "draken", "costs 38 points", "demon/regular", "wasp"),
    ),
    "breach": Game(  # 33 + 24 = 57; nothing is too big
        attacker=a_side(SURPRISE, 60, 57, "thor", "", "odin", "draken"),
        defender=a_side((*UNCLE, 1), 61, 61, "odin", "costs 66 points", "thor", "warthog", "wasp", support=("Rich Uncle",)),
    ),
    "head-to-head": Game(
        attacker=a_side(SURPRISE, 60, 60, "warthog", "is Assault", "draken", "viper", "demon", "wasp"),
        defender=a_side((*UNCLE, 5), 65, 65, "thor", "is Assault", "draken/regular", "viper", "demon", "wasp",
                        support=("Rich Uncle",)),
    ),
    "citadel": Game(  # 28 + 24 + 24 + 9 + 5 + 5 + 5 = 100; 33 + 28 + 24 + 5 + 5 + 5 = 100
        attacker=a_side(SURPRISE, 100, 100, "odin", "costs 105 points", "thor/regular", "warthog/regular",
                        "draken/regular", "wasp"),
        defender=a_side(SURPRISE, 100, 100, "odin", "", "odin/regular", "thor/regular", "draken/regular"),
    ),
}  # fmt: skip
WALKED = [pytest.param(slug, marks=[] if slug == "opening-shots" else [pytest.mark.proof], id=slug) for slug in GAMES]


@pytest.mark.slow
@pytest.mark.rule("MM-010", "MM-011", "MM-012", "MM-087")
@pytest.mark.parametrize("scenario", WALKED)
def test_both_sides_prepare_in_the_printed_order(page, live_server, monkeypatch, scenario):
    match = a_fresh_match(scenario)
    game = GAMES[scenario]
    for at, side in enumerate((game.attacker, game.defender)):
        walk(page, live_server, monkeypatch, match, at, side)
    match = Match.objects.get(pk=match.pk)
    assert match.setup is not None
    for at, side in enumerate((game.attacker, game.defender)):
        units = match.setup["sides"][at]["units"]
        assert [(unit["design"], unit["pilot"]["experience"]) for unit in units] == list(side.buys)
    assert "wasn’t" not in page.content()


def walk(page, live_server, monkeypatch, match, at, side):
    owner = (match.attacker, match.defender)[at].company.owner
    fix_support_dice(monkeypatch, *side.dice)
    open_as(page, live_server, owner, f"/matches/{match.key}/forces/")
    page.get_by_role("button", name="Roll for support", exact=True).click()
    page.get_by_role("heading", name="Units").wait_for()
    assert page.locator("section[aria-labelledby=support] tbody th").all_text_contents() == list(side.support)
    for number in range(1, 13):
        design, level = side.buys[number - 1] if number <= len(side.buys) else ("", "green")
        if number > 4 and not design:
            break
        page.select_option(f"[name=design_{number}]", design)
        page.select_option(f"[name=seat_{number}]", f"hire:{level}")
    page.get_by_text(f"{side.points} pt of {side.limit}").wait_for()
    if side.refusal:
        page.select_option("[name=design_1]", side.dearer)
        page.locator("#purchase-tally").get_by_text(side.refusal).first.wait_for()
        page.select_option("[name=design_1]", side.buys[0][0])
        page.get_by_text(f"{side.points} pt of {side.limit}").wait_for()
    page.get_by_role("button", name="Submit list", exact=True).click()
    page.wait_for_url(re.compile(rf"/matches/{match.key}/(\?[^#]*)?(#.*)?$"))
