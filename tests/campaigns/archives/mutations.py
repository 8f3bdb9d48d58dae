"""Archives with one changed value and correct digests, and every page that shows a restored club."""

from __future__ import annotations

import copy
import hashlib
import io
import json
import random
import traceback
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import models, transaction
from django.test import Client

from campaigns.archive.packing import MANIFEST, path_of
from campaigns.archive.tables import KEPT, archived_fields, json_columns, related_label
from campaigns.models import Club, ClubDisplay, Enrolment, Match, Round, Ruling, SeasonPairing
from rosters.models import Company
from rosters.site.job_runs import task_named
from tests.permissions.routes import address, table

JSON_SHARE = 0.6
JUNK: tuple[Any, ...] = (
    {"x": [1]}, [["a", 1], None], "words", 7, -1, 10**12, 0.5, True, [], {}, "", "A\u202eB", [[[[[]]]]], ["x"] * 300,
)  # fmt: skip
TEXTS = ("", "x" * 5000, "A\u202eB", "\u3164", "<script>alert(1)</script>", "../../etc", "%s{}", "0", "\n\n", "é" * 40)
NUMBERS = (-1, 0, 1, 2, 3, 99, 32767, 2**31 - 1, 10**12, True, "1", 1.5)
TIMES = (
    "1970-01-01T00:00:00Z",
    "2999-12-31T23:59:59Z",
    "2026-11-28T12:00:00",
    "yesterday",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
)


@dataclass(frozen=True, kw_only=True)
class Mutation:
    """One changed value of one row; `line` counts from 1."""

    label: str
    line: int
    column: str
    value: Any

    def __str__(self) -> str:
        return f"{self.label} line {self.line}: {self.column} = {json.dumps(self.value)[:300]}"


class Packed:
    """An archive as rows that can be changed."""

    def __init__(self, data: bytes) -> None:
        with zipfile.ZipFile(io.BytesIO(data)) as held:
            self.files = {name: held.read(name) for name in held.namelist()}
        self.manifest = json.loads(self.files[MANIFEST])
        self.rows = {
            label: [json.loads(line) for line in self.files[path_of(label)].splitlines()]
            for label in KEPT
            if path_of(label) in self.files
        }

    def with_mutations(self, *changes: Mutation) -> bytes:
        """Return the archive with these values, as somebody might send it."""
        files, names = dict(self.files), dict(self.manifest["files"])
        for label in {each.label for each in changes}:
            lines = files[path_of(label)].splitlines(keepends=True)
            for each in changes:
                if each.label == label:
                    row = json.loads(lines[each.line - 1]) | {each.column: each.value}
                    lines[each.line - 1] = json.dumps(row).encode() + b"\n"
            data = b"".join(lines)
            files[path_of(label)] = data
            names[path_of(label)] = {
                "rows": len(lines),
                "bytes": len(data),
                "sha256": hashlib.sha256(data).hexdigest(),
            }
        files[MANIFEST] = json.dumps({**self.manifest, "files": names}).encode()
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w") as made:
            for name, content in files.items():
                made.writestr(name, content)
        return held.getvalue()

    def mutations(self, seed: int, number: int) -> Iterator[Mutation]:
        """Yield this many mutations, the same for the same seed: columns in turn, rows and values at random."""
        dice = random.Random(seed)  # noqa: S311
        there = [label for label, rows in self.rows.items() if rows]
        json_ones = [(label, name) for label in there for name in json_columns(label)]
        plain = [
            (label, each.name)
            for label in there
            for each in archived_fields(label)
            if each.name not in json_columns(label)
        ]
        for _ in range(number):
            label, name = dice.choice(json_ones if dice.random() < JSON_SHARE else plain)
            line = dice.randrange(len(self.rows[label]))
            value = self.rows[label][line][name]
            changed = changed_json(dice, value) if (label, name) in json_ones else self._plain(dice, label, name, value)
            yield Mutation(label=label, line=line + 1, column=name, value=changed)

    def _plain(self, dice: random.Random, label: str, name: str, value: Any) -> Any:
        """Return another value for a column that isn't JSON."""
        field = next(each for each in archived_fields(label) if each.name == name)
        if dice.random() < 0.1:
            return dice.choice((None, [], {}, "x", 7))
        if target := related_label(field):
            return dice.randint(0, len(self.rows.get(target, ())) + 1)
        if field.choices and dice.random() < 0.9:
            return dice.choice(field.flatchoices)[0]
        if isinstance(field, models.BooleanField):
            return not value
        if isinstance(field, models.DateTimeField):
            return dice.choice(TIMES)
        if isinstance(field, models.IntegerField | models.FloatField):
            return dice.choice((*NUMBERS, (value or 0) + 1, (value or 0) - 1))
        others = [row[name] for row in self.rows[label]]
        return dice.choice((dice.choice(TEXTS), dice.choice(others), f"{value}x"))


def changed_json(dice: random.Random, value: Any) -> Any:
    """Return the JSON value with one place changed, or occasionally replaced."""
    if dice.random() < 0.15:
        return dice.choice(JUNK)
    changed = copy.deepcopy(value)
    places = list(_places(changed))
    if not places:
        return dice.choice(JUNK)
    held, key = dice.choice(places)
    match dice.randrange(5):
        case 0:
            del held[key]
        case 1:
            held[key] = dice.choice(JUNK)
        case 2 if isinstance(held, list):
            held.insert(key, copy.deepcopy(held[dice.randrange(len(held))]))
        case 2:
            held[dice.choice(("x", "kind", "key", "name", f"{key}x"))] = held[key]
        case _:
            held[key] = _near(dice, held[key])
    return changed


def _near(dice: random.Random, value: Any) -> Any:
    """Return another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return dice.choice((value + 1, value - 1, -value, 0, 99, 10**6))
    if isinstance(value, str):
        return dice.choice((*TEXTS, f"{value}x", value[:-1]))
    return dice.choice(JUNK)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place in a JSON value: its container and its key there."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield value, key
        yield from _places(each)


# --- pages that show the club -----------------------------------------------------------------------------------------

PAPER = ("gazette_pdf", "print_", "tonight_pack")  # slow to draw, and other pages show the same
Case = dict[str, Any]


def cases(club: Club) -> dict[str, list[Case]]:
    """Return the arguments for the cases of the route table, by their last words: everything of the club's."""
    campaigns = list(club.campaigns.order_by("pk"))
    matches = list(Match.objects.filter(round__campaign__club=club).select_related("dice", "battle").order_by("pk"))
    companies = Company.objects.filter(enrolments__campaign__club=club).distinct().order_by("pk")
    rounds = list(Round.objects.filter(campaign__club=club).order_by("pk"))
    battles = [match.battle for match in matches if match.battle]
    seasons = list(club.seasons.order_by("pk"))
    slug = {"slug": club.slug}
    found: dict[str, list[Case]] = {
        "club": [slug],
        "campaign": [{"pk": each.pk} for each in campaigns],
        "six-scenarios": [{"pk": each.pk} for each in campaigns],
        "match": [{"key": each.key} for each in matches],
        "match-dice": [{"key": each.dice.key} for each in matches if each.dice],
        "round": [{"pk": each.campaign_id, "number": each.number} for each in rounds],
        "gazette": [{"pk": each.campaign_id, "number": each.number, "paper": "a4"} for each in rounds],
        "enrolment": [
            {"pk": each.campaign_id, "enrolment_pk": each.pk} for each in Enrolment.objects.filter(campaign__club=club)
        ],
        "ruling": [
            {"pk": each.campaign_id, "ruling_pk": each.pk} for each in Ruling.objects.filter(campaign__club=club)
        ],
        "phase": [{"pk": each.pk, "phase_pk": phase.pk} for each in campaigns for phase in each.phases.all()],
        "season": [{"pk": each.pk} for each in seasons],
        "season-round": [{"pk": each.pk, "number": row.number} for each in seasons for row in each.rounds.all()],
        "season-pairing": [{"key": each.key} for each in SeasonPairing.objects.filter(round__season__club=club)],
        "rating": [{**slug, "username": each.player.username} for each in club.memberships.select_related("player")],
        "member": [{**slug, "member_pk": each.pk, "pk": each.pk} for each in club.memberships.all()],
        "webhook": [{**slug, "webhook": each.key} for each in club.webhooks.all()],
        "company": [company_case(each) for each in companies],
        "battle": [{"key": each.key} for each in battles],
        "fought": [{"key": each.key} for each in battles],
        "wall": [{"key": each.key} for each in ClubDisplay.objects.filter(club=club)],
        "-": [{}],
    }
    found["adjustment"] = found["ruling"]
    return found


def company_case(row: Company) -> Case:
    unit, pilot = row.units.order_by("pk").first(), row.pilots.order_by("pk").first()
    return {"pk": row.pk, "unit_pk": unit.pk if unit else 0, "pilot_pk": pilot.pk if pilot else 0, "digest": "d" * 32}


def addresses(known: dict[str, list[Case]], most: int) -> Iterator[str]:
    """Yield the addresses where these rows are read by people and programs, at most this many for each route."""
    seen: set[str] = set()
    for row in table():
        if "GET" not in row.expected or any(word in row.route for word in PAPER):
            continue
        family = row.case.partition("-")[2] or row.case
        for given in known.get(family, known.get(row.case, []))[:most]:
            path = address(row.route, given)
            if path not in seen:
                seen.add(path)
                yield path


def broken(known: dict[str, list[Case]], client: Client, most: int = 100) -> list[str]:
    """List the pages and API answers for these rows that fail, each with its error."""
    found = []
    for path in addresses(known, most):
        try:
            with transaction.atomic():
                answer = client.get(path)
                answer.getvalue()
                transaction.set_rollback(True)
        except Exception as error:  # any error of a page is a finding
            last = traceback.extract_tb(error.__traceback__)[-1]
            found.append(f"{path}: {type(error).__name__}: {error} ({last.filename}:{last.lineno})")
            continue
        if answer.status_code >= 500:
            found.append(f"{path}: {answer.status_code}")
    return found


def stopped() -> list[str]:
    """List the timers that fail, each with its error."""
    found = []
    tasks = [
        task_named(each["task"]) for each in settings.CELERY_BEAT_SCHEDULE.values()
    ]  # all tasks that the sweep starts
    for task in tasks:
        try:
            with transaction.atomic():
                task()
                transaction.set_rollback(True)
        except Exception as error:  # likewise
            last = traceback.extract_tb(error.__traceback__)[-1]
            found.append(f"{task.name}: {type(error).__name__}: {error} ({last.filename}:{last.lineno})")
    return found
