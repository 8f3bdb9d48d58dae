"""Templates are indented for readability; pages don't contain that layout, and look the same."""

import pytest
from django.template import Context, Engine

from rosters.site.rendering import compact


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("<ul>\n  <li>one</li>\n  <li>two</li>\n</ul>\n", "<ul><li>one</li><li>two</li></ul>"),
        ("<p>\n  some <b>bold</b>\n  and <i>more</i>\n</p>", "<p>some <b>bold</b> and <i>more</i></p>"),
        ('<a\n  class="x"\n  href="/"\n>text</a>', '<a class="x" href="/">text</a>'),
        ("<td>\n  {% if a %}\n    {{ a }}\n  {% endif %}\n</td>", "<td>{% if a %} {{ a }} {% endif %}</td>"),
        ("<button>\n  Save\n</button>\n<button>Leave</button>", "<button>Save</button> <button>Leave</button>"),
        ("a\n{% comment %}x\ny{% endcomment %}\n<b>b</b>", "a <b>b</b>"),
        ("{% load components %}\n<b>b</b>", "{% load components %}<b>b</b>"),
        ("<nav>\n  {% block a %} {% endblock %}\n</nav>", "<nav>{% block a %}{% endblock %}</nav>"),
        ("{% block a %}\n  <b>b</b>\n{% endblock %}", "{% block a %}<b>b</b>{% endblock %}"),
        ("<span>a</span> <span>b</span>", "<span>a</span> <span>b</span>"),
    ],
)
def test_line_breaks_become_spaces_or_disappear_beside_blocks(written: str, expected: str):
    assert compact(written) == expected


@pytest.mark.parametrize("kind", ["pre", "textarea", "script", "style"])
def test_preformatted_content_is_kept(kind: str):
    inside = "\n one\n\n   two <b>\n "
    assert compact(f'<{kind}\n  id="x"\n>{inside}</{kind}>') == f'<{kind} id="x">{inside}</{kind}>'


def test_line_break_in_an_attribute_becomes_a_space():
    assert compact('<svg\n  aria-label="one\n    two"\n  hidden\n>') == '<svg aria-label="one two" hidden>'


@pytest.mark.parametrize(
    ("context", "page"),
    [
        ({"a": 1, "b": 0}, '<p id="x" class="a">'),
        ({"a": 0, "b": 1}, '<p id="x" class="b" hidden>'),
        ({"a": 0, "b": 0}, '<p id="x" class="c">'),
    ],
)
def test_missing_attribute_leaves_no_space(context: dict[str, int], page: str):
    written = '<p\n  id="x"\n  {% if a %}class="a"{% elif b %}class="b"{% else %}class="c"{% endif %}\n  {% if b %}hidden{% endif %}\n>'  # fmt: skip
    assert Engine().from_string(compact(written)).render(Context(context)) == page


def test_mail_template_keeps_its_layout():
    from django.template.loader import get_template

    source = get_template("account/email/base_message.txt").template.source
    assert source.count("\n") > 3
