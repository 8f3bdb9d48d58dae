"""Pages may load only the site's own files, and nothing inline. A real browser opens every kind of page."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.urls import Resolver404, resolve, reverse
from playwright.sync_api import Page, expect

from battles.odds.matrices import matrix_ask
from battles.odds.services import forecast_ask, what_if_ask
from battles.services.battles import battle_queue
from battles.tasks import battle_resolve
from rosters.models import PrintJob
from rosters.services import design_save
from tests.accounts.builders import add_second_factor
from tests.battles.builders import company, company_battle, duel, player
from tests.builders import SYSTEM, WASP
from tests.conftest import is_script_error
from tests.rosters.paper.forms import form_fields

STRICT = {
    "default-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
}
NO_PAGES = {
    "schema",
    "sitemap",
    "sitemaps",
    "favicon",
    "manifest",
    "worker",
    "rosters:company_export",
    "rosters:print-file",
    "rosters:print-preview",
    "battles:record",
    "admin:view_on_site",
    "mfa_download_recovery_codes",
}  # files


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name", ["home", "account_login", "account_signup", "rosters:lab", "battles:quick-battle", "api-docs"]
)
def test_page_has_the_strict_policy(client, name):
    assert policy_of(client.get(reverse(name))) == STRICT


def policy_of(answer) -> set[str]:
    return set(answer.headers["Content-Security-Policy"].split("; "))


def print_company(client, own) -> None:
    client.force_login(own.owner)
    path = reverse("rosters:print-company", args=[own.pk])
    client.post(path, form_fields(client.get(path).context["form"]))


def kind_of(path: str) -> str:
    """Return the route's name for a path. Pages of one route count as one kind, and so do the admin's lists and forms."""
    try:
        name = resolve(path).view_name
    except Resolver404:
        return ""
    return f"admin:{name.rpartition('_')[2]}" if name.startswith("admin:") and "_" in name else name


def start(own, battle, forecast, what_if, matrix, job) -> list[str]:
    return [
        "/",
        reverse("admin:index"),
        reverse("admin:rosters_player_add"),
        reverse("api-docs"),
        reverse("rosters:company", args=[own.pk]),
        reverse("rosters:print-presets"),
        reverse("rosters:print-printers"),
        reverse("rosters:print-job", args=[job.key]),
        reverse("battles:battle", args=[battle.key]),
        reverse("battles:forecast", args=[forecast.key]),
        reverse("battles:explore", args=[what_if.key]),
        reverse("battles:matrix", args=[matrix.key]),
        "/there/is/no/such/page/",
    ]


@pytest.mark.slow
@pytest.mark.browser
def test_no_page_violates_its_policy(page: Page, live_server, client, eager_jobs):
    owner = player()
    owner.is_staff = owner.is_superuser = True
    owner.save()
    add_second_factor(owner)
    own = company(owner, "draken", "wasp")
    design_save(author=owner, system=SYSTEM, name="Mine", spec=WASP)
    setup, forces = company_battle(own)
    battle = battle_queue(setup=setup, forces=forces, actor=owner, seed=4)
    battle_resolve(battle.pk)
    forecast, _ = forecast_ask(setup=duel(), runs=100, seed=1, actor=owner)
    what_if, _ = what_if_ask(
        forecast=forecast, change={"what": "level", "of": "a1", "to": "elite"}, runs=100, actor=owner
    )
    matrix, _ = matrix_ask(
        system=SYSTEM, terrain="plain", doctrines=("aggressive", "aggressive"), battles=1, seed=1, actor=owner
    )
    print_company(client, own)
    job = PrintJob.objects.get()
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies[settings.SESSION_COOKIE_NAME].value, "url": live_server.url}]
    )
    errors: dict[str, list[str]] = {}
    page.on(
        "console",
        lambda message: errors.setdefault(page.url, []).append(message.text) if is_script_error(message) else 0,
    )
    seen: set[str] = set()
    to_open = start(own, battle, forecast, what_if, matrix, job)
    while to_open:
        url = to_open.pop(0)
        kind = kind_of(urlsplit(url).path)
        if kind in seen | NO_PAGES:
            continue
        seen.add(kind)
        page.goto(url, wait_until="load")
        links = page.eval_on_selector_all("a[href]:not([download])", "all => all.map(a => a.href)")
        to_open += [link for link in links if link.startswith(live_server.url)]
    assert seen >= {
        "rosters:lab",
        "rosters:unit",
        "rosters:pilot",
        "battles:quick-battle",
        "admin:changelist",
        "admin:change",
    }
    assert not errors, errors


@pytest.mark.browser
def test_htmx_still_changes_parts_of_a_page(page: Page):
    page.goto(reverse("rosters:lab"))
    points = page.locator("#lab-bar")
    before = points.text_content() or ""
    expect(points).to_have_text(before)
    page.evaluate("window.isStill = true")
    page.locator(".lab__form [data-fits] button[data-step='1']").first.click()
    expect(points).not_to_have_text(before)
    assert page.evaluate("window.isStill"), "the whole page was loaded again"
