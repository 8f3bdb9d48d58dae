"""Every system is complete: for each missing part there is a message that says how to add it."""

import sys
from abc import ABC
from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse

import systems
from systems import BATTLES, GAMES, PACKAGES, PAPER, ROSTERS, SEASONS
from systems.artwork import SHAPES
from systems.battle import BattleSystem
from systems.game import Game
from systems.roster import RosterSystem
from systems.season import CampaignSystem
from systems.spaces import Space, ZoneGround
from tests.systems.any_battle import any_battle
from tests.systems.toy import SLUG, install
from tests.tools.systems import PARTS, missing, slugs
from tests.toy.catalogue import UNITS


@pytest.mark.parametrize("slug", slugs())
def test_system_has_all_its_parts(slug: str):
    assert not missing(slug), "\n".join(missing(slug))


def test_game_with_one_part_lacks_the_others(monkeypatch):
    monkeypatch.setitem(GAMES, "empty", Game(roster=hollow(RosterSystem, slug="empty")))
    assert "empty" in slugs()
    assert "empty" in ROSTERS
    assert not any("empty" in parts for parts in (BATTLES, SEASONS, PAPER))
    message = "\n".join(missing("empty"))
    for place in ("`battle` of GAME", "`season` of GAME", "`paper` of GAME"):
        assert place in message
    assert "`roster` of GAME" not in message


HALF_MADE = "half_made_game"
ROSTER = """
from tests.toy.build import ToyRosters

class Rosters(ToyRosters):
    slug = "half-made"
    name = "Half-made"
"""
GAME_MODULE = f"from systems.game import Game\n{ROSTER}"
# Python's message, which changed in 3.12.
LACKS_AFTERMATH = (
    "with abstract method aftermath"
    if sys.version_info < (3, 12)
    else "without an implementation for abstract method 'aftermath'"
)
BROKEN_GAMES = {
    "import nothing_like_it": "ModuleNotFoundError: No module named 'nothing_like_it'",
    "1 / 0": "ZeroDivisionError: division by zero",
    "": f"AttributeError: module '{HALF_MADE}' has no attribute 'GAME'",
    "GAME = 'chess'": "InvalidGameError: GAME is a str and no systems.game.Game",
    "from systems.game import Game\nGAME = Game()": "TypeError: Game.__init__() missing 1 required keyword-only argument: 'roster'",
    "from systems.game import Game\nGAME = Game(roster=None)": "InvalidGameError: `roster` of GAME is a NoneType and no RosterSystem",
    f"{GAME_MODULE}\nGAME = Game(roster=Rosters(), battle='to the death')": (
        "InvalidGameError: `battle` of GAME is a str and no BattleSystem"
    ),
    f"{GAME_MODULE}\nRosters.slug = 'chess'\nGAME = Game(roster=Rosters())": (
        "InvalidGameError: `roster` of GAME is of 'chess', and the game is 'half-made'"
    ),
    """
from systems.game import Game
from systems.roster import RosterSystem

class Rosters(RosterSystem):
    slug = "half-made"
    name = "Half-made"
    parse_spec = spec_json = check_design = datasheet = None

GAME = Game(roster=Rosters())
""": "InvalidGameError: `roster` of GAME does not name its prefix, rulebook, published",
    """
from systems.game import Game
from systems.season import CampaignSystem

class Season(CampaignSystem):
    slug = "half-made"

GAME = Game(roster=None, season=Season())
""": f"TypeError: Can't instantiate abstract class Season {LACKS_AFTERMATH}",
}


@pytest.fixture
def install_game(monkeypatch, tmp_path):
    """Return a function that installs a package with this text as its game, as pip would."""

    def write(text: str) -> None:
        (tmp_path / f"{HALF_MADE}.py").write_text(text)
        info = tmp_path / f"{HALF_MADE}-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {HALF_MADE}\nVersion: 1\n")
        (info / "entry_points.txt").write_text(f"[muster.systems]\nhalf-made = {HALF_MADE}\n")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, HALF_MADE, raising=False)
        monkeypatch.setattr("systems.BROKEN", {})
        monkeypatch.setattr(GAMES, "_loaded", None)

    return write


@pytest.mark.parametrize(("text", "why"), BROKEN_GAMES.items(), ids=BROKEN_GAMES.values())
def test_broken_game_is_left_out_and_logged(install_game, caplog, text, why):
    install_game(text)
    assert list(GAMES) == list(PACKAGES)
    assert slugs() == [*PACKAGES, "half-made"]
    assert "the rule system half-made can't be taken in and is left out" in caplog.text
    assert missing("half-made") == [f"half-made can't be taken in and is left out: {why}"]


@pytest.mark.django_db
def test_broken_game_breaks_no_page(install_game, client):
    install_game("1 / 0")
    for name in (
        "home",
        "rosters:companies",
        "rosters:designs",
        "rosters:lab",
        "rosters:rules",
        "battles:quick-battle",
    ):
        assert client.get(reverse(name)).status_code == 200
    assert client.get("/?system=half-made").status_code == client.get("/?system=nothing").status_code


@pytest.mark.django_db
def test_game_with_one_part_is_offered_where_that_is_enough(install_game, client):
    install_game(f"{GAME_MODULE}\nGAME = Game(roster=Rosters())")
    assert list(GAMES) == [*PACKAGES, "half-made"]
    assert not systems.BROKEN
    for name in ("home", "rosters:companies", "rosters:scenarios", "battles:battles", "battles:matrices"):
        assert client.get(reverse(name)).status_code == 200
    assert "Half-made" in client.get(reverse("rosters:designs")).content.decode()
    assert "Half-made" not in client.get(reverse("battles:quick-battle")).content.decode()


def test_templates_of_an_unloaded_game_are_found(install_game, tmp_path):
    install_game("1 / 0")
    (tmp_path / f"{HALF_MADE}.py").unlink()
    (tmp_path / HALF_MADE / "templates").mkdir(parents=True)
    (tmp_path / HALF_MADE / "__init__.py").write_text("1 / 0")
    assert tmp_path / HALF_MADE / "templates" in systems.template_folders()


def test_every_missing_part_of_an_empty_system_is_reported(monkeypatch):
    space = Space()
    space.board = "missing"
    battle = hollow(BattleSystem, space=space)
    monkeypatch.setattr("systems.PACKAGES", PACKAGES | {"empty": "systems.empty"})
    game = Game(
        roster=hollow(RosterSystem, hire_points={"green": 0}, frame_first="knight"),
        battle=battle,
        season=hollow(CampaignSystem),
    )
    monkeypatch.setitem(GAMES, "empty", game)
    assert "empty" not in PAPER
    missing_parts = missing("empty")
    assert [line.partition(":")[0] for line in missing_parts] == [f"empty has no {part.name}" for part in PARTS]
    assert all(line.partition(": ")[2] for line in missing_parts)


def test_game_is_complete(monkeypatch):
    install(monkeypatch)
    assert missing(SLUG) == []


def test_size_without_silhouette_is_reported(monkeypatch):
    install(monkeypatch)
    sizes = {toy.counter for toy in UNITS.values()}
    for size in sizes:
        monkeypatch.delitem(SHAPES, size)
    (missing_part,) = missing(SLUG)
    assert missing_part.startswith(
        f"{SLUG} has no silhouette for each size: name one for it in LIKE of systems/artwork/__init__"
    )
    assert any(size in missing_part.rpartition("(")[2] for size in sizes)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        (("chassis",), "is read back as {'chassis': "),
        (("chassis", "weapons", "systems"), "spec.weapons: must be a list"),
    ],
)
def test_lab_that_loses_part_of_a_build_is_reported(monkeypatch, fields, why):
    monkeypatch.setattr(ROSTERS["meks-and-mercs"], "lab_fields", fields)
    monkeypatch.setattr(ROSTERS["meks-and-mercs"], "lab_lists", ())
    (missing_part,) = missing("meks-and-mercs")
    assert missing_part.startswith("meks-and-mercs has no design lab: name every field of a spec in `lab_fields`")
    assert why in missing_part


@pytest.mark.parametrize("zone", [ZoneGround(1, 1, 1, "Salt", look="salt"), ZoneGround(0, 1, 1, "Plain", look="plain")])
def test_undrawable_zone_is_reported(monkeypatch, zone):
    monkeypatch.setattr(type(BATTLES["meks-and-mercs"].space), "ground", lambda *asked: (zone,))
    message = next(line for line in missing("meks-and-mercs") if "map that can be drawn" in line)
    assert str(zone) in message


def test_drawn_game_without_build_maker_is_reported(monkeypatch):
    made = replace(any_battle("hex-core"), build=None)
    monkeypatch.setattr("tests.tools.systems.any_battle", lambda slug: made)
    (missing_part,) = missing("hex-core")
    assert missing_part.startswith("hex-core has no maker of builds: give ANY")


def hollow(kind: type[ABC], **given: Any) -> Any:
    """Return a system whose every method raises NotImplementedError."""

    def refuse(self: object, *args: object, **kwargs: object) -> None:
        raise NotImplementedError

    answers = dict.fromkeys(kind.__abstractmethods__, refuse)
    return type(f"Hollow{kind.__name__}", (kind,), answers | given)()
