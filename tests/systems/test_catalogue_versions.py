"""Catalogue versions and versions of the battle rules: data that state changes and leave earlier versions alone."""

import json

import pytest

from systems import BATTLES, ROSTERS, battle_rules, roster_rules
from systems.catalogue import (
    CatalogueError,
    RulesVersion,
    UnknownReleaseError,
    format_day,
    load_releases,
    load_versions,
    other_rules,
    raw_table,
    read_table,
    retired_by,
)
from systems.documents import DocumentError
from systems.meks_and_mercs.battle.setup import field_units
from systems.meks_and_mercs.build import SYSTEM
from systems.reading import read_setup
from systems.setups import setup_hash, setup_json
from systems.simulation.records import RulesVersionError, read_record, resolve, verify
from tests.toy.catalogue import REISSUED, Toy
from tests.toy.reissued import GAME as REISSUED_TOYS

TOYS = REISSUED_TOYS.roster
THING = '[a]\nname = "A"\npoints = 1\n'
FIRST = '[1]\non = "2026-11-21"\ntitle = "First"\nreason = "There was none."\n'
SECOND = FIRST + '\n[2]\non = "2026-11-22"\ntitle = "Second"\nreason = "Something was wrong."\n'
WHY = 'changed = { rule = "TY-003", reason = "It was wrong." }\n'


def shelf(tmp_path, later: str, releases: str = SECOND):
    (tmp_path / "things.toml").write_text(THING)
    (tmp_path / "releases.toml").write_text(releases)
    (tmp_path / "release_2").mkdir()
    (tmp_path / "release_2" / "things.toml").write_text(later)
    return tmp_path


# --- as data ----------------------------------------------------------------------------------------------------------


def test_release_states_its_changes_with_reasons():
    _, second = load_releases(REISSUED)
    changes = {
        change.slug: (change.how, [(each.name, each.before, each.after) for each in change.figures])
        for change in second.changes
    }
    assert changes == {
        "knight": ("changed", [("points", "5", "7")]),
        "runner": ("retired", []),
        "archer": ("new", []),
    }
    assert all(change.rule == "TY-003" and change.reason for change in second.changes)


def test_earlier_release_stays_unchanged():
    tables = [read_table(REISSUED / "units.toml", raw_table(REISSUED, "units", number), Toy) for number in "12"]
    assert [list(table) for table in tables] == [["knight", "runner"], ["knight", "runner", "archer"]]
    assert [table["knight"].points for table in tables] == [5, 7]
    assert tables[1]["archer"].hits == tables[1]["runner"].hits  # inherited


def test_retired_entry_stays_retired(tmp_path):
    third = SECOND + '\n[3]\non = "2026-11-23"\ntitle = "Third"\nreason = "More."\n'
    folder = shelf(tmp_path, '[a]\nchanged = { rule = "TY-003", reason = "Gone.", retired = true }\n', third)
    assert [retired_by(load_releases(folder), number) for number in "123"] == [
        frozenset(), frozenset({("things", "a")}), frozenset({("things", "a")})
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("later", "releases", "expected"),
    [
        ("[a]\npoints = 2\n", SECOND, "changed: must say `rule` and `reason`"),
        ('[a]\npoints = 2\nchanged = { rule = "X", reason = "Y", how = "Z" }\n', SECOND, "changed.how: unknown field"),
        (f"[a]\npoints = 1\n{WHY}", SECOND, "changes nothing"),
        ('[b]\nname = "B"\npoints = 1\nchanged = { rule = "X", reason = "Y", retired = true }\n', SECOND, "can't be retired"),
        (f"[a]\npoints = 2\n{WHY}", FIRST, "no such later release"),
        (f"[a]\npoints = 2\n{WHY}", SECOND.replace("[2]", "[3]"), "count up from 1"),
        (f"[a]\npoints = 2\n{WHY}", SECOND.replace("2026-11-22", "tomorrow"), "is no day"),
        (f"[a]\npoints = 2\n{WHY}", SECOND.replace("2026-11-22", "2026-11-20"), "before the one before it"),
        ("[a", SECOND, "things.toml"),
    ],
)  # fmt: skip
def test_badly_written_release_names_error(tmp_path, later, releases, expected):
    with pytest.raises(CatalogueError, match=expected):
        load_releases(shelf(tmp_path, later, releases))


@pytest.mark.parametrize("slug", list(ROSTERS))
def test_every_game_has_releases_citing_existing_rules(slug):
    rules = roster_rules(slug)
    assert [each.number for each in rules.releases] == [str(at) for at in range(1, len(rules.releases) + 1)]
    assert rules.catalogue_release == rules.newest
    for release in rules.releases:
        assert all(change.rule in rules.rulebook for change in release.changes)
        assert rules.of(release.number).catalogue_release == release.number


@pytest.mark.parametrize("slug", list(ROSTERS))
def test_newest_release_reads_all_earlier_designs(slug):
    rules = roster_rules(slug)
    for release in rules.releases:
        older = rules.of(release.number)
        for design in older.published.values():
            assert rules.spec_json(rules.parse_spec(older.spec_json(design.spec))) == older.spec_json(design.spec)


@pytest.mark.parametrize("release", ["0", "3", "two", ""])
def test_unknown_version_lists_known_ones(release):
    with pytest.raises(UnknownReleaseError, match="there is 1, 2"):
        TOYS.of(release)
    with pytest.raises(UnknownReleaseError, match="there is 1, 2"):
        SYSTEM.of(release)


# --- a game in its releases
# --------------------------------------------------------------------------------------------


def test_spec_costs_points_of_its_release():
    points = [TOYS.of(number).check_design(TOYS.of(number).parse_spec({"kind": "knight"})).points for number in "12"]
    assert points == [5, 7]


def test_retired_entry_is_read_but_not_offered():
    first, second = TOYS.of("1"), TOYS.of("2")
    runner = second.parse_spec({"kind": "runner"})
    assert second.retired_in(runner) == ("Runner",)
    assert first.retired_in(first.parse_spec({"kind": "runner"})) == ()
    assert (list(first.published), list(second.published)) == (["knight", "runner"], ["knight", "archer"])
    assert [frame.slug for frame in second.editor(second.parse_spec({"kind": "knight"})).frames] == ["knight", "archer"]
    assert "runner" in [frame.slug for frame in second.editor(runner).frames]  # the spec has one


@pytest.mark.rule("MM-002")
def test_odin_costs_33_in_second_release():
    played = {"odin-printed-cost": True}
    first, second = SYSTEM.of("1"), SYSTEM.of("2")
    assert [each.check_design(each.published["odin"].spec).points for each in (first, second)] == [33, 33]
    assert [each.check_design(each.published["odin"].spec, played).points for each in (first, second)] == [27, 33]
    assert (first.retired_rules, second.retired_rules) == (frozenset(), frozenset({"odin-printed-cost"}))


@pytest.mark.rule("MM-002")
def test_second_release_changes_only_the_misprint():
    first, second = SYSTEM.of("1"), SYSTEM.of("2")
    for slug, design in first.published.items():
        spec = second.published[slug].spec
        assert second.check_design(spec) == first.check_design(design.spec)
        assert (spec.frame, spec.armament, spec.fittings) == (
            design.spec.frame, design.spec.armament, design.spec.fittings
        )  # fmt: skip


# --- set-ups and records ----------------------------------------------------------------------------------------------


def citadel(release: str | None = None, **options):
    """Return a set-up at the limit of 100 points on both sides; an ODIN for 27 would leave six more."""
    document = {
        "muster": "setup/1", "system": "meks-and-mercs", "scenario": "zone-battle", "terrain": "plain", "options": options,
        "sides": [
            {"name": "Red", "doctrine": "aggressive", "units": [{"key": "a1", "design": "odin"}]},
            {"name": "Blue", "doctrine": "cautious", "units": [{"key": "b1", "design": "draken"}]},
        ],
    }  # fmt: skip
    return document if release is None else {**document, "release": release}


def test_setup_without_release_is_first_and_keeps_hash():
    plain, named = read_setup(citadel()), read_setup(citadel("1"))
    assert plain.catalogue_release == "1"
    assert "release" not in setup_json(named)
    assert setup_hash(plain) == setup_hash(named) != setup_hash(read_setup(citadel("2")))


def test_setup_names_release_of_its_units():
    assert [field_units(read_setup(citadel(each)))[0].spec.release for each in ("1", "2")] == ["1", "2"]
    assert battle_rules("meks-and-mercs").worths(read_setup(citadel("1", **{"odin-printed-cost": True})))["a1"] == 27


@pytest.mark.parametrize(
    ("setup", "path", "expected"),
    [
        (citadel("3"), "release", "no catalogue version '3'; there is 1, 2"),
        (citadel("2", **{"odin-printed-cost": True}), "options.odin-printed-cost", "is retired in catalogue version 2"),
    ],
)
def test_setup_with_missing_release_or_rule_is_refused(setup, path, expected):
    with pytest.raises(DocumentError, match=expected) as refused:
        read_setup(setup)
    assert refused.value.path == path


def test_house_rule_at_default_is_not_refused_as_retired():
    assert read_setup(citadel("2", **{"odin-printed-cost": False})).catalogue_release == "2"


def test_record_names_its_release_and_verifies():
    text = resolve(read_setup(citadel("2")), 7).text()
    assert json.loads(text.partition("\n")[0])["setup"]["release"] == "2"
    assert verify(text) is None
    assert read_record(text).setup.catalogue_release == "2"


# --- versions of the rules of battle ----------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", list(BATTLES))
def test_every_game_dates_its_rules_versions(slug):
    rules = battle_rules(slug)
    assert [each.number for each in rules.versions] == list(range(1, rules.rules_version + 1))


VERSIONS = (
    RulesVersion(slug="1", on="2026-11-21", what="Battles."),
    RulesVersion(slug="2", on="2026-11-22", what="Hills count."),
    RulesVersion(slug="3", on="2026-11-24", what="Water counts."),
)


@pytest.mark.parametrize(
    ("was", "now", "expected"),
    [
        (3, 3, ""),
        (2, 3, "was simulated with rules 2, but the current rules are 3 (rules 2 of 22 Nov 2026, rules 3 of 24 Nov 2026): Water counts. "
               "You can play it back but not run it again"),
        (1, 3, "was simulated with rules 1, but the current rules are 3 (rules 1 of 21 Nov 2026, rules 3 of 24 Nov 2026): Hills count. Water counts. "
               "You can play it back but not run it again"),
        (4, 3, "was simulated with rules 4, but the current rules are 3 (rules 3 of 24 Nov 2026): it was made by a newer Muster. "
               "You can play it back here but not run it again"),
    ],
)  # fmt: skip
def test_record_of_other_rules_names_days_and_changes(was, now, expected):
    assert other_rules(VERSIONS, was, now) == expected


def test_game_without_dates_names_only_versions():
    assert (
        other_rules((), 1, 2)
        == "was simulated with rules 1, but the current rules are 2. You can play it back but not run it again"
    )


def test_verify_refuses_other_rules_before_fighting():
    text = resolve(read_setup(citadel()), 7).text().replace('"rules_version":3', '"rules_version":1', 1)
    with pytest.raises(RulesVersionError, match="of 21 Nov 2026.*of 28 Nov 2026.*play it back but not run it again"):
        verify(text)


def test_day_is_formatted_in_words():
    assert format_day("2026-03-07") == "7 Mar 2026"


def test_versions_must_be_numbered_from_1(tmp_path):
    path = tmp_path / "versions.toml"
    path.write_text('[2]\non = "2026-11-21"\nwhat = "Battles."\n')
    with pytest.raises(CatalogueError, match="count up from 1"):
        load_versions(path)
