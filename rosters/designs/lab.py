"""The state of the design lab, in the query string of its URL: system, name, spec, and its origin."""

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

COUNT = "n-"  # prefix of the fields with numbers of parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Lab:
    """A design in progress; without a check, `refusal` says why it can't be read."""

    system: str
    system_name: str
    name: str
    spec: dict[str, object]
    bench: Bench
    frame_word: str  # the system's word for the frame
    frame_field: str  # the name of the frame's field
    kept: tuple[tuple[str, str], ...]  # fields of the design's query string that the page does not show
    check: Check | None
    sheet: object
    refusal: str = ""
    design: str = ""  # id of the player's design that is edited
    read: str = ""  # its mark when it was opened
    company: str = ""  # id of the company that it is for
    rulebook: Mapping[str, RuleRef] = field(repr=False, default_factory=dict)

    @property
    def query(self) -> str:
        """The design as a query string that restores it."""
        return self.query_of(self.spec)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The design as fields of a form."""
        return parse_qsl(self.query)

    def query_of(self, spec: dict[str, object]) -> str:
        """Return the same for another spec."""
        return lab_query(self.system, self.name, spec, self.design, self.read, self.company)

    @property
    def fights(self) -> bool:
        """Whether units of its game can be matched one on one, to show their odds."""
        return self.system in BATTLES and bool(battle_rules(self.system).duel)

    @property
    def is_over(self) -> bool:
        return any(group.used > group.available for group in self.bench.groups)


def lab_query(
    system: str, name: str, spec: dict[str, object], design: str = "", read: str = "", company: str = ""
) -> str:
    """Return the lab's query string for that design."""
    pairs = [("system", system), ("name", name), *roster_rules(system).lab_address(spec).items()]
    if design:
        pairs += [("design", design), ("read", read)]
    if company:
        pairs.append(("company", company))
    return urlencode(pairs)


def has_counts(data: QueryDict) -> bool:
    """Return whether these are the fields of the lab's form, not the short URL of a design."""
    return any(key.startswith(COUNT) for key in data)


def lab_of(data: QueryDict) -> Lab:
    """Return the lab for a query string or a submitted form; raises only Http404, for a system without a lab."""
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
    """Return the numbers of the form's fields, None if it has none; and an error message."""
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
    step = data.get("step", "")  # a plus or minus button, for pages without scripts
    if step[:1] in "+-" and step[1:]:
        slug, _, by = step[1:].partition("*")
        change = int(by) if by.isdecimal() and len(by) < 3 else 1
        counts[slug] = max(0, counts.get(slug, 0) + (change if step[0] == "+" else -change))
    return counts, refusal
