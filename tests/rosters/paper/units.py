"""Unit documents for tests of paper, the hard ones among them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rosters.paper.documents import UnitDocument
from rosters.printing import render_order
from rosters.printing.orders import PrintOrder, read_order
from systems import roster_rules
from systems.documents import parse_document
from systems.meks_and_mercs.catalogue import CATALOGUE

SYSTEM = "meks-and-mercs"
MECHS = "mech-campaign"
LONG_NAME = "Wolfgang-Amadeus Featherstonehaugh-Cholmondeley the 18th WWW"
WIDE_NAME = "W" * 60
SIXTEEN_SKILLS = [slug for slug in CATALOGUE.skills if not slug.startswith("chassis-familiarity-t")][:16]


def unit(slug: str = "wasp", **fields: Any) -> dict[str, Any]:
    """Return a published design as a unit document."""
    design = roster_rules(SYSTEM).published[slug]
    return {
        "muster": "print-unit/1",
        "system": SYSTEM,
        "name": design.name,
        "design_name": design.name,
        "spec": roster_rules(SYSTEM).spec_json(design.spec),
        **fields,
    }


def mech(kind: str = "heavy-mech", **fields: Any) -> dict[str, Any]:
    """Return a Mech Campaign unit of that kind as a unit document; words of its spec by their names."""
    name = roster_rules(MECHS).published[kind].name
    spec = {word: fields.pop(word) for word in ("armament", "base_vehicle") if word in fields}
    return {
        "muster": "print-unit/1",
        "system": MECHS,
        "name": name,
        "design_name": name,
        "spec": {"kind": kind, **spec},
        **fields,
    }


def published_of(system: str) -> list[dict[str, Any]]:
    """Return every published design of a game as a unit document."""
    rules = roster_rules(system)
    return [
        {"system": system, "name": card.name, "design_name": card.name, "spec": rules.spec_json(card.spec)}
        for card in rules.published.values()
    ]


def mechs() -> list[dict[str, Any]]:
    return [mech(kind) for kind in roster_rules(MECHS).published]


def mech_cases() -> dict[str, dict[str, Any]]:
    """Return each kind at its fullest, with hard names."""
    pilot = {"name": LONG_NAME, "experience": "ace", "kills": 123, "games": 45, "points": 99}
    words = {"armament": "W" * 60}
    full = {
        "name": LONG_NAME,
        "design_name": LONG_NAME,
        "company": LONG_NAME,
        "condition": {"damage": 2, "workshop": True},
    }
    cases = {
        f"fullest {kind}": mech(kind, **full, **words, pilot=pilot) for kind in ("heavy-mech", "light-mech", "track")
    }
    cases["fullest drone"] = mech("drone", **full, **words, base_vehicle="Ω" * 60)
    cases["fullest gun-sentry"] = mech("gun-sentry", **full, **words)
    cases["widest mech"] = mech(name=WIDE_NAME, company="Ω" * 60, design_name=WIDE_NAME, pilot={"name": WIDE_NAME})
    cases["Hebrew mech"] = mech("track", company="זאבי הברזל", pilot={"name": "דוד בן-גוריון “אריה”"}, armament="תותח")
    cases["Japanese drone"] = mech("drone", name="鋼鉄の狼", base_vehicle="山田太郎")
    cases["markup mech"] = mech(name="<b>&amp;</b> \"x\" 'y'", company="</div>", armament="<i>")
    return cases


def read(document: dict[str, Any]) -> UnitDocument:
    return parse_document(UnitDocument, document)


def order(documents: Iterable[dict[str, Any]], what: str = "unit-card", **settings: Any) -> PrintOrder:
    """Return an order of that product for each unit."""
    items = [{"what": what, "unit": document} for document in documents]
    return read_order({"title": "Print", "settings": settings, "items": items})


def printed(documents: Iterable[dict[str, Any]], what: str = "unit-card", **settings: Any) -> bytes:
    """Return the PDF of that product for each unit."""
    return render_order(order(documents, what, **settings)).pdf


def published() -> list[dict[str, Any]]:
    return [unit(slug) for slug in roster_rules(SYSTEM).published]


def fullest(chassis: str) -> dict[str, Any]:
    """Return the longest legal loadout of a chassis: every mount filled with a different weapon of the longest text."""
    frame = CATALOGUE.chassis[chassis]
    by_text = sorted(
        CATALOGUE.weapons.values(), key=lambda weapon: len(weapon.name) + 3 * len(weapon.special), reverse=True
    )
    weapons: list[str] = []
    for size, mounts in (("massive", frame.massive_mounts), ("huge", frame.huge_mounts)):
        fitting = [weapon.slug for weapon in by_text if weapon.size == size]
        weapons += [fitting[at % len(fitting)] for at in range(mounts)]
    weapons += ["grenade-launcher", "ciws", "ciws"][: 3 if frame.small_mounts > 1 else 1]
    systems: list[str] = []
    room = frame.system_slots
    for system in sorted(CATALOGUE.systems.values(), key=lambda system: len(system.brief), reverse=True):
        is_second_sensor = system.sensor and any(CATALOGUE.systems[slug].sensor for slug in systems)
        if system.slots <= room and chassis in system.sizes and not is_second_sensor:
            systems.append(system.slug)
            room -= system.slots
    spec = {"chassis": chassis, "weapons": weapons, "systems": systems}
    rules = roster_rules(SYSTEM)
    assert rules.check_design(rules.parse_spec(spec)).legal, f"the fullest {chassis} must be legal"
    return unit(name=LONG_NAME, design_name=LONG_NAME, company=LONG_NAME, spec=spec, pilot=ace())


def ace() -> dict[str, Any]:
    return {"name": LONG_NAME, "experience": "elite", "skills": SIXTEEN_SKILLS, "kills": 123, "games": 45}


def hard_cases() -> dict[str, dict[str, Any]]:
    cases = {f"fullest {slug}": fullest(slug) for slug in CATALOGUE.chassis}
    cases["widest name"] = unit("odin", name=WIDE_NAME, company="Ω" * 60, design_name=WIDE_NAME, pilot=ace())
    cases["one long word"] = unit(name="i" * 60, pilot={"name": "M" * 100})
    cases["accents"] = unit(name="Żółć Ąę Ştefan Ñandú", company="Åse & Çelik")
    cases["Cyrillic"] = unit(name="Гремящий Волк", pilot={"name": "Юрий Гагарин"})
    cases["Greek"] = unit(name="Λύκος του Χάλυβα", company="Ελλάς", pilot={"name": "Γιώργος Σεφέρης"})
    cases["Japanese"] = unit(name="鋼鉄の狼", pilot={"name": "山田太郎"})
    cases["Arabic"] = unit(name="ذئب الحديد", pilot={"name": "مرتزقة"})
    cases["Hebrew"] = unit(
        "draken", company="זאבי הברזל", pilot={"name": "דוד בן-גוריון “אריה”", "experience": "veteran"}
    )
    cases["joined emoji"] = unit(name="👩‍🚀" * 20)
    cases["emoji"] = unit(name="😀" * 60)
    cases["markup"] = unit(name="<b>&amp;</b> \"x\" 'y'", company="</div>")
    cases["all lost"] = unit(
        "thor",
        pilot={"name": "Ana", "skills": ["damage-control"]},
        condition={
            "hits": 1, "weapons_lost": [0, 1, 2, 3, 4, 5], "systems_lost": [0, 1], "legs": 4, "wounded": True,
            "computers": True, "carried_heat": 2, "dug_in": True, "damage_control_used": True,
        },
    )  # fmt: skip
    cases["support"] = {
        "muster": "print-unit/1", "system": SYSTEM, "name": "Inf", "design_name": "Inf", "support": "infantry",
    }  # fmt: skip
    return cases
