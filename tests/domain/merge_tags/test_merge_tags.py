"""Merge tags: what they show, what they need, and what they can never do."""

import html
import itertools
import re
import resource
import time
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webapp.domain.merge_tags.budget import ContentKind
from webapp.domain.merge_tags.filters import FILTERS
from webapp.domain.merge_tags.parser import read_template
from webapp.domain.merge_tags.rendering import is_html, missing_variables, render_tags
from webapp.sending.mime.headers import BREAKS

HOSTILE = "<script>alert(1)</script>\"'&{{ other }}{% raw %}\r\n"
VALUES: dict[str, Any] = {
    "first_name": "Ada",
    "nothing": None,
    "void": "",
    "yes": True,
    "zero": 0,
    "price": 19.9,
    "text": "one two  three",
    "lines": [{"title": "Tea", "price": 2}, {"title": "Cake & more", "price": 3}],
    "order": {"id": 7, "address": {"city": "Paris"}},
    "day": "2026-11-20",
    "no_date": "soon",
    "company name": "ACME",
}


def text_of(source: str, **variables: Any) -> str:
    return render_tags(source, VALUES | variables, ContentKind.TEXT)


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("no tags: { } {x} }} %}", "no tags: { } {x} }} %}"),
        ("{{first_name}}|{{   first_name   }}|{{\nfirst_name\n}}", "Ada|Ada|Ada"),
        ("{{ unknown }}{{ nothing }}{{ void }}{{ order.unknown.far }}", ""),
        ("{{ nothing | default: 'a' }}{{ void | default: 'b' }}{{ zero | default: 'c' }}", "ab0"),
        ("{{ order.id }} {{ order.address.city }} {{ order['id'] }}", "7 Paris 7"),
        ('{{ ["company name"] }}', "ACME"),
        ("{% if unknown %}yes{% elsif nothing %}maybe{% else %}no{% endif %}", "no"),
        ("{% for line in lines %}{{ forloop.index }}. {{ line.title }}\n{% endfor %}", "1. Tea\n2. Cake & more\n"),
        ("a {%- if yes -%} b {%- endif -%} c", "abc"),
    ],
)
def test_a_tag_shows_its_value(source: str, shown: str) -> None:
    assert text_of(source) == shown


@pytest.mark.parametrize(
    ("tag", "shown"),
    [
        ("first_name | append: '!' | prepend: '>'", ">Ada!"),
        ("text | split: ' ' | join: '-'", "one-two-three"),
        ("price | times: 3", "59.7"),
        ("lines | map: 'title' | join: ', '", "Tea, Cake & more"),
        ("day | date: '%d %B %Y'", "20 November 2026"),
        ("no_date | date: '%Y'", "soon"),
        ("'1735689600' | date: '%Y-%m-%d %H:%M'", "2025-01-01 00:00"),
        ("'March 14, 2016' | date: '%b %d, %y'", "Mar 14, 16"),
        ("'2016-03-14T09:05:07+05:30' | date: '%H:%M %z %:z'", "09:05 +0530 +05:30"),
        ("'03/04/2016' | date: '%d %B'", "03 April"),
        (
            "'2016-03-14' | date: '100%% %^a %_m %e %D %R %v %j %U %u %C%y'",
            "100% MON  3 14 03/14/16 00:00 14-MAR-2016 074 11 1 2016",
        ),
        ("unknown | default: 'x', allow_false: true", "x"),
    ],
)
def test_a_filter_changes_the_value(tag: str, shown: str) -> None:
    assert text_of(f"{{{{ {tag} }}}}") == shown


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("Hello {{ first_name", "line 1, column 7: unclosed tag; add }}"),
        ("{{ }}", "line 1, column 1: empty tag"),
        ("{{ a b }}", "line 1, column 6: "),
        ("{% if a %}", "line 1, column 11: expected tag endif"),
        ("a\nb\n{{ a | nosuch }}", "line 3, column 8: unknown filter 'nosuch'"),
        ("a\n{{ day | date: '%Y %Q' }}", "line 2, column 10: unknown date format '%Q'"),
        ("{{ 'soon' | date: '%Y' }}", "line 1, column 13: 'soon' is not a date"),
        ("{{ a | append }}", "line 1, column 8: wrong arguments for the filter 'append'"),
        ("{% break %}", "line 1, column 1: break and continue only work in loops"),
        ("{% for i in (1..count) %}{% endfor %}", "line 1, column 13: a range needs two whole numbers"),
    ],
)
def test_a_fault_is_told_with_line_and_column(source: str, fault: str) -> None:
    for use in (
        read_template,
        lambda source: render_tags(source, {}, ContentKind.HTML),
        lambda source: missing_variables([source], {}),
    ):
        with pytest.raises(ValueError, match="has an error at") as error:
            use(source)
        assert str(error.value).startswith(f"has an error at {fault}")


@pytest.mark.parametrize("tag", [
    "include 'x'", "render 'x'", "extends 'x'", "block x", "macro x", "call x", "import 'x'", "layout 'x'", "liquid x",
    "echo x", "capture x", "case x", "cycle 'a', 'b'", "tablerow x in y", "increment x", "decrement x", "ifchanged",
    "with x: 1", "translate", "doc", "style", "javascript", "snippet x", "load x", "env", "now", "set x = 1", "do x",
])  # fmt: skip
def test_no_tag_loads_or_does_more_than_if_for_and_assign(tag: str) -> None:
    with pytest.raises(ValueError, match=f"unexpected tag '{tag.split(maxsplit=1)[0]}'"):
        read_template(f"{{% {tag} %}}")


@pytest.mark.parametrize("name", [
    "safe", "raw", "html_safe", "escapejs", "escape_once", "strip_html", "newline_to_br", "url_decode",
    "base64_decode", "base64_url_safe_decode", "attr", "json", "file", "env", "eval", "liquid", "markdownify", "uniq",
    "concat", "sum", "t", "translate", "money", "asset_url", "img_tag", "script_tag", "link_to", "index", "unit",
])  # fmt: skip
def test_no_filter_undoes_escaping_or_reads_anything(name: str) -> None:
    with pytest.raises(ValueError, match=f"unknown filter '{name}'"):
        read_template(f"{{{{ x | {name} }}}}")


@pytest.mark.parametrize(
    "source",
    [
        "{{ x.__class__ }}", "{{ x['__class__'] }}", "{{ x.__init__.__globals__ }}", "{{ n.real }}", "{{ d.keys }}",
        "{{ d.items }}", "{{ x.upper }}", "{{ l.append }}", "{{ config }}", "{{ self }}", "{{ request }}", "{{ env }}",
        "{{ now }}", "{{ today }}", "{{ partial }}", "{{ template }}", "{{ forloop }}", "{{ context }}", "{{ loop }}",
        "{{ globals }}", "{{ settings }}", "{{ __builtins__ }}", "{{ None }}", "{{ d }}", "{{ blank }}{{ empty }}{{ nil }}",
        "{% for i in l %}{{ forloop.__class__ }}{{ forloop.it }}{{ forloop }}{% endfor %}",
        "{{ d | map: '__class__' }}", "{{ l | map: '__class__' | first }}", "{{ l | where: '__class__' }}",
        "{{ l | sort: '__class__' | slice: 9 }}",
    ],
)  # fmt: skip
def test_a_template_reads_nothing_but_its_variables(source: str) -> None:
    variables = {"x": "text", "n": 7, "d": {"a": {"b": 1}}, "l": ["a", "b"]}
    assert render_tags(source, variables, ContentKind.HTML) == ""


@pytest.mark.parametrize(
    "source",
    ["{{ ''.__class__ }}", "{{ 7*7 }}", "{{ x|attr('format') }}", '{{ env "HOME" }}', "{{ x() }}", "{{ x.y() }}"],
)
def test_what_other_engines_would_run_is_a_fault(source: str) -> None:
    with pytest.raises(ValueError, match="has an error"):
        read_template(source)


class Tags(HTMLParser):
    """What a browser would make of a text: its tags, attributes and comments."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(f"{tag} {[name for name, _ in attrs]}")

    def handle_comment(self, data: str) -> None:
        self.found.append("comment")


ARGUMENTS = {
    "append": ": hostile", "prepend": ": hostile", "default": ": hostile", "replace": ": 'a', hostile",
    "replace_first": ": '&', '<'", "remove": ": 'amp;'", "split": ": '&'", "truncate": ": 9, hostile",
    "truncatewords": ": 1, hostile", "join": ": hostile", "map": ": 'k'", "where": ": 'k'", "date": ": '%Y'",
    "slice": ": 0, 30", "at_least": ": 1", "at_most": ": 1", "divided_by": ": 1", "minus": ": 1", "modulo": ": 1",
    "plus": ": 1", "times": ": 1",
}  # fmt: skip


@pytest.mark.parametrize("name", FILTERS)
def test_no_filter_lets_a_value_become_html(name: str) -> None:
    variables = {
        "hostile": HOSTILE,
        "escaped": html.escape(HOSTILE),
        "list": [HOSTILE, HOSTILE],
        "objects": [{"k": HOSTILE}],
        "unknown": None,
    }
    tails = ("", " | append: '<b>'", " | replace: '&lt;', '<'", " | replace: 'amp;', ''")
    for value, tail in itertools.product(variables, tails):
        tag = f"{{{{ {value} | {name}{ARGUMENTS.get(name, '')}{tail} }}}}"
        shown = render_tags(f"<p title='{tag}'>{tag}</p>", variables, ContentKind.HTML)
        assert Tags(shown).found == ["p ['title']"], tag


def test_what_the_author_writes_outside_of_tags_is_not_escaped() -> None:
    shown = render_tags('<b title="&amp;">{{ x }}</b>\'', {"x": "<i>"}, ContentKind.HTML)
    assert shown == '<b title="&amp;">&lt;i&gt;</b>\''


@pytest.mark.parametrize("sign", ["&", "<", ">", '"', "'"])
def test_a_value_of_one_sign_is_escaped(sign: str) -> None:
    assert render_tags("<p>{{ x }}</p>", {"x": sign}, ContentKind.HTML) == f"<p>{html.escape(sign)}</p>"


def test_values_are_raw_in_text_and_on_one_line_in_subjects() -> None:
    assert render_tags("{{ x }}", {"x": HOSTILE}, ContentKind.TEXT) == HOSTILE
    broken = {"x": "a\r\nBcc: b@c.example\x00\u2028\x85"}
    assert render_tags("Hi {{ x }}!", broken, ContentKind.SUBJECT) == "Hi aBcc: b@c.example!"


@pytest.mark.parametrize("kind", ContentKind)
def test_a_value_with_tags_is_not_expanded_again(kind: ContentKind) -> None:
    shown = render_tags("{{ x }}{{ y | append: x }}", {"x": "{{ secret }}", "y": "{% if", "secret": "found"}, kind)
    assert shown == "{{ secret }}{% if{{ secret }}"


@pytest.mark.parametrize(
    ("attribute", "value", "kept"),
    [
        ('href="{{ x }}"', "https://a.example/?b=c", True),
        ('src="{{ x }}"', "cid:logo", True),
        ('href="{{ x }}"', "/path:with/colon", True),
        ('href="{{ x }}"', "javascript:alert(1)", False),
        ('href="{{ x }}"', " JaVaScRiPt:alert(1)", False),
        ('href="{{ x }}"', "\x01javascript:alert(1)", False),
        ('href="{{ x }}"', "java\nscript:alert(1)", False),
        ('xlink:href="{{ x }}"', "javascript:x", False),
        ('formaction="{{ x }}"', "javascript:x", False),
        ('href="{{ x }}://a.example"', "javascript", False),
        ('href="{{ x }}://a.example"', "https", True),
        ('href="https://a.example/{{ x }}"', "a:b", True),
        ('title="{{ x }}"', "note: kept", True),
    ],
)
def test_a_url_with_a_scheme_that_could_run_is_left_out_of_html(attribute: str, value: str, kept: bool) -> None:  # noqa: FBT001 - a table
    shown, text = [
        render_tags(f"<a {attribute}>x</a>", {"x": value}, kind) for kind in (ContentKind.HTML, ContentKind.TEXT)
    ]
    assert (html.escape(value) in shown) == kept
    assert value in text


FAR = "x" * 1_000
UNQUOTED_TAGS = [
    "<a title={{ x }}>", "<a title = {{ x }} b>", "<img\nsrc={{ x }}>",
    "<a b='c' title={% if x %}{{ x }}{% endif %}>", "<a href=/x/{{ x }}>", "<a href=https://x.example/?q={{ x }}>",
    "<a href={% if a %}x{% endif %}{{ x }}>", "<a href={% if x %}y{% endif %}{{ x }}>", "<a title={{ x }}{{ x }}>",
    "<a title=x{{ x }}>", "<a b='>' title={{ x }}>", '<a b="c=" title={{ x }}>', '<a b="it\'s" title={{ x }}>',
    f"<a b='{FAR}' title=y{FAR}{{{{ x }}}}>", f"<a title={{% comment %}}{FAR}{{% endcomment %}}{{{{ x }}}}>",
    "<a title={% if a %}'{% endif %}{{ x }}>", "<a title={% raw %}{{{% endraw %}{{ x }}>", "<a {{ x }}>",
    "<a b{{ x }}>", "<!-- '<a title=\" --><a title={{ x }}>", "<!--><a title={{ x }}>",
    "<!--[if mso]><a title={{ x }}><![endif]-->", "1 < 2 <b><a title={{ x }}>",
]  # fmt: skip


@settings(deadline=None)
@given(st.sampled_from(UNQUOTED_TAGS), st.text(alphabet="ab \t\n\f\r=`'\"<>&/;#") | st.text())
def test_no_value_without_quotes_around_it_becomes_an_attribute_or_a_tag(tag: str, value: str) -> None:
    def kinds(shown: str) -> list[str]:
        return [re.sub(r"\['(?!title'|href'|src'|b')[^']*'.*", "", found) for found in Tags(shown).found]

    shown = render_tags(f"{tag}</a><i>", {"x": "x" + value}, ContentKind.HTML)
    plain = render_tags(f"{tag}</a><i>", {"x": "xy"}, ContentKind.HTML)
    assert len(Tags(shown).found) == len(Tags(plain).found)
    if "{{ x }}" not in tag.partition("=")[0]:  # there a value is the name of an attribute
        assert kinds(shown) == kinds(plain)


@pytest.mark.parametrize(
    "source",
    [
        '<a href="{% if x != "<' + "y" * 320 + '" %}{{ x }}{% endif %}">',
        '<a href="{% if a %}https://a.example/{% endif %}{{ x }}">',
        "<a href={{ a }}{{ x }}>",
        '<a href="&#32;{{ x }}">',
        '<a title="' + "y" * 2_000 + '" href="{{ x }}">',
        "<a title='>' href = '{{ x }}'>",
        '<a href="{{ half }}{{ rest }}">',
        '<a href="{% for i in (1..2) %}{{ x }}{% endfor %}">',
        '<a {% if x %}href="{% endif %}{{ x }}">',
        '<!-- " --><a href="{{ x }}">',
    ],
)
def test_no_way_around_lets_a_scheme_through_that_could_run(source: str) -> None:
    values = {"x": "javascript:alert(1)", "half": "java", "rest": "script:alert(1)"}
    assert "alert" not in render_tags(source, values, ContentKind.HTML)


@pytest.mark.parametrize(
    ("source", "variables", "required"),
    [
        ("{{ b }}{{ a }}{{ b }}", "b,a", "b,a"),
        ("{{ a | default: 'x' }}", "a", ""),
        ("{{ a | append: b }}", "a,b", "a,b"),
        ("{{ a }}{{ a | default: 'x' }}", "a", "a"),
        ("{% if a %}{{ b }}{% elsif c == d %}{{ e }}{% else %}{{ f }}{% endif %}", "a,b,c,d,e,f", "b,e,f"),
        ("{% if a %}{% if b %}{{ a }}{{ b }}{{ c }}{% endif %}{% endif %}{{ b }}", "a,b,c", "c,b"),
        ("{% for x in xs %}{{ x }}{{ x.y }}{{ forloop.index }}{{ z }}{% endfor %}{{ x }}", "xs,z,x", "xs,z,x"),
        ("{% assign x = y | default: 'z' %}{{ x }}", "y", ""),
        ("{{ order.total }}{{ order['id'] }}", "order", "order"),
        ("{% raw %}{{ a }}{% endraw %}{% comment %}{{ b }}{% endcomment %}", "", ""),
        ('{{ ["company name"] }}', "company name", "company name"),
    ],
)
def test_variables_and_those_that_are_required(source: str, variables: str, required: str) -> None:
    template = read_template(source)
    required_names = ",".join(dict.fromkeys(path[0] for path in template.required))
    assert (",".join(template.variables), required_names) == (variables, required)


@pytest.mark.parametrize(
    ("source", "variables", "missing"),
    [
        ("{{ a }}{{ b }}", {}, ["a", "b"]),
        ("{{ a }}", {"a": ""}, ["a"]),
        ("{{ a | default: '' }}", {}, []),
        ("{% if a %}{{ a }}{% endif %}", {}, []),
        ("{{ order.total }}", {}, ["order"]),
        ("{{ order.total }}{{ order.id }}", {"order": {"id": 7}}, ["order.total"]),
        ("{{ list[0] }}{{ list.size }}{{ list.first }}", {"list": ["a"]}, []),
        ("{{ a }}", {"a": ["x" * 100] * 100_000}, []),
    ],
)
def test_missing_is_what_has_no_value_and_no_default(
    source: str, variables: dict[str, Any], missing: list[str]
) -> None:
    assert missing_variables([source], variables) == missing


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("a < b and c > d", False),
        ("<ada@example.org>", False),
        ("Ada <ada@example.org> wrote: 1 <2> 3, <3, a<b>c", True),
        ("<!-- a comment -->", False),
        ("Hello<br>there", True),
        ("<a\nhref='x'>", True),
        ("<!doctype html><html>", True),
        ("<picture", False),
    ],
)
def test_a_body_with_an_html_tag_is_html(body: str, found: bool) -> None:  # noqa: FBT001 - a table
    assert is_html(body) == found


BIG = {"x": "ab", "s": "s" * 1_000, "big": "y " * 500_000}
LOOP = "{% for i in (1..1000) %}"
BOMBS = {
    "doubling": "{% assign a = 'aaaaaaaaaaaaaaaa' %}" + "{% assign a = a | append: a %}" * 100,
    "loops in loops": LOOP + LOOP + LOOP + "x" + "{% endfor %}" * 3,
    "conditions in a loop": LOOP + "{% if true %}{% endif %}" * 490 + "{% endfor %}",
    "search in a loop": LOOP + "{% if big contains 'zzz' %}{% endif %}{% endfor %}",
    "replace": "{{ big | replace: '', s }}",
    "growing numbers": "{% assign a = 9 %}" + LOOP + "{% assign a = a | times: a %}{% endfor %}{{ a }}",
    "output": LOOP + "{{ s }}" * 9 + "{% endfor %}",
    "text": LOOP + "t" * 100_000 + "{% endfor %}",
    "divided by zero": "{{ 1 | divided_by: 0 }}",
    "a huge date": "{% assign p = '%999999999d' %}{{ '2026-11-20' | date: p }}",
    "dates without end": "{% for i in (1..999) %}{% for j in (1..9) %}{{ 'Mar 14 2016 10:00' | date: '%+' }}{% endfor %}{% endfor %}",
    "what cannot be compared": "{% if x < 1 %}{% endif %}",
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_rendering_is_bounded_in_time_and_memory(name: str) -> None:
    read_template(BOMBS[name])
    memory, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    with pytest.raises(ValueError, match=r"has an error at line 1, column [0-9]+: "):
        render_tags(BOMBS[name], BIG, ContentKind.HTML)
    assert time.process_time() - start < 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 100_000  # KiB


def test_a_subject_may_take_much_less_work_than_a_body() -> None:
    source = "{% for i in (1..50) %}{% for j in (1..50) %}{% endfor %}{% endfor %}Hi"
    assert render_tags(source, {}, ContentKind.TEXT) == "Hi"
    with pytest.raises(ValueError, match="takes too long to render"):
        render_tags(source, {}, ContentKind.SUBJECT)
    assert render_tags("{% for i in (1..50) %}{{ i }}{% endfor %}", {}, ContentKind.SUBJECT).endswith("4950")


MONSTERS = {
    "a million tags in tags": "{% if a %}" * 1_000_000,
    "loops in loops": "{% for i in (1..1000) %}" * 900,
    "open braces": "{{" * 249_000,
    "spaces in an open tag": "{%" + " " * 400_000,
    "closed brackets": "{{ " + "a[" * 240 + "a" + "]" * 240 + "}}",
    "quotes": "{{ " + '["a[' * 240 + "}}",
    "comparisons": "{% if " + "a<" * 490 + "a %}{% endif %}",
    "a huge range": "{% for i in (1..1000000000) %}{% endfor %}",
    "filters": ("{{ a" + " | append: b" * 70 + " }}") * 580,
    "too much": "x" * 500_001 + "{{ a }}",
}


@pytest.mark.parametrize("name", MONSTERS)
def test_what_is_too_much_is_refused_at_once(name: str) -> None:
    start = time.process_time()
    with pytest.raises(
        ValueError, match=r"has an error at line 1, column [0-9]+: |must be at most 500,000 characters long"
    ):
        read_template(MONSTERS[name])
    assert time.process_time() - start < 1


@pytest.mark.parametrize("source", ["href=" * 90_000 + "{{ a }}", ("href='" * 60 + "{{ a }}") * 999, "<a " * 160_000])
def test_what_is_just_allowed_is_read_and_rendered_quickly(source: str) -> None:
    start = time.process_time()
    read_template(source)
    render_tags(source, {"a": "value"}, ContentKind.HTML)
    is_html(source)
    assert time.process_time() - start < 3


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
)


@settings(deadline=None)
@given(values)
def test_a_value_never_becomes_a_tag(value: Any) -> None:
    shown = render_tags("<p>{{ x }}</p>", {"x": value}, ContentKind.HTML)
    assert Tags(shown).found == ["p []"]
    assert not re.search(r"[<>\"']", shown.removeprefix("<p>").removesuffix("</p>"))


@settings(deadline=None)
@given(values)
def test_a_subject_never_has_a_line_break(value: Any) -> None:
    assert not BREAKS.search(render_tags("Hi {{ x }} {{ x | upcase }}", {"x": value}, ContentKind.SUBJECT))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([
    "{{", "}}", "{%", "%}", "-", " x ", "if", "endif", "for", "in", "endfor", "assign", "=", "|", "append", ":", "'", '"',
    "[", "]", "(", "..", ")", ".", "raw", "endraw", "comment", "endcomment", "\n", "1", "<", "#", "else", "default", ",",
]), max_size=25), values)  # fmt: skip
def test_any_source_is_rendered_or_refused_in_words(pieces: list[str], value: Any) -> None:
    source = "".join(pieces)
    try:
        read_template(source)
        render_tags(source, {"x": value}, ContentKind.HTML)
    except ValueError as fault:
        assert re.match("has an error at line [0-9]+, column [0-9]+: .", str(fault))  # noqa: PT017 - either is right
