"""Texts follow docs/writing.md: a banned phrase is found wherever a person would read it."""

from collections import Counter

import pytest

from tests.tools import words
from tests.tools.texts import clean, read_markdown, read_python, read_template, read_toml


def read(reader, source, **options):
    """Return the texts that a reader finds, each with its line."""
    return [(line, text) for line, raw in reader(source, **options) if words.WORD.search(text := clean(raw))]


def test_inline_tags_do_not_split_a_sentence():
    source = "<p>\n  Mail goes to <b>{{ address }}</b>,\n  at once.</p><p>Next</p>"
    assert read(read_template, source) == [(2, "Mail goes to {…}, at once."), (3, "Next")]


def test_links_beside_each_other_are_texts_of_their_own():
    source = (
        '<nav><a href="/">Clubs</a>\n<a href="{% url \'x\' %}">Rounds</a></nav><p>See <a>this</a> and <a>that</a>.</p>'
    )
    assert [text for _, text in read(read_template, source)] == ["Clubs", "Rounds", "See this and that."]


def test_alternatives_of_a_template_stand_in_one_text():
    source = "<span>{% if late %}late since{% else %}by{% endif %} {{ due|date:'j M' }}</span>"
    assert read(read_template, source) == [(1, "late since / by {…}")]


def test_attributes_and_arguments_that_are_read_are_texts():
    source = '{% extends "base.html" %}<img alt="A unit" class="one two">\n{% progress 1 2 label="Packing" %}'
    assert sorted(read(read_template, source)) == [(1, "A unit"), (2, "Packing")]
    assert read(read_template, '{% nothing "Nobody yet" %}{% endnothing %}{{ x|yesno:"is open,is closed" }}') == [
        (1, "Nobody yet"),
        (1, "is open,is closed"),
    ]


def test_scripts_code_and_comments_are_no_texts():
    source = "<script>let he = 1</script>{% comment %}his own{% endcomment %}<pre>one two</pre>{# his own #}<p>Type <code>a b</code></p>"
    assert read(read_template, source) == [(1, "Type {…}")]


def test_messages_and_labels_of_python_are_texts():
    source = (
        '"""What it is for."""\n'
        'raise RefusedError(f"There is no {thing} "\n    "to sell.")\n'
        'form = Field(label="Name", name="unit")\n'
        'SAYS = "{company} has {count:d} units"\n'
    )
    assert read(read_python, source) == [
        (2, "There is no {…} to sell."),
        (4, "Name"),
        (5, "{…} has {…} units"),
    ]


@pytest.mark.parametrize(
    "source",
    [
        'def f(unit: "list of units") -> "list of units":\n    """Return one thing."""',
        'log.warning("job %s has failed", job)',
        'x = re.compile("one or two")',
        'cursor.execute("select one from two")',
        'x = "SELECT one FROM two"',
        'x = "one two three".split()',
        'x = {"class": "note held"}',
        'raise TypeError("not for players")',
        'x = "M16 7v18M16 8h7l-2 3 2 3h-7"',
        'x = "button button--small"',
    ],
)
def test_strings_not_for_users_are_no_text(source):
    assert read(read_python, source) == []


def test_markup_in_python_is_read_as_a_page():
    assert read(read_python, """x = '<b class="one two" title="A hit">{} left</b>'""") == [
        (1, "A hit"),
        (1, "{…} left"),
    ]


def test_docstrings_of_the_api_are_texts():
    source = 'class UnitAnswer(S):\n    """A unit of yours."""\n    def get(self):\n        """Return the unit."""\n    def _own(self):\n        """Return it too."""'
    assert read(read_python, source, is_api=True) == [(2, "A unit of yours."), (4, "Return the unit.")]
    assert read(read_python, source) == []


def test_prose_of_a_document_is_read_without_code():
    source = (
        "# A title\n\nOne [link](to.md) and\n`code`.\n\n```\nno text\n```\n\n- an item\n\n| a cell | x |\n|---|---|\n"
    )
    assert read(read_markdown, source) == [(1, "A title"), (3, "One link and {…}."), (10, "an item"), (12, "a cell")]


def test_data_is_read_without_drawings_and_comments():
    source = (
        '# a comment\nname = "Ace"\nrule = "Five kills, at least."\nart = "M16 7 L 8"\nsteps = [\n  "on the table",\n]'
    )
    assert read(read_toml, source) == [(3, "Five kills, at least."), (6, "on the table")]


def test_phrases_are_found_as_whole_words_the_longest_first():
    def found(text):
        return [phrase for phrase, _ in words.hits(text, words.BANNED)]

    assert found("He counts it anew.") == ["he", "anew"]
    assert found("Odds are counted anew, in this other theatre.") == ["count* anew"]
    assert words.hits("Your Diary", words.BANNED) == [("diary", "activity log")]


def test_list_of_known_phrases_only_shrinks():
    known = {"a": 3, "b": 2, "c": 1}
    counts = {"a": 2, "b": 4, "d": 1}
    assert words.changes(counts, known) == ({"b": 4, "d": 1}, {"a": 2, "c": 0})
    assert words.shrunk(counts, known).splitlines()[-2:] == ['"a" = 2', '"b" = 2']


def test_no_text_has_a_new_banned_phrase():
    counts = words.banned_counts()
    more, fewer = words.changes(counts, words.known_counts())
    assert more == {}, "`make words ARGS='--warn FILE'` shows them"
    assert fewer == {}, "good: `make words ARGS=--update` shrinks the list"


def test_files_left_unparsed_have_no_banned_phrase():
    """The quick look at the words of a file, on a sample of all files."""
    sample = [path for path in words.files()[::25] if not words.may_have_banned(path)]
    assert len(sample) > 20
    found = Counter(
        text.path for path in sample for text in words.texts_of(path) if words.hits(text.text, words.BANNED)
    )
    assert found == {}
