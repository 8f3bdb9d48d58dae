"""Random designs in the lab: the request and the result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django import forms

from rosters.designs.lab import Lab
from rosters.designs.selectors import designs_published
from systems import roster_rules
from systems.lab.differences import DifferenceRow, side_by_side
from systems.lab.fill import fill_build, lockable_parts

MAX_POINTS = 99_999
MAX_SEED = 2**63 - 1


@dataclass(frozen=True, slots=True)
class FillRequest:
    points: int
    seed: int
    keep: frozenset[str]


class FillForm(forms.Form):
    """Form for the points, the seed, and the parts to keep, by default all of them."""

    points = forms.IntegerField(label="Fill up to", min_value=0, max_value=MAX_POINTS, help_text="points at most")
    seed = forms.IntegerField(
        label="Seed", min_value=0, max_value=MAX_SEED, help_text="The same seed builds the same again."
    )
    keep = forms.MultipleChoiceField(
        label="What stays", required=False, widget=forms.CheckboxSelectMultiple, choices=()
    )

    def __init__(self, data: Mapping[str, object] | None, *, lab: Lab) -> None:
        found = lockable_parts(roster_rules(lab.system), lab.bench)
        choices = [(each.key, each.told) for each in found]
        start = {"points": _points_above(lab), "seed": 1, "keep": [key for key, _ in choices]}
        super().__init__(data, initial=start, prefix="fill")
        keep = self.fields["keep"]
        assert isinstance(keep, forms.MultipleChoiceField)
        keep.choices = choices

    @property
    def asked(self) -> FillRequest:
        said = self.cleaned_data
        return FillRequest(said["points"], said["seed"], frozenset(said["keep"]))


def _points_above(lab: Lab) -> int:
    """Return the points of the next more expensive published design; without one, those of the lab's design."""
    points = lab.check.points if lab.check else 0
    return min(
        (each.check.points for each in designs_published(lab.system) if each.check.points > points), default=points
    )


@dataclass(frozen=True, slots=True)
class FilledDesign:
    """A random design; without a query string, no legal one was found."""

    points: int
    spec: Mapping[str, object]
    query: str  # the lab's query string for it
    rows: tuple[DifferenceRow, ...]  # compared with the original design
    again: str  # query string for the next seed


def fill_design(lab: Lab, asked: FillRequest) -> FilledDesign:
    """Return the random design for this request."""
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
