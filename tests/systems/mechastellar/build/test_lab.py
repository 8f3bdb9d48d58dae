"""The profile editor: the lab's fields become a profile and back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse

from systems.mechastellar import GAME
from systems.mechastellar.build.datasheet import ATTRIBUTION
from systems.mechastellar.build.lab import CUSTOM_WEAPON, weapon_fields

RULES = GAME.roster
GUN = {"w1": CUSTOM_WEAPON, "w1-name": "Rail Lance", "w1-type": "shooting", "w1-dice": "6", "w1-hits": "6", "w1-range_in": "30", "w1-dmg": "350", "w1-pen": "7"}  # fmt: skip
MODEL = {"kind": "super-robot", "frame_level": "4", "size": "2", "move_in": "5.5", "hp": "9000", "power": "2", "trait-fly": "on", "level": "1", "role": "assault", **GUN}  # fmt: skip


@pytest.mark.parametrize("design", RULES.published)
def test_profile_survives_its_lab_address(design: str):
    spec = RULES.published[design].spec
    address = RULES.lab_address(RULES.spec_json(spec))
    assert set(address) <= set(RULES.lab_fields)
    assert RULES.parse_spec(RULES.lab_spec(address)) == spec


@pytest.mark.parametrize("design", RULES.published)
def test_weapons_written_out_equal_catalogue_weapons(design: str):
    spec = RULES.published[design].spec
    address = RULES.lab_address(RULES.spec_json(spec))
    for place, weapon in enumerate(spec.weapons, start=1):
        address |= {
            f"w{place}": CUSTOM_WEAPON,
            **{f"w{place}-{name}": value for name, value in weapon_fields(weapon).items()},
        }
    read = RULES.parse_spec(RULES.lab_spec(address)).weapons
    assert [replace(each, slug="") for each in read] == [replace(each, slug="") for each in spec.weapons]
    assert len({each.slug for each in read}) == len(read)


def test_weapons_of_same_name_get_distinct_slugs():
    guns = GUN | {name.replace("w1", "w2"): value for name, value in GUN.items()}
    spec = RULES.parse_spec(RULES.lab_spec({"kind": "ms", **guns}))
    assert [weapon.slug for weapon in spec.weapons] == ["rail-lance", "rail-lance-2"]
    assert RULES.check_design(spec).legal


def test_editor_fields_are_address_fields():
    editor = RULES.editor(RULES.published["midnight-manta"].spec)
    assert editor.fields <= set(RULES.lab_fields)
    assert [frame.slug for frame in editor.frames] == ["ms", "super-robot", "kaiju", "super-heavy", "warship"]


@pytest.mark.django_db
def test_player_enters_profile_of_own_model(client: Any):
    page = client.post(reverse("rosters:lab"), {"system": "mechastellar", "name": "Rust Giant", **MODEL}, follow=True)
    text = page.content.decode()
    assert "Legal, 235 points" in " ".join(text.split())
    assert 'value="5.5"' in text
    assert "Rail Lance" in text
    assert "6d10 +6" in text
    assert ATTRIBUTION.replace("'", "&#x27;") in text


@pytest.mark.django_db
def test_lab_shows_every_problem_with_its_rule(client: Any):
    fields = {"system": "mechastellar", "name": "x", **MODEL, "size": "9", "boost": "1", "w1-dice": "11"}
    text = " ".join(client.post(reverse("rosters:lab_preview"), fields).content.decode().split())
    for problem in ("Size goes from 0 to 5, not 9.", "Boost is only for MS", "Dice goes from 1 to 10, not 11."):
        assert problem in text
    assert "ST-011" in text
    assert "ST-007" in text


@pytest.mark.django_db
def test_bad_figure_is_refused_by_its_field(client: Any):
    fields = {"system": "mechastellar", "name": "x", **MODEL, "hp": "many"}
    text = client.post(reverse("rosters:lab_preview"), fields).content.decode()
    assert "spec.hp: must be a whole number, not a text" in text
