"""Every report field at its minimum, maximum and beyond, in every game, on every page and API that takes a result.

A cell is one field at one value in one place: it's accepted and kept as given, or refused with the same sentence as
everywhere else. Where a value can't be entered (a box has no third state), there is no cell.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from battles.live.acts import MAX_CHANGES
from battles.live.sheet import HITS_LOST, ROUND, WINNER, TableUnit, table_sheet
from battles.live.state import acts_of, report_digest, table_state
from battles.models import LiveTable
from battles.services.results import fates_from_result
from campaigns.guests.services import guest_add, link_make
from campaigns.live_tables import match_table_seat, table_report
from campaigns.models import Match, MatchState, Report
from campaigns.results.reports import parse_report
from campaigns.results.services import match_fingerprint
from rosters.models import Company, Player
from systems import BATTLES, battle_rules, roster_rules
from systems.reading import read_setup, stored_setup
from systems.report_fields import MAX_ROUNDS, CountField, FateField, PilotFateField, TickField
from tests.builders import a_token
from tests.campaigns.builders import a_campaign, a_member, a_mustered_company, an_enrolment
from tests.campaigns.corrections import confirm_match
from tests.systems.test_fates import a_game

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
GAMES = tuple(BATTLES)
PAGES = ("report page", "report page of the defender", "report page of a guest", "evening page", "ruling page")
PAGES = (*PAGES, "correction page")
DOCUMENTS = ("report API", "report API of the defender", "evening API", "ruling API", "correction API")
LIVE = "live table"
ENTRY_POINTS = (*PAGES, *DOCUMENTS, LIVE)


@dataclass(frozen=True)
class Case:
    """A report, the fields that it tests, and the places where it can be entered."""

    what: str  # "least", "most" or "beyond"
    paths: tuple[str, ...]
    report: Mapping[str, Any]
    reason: str = ""  # why it's refused; empty if it's accepted
    entry_points: tuple[str, ...] = ENTRY_POINTS

    def __str__(self) -> str:
        return f"{self.what} {', '.join(self.paths)}"


@dataclass
class Result:
    """The answer of a page or API."""

    status: int
    text: str
    kept: Mapping[str, Any] = field(default_factory=dict)  # what is stored, as report fields


# --- cases ------------------------------------------------------------------------------------------------------------


class Cases:
    """All cases for a match, about the attacker's first unit and the defender's units."""

    def __init__(self, match: Match) -> None:
        self.setup = read_setup(match.setup)
        system = battle_rules(self.setup.system)
        self.terms, self.results = system.hand, system.support_results
        self.views = {view.key: view for view in system.opening(self.setup).units}
        self.own, self.foes = next(iter(match.forces[0])), list(match.forces[1])
        self.name, self.hits = system.unit_names(self.setup)[self.own], self.views[self.own].hits
        self.table_unit = next(
            table_unit for table_unit in table_sheet(self.setup).table_units if table_unit.key == self.own
        )

    def __iter__(self) -> Iterator[Case]:
        paths = (*(f"units.{each.name}" for each in self.terms.asks), "winner", "rounds", "support")
        nothing = {each.name: each.nothing for each in self.terms.asks}
        unused = {"attacker": [], "defender": []}
        least = report_of({self.own: nothing, self.foes[0]: nothing}, rounds=0, support=unused)
        yield Case("least", paths, least)
        yield Case("most", paths, self.most())
        for each in self.terms.asks:
            path = (f"units.{each.name}",)
            for report, reason, entry_points in self.beyond(each):
                yield Case("beyond", path, report, reason, entry_points)
        yield Case("beyond", ("winner",), report_of({}, winner="nobody"), "must be one of attacker, defender, draw")
        yield Case("beyond", ("rounds",), report_of({}, rounds=MAX_ROUNDS + 1), f"must be {MAX_ROUNDS} or less")
        yield Case("beyond", ("rounds",), report_of({}, rounds=-1), "must be 0 or more")
        used = report_of({}, support={"attacker": [], "defender": [self.terms.mends or "airstrike"]})
        why = "didn't have" if self.terms.mends else "there is no such support"
        yield Case("beyond", ("support",), used, why, DOCUMENTS)  # pages don't ask about others

    def most(self) -> dict[str, Any]:
        """Return the report with the largest possible values."""
        had = list(self.setup.sides[0].support)
        asks = self.terms.asks
        left = self.hits if self.terms.mends in had else 1  # a repair shows in the unit's additional hits
        own = {each.name: most_of(each) for each in asks if not each.needs}
        own |= {"kills": len(self.foes), HITS_LOST: self.hits - left, "destroyed": False}
        fallen = {key: {"destroyed": True, HITS_LOST: self.views[key].hits} for key in self.foes}
        fallen[self.foes[0]] |= {each.name: most_of(each) for each in asks if each.needs}
        support = {"attacker": had, "defender": []}
        return report_of({self.own: own, **fallen}, winner="draw", rounds=MAX_ROUNDS, support=support)

    def beyond(self, each: FateField) -> Iterator[tuple[dict[str, Any], str, tuple[str, ...]]]:
        """Yield what can't be reported of a unit, why not, and the places where it can be entered."""

        def own(answer: object, **more: object) -> dict[str, Any]:
            return report_of({self.own: {each.name: answer, **more}})

        all_but_live = (
            PAGES + DOCUMENTS
        )  # a sheet can't be marked so: it ends at the unit's hits and then destroys the unit
        rule = {"name": self.name, "rule": self.terms.cite(each.name)}
        if isinstance(each, CountField):
            yield own(each.most + 1), f"must be {each.most} or less", all_but_live if each.is_of_hits else ENTRY_POINTS
            yield own(-1), "must be 0 or more", all_but_live if each.is_of_hits else ENTRY_POINTS
        if isinstance(each, TickField):
            yield own(2), "must be true or false, not a number", DOCUMENTS
        if isinstance(each, PilotFateField):
            yield own("bored", destroyed=True), "must be one of unhurt, injured, killed, or nothing", ENTRY_POINTS
        if each.needs:
            entry_points = all_but_live if each.name in self.terms.ends else ENTRY_POINTS
            yield own(most_of(each)), each.needs[1].format(**rule), entry_points
        if each.bars:
            yield own(most_of(each), **{each.bars[0]: True}), each.bars[1].format(**rule), ENTRY_POINTS
        if each.name == "kills":
            yield own(each.most), f"has {each.most} kills, but the other side lost only 0.", ENTRY_POINTS
        if each.name == HITS_LOST:
            too_many = self.terms.too_many.format(name=self.name, hits=self.hits, word=self.terms.hits)
            yield own(self.hits + 1), too_many, ENTRY_POINTS if len(self.table_unit.of_hits) == 1 else all_but_live
        if each.name == "destroyed":
            one = self.terms.hits.removesuffix("s")
            yield (
                own(False, hits_lost=self.hits),
                self.terms.all_lost.format(name=self.name, hits=self.hits, one=one),
                all_but_live,
            )
        if each.name == "mended":
            name = self.results[self.terms.mends].name
            report = report_of({self.foes[0]: {each.name: True}})
            yield (
                report,
                f"had no {name}, which fully repairs one unit{rule['rule']}.",
                DOCUMENTS,
            )  # pages don't ask about others


def report_of(units: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"muster": "report/1", "winner": "attacker", "units": units, **more}


def most_of(each: FateField) -> int | str:
    return (
        each.most
        if isinstance(each, CountField)
        else True
        if isinstance(each, TickField)
        else list(dict(each.fates))[-1]
    )


# --- pages and APIs ---------------------------------------------------------------------------------------------------


@contextmanager
def rolled_back() -> Iterator[None]:
    """Roll back everything done inside."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


class World:
    """A match of one game with a client for every page and API."""

    def __init__(self, game: str) -> None:
        self.match = a_game(game)
        self.club = self.match.round.campaign.club
        self.sides = [each.company.owner for each in (self.match.attacker, self.match.defender)]
        self.organiser = self.club.memberships.get(role="organiser").player
        self.arbiter = a_member(self.club, "arbiter")
        self.tokens = {each.pk: a_token(each) for each in (*self.sides, self.organiser, self.arbiter)}

    def fresh(self) -> Match:
        return Match.objects.select_related("round__campaign", "attacker__company", "defender__company").get(
            pk=self.match.pk
        )

    def signed_in(self, player: Player) -> Client:
        client = Client()
        client.force_login(player)
        return client

    def send(self, player: Player, route: str, body: Mapping[str, Any]) -> Any:
        path, known = reverse(route, args=[self.match.key]), {"Authorization": f"Token {self.tokens[player.pk]}"}
        return Client().post(path, body, content_type="application/json", headers=known)

    @contextmanager
    def decided_match(self) -> Iterator[None]:
        """Decide the match as an uneventful draw, for corrections."""
        with rolled_back():
            confirm_match(self.fresh(), parse_report({"muster": "report/1", "winner": "draw"}))
            yield

    @contextmanager
    def guest_client(self) -> Iterator[Client]:
        """A browser of a guest whose company attacks."""
        with rolled_back():
            guest = guest_add(club=self.club, by=self.organiser, name="Gus")
            Company.objects.filter(pk=self.match.attacker.company_id).update(owner=guest.player)
            client = Client()
            key = link_make(guest=guest, by=self.organiser)
            client.post(reverse("campaigns:guest_link", args=[key]), {"do": "enter"})
            yield client

    @contextmanager
    def at(self, entry_point: str) -> Iterator[Callable[[Case], Result]]:
        """Open a page or API, as a function from a case to its answer."""
        attacker, defender = self.sides
        if entry_point == LIVE:
            with rolled_back():
                seat = match_table_seat(match=self.fresh(), side=0, by=attacker)
                client = self.signed_in(attacker)
                yield lambda case: self.report_by_marks(client, seat, case)
        elif entry_point == "report page of a guest":
            with self.guest_client() as client:
                yield lambda case: self.report_by_page(client, case, 0)
        elif entry_point.startswith("report page"):
            side = int("defender" in entry_point)
            client = self.signed_in(self.sides[side])
            yield lambda case: self.report_by_page(client, case, side)
        elif entry_point.startswith("report API"):
            side = int("defender" in entry_point)
            yield lambda case: self.result_of(self.send(self.sides[side], "api-match-report", case.report), side)
        elif entry_point == "evening page":
            client = self.signed_in(self.organiser)
            yield lambda case: self.enter(client, case)
        elif entry_point == "evening API":
            yield lambda case: self.result_of(self.send(self.organiser, "api-match-result-entry", case.report))
        elif entry_point == "ruling page":
            client, path = self.signed_in(self.arbiter), reverse("campaigns:match_ruling", args=[self.match.key])
            ruling = {"verdict": "own", "reason": "So it was."}
            yield lambda case: self.result_of(client.post(path, self.form(case) | ruling))
        elif entry_point == "ruling API":
            ruling = {"verdict": "own", "reason": "So it was."}
            yield lambda case: self.result_of(
                self.send(self.arbiter, "api-match-ruling", {**ruling, "report": case.report})
            )
        elif entry_point == "correction page":
            with self.decided_match():
                client = self.signed_in(self.arbiter)
                yield lambda case: self.correct_by_page(client, case)
        else:
            with self.decided_match():
                yield self.correct

    def report_by_page(self, client: Client, case: Case, side: int) -> Result:
        path = reverse("campaigns:match_report", args=[self.match.key])
        return self.result_of(client.post(path, self.form(case)), side)

    def enter(self, client: Client, case: Case) -> Result:
        match, prefix = self.fresh(), f"m{self.match.pk}-"
        path = reverse("campaigns:results_entry", args=[match.round.campaign_id, match.round.number])
        return self.result_of(client.post(path, self.form(case, prefix) | {f"{prefix}mark": match_fingerprint(match)}))

    def correct_by_page(self, client: Client, case: Case) -> Result:
        path = reverse("campaigns:match_correct", args=[self.match.key])
        answer = client.post(path, self.form(case) | {"do": "edit"})
        if answer.status_code != 302:
            return self.result_of(answer)
        preview = client.get(answer["Location"])
        if preview.status_code != 200:
            return self.result_of(preview)
        tokens = {f"token-{each.slug}": each.preview.token for each in preview.context["columns"]}
        done = client.post(answer["Location"], {"mode": "cascade", "reason": "So it was.", **tokens})
        return self.result_of(done)

    def correct(self, case: Case) -> Result:
        wanted = {"to": "report", "mode": "cascade", "report": case.report}
        preview = self.send(self.arbiter, "api-correction-preview", wanted)
        if preview.status_code != 200:
            return self.result_of(preview)
        wanted |= {"reason": "So it was.", "token": preview.json()["token"]}
        return self.result_of(self.send(self.arbiter, "api-corrections", wanted))

    def report_by_marks(self, client: Client, seat: Any, case: Case) -> Result:
        """Mark the report on a live table, then agree on the result."""
        path, live = reverse("battles:seat-act", args=[seat.key]), {"X-Live": "1"}
        changes = [f"{name}:{value}" for name, value in self.marks(case.report)]
        for at in range(0, len(changes), MAX_CHANGES):
            sent = {"set": ",".join(changes[at : at + MAX_CHANGES]), "act": f"marks-{at:03}"}
            last = client.post(path, sent, headers=live)
            if last.status_code != 200:
                return Result(last.status_code, last.content.decode())
        table = LiveTable.objects.get(pk=seat.table_id)
        sheet = table_sheet(stored_setup(table.setup))
        digest = report_digest(sheet.report(table_state(sheet, acts_of(table)).values))
        last = client.post(path, {"agree": digest, "act": "so-it-ended"}, headers=live)
        if last.status_code != 200:
            return Result(last.status_code, last.content.decode())
        return Result(200, "", table_report(self.fresh(), 0) or {})

    def marks(self, report: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        sheet = table_sheet(stored_setup(self.match.setup))
        table_units = {table_unit.key: table_unit for table_unit in sheet.table_units}
        if "rounds" in report:
            yield ROUND, report["rounds"]
        yield WINNER, report["winner"]
        for at, slug in enumerate(report.get("support", {}).get("attacker", ()), start=1):
            assert slug == stored_setup(self.match.setup).sides[0].support[at - 1]
            yield f"support.a{at}", 1
        for key, fate in report["units"].items():
            for name, value in fate.items():
                if name == HITS_LOST:
                    yield from marks_for_hits(table_units[key], value, is_new=bool(fate.get("mended")))
                elif name in table_units[key].answers:
                    yield table_units[key].answers[name].id, int(value) if isinstance(value, bool) else value

    def form(self, case: Case, prefix: str = "") -> dict[str, str]:
        """Return what a browser sends of the form."""
        report, setup = case.report, stored_setup(self.match.setup)
        terms = battle_rules(setup.system).hand
        sent = {f"{prefix}r-winner": report["winner"]}
        if "rounds" in report:
            sent[f"{prefix}r-rounds"] = str(report["rounds"])
        for place, side in zip(("attacker", "defender"), setup.sides, strict=True):
            used = list(report.get("support", {}).get(place, ()))
            sent |= {f"{prefix}support-{place}-{at}": "on" for at, slug in enumerate(side.support) if slug in used}
            asked = terms.asked(side.support)
            for unit in side.units:
                values = {name: value for name, value in report["units"].get(unit.key, {}).items() if name in asked}
                words = {
                    name: "on" if value is True else str(value) for name, value in values.items() if value is not False
                }
                sent |= {f"{prefix}{unit.key}-{name}": value for name, value in words.items()}
        return sent

    def result_of(self, answer: Any, side: int | None = None) -> Result:
        """Return the answer, with what it stored."""
        kept: Mapping[str, Any] = {}
        match = self.fresh()
        if answer.status_code < 400 and side is not None:
            row = match.reports.filter(side=side, is_current=True).first()
            kept = row.content if row else {}
        elif answer.status_code < 400 and match.state in MatchState.fought() and match.battle:
            result = match.battle.result
            fates = fates_from_result(read_setup(match.setup), result)
            won = {"": "draw"}.get(match.outcome, match.outcome)
            used = dict(zip(("attacker", "defender"), result["support"], strict=True))
            units = {key: dict(fate) for key, fate in fates.items()}
            kept = {"winner": won, "rounds": result["rounds"], "units": units, "support": used}
        return Result(answer.status_code, html.unescape(answer.content.decode()), kept)


def marks_for_hits(table_unit: TableUnit, lost: int, *, is_new: bool) -> Iterator[tuple[str, int]]:
    """Yield the marks for this many lost hits: in one row, or box by box in several."""
    cells = table_unit.of_hits
    left = lost + (0 if is_new else sum(int(cell.start) for cell in cells))
    for cell in cells[:-1]:
        yield cell.id, min(cell.most, left)
        left -= min(cell.most, left)
    yield cells[-1].id, left


# --- comparing --------------------------------------------------------------------------------------------------------


def wrongly_stored(case: Case, kept: Mapping[str, Any]) -> Iterator[str]:
    """Yield the fields of an accepted case that weren't kept as given."""
    if not kept:
        yield "nothing is kept"
        return
    for name in ("winner", "rounds", "support"):
        wanted, found = case.report[name], kept.get(name)
        if (found or None) != (wanted or None):
            yield f"{name}: {found!r}, not {wanted!r}"
    for key, fate in case.report["units"].items():
        for name, value in fate.items():
            found = kept["units"].get(key, {}).get(name, 0)
            if (found or 0) != (value or 0):
                yield f"{key}.{name}: {found!r}, not {value!r}"


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_field_is_accepted_or_refused_alike_everywhere(game, caplog):
    caplog.set_level("CRITICAL")
    world = World(game)
    cases, cells, wrong = list(Cases(world.match)), 0, []
    for entry_point in ENTRY_POINTS:
        with world.at(entry_point) as enter_report:
            for case in (each for each in cases if entry_point in each.entry_points):
                with rolled_back():
                    answered = enter_report(case)
                cells += len(case.paths)
                if case.reason and (answered.status not in (400, 422) or case.reason not in answered.text):
                    wrong.append(f"{entry_point}, {case}: {answered.status}, not refused because it {case.reason}")
                elif not case.reason and answered.status >= 400:
                    wrong.append(f"{entry_point}, {case}: {answered.status} {answered.text[-300:]}")
                elif not case.reason:
                    wrong += [f"{entry_point}, {case}: {each}" for each in wrongly_stored(case, answered.kept)]
    print(f"\n{game}: {cells} cells")
    assert not wrong, f"{len(wrong)} of {cells} cells:\n" + "\n".join(wrong)
    assert {path for case in cases for path in case.paths} == {
        *(f"units.{each.name}" for each in battle_rules(game).hand.asks),
        "winner",
        "rounds",
        "support",
    }


# --- past results -----------------------------------------------------------------------------------------------------

HEAD = "date,round,attacker,defender,winner,attacker kills,defender kills"
KILLS = "kills are not a number from 0 to 999"
PAST = {  # column: accepted values, refused values and the error
    "round": (("1", "999"), ("0", "1000"), "the round is not a number from 1 to 999"),
    "winner": (
        ("attacker", "draw"),
        ("nobody",),
        "the winner must be attacker, defender, draw or one of the two companies",
    ),
    "attacker kills": (("0", "999"), ("-1", "1000"), f"the attacker's {KILLS}"),
    "defender kills": (("0", "999"), ("-1", "1000"), f"the defender's {KILLS}"),
}


def test_page_and_api_treat_past_result_fields_alike(client):
    campaign = a_campaign()
    one, other = (an_enrolment(campaign, a_mustered_company(name=name)) for name in ("Ants", "Bees"))
    olga = campaign.club.memberships.get(role="organiser").player
    client.force_login(olga)
    token = {"Authorization": f"Token {a_token(olga)}"}

    def by_page(text: str) -> Any:
        path = reverse("campaigns:past_results", args=[campaign.pk])
        return client.post(path, {"text": text, "do": "import"})

    def by_api(text: str) -> Any:
        path = reverse("api-past-results", args=[campaign.pk])
        return Client().post(path, {"text": text}, content_type="application/json", headers=token)

    cells = 0
    for name, (taken, refused, why) in PAST.items():
        for value in (*taken, *refused):
            given = {"date": "2025-03-14", "round": "7", "attacker": "Ants", "defender": "Bees", "winner": "draw"}
            text = (
                f"{HEAD}\n{','.join((given | {'attacker kills': '', 'defender kills': ''} | {name: value}).values())}"
            )
            for entry_point in (by_page, by_api):
                cells += 1
                with rolled_back():
                    answer = entry_point(text)
                    matches = list(Match.objects.filter(attacker=one, defender=other).select_related("round"))
                text_of_answer = html.unescape(answer.content.decode())
                assert (answer.status_code < 400) == (value in taken), (name, value, entry_point)
                if value in refused:
                    assert (answer.status_code, why in text_of_answer, matches) == (422, True, []), (
                        name,
                        value,
                        entry_point,
                    )
                else:
                    kept = {"round": matches[0].round.number, "winner": matches[0].outcome}
                    kept |= {key.replace("_", " "): kills for key, kills in matches[0].past.items()}
                    assert str(kept[name]) == value, (name, value, entry_point)
    print(f"\nresults of before: {cells} cells")


# --- reports from before a bound changed ------------------------------------------------------------------------------


def test_report_beyond_a_newer_bound_is_still_readable(client):
    world = World("hex-core")
    match, key = world.fresh(), next(iter(world.match.forces[0]))
    content = {"muster": "report/1", "winner": "draw", "units": {key: {"objects": 50, "kills": 100}}}
    Report.objects.create(match=match, side=0, content=content, submitted_by=world.sides[0])
    Match.objects.filter(pk=match.pk).update(state=MatchState.REPORTED)
    client.force_login(world.sides[1])
    page = client.get(reverse("campaigns:match_report", args=[match.key]))
    assert page.status_code == 200
    assert "<dd>50</dd>" in page.content.decode()
    report = match.reports.get().pk
    answer = client.post(reverse("campaigns:report_confirm", args=[match.key]), {"report": report}, follow=True)
    assert "must be 99 or less" in answer.content.decode()
    body = {"muster": "report/1", "winner": "draw", "units": {key: {"objects": 3}}}
    assert world.send(world.sides[1], "api-match-report", body).status_code == 200
    page = client.get(reverse("campaigns:match_report", args=[match.key]))
    assert page.status_code == 200
    assert "50" in page.content.decode()
    client.force_login(world.arbiter)
    assert client.get(reverse("campaigns:match_ruling", args=[match.key])).status_code == 200


@pytest.mark.parametrize("game", GAMES)
def test_report_can_lose_all_hits_of_any_unit(game):
    asked = {each.name: each for each in battle_rules(game).hand.asks}
    rules = roster_rules(game)
    hits = [rules.datasheet(design.spec, name="", design_name="").hits for design in rules.published.values()]
    assert 0 < max(hits) <= asked[HITS_LOST].most
