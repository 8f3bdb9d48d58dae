"""Pieces of pages are drawn once for all that they show, and no more are kept than there is room for."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from django.template import engines
from django.utils import timezone
from django.utils.html import conditional_escape
from django.utils.safestring import mark_safe

from rosters import pieces
from rosters.models import Player
from rosters.pieces import Pieces


@pytest.fixture
def drawn() -> list[str]:
    return []


def drawing(drawn: list[str], text: str):
    def draw() -> str:
        drawn.append(text)
        return text

    return draw


def test_a_piece_is_drawn_once_for_what_it_shows(drawn):
    kept = Pieces(100)
    assert kept.get(("map", 1), drawing(drawn, "<b>one</b>")) == "<b>one</b>"
    assert kept.get(("map", 1), drawing(drawn, "anew")).__html__() == "<b>one</b>"
    assert kept.get(("map", 2), drawing(drawn, "two")) == "two"
    assert drawn == ["<b>one</b>", "two"]


def test_what_nobody_asked_for_the_longest_goes_first(drawn):
    kept = Pieces(10)
    for text in ("aaaa", "bbbb", "aaaa", "cccc"):  # a is asked for again, so b goes
        kept.get(text, drawing(drawn, text))
    kept.get("aaaa", drawing(drawn, "aaaa"))
    kept.get("bbbb", drawing(drawn, "bbbb"))
    assert drawn == ["aaaa", "bbbb", "cccc", "bbbb"]


def test_a_piece_larger_than_all_room_is_shown_and_not_kept(drawn):
    kept = Pieces(3)
    assert kept.get("long", drawing(drawn, "aaaa")) == "aaaa"
    assert kept.get("long", drawing(drawn, "aaaa")) == "aaaa"
    assert drawn == ["aaaa", "aaaa"]
    assert kept.get("b", drawing(drawn, "b")) == kept.get("b", drawing(drawn, "b")) == "b"
    assert drawn == ["aaaa", "aaaa", "b"]


@dataclass(frozen=True)
class Row:
    name: str
    at: datetime = datetime(2026, 3, 29, 0, 59, tzinfo=UTC)


@pytest.fixture
def asked(monkeypatch) -> list[str]:
    """The templates that were drawn, in pieces that nobody has drawn before."""
    monkeypatch.setattr(pieces, "_pieces", Pieces(10_000))
    found: list[str] = []
    texts = {"row.html": "{{ row.name }} {{ row.at|date:'H:i' }}{{ user }}{{ csrf_token }}"}

    def draw(name: str, context: dict[str, Any]) -> str:
        found.append(name)
        return engines["django"].from_string(texts[name]).render(context)

    monkeypatch.setattr(pieces, "render_to_string", draw)
    return found


def page(**context: Any) -> str:
    return engines["django"].from_string("{% piece 'row.html' row=row %}").render(context)


def test_a_piece_of_a_template_is_drawn_once_for_equal_values_and_sees_nothing_else(asked):
    assert page(row=Row("Iron <Dogs>"), user="kim", csrf_token="secret") == "Iron &lt;Dogs&gt; 00:59"
    assert page(row=Row("Iron <Dogs>"), user="ann") == "Iron &lt;Dogs&gt; 00:59"
    assert page(row=Row("Owls")) == "Owls 00:59"
    assert len(asked) == 2


def test_each_time_zone_has_pieces_of_its_own(asked):
    with timezone.override("Europe/Berlin"):
        assert page(row=Row("Owls")) == "Owls 01:59"
    assert page(row=Row("Owls")) == "Owls 00:59"


def test_marks_and_texts_that_read_alike_are_kept_apart(asked):
    template = engines["django"].from_string("{% piece 'text.html' text=text %}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "render_to_string", lambda _, context: conditional_escape(context["text"]))
        assert template.render({"text": mark_safe("<b>")}) == "<b>"
        assert template.render({"text": "<b>"}) == "&lt;b&gt;"


def test_a_row_of_the_database_is_refused_for_it_is_always_equal_to_itself(asked):
    with pytest.raises(TypeError, match="give its values"):
        page(row=Player(pk=1, username="kim"))
