"""Parts of pages are drawn once for equal values, and the cache has a size limit."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from django.template import engines
from django.utils import timezone
from django.utils.html import conditional_escape
from django.utils.safestring import mark_safe

from rosters import fragment_cache
from rosters.fragment_cache import FragmentCache
from rosters.models import Player


@pytest.fixture
def drawings() -> list[str]:
    return []


def drawing(drawings: list[str], text: str):
    def draw() -> str:
        drawings.append(text)
        return text

    return draw


def test_piece_is_drawn_once_for_equal_values(drawings):
    kept = FragmentCache(100)
    assert kept.get(("map", 1), drawing(drawings, "<b>one</b>")) == "<b>one</b>"
    assert kept.get(("map", 1), drawing(drawings, "anew")).__html__() == "<b>one</b>"
    assert kept.get(("map", 2), drawing(drawings, "two")) == "two"
    assert drawings == ["<b>one</b>", "two"]


def test_least_recently_used_piece_is_dropped_first(drawings):
    kept = FragmentCache(10)
    for text in ("aaaa", "bbbb", "aaaa", "cccc"):  # a is requested again, so b is dropped
        kept.get(text, drawing(drawings, text))
    kept.get("aaaa", drawing(drawings, "aaaa"))
    kept.get("bbbb", drawing(drawings, "bbbb"))
    assert drawings == ["aaaa", "bbbb", "cccc", "bbbb"]


def test_piece_larger_than_the_cache_is_not_kept(drawings):
    kept = FragmentCache(3)
    assert kept.get("long", drawing(drawings, "aaaa")) == "aaaa"
    assert kept.get("long", drawing(drawings, "aaaa")) == "aaaa"
    assert drawings == ["aaaa", "aaaa"]
    assert kept.get("b", drawing(drawings, "b")) == kept.get("b", drawing(drawings, "b")) == "b"
    assert drawings == ["aaaa", "aaaa", "b"]


@dataclass(frozen=True)
class Row:
    name: str
    at: datetime = datetime(2026, 3, 29, 0, 59, tzinfo=UTC)


@pytest.fixture
def drawn_templates(monkeypatch) -> list[str]:
    """Return the templates that were drawn for uncached pieces."""
    monkeypatch.setattr(fragment_cache, "_fragments", FragmentCache(10_000))
    found: list[str] = []
    texts = {"row.html": "{{ row.name }} {{ row.at|date:'H:i' }}{{ user }}{{ csrf_token }}"}

    def draw(name: str, context: dict[str, Any]) -> str:
        found.append(name)
        return engines["django"].from_string(texts[name]).render(context)

    monkeypatch.setattr(fragment_cache, "render_to_string", draw)
    return found


def page(**context: Any) -> str:
    return engines["django"].from_string("{% piece 'row.html' row=row %}").render(context)


def test_template_piece_is_drawn_once_from_its_values(drawn_templates):
    assert page(row=Row("Iron <Dogs>"), user="kim", csrf_token="secret") == "Iron &lt;Dogs&gt; 00:59"
    assert page(row=Row("Iron <Dogs>"), user="ann") == "Iron &lt;Dogs&gt; 00:59"
    assert page(row=Row("Owls")) == "Owls 00:59"
    assert len(drawn_templates) == 2


def test_each_time_zone_has_its_own_pieces(drawn_templates):
    with timezone.override("Europe/Berlin"):
        assert page(row=Row("Owls")) == "Owls 01:59"
    assert page(row=Row("Owls")) == "Owls 00:59"


def test_safe_and_plain_text_are_cached_separately(drawn_templates):
    template = engines["django"].from_string("{% piece 'text.html' text=text %}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fragment_cache, "render_to_string", lambda _, context: conditional_escape(context["text"]))
        assert template.render({"text": mark_safe("<b>")}) == "<b>"
        assert template.render({"text": "<b>"}) == "&lt;b&gt;"


def test_model_instance_is_refused_as_a_value(drawn_templates):
    with pytest.raises(TypeError, match="give its values"):
        page(row=Player(pk=1, username="kim"))
