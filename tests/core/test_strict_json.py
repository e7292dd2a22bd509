import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import MAX_PROBLEMS, InvalidDocument, Problem
from pipeline.core.strict_json import MAX_BYTES, MAX_INTEGER, parse_strict, read_strict

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-MAX_INTEGER, MAX_INTEGER)
    | st.text(max_size=8)
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@given(PLAIN)
def test_plain_json_is_read_as_it_is(value: object) -> None:
    assert parse_strict(json.dumps(value).encode(), "x") == value


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b'{"a": 1, "a": 2}', "duplicate_key"),
        (b'{"a": {"b": 1, "b": 1}}', "duplicate_key"),
        (b"NaN", "not_finite"),
        (b"[-Infinity]", "not_finite"),
        (b"1e400", "not_finite"),
        (b"123456789012345678901234567890", "out_of_range"),
        (str(MAX_INTEGER + 1).encode(), "out_of_range"),
        (b'{"a": 1} x', "syntax"),
        (b"", "syntax"),
        (b"{'a': 1}", "syntax"),
        (b"\xff\xfe", "encoding"),
        (b'"\\ud800"', "encoding"),
        (b"[" * 100_000, "nesting"),
        (b'{"a":' * 70 + b"1" + b"}" * 70, "nesting"),
        (b" " * (MAX_BYTES + 1), "too_large"),
    ],
)
def test_what_python_would_accept_or_choke_on_is_refused(text: bytes, code: str) -> None:
    with pytest.raises(InvalidDocument) as caught:
        parse_strict(text, "level.json")
    assert caught.value.problems[0].code == code
    assert str(caught.value).startswith("level.json: ")


def test_large_files_are_refused_before_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "big.json"
    with path.open("wb") as file:
        file.truncate(1 << 40)  # sparse: reading it would fill the memory
    with pytest.raises(InvalidDocument, match="4 MiB is the limit"):
        read_strict(path)


@pytest.mark.parametrize("kind", ["absent", "folder"])
def test_unreadable_paths_are_named(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "level 日本.json"
    if kind == "folder":
        path.mkdir()
    with pytest.raises(InvalidDocument, match="level 日本"):
        read_strict(path)


@pytest.mark.parametrize("text", ['"' + '\\"' * (MAX_BYTES // 2 - 1), '"' + "[" * (MAX_BYTES - 1), "\\" * MAX_BYTES])
def test_strings_that_never_end_are_refused_in_one_pass(text: str) -> None:
    """Trying again from every quote would take hours at the size limit."""
    with pytest.raises(InvalidDocument) as caught:
        parse_strict(text.encode(), "x")
    assert caught.value.problems[0].code == "syntax"


def test_brackets_in_strings_are_no_nesting() -> None:
    for text in ("[" * 1000, '"[' * 1000, "\\[" * 1000, "\\" * 999):
        assert parse_strict(json.dumps(text).encode(), "x") == text


def test_messages_stay_short_whatever_the_document_holds() -> None:
    key = b'"' + b"k" * 100_000 + b'"'
    with pytest.raises(InvalidDocument) as caught:
        parse_strict(b"{" + key + b":1," + key + b":2}", "x")
    assert len(str(caught.value)) < 200


def test_only_so_many_problems_are_listed_and_the_rest_counted() -> None:
    error = InvalidDocument("x", [Problem("value", f"number {i}.") for i in range(MAX_PROBLEMS + 7)])
    assert len(error.problems) == MAX_PROBLEMS + 1
    assert error.problems[-1].message.startswith("7 more")
