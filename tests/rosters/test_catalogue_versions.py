"""A company adopts a newer catalogue version of its game; pages and API that show the versions."""

from __future__ import annotations

import io
import json
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from rosters import hooks
from rosters.documents.company import read_company
from rosters.documents.import_export import company_document, company_import
from rosters.ledger.records import company_balance, differences
from rosters.models import Company, Design, Unit
from rosters.releases.api import units_answer
from rosters.releases.selectors import UnitChange, company_offer, touched
from rosters.releases.services import release_adopt
from rosters.selectors import company_sheet
from rosters.services import RefusedError, company_clone, design_save, undo_last_act, unit_buy
from systems import ROSTERS, roster_rules
from systems.documents import DocumentError
from systems.legality import Problem
from tests.builders import a_company, a_player, a_token
from tests.rosters.test_races import at_once
from tests.systems.toy import SLUG, reissue

pytestmark = pytest.mark.django_db


@pytest.fixture
def toys(monkeypatch):
    reissue(monkeypatch)


@pytest.fixture
def ada(client):
    ada = a_player("ada")
    client.force_login(ada)
    return ada


def toy_company(owner, release="1", **fields) -> Company:
    """Return two Knights and a Runner, at the prices of that version."""
    box = a_company(owner, system=SLUG, name="Toy Box", release=release, points=60, **fields)
    for kind in ("knight", "knight", "runner" if release == "1" else "archer"):
        unit_buy(company=box, by=owner, published=kind)
    return box


def company_state(company: Company) -> tuple[str, int, list[int]]:
    """Return a company's catalogue version, its bank, and the worth of its units."""
    company.refresh_from_db()
    assert list(differences(company)) == []
    return company.catalogue_release, company_balance(company), [unit.points for unit in company_sheet(company).units]


def head(player, **more) -> dict[str, str]:
    return {"Authorization": f"Token {a_token(player)}", **more}


# --- founding and adopting ---


def test_company_is_founded_with_newest_or_named_version(toys, ada):
    assert company_state(toy_company(ada, "2")) == ("2", 60 - 7 - 7 - 4, [7, 7, 4])
    assert company_state(toy_company(ada, "1")) == ("1", 60 - 5 - 5 - 3, [5, 5, 3])
    assert a_company(ada, system=SLUG).catalogue_release == "2"
    with pytest.raises(RefusedError, match="no catalogue version '7'; there is 1, 2"):
        a_company(ada, system=SLUG, release="7")


def test_adopted_version_changes_new_prices_only(toys, ada):
    box = toy_company(ada)
    release_adopt(company=box, by=ada)
    assert company_state(box) == ("2", 47, [7, 7, 3])
    assert [unit.paid for unit in company_sheet(box).units] == [5, 5, 3]
    unit_buy(company=box, by=ada, published="knight")
    assert company_state(box) == ("2", 40, [7, 7, 3, 7])


def test_retired_design_is_kept_but_no_longer_sold(toys, ada, client):
    box = toy_company(ada)
    design = design_save(author=ada, system=SLUG, name="My Runner", spec={"kind": "runner"})
    release_adopt(company=box, by=ada)
    for wanted in ({"published": "runner"}, {"design": design}):
        with pytest.raises(RefusedError, match="no published design|Runner is retired in catalogue version 2"):
            unit_buy(company=box, by=ada, **wanted)
    shop = client.get(reverse("rosters:company", args=[box.pk])).content.decode()
    assert 'value="published:archer"' in shop
    assert 'value="published:runner"' not in shop
    assert f'value="own:{design.pk}"' not in shop
    assert "Runner" in shop  # the one that it has


def test_adoption_can_be_undone_only_as_the_last_act(toys, ada):
    box = toy_company(ada)
    before = company_state(box)
    release_adopt(company=box, by=ada)
    undo_last_act(company=box, by=ada)
    assert company_state(box) == before
    release_adopt(company=box, by=ada)
    assert company_state(box)[0] == "2"


def test_undo_keeps_the_version_of_the_founding(toys, ada):
    box = toy_company(ada, "2")
    undo_last_act(company=box, by=ada)
    assert company_state(box)[0] == "2"


@pytest.mark.parametrize(
    ("first", "to", "expected"),
    [
        ("2", "1", "go back to an older one"),
        ("2", "2", "already uses catalogue version 2"),
        ("1", "9", "no catalogue version '9'; there is 1, 2"),
        ("1", "two", "no catalogue version 'two'"),
    ],
)
def test_adoption_of_an_older_version_is_refused(toys, ada, first, to, expected):
    box = toy_company(ada, first)
    with pytest.raises(RefusedError, match=expected):
        release_adopt(company=box, by=ada, release=to)
    assert company_state(box)[0] == first


def test_cloned_company_keeps_its_version(toys, ada):
    copy = company_clone(company=toy_company(ada), owner=a_player())
    assert company_state(copy)[0] == "1"


def test_company_is_exported_and_imported_with_its_version(toys, ada):
    box = toy_company(ada)
    box = release_adopt(company=box, by=ada)
    document = company_document(box)
    assert company_state(
        company_import(owner=a_player(), document=read_company(json.dumps(document)))
    ) == company_state(box)
    with pytest.raises(DocumentError, match="release: doesn't match the ledger, which says 2"):
        read_company(json.dumps({**document, "release": "1"}))
    with pytest.raises(DocumentError, match="no catalogue version '3'"):
        read_company(json.dumps({**document, "release": "3"}))


@pytest.mark.django_db(transaction=True)
def test_parallel_adoptions_happen_once(toys):
    box = toy_company(a_player())
    answers = at_once(lambda: release_adopt(company=box, by=box.owner))
    assert answers.count(True) == 1
    assert box.ledger.filter(kind="release-adopted").count() == 1
    assert company_state(box)[0] == "2"


# --- pages ---


@pytest.mark.parametrize("slug", list(ROSTERS))
def test_rules_of_every_game_show_its_versions(client, slug):
    page = client.get(reverse("rosters:rules", args=[slug])).content.decode()
    assert "Version 1:" in page
    assert "can be rerun" in page
    assert ("playback only" in page) == (len(client.get(f"/api/v1/releases/{slug}/").json()["rules_versions"]) > 1)


@pytest.mark.rule("MM-002")
def test_page_says_how_and_why_odin_changed(client):
    page = " ".join(client.get(reverse("rosters:rules", args=["meks-and-mercs"])).content.decode().split())
    assert "Version 2: ODIN costs as much as its parts" in page
    assert f"{reverse('rosters:rules', args=['meks-and-mercs'])}#MM-002" in page
    assert "with the house rule “ODIN at its printed points”" in page
    (odin,) = touched(roster_rules("meks-and-mercs"), "2")
    assert (odin.slug, odin.before, odin.after) == ("odin", 27, 33)


def test_unknown_games_versions_return_404(client):
    assert client.get("/rules/chess/releases/").status_code == 404
    assert client.get("/api/v1/releases/chess/").status_code == 404


def test_owner_sees_the_changes_and_adopts(toys, ada, client):
    box = toy_company(ada)
    url = reverse("rosters:company_release", args=[box.pk])
    assert url in client.get(reverse("rosters:company_settings", args=[box.pk])).content.decode()
    page = " ".join(client.get(url, follow=True).content.decode().split())
    assert "13 → 17 points of ready units" in page
    assert "Runner no longer sold; it keeps what it has" in page
    assert "A Knight is worth two Runners and more." in page
    answer = client.post(url, {"release": "2"}, follow=True).content.decode()
    assert "Toy Box now uses catalogue version 2." in answer
    assert "the newest version of" in answer
    assert company_state(box)[0] == "2"


def test_page_says_why_the_version_is_kept(toys, ada, client, monkeypatch):
    monkeypatch.setattr(hooks, "release_kept", lambda company: "Its campaign keeps release 1.")
    for release, is_kept in (("1", True), ("2", False)):
        url = reverse("rosters:company_release", args=[toy_company(ada, release).pk])
        assert ("Its campaign keeps release 1." in client.get(url, follow=True).content.decode()) is is_kept


def test_outdated_adopt_button_shows_reason(toys, ada, client):
    box = toy_company(ada, "2")
    url = reverse("rosters:company_release", args=[box.pk])
    assert "already uses catalogue version 2" in client.post(url, {"release": "2"}, follow=True).content.decode()
    assert "no catalogue version" in client.post(url, {"release": "x" * 500}, follow=True).content.decode()


def test_founder_may_choose_an_earlier_version(toys, ada, client):
    url = reverse("rosters:company_create")
    assert "the newest version" in client.get(url).content.decode()
    given = {"name": "Old Guard", "system": SLUG, "points": "30", "colour": "#112233", "visibility": "private"}
    client.post(url, {**given, "release": "1"})
    assert Company.objects.get(name="Old Guard").catalogue_release == "1"
    answer = client.post(url, {**given, "name": "Older Guard", "system": "hex-core", "points": "300", "release": "2"})
    assert answer.status_code == 422


# --- the API and the command ---


def test_api_lists_the_versions(toys, client):
    data = client.get(f"/api/v1/releases/{SLUG}/").json()
    assert [each["number"] for each in data["releases"]] == ["2", "1"]
    assert {(each["slug"], each["before"], each["after"]) for each in data["releases"][0]["designs"]} == {
        ("knight", 5, 7), ("runner", 3, None), ("archer", None, 4)
    }  # fmt: skip
    assert [each["is_current"] for each in data["rules_versions"]] == [True]


def test_api_shows_the_changes_and_adopts(toys, ada, client):
    box = toy_company(ada)
    url = reverse("api-company-release", args=[box.pk])
    data = client.get(url, headers=head(ada)).json()
    assert (data["release"], data["newest"], data["points_before"], data["points_after"]) == ("1", "2", 13, 17)
    assert [unit["retired"] for unit in data["units"]] == [[], [], ["Runner"]]
    done = client.post(url, {"release": "2"}, "application/json", headers=head(ada))
    assert done.json() == {
        "release": "2", "newest": "2", "points_before": None, "points_after": None, "units": [], "kept": ""
    }  # fmt: skip
    again = client.post(url, {"release": "1"}, "application/json", headers=head(ada))
    assert again.status_code == 422
    assert "go back to an older one" in again.content.decode()


def test_api_founds_a_company_with_a_version(ada, client):
    given = {"system": "meks-and-mercs", "name": "Old Guard", "release": "1"}
    answer = client.post(reverse("api-companies"), given, "application/json", headers=head(ada))
    assert answer.json()["catalogue_release"] == "1"


def checked(tmp_path, kind: str, **options) -> dict:
    file, out = tmp_path / "design.json", io.StringIO()
    file.write_text(json.dumps({"muster": "design/1", "system": SLUG, "name": "Toy", "spec": {"kind": kind}}))
    call_command("check_design", str(file), stdout=out, **options)
    return json.loads(out.getvalue())


def test_design_is_checked_by_newest_or_named_version(toys, tmp_path, client):
    assert [checked(tmp_path, "knight", release=each)["points"] for each in ("", "1", "2")] == [7, 5, 7]
    assert checked(tmp_path, "archer")["points"] == 4
    with pytest.raises(CommandError, match="unknown kind 'archer'"):
        checked(tmp_path, "archer", release="1")
    with pytest.raises(CommandError, match="no catalogue version '3'"):
        checked(tmp_path, "knight", release="3")
    design = {"muster": "design/1", "system": SLUG, "name": "Toy", "spec": {"kind": "knight"}}
    url = reverse("api-designs-check")
    answers = [client.post(f"{url}{query}", design, "application/json") for query in ("", "?release=1", "?release=5")]
    assert [answer.json().get("points") for answer in answers] == [7, 5, None]
    assert answers[2].status_code in (400, 422)


def test_adoption_loses_no_unit(toys, ada):
    box = toy_company(ada)
    box = release_adopt(company=box, by=ada)
    assert Unit.objects.filter(company=box, status="ready").count() == 3
    assert company_offer(box).change is None
    assert not Design.objects.exists()


def test_answer_names_the_rule_of_each_problem():
    problem = Problem("MM-006", "Jammer is taken twice.")
    unit = UnitChange(id=1, name="Wasp", design_name="Wasp", before=5, after=6, problems=(problem,), retired=())
    (answer,) = units_answer(SimpleNamespace(units=(unit,)))
    assert answer.problems == ["Jammer is taken twice. (MM-006)"]
