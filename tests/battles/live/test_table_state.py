"""The state of a table after any acts: it follows from its acts alone."""

from hypothesis import given, settings
from hypothesis import strategies as st

from battles.live.state import AGREE, OPEN, ROLL, SEAL, SET, TYPED, UNDO, Act, both_agree, report_digest, table_state
from tests.battles.live.builders import acts, sheet_of

SHEET = sheet_of()
CELLS = sorted(SHEET.cells)
HITS = "a1.hits"


def changes(cell, value):
    return {"changes": [[cell, SHEET.cells[cell].start, value]]}


def values_of(cell):
    found = SHEET.cells[cell]
    return st.sampled_from([value for value, _ in found.choices]) if found.choices else st.integers(0, found.most)


def marks():
    return st.sampled_from(CELLS).flatmap(lambda cell: values_of(cell).map(lambda value: (SET, changes(cell, value))))


KINDS = st.one_of(
    marks(),
    st.integers(1, 12).map(lambda place: (UNDO, {"place": place})),
    st.just((SEAL, {"text": "a mine", "salt": "s", "hash": "h"})),
    st.integers(1, 12).map(lambda place: (OPEN, {"place": place})),
    st.just((ROLL, {"faces": [1, 6], "sides": 6, "number": 1})),
    st.just((TYPED, {"faces": [3], "sides": 6})),
    st.just((AGREE, {"digest": "d"})),
)
LOGS = st.lists(st.tuples(st.integers(0, 1), KINDS, st.integers(0, 12)), max_size=12).map(
    lambda rows: [
        Act(place=place, side=side, kind=kind, facts=facts, seen=min(seen, place - 1))
        for place, (side, (kind, facts), seen) in enumerate(rows, start=1)
    ]
)


@given(LOGS)
@settings(max_examples=60)
def test_state_is_repeatable_and_values_fit_their_cells(log):
    state = table_state(SHEET, log)
    assert table_state(SHEET, list(log)) == state
    assert set(state.values) == set(SHEET.cells)
    assert all(SHEET.cells[cell].takes(value) for cell, value in state.values.items())


@given(LOGS)
@settings(max_examples=60)
def test_undone_act_leaves_no_trace(log):
    marked = [act.place for act in log if act.kind == SET]
    if not marked:
        return
    gone = marked[-1]
    undone = [*log, Act(place=len(log) + 1, side=0, kind=UNDO, facts={"place": gone})]
    assert table_state(SHEET, undone).values == table_state(SHEET, [act for act in log if act.place != gone]).values


@given(LOGS)
@settings(max_examples=60)
def test_conflicting_marks_are_recorded_and_the_later_one_applies(log):
    state = table_state(SHEET, log)
    for crossing in state.crossings:
        assert crossing.first.place < crossing.second.place
        assert crossing.second.seen < crossing.first.place
        assert crossing.first.side != crossing.second.side


def test_marks_of_one_side_never_conflict():
    log = acts((0, HITS, 1), (0, HITS, 2), seen=0)
    assert table_state(SHEET, log).crossings == ()


def test_unseen_marks_conflict_until_a_later_mark_resolves_them():
    log = acts((0, HITS, 1), (1, HITS, 2), seen=0)
    state = table_state(SHEET, log)
    assert [(each.first.place, each.second.place) for each in state.crossings] == [(1, 2)]
    assert state.values[HITS] == 2
    unseen = [*log, Act(place=3, side=0, kind=SET, facts=changes(HITS, 1), seen=1)]
    assert len(table_state(SHEET, unseen).crossings) == 2, (
        "a mark by somebody who hasn't seen the crossing settles nothing"
    )
    settled = [*log, Act(place=3, side=0, kind=SET, facts=changes(HITS, 2), seen=2)]
    assert table_state(SHEET, settled).crossings == ()


def test_two_phones_of_one_side_can_conflict_too():
    log = [
        Act(place=1, side=0, kind=SET, facts=changes(HITS, 1), phone="one"),
        Act(place=2, side=0, kind=SET, facts=changes(HITS, 2), phone="two"),
    ]
    assert len(table_state(SHEET, log).crossings) == 1


def test_agreement_ends_when_the_table_changes():
    digest = report_digest(SHEET.report(SHEET.start()))
    log = [Act(place=1 + side, side=side, kind=AGREE, facts={"digest": digest}) for side in (0, 1)]
    assert both_agree(SHEET, table_state(SHEET, log))
    more = [*log, Act(place=3, side=0, kind=SET, facts=changes(HITS, 1), seen=2)]
    assert not both_agree(SHEET, table_state(SHEET, more))
