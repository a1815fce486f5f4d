"""Templates of the common form: cut once, and the same as the general way makes them."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webapp.domain.merge_tags.budget import ContentKind
from webapp.domain.merge_tags.fast_path import VALUE_LENGTH, compile_tags, conditions_of
from webapp.domain.merge_tags.rendering import render_tags

TAGS = ("{{ name }}", "{{name | default: 'you'}}", '{{ city | default: "a & b" }}', "{{- name -}}", "{{ order }}")
TEXTS = (
    "<p>", "</p>\n", "Dear ", "<a href='", "'>", '<img src="', '" alt="', '">', "<!--", "-->", "https://x.example/?a=",
    "<td width=", " ", ">", "javascript:", "é", "\r\n", "{% raw %}{{{% endraw %}", "<", "{% comment %}x{% endcomment %}",
)  # fmt: skip
CONDITIONS = (
    *("{% if name %}", "{% if city == 'Rome' %}", "{% if order > 2 %}", "{% if name and city != blank %}"),
    *("{% unless city %}", "{% if order contains 'a' %}", "{% if City %}", "{% if order.id %}"),
)


def block(opening: str, inside: list[str], otherwise: list[str], test: str | None) -> str:
    ending = "endunless" if "unless" in opening else "endif"
    elsif = f"{{% elsif {test} %}}{inside[0] if inside else ''}" if test else ""
    other = f"{{% else %}}{''.join(otherwise)}" if otherwise else ""
    return f"{opening}{''.join(inside)}{elsif}{other}{{% {ending} %}}"


PARTS = st.sampled_from((*TAGS, *TEXTS, "{% assign name = 'x' %}"))
BLOCKS = st.recursive(
    st.lists(PARTS, max_size=4).map("".join),
    lambda inner: st.builds(
        block,
        st.sampled_from(CONDITIONS),
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=2),
        st.sampled_from([None, "name", "city != 'Rome'"]),
    ),
    max_leaves=6,
)
VALUE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from(["", "--", "<b>", "javascript:alert(1)", "//evil.example", "a\r\nb", ":", "&amp;"]),
    st.lists(st.text(max_size=3), max_size=2),
)
VARIABLES = st.dictionaries(st.sampled_from(["name", "city", "order", "City", "CITY", "Name"]), VALUE)


@settings(max_examples=150)
@given(st.lists(BLOCKS | PARTS, max_size=6).map("".join), VARIABLES, st.sampled_from(list(ContentKind)))
def test_conditions_are_decided_as_the_library_does(source: str, variables: dict[str, Any], kind: ContentKind) -> None:
    decided = conditions_of(source).decide(variables)
    compiled = None if decided is None else compile_tags(source, kind, decided)
    shown = compiled.render(variables) if compiled else None
    if shown is not None:
        assert shown == render_tags(source, variables, kind)


@pytest.mark.parametrize(
    ("source", "variables", "shown"),
    [
        ("<p>Hi{% if name %} {{ name }}{% endif %}!</p>", {"name": "Ada"}, "<p>Hi Ada!</p>"),
        ("<p>Hi{% if name %} {{ name }}{% endif %}!</p>", {}, "<p>Hi!</p>"),
        ('<a href="{% if city %}https://x.example/{% endif %}{{ name }}">', {"name": "javascript:a"}, '<a href="">'),
    ],
)
def test_what_is_left_of_conditions_is_of_the_common_form(source: str, variables: dict[str, Any], shown: str) -> None:
    compiled = compile_tags(source, ContentKind.HTML, conditions_of(source).decide(variables))
    assert compiled.render(variables) == render_tags(source, variables, ContentKind.HTML) == shown


@pytest.mark.parametrize("value", ["x" * (VALUE_LENGTH + 1), ["a"], {"a": 1}])
def test_a_value_that_comes_near_a_bound_is_left_to_the_general_way(value: Any) -> None:
    assert compile_tags("Dear {{ name }}", ContentKind.TEXT).render({"name": value}) is None


def test_a_filter_other_than_default_is_left_to_the_general_way() -> None:
    assert compile_tags("Dear {{ name | append: '!' }}", ContentKind.TEXT) is None
