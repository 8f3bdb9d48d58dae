"""Hooks: functions that higher apps connect to lower ones, and their table in the docs."""

import pytest

from rosters.hooks import HOOKS, Hook
from tests.tools.hooks import PAGE, answerers, askers, with_table


@pytest.fixture
def hook():
    yield Hook("of-a-test", "by a test")
    del HOOKS["of-a-test"]


def test_function_connected_twice_is_called_once(hook):
    hook.connect(len, sum)
    hook.connect(len)
    assert list(hook) == [len, sum]


def test_two_hooks_cannot_share_a_name(hook):
    with pytest.raises(AssertionError, match="two hooks of-a-test"):
        Hook("of-a-test", "by another one")


def test_every_hook_has_a_caller_and_a_listener():
    assert len(HOOKS) > 15
    silent = [name for name in HOOKS if not askers(name) or not answerers(name)]
    assert not silent, f"these hooks have no caller or no listener: {', '.join(silent)}"
    assert all(len(hook) for hook in HOOKS.values())


def test_table_in_the_docs_matches_the_code():
    text = PAGE.read_text(encoding="utf-8")
    assert text == with_table(text), "`make schemas` writes docs/hooks.md"
    assert text.count("\n| `") == len(HOOKS)
