"""Every field of a report at its least, at its most and beyond, in every game, through every door that takes a result.

A cell is one field at one value through one door: it is taken and kept as given, or refused with the same sentence as
through every other door. What a door can't be told (a box has no third state) has no cell there.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from battles.live.ending import acts_of
from battles.live.fold import fold, report_digest
from battles.live.models import LiveTable
from battles.live.sheet import HITS_LOST, ROUND, WINNER, Plate, table_sheet
from battles.services.by_hand import fates_told
from campaigns.guests.services import guest_add, link_make
from campaigns.live.selectors import table_report
from campaigns.live.services import match_table
from campaigns.models import Match, MatchState
from campaigns.results.night import entry_mark
from campaigns.results.report import read_report
from campaigns.services._base import FOUGHT
from rosters.models import Company, Player
from systems import BATTLES, battle_rules
from systems.fates import Count, FateField, PilotsFate, Tick
from systems.hand import MAX_ROUNDS, HandTerms
from systems.reading import read_setup, stored_setup
from tests.builders import a_token
from tests.campaigns.builders import a_member
from tests.campaigns.corrections import settle
from tests.systems.test_fates import a_game

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
GAMES = tuple(BATTLES)
TAKEN = "taken"
PAGES = ("report page", "report page of the defender", "report page of a guest", "evening page", "ruling page")
PAGES = (*PAGES, "correction page")
DOCUMENTS = ("report API", "report API of the defender", "evening API", "ruling API", "correction API")
LIVE = "live table"
DOORS = (*PAGES, *DOCUMENTS, LIVE)
MAX_CELLS = 1_600  # so that the walk stays a matter of seconds


@dataclass(frozen=True)
class Case:
    """What a report says, of which fields it is a cell, and where it can be said."""

    what: str  # "least", "most" or "beyond"
    paths: tuple[str, ...]
    report: Mapping[str, Any]
    reason: str = ""  # why it is refused; empty: it is taken
    doors: tuple[str, ...] = DOORS

    def __str__(self) -> str:
        return f"{self.what} {', '.join(self.paths)}"


@dataclass
class Told:
    """What a door answered."""

    status: int
    text: str
    kept: Mapping[str, Any] = field(default_factory=dict)  # what is stored, as a report would say it


# --- what is asked ----------------------------------------------------------------------------------------------------


def cases_of(match: Match) -> Iterator[Case]:
    """All that is asked of a game, for this match of it."""
    setup = read_setup(match.setup)
    terms = battle_rules(setup.system).hand
    views = {view.key: view for view in battle_rules(setup.system).opening(setup).units}
    own, foes = next(iter(match.forces[0])), list(match.forces[1])
    names = battle_rules(setup.system).unit_names(setup)
    asked = {each.name: each for each in terms.asks}
    everywhere = tuple(f"units.{each}" for each in asked)

    def said(units: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        return {"muster": "report/1", "winner": "attacker", "units": units, **more}

    nothing = {each.name: each.nothing for each in terms.asks}
    least = said({own: nothing, foes[0]: nothing}, rounds=0, support={"attacker": [], "defender": []})
    yield Case("least", (*everywhere, "winner", "rounds", "support"), least)

    had = list(setup.sides[0].support)
    standing, mended = views[own], "mended" in asked and terms.mends in had
    most = {each.name: most_of(each) for each in terms.asks if not each.needs}
    most |= {"kills": len(foes), HITS_LOST: (standing.max_hits if mended else standing.hits) - 1, "destroyed": False}
    fallen = {key: {"destroyed": True, HITS_LOST: views[key].hits} for key in foes}
    fallen[foes[0]] |= {each.name: most_of(each) for each in terms.asks if each.needs and each.needs[0] == "destroyed"}
    full = said({own: most, **fallen}, winner="draw", rounds=MAX_ROUNDS, support={"attacker": had, "defender": []})
    yield Case("most", (*everywhere, "winner", "rounds", "support"), full)

    for each in terms.asks:
        yield from beyond(each, terms, said, own, foes, views, names)
    yield Case("beyond", ("winner",), said({}, winner="nobody"), "must be one of attacker, defender, draw")
    yield Case("beyond", ("rounds",), said({}, rounds=MAX_ROUNDS + 1), f"must be {MAX_ROUNDS} or less")
    yield Case("beyond", ("rounds",), said({}, rounds=-1), "must be 0 or more")
    used = said({}, support={"attacker": [], "defender": [terms.mends or "airstrike"]})
    why = "did not have" if terms.mends else "there is no such support"
    yield Case("beyond", ("support",), used, why, DOCUMENTS)


def most_of(each: FateField) -> int | str:
    return each.most if isinstance(each, Count) else True if isinstance(each, Tick) else list(each.fates)[-1][0]


def beyond(
    each: FateField,
    terms: HandTerms,
    said: Callable[..., dict[str, Any]],
    own: str,
    foes: list[str],
    views: Mapping[str, Any],
    names: Mapping[str, str],
) -> Iterator[Case]:
    """What can't be said of a unit, and why not."""
    path = (f"units.{each.name}",)
    unit, hits = names[own], views[own].hits
    if isinstance(each, Count):
        higher = said({own: {each.name: each.most + 1}})
        doors = PAGES + DOCUMENTS if each.is_of_hits else DOORS  # a sheet ends at the hits of the unit itself
        yield Case("beyond", path, higher, f"must be {each.most} or less", doors)
        lower = PAGES + DOCUMENTS if each.is_of_hits else DOORS  # hits are also marked in boxes
        yield Case("beyond", path, said({own: {each.name: -1}}), "must be 0 or more", lower)
    if each.is_of_hits and isinstance(each, Count):
        whole = said({own: {HITS_LOST: hits + 1}})
        yield Case("beyond", path, whole, terms.too_many.format(name=unit, hits=hits, word=terms.hits))
    elif each.name == "kills":
        too_many = said({own: {"kills": each.most}})
        yield Case("beyond", path, too_many, f"has {each.most} kills, but the other side lost only 0.")
    elif each.name == "destroyed":
        left = terms.all_lost.format(name=unit, hits=hits, one=terms.hits.removesuffix("s"))
        yield Case("beyond", path, said({own: {HITS_LOST: hits}}), left, PAGES + DOCUMENTS)  # a sheet sees to it itself
    elif each.name == "mended":
        rule = terms.cite("mended")
        name = battle_rules("meks-and-mercs").support_results[terms.mends].name
        why = f"had no {name}, which makes one unit as new{rule}."
        yield Case("beyond", path, said({foes[0]: {"mended": True}}), why, DOCUMENTS)  # others are not asked
    if isinstance(each, PilotsFate):
        yield Case("beyond", path, said({own: {each.name: "bored", "destroyed": True}}), each.objection("bored"))
    if isinstance(each, Tick):
        yield Case("beyond", path, said({own: {each.name: 2}}), "must be true or false, not a number", DOCUMENTS)
    fitting = "killed" if isinstance(each, PilotsFate) else True
    rule = terms.cite(each.name)
    if each.needs:
        doors = DOORS if not getattr(each, "lost_by", "") else PAGES + DOCUMENTS  # a sheet sees to it itself
        yield Case("beyond", path, said({own: {each.name: fitting}}), each.needs[1].format(name=unit, rule=rule), doors)
    if each.bars:
        both = said({own: {each.name: fitting, each.bars[0]: True}})
        yield Case("beyond", path, both, each.bars[1].format(name=unit, rule=rule))


# --- where it is said -------------------------------------------------------------------------------------------------


@contextmanager
def undone() -> Iterator[None]:
    """What is done in here is taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


class World:
    """A match of one game with somebody at every door."""

    def __init__(self, game: str) -> None:
        self.match = a_game(game)
        self.club = self.match.round.campaign.club
        self.sides = [each.company.owner for each in (self.match.attacker, self.match.defender)]
        self.organiser = self.club.memberships.get(role="organiser").player
        self.arbiter = a_member(self.club, "arbiter")
        self.tokens: dict[int, str] = {}

    def fresh(self) -> Match:
        return Match.objects.select_related("round__campaign", "attacker__company", "defender__company").get(
            pk=self.match.pk
        )

    def signed_in(self, player: Player) -> Client:
        client = Client()
        client.force_login(player)
        return client

    def send(self, player: Player, route: str, body: Mapping[str, Any]) -> Any:
        token = self.tokens.setdefault(player.pk, "") or self.tokens.update({player.pk: a_token(player)})
        token = token or self.tokens[player.pk]
        path = reverse(route, args=[self.match.key])
        return Client().post(path, body, content_type="application/json", headers={"Authorization": f"Token {token}"})

    @contextmanager
    def decided(self) -> Iterator[None]:
        """The match as a draw in which nothing happened, for who corrects it."""
        with undone():
            settle(self.fresh(), read_report({"muster": "report/1", "winner": "draw"}))
            yield

    @contextmanager
    def guested(self) -> Iterator[Client]:
        """A browser of a guest whose company attacks."""
        with undone():
            guest = guest_add(club=self.club, by=self.organiser, name="Gus")
            Company.objects.filter(pk=self.match.attacker.company_id).update(owner=guest.player)
            client = Client()
            key = link_make(guest=guest, by=self.organiser)
            client.post(reverse("campaigns:guest_link", args=[key]), {"do": "enter"})
            yield client

    @contextmanager
    def at(self, door: str) -> Iterator[Callable[[Case], Told]]:
        """The door, open: it is told a case and answers."""
        attacker, defender = self.sides
        if door == LIVE:
            with undone():
                seat = match_table(match=self.fresh(), side=0, by=attacker)
                client = self.signed_in(attacker)
                yield lambda case: self.marked(client, seat, case)
        elif door == "report page of a guest":
            with self.guested() as client:
                yield lambda case: self.reported_by_page(client, case, 0)
        elif door.startswith("report page"):
            side = int("defender" in door)
            client = self.signed_in(self.sides[side])
            yield lambda case: self.reported_by_page(client, case, side)
        elif door.startswith("report API"):
            side = int("defender" in door)
            yield lambda case: self.answered(self.send(self.sides[side], "api-match-report", case.report), side)
        elif door == "evening page":
            client = self.signed_in(self.organiser)
            yield lambda case: self.entered(client, case)
        elif door == "evening API":
            yield lambda case: self.answered(self.send(self.organiser, "api-match-entry", case.report))
        elif door == "ruling page":
            client, path = self.signed_in(self.arbiter), reverse("campaigns:rule", args=[self.match.key])
            ruling = {"verdict": "own", "reason": "So it was."}
            yield lambda case: self.answered(client.post(path, self.form(case) | ruling))
        elif door == "ruling API":
            ruling = {"verdict": "own", "reason": "So it was."}
            yield lambda case: self.answered(
                self.send(self.arbiter, "api-match-rule", {**ruling, "report": case.report})
            )
        elif door == "correction page":
            with self.decided():
                client = self.signed_in(self.arbiter)
                yield lambda case: self.corrected_by_page(client, case)
        else:
            with self.decided():
                yield self.corrected

    def reported_by_page(self, client: Client, case: Case, side: int) -> Told:
        path = reverse("campaigns:report", args=[self.match.key])
        return self.answered(client.post(path, self.form(case)), side)

    def entered(self, client: Client, case: Case) -> Told:
        match, prefix = self.fresh(), f"m{self.match.pk}-"
        path = reverse("campaigns:night", args=[match.round.campaign_id, match.round.number])
        return self.answered(client.post(path, self.form(case, prefix) | {f"{prefix}mark": entry_mark(match)}))

    def corrected_by_page(self, client: Client, case: Case) -> Told:
        path = reverse("campaigns:correct", args=[self.match.key])
        answer = client.post(path, self.form(case) | {"do": "edit"})
        if answer.status_code != 302:
            return self.answered(answer)
        preview = client.get(answer["Location"])
        if preview.status_code != 200:
            return self.answered(preview)
        tokens = {f"token-{each.slug}": each.preview.token for each in preview.context["columns"]}
        done = client.post(answer["Location"], {"mode": "cascade", "reason": "So it was.", **tokens})
        return self.answered(done)

    def corrected(self, case: Case) -> Told:
        wanted = {"to": "report", "mode": "cascade", "report": case.report}
        preview = self.send(self.arbiter, "api-correction-preview", wanted)
        if preview.status_code != 200:
            return self.answered(preview)
        wanted |= {"reason": "So it was.", "token": preview.json()["token"]}
        return self.answered(self.send(self.arbiter, "api-corrections", wanted))

    def marked(self, client: Client, seat: Any, case: Case) -> Told:
        """The marks that come to this report, then the word that so it ended."""
        path, last = reverse("battles:seat-act", args=[seat.key]), None
        for name, value in self.marks(case.report):
            last = client.post(path, {"set": f"{name}:{value}", "act": f"{name}-{value}"}, headers={"X-Live": "1"})
            if last.status_code != 200:
                return Told(last.status_code, last.content.decode())
        table = LiveTable.objects.get(pk=seat.table_id)
        sheet = table_sheet(stored_setup(table.setup))
        digest = report_digest(sheet.report(fold(sheet, acts_of(table)).values))
        last = client.post(path, {"agree": digest, "act": "so-it-ended"}, headers={"X-Live": "1"})
        if last.status_code != 200:
            return Told(last.status_code, last.content.decode())
        return Told(200, "", table_report(self.fresh()) or {})

    def marks(self, report: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        sheet = table_sheet(stored_setup(self.match.setup))
        plates = {plate.key: plate for plate in sheet.plates}
        if "rounds" in report:
            yield ROUND, report["rounds"]
        yield WINNER, report["winner"]
        for at, slug in enumerate(report.get("support", {}).get("attacker", ()), start=1):
            assert slug == stored_setup(self.match.setup).sides[0].support[at - 1]
            yield f"support.a{at}", 1
        for key, fate in report["units"].items():
            for name, value in fate.items():
                if name == HITS_LOST:
                    yield from hits_marked(plates[key], value, is_new=bool(fate.get("mended")))
                elif name in plates[key].answers:
                    yield plates[key].answers[name].id, int(value) if isinstance(value, bool) else value

    def form(self, case: Case, prefix: str = "") -> dict[str, str]:
        """What a browser sends of the form."""
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
                said = {name: value for name, value in report["units"].get(unit.key, {}).items() if name in asked}
                words = {name: "on" if value is True else str(value) for name, value in said.items() if value is not False}
                sent |= {f"{prefix}{unit.key}-{name}": value for name, value in words.items()}
        return sent

    def answered(self, answer: Any, side: int | None = None) -> Told:
        """What the door said, and what is kept by it."""
        kept: Mapping[str, Any] = {}
        match = self.fresh()
        if answer.status_code < 400 and side is not None:
            row = match.reports.filter(side=side, is_current=True).first()
            kept = row.content if row else {}
        elif answer.status_code < 400 and match.state in FOUGHT and match.battle:
            result = match.battle.result
            told = fates_told(read_setup(match.setup), result)
            won = {"": "draw"}.get(match.outcome, match.outcome)
            used = dict(zip(("attacker", "defender"), result["support"], strict=True))
            units = {key: dict(fate) for key, fate in told.items()}
            kept = {"winner": won, "rounds": result["rounds"], "units": units, "support": used}
        return Told(answer.status_code, html.unescape(answer.content.decode()), kept)


def hits_marked(plate: Plate, lost: int, *, is_new: bool) -> Iterator[tuple[str, int]]:
    """The marks that say so many hits lost: in one row, or box by box through several."""
    cells = plate.of_hits
    left = lost + (0 if is_new else sum(int(cell.start) for cell in cells))
    for cell in cells[:-1]:
        yield cell.id, min(cell.most, left)
        left -= min(cell.most, left)
    yield cells[-1].id, left


# --- the table --------------------------------------------------------------------------------------------------------


def kept_wrong(case: Case, kept: Mapping[str, Any]) -> Iterator[str]:
    """Fields of a case that is taken and not kept as given."""
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


@pytest.mark.parametrize("game", GAMES)
def test_every_field_is_taken_or_refused_alike_through_every_door(game, caplog):
    caplog.set_level("CRITICAL")
    world = World(game)
    cases, cells, wrong = list(cases_of(world.match)), 0, []
    for door in DOORS:
        with world.at(door) as tell:
            for case in (each for each in cases if door in each.doors):
                with undone():
                    told = tell(case)
                cells += len(case.paths)
                if case.reason and (told.status not in (400, 422) or case.reason not in told.text):
                    wrong.append(f"{door}, {case}: {told.status}, not refused because it {case.reason}")
                elif not case.reason and told.status >= 400:
                    wrong.append(f"{door}, {case}: {told.status} {told.text[-300:]}")
                elif not case.reason:
                    wrong += [f"{door}, {case}: {each}" for each in kept_wrong(case, told.kept)]
    print(f"\n{game}: {cells} cells")
    assert not wrong, f"{len(wrong)} of {cells} cells:\n" + "\n".join(wrong)
    assert {path for case in cases for path in case.paths} == {
        *(f"units.{each.name}" for each in battle_rules(game).hand.asks),
        "winner",
        "rounds",
        "support",
    }
