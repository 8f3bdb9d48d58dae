"""The state of the design lab, which lives in the query of its URL: system, name, spec, and where it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode

from django.http import Http404, QueryDict

from rosters.site.choices import systems_with
from systems import BATTLES, ROSTERS, battle_rules, roster_rules
from systems.documents import DocumentError
from systems.lab.changes import spec_of
from systems.legality import Check
from systems.roster import Bench
from systems.rulebook import RuleRef

COUNT = "n-"  # prefix of the fields that count parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Lab:
    """A build under way; without a check, `refusal` says why it can't be read."""

    system: str
    system_name: str
    name: str
    spec: dict[str, object]
    bench: Bench
    frame_word: str  # what the system calls the frame
    frame_field: str  # the name of its field
    kept: tuple[tuple[str, str], ...]  # the fields of the build's address that the page does not show
    check: Check | None
    sheet: object
    refusal: str = ""
    design: str = ""  # id of the own design that is rebuilt
    read: str = ""  # the mark of how it read when it was opened
    company: str = ""  # id of the company that it is built for
    rulebook: Mapping[str, RuleRef] = field(repr=False, default_factory=dict)

    @property
    def query(self) -> str:
        """The build as a query string that brings it back."""
        return self.query_of(self.spec)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The same as fields of a form."""
        return parse_qsl(self.query)

    def query_of(self, spec: dict[str, object]) -> str:
        """The same for another spec in its place."""
        return lab_query(self.system, self.name, spec, self.design, self.read, self.company)

    @property
    def fights(self) -> bool:
        """Whether units of its game can be set one against one, to see how they fare."""
        return self.system in BATTLES and bool(battle_rules(self.system).duel)

    @property
    def is_over(self) -> bool:
        return any(group.used > group.available for group in self.bench.groups)


def lab_query(
    system: str, name: str, spec: dict[str, object], design: str = "", read: str = "", company: str = ""
) -> str:
    """The query string of the lab for that build."""
    pairs = [("system", system), ("name", name), *roster_rules(system).lab_address(spec).items()]
    if design:
        pairs += [("design", design), ("read", read)]
    if company:
        pairs.append(("company", company))
    return urlencode(pairs)


def has_counts(data: QueryDict) -> bool:
    """Whether these are the fields of the lab's form, not the short address of a build."""
    return any(key.startswith(COUNT) for key in data)


def lab_of(data: QueryDict) -> Lab:
    """The lab as a query or a posted form describes it; raises Http404 for a system without one, else for nothing that is in it."""
    system, having = data.get("system", ""), systems_with("lab")
    if system in ROSTERS and system not in having:
        raise Http404
    rules = roster_rules(system if system in ROSTERS else having[0])
    counts, refusal = _counts(data)
    spec = spec_of(rules, {name: data.get(name, "") for name in rules.lab_fields}, counts)
    name = data.get("name", "").strip()[:60] or "New design"
    try:
        parsed = rules.parse_spec(spec)
    except DocumentError as error:
        parsed, refusal = None, str(error)
    shown = parsed if parsed is not None else rules.parse_spec(rules.lab_spec({}))
    address, bench = rules.lab_address(rules.spec_json(shown)), rules.bench(shown)
    return Lab(
        system=rules.slug,
        system_name=rules.name,
        name=name,
        spec=rules.spec_json(shown),
        bench=bench,
        frame_word=rules.frame_word,
        frame_field=rules.lab_fields[0],
        kept=tuple((field, address.get(field, "")) for field in rules.lab_fields[1:] if field not in bench.fields),
        check=rules.check_design(parsed) if parsed is not None and not refusal else None,
        sheet=rules.datasheet(parsed, name=name, design_name=name) if parsed is not None else None,
        refusal=refusal,
        design=data.get("design", "") if data.get("design", "").isdecimal() else "",
        read=data.get("read", "")[:40],
        company=data.get("company", "") if data.get("company", "").isdecimal() else "",
        rulebook=rules.rulebook,
    )


def _counts(data: QueryDict) -> tuple[dict[str, int] | None, str]:
    """Counts of the form's fields, None if it has none; and what is wrong with them."""
    fields = [key for key in data if key.startswith(COUNT)]
    if not fields:
        return None, ""
    counts, refusal = {}, ""
    for key in fields:
        text = data.get(key, "").strip() or "0"
        slug = key.removeprefix(COUNT)
        if not text.isdecimal() or len(text) > 4:
            refusal = f"{slug}: the number must be a whole number, 0 or more"
        elif int(text):
            counts[slug] = int(text)
    step = data.get("step", "")  # a button that adds or takes away, for pages without scripts
    if step[:1] in "+-" and step[1:]:
        slug, _, by = step[1:].partition("*")
        change = int(by) if by.isdecimal() and len(by) < 3 else 1
        counts[slug] = max(0, counts.get(slug, 0) + (change if step[0] == "+" else -change))
    return counts, refusal
