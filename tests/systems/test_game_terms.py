"""Each game uses its own terms on every page: the pages of a whole season are visited and read.

Text, labels and hints for sighted and listening readers count. Pages that show all games side by side are not visited.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import urlencode

import pytest
from django.urls import reverse

from battles.models import Battle
from battles.odds.services import forecast_ask
from battles.services.battles import battle_queue
from battles.services.results import battle_log_result
from battles.tasks import battle_resolve, forecast_run
from campaigns.army_lists.services import lists_reveal
from campaigns.models import AbsentRule
from campaigns.results.services import report_make
from rosters.ledger.records import company_record
from rosters.models import Company, Visibility
from rosters.services import RefusedError, unit_buy
from rosters.services.companies import company_change
from systems import ROSTERS, battle_rules, roster_rules
from systems.report_fields import UnitFate
from systems.setups import setup_json
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment
from tests.campaigns.corrections import Faces
from tests.campaigns.gazettes import close_round, confirm_result

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
MEKS, MECHS = "meks-and-mercs", "mech-campaign"
FORCES = {
    MEKS: ("draken", "wasp", "wasp"),
    MECHS: ("heavy-mech", "heavy-mech", "light-mech", "light-mech", "track"),
}
SCENARIOS = {MEKS: ("zone-battle", "Zone battle", "plain"), MECHS: ("claim-dispute", "Claim Dispute", "rolled")}
FOREIGN = {
    MECHS: re.compile(
        r"\bMeks?\b|\bMM-\w?\d+|\bHits\b|\bhits? (?:left|lost)|\b[Hh]eat\b|\b[Aa]rmor\b|[Ss]eason points?|\b[Ss]kills?\b"
        r"|\b[Rr]eactors?\b|\b[Pp]oints (?:income|to spend)"
    ),
    MEKS: re.compile(
        r"\bMC-\w?\d+|\bore\b|\b[Dd]amage (?:taken|left|box(?:es)?)|\b[Ee]liminated\b|\b[Ll]eague points?|\b[Aa]ction points?"
        r"|\b(?:[Hh]eavy|[Ll]ight) mechs?\b|\b[Ww]orkshop\b|\b[Rr]etreat(?:s|ed)\b|\b[Ss]pecial actions?\b|\b[Rr]ookies?\b"
    ),
}
RESULT_WORDS = re.compile(r"^/(?:matches|battles)/[\w-]{36}/$|/gazette/")
FATES = {  # the other game's words for fates of units, on pages that show a result
    MECHS: re.compile(r"\b[Dd]estroyed\b|\b[Ww]ithdrew\b|\b[Kk]ills\b"),
    MEKS: re.compile(r"\b[Ee]liminated\b|\b[Rr]etreated\b"),
}
SIDE_BY_SIDE = re.compile(  # pages that show several games, and addresses that are no page
    r"^/(?:$|\?|accounts/|admin/|api/|battles/(?:\?|$)|clubs/(?:\?|$|new|[\w-]+/campaigns/new)|dice/check/|companies/(?:\?|$|found)|designs/(?:\?|$|lab/$)|rules/$|odds/matrix/$"
    r"|scenarios/(?:\?|$)|units/(?:\?|$)|search/|profile|print/(?:jobs|files|presets|printers)|static/|battles/new/$|battles/log/$)"
    r"|\.(?:pdf|jsonl|json|txt|xml|ics)\b|/export/|/print-file"
)
TEXTS = re.compile(r'\b(?:title|aria-label|placeholder|data-label|alt|label)="([^"]*)"')


def visible_texts(html: str) -> str:
    """Return all words in the main part of a page: its text, labels and hints."""
    main = html.partition("<main")[2].partition("</main>")[0]
    main = re.sub(r"<(script|style|nav)\b.*?</\1>", " ", main, flags=re.S)
    text = " | ".join(TEXTS.findall(main))
    return unescape(re.sub(r"\s+", " ", f"{re.sub(r'<[^>]+>', ' ', main)} | {text}"))


def links_of(html: str) -> list[str]:
    main = html.partition("<main")[2].partition("</main>")[0]
    return [unescape(url) for url in re.findall(r'<a\b[^>]*\bhref="(/[^"#?]*)"', main)]


@pytest.fixture(autouse=True)
def no_jobs(monkeypatch):
    monkeypatch.setattr(battle_resolve, "delay", lambda *message: None)
    monkeypatch.setattr(forecast_run, "delay", lambda *message: None)


class Season:
    """Two companies of one game and a season: matches by autoplay, reported, disputed and open, and odds."""

    def __init__(self, system: str, faces: Faces) -> None:
        self.system = system
        rules = roster_rules(system)
        scenario, name, terrain = SCENARIOS[system]
        self.campaign = a_campaign(
            system=system,
            scenarios=[{"value": scenario, "name": name}],
            options={"season-mode": "standing-company"} if system == MEKS else {},
            tie_breakers=["destroyed"],
            catalogue_release=rules.catalogue_release,
            absent_rule=AbsentRule.ORDERS,
        )
        played = {"scenario": scenario, "scenario_name": name, "terrain": terrain}
        self.sides = [
            an_enrolment(self.campaign, a_mustered_company(None, *FORCES[system], name=name, system=system))
            for name in ("Ants", "Bees")
        ]
        ants, bees = self.sides
        past, now = a_round(self.campaign), a_round(self.campaign)
        self.differs = lists_reveal(match=a_match(now, ants, bees, **played))
        for side, winner in enumerate(("attacker", "draw")):
            report = {"muster": "report/1", "winner": winner, "units": self.losses(self.differs)}
            report_make(match=self.differs, side=side, content=report, by=self.sides[side].company.owner)
        self.reported = a_match(past, ants, bees, **played)
        faces.fix(self.reported, 3, 3, 3, 3, 3)
        confirm_result(self.reported, "attacker", self.losses)
        self.by_orders = a_match(past, bees, ants, **played)
        close_round(past)
        self.waits = a_match(now, bees, ants, **played)
        setup = setup_json(battle_rules(system).example())
        self.battle = battle_queue(setup=setup, seed=3, visitor="v")
        battle_resolve(self.battle.pk)
        self.forecast, _ = forecast_ask(setup=setup, runs=1000, visitor="v")
        forecast_run(self.forecast.pk)
        self.logged = self.log()

    @staticmethod
    def losses(match: Any) -> dict[str, Any]:
        """Return a report: the attacker's first unit is hurt, the defender's first destroyed by it, the last withdrew."""
        mine, theirs = (list(side) for side in match.forces)
        return {
            mine[0]: {"kills": 1, "hits_lost": 1},
            theirs[0]: {"destroyed": True},
            theirs[-1]: {"withdrew": True},
        }

    def log(self) -> Battle:
        example = battle_rules(self.system).example()
        mine, theirs = (side.units[0].key for side in example.sides)
        return battle_log_result(
            setup=setup_json(example),
            winner=example.sides[0].name,
            rounds=3,
            units={mine: UnitFate(hits_lost=1, kills=1), theirs: UnitFate(destroyed=True, hits_lost=0)},
            actor=self.company.owner,
        )

    @property
    def company(self) -> Company:
        return self.sides[0].company

    def addresses(self) -> list[str]:
        """Return the first addresses to visit; links lead on."""
        pk, company, query = self.campaign.pk, self.company.pk, {"system": self.system}
        pages = [
            reverse("rosters:company", args=[company]),
            reverse("rosters:company", args=[self.sides[1].company_id]),
            reverse("rosters:company", args=[company], query={"show": "ledger"}),
            reverse("battles:battle", args=[self.battle.key]),
            reverse("battles:battle", args=[self.logged.key]),
            reverse("battles:forecast", args=[self.forecast.key]),
            reverse("battles:what-if-create", args=[self.forecast.key]),
            *(reverse(f"battles:{name}") + f"?{urlencode(query)}" for name in ("quick-battle", "log-battle")),
            reverse("rosters:lab") + f"?{urlencode(query)}",
            reverse("rosters:rules", args=[self.system]),
        ]
        names = (
            "campaign",
            "campaign_companies",
            "standings",
            "campaign_map",
            "gazettes",
            "friendlies",
        )
        pages += [reverse(f"campaigns:{name}", args=[pk]) for name in (*names, "campaign_settings", "past_results")]
        for match in (self.reported, self.by_orders, self.differs, self.waits):
            pages += [
                reverse(f"campaigns:{name}", args=[match.key])
                for name in ("match", "match_forces", "match_report", "match_ruling", "match_correct")
            ]
        return pages


def read_season_pages(client: Any, season: Season) -> dict[str, str]:
    """Return the text of each page by address, visiting every page once."""
    others = [slug for slug in ROSTERS if slug != season.system]
    texts: dict[str, str] = {}
    waiting = season.addresses()
    while waiting:
        url = waiting.pop(0)
        if url in texts or any(slug in url for slug in others) or SIDE_BY_SIDE.search(url):
            continue
        answer = client.get(url)
        html = answer.content.decode() if answer.get("Content-Type", "").startswith("text/html") else ""
        texts[url] = visible_texts(html) if answer.status_code in (200, 422) else ""
        waiting += links_of(html)
        assert len(texts) < 200
    return {url: words for url, words in texts.items() if words}


@pytest.fixture
def faces(monkeypatch):
    return Faces(monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("system", [MECHS, MEKS])
def test_season_pages_use_no_terms_of_other_game(client, faces, system):
    season = Season(system, faces)
    company_change(company=season.company, by=season.company.owner, visibility=Visibility.PUBLIC)
    client.force_login(season.company.owner)
    texts = read_season_pages(client, season)
    assert len(texts) > 40
    found = {
        f"{url}: …{words[max(0, hit.start() - 50) : hit.end() + 30]}…"
        for url, words in texts.items()
        for hit in FOREIGN[system].finditer(words)
    }
    results = {url: words for url, words in texts.items() if RESULT_WORDS.search(url)}
    assert {re.sub(r"[\w-]{36}|\d+", "", url) for url in results} >= {
        "/matches//",
        "/battles//",
        "/campaigns//gazette//",
    }
    found |= {
        f"{url}: …{words[max(0, hit.start() - 50) : hit.end() + 30]}…"
        for url, words in results.items()
        for hit in FATES[system].finditer(words)
    }
    assert not found, "\n".join(sorted(found))


@pytest.mark.slow
@pytest.mark.rule("MC-201", "MC-211", "MC-212")
def test_mech_campaign_company_has_points_then_ore(client, faces):
    fresh = a_mustered_company(None, *FORCES[MECHS], name="Cats", system=MECHS)
    client.force_login(fresh.owner)
    page = visible_texts(client.get(reverse("rosters:company", args=[fresh.pk])).content.decode())
    assert "16 points to spend" in page
    season = Season(MECHS, faces)
    client.force_login(season.company.owner)
    page = visible_texts(client.get(reverse("rosters:company", args=[season.company.pk])).content.decode())
    won = company_record(season.company)  # 8 ore for the reported win, and the income of the autoplay match
    assert re.search(
        rf"Balance {won.balance} ore\b.* League points {won.season_points} .* {won.balance} ore to spend", page
    )
    ledger = visible_texts(
        client.get(reverse("rosters:company", args=[season.company.pk], query={"show": "ledger"})).content.decode()
    )
    assert "8 ore earned, 16 points of starting money lost" in ledger
    unit_buy(company=season.company, by=season.company.owner, published="heavy-mech")
    with pytest.raises(RefusedError, match=f"costs 10 ore; Ants has {won.balance - 10}"):
        unit_buy(company=season.company, by=season.company.owner, published="heavy-mech")
