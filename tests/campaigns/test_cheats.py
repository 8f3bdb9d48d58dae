"""Every act in every state of a campaign does what docs/who-may-when.md says, and moves nothing else."""

import re
from copy import copy
from pathlib import Path

import pytest
from django.db import transaction

from campaigns.models import Enrolment
from rosters.services import RefusedError
from tests.campaigns.cheats import ACTS, STATES, in_state, measured

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.usefixtures("sixes")]
DOCUMENT = Path(__file__).parents[2] / "docs" / "who-may-when.md"


class _TakenBack(Exception):
    """Ends the transaction of an act."""


def table():
    """What the document says: by act and state."""
    lines = [line for line in DOCUMENT.read_text().splitlines() if line.startswith("| ")]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    assert {tuple(row[1:]) for row in rows if not row[0]} == {tuple(STATES)}
    acts = [row for row in rows if row[0]]
    found = {act: dict(zip(STATES, cells, strict=True)) for act, *cells in acts}
    assert len(found) == len(acts), "an act stands there twice"
    return found


def refusals():
    """The words that each refusal of the document is known by, by its number."""
    lines = re.findall(r"^(\d+)\. .*\((`.+`)\)$", DOCUMENT.read_text(), re.M)
    return {number: words.strip("`").split("`, `") for number, words in lines}


def answered(world, act, before, known):
    """What the program answers to one act, as a cell; whatever it changed is taken back."""
    fresh = copy(world)
    for name in ("campaign", "ants", "bees"):
        row = getattr(world, name)
        setattr(fresh, name, type(row).objects.get(pk=row.pk))
    try:
        with transaction.atomic():
            act(fresh)
            after = measured(world)
            raise _TakenBack
    except _TakenBack:
        return "".join(letter for letter in before if before[letter] != after[letter]) or "·"
    except (LookupError, Enrolment.DoesNotExist):
        return ""
    except RefusedError as refused:
        numbers = [number for number, words in known.items() if any(each in refused.reason for each in words)]
        return numbers[0] if numbers else f"refused, and the document knows no such reason: {refused.reason}"


def test_the_document_has_a_row_for_every_act():
    assert list(table()) == [act for acts in ACTS.values() for act in acts]
    assert re.findall(r"^## (.+)$", DOCUMENT.read_text(), re.M)[: len(ACTS)] == list(ACTS)


@pytest.mark.parametrize("is_whole", [False, pytest.param(True, marks=pytest.mark.proof)], ids=["part", "whole"])
@pytest.mark.parametrize("state", STATES)
def test_every_act_moves_what_the_table_says_and_nothing_else(state, is_whole):
    """The part is every eighth act, and in the next state those after them: two or three states try each."""
    world, known, told = in_state(state), refusals(), table()
    before = measured(world)
    wrong = []
    every = [(act, done) for acts in ACTS.values() for act, done in acts.items()]
    for act, done in every if is_whole else every[list(STATES).index(state) % 8 :: 8]:
        found = answered(world, done, before, known)
        if found != told[act][state]:
            wrong.append(f"{act}: the table says {told[act][state]!r}, found {found!r}")
    assert not wrong, f"in {state}:\n" + "\n".join(wrong)
    assert measured(world) == before
