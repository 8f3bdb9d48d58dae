"""Players' own scenarios: services, selectors, pages and API."""

from __future__ import annotations

import copy
import json

import pytest
from django.urls import reverse

from rosters.models import Scenario, Visibility
from rosters.scenarios.selectors import playable_scenario, playable_scenarios, scenario_value
from rosters.services import RefusedError, scenario_clone, scenario_delete, scenario_save
from systems import ROSTERS, roster_rules
from tests.builders import SYSTEM, a_player

pytestmark = pytest.mark.django_db

RULES = roster_rules(SYSTEM)
PRINTED = RULES.scenario_json(RULES.scenarios["head-to-head"].spec)
PUBLISHED = list(RULES.scenarios)


@pytest.fixture
def owner():
    return a_player("owner")


@pytest.fixture
def signed_in(client, owner):
    client.force_login(owner)
    return client


def spec(**changes):
    return {**copy.deepcopy(PRINTED), **changes}


def save_scenario(author, name="Ridge", **fields):
    return scenario_save(author=author, system=SYSTEM, name=name, **{"spec": spec(), **fields})


def draft(author, name="Draft"):
    return save_scenario(author, name, spec=spec(objective={"kind": None}))


def page(client, name, *args, query=""):
    answer = client.get(reverse(f"rosters:{name}", args=args) + query)
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


# --- services and selectors ---


def test_scenario_with_problems_is_kept_but_not_playable(owner):
    row = draft(owner)
    assert row.spec["objective"]["kind"] is None
    assert [each.value for each in playable_scenarios(owner, system="meks-and-mercs")] == PUBLISHED
    with pytest.raises(KeyError):
        scenario_value(f"custom-{row.pk}", owner, system="meks-and-mercs")


def test_unreadable_scenario_is_refused_with_field(owner):
    with pytest.raises(RefusedError) as caught:
        save_scenario(owner, spec=spec(weather="rain"))
    assert (caught.value.field, caught.value.reason) == ("spec.weather", "unknown field")


def test_names_are_unique_and_clones_get_a_free_one(owner):
    save_scenario(owner, "Head to Head")
    with pytest.raises(RefusedError, match="already"):
        save_scenario(owner, "Head to Head")
    assert scenario_clone(by=owner, system=SYSTEM, published="head-to-head").name == "Head to Head 2"
    with pytest.raises(RefusedError, match="no scenario"):
        scenario_clone(by=owner, system=SYSTEM, published="last-stand")


def test_only_the_author_changes_a_scenario(owner):
    row, eve = save_scenario(owner), a_player("eve")
    with pytest.raises(RefusedError, match="Clone it first"):
        scenario_save(author=eve, system=SYSTEM, name="Mine", spec=row.spec, scenario=row)
    with pytest.raises(RefusedError, match="isn't yours"):
        scenario_delete(scenario=row, by=eve)
    copied = scenario_clone(scenario=row, by=eve)
    assert (copied.author, copied.name, copied.spec) == (eve, row.name, row.spec)
    renamed = scenario_save(author=owner, system=SYSTEM, name="Gap", spec=row.spec, scenario=row)
    assert renamed.name == "Gap"
    scenario_delete(scenario=row, by=owner)
    assert list(Scenario.objects.all()) == [copied]


def test_player_can_play_published_and_own_scenarios(owner):
    row, other = save_scenario(owner), save_scenario(a_player("eve"), "Eve's", visibility=Visibility.PUBLIC)
    assert [each.value for each in playable_scenarios(owner, system="meks-and-mercs")] == [
        *PUBLISHED,
        f"custom-{row.pk}",
    ]
    also = playable_scenarios(owner, f"custom-{other.pk}", system="meks-and-mercs")
    assert [each.name for each in also[-2:]] == ["Ridge", "Eve's"]
    assert scenario_value("citadel", owner, system="meks-and-mercs") == "citadel"
    assert scenario_value(f"custom-{row.pk}", owner, system="meks-and-mercs") == {"name": "Ridge", "spec": row.spec}


@pytest.mark.parametrize("value", ["", "custom-", "custom-x", "custom-99999", "custom-" + "9" * 30, "zone-battle"])
def test_unknown_scenario_value_raises_key_error(owner, value):
    with pytest.raises(KeyError):
        playable_scenario(value, owner, system="meks-and-mercs")


def test_private_scenario_is_playable_by_author_or_link_only(owner):
    row, eve = save_scenario(owner), a_player("eve")
    with pytest.raises(KeyError):
        scenario_value(f"custom-{row.pk}", eve, system="meks-and-mercs")
    save_scenario(owner, scenario=row, visibility=Visibility.LINK)
    with pytest.raises(KeyError):
        scenario_value(f"custom-{row.pk}", eve, system="meks-and-mercs")
    assert scenario_value(f"custom-{row.pk}", eve, str(row.link_key), system="meks-and-mercs")


# --- pages ---


@pytest.mark.parametrize("slug", PUBLISHED)
def test_published_scenario_page_describes_its_map(client, slug):
    text = page(client, "scenario_published", SYSTEM, slug)
    assert text.count('class="zone zone--') == 9
    assert RULES.scenarios[slug].name in text.replace("&#x27;", "'")
    assert f"scenario={slug}" in text


def test_published_scenario_is_cloned_for_editing(signed_in, owner):
    answer = signed_in.post(reverse("rosters:scenario_published_clone", args=[SYSTEM, "breach"]), follow=True)
    row = Scenario.objects.get()
    assert answer.redirect_chain == [(reverse("rosters:scenario_edit", args=[row.pk]), 302)]
    assert RULES.parse_scenario(row.spec) == RULES.scenarios["breach"].spec


@pytest.mark.parametrize("slug", PUBLISHED)
def test_unchanged_form_keeps_the_scenario(signed_in, owner, slug):
    row = scenario_clone(by=owner, system=SYSTEM, published=slug)
    url = reverse("rosters:scenario_edit", args=[row.pk])
    fields = form_fields(signed_in.get(url).content.decode())
    assert signed_in.post(url, {**fields, "do": "save"}).status_code == 302
    row.refresh_from_db()
    assert RULES.parse_scenario(row.spec) == RULES.scenarios[slug].spec


def test_scenario_changed_meanwhile_is_overwritten_only_on_confirmation(signed_in, owner):
    row = scenario_clone(by=owner, system=SYSTEM, published="breach")
    url = reverse("rosters:scenario_edit", args=[row.pk])
    fields = {**form_fields(signed_in.get(url).content.decode()), "do": "save"}
    scenario_save(author=owner, system=SYSTEM, name="Theirs", spec={**row.spec, "turn_limit": 9}, scenario=row)
    answer = signed_in.post(url, {**fields, "name": "Mine"})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "This changed after you opened it: name (“Theirs”), turn limit (“9”)" in text
    assert form_fields(text)["name"] == "Mine"
    row.refresh_from_db()
    assert row.name == "Theirs"
    assert signed_in.post(url, {**form_fields(text), "do": "save"}).status_code == 302
    row.refresh_from_db()
    assert row.name == "Mine"


def form_fields(html: str) -> dict[str, str]:
    """Return what a browser would send of the scenario's form."""
    import re
    from html import unescape

    form = html[html.index('id="scenario-form"') : html.index("</form>", html.index('id="scenario-form"'))]
    fields: dict[str, str] = {}
    for tag in re.findall(r"<input[^>]*>", form):
        found = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        if found.get("type") in ("checkbox", "radio") and " checked" not in tag:
            continue
        fields[found["name"]] = unescape(found.get("value", "on"))
    for name, body in re.findall(r'<select[^>]*? name="([^"]+)".*?>(.*?)</select>', form, re.DOTALL):
        options = re.findall(r'<option value="([^"]*)"( selected)?', body)
        fields[name] = next((value for value, chosen in options if chosen), options[0][0])
    for name, body in re.findall(r'<textarea[^>]*? name="([^"]+)"[^>]*>(.*?)</textarea>', form, re.DOTALL):
        fields[name] = unescape(body)
    return fields


def test_zone_is_painted_without_scripts_and_saved_with_problems(signed_in, owner):
    url = reverse("rosters:scenario_new")
    fields = {**form_fields(signed_in.get(url).content.decode()), "name": "Gap"}
    painted = signed_in.post(url, {**fields, "brush": "t:wood", "paint": "5"}).content.decode()
    assert 'class="zone zone--wood" id="zone-face-5"' in painted
    fields = {**form_fields(painted), "brush": "a1"}
    painted = signed_in.post(url, {**fields, "paint": "7"}).content.decode()
    fields = form_fields(painted)
    assert (fields["a1-7"], fields["t-5"]) == ("on", "wood")
    answer = signed_in.post(url, {**fields, "do": "save"}, follow=True)
    row = Scenario.objects.get()
    assert row.spec["attacker"]["setup"] == [{"who": "all", "zones": [7], "is_one_zone": False}]
    text = answer.content.decode()
    assert "Not playable yet" in text
    assert "no victory condition" in text
    assert "?scenario=" not in text


def test_refused_save_keeps_the_input(signed_in, owner):
    save_scenario(owner, "Gap")
    url = reverse("rosters:scenario_new")
    fields = form_fields(signed_in.get(url).content.decode())
    answer = signed_in.post(url, {**fields, "name": "Gap", "turn_limit": "7", "do": "save"})
    assert answer.status_code == 422
    assert "You already have a scenario called Gap." in answer.content.decode()
    assert form_fields(answer.content.decode())["turn_limit"] == "7"


@pytest.mark.parametrize("value", ["", "-3", "3.5", "x", "99999999999999999999", "٣"])
def test_bad_text_in_a_field_is_a_listed_problem(signed_in, value):
    fields = {
        "turn_limit": value,
        "attacker-points": value,
        "key": value,
        "paint": value,
        "attacker-extra-0-zone": value,
    }
    answer = signed_in.post(
        reverse("rosters:scenario_preview"), {**fields, "attacker-extra-0-unit": "infantry", "objective": value}
    )
    assert answer.status_code == 200
    assert "The turn limit must be" in answer.content.decode()


def test_preview_lists_every_problem_and_draws_the_map(signed_in):
    answer = signed_in.post(
        reverse("rosters:scenario_preview"), {"a1-4": "on", "d1-4": "on", "attacker-points": "60", "turn_limit": "6"}
    ).content.decode()
    assert "Zone 4 is a set-up zone for both sides" in answer
    assert "no victory condition" in answer
    assert answer.count("hx-swap-oob") == 10


def test_scenario_pages_follow_visibility(client, owner):
    row, eve = save_scenario(owner), a_player("eve")
    url = reverse("rosters:scenario", args=[row.pk])
    assert client.get(url).status_code == 404
    client.force_login(eve)
    assert client.get(url).status_code == 404
    for name in ("scenario_edit", "scenario_json"):
        assert client.get(reverse(f"rosters:{name}", args=[row.pk])).status_code == 404
    for name in ("scenario_clone", "scenario_share", "scenario_delete"):
        assert client.post(reverse(f"rosters:{name}", args=[row.pk]), {"name": "x"}).status_code == 404
    save_scenario(owner, scenario=row, visibility=Visibility.LINK)
    assert client.get(url).status_code == 404
    shared = client.get(f"{url}?key={row.link_key}").content.decode()
    assert "Clone it to play it" in shared
    assert client.post(reverse("rosters:scenario_clone", args=[row.pk]) + f"?key={row.link_key}").status_code == 302
    assert Scenario.objects.filter(author=eve).count() == 1


def test_scenario_is_shared_and_deleted_on_its_page(signed_in, owner):
    row = save_scenario(owner)
    signed_in.post(reverse("rosters:scenario_share", args=[row.pk]), {"visibility": "public"})
    row.refresh_from_db()
    assert row.visibility == "public"
    signed_in.post(reverse("rosters:scenario_delete", args=[row.pk]))
    assert not Scenario.objects.exists()


def test_scenario_json_survives_export_and_import(signed_in, owner):
    row = save_scenario(owner, "Gap")
    answer = signed_in.get(reverse("rosters:scenario_json", args=[row.pk]))
    assert answer["Content-Disposition"] == 'attachment; filename="gap.json"'
    scenario_save(author=owner, system=SYSTEM, name="Old", spec=row.spec, scenario=row)
    assert signed_in.post(reverse("rosters:scenario_upload"), {"text": answer.content.decode()}).status_code == 302
    assert Scenario.objects.get(name="Gap").spec == row.spec
    printed = signed_in.get(reverse("rosters:scenario_published_json", args=[SYSTEM, "citadel"])).json()
    assert printed["muster"] == "scenario/1"


@pytest.mark.parametrize(
    "text", ["", "{", '{"muster": "design/1"}', '{"muster":"scenario/1","system":"x","name":"y","spec":{}}']
)
def test_bad_upload_is_refused_with_reason(signed_in, text):
    answer = signed_in.post(reverse("rosters:scenario_upload"), {"text": text})
    assert answer.status_code == 422
    assert "Not uploaded" in answer.content.decode()


@pytest.mark.slow
def test_list_query_counts_do_not_grow(signed_in, owner, django_assert_max_num_queries):
    eve = a_player("eve")
    for number in range(12):
        save_scenario(owner, f"Mine {number}")
        save_scenario(eve, f"Hers {number}", visibility=Visibility.PUBLIC)
    with django_assert_max_num_queries(7):
        text = page(signed_in, "scenarios")
    assert "Mine 11" in text
    assert "Hers 11" in text
    pk = Scenario.objects.filter(author=owner)[0].pk
    with django_assert_max_num_queries(4):
        page(signed_in, "scenario", pk)
    with django_assert_max_num_queries(1):
        assert len(playable_scenarios(owner, system="meks-and-mercs")) == len(PUBLISHED) + 12


# --- API ---


def send(client, method, name, *args, body=None):
    data = b"" if body is None else json.dumps(body)
    return client.generic(method, reverse(name, args=args), data, content_type="application/json")


def a_document(name="Gap", **changes):
    return {"muster": "scenario/1", "system": SYSTEM, "name": name, "spec": spec(**changes)}


def test_anybody_checks_a_scenario(client):
    answer = send(client, "POST", "api-scenarios-check", body=a_document(turn_limit=0)).json()
    assert (answer["playable"], [problem["place"] for problem in answer["problems"]]) == (False, ["turn_limit"])
    assert send(client, "POST", "api-scenarios-check", body=a_document()).json()["playable"] is True
    refused = send(client, "POST", "api-scenarios-check", body=a_document(weather="rain"))
    assert refused.status_code == 400
    assert refused.json()["errors"] == [{"field": "spec.weather", "reason": "unknown field"}]


def test_api_saves_changes_and_lists_scenarios(signed_in, owner):
    answer = send(signed_in, "POST", "api-scenarios", body=a_document())
    assert answer.status_code == 201
    pk = answer.json()["id"]
    assert send(signed_in, "PUT", "api-scenario", pk, body=a_document("Pass", turn_limit=9)).json()["name"] == "Pass"
    assert send(signed_in, "PATCH", "api-scenario", pk, body={"visibility": "public"}).json()["visibility"] == "public"
    assert send(signed_in, "POST", "api-scenario-clone", pk).json()["name"] == "Pass 2"
    copied = send(signed_in, "POST", "api-scenarios-copy", body={"system": SYSTEM, "slug": "citadel"}).json()
    assert copied["check"]["playable"] is True
    results = send(signed_in, "GET", "api-scenarios").json()["results"]
    assert [row["name"] for row in results] == ["Citadel", "Pass", "Pass 2"]
    assert send(signed_in, "DELETE", "api-scenario", pk).status_code == 204
    assert send(signed_in, "GET", "api-scenario", pk).status_code == 404
    published = send(signed_in, "GET", "api-scenarios-published").json()
    assert [row["slug"] for row in published if row["system"] == SYSTEM] == PUBLISHED
    assert len(published) == sum(len(system.scenarios) for system in ROSTERS.values())


def test_strangers_read_public_scenarios_but_change_none(client, owner):
    hidden, public = save_scenario(owner, "Hidden"), save_scenario(owner, "Shown", visibility=Visibility.PUBLIC)
    assert [row["name"] for row in send(client, "GET", "api-scenarios").json()["results"]] == ["Shown"]
    assert send(client, "GET", "api-scenario", hidden.pk).status_code == 404
    assert send(client, "POST", "api-scenarios", body=a_document()).status_code == 401
    client.force_login(a_player("eve"))
    assert send(client, "PUT", "api-scenario", public.pk, body=a_document()).status_code == 404
    assert send(client, "DELETE", "api-scenario", public.pk).status_code == 404
