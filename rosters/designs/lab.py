"""The design lab: its state in the URL, advice on a design, comparisons, random designs.

Advice goes beyond the check: it says how to fix problems and what each option would change, and has charts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django import forms
from django.http import Http404, QueryDict

from rosters.designs.selectors import OWN_DESIGNS, designs_published
from rosters.models import Player
from rosters.site.forms import systems_with
from systems import BATTLES, ROSTERS, battle_rules, roster_rules
from systems.design_editor import Chart, DesignEditor, chart_shares
from systems.documents import DocumentError
from systems.lab import DifferenceRow, offered, side_by_side, spec_of
from systems.lab.advice import Price, Prices, Repair, advice, prices
from systems.lab.random_builds import fill_build, lockable_parts
from systems.legality import Check, Problem
from systems.rulebook import RuleRef

COUNT = "n-"  # prefix of the fields with numbers of parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Lab:
    """A design in progress; if it has no check, `refusal` says why it can't be read."""

    system: str
    system_name: str
    name: str
    spec: dict[str, object]
    editor: DesignEditor
    frame_word: str  # the game's word for the frame
    frame_field: str  # the name of the frame's field
    kept: tuple[tuple[str, str], ...]  # fields of the design's query string that the page does not show
    check: Check | None
    sheet: object
    refusal: str = ""
    design: str = ""  # ID of the player's design that is edited
    read: str = ""  # that design's version mark when it was opened
    company: str = ""  # ID of the company that will buy it
    rulebook: Mapping[str, RuleRef] = field(repr=False, default_factory=dict)

    @property
    def query(self) -> str:
        """The design as a query string that opens it in the lab."""
        return self.query_of(self.spec)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The design as fields of a form."""
        return parse_qsl(self.query)

    def query_of(self, spec: dict[str, object]) -> str:
        """Return the query string for another spec, with everything else the same."""
        return lab_query(self.system, self.name, spec, self.design, self.read, self.company)

    @property
    def fights(self) -> bool:
        """Whether the game allows duels, so that odds can be shown."""
        return self.system in BATTLES and bool(battle_rules(self.system).duel)

    @property
    def is_over(self) -> bool:
        return any(group.used > group.available for group in self.editor.groups)


def lab_query(
    system: str, name: str, spec: dict[str, object], design: str = "", read: str = "", company: str = ""
) -> str:
    """Return the lab's query string for this design."""
    pairs = [("system", system), ("name", name), *roster_rules(system).lab_address(spec).items()]
    if design:
        pairs += [("design", design), ("read", read)]
    if company:
        pairs.append(("company", company))
    return urlencode(pairs)


def has_counts(data: QueryDict) -> bool:
    """Return whether these are the fields of the lab's form, and not the short URL of a design."""
    return any(key.startswith(COUNT) for key in data)


def lab_of(data: QueryDict) -> Lab:
    """Return the lab for a query string or a submitted form; Http404 for a game without a lab, else no errors."""
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
    displayed = parsed if parsed is not None else rules.parse_spec(rules.lab_spec({}))
    address, editor = rules.lab_address(rules.spec_json(displayed)), rules.editor(displayed)
    return Lab(
        system=rules.slug,
        system_name=rules.name,
        name=name,
        spec=rules.spec_json(displayed),
        editor=editor,
        frame_word=rules.frame_word,
        frame_field=rules.lab_fields[0],
        kept=tuple((field, address.get(field, "")) for field in rules.lab_fields[1:] if field not in editor.fields),
        check=rules.check_design(parsed) if parsed is not None and not refusal else None,
        sheet=rules.datasheet(parsed, name=name, design_name=name) if parsed is not None else None,
        refusal=refusal,
        design=data.get("design", "") if data.get("design", "").isdecimal() else "",
        read=data.get("read", "")[:40],
        company=data.get("company", "") if data.get("company", "").isdecimal() else "",
        rulebook=rules.rulebook,
    )


def _counts(data: QueryDict) -> tuple[dict[str, int] | None, str]:
    """Return the numbers of parts in the form, or None if there are none, and an error message."""
    fields = [key for key in data if key.startswith(COUNT)]
    if not fields:
        return None, ""
    counts, refusal = {}, ""
    for key in fields:
        text = data.get(key, "").strip() or "0"
        slug = key.removeprefix(COUNT)
        if not text.isdecimal() or len(text) > 4:
            refusal = f"{slug}: must be a whole number, 0 or more"
        elif int(text):
            counts[slug] = int(text)
    step = data.get("step", "")  # a plus or minus button, for pages without scripts
    if step[:1] in "+-" and step[1:]:
        slug, _, by = step[1:].partition("*")
        change = int(by) if by.isdecimal() and len(by) < 3 else 1
        counts[slug] = max(0, counts.get(slug, 0) + (change if step[0] == "+" else -change))
    return counts, refusal


FEW_CHANGES = 100  # each needs one check; hundreds would delay the page


@dataclass(frozen=True, slots=True)
class RepairLink:
    """A repair, with the lab's query string for the repaired design."""

    repair: Repair
    query: str

    @property
    def price(self) -> str:
        """The repair's effect on the points."""
        return Price(self.repair.points).summary


@dataclass(frozen=True, slots=True)
class ProblemRepairs:
    problem: Problem
    ways: tuple[RepairLink, ...]


@dataclass(frozen=True, slots=True)
class Advice:
    problems: tuple[ProblemRepairs, ...]
    whole: RepairLink | None  # a repair that fixes all problems
    prices: Prices
    charts: tuple[Chart, ...]


def advice_of(lab: Lab) -> Advice:
    """Return the advice on a lab whose spec is valid."""
    rules = roster_rules(lab.system)
    spec = rules.parse_spec(lab.spec)

    def way(repair: Repair) -> RepairLink:
        return RepairLink(repair, lab.query_of(rules.spec_json(repair.spec)))

    found = advice(rules, spec)
    return Advice(
        tuple(ProblemRepairs(each.problem, tuple(way(repair) for repair in each.repairs)) for each in found.problems),
        way(found.whole) if found.whole else None,
        prices(rules, spec),
        tuple(chart for chart in charts_of(lab.system, spec) if len(chart.at) > 1),
    )


def is_soon_advised(lab: Lab) -> bool:
    """Return whether the advice is fast enough for the page: the design has no problems and few possible changes."""
    if not lab.check or not lab.check.legal:
        return False
    changes = offered(lab.editor, roster_rules(lab.system))
    return sum(1 for _ in islice(changes, FEW_CHANGES + 1)) <= FEW_CHANGES


def charts_of(system: str, spec: Any) -> tuple[Chart, ...]:
    """Return all charts of a design: effects, movement, heat, and points by part."""
    rules = roster_rules(system)
    in_battle = battle_rules(system).charts(spec) if system in BATTLES else ()
    return (*rules.charts(spec), *in_battle, chart_shares(rules.check_design(spec)))


def price_of(advised: Advice | None, field: str, value: str) -> Price | None:
    """Return what the option would change; None if nothing, or if it wasn't calculated."""
    known: Mapping[tuple[str, str], Price] = advised.prices if advised else {}
    return known.get((field, value))


@dataclass(frozen=True, slots=True)
class Comparison:
    """The lab's design beside another one; without rows there is no other design."""

    published: tuple[tuple[str, str], ...]  # key and name of each choice
    own: tuple[tuple[str, str], ...]
    chosen: str
    name: str  # of the chosen design
    spec: Mapping[str, object]
    query: str  # the lab's query string for it
    rows: tuple[DifferenceRow, ...]

    @property
    def differing(self) -> tuple[DifferenceRow, ...]:
        return tuple(row for row in self.rows if row.differs)

    @property
    def same(self) -> tuple[DifferenceRow, ...]:
        return tuple(row for row in self.rows if not row.differs)


def compare_design(lab: Lab, player: Player | None, asked: str) -> Comparison:
    """Compare the lab's design with the one whose key is `asked` ("published:viper", "own:7").

    By default, compare it with the saved design that is edited, or else with the published one nearest in points.
    """
    rules = roster_rules(lab.system)
    own = list(OWN_DESIGNS.rows(author=player.pk, system=lab.system)) if player else []
    designs: dict[str, tuple[str, dict[str, object]]] = {
        **{f"published:{each.key}": (each.name, dict(each.spec)) for each in designs_published(lab.system)},
        **{f"own:{each.pk}": (each.name, each.spec) for each in own},
    }
    origin = f"own:{lab.design}"
    chosen = asked if asked in designs else origin if origin in designs else _nearest(lab)
    name, spec = designs.get(chosen, ("", {}))
    rows = side_by_side(rules, rules.parse_spec(lab.spec), rules.parse_spec(spec)) if spec else ()
    options = tuple((key, label) for key, (label, _) in designs.items())
    return Comparison(
        tuple(each for each in options if each[0].startswith("published:")),
        tuple(each for each in options if each[0].startswith("own:")),
        chosen,
        name,
        spec,
        lab_query(lab.system, name, spec) if spec else "",
        rows,
    )


def _nearest(lab: Lab) -> str:
    points = lab.check.points if lab.check else 0
    found = sorted(designs_published(lab.system), key=lambda each: abs(each.check.points - points))
    other = [each for each in found if dict(each.spec) != lab.spec]
    return f"published:{other[0].key}" if other else ""


MAX_POINTS = 99_999
MAX_SEED = 2**63 - 1


@dataclass(frozen=True, slots=True)
class FillRequest:
    points: int
    seed: int
    keep: frozenset[str]


class FillForm(forms.Form):
    """The form for filling up a design: points, seed, and the parts to keep, by default all."""

    points = forms.IntegerField(label="Points limit", min_value=0, max_value=MAX_POINTS)
    seed = forms.IntegerField(
        label="Seed", min_value=0, max_value=MAX_SEED, help_text="The same seed gives the same unit."
    )
    keep = forms.MultipleChoiceField(label="Keep", required=False, widget=forms.CheckboxSelectMultiple, choices=())

    def __init__(self, data: Mapping[str, object] | None, *, lab: Lab) -> None:
        found = lockable_parts(roster_rules(lab.system), lab.editor)
        choices = [(each.key, each.label) for each in found]
        start = {"points": _points_above(lab), "seed": 1, "keep": [key for key, _ in choices]}
        super().__init__(data, initial=start, prefix="fill")
        keep = self.fields["keep"]
        assert isinstance(keep, forms.MultipleChoiceField)
        keep.choices = choices

    @property
    def asked(self) -> FillRequest:
        cleaned = self.cleaned_data
        return FillRequest(cleaned["points"], cleaned["seed"], frozenset(cleaned["keep"]))


def _points_above(lab: Lab) -> int:
    """Return the points of the next more expensive published design; if there is none, those of the lab's design."""
    points = lab.check.points if lab.check else 0
    return min(
        (each.check.points for each in designs_published(lab.system) if each.check.points > points), default=points
    )


@dataclass(frozen=True, slots=True)
class FilledDesign:
    """A randomly filled design; the query string is empty if no legal one was found."""

    points: int
    spec: Mapping[str, object]
    query: str  # the lab's query string for it
    rows: tuple[DifferenceRow, ...]  # differences from the lab's design
    again: str  # query string for trying the next seed


def fill_design(lab: Lab, asked: FillRequest) -> FilledDesign:
    """Return the lab's design, filled up at random with the requested points, seed and kept parts."""
    rules = roster_rules(lab.system)
    spec = rules.parse_spec(lab.spec)
    found = fill_build(rules, spec, points=asked.points, seed=asked.seed, locked=asked.keep)
    pairs = [
        ("fill-points", asked.points),
        ("fill-seed", asked.seed + 1),
        *(("fill-keep", key) for key in sorted(asked.keep)),
    ]
    again = f"{lab.query}&{urlencode(pairs)}"
    if found is None:
        return FilledDesign(0, {}, "", (), again)
    built = rules.spec_json(found.spec)
    return FilledDesign(found.check.points, built, lab.query_of(built), side_by_side(rules, spec, found.spec), again)
