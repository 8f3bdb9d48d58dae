"""The effects of each option of a bench on the current build: its points, its measures, its legality."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from systems.figures import format_signed
from systems.roster import AnyRoster, BenchPick, BenchTick

from .changes import Change, Outcome, Spec, Workbench, less_of, more_of
from .repairs import kinds_of

MAX_PRICED = 400
ONE_MORE, ONE_LESS = "+", "-"  # instead of a value, for counts


@dataclass(frozen=True, slots=True)
class Price:
    """The effects of one click."""

    points: int
    breaks: tuple[str, ...] = ()  # rules that the build would break and doesn't now
    measures: tuple[str, ...] = ()  # other differences: "Move 6 to 5"
    is_cure: bool = False  # it makes an illegal build legal

    @property
    def is_plain(self) -> bool:
        """Return whether it changes only points."""
        return not (self.breaks or self.measures or self.is_cure)

    @property
    def told(self) -> str:
        """Describe all effects in a few words."""
        parts = [f"{format_signed(self.points)} pt", *self.measures]
        parts += ["legal then"] if self.is_cure else [f"breaks {', '.join(self.breaks)}"] if self.breaks else []
        return "; ".join(parts)


Prices = Mapping[tuple[str, str], Price]  # by field and value; by part and MORE or LESS


@lru_cache(maxsize=64)
def prices(rules: AnyRoster, spec: Spec) -> Prices:
    """Return the price of every frame, pick, tick and count on the bench, at most MAX_PRICED of them.

    Options without effect, or that can't be read, have none.
    """
    bench = Workbench(rules, spec)
    now = dict(rules.measures(spec))
    found: dict[tuple[str, str], Price] = {}
    for key, change in _options(bench):
        if bench.tried >= MAX_PRICED:
            break
        outcome = bench.after(change)
        if outcome is not None:
            found[key] = _price(bench, outcome, now)
    return found


def _price(bench: Workbench, outcome: Outcome, now: Mapping[str, str]) -> Price:
    broken = kinds_of(outcome.check) - kinds_of(bench.check)
    then = bench.rules.measures(outcome.spec)
    return Price(
        outcome.check.points - bench.check.points,
        tuple(dict.fromkeys(rule for rule, _, _ in broken)),
        tuple(
            f"{label} {now.get(label) or 'none'} to {value or 'none'}"
            for label, value in then
            if now.get(label) != value
        ),
        outcome.check.legal and not bench.check.legal,
    )


def _options(bench: Workbench) -> Iterator[tuple[tuple[str, str], Change]]:
    frame_field = bench.rules.lab_fields[0]
    for frame in bench.bench.frames:
        yield _field(frame_field, frame.slug)
    for group in bench.bench.groups:
        for part in group.choices:
            yield (part.slug, ONE_MORE), more_of(part)
            if part.count:
                yield (part.slug, ONE_LESS), less_of(part)
    in_sections = (each for section in bench.bench.sections for each in section.fields)
    for each in (*bench.bench.picks, *in_sections):
        if isinstance(each, BenchPick):
            values = (*([""] if each.empty else []), *(choice.slug for choice in each.choices))
            yield from (_field(each.slug, value) for value in values if value != each.value)
        elif isinstance(each, BenchTick):
            yield _field(each.slug, "" if each.is_set else "on")


def _field(slug: str, value: str) -> tuple[tuple[str, str], Change]:
    return (slug, value), Change("", ((slug, value),))
